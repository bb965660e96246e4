// SPDX-License-Identifier: MIT OR Apache-2.0
//! The iterator: blocks in a weak topological order, loops until nothing grows (paper 004, 5.5 and 7.1).
//!
//! A loop goes through three phases. First its iterations are taken one by one as long as each iteration surely does not leave
//! the loop (short counted loops are unrolled to the end). Then its invariant is sought: joins at first, widening with
//! thresholds after that, then narrowing. During this nothing is recorded: iteration mode. Last comes one iteration from
//! the invariant in which obligations are judged: checking mode.

use std::collections::BTreeMap;

use clew_base::index::Idx;
use clew_ir::syntax::{Argument, BlockId, ExprId, LocalId, StatementKind, Storage, Terminator};
use rustc_hash::FxHashSet;

use crate::domain::Tri;
use crate::domain::product::Product;
use crate::domain::tuple::Tuples;
use crate::domain::value::{Kind, Value};
use crate::effort::iterate::{
    APART_STEPS, MOST_APART, MOST_ROUNDS, MOST_STATES, MOST_STATES_BY_BITS, UNROLL_AGAIN, UNROLL_IN_VAIN,
    UNROLL_INNER_LOOP, UNROLL_LOOP, UNROLL_SHORT,
};
use crate::effort::partition::MOST_ITERATIONS;
use crate::engine::analyser::Analyser;
use crate::engine::call::RESULT;
use crate::engine::facts::Frame;
use crate::engine::level::Domain;
use crate::engine::memo::Sought;
use crate::engine::transfer::Transfer;
use crate::fixpoint::partition;
use crate::fixpoint::partition_key::{PartitionKey, limit_states, points_elsewhere};
use crate::fixpoint::phase::Phase;
use crate::map::Change;
use crate::memory::object::{Life, Obj};
use crate::program::flow::Component;
use crate::program::object::{Object, Site};
use crate::state::{Definition, State};
use crate::transfer::refine::{is_test, is_truth};

/// What waits to be done in one function.
pub(crate) struct Worklist {
    /// States that have come to a block, by the flags that tell them apart.
    waiting: BTreeMap<BlockId, Vec<(PartitionKey, State)>>,
    /// The loops around, innermost last.
    loops: Vec<Around>,
    /// States at returns, apart by what is known of the result.
    exits: Vec<(Class, State)>,
}

/// What is known of a result: states that differ in it are not joined at once, so that "null, and nothing was
/// allocated" is not mixed up with "not null, and something was".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Zero,
    Positive,
    Negative,
    NotZero,
    Other,
}

impl Class {
    fn of(value: Option<&Value>) -> Class {
        match value.map(|v| &v.kind) {
            Some(Kind::Number(n)) if n.as_constant() == Some(0) => Class::Zero,
            Some(Kind::Number(n)) if n.lo() > 0 => Class::Positive,
            Some(Kind::Number(n)) if n.hi() < 0 => Class::Negative,
            Some(Kind::Number(n)) if !n.contains(0) => Class::NotZero,
            Some(Kind::Address(a)) if !a.unknown && a.number.is_none_or(|n| !n.contains(0)) => Class::NotZero,
            _ => Class::Other,
        }
    }
}

/// A loop that is being iterated.
pub(crate) struct Around {
    blocks: FxHashSet<BlockId>,
    /// States that leave it.
    left: Vec<(BlockId, State)>,
    /// Whether a test that could leave the loop surely did not.
    stayed: bool,
    /// What comes back in another phase.
    pub(crate) changed: Option<State>,
}

/// A loop: its head, and the rest of it in order.
#[derive(Clone, Copy)]
pub(crate) struct Loop<'c> {
    pub(crate) head: BlockId,
    pub(crate) inside: &'c [Component],
    /// Only iterations that begin in this phase.
    pub(crate) phase: Option<Phase>,
}

impl Loop<'_> {
    fn new(head: BlockId, inside: &[Component]) -> Loop<'_> {
        Loop { head, inside, phase: None }
    }
}

