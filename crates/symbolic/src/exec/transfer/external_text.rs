// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts from outside: standard input, files, variables of the environment, what connections send.
//!
//! The models of the library draw what a program reads, and then say how it stands outside (`__clew_came`): each such
//! piece is a term, and the pieces of one source that a run reads, in their order, are that source's text. A letter
//! says how:
//!
//! - `b` bytes, `B` the one byte `n`, `l` a line with its end, `L` the begin of a line, `G` a line whose end is dropped
//! - `t` what a format asks for; numbers in words as `scanf` reads them: `d` `i` `u` `x` `X` `o` `p` `f`; `s` a word
//! - `e` the value of a variable; `o` a stream or descriptor is a file, `n` a connection
//! - `$` the text ends here, `?` whether it has ended is asked
//!
//! That the pieces fit each other (nothing follows an end, words have no blanks) is only *wished*: the library may do
//! otherwise, so proofs must not rest on it. Witnesses are sought among the runs in which all wishes hold, and the
//! interpreter judges them.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::GlobalId;
use clew_ir::witness::InputKind;

use crate::effort::MOST_TEXT_BYTES;
use crate::exec::context::Exec;
use crate::exec::record::input::{Read, Shape};
use crate::exec::record::text::{Handle, Piece, Source};
use crate::exec::state::State;
use crate::exec::state::value::{Base, Case, ObjectId, Pointer, Value};
use crate::term::{TermId, Terms};

/// What the model says.
pub(crate) struct Came {
    pub how: u8,
    pub from: Option<Rc<Pointer>>,
    pub descriptor: TermId,
    pub bytes: Option<Rc<Pointer>>,
    pub n: TermId,
}

