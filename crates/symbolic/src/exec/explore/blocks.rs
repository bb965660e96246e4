// SPDX-License-Identifier: MIT OR Apache-2.0
//! The execution through one function: blocks in order, states joined where they meet, loops iteration by iteration.

use std::collections::BTreeMap;

use clew_base::index::Idx;
use clew_ir::analysis::order::Component;
use clew_ir::location::Location;
use clew_ir::syntax::{Argument, BlockId, Body, ExprId, Terminator};

use crate::effort::INPUT_FREE_ITERATIONS;
use crate::exec::context::Exec;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::explore::induction::Loop;
use crate::exec::record::event::Reason;
use crate::exec::state::path::Path;
use crate::exec::state::value::Value;
use crate::exec::state::{Local, State};
use crate::exec::transfer::expression::Evaluated;
use crate::term::TermId;

/// States that wait for their block.
#[derive(Default)]
pub(crate) struct Pending {
    pub blocks: BTreeMap<BlockId, Vec<State>>,
    returned: Vec<State>,
}

impl Evaluator<'_> {
    /// The running call returns: its value is kept, its objects die.
    fn leave(&mut self, mut state: State, value: Option<&Argument>, pending: &mut Pending) {
        match value {
            None => {}
            Some(Argument::Value(expr)) => {
                let value = self.eval(&state, *expr);
                let written = self.encoder.terms.bool(true);
                state.frame.result = Some(Local { value, written });
            }
            Some(Argument::Object(place)) => {
                let from = self.place(&state, &mut Evaluated::default(), place);
                let bytes = self.encoder.facts.program.size_of(place.ty);
                let bytes = self.encoder.address(bytes);
                if let (Value::Pointer(from), Some(to)) = (from, state.frame.result_place.clone())
                    && !self.copy(&mut state, &to, &from, bytes)
                {
                    return self.cut(&state, Reason::Value);
                }
            }
        }
        for object in std::mem::take(&mut state.frame.owned) {
            self.encoder.kill(&mut state, object);
        }
        pending.returned.push(state);
    }
}

