// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trace partitioning (paper 004, 7.1.4): runs that came by different paths are kept apart for a while.
//!
//! A loop that looks something up leaves with an index: `while (i < n && x >= xs[i + 1]) i++`. What follows uses `xs[i]` and
//! `slope[i]` together, and which goes with which is lost if all runs are joined behind the loop. So the iterations of a short
//! loop that reads arrays by an index it counts are taken one by one, though each may leave it, and the runs that left
//! in different iterations are joined no sooner than nothing reads the index any more.
//!
//! The same holds of an index with few values by which several constant tables are read in one block.
//!
//! And the paths out of a loop are kept apart as long as something that the loop tests is read: behind
//! `while (x < 100 && z > 100)` one of two things holds, and behind a loop that may make no iteration either nothing was done or
//! something was.
//!
//! A program may ask for the same: `__clew_partition(e)` keeps the runs apart by the value of `e`, if there are few of them,
//! and `__clew_merge()` joins all that are kept apart, also by loops. Either may have a body or none.
//!
//! States carry marks for it (`State::tokens`), which say nothing: they only decide what is joined. Blocks keep a
//! bounded number of states, so that marks cost a bounded factor.
//!
//! Measured: 3 programs of the dev lists are lost without it, and 114 of 2,978 proofs in 10,000 lines of `bench synchronous`.

use clew_ir::syntax::{
    Argument, BlockId, Call, Callee, ExprId, ExprKind, LocalId, Place, PlaceBase, StatementKind,
};

use crate::domain::int::Int;
use crate::domain::value::Kind;
use crate::effort::partition::{MOST_CALLED, MOST_INDICES, MOST_PATHS, MOST_STATES, MOST_VALUES};
use crate::engine::analyser::Analyser;
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::map::Change;
use crate::program::flow::Flow;
use crate::program::object::Site;
use crate::state::State;
use crate::state::partition::Partition;

/// Keeps the paths out of a loop apart: each if there are few, else those in its first iterations from the others.
pub(crate) fn mark_paths(frame: &Frame<'_>, head: BlockId, left: &mut [(BlockId, State)], first: usize) {
    let Some(tested) = frame.flow.tested.get(&head) else { return };
    let all = left.len();
    if all < 2 {
        return;
    }
    for (way, (to, state)) in left.iter_mut().enumerate() {
        if tested.iter().any(|local| frame.flow.live[*to].contains(*local)) {
            let way = match all <= MOST_PATHS {
                true => way,
                false => (way + 1).saturating_sub(first).min(MOST_PATHS - 1),
            };
            state.tokens.insert(Partition::LoopExit(head), way as u8);
        }
    }
}

/// Whether states are apart by more than paths out of loops.
pub(crate) fn is_by_value(state: &State) -> bool {
    state.tokens.iter().any(|(mark, _)| !is_path(mark))
}

fn is_path(mark: Partition) -> bool {
    matches!(mark, Partition::LoopExit(_))
}

/// The register that tells this iteration of a loop from the others.
pub(crate) fn index_of(frame: &Frame<'_>, head: BlockId, state: &State) -> Option<LocalId> {
    let index = *frame.flow.searches.get(&head)?;
    let value = state.registers().get(index)?;
    (!value.uninit && value.kind.as_constant().is_some()).then_some(index)
}

/// A state leaves a loop in this iteration: it is kept apart as long as the index is read.
pub(crate) fn mark(frame: &Frame<'_>, state: &mut State, to: BlockId, index: LocalId, iteration: u32) {
    if frame.flow.live[to].contains(index) {
        state.tokens.insert(Partition::Register(index), iteration as u8);
    }
}

/// Ends marks of loops whose index, or whose tested registers, nothing reads any more.
pub(crate) fn unmark(state: &mut State, flow: &Flow, to: BlockId) {
    let live = &flow.live[to];
    let tested = |head: BlockId| flow.tested.get(&head).into_iter().flatten();
    let ends = |mark: Partition| match mark {
        Partition::Register(index) => !live.contains(index),
        Partition::LoopExit(head) => !tested(head).any(|local| live.contains(*local)),
        Partition::Statement(..) | Partition::Iteration(_) | Partition::Input => false,
    };
    if state.tokens.iter().any(|(mark, _)| ends(mark)) {
        state.tokens =
            state.tokens.filter_map(&mut |mark, _| if ends(mark) { Change::Drop } else { Change::Keep });
    }
}