impl<'p> Analyser<'p> {
    /// Analyses a body; the result is the states at its returns.
    pub(crate) fn run(&mut self, frame: &Frame<'p>, entry: State) -> Vec<State> {
        self.transfer.eval.context.stack.push(frame.function);
        let mut worklist = Worklist { waiting: BTreeMap::new(), loops: Vec::new(), exits: Vec::new() };
        worklist.waiting.insert(BlockId(0), vec![(PartitionKey::default(), entry)]);
        let flow = frame.flow.clone();
        // Searches in the caller are none of the callee's business.
        let nested = std::mem::take(&mut self.transfer.eval.budget.nested);
        self.components(frame, &mut worklist, &flow.order);
        self.transfer.eval.budget.nested = nested;
        self.transfer.eval.context.stack.pop();
        if self.transfer.eval.budget.cancelled {
            Vec::new()
        } else {
            worklist.exits.into_iter().map(|(_, state)| state).collect()
        }
    }

    fn components(&mut self, frame: &Frame<'p>, worklist: &mut Worklist, components: &[Component]) {
        for component in components {
            if self.transfer.eval.budget.cancelled {
                return;
            }
            match component {
                Component::Block(block) => {
                    for (_, state) in worklist.waiting.remove(block).unwrap_or_default() {
                        self.block(frame, worklist, *block, state);
                    }
                }
                Component::Loop(head, inside) => {
                    self.lead_in(frame, worklist, *head, inside);
                    let states = worklist.waiting.remove(head).unwrap_or_default();
                    if self.transfer.eval.budget.splitting.is_some() {
                        for (_, state) in states {
                            self.iterate(frame, worklist, Loop::new(*head, inside), state);
                        }
                        continue;
                    }
                    let states = states.into_iter().map(|(_, s)| s);
                    let Some(entry) = states.reduce(|a, b| self.transfer.join_deciding(Some(frame), &a, &b))
                    else {
                        continue;
                    };
                    self.iterate(frame, worklist, Loop::new(*head, inside), entry);
                }
            }
        }
    }

    /// States that have entered a loop beside its head go as far as the head, or out of the loop.
    fn lead_in(&mut self, frame: &Frame<'p>, worklist: &mut Worklist, head: BlockId, inside: &[Component]) {
        if !frame.flow.irreducible.contains(&head) {
            return;
        }
        let blocks: FxHashSet<BlockId> = frame.flow.loops[&head].iter().copied().collect();
        if !worklist.waiting.keys().any(|block| *block != head && blocks.contains(block)) {
            return;
        }
        let at_head = worklist.waiting.remove(&head);
        worklist.loops.push(Around { blocks, left: Vec::new(), stayed: false, changed: None });
        self.components(frame, worklist, inside);
        let around = worklist.loops.pop();
        worklist.waiting.entry(head).or_default().extend(at_head.unwrap_or_default());
        for (block, state) in around.map(|around| around.left).unwrap_or_default() {
            self.send(frame, worklist, block, state);
        }
    }

    /// One iteration of a loop: the state that comes back to the head.
    pub(crate) fn iteration(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        of: Loop<'_>,
        mut state: State,
    ) -> (Option<State>, Around) {
        // A register that only some of the joined states kept although nothing reads it.
        self.drop_dead(frame, of.head, &mut state);
        let blocks = frame.flow.loops[&of.head].iter().copied().collect();
        worklist.loops.push(Around { blocks, left: Vec::new(), stayed: false, changed: None });
        let place = (frame.function, of.head);
        if self.transfer.eval.context.recording
            && self.transfer.eval.facts.options.invariants
            && self.follows_head(place)
        {
            self.note_head(place, &state);
        }
        self.block(frame, worklist, of.head, state);
        self.components(frame, worklist, of.inside);
        let back = worklist.waiting.remove(&of.head).unwrap_or_default();
        let back =
            back.into_iter().map(|(_, s)| s).reduce(|a, b| self.transfer.join_deciding(Some(frame), &a, &b));
        let mut around = worklist.loops.pop().unwrap_or_else(|| Around {
            blocks: FxHashSet::default(),
            left: Vec::new(),
            stayed: false,
            changed: None,
        });
        let (back, changed) = self.by_change(frame, back, of.phase);
        around.changed = changed;
        (back, around)
    }

    /// Forgets registers that nothing reads any more.
    fn drop_dead(&mut self, frame: &Frame<'p>, to: BlockId, state: &mut State) {
        let dead = |local: LocalId| !frame.flow.live[to].contains(local);
        self.transfer.end_in_packs(frame, state, &dead);
        state.settle_spaces(&dead);
        drop_dead(frame, to, state);
    }

