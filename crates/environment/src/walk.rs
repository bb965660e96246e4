// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hoisting (paper 001, section 5.2), by substitution: a walk over a function that says of each value what it is in terms of
//! what callers passed. What an obligation asks of a value is then what it asks of them.
//!
//! Where ways meet and disagree, a value is not known any more: the paper's join. A write through a pointer makes
//! unknown what it may have been written to: the paper's projection. Registers that change by the same step in each turn of a loop
//! are sums with the number of turns; the first and the last turn say what the loop asks.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::analysis::graph::control_flow;
use clew_ir::analysis::order::{Component, weak_topological_order};
use clew_ir::analysis::registers;
use clew_ir::syntax::{
    Argument, BlockId, CallResult, Callee, FuncId, HavocTarget, Intrinsic, LocalId, Program, StatementKind,
    Storage, Terminator,
};

use crate::clauses::{Asking, Counted};
use crate::contract::{Contract, Test};
use crate::control::Control;
use crate::effects::Effects;
use crate::eval::{Decided, Scope, of_source};
use crate::linear::Linear;
use crate::source::{Place, Source};
use crate::state::{Base, Exact, State, Value};

/// What is known of the functions that a function calls.
pub struct Known<'k> {
    /// What calls do.
    pub effects: &'k [Effects],
    /// What functions ask, by number.
    pub contracts: &'k [Contract],
    /// Whether a function stands for one of the library: what it asks belongs to the call.
    pub is_model: &'k dyn Fn(FuncId) -> bool,
}

/// What a walk over a function says.
#[derive(Default)]
pub struct Walked {
    /// What it asks of its callers.
    pub contract: Contract,
    /// Whether each of its loops surely ends.
    pub loops_end: bool,
    /// Obligations that fail whenever the function's own branches lead there, whatever callers pass.
    pub always: Vec<crate::contract::Origin>,
}

/// Loops inside loops inside loops: deeper ones are not followed.
const DEEPEST: u32 = 3;

/// Functions with more blocks than this are not walked over.
const MOST_BLOCKS: usize = 4000;

pub(crate) struct Walk<'p> {
    pub(crate) scope: Scope<'p>,
    pub(crate) known: &'p Known<'p>,
    pub(crate) control: Control,
    edges: BTreeMap<(BlockId, BlockId), State>,
    /// What decides a branch, by where it leads; none: not known.
    pub(crate) decided: BTreeMap<(BlockId, BlockId), Option<Decided>>,
    /// The loops around the place where the walk is, outermost first.
    pub(crate) around: Vec<Counted>,
    pub(crate) walked: Walked,
    asks: bool,
}

/// Walks over a function.
pub fn walk(program: &Program, function: FuncId, known: &Known<'_>) -> Walked {
    let Some(body) = &program.functions[function].body else { return Walked::default() };
    if body.blocks.len() > MOST_BLOCKS {
        return Walked::default();
    }
    let mut walk = Walk {
        scope: Scope { program, body },
        known,
        control: Control::new(body, &control_flow(body)),
        edges: BTreeMap::new(),
        decided: BTreeMap::new(),
        around: Vec::new(),
        walked: Walked { loops_end: true, ..Walked::default() },
        asks: true,
    };
    let mut state = State::default();
    for (id, local) in body.locals.iter_enumerated().take(body.parameters as usize) {
        let Some(source) = Source::new(program, Place::Parameter(id.0), local.ty) else { continue };
        match local.storage {
            Storage::Register => drop(state.registers.insert(id, of_source(source))),
            Storage::Memory { .. } => {
                let bytes = program.size_of(local.ty);
                state.cells.insert((Base::Local(id), 0, bytes), of_source(source));
            }
        }
    }
    walk.components(&weak_topological_order(body), Some(state));
    walk.walked
}

impl<'p> Walk<'p> {
    fn components(&mut self, components: &[Component], start: Option<State>) {
        let mut start = start;
        for component in components {
            match component {
                Component::Block(block) => {
                    if let Some(state) = start.take().or_else(|| self.incoming(*block, None)) {
                        self.block(*block, state);
                    }
                }
                Component::Loop(head, rest) => {
                    if let Some(state) = start.take().or_else(|| self.incoming(*head, None)) {
                        self.turns(*head, rest, state);
                    }
                }
            }
        }
    }

    /// What holds where the ways to a block meet; without those from some blocks.
    fn incoming(&self, block: BlockId, without: Option<&BTreeSet<BlockId>>) -> Option<State> {
        let leads = self
            .edges
            .iter()
            .filter(|((from, to), _)| *to == block && !without.is_some_and(|without| without.contains(from)));
        leads.map(|(_, state)| state.clone()).reduce(|all, one| all.join(&one))
    }