impl<'p> Facts<'p> {
    /// Joins the paths out of loops before calls that are worth more than what is told apart by them, and before writes to
    /// memory: what is written in an iteration whose number is known is at a place that is known, and no longer the
    /// last byte of an object whose size only the program knows.
    pub(crate) fn end_paths(&self, frame: &Frame<'p>, to: BlockId, state: &mut State) {
        let is_small = |call: &Call| match call.callee {
            Callee::Direct(callee) => self.function(callee).body.as_ref().is_none_or(|body| {
                body.blocks.iter().map(|block| block.statements.len()).sum::<usize>() <= MOST_CALLED
            }),
            Callee::Indirect(_) => false,
        };
        let ends = |kind: &StatementKind| match kind {
            StatementKind::Call(call) => !is_small(call),
            StatementKind::Store { .. } => true,
            _ => false,
        };
        if state.tokens.iter().any(|(mark, _)| is_path(mark))
            && frame.body.blocks[to].statements.iter().any(|statement| ends(&statement.kind))
        {
            let end = |mark: Partition| if is_path(mark) { Change::Drop } else { Change::Keep };
            state.tokens = state.tokens.filter_map(&mut |mark, _| end(mark));
        }
    }
}

impl<'p> Analyser<'p> {
    /// A call that asks to keep runs apart, or to join them; other calls leave the states as they are.
    pub(crate) fn directed(
        &mut self,
        frame: &Frame<'p>,
        states: Vec<State>,
        site: Site,
        call: &Call,
    ) -> Vec<State> {
        let Callee::Direct(callee) = call.callee else { return states };
        match &*self.transfer.eval.facts.function(callee).source_name {
            "__clew_partition" => match call.arguments.first() {
                Some(Argument::Value(expr)) => {
                    let mark = Partition::at(site);
                    let apart = |state| self.by_value(frame, state, mark, *expr, MOST_VALUES);
                    states.into_iter().flat_map(apart).collect()
                }
                _ => states,
            },
            "__clew_merge" => {
                let joined = states.into_iter().reduce(|a, b| a.join(&b));
                joined.into_iter().map(|state| State { tokens: Default::default(), ..state }).collect()
            }
            _ => states,
        }
    }

    /// States before a load: apart by its index, if other tables are read by that too.
    pub(crate) fn by_index(
        &mut self,
        frame: &Frame<'p>,
        states: Vec<State>,
        site: Site,
        place: &Place,
    ) -> Vec<State> {
        let node = frame.flow.parallel.get(&(site.block, site.statement));
        let Some(node) = node.filter(|_| self.transfer.eval.uses(Domain::Partitions)) else { return states };
        let constant = matches!(place.base, PlaceBase::Global(g) if self.transfer.eval.facts.program.globals[g].is_const);
        let ExprKind::Local(index) = frame.body.exprs[*node].kind else { return states };
        if !constant || states.len() > MOST_STATES {
            return states;
        }
        let mark = Partition::Register(index);
        let apart = |state: &State| self.by_value(frame, state.clone(), mark, *node, MOST_INDICES);
        let split: Vec<State> = states.iter().flat_map(apart).collect();
        if split.len() <= MOST_STATES { split } else { states }
    }

    /// The state for each value of an expression, if there are few.
    fn by_value(
        &mut self,
        frame: &Frame<'p>,
        state: State,
        mark: Partition,
        expr: ExprId,
        most: i128,
    ) -> Vec<State> {
        let n = self.transfer.eval.number(frame, &state, expr, 2);
        let few = n.hi().checked_sub(n.lo()).is_some_and(|values| values < most);
        if !few || n.as_constant().is_some() {
            return vec![state];
        }
        let mut states = Vec::new();
        for value in (n.lo()..=n.hi()).filter(|value| n.contains(*value)) {
            let mut own = state.clone();
            let only = Kind::Number(Int::constant(value));
            if self.transfer.push(frame, &mut own, expr, &only, 6) {
                own.tokens.insert(mark, (value - n.lo()) as u8);
                states.push(own);
            } else {
                self.transfer.eval.prune(&own.given);
            }
        }
        states
    }
}