    fn iterate(&mut self, frame: &Frame<'p>, worklist: &mut Worklist, of: Loop<'_>, entry: State) {
        if let Some(invariant) = self.earlier_invariant(frame, worklist, of, &entry) {
            if !self.transfer.eval.budget.cancelled {
                let (back, around) = self.iteration(frame, worklist, of, invariant);
                self.transfer.eval.recorder.may_hang |= back.is_some() && around.left.is_empty();
                self.leave(frame, worklist, of.head, around.left, 0);
            }
            return;
        }
        let mut left: Vec<(BlockId, State)> = Vec::new();
        let mut current = entry;
        let mut iterations = 0;
        let started = self.transfer.eval.budget.steps;
        let name = (frame.function, of.head);
        let (effort, pace) = (self.transfer.eval.level().effort, self.transfer.eval.pace());
        let so_far = self.transfer.eval.budget.unrolled.entry(name).or_default();
        let bound = |usual: u64| effort.unrolled(usual);
        let hopeful = so_far.in_vain < bound(UNROLL_IN_VAIN) && pace.unrolls;
        let most = match worklist.loops.is_empty() {
            true => bound(UNROLL_LOOP),
            // Loops in loops are unrolled again and again.
            false if so_far.all < bound(UNROLL_AGAIN) => bound(UNROLL_INNER_LOOP),
            false => UNROLL_SHORT,
        };
        // Where the loop is taken up again if it turns out to be too long.
        let mut resume: Option<(State, usize)> = None;
        // First the iterations that can be told apart.
        loop {
            let before = self.transfer.eval.budget.steps;
            let regions = self.transfer.eval.context.regions.len();
            let index = self
                .transfer
                .eval
                .uses(Domain::Partitions)
                .then(|| partition::index_of(frame, of.head, &current));
            let index = index.flatten();
            let (back, mut around) = self.iteration(frame, worklist, of, current.clone());
            self.transfer.eval.budget.apart_by_iteration(of.head, iterations, &mut around.left);
            self.transfer.eval.context.regions.truncate(regions);
            if self.transfer.eval.budget.cancelled {
                return;
            }
            let sure = around.left.is_empty() && around.stayed;
            self.transfer.eval.budget.unroll_budget = self
                .transfer
                .eval
                .budget
                .unroll_budget
                .saturating_sub(self.transfer.eval.budget.steps - before);
            let again = back.filter(|back| !back.is_subset(&current));
            if let Some(index) = index {
                around
                    .left
                    .iter_mut()
                    .for_each(|(to, state)| partition::mark(frame, state, *to, index, iterations));
            }
            left.extend(around.left);
            let spent = self.transfer.eval.budget.steps - started;
            let Some(again) = again else {
                // Nothing comes back, or nothing new: this was the last iteration.
                self.transfer.eval.budget.unrolled.entry(name).or_default().all += spent;
                let first = left.len();
                self.leave(frame, worklist, of.head, left, first);
                return;
            };
            iterations += 1;
            current = again;
            let first = self.transfer.eval.budget.first_iterations();
            if iterations == first {
                resume = Some((current.clone(), left.len()));
            }
            if iterations < first {
                continue;
            }
            let too_many = !sure && index.is_some() && iterations >= MOST_ITERATIONS;
            let too_long = spent >= most || self.transfer.eval.budget.unroll_budget == 0 || too_many;
            if too_long && let Some((state, count)) = resume.take() {
                let so_far = self.transfer.eval.budget.unrolled.entry(name).or_default();
                so_far.all += spent;
                so_far.in_vain += spent;
                // Many iterations that lead to no end only make the memory large.
                current = state;
                left.truncate(count);
            }
            if too_long || !(sure || index.is_some()) || !hopeful {
                break;
            }
        }
        let alone = hopeful
            && self.transfer.eval.budget.steps < APART_STEPS
            && self.transfer.eval.budget.splitting.is_none();
        let alone = alone
            && self.transfer.eval.uses(Domain::Phases)
            && !self.transfer.eval.budget.is_sought_often(of.head, self.transfer.eval.pace().searches);
        let phases = if alone { self.by_phase(frame, worklist, of, &current) } else { None };
        let invariants = phases.unwrap_or_else(|| vec![self.known_invariant(frame, worklist, of, current)]);
        if self.transfer.eval.budget.cancelled {
            return;
        }
        let first = left.len();
        let mut hangs = true;
        for invariant in invariants {
            let (back, around) = self.iteration(frame, worklist, of, invariant);
            hangs &= back.is_some() && around.left.is_empty();
            left.extend(around.left);
        }
        self.transfer.eval.recorder.may_hang |= hangs;
        self.leave(frame, worklist, of.head, left, first);
    }

