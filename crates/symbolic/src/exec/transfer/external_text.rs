// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts from outside: standard input, files, variables of the environment, what connections send.
//!
//! The models of the library draw what a program reads, and then say how it stands outside (`__clew_came`): each such
//! segment is a term, and the segments of one source that a run reads, in their order, are that source's text. A letter
//! says how:
//!
//! - `b` bytes, `B` the one byte `n`, `l` a line with its end, `L` the begin of a line, `G` a line whose end is dropped
//! - `t` what a format asks for; numbers in words as `scanf` reads them: `d` `i` `u` `x` `X` `o` `p` `f`; `s` a word
//! - `e` the value of a variable; `o` a stream or descriptor is a file, `n` a connection
//! - `$` the text ends here, `?` whether it has ended is asked
//!
//! That the segments fit each other (nothing follows an end, words have no blanks) is only *wished*: the library may do
//! otherwise, so proofs must not rest on it. Witnesses are sought among the runs in which all wishes hold, and the
//! interpreter judges them.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::GlobalId;
use clew_ir::witness::InputKind;

use crate::effort::MOST_TEXT_BYTES;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::input::{Read, Shape};
use crate::exec::record::text::{Handle, Source, TextSegment};
use crate::exec::state::State;
use crate::exec::state::value::{Base, Case, ObjectId, Pointer, Value};
use crate::term::{TermId, Terms};

/// What the model says.
pub(crate) struct ExternalText {
    pub how: u8,
    pub from: Option<Rc<Pointer>>,
    pub descriptor: TermId,
    pub bytes: Option<Rc<Pointer>>,
    pub n: TermId,
}

impl Encoder<'_> {
    /// Whether an object is the stream of standard input, as the model has it.
    fn is_standard_input(&self, object: ObjectId) -> bool {
        let global = self.objects.globals.iter().position(|global| *global == object);
        global.is_some_and(|at| {
            &*self.facts.program.globals[GlobalId::new(at)].source_name == "__clew_handle_stdin"
        })
    }
}