impl Exec<'_> {
    /// Runs a function from its entry. The state in which it returns, if it does.
    pub fn run(&mut self, entry: State, body: &Body) -> Option<State> {
        let order = self.eval.encoder.facts.order(entry.frame.function, body);
        let mut pending = Pending::default();
        pending.blocks.insert(BlockId::new(0), vec![entry]);
        self.items(&order, body, &mut pending);
        for state in pending.blocks.into_values().flatten() {
            self.eval.cut(&state, Reason::Budget);
        }
        self.joined(pending.returned)
    }

    /// One state of several that exclude each other. Those that parted last are joined first, so that the branches
    /// between them are forgotten one after the other.
    pub fn joined(&mut self, mut states: Vec<State>) -> Option<State> {
        while states.len() > 1 {
            let pairs = 0..states.len() - 1;
            let nearest = pairs.max_by_key(|i| Path::shared(&states[*i].path, &states[i + 1].path))?;
            let other = states.remove(nearest + 1);
            let one = states.remove(nearest);
            self.budget.steps += 1;
            let (parted, before) = (Path::parted(&one.path, &other.path), self.eval.encoder.terms.len());
            let choices = State::choices(&one, &other);
            let merged = State::merge(&mut self.eval.encoder.terms, one, &other);
            self.merge_costs.met(parted, self.eval.encoder.terms.len() - before, choices);
            states.insert(nearest, merged);
        }
        states.pop()
    }

    pub fn items(&mut self, items: &[Component], body: &Body, pending: &mut Pending) {
        for item in items {
            match item {
                Component::Block(block) => self.block(*block, body, pending),
                Component::Loop(head, rest) => match self.eval.plan.induction {
                    Some(k) => self.induct(Loop { head: *head, rest, body }, k, pending),
                    None => self.iterations(*head, rest, body, pending),
                },
            }
        }
    }

    /// A loop, until no run makes another iteration or the depth is reached.
    fn iterations(&mut self, head: BlockId, rest: &[Component], body: &Body, pending: &mut Pending) {
        let mut deep = 0;
        let mut plain = 0;
        let mut before: Option<TermId> = None;
        let mut inputs = self.eval.record.inputs.len();
        loop {
            let arrived = pending.blocks.remove(&head).and_then(|states| self.joined(states));
            if let Some(state) = arrived {
                let guard = state.guard(&mut self.eval.encoder.terms);
                // An iteration that every run makes, and that reads nothing, is only computation.
                match before {
                    Some(before) if before == guard && inputs == self.eval.record.inputs.len() => plain += 1,
                    Some(_) => deep += 1,
                    None => {}
                }
                if deep > self.eval.plan.depth
                    || plain > self.eval.plan.depth.saturating_mul(INPUT_FREE_ITERATIONS)
                {
                    self.eval.cut(&state, Reason::Depth);
                    return;
                }
                before = Some(guard);
                inputs = self.eval.record.inputs.len();
                pending.blocks.insert(head, vec![state]);
            } else if before.is_some() || !has_pending(rest, pending) {
                return;
            } else {
                // A loop that is entered beside its head.
                before = None;
            }
            self.block(head, body, pending);
            self.items(rest, body, pending);
            if !pending.blocks.contains_key(&head) {
                return;
            }
        }
    }

    pub fn block(&mut self, id: BlockId, body: &Body, pending: &mut Pending) {
        let Some(mut state) = pending.blocks.remove(&id).and_then(|states| self.joined(states)) else {
            return;
        };
        if self.eval.step_over_region(&mut state, body, (id, true), pending) {
            return;
        }
        let block = &body.blocks[id];
        for (index, statement) in block.statements.iter().enumerate() {
            if !self.has_budget() {
                self.eval.cut(&state, Reason::Budget);
                return;
            }
            self.budget.steps += 1;
            self.eval.position.at =
                Location { function: state.frame.function, block: id, statement: index as u32 };
            if self.eval.is_over(self.eval.position.at) {
                return;
            }
            if !self.statement(&mut state, body, statement) {
                return;
            }
        }
        self.budget.steps += 1;
        self.eval.position.at =
            Location { function: state.frame.function, block: id, statement: block.statements.len() as u32 };
        let is_over = self.eval.is_over(self.eval.position.at);
        if !is_over && !self.eval.step_over_region(&mut state, body, (id, false), pending) {
            self.terminator(state, &block.terminator, pending);
        }
    }

    fn terminator(&mut self, mut state: State, terminator: &Terminator, pending: &mut Pending) {
        match terminator {
            Terminator::Goto(to) => pending.add(*to, state),
            Terminator::Branch { condition, then, otherwise } if then != otherwise => {
                let value = self.eval.eval(&state, *condition);
                let Some(truth) = self.eval.truth(&state, value) else {
                    return self.eval.cut(&state, Reason::Value);
                };
                let not = self.eval.encoder.terms.not(truth);
                self.merge_costs.branch([truth, not], self.eval.position.at);
                let side = self.eval.forked(&state, truth);
                let mut other = state.clone();
                if side != Some(false) && state.path.take(&mut self.eval.encoder.terms, truth) {
                    pending.add(*then, state);
                }
                if side != Some(true) && other.path.take(&mut self.eval.encoder.terms, not) {
                    pending.add(*otherwise, other);
                }
            }
            Terminator::Branch { then, .. } => pending.add(*then, state),
            Terminator::Switch { value, cases, default } => {
                self.switch(state, *value, cases, *default, pending)
            }
            Terminator::Return(value) => self.eval.leave(state, value.as_ref(), pending),
            Terminator::Unreachable => {}
            Terminator::ComputedGoto { .. } => self.eval.cut(&state, Reason::Operation),
        }
    }

    fn switch(
        &mut self,
        mut state: State,
        value: ExprId,
        cases: &[(i128, i128, BlockId)],
        default: BlockId,
        pending: &mut Pending,
    ) {
        let ty = self.eval.encoder.body(state.frame.function).map(|body| body.exprs[value].ty);
        let int = ty.and_then(|ty| self.eval.encoder.facts.program.types().int_type(ty));
        let (Value::Bits(bits), Some(int)) = (self.eval.eval(&state, value), int) else {
            return self.eval.cut(&state, Reason::Value);
        };
        for (low, high, to) in cases {
            let (least, most) =
                (self.eval.encoder.terms.int(int, *low), self.eval.encoder.terms.int(int, *high));
            let inside = if low == high {
                self.eval.encoder.terms.eq(bits, least)
            } else {
                let (x, y) = (
                    self.eval.encoder.terms.le(least, bits, int.signed),
                    self.eval.encoder.terms.le(bits, most, int.signed),
                );
                self.eval.encoder.terms.and(x, y)
            };
            if self.eval.encoder.terms.is_false(inside) {
                continue;
            }
            let not = self.eval.encoder.terms.not(inside);
            self.merge_costs.branch([inside, not], self.eval.position.at);
            let side = self.eval.forked(&state, inside);
            let mut here = state.clone();
            if side != Some(false) && here.path.take(&mut self.eval.encoder.terms, inside) {
                pending.add(*to, here);
            }
            if side == Some(true) || !state.path.take(&mut self.eval.encoder.terms, not) {
                return;
            }
        }
        pending.add(default, state);
    }
}

impl Pending {
    /// Those of another place wait here too.
    pub fn take(&mut self, other: Pending) {
        for (block, states) in other.blocks {
            self.blocks.entry(block).or_default().extend(states);
        }
        self.returned.extend(other.returned);
    }

    pub fn add(&mut self, block: BlockId, state: State) {
        self.blocks.entry(block).or_default().push(state);
    }
}

/// Whether states wait for one of these blocks.
pub(crate) fn has_pending(items: &[Component], pending: &Pending) -> bool {
    items.iter().any(|item| match item {
        Component::Block(block) => pending.blocks.contains_key(block),
        Component::Loop(head, rest) => pending.blocks.contains_key(head) || has_pending(rest, pending),
    })
}