    /// States leave a loop, the first of them in iterations that were taken one by one.
    fn leave(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        head: BlockId,
        mut left: Vec<(BlockId, State)>,
        first: usize,
    ) {
        let apart = self.transfer.eval.pace().unrolls
            && self.transfer.eval.budget.splitting.is_none()
            && self.transfer.eval.uses(Domain::Partitions);
        if apart && self.transfer.eval.budget.steps < APART_STEPS {
            partition::mark_paths(frame, head, &mut left, first);
        }
        for (block, state) in left {
            self.send(frame, worklist, block, state);
        }
    }

    /// What holds at the head of a loop, unless it was sought from the very same state the last time. Loops in loops
    /// would otherwise cost a power of their depth: every outer round that changes nothing seeks the inner invariants
    /// again. What else the search does (objects that age, functions that are reached) the iteration from the invariant
    /// does too; within recursion, where what calls return still grows, nothing is remembered.
    pub(crate) fn known_invariant(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        of: Loop<'_>,
        entry: State,
    ) -> State {
        let name = (frame.function, of.head, self.transfer.eval.context.model_call);
        if let Some(sought) = self.memo.invariants.get(&name)
            && self.transfer.eval.context.recursion.is_empty()
            && sought.from == entry
        {
            self.transfer.eval.context.reads.absorb(&sought.footprint);
            if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
                notes.prunings.add(&sought.prunings);
            }
            return sought.invariant.clone();
        }
        self.transfer.eval.context.reads.begin_call();
        let prunings_before =
            self.transfer.eval.context.notes.last_mut().map(|notes| std::mem::take(&mut notes.prunings));
        let invariant = self.invariant(frame, worklist, of, entry.clone());
        let footprint = self.transfer.eval.context.reads.end_call();
        let prunings =
            self.transfer.eval.context.notes.last().map(|notes| notes.prunings.clone()).unwrap_or_default();
        if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
            notes.prunings.add(&prunings_before.unwrap_or_default());
        }
        if self.transfer.eval.context.recursion.is_empty() && !self.transfer.eval.budget.cancelled {
            let search = self.transfer.eval.budget.nested.number;
            let sought = Sought { from: entry, invariant: invariant.clone(), footprint, prunings, search };
            self.memo.invariants.insert(name, sought);
        }
        invariant
    }

    /// What holds at the head of a loop on every iteration from this state on.
    pub(crate) fn invariant(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        of: Loop<'_>,
        entry: State,
    ) -> State {
        let recording = std::mem::replace(&mut self.transfer.eval.context.recording, false);
        let goes_on = self.transfer.eval.budget.search_begins(of.head);
        let none = crate::program::thresholds::Thresholds::default();
        let thresholds = self.transfer.eval.facts.thresholds(frame.function);
        let mut invariant = entry.clone();
        let (mut moving, mut delayed) = (Vec::new(), 0);
        let mut before_widening = None;
        for round in 0.. {
            let (back, _) = self.iteration(frame, worklist, of, invariant.clone());
            let Some(back) = back.filter(|_| !self.transfer.eval.budget.cancelled) else { break };
            if back.is_subset(&invariant) {
                break;
            }
            // What flags decide on is found in the first rounds, or loops might not come to an end.
            let mut joined = match round < self.transfer.eval.pace().joined {
                true => self.transfer.join_deciding(Some(frame), &invariant, &back),
                false => invariant.join(&back),
            };
            if round == 0 {
                self.transfer.relate_moving(frame, &mut joined, &invariant, &back);
            }
            let now = back.outside(&invariant);
            // What moved has come to rest: its consequences come first (paper 004, 7.1.3), but not for ever.
            let settles =
                delayed < self.transfer.eval.pace().delayed && moving.iter().any(|name| !now.contains(name));
            moving = now;
            if round >= self.transfer.eval.pace().joined
                && !settles
                && self.transfer.eval.recorder.value_log.is_some()
            {
                before_widening.get_or_insert_with(|| joined.clone());
            }
            invariant = match round {
                r if r < self.transfer.eval.pace().joined => joined,
                _ if settles => {
                    delayed += 1;
                    joined
                }
                r if r < self.transfer.eval.pace().joined + self.transfer.eval.pace().thresholds => {
                    invariant.widen(&joined, &thresholds)
                }
                // Of what tuples say there are many forms: one that follows another for ever would keep the loop from its end.
                r if r > MOST_ROUNDS => {
                    State { tuples: Tuples::default(), ..invariant.widen(&joined, &none) }
                }
                _ => invariant.widen(&joined, &none),
            };
        }
        let widening = before_widening.map(|before| (before, invariant.clone()));
        let narrowed = if goes_on { 0 } else { self.transfer.eval.pace().narrowed };
        for _ in 0..narrowed {
            if self.transfer.eval.budget.cancelled {
                break;
            }
            let (back, _) = self.iteration(frame, worklist, of, invariant.clone());
            let smaller = match back {
                None => entry.clone(),
                Some(back) => entry.join(&back),
            };
            let candidate = invariant.narrow(&smaller);
            if candidate == invariant || !self.is_invariant(frame, worklist, of, &entry, &candidate) {
                break;
            }
            invariant = candidate;
        }
        self.transfer.eval.context.recording = recording;
        self.transfer.eval.budget.search_ends();
        if let Some((before, widened)) = widening {
            self.transfer.eval.note_widened((frame.function, of.head), &before, &widened, &invariant);
        }
        invariant
    }

    /// Whether one iteration from a state, which holds the entry, stays inside it.
    fn is_invariant(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        of: Loop<'_>,
        entry: &State,
        candidate: &State,
    ) -> bool {
        if !entry.is_subset(candidate) {
            return false;
        }
        let (back, _) = self.iteration(frame, worklist, of, candidate.clone());
        back.is_none_or(|back| back.is_subset(candidate))
    }

    fn block(&mut self, frame: &Frame<'p>, worklist: &mut Worklist, block: BlockId, state: State) {
        let code = &frame.body.blocks[block];
        let mut states = vec![state];
        for (index, statement) in code.statements.iter().enumerate() {
            let site = Site { function: frame.function, block, statement: index as u32 };
            self.transfer.eval.recorder.pruned.at = Some(site);
            if let StatementKind::Call(call) = &statement.kind {
                states = self.directed(frame, states, site, call);
                self.transfer.eval.note_all_before(frame, &states, site, statement);
                let after = states.iter().flat_map(|state| self.call_statement(frame, state, site, call));
                states = limit_states(after.collect(), self.transfer.eval.budget.most_states(MOST_APART));
                self.transfer.eval.note_all_after(&states, site, statement);
            } else {
                if let StatementKind::Load { place, flags, .. } = &statement.kind
                    && !flags.volatile
                {
                    states = self.by_index(frame, states, site, place);
                    let ways: &[bool] =
                        if self.transfer.eval.uses(Domain::Bits) { &[true, false] } else { &[] };
                    for fine in ways.iter().copied() {
                        let apart =
                            |state: &State| self.transfer.apart_by_bits(frame, state, site, place, fine);
                        let split: Vec<State> = states.iter().flat_map(apart).collect();
                        if split.len() <= MOST_APART {
                            states = split;
                            break;
                        }
                    }
                }
                self.transfer.eval.note_all_before(frame, &states, site, statement);
                states.retain_mut(|state| {
                    let goes_on = self.transfer.statement(frame, state, site, statement);
                    if !goes_on && !matches!(statement.kind, StatementKind::Check { .. }) {
                        self.transfer.eval.prune(&state.given);
                    }
                    goes_on
                });
                self.transfer.eval.note_all_after(&states, site, statement);
            }
            if states.is_empty() {
                return;
            }
        }
        for state in states {
            self.end_of_block(frame, worklist, block, state);
        }
    }

    fn end_of_block(&mut self, frame: &Frame<'p>, worklist: &mut Worklist, block: BlockId, mut state: State) {
        let code = &frame.body.blocks[block];
        if self.transfer.eval.notes_values() {
            self.transfer.eval.note_terminator(frame, &state, block);
        }
        match &code.terminator {
            Terminator::Goto(next) => self.send(frame, worklist, *next, state),
            Terminator::Branch { condition, then, otherwise } => {
                for state in self.apart_by_sign(frame, state, *condition) {
                    self.branch(frame, worklist, state, *condition, *then, *otherwise);
                }
            }
            Terminator::Switch { value, cases, default } => {
                self.switch(frame, worklist, &state, *value, cases, *default);
            }
            Terminator::Return(result) => {
                if let Some(Argument::Value(expr)) = result
                    && (is_truth(frame, &state, *expr) || is_test(frame, *expr))
                    && self.transfer.eval.truth(frame, &state, *expr, 2) == Tri::Maybe
                {
                    // What the answer says of the arguments is worth two exits.
                    let mut yes = state.clone();
                    if self.transfer.assume(frame, &mut yes, *expr, true) {
                        self.leave_function(frame, worklist, yes, result.as_ref());
                    }
                    if !self.transfer.assume(frame, &mut state, *expr, false) {
                        self.transfer.eval.path_not_taken((frame.function, block), &state.given);
                        return;
                    }
                }
                self.leave_function(frame, worklist, state, result.as_ref());
            }
            Terminator::Unreachable => {}
            Terminator::ComputedGoto { address, targets } => {
                let to = self.transfer.eval.eval(frame, &state, *address).kind.to_address();
                // Where a label with a distance added to it leads, only the compiler knows.
                let moved = to.targets.iter().any(|(_, offset)| offset.as_constant() != Some(0));
                for target in targets {
                    let label = self.transfer.eval.facts.objects.id(Object::Label(frame.function, *target));
                    if to.unknown
                        || moved
                        || to.number.is_some()
                        || to.targets.iter().any(|(o, _)| *o == label)
                    {
                        self.send(frame, worklist, *target, state.clone());
                    } else {
                        self.transfer.eval.path_not_taken((frame.function, *target), &state.given);
                    }
                }
            }
        }
    }

    fn branch(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        mut state: State,
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
    ) {
        let decided = self.transfer.eval.truth(frame, &state, condition, 2);
        if let Some(around) = worklist.loops.last_mut() {
            let leaves = |b: &BlockId| !around.blocks.contains(b);
            around.stayed |= match decided {
                Tri::True => leaves(&otherwise),
                Tri::False => leaves(&then),
                Tri::Maybe => false,
            };
        }
        if then == otherwise {
            self.send(frame, worklist, then, state);
            return;
        }
        let mut taken = state.clone();
        if !decided.is_false() && self.transfer.assume(frame, &mut taken, condition, true) {
            for taken in self.apart_by_cases(frame, taken, condition) {
                self.send(frame, worklist, then, taken);
            }
        } else {
            self.transfer.eval.path_not_taken((frame.function, then), &state.given);
        }
        if !decided.is_true() && self.transfer.assume(frame, &mut state, condition, false) {
            for state in self.apart_by_cases(frame, state, condition) {
                self.send(frame, worklist, otherwise, state);
            }
        } else {
            self.transfer.eval.path_not_taken((frame.function, otherwise), &state.given);
        }
    }

    fn switch(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        state: &State,
        value: clew_ir::syntax::ExprId,
        cases: &[(i128, i128, BlockId)],
        default: BlockId,
    ) {
        let number = self.transfer.eval.number(frame, state, value, 2);
        // Which number an address is, is not known: every path may be taken, and nothing is learnt of it.
        let is_address = matches!(self.transfer.eval.eval(frame, state, value).kind, Kind::Address(_));
        let mut rest = Some(number);
        for (lo, hi, target) in cases {
            let case = crate::domain::int::Int::range(*lo, *hi);
            let mut taken = state.clone();
            let met = number.meet(&case);
            let learnt = |transfer: &mut Transfer<'p>, state: &mut State, met| {
                is_address || transfer.push(frame, state, value, &Kind::Number(met), 6)
            };
            if met.is_some_and(|met| learnt(&mut self.transfer, &mut taken, met)) {
                self.send(frame, worklist, *target, taken);
            } else {
                self.transfer.eval.path_not_taken((frame.function, *target), &state.given);
            }
            if let Some(left) = rest {
                rest = without(&left, *lo, *hi);
            }
        }
        let mut other = state.clone();
        if rest.is_some_and(|left| {
            is_address || self.transfer.push(frame, &mut other, value, &Kind::Number(left), 6)
        }) {
            self.send(frame, worklist, default, other);
        } else {
            self.transfer.eval.path_not_taken((frame.function, default), &state.given);
        }
    }

    /// A state goes to a block: it waits there, or leaves the loop.
    fn send(&mut self, frame: &Frame<'p>, worklist: &mut Worklist, to: BlockId, mut state: State) {
        if let Some(around) = worklist.loops.last_mut()
            && !around.blocks.contains(&to)
        {
            around.left.push((to, state));
            return;
        }
        self.drop_dead(frame, to, &mut state);
        self.transfer.eval.facts.end_paths(frame, to, &mut state);
        let key = PartitionKey::at_block(frame, to, &state);
        let most = match partition::is_by_value(&state) {
            true => self.transfer.eval.budget.most_states(MOST_STATES_BY_BITS),
            false => MOST_STATES,
        };
        let apart = self.transfer.eval.budget.steps < APART_STEPS;
        let waiting = worklist.waiting.entry(to).or_default();
        let same = |(k, other): &&mut (PartitionKey, State)| {
            *k == key && !(apart && points_elsewhere(&self.transfer.eval.facts.objects, other, &state))
        };
        if let Some((_, other)) = waiting.iter_mut().find(same) {
            *other = self.transfer.join_deciding(Some(frame), other, &state);
        } else if waiting.len() < most {
            waiting.push((key, state));
        } else if let Some((_, other)) = waiting.last_mut() {
            *other = self.transfer.join_deciding(Some(frame), other, &state);
        }
    }

    fn leave_function(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        mut state: State,
        result: Option<&'p Argument>,
    ) {
        let value = match result {
            Some(Argument::Value(expr)) => Some(self.transfer.eval.eval(frame, &state, *expr)),
            Some(Argument::Object(place)) => {
                let from = self.transfer.eval.address(frame, &state, place);
                let bytes = self.transfer.eval.facts.types.size_of(place.ty);
                let object = self.transfer.eval.facts.objects.id(Object::Returned(frame.function));
                let size = crate::domain::int::Int::constant(i128::from(bytes));
                let empty = crate::memory::contents::Contents::default();
                state.set_object(object, Obj { life: Life::ALIVE, size, contents: empty });
                let to = crate::domain::value::Address::of(object, crate::domain::int::Int::constant(0));
                self.transfer.copy(&mut state, &to, &from, &size);
                None
            }
            None => None,
        };
        let relations = self.transfer.eval.relations_at_return(frame, &state, result);
        // Sizes in terms of parameters that still have the values they came with say something to the caller.
        let steady = &frame.flow.steady;
        state.end_registers(&|local| !steady.contains(&local));
        state.symbolic.segments = Default::default();
        let unwritten = std::mem::take(&mut state.unwritten);
        state.map_registers(&mut |local, _| match unwritten.get(local) {
            Some(_) => Change::Keep,
            None => Change::Drop,
        });
        state.unwritten = unwritten;
        let parameter = match result {
            Some(Argument::Value(expr)) => self
                .transfer
                .eval
                .facts
                .root(frame, &state, *expr)
                .filter(|l| state.unwritten.get(*l).is_some()),
            _ => None,
        };
        state.definitions = Default::default();
        state.tuples = state.tuples.of_memory();
        state.clocked = Default::default();
        state.domains = Product { relations, ..Product::default() };
        state.tokens = Default::default();
        let unwritten = std::mem::take(&mut state.unwritten);
        state.accesses.retain(|local| unwritten.get(local).is_some());
        let seen = state.accesses.clone();
        if let Some(value) = value {
            state.begin_register(RESULT, value);
        }
        if let Some(parameter) = parameter {
            state.definitions.insert(RESULT, Definition::Parameter(parameter));
        }
        for (local, info) in frame.body.locals.iter_enumerated() {
            let id = Object::Local(frame.function, local);
            if matches!(info.storage, Storage::Memory { .. })
                && self.transfer.eval.facts.objects.find(&id).is_some_and(|id| state.object(id).is_some())
            {
                self.transfer.end(frame, &mut state, local);
            }
        }
        self.transfer.eval.facts.end_alloca(frame.function, &mut state);
        // What was passed cannot point to what ends here.
        state.accesses = seen;
        if let Some(extra) = self.transfer.eval.facts.objects.find(&Object::VarArgs(frame.function))
            && !self.transfer.eval.facts.is_summary(extra)
        {
            state.memory.remove(extra);
        }
        let class = Class::of(state.registers().get(RESULT));
        match worklist.exits.iter_mut().find(|(c, _)| *c == class) {
            Some((_, other)) => *other = self.transfer.join_deciding(None, other, &state),
            None => {
                worklist.exits.push((class, state));
                worklist.exits.sort_by_key(|(c, _)| *c);
            }
        }
    }
}