    /// Follows a loop: first to see what changes, then to ask.
    fn turns(&mut self, head: BlockId, rest: &[Component], entry: State) {
        let blocks = blocks_of(head, rest);
        let body = self.scope.body;
        let assigned: BTreeSet<LocalId> = blocks
            .iter()
            .flat_map(|block| &body.blocks[*block].statements)
            .flat_map(|statement| registers::written(statement).collect::<Vec<_>>())
            .collect();
        let asks = std::mem::replace(&mut self.asks, false);
        let mut memory = entry.clone();
        let mut steps = BTreeMap::new();
        let mut is_stable = false;
        if self.around.len() < DEEPEST as usize {
            for _ in 0..4 {
                let begins = self.with_placeholders(&memory, head, &assigned);
                self.around.push(Counted::new(head));
                self.once(head, rest, &blocks, begins.clone());
                self.around.pop();
                let Some(back) = self.back(head, &blocks) else {
                    is_stable = true;
                    break;
                };
                steps = self.steps(&back, head, &assigned);
                let joined = State { registers: BTreeMap::new(), ..memory.clone() }.join(&State {
                    registers: BTreeMap::new(),
                    is_uncertain: memory.is_uncertain,
                    ..back
                });
                let before = State { registers: BTreeMap::new(), ..memory.clone() };
                if joined == before {
                    is_stable = true;
                    break;
                }
                memory = State { registers: entry.registers.clone(), ..joined };
            }
        }
        self.asks = asks;
        let mut begins = State { registers: entry.registers.clone(), ..memory };
        if !is_stable {
            steps.clear();
            begins.write_anything();
            begins.written.inner = true;
        }
        for local in &assigned {
            let value = match (begins.registers.remove(local), steps.get(local)) {
                (Some(value), Some(step)) => stepping(value, *step, head),
                _ => None,
            };
            value.into_iter().for_each(|value| drop(begins.registers.insert(*local, value)));
        }
        self.drop_edges(&blocks);
        self.around.push(self.counted(head, &blocks, &begins));
        self.once(head, rest, &blocks, begins);
        let ends = {
            let back_is_certain =
                self.back(head, &blocks).is_none_or(|back| !back.is_uncertain || entry.is_uncertain);
            let counted = self.around.last();
            counted.is_some_and(|counted| counted.last.is_some()) && back_is_certain
        };
        self.around.pop();
        self.walked.loops_end &= ends;
        let place = Place::Turns(head);
        for ((from, to), state) in &mut self.edges {
            if blocks.contains(from) && !blocks.contains(to) {
                state.forget(&place);
                state.is_uncertain |= !ends;
            }
        }
        for ((from, to), decided) in &mut self.decided {
            if blocks.contains(from) && !blocks.contains(to) {
                *decided = None;
            }
        }
    }

    fn drop_edges(&mut self, blocks: &BTreeSet<BlockId>) {
        self.edges.retain(|(from, _), _| !blocks.contains(from));
        self.decided.retain(|(from, _), _| !blocks.contains(from));
    }

    /// One turn of a loop.
    fn once(&mut self, head: BlockId, rest: &[Component], blocks: &BTreeSet<BlockId>, begins: State) {
        self.drop_edges(blocks);
        self.block(head, begins);
        self.components(rest, None);
    }

    /// What holds where a loop leads back to its head.
    fn back(&self, head: BlockId, blocks: &BTreeSet<BlockId>) -> Option<State> {
        let leads = self.edges.iter().filter(|((from, to), _)| *to == head && blocks.contains(from));
        leads.map(|(_, state)| state.clone()).reduce(|all, one| all.join(&one))
    }

    fn with_placeholders(&self, entry: &State, head: BlockId, assigned: &BTreeSet<LocalId>) -> State {
        let mut state = entry.clone();
        for local in assigned {
            let ty = self.scope.body.locals[*local].ty;
            state.registers.remove(local);
            if let Some(source) = Source::new(self.scope.program, Place::Register(head, *local), ty) {
                state.registers.insert(*local, of_source(source));
            }
        }
        state
    }

