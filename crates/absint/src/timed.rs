// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of scalars against the clock, and where: integers by `clock`, floats by `progression`.
//!
//! A cell of memory or a register gets an entry when a sum is assigned to it; floats without a clock too, since the clock
//! of a program in which nothing ticks stands still. What an entry would say on a way that has
//! none follows from the range of the value there and from that of the clock, so that a join of the two says something.
//! An entry that says nothing any more stays, so that widening does not begin anew with it.

use clew_base::index::Idx;
use clew_ir::syntax::{BinaryOp, ExprId, ExprKind, FuncId, LocalId, Place, Program};
use clew_ir::types::Class;
use rustc_hash::FxHashSet;

use crate::analyser::{Analyser, Frame};
use crate::clock::{Clock, Counter};
use crate::contents::{Contents, Shape};
use crate::domain::int::Int;
use crate::level::Domain;
use crate::map::{Change, Map, Merge};
use crate::memory::single;
use crate::progression::{Goal, Progression};
use crate::state::State;
use crate::value::{Address, Kind, Value};

/// What is known of a scalar against the clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Timed {
    /// An integer.
    Counter(Counter),
    /// A float.
    Progression(Progression),
}

impl Timed {
    /// What a value says by itself, read in this shape.
    fn of_value(value: &Value, shape: Shape, clock: Clock) -> Option<Timed> {
        match (&value.kind, shape) {
            _ if value.uninit => None,
            (Kind::Number(n), Shape::Int(ty)) => Some(Timed::Counter(Counter::of_range(n, ty, clock))),
            (Kind::Float(f), Shape::Float(format, bytes)) => {
                Progression::of_range(f, format, bytes).map(Timed::Progression)
            }
            _ => None,
        }
    }

    /// How it is read.
    pub fn shape(self) -> Shape {
        match self {
            Timed::Counter(counter) => Shape::Int(counter.ty),
            Timed::Progression(progression) => progression.shape(),
        }
    }

    /// The clock ticks.
    #[must_use]
    pub fn tick(self) -> Timed {
        match self {
            Timed::Counter(counter) => Timed::Counter(counter.tick()),
            Timed::Progression(progression) => Timed::Progression(progression.tick()),
        }
    }

    fn merge(self, here: Clock, other: Timed, there: Clock, widens: bool) -> Option<Timed> {
        match (self, other) {
            _ if self.shape() != other.shape() => None,
            (Timed::Counter(a), Timed::Counter(b)) => Some(Timed::Counter(match widens {
                true => a.widen(here, b, there),
                false => a.join(here, b, there),
            })),
            (Timed::Progression(a), Timed::Progression(b)) => {
                Some(Timed::Progression(if widens { a.widen(b) } else { a.join(b) }))
            }
            _ => None,
        }
    }

    /// Whether this, with this clock, says all that the other says.
    fn is_subset(self, clock: Clock, other: Timed) -> bool {
        match (self, other) {
            (Timed::Counter(a), Timed::Counter(b)) => a.is_subset(clock, b),
            (Timed::Progression(a), Timed::Progression(b)) => a.is_subset(b),
            _ => false,
        }
    }

    /// A value as far as this allows it, if that is less. Where nothing is left no run comes: any value will do.
    pub fn within(self, kind: &Kind, clock: Clock) -> Option<Kind> {
        let within = match (self, kind) {
            (Timed::Counter(counter), Kind::Number(n)) => Kind::Number(counter.within(n, clock)),
            (Timed::Progression(progression), Kind::Float(f)) => Kind::Float(progression.within(f, clock)),
            _ => return None,
        };
        (within != *kind).then_some(within)
    }

    /// In words, of something with a name.
    pub fn text(self, name: &str) -> Vec<String> {
        match self {
            Timed::Counter(counter) => counter.text(name),
            Timed::Progression(progression) => progression.text(name).into_iter().collect(),
        }
    }
}

