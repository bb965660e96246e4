// SPDX-License-Identifier: MIT OR Apache-2.0
//! One symbolic execution of a program at one depth, in its parts: what it knows before it begins, what it builds, where it
//! is, what it notes down, what it may cost.

pub(crate) mod budget;
pub(crate) mod facts;
pub(crate) mod objects;
pub(crate) mod plan;
pub(crate) mod slice;
pub(crate) mod summaries;

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::location::Location;
use clew_ir::syntax::{BlockId, Body, FuncId, Program};

use crate::exec::record::Record;
use crate::exec::record::event::Reason;
use crate::exec::request::Options;
use crate::exec::state::contents::{Contents, Fill};
use crate::exec::state::value::{Base, ObjectId, Value};
use crate::exec::state::{Object, State};
use crate::term::{Sort, TermId, Terms};
use budget::Budget;
use facts::ProgramFacts;
use objects::{Meta, Objects};
use plan::{MergeCosts, Plan};
use summaries::Summaries;

/// An execution.
pub(crate) struct Exec<'p> {
    /// The program.
    pub facts: ProgramFacts<'p>,
    /// How it goes about it.
    pub plan: Plan,
    /// All terms.
    pub terms: Terms,
    /// All objects.
    pub objects: Objects,
    /// What calls did that came twice.
    pub summaries: Summaries,
    /// Where it is.
    pub position: Position,
    /// What it notes down.
    pub record: Record,
    /// What merging costs.
    pub merge_costs: MergeCosts,
    /// What it may cost in all.
    pub budget: Budget,
}

/// Where an execution is.
pub(crate) struct Position {
    /// The running calls, outermost first.
    pub calls: Vec<Running>,
    /// The place in the innermost one.
    pub at: Location,
    /// Above 0 in iterations that an induction takes to have violated nothing.
    pub trusting: u32,
}

/// A running call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    pub function: FuncId,
    /// Where it was made.
    pub site: Option<Location>,
    /// The condition under which it was made.
    pub guard: TermId,
}

impl<'p> Exec<'p> {
    /// An execution that has not begun.
    pub fn new(program: &'p Program, options: &'p Options<'p>, plan: Plan) -> Exec<'p> {
        let entry = Location { function: FuncId::new(0), block: BlockId::new(0), statement: 0 };
        Exec {
            facts: ProgramFacts::new(program, options),
            plan,
            terms: Terms::new(),
            objects: Objects::new(),
            summaries: Summaries::default(),
            position: Position { calls: Vec::new(), at: entry, trusting: 0 },
            record: Record::default(),
            merge_costs: MergeCosts::default(),
            budget: Budget::new(options),
        }
    }

    /// The body of a function.
    pub fn body(&self, function: FuncId) -> Option<&'p Body> {
        self.facts.body(function)
    }

    /// A constant of the width of an address.
    pub fn address(&mut self, value: u64) -> TermId {
        self.terms.constant(self.facts.address_bits(), u128::from(value))
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
        if let Some(known) = self.objects.addresses.get(&base) {
            return *known;
        }
        let align = match base {
            Base::Object(object) => self.objects.meta(object).align.max(1),
            _ => 16,
        };
        let bits = self.facts.address_bits();
        let low = align.trailing_zeros().min(bits - 1);
        let high = self.terms.fresh("address", Sort::Bits(bits - low));
        let zeros = (low > 0).then(|| self.terms.constant(low, 0));
        let address = zeros.map_or(high, |zeros| self.terms.concat(high, zeros));
        self.objects.addresses.insert(base, address);
        address
    }

    /// A new object.
    pub fn allocate(&mut self, state: &mut State, meta: Meta, fill: Fill) -> ObjectId {
        let object = ObjectId(self.objects.metas.len() as u32);
        self.objects.metas.push(meta);
        let alive = self.terms.bool(true);
        state.memory.insert(object, Object { alive, contents: Rc::new(Contents::new(fill)) });
        object
    }

    /// An object is read: runs in which it is larger than what is followed of it end.
    pub fn limit(&mut self, state: &State, object: ObjectId) {
        let Some(whole) = self.objects.meta(object).whole else { return };
        let guard = state.guard(&mut self.terms);
        if self.record.limit(object, guard) {
            let larger = self.terms.not(whole);
            self.cut_if(state, larger, Reason::Depth);
            // Whether any run is left is not of account: reads of it are followed all the same.
            let _ = self.assume(state, whole);
        }
    }

    /// Notes that runs are not followed: those of the state for which the condition holds.
    pub fn cut_if(&mut self, state: &State, condition: TermId, why: Reason) {
        self.record.cut_if(&mut self.terms, state, condition, why);
    }

    /// Notes that the runs of a state are not followed.
    pub fn cut(&mut self, state: &State, why: Reason) {
        let all = self.terms.bool(true);
        self.cut_if(state, all, why);
    }

    /// Notes that inputs do not decide what the runs of a state do from here on.
    pub fn loosen(&mut self, state: &State) {
        self.record.loosen(&mut self.terms, state);
    }

    /// Only runs in which the condition holds go on. `false`: there are none.
    #[must_use]
    pub fn assume(&mut self, state: &State, condition: TermId) -> bool {
        self.record.assume(&mut self.terms, state, condition)
    }

    /// Whether it may go on.
    pub fn has_budget(&self) -> bool {
        self.budget.is_left(self.terms.len())
    }
}
