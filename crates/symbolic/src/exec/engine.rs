// SPDX-License-Identifier: MIT OR Apache-2.0
//! One walk through a program at one depth: what it needs and what it notes down.
//!
//! A walk asks no solver. It writes down *events* in an order that agrees with the order of every single run:
//! checks with the condition of their violation, assumptions, and places where runs were given up. What these say
//! together is the business of `query`.

use std::rc::Rc;

use clew_base::float::{Float, Format};
use clew_base::index::Idx;
use clew_base::int::IntType;
use clew_ir::syntax::{Body, FuncId, ObligationId, Program};
use rustc_hash::FxHashMap;

use super::object::{Contents, Fill};
use super::order::{Item, order};
use super::state::{Object, State};
use super::value::{Base, ObjectId, Pointer, Value};
use super::{Options, Place};
use crate::term::{Sort, TermId, Terms};

/// A walk.
pub(super) struct Exec<'p> {
    pub program: &'p Program,
    pub options: &'p Options<'p>,
    /// All terms.
    pub terms: Terms,
    /// What never changes of each object.
    pub metas: Vec<Meta>,
    /// The object of each global.
    pub globals: Vec<ObjectId>,
    /// The function that each name stands for, aliases resolved.
    pub resolved: Vec<FuncId>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What was read from outside, in order.
    pub inputs: Vec<Read>,
    /// Steps taken.
    pub steps: u64,
    /// How many turns of a loop are followed whose end depends on inputs, and how deep functions call themselves.
    pub depth: u32,
    /// The running calls, outermost first.
    pub calls: Vec<Running>,
    /// Where the walk is in the innermost call.
    pub at: Place,
    orders: FxHashMap<FuncId, Rc<Vec<Item>>>,
    addresses: FxHashMap<Base, TermId>,
    /// Numbers that were made from pointers.
    pub exposed: FxHashMap<TermId, Rc<Pointer>>,
}

/// A running call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub function: FuncId,
    /// Where it was made.
    pub site: Option<Place>,
    /// The condition under which it was made.
    pub guard: TermId,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Static,
    Literal,
    Stack,
    Heap,
}

/// What never changes of an object.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub kind: Kind,
    /// Its size, at the width of an address.
    pub size: TermId,
    pub align: u32,
    pub writable: bool,
}

/// Something of account.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// One bit. Of a check: that it is violated here. Of an assumption: that it does not hold. Of a cut: that a run
    /// comes here.
    pub happens: TermId,
    pub kind: EventKind,
}

/// What kind of event it is.
#[derive(Clone, Debug)]
pub(super) enum EventKind {
    /// A check.
    Check {
        function: FuncId,
        obligation: ObligationId,
        /// The call of the library that it stands in.
        call: Option<Place>,
        /// Whether a violation ends the run.
        stops: bool,
        /// Whether somebody asks.
        is_open: bool,
    },
    /// A run that does not count.
    Assume,
    /// Runs that are not followed, and why.
    Cut(Reason),
}

/// Why runs are not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The depth was reached in a loop or a recursion: a deeper walk sees more.
    Depth,
    /// The budget was used up.
    Budget,
    /// A value or a place that is not followed.
    Value,
    /// A condition that is not understood.
    Condition,
    /// A function without a body.
    Missing,
    /// An operation that is not followed.
    Operation,
    /// Addresses are compared or reckoned with in a way that depends on where objects lie.
    Addresses,
    /// Something that was never written is used.
    Unwritten,
    /// The run is given what the interpreter would give it, and could be given something else.
    Environment,
}

/// Something that was read from outside.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// When it is read.
    pub guard: TermId,
    /// What it is.
    pub value: TermId,
    /// How people read it.
    pub shape: Shape,
    /// The name of the function that reads it.
    pub name: String,
}

/// What a bit pattern stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A number.
    Int(IntType),
    /// A float.
    Float(Format),
}