/// Forgets registers that nothing reads any more.
fn drop_dead(frame: &Frame<'_>, to: BlockId, state: &mut State) {
    partition::unmark(state, &frame.flow, to);
    let mut kept = state.told_by_memory();
    kept.extend(told_by_octagons(frame, to, state));
    let live = |local: LocalId| frame.flow.live[to].contains(local) || kept.contains(&local);
    state.end_registers(&|local| !live(local));
    let is_live = |local: LocalId| local.index() < frame.body.locals.len() && live(local);
    state.map_registers(&mut |local, _| if is_live(local) { Change::Keep } else { Change::Drop });
    let dead: Vec<LocalId> =
        state.definitions.iter().map(|(local, _)| local).filter(|l| !is_live(*l)).collect();
    for local in dead {
        state.definitions.remove(local);
    }
    let usable = |reads: Option<&Vec<LocalId>>| {
        let all = reads.into_iter().flatten().all(|r| live(*r));
        if all { Change::Keep } else { Change::Drop }
    };
    // An equality with an expression over dead registers says nothing that can be used.
    state.definitions = state.definitions.filter_map(&mut |_, definition| match definition {
        Definition::Expr(expr) => usable(frame.flow.reads.get(expr)),
        Definition::Loaded(_, site) => usable(frame.flow.loads.get(&(site.block, site.statement))),
        Definition::Cell(_) | Definition::Parameter(_) => Change::Keep,
    });
    // The caller may want to know what was seen of its arguments.
    let unwritten = std::mem::take(&mut state.unwritten);
    state.accesses.retain(|local| is_live(local) || unwritten.get(local).is_some());
    state.unwritten = unwritten;
    state.domains.retain(&live);
    if !state.clocked.is_empty() {
        state.clocked = state
            .clocked
            .filter_map(&mut |local, _| if is_live(local) { Change::Keep } else { Change::Drop });
    }
}