/// Merges entries; what one side has none of follows from the values there.
pub struct MergeTimed<A, B> {
    /// Whether this widens.
    pub widens: bool,
    /// The two clocks.
    pub clocks: [Clock; 2],
    /// What follows on the left.
    pub here: A,
    /// What follows on the right.
    pub there: B,
}

impl<A, B> Merge<Timed> for MergeTimed<A, B>
where
    A: Fn(u64, Shape) -> Option<Timed>,
    B: Fn(u64, Shape) -> Option<Timed>,
{
    fn both(&mut self, _: u64, a: &Timed, b: &Timed) -> Change<Timed> {
        match a.merge(self.clocks[0], *b, self.clocks[1], self.widens) {
            None => Change::Drop,
            Some(merged) if merged == *a => Change::Keep,
            Some(merged) => Change::To(merged),
        }
    }

    fn left(&mut self, key: u64, a: &Timed) -> Change<Timed> {
        match (self.there)(key, a.shape()) {
            Some(b) => self.both(key, a, &b),
            None => Change::Drop,
        }
    }

    fn right(&mut self, key: u64, b: &Timed) -> Change<Timed> {
        // An entry that widening meets for the first time is as good as one from a join.
        let here = (self.here)(key, b.shape());
        match here.and_then(|a| a.merge(self.clocks[0], *b, self.clocks[1], false)) {
            Some(joined) => Change::To(joined),
            None => Change::Drop,
        }
    }
}

/// What follows from what stands in an object.
pub fn from_contents(contents: &Contents, clock: Clock, at: u64, shape: Shape) -> Option<Timed> {
    crate::footprint::look_at_clock();
    Timed::of_value(&contents.read(&Int::constant(i128::from(at)), shape), shape, clock)
}

impl State {
    fn timed_register(&self, local: u64, shape: Shape) -> Option<Timed> {
        Timed::of_value(self.registers.get(local)?, shape, self.memory.clock()?)
    }

    /// The entries of registers, joined or widened.
    pub(crate) fn merge_timed(&self, other: &State, widens: bool) -> Map<Timed> {
        let (Some(a), Some(b)) = (self.memory.peek_clock(), other.memory.peek_clock()) else {
            return Map::default();
        };
        let here = |local, shape| self.timed_register(local, shape);
        let there = |local, shape| other.timed_register(local, shape);
        self.timed.merge(&other.timed, &mut MergeTimed { widens, clocks: [a, b], here, there })
    }

    /// Whether all that another state says of registers against the clock holds here.
    pub(crate) fn timed_within(&self, other: &State) -> bool {
        let Some(clock) = self.memory.peek_clock() else { return other.timed.is_empty() };
        other.timed.all_mine(&self.timed, &mut |local, there, mine| {
            let mine = mine.copied().or_else(|| self.timed_register(local, there.shape()));
            mine.is_some_and(|mine| mine.is_subset(clock, *there))
        })
    }

    /// The value of a register as far as the clock allows it, if that is less.
    pub(crate) fn clocked(&self, local: LocalId, kind: &Kind) -> Option<Kind> {
        self.timed.get(u64::from(local.0))?.within(kind, self.memory.clock()?)
    }
}

impl Contents {
    /// What both say of scalars against their clocks; [`Contents::merge`] leaves it out.
    pub fn merge_timed(&mut self, a: &Contents, b: &Contents, clocks: [Option<Clock>; 2], widens: bool) {
        let [Some(first), Some(second)] = clocks else { return };
        if a.timed().is_empty() && b.timed().is_empty() {
            return;
        }
        let here = |at, shape| from_contents(a, first, at, shape);
        let there = |at, shape| from_contents(b, second, at, shape);
        let merge = &mut MergeTimed { widens, clocks: [first, second], here, there };
        self.set_timed(a.timed().merge(b.timed(), merge));
    }

