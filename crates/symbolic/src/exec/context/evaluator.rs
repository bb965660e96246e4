// SPDX-License-Identifier: MIT OR Apache-2.0
//! What expressions and statements do in a state, and what is noted of it: obligations, inputs, runs that are not followed.
//! Calls and the order of blocks are none of its business.

use clew_ir::location::Location;
use clew_ir::syntax::FuncId;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::plan::Plan;
use crate::exec::record::Record;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::value::ObjectId;
use crate::term::TermId;

/// Executes what is no call, and notes.
pub(crate) struct Evaluator<'p> {
    /// What things are as terms.
    pub encoder: Encoder<'p>,
    /// How it goes about it.
    pub plan: Plan,
    /// Where it is.
    pub position: Position,
    /// What it notes down.
    pub record: Record,
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

impl Evaluator<'_> {
    /// An object is read: runs in which it is larger than what is followed of it end.
    pub fn limit(&mut self, state: &State, object: ObjectId) {
        let Some(whole) = self.encoder.objects.meta(object).whole else { return };
        let guard = state.guard(&mut self.encoder.terms);
        if self.record.limit(object, guard) {
            let larger = self.encoder.terms.not(whole);
            self.cut_if(state, larger, Reason::Depth);
            // Whether any run is left is not of account: reads of it are followed all the same.
            let _ = self.assume(state, whole);
        }
    }

    /// Notes that runs are not followed: those of the state for which the condition holds.
    pub fn cut_if(&mut self, state: &State, condition: TermId, why: Reason) {
        self.record.cut_if(&mut self.encoder.terms, state, condition, why);
    }

    /// Notes that the runs of a state are not followed.
    pub fn cut(&mut self, state: &State, why: Reason) {
        let all = self.encoder.terms.bool(true);
        self.cut_if(state, all, why);
    }

    /// Notes that inputs do not decide what the runs of a state do from here on.
    pub fn loosen(&mut self, state: &State) {
        self.record.loosen(&mut self.encoder.terms, state);
    }

    /// Only runs in which the condition holds go on. `false`: there are none.
    #[must_use]
    pub fn assume(&mut self, state: &State, condition: TermId) -> bool {
        self.record.assume(&mut self.encoder.terms, state, condition)
    }
}