impl Exec<'_> {
    /// Notes what came from outside.
    pub fn came(&mut self, state: &State, came: &Came) {
        match came.how {
            b'o' | b'n' => self.opened(state, came),
            b'e' => {
                let name = came.from.as_ref().and_then(|name| self.constant_text(state, name));
                if let Some((name, piece)) = name.zip(self.piece(state, came)) {
                    let guard = state.guard(&mut self.terms);
                    self.read_piece(guard, InputKind::Environment, name, piece);
                }
            }
            _ => {
                let piece = match came.how {
                    b'$' | b'?' => None,
                    _ => self.piece(state, came),
                };
                for (at, condition) in self.sources_of(came) {
                    let guard = state.guard(&mut self.terms);
                    let guard = self.terms.and(guard, condition);
                    self.at_source(at, guard, came, piece.clone());
                }
            }
        }
    }

    fn at_source(&mut self, at: usize, guard: TermId, came: &Came, piece: Option<(Piece, Vec<TermId>)>) {
        let ended = self.record.sources[at].ended;
        match came.how {
            b'$' => self.record.sources[at].ended = self.terms.or(ended, guard),
            b'?' => {
                let says = self.terms.nonzero(came.n);
                let agrees = self.terms.eq(says, ended);
                self.record.wish(&mut self.terms, guard, agrees);
            }
            _ => {
                let Some(piece) = piece else { return };
                let goes_on = self.terms.not(ended);
                self.record.wish(&mut self.terms, guard, goes_on);
                let Source { kind, ref name, .. } = self.record.sources[at];
                let name = name.clone();
                self.read_piece(guard, kind, name, piece);
            }
        }
    }

    fn read_piece(&mut self, guard: TermId, kind: InputKind, name: String, piece: (Piece, Vec<TermId>)) {
        let (piece, terms) = piece;
        self.record.inputs.push(Read { guard, kind, terms, shape: Shape::Piece(piece), name });
    }

    /// A stream or a descriptor has a source from now on. A file is there, if only to be empty.
    fn opened(&mut self, state: &State, came: &Came) {
        let handle = match came.from.as_ref().map(|from| &*from.cases) {
            Some([Case { base: Base::Object(object), .. }]) => Handle::Stream(*object),
            Some([Case { base: Base::Number, .. }]) => Handle::Descriptor(came.descriptor),
            _ => return,
        };
        if came.how == b'n' {
            self.open(handle, InputKind::Network, "network".to_owned());
            return;
        }
        let path = came.bytes.as_ref().and_then(|path| self.constant_text(state, path));
        let Some(path) = path else { return };
        self.open(handle, InputKind::File, path.clone());
        let (guard, nothing) = (state.guard(&mut self.terms), self.address(0));
        self.read_piece(guard, InputKind::File, path, (Piece::Bytes, vec![nothing]));
    }

    fn open(&mut self, handle: Handle, kind: InputKind, name: String) -> usize {
        let ended = self.terms.bool(false);
        self.record.sources.push(Source { handle, kind, name, ended });
        self.record.sources.len() - 1
    }

    /// The sources that a stream or a descriptor may lead to, each with its condition.
    fn sources_of(&mut self, came: &Came) -> Vec<(usize, TermId)> {
        let cases = came.from.iter().flat_map(|from| &from.cases);
        let mut found = Vec::new();
        for case in cases {
            match case.base {
                Base::Object(object) => {
                    let known = self.record.sources.iter().rposition(|s| s.handle == Handle::Stream(object));
                    let known =
                        known.or_else(|| self.is_standard_input(object).then(|| self.standard_input()));
                    found.extend(known.map(|at| (at, case.guard)));
                }
                Base::Number => {
                    let sources = self.sources_of_descriptor(came.descriptor);
                    let and = |(at, is): (usize, TermId)| (at, self.terms.and(case.guard, is));
                    found.extend(sources.into_iter().map(and));
                }
                Base::Function(_) => {}
            }
        }
        found.retain(|(_, condition)| !self.terms.is_false(*condition));
        found
    }

    fn sources_of_descriptor(&mut self, descriptor: TermId) -> Vec<(usize, TermId)> {
        let handles: Vec<(usize, Handle)> =
            self.record.sources.iter().enumerate().map(|(at, source)| (at, source.handle)).collect();
        let mut found = Vec::new();
        for (at, handle) in handles {
            if let Handle::Descriptor(other) = handle
                && self.terms.sort(other) == self.terms.sort(descriptor)
            {
                found.push((at, self.terms.eq(other, descriptor)));
            }
        }
        let some = self.terms.nonzero(descriptor);
        found.push((self.standard_input(), self.terms.not(some)));
        found
    }

    fn standard_input(&mut self) -> usize {
        let known = self.record.sources.iter().position(|source| source.handle == Handle::Input);
        known.unwrap_or_else(|| self.open(Handle::Input, InputKind::Stdin, "stdin".to_owned()))
    }

    /// Whether an object is the stream of standard input, as the model has it.
    fn is_standard_input(&self, object: ObjectId) -> bool {
        let global = self.objects.globals.iter().position(|global| *global == object);
        global.is_some_and(|at| {
            &*self.facts.program.globals[GlobalId::new(at)].source_name == "__clew_handle_stdin"
        })
    }

    /// A text that is the same in every run.
    fn constant_text(&mut self, state: &State, from: &Pointer) -> Option<String> {
        let mut text = Vec::new();
        for at in 0..MOST_TEXT_BYTES {
            match self.byte(state, from, at).and_then(|byte| self.terms.as_const(byte))? as u8 {
                0 => return String::from_utf8(text).ok(),
                byte => text.push(byte),
            }
        }
        None
    }

    fn byte(&mut self, state: &State, from: &Pointer, at: u64) -> Option<TermId> {
        let place = self.moved(from, at);
        match self.read(state, &place, 1)?.value {
            Value::Bits(byte) => Some(byte),
            _ => None,
        }
    }

    /// What stands outside, with the wishes that go with it.
    fn piece(&mut self, state: &State, came: &Came) -> Option<(Piece, Vec<TermId>)> {
        if came.how == b'B' {
            let byte = self.terms.extract(came.n, 0, 8);
            return Some((Piece::Bytes, vec![self.address(1), byte]));
        }
        let from = came.bytes.as_ref()?;
        let number = |radix, signed| Some((radix, signed));
        let number = match came.how {
            b'd' | b'i' => number(10, true),
            b'u' => number(10, false),
            b'x' | b'X' | b'p' => number(16, false),
            b'o' => number(8, false),
            _ => None,
        };
        if number.is_some() || came.how == b'f' {
            let bytes = self.terms.as_const(came.n).filter(|bytes| *bytes <= 8)? as u32;
            let Value::Bits(value) = self.read(state, from, bytes)?.value else { return None };
            let bits = bytes * 8;
            let piece = match number {
                Some((radix, signed)) => Piece::Number { radix, bits, signed },
                None => Piece::Float { bits },
            };
            return Some((piece, vec![value]));
        }
        self.bytes_piece(state, came, from)
    }

    fn bytes_piece(&mut self, state: &State, came: &Came, from: &Pointer) -> Option<(Piece, Vec<TermId>)> {
        let guard = state.guard(&mut self.terms);
        let most = match self.terms.as_const(came.n) {
            Some(n) => Some(n as u64).filter(|n| *n <= MOST_TEXT_BYTES)?,
            None => {
                MOST_TEXT_BYTES.min(16 * u64::from(self.plan.depth)).min(self.room(from).unwrap_or(u64::MAX))
            }
        };
        let limit = self.address(most);
        let fits = self.terms.le(came.n, limit, false);
        self.record.wish(&mut self.terms, guard, fits);
        let mut terms = vec![came.n];
        for at in 0..most {
            let byte = self.byte(state, from, at)?;
            terms.push(byte);
            let index = self.address(at);
            let next = self.address(at + 1);
            let inside = self.terms.lt(index, came.n, false);
            let is_last = self.terms.eq(next, came.n);
            let proper = proper(&mut self.terms, came.how, byte, is_last);
            let inside = self.terms.and(guard, inside);
            self.record.wish(&mut self.terms, inside, proper);
        }
        let piece = match came.how {
            b'G' => Piece::Line,
            b's' => Piece::Word,
            _ => Piece::Bytes,
        };
        Some((piece, terms))
    }
}

/// What a byte of a piece should be, to be read as it was drawn.
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
