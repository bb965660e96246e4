// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an obligation depends on: by data and by control, through calls, whatever the order of statements.
//!
//! This decides only what is worth stepping over. That it finds too little costs a proof and no more: what is stepped
//! over is forgotten, not taken to be as it was.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::index::Idx;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{
    Argument, BlockId, Body, Call, CallResult, Callee, FuncId, Intrinsic, LocalId, ObligationId,
    StatementKind, Terminator,
};
use rustc_hash::FxHashMap;

use super::effects::{Effects, KnownEffect, pointed, written};
use super::region::decided;
use super::survey::Survey;
use crate::exec::context::slice::Var;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Node {
    Var(Var),
    /// That runs come to a block.
    Block(FuncId, BlockId),
    /// That a function is called.
    Function(FuncId),
}

/// How far dependence is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// By data and by control.
    All,
    /// By data alone, from what is asked and the conditions around it, but not those of loops: how often a run comes by is
    /// then anything.
    Near,
}

/// What depends on what.
pub(crate) struct Relevance<'s, 'p> {
    survey: &'s Survey<'p>,
    numbers: FxHashMap<Node, usize>,
    needs: Vec<Vec<usize>>,
    is_control: Vec<bool>,
    /// What temporaries are computed from.
    sources: BTreeMap<Var, Vec<Var>>,
    places: BTreeMap<(FuncId, ObligationId), BlockId>,
    /// What decides whether runs come to a block, but for loops.
    near: BTreeMap<(FuncId, BlockId), Vec<LocalId>>,
}

/// What one obligation depends on.
pub(crate) struct Relevant(Vec<bool>);

impl<'s, 'p> Relevance<'s, 'p> {
    pub fn of(survey: &'s Survey<'p>) -> Relevance<'s, 'p> {
        let (numbers, needs) = (FxHashMap::default(), Vec::new());
        let (sources, places, near) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let is_control = Vec::new();
        let mut relevance = Relevance { survey, numbers, needs, is_control, sources, places, near };
        let bodies = survey.functions.iter().filter_map(|f| Some((*f, survey.body(*f)?)));
        let bodies: Vec<(FuncId, &Body)> = bodies.collect();
        for (function, body) in &bodies {
            relevance.flow(*function, body);
        }
        for (function, body) in &bodies {
            relevance.control(*function, body);
        }
        relevance
    }

    /// What an obligation depends on. None if it stands nowhere.
    pub fn seen_from(&self, (function, id): (FuncId, ObligationId), reach: Reach) -> Option<Relevant> {
        let body = self.survey.body(function)?;
        let block = *self.places.get(&(function, id))?;
        let var = |local: LocalId| Node::Var(Var::Local(function, local));
        let mut roots: Vec<Node> = match reach {
            Reach::All => vec![Node::Block(function, block)],
            Reach::Near => {
                let around = self.near.get(&(function, block)).into_iter().flatten();
                around.map(|local| var(*local)).collect()
            }
        };
        let condition = &body.obligations[id].condition;
        condition.exprs(|expr| {
            roots.extend(self.survey.locals(function, expr).map(var));
        });
        if let Condition::NulWithin(pointer) = condition {
            roots.push(Node::Var(self.survey.seen(pointed(function, body, *pointer))));
        }
        let mut relevant = vec![false; self.needs.len()];
        let mut waiting: Vec<usize> =
            roots.iter().filter_map(|root| self.numbers.get(root).copied()).collect();
        while let Some(node) = waiting.pop() {
            let is_followed = reach == Reach::All || !self.is_control[node];
            if is_followed && !std::mem::replace(&mut relevant[node], true) {
                waiting.extend(&self.needs[node]);
            }
        }
        Some(Relevant(relevant))
    }

    /// Whether a segment changes something that is relevant, or tells something of it.
    pub fn matters(&self, effects: &Effects, relevant: &Relevant) -> bool {
        let is_relevant = |var: Var| {
            let number = self.numbers.get(&Node::Var(self.survey.seen(var)));
            number.is_some_and(|number| relevant.0[*number])
        };
        effects.writes.iter().any(|var| is_relevant(*var))
            || self.origins(effects.restricts.iter().copied()).into_iter().any(is_relevant)
    }

