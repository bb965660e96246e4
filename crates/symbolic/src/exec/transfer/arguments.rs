// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `main` is given: its arguments and its environment.
//!
//! All of it is anything: `argc` may be 0, the program may be called by any name, and the environment is a list of any
//! strings. Runs that start as usual are told first (`usual`).

use std::rc::Rc;

use clew_base::index::Idx;
use clew_base::int::IntType;
use clew_ir::environment;
use clew_ir::syntax::Body;
use clew_ir::witness::{InputKind, NO_ARGUMENTS, PROGRAM, VARIABLES};

use crate::effort::{MOST_ARGUMENT_LENGTH, MOST_ARGUMENTS, MOST_VARIABLE_LENGTH, MOST_VARIABLES};
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::objects::{Kind, Meta};
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::State;
use crate::exec::state::contents::{Cell, Fill};
use crate::exec::state::value::{Base, Pointer, Value};
use crate::term::{Sort, TermId};

/// The name of a program that runs as usual.
pub(crate) const USUAL_NAME: &[u8] = b"program";

/// So many arguments are told.
const TOLD_ARGUMENTS: usize = 256;

/// A list of strings.
struct Strings {
    place: Pointer,
    /// One bit for each string that is followed: it is there.
    is_there: Vec<TermId>,
}

impl Encoder<'_> {
    /// A string in its list where it is there, else null.
    fn string(&mut self, state: &mut State, list: &Strings, index: usize, text: Pointer) {
        let word = u64::from(self.facts.program.target.pointer_bytes);
        let distance = self.address(index as u64 * word);
        let place = list.place.moved(&mut self.terms, distance);
        let null = self.null();
        let text = Value::Pointer(Rc::new(text));
        let value = Value::choose(&mut self.terms, list.is_there[index], &text, &null);
        let cell = Cell::written(&mut self.terms, word as u32, value);
        self.write(state, &place, &cell);
    }

    /// Whether a text, by its length and its bytes, is this one.
    fn says(&mut self, text: &[TermId], wanted: &[u8]) -> TermId {
        if text.len() <= wanted.len() {
            return self.terms.bool(false);
        }
        let length = self.address(wanted.len() as u64);
        let mut same = self.terms.eq(text[0], length);
        for (at, byte) in wanted.iter().enumerate() {
            let byte = self.terms.constant(8, u128::from(*byte));
            let equal = self.terms.eq(text[at + 1], byte);
            same = self.terms.and(same, equal);
        }
        same
    }
}