    /// Whether all that another says of scalars against the clock holds here, where the clock is this.
    pub fn timed_within(&self, other: &Contents, clock: Option<Clock>) -> bool {
        let Some(clock) = clock else { return other.timed().is_empty() };
        other.timed().all_mine(self.timed(), &mut |at, there, mine| {
            let mine = mine.copied().or_else(|| from_contents(self, clock, at, there.shape()));
            mine.is_some_and(|mine| mine.is_subset(clock, *there))
        })
    }

    /// The clock ticks, and is this from now on.
    fn tick(&mut self, clock: Clock) {
        self.set_timed(self.timed().filter_map(&mut |_, timed| Change::To(timed.tick())));
        for (at, timed) in self.timed().clone().iter() {
            let shape = timed.shape();
            let value = self.read(&Int::constant(i128::from(at)), shape);
            if let Some(kept) = timed.within(&value.kind, clock).filter(|_| !value.uninit) {
                self.restrict(at, shape, &kept);
            }
        }
    }
}

impl<'p> Analyser<'p> {
    /// A call of a function that waits for the clock: the state after the tick, if there is one more.
    pub(crate) fn tick_of(&self, callee: FuncId, state: &State) -> Option<Option<State>> {
        let ticks = self.options.ticks.as_ref()?;
        let clock = state.memory.clock().filter(|_| ticks.functions.contains(&callee))?;
        let Some(clock) = clock.tick() else { return Some(None) };
        let mut ticked = state.clone();
        ticked.memory = ticked.memory.filter_map(&mut |_, obj| {
            if obj.contents.timed().is_empty() {
                return Change::Keep;
            }
            let mut new = (**obj).clone();
            new.contents.tick(clock);
            Change::To(std::sync::Arc::new(new))
        });
        ticked.memory.set_clock(clock);
        Some(Some(ticked))
    }

    /// Whether the clock may tick in calls that a function makes.
    pub(crate) fn may_tick(&mut self, function: FuncId) -> bool {
        let (program, options) = (self.program, self.options);
        options.ticks.as_ref().is_some_and(|ticks| {
            let inside = self.ticking.get_or_insert_with(|| callers(program, &ticks.functions));
            inside.contains(&function)
        })
    }

    /// What is known of the registers of the caller, after a call.
    pub(crate) fn tick_registers(&mut self, callee: FuncId, state: &mut State) {
        let Some(ticks) = &self.options.ticks else { return };
        if state.timed.is_empty() {
            return;
        }
        if self.may_tick(callee) {
            state.timed = Map::default();
        } else if ticks.functions.contains(&callee) {
            let Some(clock) = state.memory.clock().and_then(Clock::tick) else { return };
            state.timed = state.timed.filter_map(&mut |_, timed| Change::To(timed.tick()));
            for (local, timed) in state.timed.iter() {
                let value = state.registers.get(local).filter(|value| !value.uninit);
                if let Some(kind) = value.and_then(|value| timed.within(&value.kind, clock)) {
                    state.registers.insert(local, Value::new(kind));
                }
            }
        }
    }

    /// What is known of the value of an expression against the clock. Sums begin something, copies hand it on.
    pub(crate) fn timed(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
        goal: Option<Goal>,
    ) -> Option<Timed> {
        let ty = frame.body.exprs[expr].ty;
        match self.types.class(ty) {
            Class::Int(ty) if ty.bits < 128 => {
                self.options.ticks.as_ref().filter(|_| self.uses(Domain::Clock))?;
                self.counter(frame, state, expr).map(Timed::Counter)
            }
            Class::Float(_) => self.progression(frame, state, expr, goal).map(Timed::Progression),
            _ => None,
        }
    }

    /// What is known of a value that is about to be stored.
    pub(crate) fn timed_store(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        value: ExprId,
    ) -> Option<Timed> {
        let is_float = self.types.float_format(frame.body.exprs[value].ty).is_some();
        let goal = if is_float { self.cell(frame, state, place).map(Goal::Cell) } else { None };
        self.timed(frame, state, value, goal)
    }