    /// By how much registers change in a turn.
    fn steps(&self, back: &State, head: BlockId, assigned: &BTreeSet<LocalId>) -> BTreeMap<LocalId, i128> {
        let mut steps = BTreeMap::new();
        for local in assigned {
            let is_own = |source: &Source| source.place == Place::Register(head, *local);
            match back.registers.get(local) {
                Some(Value::Number(Exact { sum, given, is_bounded: false })) if given.is_empty() => {
                    let (source, coefficient) = match sum.terms.iter().next() {
                        Some((source, coefficient)) if sum.terms.len() == 1 => (source, *coefficient),
                        _ => continue,
                    };
                    if is_own(source) && coefficient == 1 {
                        steps.insert(*local, sum.constant);
                    }
                }
                // An unsigned counter: it does not wrap as long as the test at the head bounds it.
                Some(Value::Number(Exact { sum, given, is_bounded: true })) if given.is_empty() => {
                    if let Some((source, 1)) = sum.terms.iter().next().map(|(s, c)| (s, *c))
                        && sum.terms.len() == 1
                        && is_own(source)
                        && sum.constant > 0
                    {
                        steps.insert(*local, sum.constant);
                    }
                }
                Some(Value::Pointer(Base::Source(source), offset))
                    if is_own(source) && offset.given.is_empty() && !offset.is_bounded =>
                {
                    if let Some(step) = offset.sum.as_constant() {
                        steps.insert(*local, step);
                    }
                }
                _ => {}
            }
        }
        steps
    }

    /// How often a loop runs, where the test at its head says so.
    fn counted(&self, head: BlockId, blocks: &BTreeSet<BlockId>, begins: &State) -> Counted {
        let body = self.scope.body;
        let mut state = begins.clone();
        for statement in &body.blocks[head].statements {
            self.apply(&mut state, statement, head);
        }
        let mut counted = Counted::new(head);
        let leaves = |block: &BlockId| {
            let mut leaves = false;
            body.blocks[*block].terminator.successors(|next| leaves |= !blocks.contains(&next));
            leaves || matches!(body.blocks[*block].terminator, Terminator::Return(_))
        };
        counted.leaves_at_head_only = !blocks.iter().any(|block| *block != head && leaves(block));
        let Terminator::Branch { condition, then, otherwise } = body.blocks[head].terminator else {
            return counted;
        };
        let stays = match (blocks.contains(&then), blocks.contains(&otherwise)) {
            (true, false) => true,
            (false, true) => false,
            _ => return counted,
        };
        let Some(decided) = self.scope.decide(&state, condition, stays) else { return counted };
        let [rest @ .., Test::AtMostZero(sum)] = &decided.tests[..] else { return counted };
        let turns = Source::turns(head);
        if decided.is_bounded || !rest.is_empty() || sum.terms.get(&turns) != Some(&1) {
            return counted;
        }
        // first + turns <= 0: the last turn is -first.
        if let Some(first) = sum.replace(&turns, &Linear::constant(0)) {
            counted.last = first.times(-1);
        }
        counted
    }