impl Evaluator<'_> {
    /// Notes what came from outside.
    pub fn note_external_text(&mut self, state: &State, external: &ExternalText) {
        match external.how {
            b'o' | b'n' => self.opened(state, external),
            b'e' => {
                let name = external.from.as_ref().and_then(|name| self.constant_text(state, name));
                if let Some((name, segment)) = name.zip(self.segment(state, external)) {
                    let guard = state.guard(&mut self.encoder.terms);
                    self.read_segment(guard, InputKind::Environment, name, segment);
                }
            }
            _ => {
                let segment = match external.how {
                    b'$' | b'?' => None,
                    _ => self.segment(state, external),
                };
                for (at, condition) in self.sources_of(external) {
                    let guard = state.guard(&mut self.encoder.terms);
                    let guard = self.encoder.terms.and(guard, condition);
                    self.at_source(at, guard, external, segment.clone());
                }
            }
        }
    }

    fn at_source(
        &mut self,
        at: usize,
        guard: TermId,
        external: &ExternalText,
        segment: Option<(TextSegment, Vec<TermId>)>,
    ) {
        let ended = self.record.sources[at].ended;
        match external.how {
            b'$' => self.record.sources[at].ended = self.encoder.terms.or(ended, guard),
            b'?' => {
                let says = self.encoder.terms.nonzero(external.n);
                let agrees = self.encoder.terms.eq(says, ended);
                self.record.wish(&mut self.encoder.terms, guard, agrees);
            }
            _ => {
                let Some(segment) = segment else { return };
                let goes_on = self.encoder.terms.not(ended);
                self.record.wish(&mut self.encoder.terms, guard, goes_on);
                let Source { kind, ref name, .. } = self.record.sources[at];
                let name = name.clone();
                self.read_segment(guard, kind, name, segment);
            }
        }
    }

    fn read_segment(
        &mut self,
        guard: TermId,
        kind: InputKind,
        name: String,
        segment: (TextSegment, Vec<TermId>),
    ) {
        let (segment, terms) = segment;
        self.record.inputs.push(Read { guard, kind, terms, shape: Shape::TextSegment(segment), name });
    }

    /// A stream or a descriptor has a source from now on. A file is there, if only to be empty.
    fn opened(&mut self, state: &State, external: &ExternalText) {
        let handle = match external.from.as_ref().map(|from| &*from.cases) {
            Some([Case { base: Base::Object(object), .. }]) => Handle::Stream(*object),
            Some([Case { base: Base::Number, .. }]) => Handle::Descriptor(external.descriptor),
            _ => return,
        };
        if external.how == b'n' {
            self.open(handle, InputKind::Network, "network".to_owned());
            return;
        }
        let path = external.bytes.as_ref().and_then(|path| self.constant_text(state, path));
        let Some(path) = path else { return };
        self.open(handle, InputKind::File, path.clone());
        let (guard, nothing) = (state.guard(&mut self.encoder.terms), self.encoder.address(0));
        self.read_segment(guard, InputKind::File, path, (TextSegment::Bytes, vec![nothing]));
    }

    fn open(&mut self, handle: Handle, kind: InputKind, name: String) -> usize {
        let ended = self.encoder.terms.bool(false);
        self.record.sources.push(Source { handle, kind, name, ended });
        self.record.sources.len() - 1
    }

    /// The sources that a stream or a descriptor may lead to, each with its condition.
    fn sources_of(&mut self, external: &ExternalText) -> Vec<(usize, TermId)> {
        let cases = external.from.iter().flat_map(|from| &from.cases);
        let mut found = Vec::new();
        for case in cases {
            match case.base {
                Base::Object(object) => {
                    let known = self.record.sources.iter().rposition(|s| s.handle == Handle::Stream(object));
                    let known = known
                        .or_else(|| self.encoder.is_standard_input(object).then(|| self.standard_input()));
                    found.extend(known.map(|at| (at, case.guard)));
                }
                Base::Number => {
                    let sources = self.sources_of_descriptor(external.descriptor);
                    let and = |(at, is): (usize, TermId)| (at, self.encoder.terms.and(case.guard, is));
                    found.extend(sources.into_iter().map(and));
                }
                Base::Function(_) => {}
            }
        }
        found.retain(|(_, condition)| !self.encoder.terms.is_false(*condition));
        found
    }

    fn sources_of_descriptor(&mut self, descriptor: TermId) -> Vec<(usize, TermId)> {
        let handles: Vec<(usize, Handle)> =
            self.record.sources.iter().enumerate().map(|(at, source)| (at, source.handle)).collect();
        let mut found = Vec::new();
        for (at, handle) in handles {
            if let Handle::Descriptor(other) = handle
                && self.encoder.terms.sort(other) == self.encoder.terms.sort(descriptor)
            {
                found.push((at, self.encoder.terms.eq(other, descriptor)));
            }
        }
        let some = self.encoder.terms.nonzero(descriptor);
        found.push((self.standard_input(), self.encoder.terms.not(some)));
        found
    }

    fn standard_input(&mut self) -> usize {
        let known = self.record.sources.iter().position(|source| source.handle == Handle::Input);
        known.unwrap_or_else(|| self.open(Handle::Input, InputKind::Stdin, "stdin".to_owned()))
    }

    /// A text that is the same in every run.
    fn constant_text(&mut self, state: &State, from: &Pointer) -> Option<String> {
        let mut text = Vec::new();
        for at in 0..MOST_TEXT_BYTES {
            match self.byte(state, from, at).and_then(|byte| self.encoder.terms.as_const(byte))? as u8 {
                0 => return String::from_utf8(text).ok(),
                byte => text.push(byte),
            }
        }
        None
    }

    fn byte(&mut self, state: &State, from: &Pointer, at: u64) -> Option<TermId> {
        let place = self.encoder.moved(from, at);
        match self.read(state, &place, 1)?.value {
            Value::Bits(byte) => Some(byte),
            _ => None,
        }
    }

    /// What stands outside, with the wishes that go with it.
    fn segment(&mut self, state: &State, external: &ExternalText) -> Option<(TextSegment, Vec<TermId>)> {
        if external.how == b'B' {
            let byte = self.encoder.terms.extract(external.n, 0, 8);
            return Some((TextSegment::Bytes, vec![self.encoder.address(1), byte]));
        }
        let from = external.bytes.as_ref()?;
        let number = |radix, signed| Some((radix, signed));
        let number = match external.how {
            b'd' | b'i' => number(10, true),
            b'u' => number(10, false),
            b'x' | b'X' | b'p' => number(16, false),
            b'o' => number(8, false),
            _ => None,
        };
        if number.is_some() || external.how == b'f' {
            let bytes = self.encoder.terms.as_const(external.n).filter(|bytes| *bytes <= 8)? as u32;
            let Value::Bits(value) = self.read(state, from, bytes)?.value else { return None };
            let bits = bytes * 8;
            let segment = match number {
                Some((radix, signed)) => TextSegment::Number { radix, bits, signed },
                None => TextSegment::Float { bits },
            };
            return Some((segment, vec![value]));
        }
        self.bytes_segment(state, external, from)
    }

    fn bytes_segment(
        &mut self,
        state: &State,
        external: &ExternalText,
        from: &Pointer,
    ) -> Option<(TextSegment, Vec<TermId>)> {
        let guard = state.guard(&mut self.encoder.terms);
        let most = match self.encoder.terms.as_const(external.n) {
            Some(n) => Some(n as u64).filter(|n| *n <= MOST_TEXT_BYTES)?,
            None => MOST_TEXT_BYTES
                .min(16 * u64::from(self.plan.depth))
                .min(self.encoder.room(from).unwrap_or(u64::MAX)),
        };
        let limit = self.encoder.address(most);
        let fits = self.encoder.terms.le(external.n, limit, false);
        self.record.wish(&mut self.encoder.terms, guard, fits);
        let mut terms = vec![external.n];
        for at in 0..most {
            let byte = self.byte(state, from, at)?;
            terms.push(byte);
            let index = self.encoder.address(at);
            let next = self.encoder.address(at + 1);
            let inside = self.encoder.terms.lt(index, external.n, false);
            let is_last = self.encoder.terms.eq(next, external.n);
            let proper = proper(&mut self.encoder.terms, external.how, byte, is_last);
            let inside = self.encoder.terms.and(guard, inside);
            self.record.wish(&mut self.encoder.terms, inside, proper);
        }
        let segment = match external.how {
            b'G' => TextSegment::Line,
            b's' => TextSegment::Word,
            _ => TextSegment::Bytes,
        };
        Some((segment, terms))
    }
}

/// What a byte of a segment should be, to be read as it was drawn.
fn proper(terms: &mut Terms, how: u8, byte: TermId, is_last: TermId) -> TermId {
    let newline = terms.constant(8, u128::from(b'\n'));
    let ends_line = terms.eq(byte, newline);
    match how {
        b'l' => terms.eq(ends_line, is_last),
        b'L' => terms.implies(ends_line, is_last),
        b'G' => terms.not(ends_line),
        b's' => {
            let (least, most) = (terms.constant(8, 0x21), terms.constant(8, 0x7e));
            let (above, below) = (terms.le(least, byte, false), terms.le(byte, most, false));
            terms.and(above, below)
        }
        b'e' => terms.nonzero(byte),
        _ => terms.bool(true),
    }
}
