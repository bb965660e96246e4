// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of scalars against the clock, and where: integers by `clock`, floats by `progression`.
//!
//! A cell of memory or a register gets an entry when a sum is assigned to it; floats without a clock too, since the clock
//! of a program in which nothing ticks stands still. What an entry would say on a path that has
//! none follows from the range of the value there and from that of the clock, so that a join of the two says something.
//! An entry that says nothing any more stays, so that widening does not begin anew with it.

use clew_ir::syntax::{BinaryOp, ExprId, ExprKind, FuncId, LocalId, Place};
use clew_ir::types::Class;

use crate::domain::clock::{Clock, Counter};
use crate::domain::clocked::Clocked;
use crate::domain::int::Int;
use crate::domain::shape::Shape;
use crate::domain::value::{Address, Value, single};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::map::{Change, Map};
use crate::state::State;
use crate::transfer::progression::Goal;

impl<'p> Facts<'p> {
    /// A call of a function that waits for the clock: the state after the tick, if there is one more.
    pub(crate) fn tick_of(&self, callee: FuncId, state: &State) -> Option<Option<State>> {
        let ticks = self.options.ticks.as_ref()?;
        let clock = state.memory.clock().filter(|_| ticks.functions.contains(&callee))?;
        let Some(clock) = clock.tick() else { return Some(None) };
        let mut ticked = state.clone();
        ticked.memory = ticked.memory.filter_map(&mut |_, obj| {
            if obj.contents.clocked().is_empty() {
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
    pub(crate) fn may_tick(&self, function: FuncId) -> bool {
        self.options.ticks.as_ref().is_some_and(|ticks| self.ticking(ticks).contains(&function))
    }

    /// What is known of the registers of the caller, after a call.
    pub(crate) fn tick_registers(&self, callee: FuncId, state: &mut State) {
        let Some(ticks) = &self.options.ticks else { return };
        if state.clocked.is_empty() {
            return;
        }
        if self.may_tick(callee) {
            state.clocked = Map::default();
        } else if ticks.functions.contains(&callee) {
            let Some(clock) = state.memory.clock().and_then(Clock::tick) else { return };
            state.clocked = state.clocked.filter_map(&mut |_, clocked| Change::To(clocked.tick()));
            for (local, clocked) in state.clocked.clone().iter() {
                let value = state.registers().get(local).filter(|value| !value.uninit);
                if let Some(kind) = value.and_then(|value| clocked.within(&value.kind, clock)) {
                    state.refine_register(local, Value::new(kind));
                }
            }
        }
    }

    /// What is known of the cell against the clock that a register has been loaded from.
    pub(crate) fn load_clocked(&self, state: &mut State, local: LocalId, from: &Address, shape: Shape) {
        let Some((object, offset)) = single(from).filter(|(object, _)| !self.is_summary(*object)) else {
            return;
        };
        let (Some(obj), Some(Ok(at))) = (state.object(object), offset.as_constant().map(u64::try_from))
        else {
            return;
        };
        let clocked = obj.contents.clocked().get(at).copied();
        set_clocked(state, local, clocked.filter(|clocked| clocked.shape() == shape));
    }
}

impl<'p> Evaluator<'p> {
    /// What is known of the value of an expression against the clock. Sums begin something, copies hand it on.
    pub(crate) fn clocked(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
        goal: Option<Goal>,
    ) -> Option<Clocked> {
        let ty = frame.body.exprs[expr].ty;
        match self.facts.types.class(ty) {
            Class::Int(ty) if ty.bits < 128 => {
                self.facts.options.ticks.as_ref().filter(|_| self.uses(Domain::Clock))?;
                self.counter(frame, state, expr).map(Clocked::Counter)
            }
            Class::Float(_) => self.progression(frame, state, expr, goal).map(Clocked::Progression),
            _ => None,
        }
    }

    /// What is known of a value that is about to be stored.
    pub(crate) fn clocked_store(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        value: ExprId,
    ) -> Option<Clocked> {
        let is_float = self.facts.types.float_format(frame.body.exprs[value].ty).is_some();
        let goal = if is_float { self.cell(frame, state, place).map(Goal::Cell) } else { None };
        self.clocked(frame, state, value, goal)
    }

    fn counter(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<Counter> {
        let node = &frame.body.exprs[expr];
        let ty = self.facts.types.int_type(node.ty).filter(|ty| ty.bits < 128)?;
        match &node.kind {
            ExprKind::Local(local) => match state.clocked.get(*local)? {
                Clocked::Counter(counter) => Some(*counter),
                Clocked::Progression(_) => None,
            },
            ExprKind::Cast(inner) => {
                let known = self.counter(frame, state, *inner)?;
                self.number(frame, state, *inner, 2).fits(ty).is_true().then_some(known.as_type(ty))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (a, b) = (self.number(frame, state, *left, 2), self.number(frame, state, *right, 2));
                let b = if *op == BinaryOp::Sub { b.neg() } else { b };
                let sum = a.add(&b);
                let exact = self.context.prune_arithmetic && frame.unwrapped.contains(&expr)
                    || sum.fits(ty).is_true();
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
}

impl<'p> Transfer<'p> {
    /// Something is known against the clock of what was stored.
    pub(crate) fn store_clocked(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        clocked: Option<Clocked>,
    ) {
        let Some(clocked) = clocked else { return };
        let Some(cell) = self.eval.cell(frame, state, place).filter(|cell| cell.shape == clocked.shape())
        else {
            return;
        };
        let Some(obj) = state.object(cell.object) else { return };
        let mut new = (**obj).clone();
        let mut entries = new.contents.clocked().clone();
        entries.insert(cell.offset, clocked);
        new.contents.set_clocked(entries);
        state.set_object(cell.object, new);
    }
}

/// A register was assigned what something is known of against the clock.
pub(crate) fn set_clocked(state: &mut State, local: LocalId, clocked: Option<Clocked>) {
    let Some(clocked) = clocked else { return };
    let Some(value) = state.registers().get(local).filter(|value| !value.uninit) else { return };
    let within = state.memory.clock().and_then(|clock| clocked.within(&value.kind, clock));
    if let Some(kind) = within {
        state.refine_register(local, Value::new(kind));
    }
    state.clocked.insert(local, clocked);
}
