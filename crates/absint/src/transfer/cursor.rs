// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pointers that walk: expressions as a variable plus a constant, what assignments and tests say of them, and accesses
//! that lie inside their object because of it.
//!
//! Measured: 38 programs of the dev lists are lost without it (19 arrays, 14 memory safety, 4 of verisec), nothing in 10,000 lines of
//! `bench synchronous`.

use clew_ir::syntax::{CompareOp, ExprId, ExprKind, LocalId, Place, PlaceBase, Projection, TypeId};
use clew_ir::types::Class;

use crate::domain::Tri;
use crate::domain::difference::from_ranges;
use crate::domain::int::Int;
use crate::domain::ranges::Ranges;
use crate::domain::value::{Address, Kind, Value, single};
use crate::domain::var::{LARGEST_UNIT, Var};
use crate::effort::cursor::{FARTHEST, MOST_MOVING};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::program::comparison::Comparison;
use crate::program::object::ObjectId;
use crate::state::State;
use crate::transfer::eval::{decided, register_int};

/// What an assignment does to differences.
pub(crate) enum Follow {
    /// The pointer in the register moves.
    Moves(Step),
    /// The integer in the register grows by something between two numbers.
    Grows(i128, i128),
    /// `x - y <= c` afterwards, for each.
    Learns(Vec<(Var, Var, i128)>),
}

/// A place as a pointer or an object, a constant number of bytes further on, and perhaps an index times a stride.
struct Reach {
    pointer: Option<(LocalId, i128)>,
    /// Of the one object that it is in, if there is one, where the pointer is at a constant offset.
    start: Option<(ObjectId, i128)>,
    bytes: i128,
    index: Option<(Var, i128)>,
}

/// Bytes that a pointer moves, and what is left of its offset in the largest unit, where that is known.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    bytes: i128,
    /// The offset before, modulo a power of two.
    residue: Option<(u32, i128)>,
}

impl Step {
    /// So many bytes from where a register points.
    fn new(state: &State, from: LocalId, bytes: i128) -> Step {
        let offset = single(&state.register(from).kind.to_address()).map(|(_, offset)| offset);
        let known = |unit: u32| offset.and_then(|offset| residue(&offset, unit)).map(|r| (unit, r));
        Step { bytes, residue: (0..=LARGEST_UNIT).rev().find_map(known) }
    }

    /// How much the offset grows in units, rounded down as it is.
    pub(crate) fn of_offset(&self, unit: u32) -> Option<i128> {
        match self.residue {
            _ if self.bytes.rem_euclid(1 << unit) == 0 => Some(self.bytes >> unit),
            Some((known, residue)) if known >= unit => {
                Some((residue.rem_euclid(1 << unit) + self.bytes).div_euclid(1 << unit))
            }
            _ => None,
        }
    }

    /// How much the room grows.
    pub(crate) fn of_room(&self, unit: u32) -> Option<i128> {
        (self.bytes.rem_euclid(1 << unit) == 0).then_some(-(self.bytes >> unit))
    }
}

fn equal(x: Var, y: Var, c: i128) -> [(Var, Var, i128); 2] {
    [(x, y, c), (y, x, -c)]
}

fn unit_of(stride: u64) -> Option<u32> {
    let unit = stride.max(1).trailing_zeros();
    (stride == 1 << unit && unit <= LARGEST_UNIT).then_some(unit)
}

/// What all offsets leave when they are divided by a unit.
fn residue(offset: &Int, unit: u32) -> Option<i128> {
    if let Some(c) = offset.as_constant() {
        return Some(c.rem_euclid(1 << unit));
    }
    let (modulus, remainder) = offset.stride();
    (modulus % (1 << unit) == 0).then(|| remainder.rem_euclid(1 << unit))
}

/// Whether all offsets are multiples of a unit.
fn divides(offset: &Int, unit: u32) -> bool {
    residue(offset, unit) == Some(0)
}