    /// Registers and what they were computed from, as far as that has no name.
    fn origins(&self, vars: impl Iterator<Item = Var>) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<Var> = vars.collect();
        while let Some(var) = waiting.pop() {
            if found.insert(var) {
                waiting.extend(self.sources.get(&var).into_iter().flatten());
            }
        }
        found
    }

    fn number(&mut self, node: Node) -> usize {
        let next = self.needs.len();
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.needs.push(Vec::new());
            self.is_control.push(!matches!(node, Node::Var(_)));
        }
        number
    }

    fn need(&mut self, what: Node, needed: Node) {
        let (what, needed) = (self.number(what), self.number(needed));
        self.needs[what].push(needed);
    }

    /// A value is computed from others in a block.
    fn computed(&mut self, (function, block): (FuncId, BlockId), to: Var, from: &[Var]) {
        let is_temporary = |of: FuncId, local: LocalId| {
            self.survey.body(of).is_some_and(|body| body.locals[local].name.is_none())
        };
        if matches!(to, Var::Local(of, local) if is_temporary(of, local)) {
            self.sources.entry(to).or_default().extend(from);
        }
        let to = Node::Var(self.survey.seen(to));
        self.need(to, Node::Block(function, block));
        for from in from {
            let from = Node::Var(self.survey.seen(*from));
            self.need(to, from);
        }
    }

    /// All values of a function, by what they are computed from.
    fn flow(&mut self, function: FuncId, body: &Body) {
        let survey = self.survey;
        for (block, code) in body.blocks.iter_enumerated() {
            let at = (function, block);
            for statement in &code.statements {
                let mut from = Vec::new();
                statement.exprs(|expr| from.extend(survey.locals(function, expr)));
                let mut from: Vec<Var> = from.into_iter().map(|local| Var::Local(function, local)).collect();
                match &statement.kind {
                    StatementKind::Check { first, count } => {
                        let ids = first.index()..first.index() + *count as usize;
                        self.places.extend(ids.map(|id| ((function, ObligationId::new(id)), block)));
                    }
                    StatementKind::Assign { local, .. } => {
                        self.computed(at, Var::Local(function, *local), &from);
                    }
                    StatementKind::Load { local, place, .. } => {
                        from.push(written(function, body, place));
                        self.computed(at, Var::Local(function, *local), &from);
                    }
                    StatementKind::Store { place, .. } | StatementKind::Zero { place } => {
                        self.computed(at, written(function, body, place), &from);
                    }
                    StatementKind::Copy { to, from: place, .. } => {
                        from.push(written(function, body, place));
                        self.computed(at, written(function, body, to), &from);
                    }
                    StatementKind::Call(call) => self.call(at, body, call),
                    StatementKind::Intrinsic(call) => {
                        from.extend(call.arguments.iter().map(|pointer| pointed(function, body, *pointer)));
                        let result = call.result.as_ref().map(|result| given(function, body, result));
                        let writes = !matches!(
                            call.op,
                            Intrinsic::NulPosition
                                | Intrinsic::SizeOfObject
                                | Intrinsic::SquareRoot
                                | Intrinsic::FloatRemainder
                                | Intrinsic::MultiplyAdd
                        );
                        let to = call.arguments.first().filter(|_| writes);
                        let to = to.map(|to| pointed(function, body, *to));
                        for to in result.into_iter().chain(to) {
                            self.computed(at, to, &from);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn call(&mut self, at: (FuncId, BlockId), body: &Body, call: &Call) {
        let survey = self.survey;
        let callees: Vec<FuncId> = match call.callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(_) => survey.taken.iter().copied().collect(),
        };
        let of_argument = |argument: &Argument| -> Vec<Var> {
            match argument {
                Argument::Value(expr) => survey.locals(at.0, *expr).map(|l| Var::Local(at.0, l)).collect(),
                Argument::Object(place) => vec![written(at.0, body, place)],
            }
        };
        let result = call.result.as_ref().map(|result| given(at.0, body, result));
        for callee in callees {
            self.need(Node::Function(callee), Node::Block(at.0, at.1));
            let Some(called) = survey.body(callee) else {
                result.into_iter().for_each(|result| self.computed(at, result, &[]));
                continue;
            };
            for (index, argument) in call.arguments.iter().enumerate() {
                let is_named = index < called.parameters as usize;
                let to = if is_named { Var::Local(callee, LocalId::new(index)) } else { Var::Memory };
                self.computed(at, to, &of_argument(argument));
            }
            for (block, code) in called.blocks.iter_enumerated() {
                let Terminator::Return(Some(returned)) = &code.terminator else { continue };
                let Some(result) = result else { continue };
                let from: Vec<Var> = match returned {
                    Argument::Value(expr) => {
                        survey.locals(callee, *expr).map(|local| Var::Local(callee, local)).collect()
                    }
                    Argument::Object(place) => vec![written(callee, called, place)],
                };
                self.computed(at, result, &from);
                self.need(Node::Var(survey.seen(result)), Node::Block(callee, block));
            }
        }
    }

    /// What decides whether runs come to the blocks of a function, or go on from them.
    fn control(&mut self, function: FuncId, body: &Body) {
        let survey = self.survey;
        for block in body.blocks.indices() {
            self.need(Node::Block(function, block), Node::Function(function));
        }
        for (head, blocks) in decided(body) {
            let mut locals = Vec::new();
            body.blocks[head].terminator.exprs(|expr| locals.extend(survey.locals(function, expr)));
            // A branch that decides whether it is come to again is a loop's.
            let is_loop = blocks.contains(&head);
            for block in blocks {
                if !is_loop {
                    self.near.entry((function, block)).or_default().extend(&locals);
                }
                let what = Node::Block(function, block);
                self.need(what, Node::Block(function, head));
                locals.iter().for_each(|l| self.need(what, Node::Var(Var::Local(function, *l))));
            }
        }
        for (block, code) in body.blocks.iter_enumerated() {
            for statement in &code.statements {
                let assumed = match &statement.kind {
                    StatementKind::Assume { condition } => vec![*condition],
                    StatementKind::Call(call) => self.assumed(call),
                    _ => continue,
                };
                let locals = assumed.into_iter().flat_map(|expr| survey.locals(function, expr)).collect();
                self.learned((function, block), locals);
            }
            if survey.has_dead_end(function, &code.terminator) {
                let mut locals = Vec::new();
                code.terminator.exprs(|expr| locals.extend(survey.locals(function, expr)));
                self.learned((function, block), locals);
            }
        }
    }

    fn assumed(&self, call: &Call) -> Vec<clew_ir::syntax::ExprId> {
        let is_assumption = matches!(call.callee, Callee::Direct(f) if KnownEffect::of(self.survey, f) == Some(KnownEffect::Assumes));
        let values = call.arguments.iter().filter(|_| is_assumption).filter_map(|argument| match argument {
            Argument::Value(expr) => Some(*expr),
            Argument::Object(_) => None,
        });
        values.collect()
    }

    /// Runs go on only for some values of these: who depends on one depends on all.
    fn learned(&mut self, (function, block): (FuncId, BlockId), locals: Vec<LocalId>) {
        let vars = self.origins(locals.into_iter().map(|local| Var::Local(function, local)));
        for one in &vars {
            let what = Node::Var(self.survey.seen(*one));
            self.need(what, Node::Block(function, block));
            for other in &vars {
                self.need(what, Node::Var(self.survey.seen(*other)));
            }
        }
    }
}

fn given(function: FuncId, body: &Body, result: &CallResult) -> Var {
    match result {
        CallResult::Local(local) => Var::Local(function, *local),
        CallResult::Place(place) => written(function, body, place),
    }
}