    fn counter(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<Counter> {
        let node = &frame.body.exprs[expr];
        let ty = self.types.int_type(node.ty).filter(|ty| ty.bits < 128)?;
        match &node.kind {
            ExprKind::Local(local) => match state.timed.get(u64::from(local.0))? {
                Timed::Counter(counter) => Some(*counter),
                Timed::Progression(_) => None,
            },
            ExprKind::Cast(inner) => {
                let known = self.counter(frame, state, *inner)?;
                self.number(frame, state, *inner, 2).fits(ty).is_true().then_some(known.as_type(ty))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (a, b) = (self.number(frame, state, *left, 2), self.number(frame, state, *right, 2));
                let b = if *op == BinaryOp::Sub { b.neg() } else { b };
                let sum = a.add(&b);
                let exact = self.cut_arithmetic && frame.unwrapped.contains(&expr) || sum.fits(ty).is_true();
                if !exact {
                    return None;
                }
                let grown = match self.counter(frame, state, *left) {
                    Some(known) => known.grow(&b),
                    None => match self.counter(frame, state, *right).filter(|_| *op == BinaryOp::Add) {
                        Some(known) => known.grow(&a),
                        None => Counter::of_range(&sum.meet(&Int::of_type(ty))?, ty, state.memory.clock()?),
                    },
                };
                Some(grown.as_type(ty))
            }
            _ => None,
        }
    }

    /// A register was assigned what something is known of against the clock.
    pub(crate) fn set_timed(&self, state: &mut State, local: LocalId, timed: Option<Timed>) {
        let Some(timed) = timed else { return };
        let key = u64::from(local.0);
        let Some(value) = state.registers.get(key).filter(|value| !value.uninit) else { return };
        let within = state.memory.clock().and_then(|clock| timed.within(&value.kind, clock));
        if let Some(kind) = within {
            state.registers.insert(key, Value::new(kind));
        }
        state.timed.insert(key, timed);
    }

    /// What is known of the cell against the clock that a register has been loaded from.
    pub(crate) fn load_timed(&self, state: &mut State, local: LocalId, from: &Address, shape: Shape) {
        let Some((object, offset)) = single(from).filter(|(object, _)| !self.is_summary(*object)) else {
            return;
        };
        let (Some(obj), Some(Ok(at))) = (state.object(object), offset.as_constant().map(u64::try_from))
        else {
            return;
        };
        let timed = obj.contents.timed().get(at).copied();
        self.set_timed(state, local, timed.filter(|timed| timed.shape() == shape));
    }

    /// Something is known against the clock of what was stored.
    pub(crate) fn store_timed(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        timed: Option<Timed>,
    ) {
        let Some(timed) = timed else { return };
        let Some(cell) = self.cell(frame, state, place).filter(|cell| cell.shape == timed.shape()) else {
            return;
        };
        let Some(obj) = state.object(cell.object) else { return };
        let mut new = (**obj).clone();
        let mut entries = new.contents.timed().clone();
        entries.insert(cell.offset, timed);
        new.contents.set_timed(entries);
        state.set_object(cell.object, new);
    }
}

/// The functions in which one of these may be called. One without a body may call what it is handed.
fn callers(program: &Program, functions: &FxHashSet<FuncId>) -> FxHashSet<FuncId> {
    let mut callees = crate::callgraph::callees(program);
    let taken: Vec<usize> = crate::callgraph::address_taken(program).iter().map(|f| f.index()).collect();
    for (id, function) in program.functions.iter_enumerated() {
        if function.body.is_none() {
            callees[id.index()].clone_from(&taken);
        }
    }
    let mut found: FxHashSet<usize> = FxHashSet::default();
    loop {
        let calls = |list: &Vec<usize>| {
            list.iter().any(|f| found.contains(f) || functions.contains(&FuncId::new(*f)))
        };
        let new: Vec<usize> =
            (0..callees.len()).filter(|f| !found.contains(f) && calls(&callees[*f])).collect();
        if new.is_empty() {
            return found.into_iter().map(FuncId::new).collect();
        }
        found.extend(new);
    }
}