/// Registers in octagons that nothing reads any more and that still say something: what stands at a place that will be
/// loaded again, and sums of registers that are read.
fn told_by_octagons(frame: &Frame<'_>, to: BlockId, state: &State) -> Vec<LocalId> {
    let mut kept = Vec::new();
    let live = |local: LocalId| frame.flow.live[to].contains(local);
    for octagon in state.domains.octagons.iter() {
        for (at, local) in octagon.vars().iter().enumerate().filter(|(_, local)| !live(**local)) {
            let tells = match state.definitions.get(*local) {
                Some(Definition::Cell(_)) => {
                    frame.sums.reloaded.as_ref().is_some_and(|reloaded| reloaded[to].contains(*local))
                }
                Some(Definition::Expr(expr)) => {
                    let reads = frame.flow.reads.get(expr).map_or(&[][..], Vec::as_slice);
                    reads.len() > 1 && reads.iter().all(|read| live(*read))
                }
                _ => false,
            };
            if tells && octagon.relates(at) {
                kept.push(*local);
            }
        }
    }
    kept
}

/// A range without an inner range, where that leaves a range.
fn without(number: &crate::domain::int::Int, lo: i128, hi: i128) -> Option<crate::domain::int::Int> {
    use crate::domain::int::Int;
    if lo <= number.lo() && number.hi() <= hi {
        return None;
    }
    if lo <= number.lo() && number.lo() <= hi {
        return number.meet(&Int::range(hi + 1, number.hi()));
    }
    if lo <= number.hi() && number.hi() <= hi {
        return number.meet(&Int::range(number.lo(), lo - 1));
    }
    Some(*number)
}