impl Evaluator<'_> {
    /// The parameters of `main`, and what `environ` leads to.
    pub(crate) fn main_inputs(&mut self, state: &mut State, body: &Body) {
        let environment = self.environment(state);
        if body.parameters == 0 {
            return;
        }
        let bits = u32::from(self.encoder.facts.program.target.int_bits);
        let count = self.encoder.terms.fresh("argc", Sort::Bits(bits));
        let zero = self.encoder.terms.constant(bits, 0);
        let proper = self.encoder.terms.le(zero, count, true);
        let _ = self.assume(state, proper);
        let wide = self.encoder.terms.resize(count, self.encoder.facts.address_bits(), false);
        let list = self.strings(state, wide, MOST_ARGUMENTS);
        self.arguments_there(state, &list, count);
        for (index, (local, declared)) in
            body.locals.iter_enumerated().take(body.parameters as usize).enumerate()
        {
            let value = match (index, self.encoder.facts.program.types().int_type(declared.ty)) {
                (0, Some(int)) => Value::Bits(self.encoder.terms.resize(count, u32::from(int.bits), false)),
                (1, _) => Value::Pointer(Rc::new(list.place.clone())),
                (2, _) => environment.clone().map_or(Value::Lost, |place| Value::Pointer(Rc::new(place))),
                _ => Value::Lost,
            };
            self.parameter(state, local, declared, value);
        }
    }

    fn arguments_there(&mut self, state: &mut State, list: &Strings, count: TermId) {
        let some = self.encoder.terms.nonzero(count);
        let none = self.encoder.terms.not(some);
        self.record.usual.push(some);
        let bits = u32::from(self.encoder.facts.program.target.int_bits);
        let shape = Shape::Int(IntType { bits: bits as u16, signed: true });
        let name = NO_ARGUMENTS.to_owned();
        self.record.inputs.push(Read {
            guard: none,
            kind: InputKind::Argument,
            terms: vec![count],
            shape,
            name,
        });
        for (index, is_there) in list.is_there.iter().enumerate() {
            let name = if index == 0 { PROGRAM.to_owned() } else { format!("argv[{index}]") };
            let most = (8 * self.plan.depth).min(MOST_ARGUMENT_LENGTH);
            let (text, terms) = self.any_text(state, most);
            if index == 0 {
                let is_usual = self.encoder.says(&terms, USUAL_NAME);
                let is_usual = self.encoder.terms.implies(*is_there, is_usual);
                self.record.usual.push(is_usual);
            }
            let kind = InputKind::Argument;
            self.record.inputs.push(Read { guard: *is_there, kind, terms, shape: Shape::Text, name });
            self.encoder.string(state, list, index, text);
        }
        // Of more arguments only that they are there is known: empty ones do.
        for index in list.is_there.len()..TOLD_ARGUMENTS {
            let number = self.encoder.terms.constant(bits, index as u128);
            let guard = self.encoder.terms.lt(number, count, true);
            let (kind, name) = (InputKind::Argument, format!("argv[{index}]"));
            self.record.inputs.push(Read { guard, kind, terms: Vec::new(), shape: Shape::Text, name });
        }
    }

    /// The list of the environment, which `environ` leads to as well. None if nobody looks at it, or where the library
    /// gives out parts of it or changes it: the models know nothing of the list.
    fn environment(&mut self, state: &mut State) -> Option<Pointer> {
        let lists: Vec<usize> = self
            .encoder
            .facts
            .program
            .globals
            .iter_enumerated()
            .filter(|(_, global)| environment::is_list(global))
            .map(|(id, _)| id.index())
            .collect();
        let is_clear = environment::is_seen(self.encoder.facts.program)
            && !environment::is_asked(self.encoder.facts.program);
        // Several names would be one variable.
        if !is_clear || lists.len() > 1 {
            return None;
        }
        let count = self.encoder.terms.fresh("variables", Sort::Bits(self.encoder.facts.address_bits()));
        let list = self.strings(state, count, MOST_VARIABLES);
        let zero = self.encoder.address(0);
        let is_empty = self.encoder.terms.eq(count, zero);
        self.record.usual.push(is_empty);
        for (index, is_there) in list.is_there.iter().enumerate() {
            let (text, terms) = self.any_text(state, (8 * self.plan.depth).min(MOST_VARIABLE_LENGTH));
            let (kind, name) = (InputKind::Environment, format!("{VARIABLES}{index}]"));
            self.record.inputs.push(Read { guard: *is_there, kind, terms, shape: Shape::Text, name });
            self.encoder.string(state, &list, index, text);
        }
        for global in lists {
            let zero = self.encoder.address(0);
            let place = Pointer::one(
                &mut self.encoder.terms,
                Base::Object(self.encoder.objects.globals[global]),
                zero,
            );
            let word = u32::from(self.encoder.facts.program.target.pointer_bytes);
            let value = Value::Pointer(Rc::new(list.place.clone()));
            let cell = Cell::written(&mut self.encoder.terms, word, value);
            self.encoder.write(state, &place, &cell);
        }
        Some(list.place)
    }

    /// A list of so many strings with a null pointer behind them, which are still to come. What is behind the first few
    /// is lost. The list has room in memory.
    fn strings(&mut self, state: &mut State, count: TermId, most: u32) -> Strings {
        let far = self.encoder.address(1 << (self.encoder.facts.address_bits().min(40) - 6));
        let proper = self.encoder.terms.lt(count, far, false);
        let _ = self.assume(state, proper);
        let word = self.encoder.address(u64::from(self.encoder.facts.program.target.pointer_bytes));
        let one = self.encoder.address(1);
        let length = self.encoder.terms.add(count, one);
        let size = self.encoder.terms.mul(length, word);
        let meta =
            Meta { kind: Kind::Static, size, align: 16, writable: true, partly_const: None, whole: None };
        let object = self.encoder.allocate(state, meta, Fill::Lost);
        let zero = self.encoder.address(0);
        let place = Pointer::one(&mut self.encoder.terms, Base::Object(object), zero);
        let mut is_there = Vec::new();
        for index in 0..most {
            let before = self.encoder.address(u64::from(index));
            is_there.push(self.encoder.terms.lt(before, count, false));
        }
        Strings { place, is_there }
    }

    /// An object that is just as long as the text in it; with the length of that and its first bytes.
    fn any_text(&mut self, state: &mut State, most: u32) -> (Pointer, Vec<TermId>) {
        let length = self.encoder.terms.fresh("length", Sort::Bits(self.encoder.facts.address_bits()));
        let one = self.encoder.address(1);
        let size = self.encoder.terms.add(length, one);
        let limit = self.encoder.address(u64::from(most));
        let whole = Some(self.encoder.terms.le(length, limit, false));
        let meta = Meta { kind: Kind::Static, size, align: 1, writable: true, partly_const: None, whole };
        let object = self.encoder.allocate(state, meta, Fill::Bytes(Rc::from([])));
        let zero = self.encoder.address(0);
        let text = Pointer::one(&mut self.encoder.terms, Base::Object(object), zero);
        let far = self.encoder.address(1 << 30);
        let mut proper = self.encoder.terms.lt(length, far, false);
        let mut terms = vec![length];
        for at in 0..most {
            let byte = self.encoder.terms.fresh("byte", Sort::Bits(8));
            terms.push(byte);
            let at = self.encoder.address(u64::from(at));
            let inside = self.encoder.terms.lt(at, length, false);
            let nonzero = self.encoder.terms.nonzero(byte);
            let agrees = self.encoder.terms.eq(inside, nonzero);
            proper = self.encoder.terms.and(proper, agrees);
            let place = text.moved(&mut self.encoder.terms, at);
            let cell = Cell::written(&mut self.encoder.terms, 1, Value::Bits(byte));
            self.encoder.write(state, &place, &cell);
        }
        let _ = self.assume(state, proper);
        (text, terms)
    }
}