    fn block(&mut self, block: BlockId, mut state: State) {
        let body = self.scope.body;
        let code = &body.blocks[block];
        for statement in &code.statements {
            if self.asks {
                let mut asking = Asking { walk: self, block, state: &state };
                asking.statement(statement);
            }
            self.apply(&mut state, statement, block);
        }
        match &code.terminator {
            Terminator::Goto(next) => drop(self.edges.insert((block, *next), state)),
            Terminator::Branch { condition, then, otherwise } => {
                for (next, truth) in [(*then, true), (*otherwise, false)] {
                    let decided = self.scope.decide(&state, *condition, truth).filter(|_| then != otherwise);
                    let never =
                        decided.as_ref().is_some_and(|d| d.tests.iter().any(|t| t.truth() == Some(false)));
                    self.decided.insert((block, next), decided);
                    if !never {
                        self.edges.insert((block, next), state.clone());
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                let number = self.scope.number(&state, *value);
                for (low, high, next) in cases {
                    let is_only =
                        cases.iter().filter(|(_, _, other)| other == next).count() == 1 && next != default;
                    let test = number
                        .as_ref()
                        .filter(|n| is_only && low == high && n.given.is_empty() && !n.is_bounded);
                    let test = test.and_then(|n| n.sum.plus(-1, &Linear::constant(*low)));
                    let decided = test.map(|sum| Decided { tests: vec![Test::Zero(sum)], is_bounded: false });
                    self.decided.insert((block, *next), decided);
                    self.edges.insert((block, *next), state.clone());
                }
                self.decided.insert((block, *default), None);
                self.edges.insert((block, *default), state);
            }
            Terminator::ComputedGoto { targets, .. } => {
                for next in targets {
                    self.edges.insert((block, *next), state.clone());
                }
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }

    /// What a statement does to what is known.
    fn apply(&self, state: &mut State, statement: &clew_ir::syntax::Statement, block: BlockId) {
        let put = |state: &mut State, local: LocalId, value: Value| {
            match value {
                Value::Unknown => drop(state.registers.remove(&local)),
                value => drop(state.registers.insert(local, value)),
            };
        };
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let value = self.scope.eval(state, *value);
                put(state, *local, value);
            }
            StatementKind::Load { local, place, flags } => {
                let value = if flags.volatile { Value::Unknown } else { self.scope.load(state, place) };
                put(state, *local, value);
            }
            StatementKind::Store { place, value, .. } => {
                let value = self.scope.eval(state, *value);
                self.store(state, place, Some(value));
            }
            StatementKind::Copy { to: place, .. } | StatementKind::Zero { place } => {
                self.store(state, place, None)
            }
            StatementKind::Havoc { target: HavocTarget::Place(place) } => self.store(state, place, None),
            StatementKind::Havoc { target: HavocTarget::Local(local) } => put(state, *local, Value::Unknown),
            StatementKind::StorageLive { local, .. } | StatementKind::StorageDead { local } => {
                state.registers.remove(local);
                state.write_somewhere(&Base::Local(*local));
            }
            StatementKind::Call(call) => {
                self.call(state, call);
                match &call.result {
                    Some(CallResult::Local(local)) => {
                        let value = match call.callee {
                            Callee::Direct(callee) if self.allocates(callee) => {
                                Value::Pointer(Base::Fresh(block, local.0), Exact::default())
                            }
                            _ => Value::Unknown,
                        };
                        put(state, *local, value);
                    }
                    Some(CallResult::Place(place)) => self.store(state, place, None),
                    None => {}
                }
            }
            StatementKind::Intrinsic(call) => {
                match (call.op, &call.arguments[..]) {
                    (Intrinsic::CopyBytes | Intrinsic::FillBytes | Intrinsic::HavocBytes, [to, ..]) => {
                        match self.scope.pointer(state, *to) {
                            Some((base, _)) => state.write_somewhere(&base),
                            None => state.write_anything(),
                        }
                    }
                    (Intrinsic::VaArg(_) | Intrinsic::VaCopy | Intrinsic::VaStart, _) => {
                        state.write_anything()
                    }
                    (Intrinsic::Trap, _) => state.is_uncertain = true,
                    _ => {}
                }
                match &call.result {
                    Some(CallResult::Local(local)) => put(state, *local, Value::Unknown),
                    Some(CallResult::Place(place)) => self.store(state, place, None),
                    None => {}
                }
            }
            StatementKind::Assembler { .. } | StatementKind::Unsupported { .. } => {
                *state = State { is_uncertain: true, ..State::default() };
                state.write_anything();
            }
            StatementKind::Check { .. } | StatementKind::Assume { .. } | StatementKind::Unordered { .. } => {}
        }
    }

    fn store(&self, state: &mut State, place: &clew_ir::syntax::Place, value: Option<Value>) {
        let Some((base, offset)) = self.scope.address(state, place) else {
            state.write_anything();
            return;
        };
        let at = offset.sum.as_constant().and_then(|at| i64::try_from(at).ok());
        let is_plain = offset.given.is_empty()
            && !offset.is_bounded
            && self.scope.program.types().bit_range(place).is_none();
        match (at.filter(|_| is_plain), value) {
            (Some(at), Some(value)) => {
                state.write((base, at, self.scope.program.size_of(place.ty)), value);
            }
            _ => state.write_somewhere(&base),
        }
    }

    fn call(&self, state: &mut State, call: &clew_ir::syntax::Call) {
        let Callee::Direct(callee) = call.callee else {
            state.write_anything();
            state.is_uncertain = true;
            return;
        };
        let effects = &self.known.effects[callee.0 as usize];
        if effects.anything {
            state.write_anything();
        }
        for global in &effects.globals {
            state.write_somewhere(&Base::Global(*global));
        }
        for number in &effects.behind {
            match call.arguments.get(*number as usize) {
                Some(Argument::Value(expr)) => match self.scope.pointer(state, *expr) {
                    Some((base, _)) => state.write_somewhere(&base),
                    None => state.write_anything(),
                },
                _ => state.write_anything(),
            }
        }
        state.is_uncertain |= effects.may_not_return;
    }

    /// Whether a function of the library returns memory of its own, or null.
    fn allocates(&self, callee: FuncId) -> bool {
        matches!(&*self.scope.program.functions[callee].name, "malloc" | "calloc" | "strdup" | "strndup")
    }
}

fn blocks_of(head: BlockId, rest: &[Component]) -> BTreeSet<BlockId> {
    let mut blocks = BTreeSet::from([head]);
    for component in rest {
        match component {
            Component::Block(block) => drop(blocks.insert(*block)),
            Component::Loop(head, rest) => blocks.extend(blocks_of(*head, rest)),
        }
    }
    blocks
}

/// A value that changes by a step in each turn.
fn stepping(value: Value, step: i128, head: BlockId) -> Option<Value> {
    let turns = Exact::of(Linear::of(Source::turns(head)));
    Some(match value {
        Value::Number(exact) => Value::Number(exact.plus(step, &turns)?),
        Value::Pointer(base, offset) => Value::Pointer(base, offset.plus(step, &turns)?),
        Value::Unknown => return None,
    })
}