impl<'p> Facts<'p> {
    /// The unit in which pointers of a type are counted: none for those to records and functions.
    pub(crate) fn unit(&self, ty: TypeId) -> Option<u32> {
        let pointee = self.types.pointee(ty)?;
        match self.types.class(pointee) {
            Class::Void => Some(0),
            Class::Int(_) | Class::Float(_) | Class::Pointer => unit_of(self.types.size_of(pointee)),
            Class::Aggregate | Class::Function => None,
        }
    }

    /// A pointer as a register and so many bytes.
    pub(crate) fn moved(&self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<(LocalId, i128)> {
        let node = &frame.body.exprs[expr];
        if self.types.class(node.ty) != Class::Pointer {
            return None;
        }
        match &node.kind {
            ExprKind::Local(local) => (!state.register(*local).uninit).then_some((*local, 0)),
            ExprKind::Cast(inner) => self.moved(frame, state, *inner),
            ExprKind::PointerAdd { pointer, index, stride } => {
                let ExprKind::Int(by) = frame.body.exprs[*index].kind else { return None };
                let (local, bytes) = self.moved(frame, state, *pointer)?;
                let by = by.checked_mul(i128::from(*stride)).filter(|by| by.abs() < FARTHEST)?;
                Some((local, bytes + by))
            }
            ExprKind::AddressOf(place) => {
                let PlaceBase::Deref(inner) = place.base else { return None };
                let (local, bytes) = self.moved(frame, state, inner)?;
                let by = i128::from(self.types.constant_offset(frame.body, place)?);
                (by.abs() < FARTHEST).then_some((local, bytes + by))
            }
            _ => None,
        }
    }

    /// Whether a pointer has room for so many bytes.
    fn room_for(&self, state: &State, reach: &Reach, address: &Address, end: i128) -> bool {
        let Some((local, _)) = reach.pointer else { return false };
        let object = single(address);
        (0..=LARGEST_UNIT).any(|unit| {
            // What it has room for.
            if state.domains.relations.mentions(Var::Room(local, unit))
                && state.least(Var::Room(local, unit)).is_some_and(|lo| lo << unit >= end)
            {
                return true;
            }
            let at = Var::Offset(local, unit);
            object.as_ref().filter(|_| state.domains.relations.mentions(at)).is_some_and(
                |(object, offset)| {
                    let start = offset.sub(&Int::constant(reach.bytes));
                    // What rounding down took away.
                    let end = end + residue(&start, unit).unwrap_or((1 << unit) - 1);
                    let most = state.apart(at, Var::Size(*object, unit));
                    let size = self.size(state, *object).lo();
                    most.is_some_and(|most| (most << unit) + end <= 0)
                        || state.greatest(at).is_some_and(|hi| (hi << unit) + end <= size)
                },
            )
        })
    }

    /// Two pointers into one object, each a register and so many units.
    pub(crate) fn cursors(
        &self,
        frame: &Frame<'p>,
        state: &State,
        left: ExprId,
        right: ExprId,
    ) -> Option<(LocalId, i128, LocalId, i128, u32)> {
        let ((p, a), (q, b)) = (self.moved(frame, state, left)?, self.moved(frame, state, right)?);
        let (object, from) = single(&state.register(p).kind.to_address())?;
        let (other, to) = single(&state.register(q).kind.to_address())?;
        if object != other || self.is_summary(object) {
            return None;
        }
        let unit = self.unit(frame.body.locals[p].ty).unwrap_or(0);
        let whole = divides(&from, unit) && divides(&to, unit);
        let whole = whole && a.rem_euclid(1 << unit) == 0 && b.rem_euclid(1 << unit) == 0;
        whole.then_some((p, a >> unit, q, b >> unit, unit))
    }

    /// A comparison of two pointers into one object by what is remembered.
    pub(crate) fn compare_cursors(&self, frame: &Frame<'p>, state: &State, test: Comparison) -> Tri {
        let Comparison { op, left, right } = test;
        let Some((p, a, q, b, unit)) = self.cursors(frame, state, left, right) else { return Tri::Maybe };
        let (x, y) = (Var::Offset(p, unit), Var::Offset(q, unit));
        let most = state.most(x, y).map(|c| c + a - b);
        let least = state.most(y, x).map(|c| a - b - c);
        decided(op, most, least)
    }
}

impl<'p> Evaluator<'p> {
    /// An integer expression as a variable plus a constant, if it surely is that mathematically.
    pub(crate) fn form(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<(Var, i128)> {
        if let Some((local, plus)) = self.offset_local(frame, state, expr) {
            return Some((Var::Register(local), plus));
        }
        let node = &frame.body.exprs[expr];
        match &node.kind {
            ExprKind::Cast(inner) => {
                let ty = self.facts.types.int_type(node.ty)?;
                let (var, plus) = self.form(frame, state, *inner)?;
                let range = state.var_range(var)?.add(&Int::constant(plus));
                range.fits(ty).is_true().then_some((var, plus))
            }
            ExprKind::PointerDifference { left, right, stride } => {
                let unit = unit_of(*stride)?;
                let (local, bytes) = self.facts.moved(frame, state, *left)?;
                let (object, from) = single(&self.eval(frame, state, *left).kind.to_address())?;
                let (other, to) = single(&self.eval(frame, state, *right).kind.to_address())?;
                let by = bytes - to.as_constant()?;
                let whole = object == other && divides(&from, unit) && by.rem_euclid(1 << unit) == 0;
                let range = state.var_range(Var::Offset(local, unit))?;
                let small = range.lo() > -FARTHEST && range.hi() < FARTHEST;
                (whole && small && !self.facts.is_summary(object))
                    .then_some((Var::Offset(local, unit), by >> unit))
            }
            ExprKind::Binary(..) => {
                let (local, scale, plus) = crate::transfer::linear::one_term(self, frame, state, expr)?;
                (scale == 1).then_some((Var::Register(local), plus))
            }
            _ => None,
        }
    }

    /// What an assignment says of where its register points, or of a register that holds a distance.
    pub(crate) fn follow(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        local: LocalId,
        expr: ExprId,
    ) -> Option<Follow> {
        match self.facts.types.class(frame.body.exprs[expr].ty) {
            Class::Int(int) => {
                let Some((var, plus)) = self.form(frame, state, expr) else {
                    return if int.bits < 128 { self.follow_sum(frame, state, local, expr) } else { None };
                };
                let is_new = var.local() != Some(local);
                is_new.then(|| Follow::Learns(equal(Var::Register(local), var, plus).to_vec()))
            }
            Class::Pointer => self.follow_pointer(frame, state, local, expr),
            _ => None,
        }
    }

    fn follow_pointer(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        local: LocalId,
        expr: ExprId,
    ) -> Option<Follow> {
        let own = self.facts.unit(frame.body.exprs[expr].ty).filter(|_| self.uses(Domain::Cursors));
        own?;
        if let Some((base, bytes)) = self.facts.moved(frame, state, expr) {
            let step = Step::new(state, base, bytes);
            if base == local {
                return Some(Follow::Moves(step));
            }
            let known =
                |unit: &u32| Some(*unit) != own && state.domains.relations.mentions(Var::Offset(base, *unit));
            let mut learned = Vec::new();
            for unit in own.into_iter().chain((0..=LARGEST_UNIT).filter(known)) {
                if let Some(by) = step.of_offset(unit) {
                    learned.extend(equal(Var::Offset(local, unit), Var::Offset(base, unit), by));
                }
                if let Some(by) = step.of_room(unit) {
                    learned.extend(equal(Var::Room(local, unit), Var::Room(base, unit), by));
                }
            }
            return Some(Follow::Learns(learned));
        }
        let reach = self.reach_of_pointer(frame, state, expr)?;
        let (var, stride) = reach.index?;
        let unit = unit_of(u64::try_from(stride).ok()?)?;
        if var.local() == Some(local) {
            return None;
        }
        let mut learned = Vec::new();
        if let Some((_, start)) = reach.start {
            learned.extend(equal(Var::Offset(local, unit), var, (start + reach.bytes) >> unit));
        }
        if let Some((base, _)) = reach.pointer
            && base != local
            && reach.bytes.rem_euclid(stride) == 0
            && let Some(range) = state.var_range(var)
        {
            // Both ways by the range of the index.
            let by = reach.bytes >> unit;
            learned.push((Var::Offset(local, unit), Var::Offset(base, unit), range.hi() + by));
            learned.push((Var::Offset(base, unit), Var::Offset(local, unit), -range.lo() - by));
            learned.push((Var::Room(base, unit), Var::Room(local, unit), range.hi() + by));
            learned.push((Var::Room(local, unit), Var::Room(base, unit), -range.lo() - by));
        }
        Some(Follow::Learns(learned))
    }

    /// A pointer that is as far into its object as a variable plus a constant, in units.
    pub(crate) fn far_into(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
    ) -> Option<(Var, i128, u32)> {
        let reach = self.reach_of_pointer(frame, state, expr)?;
        let ((var, stride), (_, start)) = (reach.index?, reach.start?);
        let unit = unit_of(u64::try_from(stride).ok()?)?;
        Some((var, (start + reach.bytes) >> unit, unit))
    }

    /// A place, taken apart.
    fn reach(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<Reach> {
        let mut reach = match place.base {
            PlaceBase::Deref(expr) => self.reach_of_pointer(frame, state, expr)?,
            _ => {
                let whole = Place { projections: Vec::new(), ..place.clone() };
                let start = constant_start(&Value::new(self.address(frame, state, &whole).into_kind()?));
                Reach { pointer: None, start, bytes: 0, index: None }
            }
        };
        for step in &place.projections {
            match step {
                Projection::Field { record, field } => {
                    reach.bytes += i128::from(self.facts.types.field(*record, *field)?.offset)
                }
                Projection::Index { index, stride, .. } => {
                    self.add_index(frame, state, &mut reach, *index, *stride)?;
                }
            }
        }
        Some(reach)
    }

    fn reach_of_pointer(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<Reach> {
        if let Some((local, bytes)) = self.facts.moved(frame, state, expr) {
            let start = constant_start(&state.register(local));
            return Some(Reach { pointer: Some((local, bytes)), start, bytes, index: None });
        }
        match &frame.body.exprs[expr].kind {
            ExprKind::Cast(inner)
                if self.facts.types.class(frame.body.exprs[*inner].ty) == Class::Pointer =>
            {
                self.reach_of_pointer(frame, state, *inner)
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                let mut reach = self.reach_of_pointer(frame, state, *pointer)?;
                self.add_index(frame, state, &mut reach, *index, *stride)?;
                Some(reach)
            }
            ExprKind::AddressOf(place) => self.reach(frame, state, place),
            _ => {
                let value = self.eval(frame, state, expr);
                let start = constant_start(&value);
                start.map(|_| Reach { pointer: None, start, bytes: 0, index: None })
            }
        }
    }

    fn add_index(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        reach: &mut Reach,
        index: ExprId,
        stride: u64,
    ) -> Option<()> {
        let stride = i128::from(stride);
        if let ExprKind::Int(c) = frame.body.exprs[index].kind {
            reach.bytes += c.checked_mul(stride).filter(|by| by.abs() < FARTHEST)?;
            return Some(());
        }
        let (var, plus) = self.form(frame, state, index)?;
        let range = state.var_range(var)?;
        if reach.index.is_some() || range.lo() < -FARTHEST || range.hi() > FARTHEST || plus.abs() > FARTHEST {
            return None;
        }
        reach.bytes += plus.checked_mul(stride)?;
        reach.index = Some((var, stride));
        Some(())
    }

    /// The offset of a place in its object, in bytes, as a variable plus a constant.
    pub(crate) fn byte_of(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<(Var, i128)> {
        let reach = self.reach(frame, state, place)?;
        match (reach.index, reach.pointer, reach.start) {
            (None, Some((local, _)), _) => Some((Var::Offset(local, 0), reach.bytes)),
            (Some((var, 1)), _, Some((_, start))) => Some((var, start + reach.bytes)),
            _ => None,
        }
    }

    /// Whether an access lies inside its object by what is remembered of differences.
    pub(crate) fn inside_object(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        address: &Address,
        bytes: i128,
    ) -> bool {
        if state.domains.relations.is_empty() || address.unknown || address.number.is_some() {
            return false;
        }
        let Some(reach) = self.reach(frame, state, place) else { return false };
        let end = reach.bytes + bytes;
        let from_start =
            address.targets.iter().all(|(_, offset)| offset.lo() >= 0) || is_after_start(state, &reach);
        from_start
            && match reach.index {
                None => self.facts.room_for(state, &reach, address, end),
                Some((var, stride)) => room_for_index(state, &reach, var, stride, end),
            }
    }
}

impl<'p> Transfer<'p> {
    /// A register has come to point to the start of an object, or a constant distance from it: the room that is left is
    /// its size.
    pub(crate) fn anchor(&mut self, state: &mut State, local: LocalId, ty: TypeId) {
        if state.domains.relations.is_empty() {
            return;
        }
        let Some(unit) = self.eval.facts.unit(ty) else { return };
        let value = state.register(local);
        let Some((object, start)) = constant_start(&value) else { return };
        let size = Var::Size(object, unit);
        if start.rem_euclid(1 << unit) == 0
            && !self.eval.facts.is_summary(object)
            && state.domains.relations.mentions(size)
        {
            self.eval.relate_equal(
                &mut state.domains.relations,
                Var::Room(local, unit),
                size,
                -(start >> unit),
            );
        }
    }

    /// Remembers a comparison of pointers, or of distances between them.
    pub(crate) fn learn_cursors(&mut self, frame: &Frame<'p>, state: &mut State, test: Comparison) {
        let Comparison { op, left, right } = test;
        if self.eval.facts.types.class(frame.body.exprs[left].ty) != Class::Pointer {
            if let (Some(x), Some(y)) =
                (self.eval.form(frame, state, left), self.eval.form(frame, state, right))
            {
                self.compared(state, op, x, y);
            }
            return;
        }
        if let Some((p, a, q, b, unit)) = self.eval.facts.cursors(frame, state, left, right) {
            self.compared(state, op, (Var::Offset(p, unit), a), (Var::Offset(q, unit), b));
            self.compared(state, op, (Var::Room(q, unit), -b), (Var::Room(p, unit), -a));
        }
    }

    /// Remembers `x + a op y + b`.
    pub(crate) fn compared(
        &self,
        state: &mut State,
        op: CompareOp,
        (x, a): (Var, i128),
        (y, b): (Var, i128),
    ) {
        match op {
            CompareOp::Lt => self.eval.relate(&mut state.domains.relations, x, y, b - a - 1),
            CompareOp::Le => self.eval.relate(&mut state.domains.relations, x, y, b - a),
            CompareOp::Gt => self.eval.relate(&mut state.domains.relations, y, x, a - b - 1),
            CompareOp::Ge => self.eval.relate(&mut state.domains.relations, y, x, a - b),
            CompareOp::Eq => self.eval.relate_equal(&mut state.domains.relations, x, y, b - a),
            CompareOp::Ne => {
                if state.most(x, y) == Some(b - a) {
                    self.eval.relate(&mut state.domains.relations, x, y, b - a - 1);
                }
                if state.most(y, x) == Some(a - b) {
                    self.eval.relate(&mut state.domains.relations, y, x, a - b - 1);
                }
            }
        }
    }

    /// A register turned out to be in a smaller range: registers that were computed from it may now be known to be a
    /// constant away, as `n - 1` is from `n` once that is not zero, and copies of it are in that range, too.
    pub(crate) fn follow_readers(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId) {
        let flow = frame.flow.clone();
        for reader in flow.readers.get(&local).into_iter().flatten().filter(|reader| **reader != local) {
            let Some(crate::state::Definition::Expr(expr)) = state.definitions.get(*reader) else {
                continue;
            };
            if let Some((from, by)) = self.eval.offset_local(frame, state, *expr)
                && from == local
                && let Some(range) = register_int(state, local)
                && let Some(own) = register_int(state, *reader)
            {
                if by != 0 {
                    self.eval.relate_equal(&mut state.domains.relations, *reader, local, by);
                }
                if let Some(kept) = own.meet(&range.add(&Int::constant(by))) {
                    state.refine_register(*reader, Value::number(kept));
                }
            }
        }
    }

    /// Registers that an iteration of a loop moved together: what ranges say of their differences before and after it, and
    /// what did not grow, is worth remembering, for ranges will forget it.
    pub(crate) fn relate_moving(&self, frame: &Frame<'p>, joined: &mut State, before: &State, after: &State) {
        let mut moving: Vec<Var> = Vec::new();
        let mut note = |local: LocalId, from: &Value, to: Option<&Value>| {
            if let (Some(info), Some(to)) = (frame.body.locals.get(local), to)
                && from != to
                && moving.len() < MOST_MOVING
            {
                moving.extend(match self.eval.facts.types.class(info.ty) {
                    Class::Int(int) if int.bits > 1 && int.bits < 128 => Some(Var::Register(local)),
                    Class::Pointer => self.eval.facts.unit(info.ty).map(|unit| Var::Offset(local, unit)),
                    _ => None,
                });
            }
            true
        };
        before.registers().all_pairs(after.registers(), &mut note, &mut |_, _| true);
        for x in &moving {
            for y in &moving {
                if let (Some(a), Some(b)) = (from_ranges(before, *x, *y), from_ranges(after, *x, *y))
                    && x != y
                    && b <= a
                {
                    self.eval.relate(&mut joined.domains.relations, *x, *y, a);
                }
            }
        }
        if self.eval.uses(Domain::Sums) {
            relate_opposite(&self.eval, &moving, joined, before, after);
        }
    }
}

fn is_after_start(state: &State, reach: &Reach) -> bool {
    match (reach.index, reach.pointer, reach.start) {
        (Some((var, stride)), _, Some((_, start))) => {
            state.least(var).is_some_and(|lo| lo * stride + start + reach.bytes >= 0)
        }
        (None, Some((local, _)), _) => {
            state.least(Var::Offset(local, 0)).is_some_and(|lo| lo + reach.bytes >= 0)
        }
        _ => false,
    }
}

/// Whether so many bytes behind an element lie inside.
fn room_for_index(state: &State, reach: &Reach, var: Var, stride: i128, end: i128) -> bool {
    let Some(unit) = u64::try_from(stride).ok().and_then(unit_of) else { return false };
    let fits = |most: Option<i128>, end: i128| most.is_some_and(|most| most * stride + end <= 0);
    let by_room = reach.pointer.is_some_and(|(local, _)| fits(state.apart(var, Var::Room(local, unit)), end));
    by_room
        || reach
            .start
            .is_some_and(|(object, start)| fits(state.apart(var, Var::Size(object, unit)), start + end))
}

/// Integers of which one grows while the other becomes less: their sum.
fn relate_opposite(eval: &Evaluator<'_>, moving: &[Var], joined: &mut State, before: &State, after: &State) {
    let grows = |var: Var| {
        let (from, to) = (before.var_range(var)?.hi(), after.var_range(var)?.hi());
        Some(from.cmp(&to))
    };
    for (index, x) in moving.iter().enumerate() {
        for y in &moving[index + 1..] {
            let (Var::Register(a), Var::Register(b)) = (*x, *y) else { continue };
            for (x, y) in [(*x, Var::Minus(b)), (Var::Minus(a), *y)] {
                let minus_y = if let Var::Minus(b) = y { Var::Register(b) } else { Var::Minus(b) };
                let (Some(p), Some(q)) = (grows(x), grows(minus_y)) else { continue };
                if let (Some(most), Some(now)) = (from_ranges(before, x, y), from_ranges(after, x, y))
                    && now <= most
                    && p == q.reverse()
                    && p.is_ne()
                {
                    eval.relate(&mut joined.domains.relations, x, y, most);
                }
            }
        }
    }
}

/// The one object that a pointer points into, and where, if that is one place.
fn constant_start(value: &Value) -> Option<(ObjectId, i128)> {
    let Kind::Address(address) = &value.kind else { return None };
    let (object, offset) = single(address)?;
    if value.uninit { None } else { Some((object, offset.as_constant()?)) }
}