impl Shape {
    /// The value for a person.
    pub fn show(self, bits: u128) -> String {
        match self {
            Shape::Int(int) => int.display(int.wrap(bits as i128)).to_string(),
            Shape::Float(format) => Float::from_bits(format, bits).to_f64().to_string(),
        }
    }
}

impl<'p> Exec<'p> {
    /// A walk that has not begun.
    pub fn new(program: &'p Program, options: &'p Options<'p>, depth: u32) -> Exec<'p> {
        let entry = Place { function: FuncId::new(0), block: clew_ir::syntax::BlockId::new(0), statement: 0 };
        Exec {
            program,
            options,
            terms: Terms::new(),
            metas: Vec::new(),
            globals: Vec::new(),
            resolved: Vec::new(),
            events: Vec::new(),
            inputs: Vec::new(),
            steps: 0,
            depth,
            calls: Vec::new(),
            at: entry,
            orders: FxHashMap::default(),
            addresses: FxHashMap::default(),
            exposed: FxHashMap::default(),
        }
    }

    /// The body of a function.
    pub fn body(&self, function: FuncId) -> Option<&'p Body> {
        self.program.functions[function].body.as_ref()
    }

    /// The order of a function's blocks.
    pub fn order(&mut self, function: FuncId, body: &Body) -> Rc<Vec<Item>> {
        self.orders.entry(function).or_insert_with(|| Rc::new(order(body))).clone()
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> u32 {
        u32::from(self.program.target.pointer_bytes) * 8
    }

    /// A constant of the width of an address.
    pub fn address(&mut self, value: u64) -> TermId {
        self.terms.constant(self.address_bits(), u128::from(value))
    }

    /// The null pointer.
    pub fn null(&mut self) -> Value {
        let zero = self.address(0);
        Value::pointer(&mut self.terms, Base::Number, zero)
    }

    /// A number for where something lies, which nobody knows.
    pub fn address_of(&mut self, base: Base) -> TermId {
        if base == Base::Number {
            return self.address(0);
        }
        if let Some(known) = self.addresses.get(&base) {
            return *known;
        }
        let align = match base {
            Base::Object(object) => self.metas[object.0 as usize].align.max(1),
            _ => 16,
        };
        let bits = self.address_bits();
        let low = align.trailing_zeros().min(bits - 1);
        let high = self.terms.fresh("address", Sort::Bits(bits - low));
        let zeros = (low > 0).then(|| self.terms.constant(low, 0));
        let address = zeros.map_or(high, |zeros| self.terms.concat(high, zeros));
        self.addresses.insert(base, address);
        address
    }

    /// A new object.
    pub fn allocate(&mut self, state: &mut State, meta: Meta, fill: Fill) -> ObjectId {
        let object = ObjectId(self.metas.len() as u32);
        self.metas.push(meta);
        let alive = self.terms.bool(true);
        state.memory.insert(object, Object { alive, contents: Rc::new(Contents::new(fill)) });
        object
    }

    /// Notes that runs are not followed: those of the state for which the condition holds.
    pub fn cut_if(&mut self, state: &State, condition: TermId, why: Reason) {
        let guard = state.guard(&mut self.terms);
        let happens = self.terms.and(guard, condition);
        if !self.terms.is_false(happens) {
            self.events.push(Event { happens, kind: EventKind::Cut(why) });
        }
    }

    /// Notes that the runs of a state are not followed.
    pub fn cut(&mut self, state: &State, why: Reason) {
        let all = self.terms.bool(true);
        self.cut_if(state, all, why);
    }

    /// Only runs in which the condition holds go on. `false`: there are none.
    #[must_use]
    pub fn assume(&mut self, state: &State, condition: TermId) -> bool {
        let guard = state.guard(&mut self.terms);
        let not = self.terms.not(condition);
        let happens = self.terms.and(guard, not);
        if !self.terms.is_false(happens) {
            self.events.push(Event { happens, kind: EventKind::Assume });
        }
        !self.terms.is_false(condition)
    }

    /// Whether the walk may go on.
    pub fn has_budget(&self) -> bool {
        self.steps < self.options.most_steps && self.terms.len() < self.options.most_terms
    }
}
