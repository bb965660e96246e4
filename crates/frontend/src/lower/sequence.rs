// SPDX-License-Identifier: MIT OR Apache-2.0
//! C's order of effects inside one full expression.
//!
//! Lowering picks one order (gcc's). Where C leaves the order open and it matters, there is an obligation: two
//! unsequenced effects on one object are `unsequenced` (undefined), calls whose effects meet are
//! `order-dependent`. Reads and writes are logged while an expression is lowered; an operator whose operands are
//! unsequenced compares what its operands logged.

use clew_base::index::IndexVec;
use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{
    ExprId, ExprKind, LocalId, ObligationId, Place, PlaceBase, Projection, Record, RecordId, StatementKind,
    Type, UnorderedMarker,
};
use clew_ir::types::TypeTable;
use rucc_sema::ExprKind as C;

use super::build::{CExpr, FunctionLowering};
use super::place::Lvalue;

/// What has been read and written in the present full expression.
#[derive(Default)]
pub(super) struct Effects {
    enabled: bool,
    log: Vec<Effect>,
}

/// What a part of an expression has read and written.
pub(super) struct Touches(Vec<Effect>);

#[derive(Clone)]
struct Effect {
    what: Touched,
    write: bool,
    /// A sequence point has passed since: done before any value that includes it.
    settled: bool,
}

#[derive(Clone)]
enum Touched {
    Local(LocalId),
    Memory(Place),
}

impl Effects {
    /// Begins a full expression; the log is kept only where order can matter.
    pub(super) fn begin(&mut self, enabled: bool) {
        self.log.clear();
        self.enabled = enabled;
    }

    pub(super) fn clear(&mut self) {
        self.begin(false);
    }

    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// A sequence point: what has been logged since the mark is done.
    pub(super) fn settle(&mut self, mark: usize) {
        self.log.iter_mut().skip(mark).for_each(|e| e.settled = true);
    }

    pub(super) fn local(&mut self, local: LocalId, write: bool) {
        if self.enabled {
            self.log.push(Effect { what: Touched::Local(local), write, settled: false });
        }
    }

    pub(super) fn memory(&mut self, place: &Place, write: bool) {
        if self.enabled {
            self.log.push(Effect { what: Touched::Memory(place.clone()), write, settled: false });
        }
    }

    /// What has been logged since the mark.
    fn since(&self, mark: usize) -> Touches {
        Touches(self.log[mark..].to_vec())
    }

    /// Pairs from two unsequenced operands of which one writes.
    fn conflicts(&self, left: usize, right: usize, types: &TypeTable) -> Vec<(Touched, Touched)> {
        let (left, right) = (&self.log[left..right], &self.log[right..]);
        if !left.iter().chain(right).any(|e| e.write) {
            return Vec::new();
        }
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| (a.write || b.write) && may_meet(&a.what, &b.what, types))
            .map(|(a, b)| (a.what.clone(), b.what.clone()))
            .collect()
    }

    /// The writes since the mark that no sequence point has settled and that the last entry may meet.
    fn last_against(&self, mark: usize, types: &TypeTable) -> Vec<(Touched, Touched)> {
        let Some((own, before)) = self.log.split_last() else { return Vec::new() };
        let before = before.iter().skip(mark);
        before
            .filter(|e| e.write && !e.settled && may_meet(&e.what, &own.what, types))
            .map(|e| (e.what.clone(), own.what.clone()))
            .collect()
    }
}

type Records = IndexVec<RecordId, Record>;

/// Whether two touched things may be the same; a cheap filter before an obligation is made.
fn may_meet(a: &Touched, b: &Touched, types: &TypeTable) -> bool {
    let records = types.records();
    match (a, b) {
        (Touched::Local(a), Touched::Local(b)) => a == b,
        (Touched::Memory(a), Touched::Memory(b)) if overlaps_by_type(a, b, records) => true,
        (Touched::Memory(a), Touched::Memory(b)) if behind_any_pointers(a, b, types) => true,
        (Touched::Memory(a), Touched::Memory(b)) if last_field(a) != last_field(b) => false,
        (Touched::Memory(a), Touched::Memory(b)) => match (a.base, b.base) {
            (PlaceBase::Deref(_), _) | (_, PlaceBase::Deref(_)) => a.ty == b.ty,
            (a_base, b_base) => a_base == b_base && a.ty == b.ty,
        },
        _ => false,
    }
}

/// Whether two places share bytes if they lie in one object: different members of a union, or a part of the other.
fn overlaps_by_type(a: &Place, b: &Place, records: &Records) -> bool {
    let deref = |place: &Place| matches!(place.base, PlaceBase::Deref(_));
    if a.base != b.base && !(deref(a) && deref(b)) {
        return false;
    }
    for (a, b) in a.projections.iter().zip(&b.projections) {
        match (a, b) {
            (Projection::Field { record: r, field: f }, Projection::Field { record: s, field: g })
                if r == s =>
            {
                if f != g {
                    return records[*r].is_union
                        && ![f, g].iter().any(|f| records[*r].fields[**f as usize].bits.is_some());
                }
            }
            (Projection::Index { .. }, Projection::Index { .. }) => {}
            _ => return false,
        }
    }
    // One is a part of the other; pointers without a step may point to anything of their types.
    a.projections.len() != b.projections.len() && (a.base == b.base)
}

/// Whether two pointers may lead to one number, whatever their types. That a pointer does not lead to itself is taken for
/// granted: `*(*p)++ = c`.
fn behind_any_pointers(a: &Place, b: &Place, types: &TypeTable) -> bool {
    let deref = |place: &Place| matches!(place.base, PlaceBase::Deref(_));
    let is_pointer = |place: &Place| matches!(types.get(place.ty), Type::Pointer(_));
    let ends_in_members = last_field(a).is_some() && last_field(b).is_some();
    deref(a) && deref(b) && !ends_in_members && is_pointer(a) == is_pointer(b)
}

/// The member that a place ends in. Different members do not overlap (unions aside, which are left alone here).
fn last_field(place: &Place) -> Option<(RecordId, u32)> {
    match place.projections.last() {
        Some(Projection::Field { record, field }) => Some((*record, *field)),
        _ => None,
    }
}

impl FunctionLowering<'_, '_> {
    /// A full expression begins.
    pub(super) fn begin_full(&mut self, expr: CExpr) {
        self.effects.begin(self.unit.scan.has_nested_effects(expr));
    }

    /// The first part of a sequence, which a sequence point follows. Where it has been evaluated before, what it touched
    /// is touched here, where C has it.
    pub(super) fn sequenced_before(&mut self, sequence: CExpr, first: CExpr) {
        if let Some(Touches(touched)) = self.hoisted.remove(&sequence) {
            self.effects.log.extend(touched);
            return;
        }
        let mark = self.effects.mark();
        self.effect(first);
        self.effects.settle(mark);
    }

    /// Evaluates the first parts of sequences ahead of an operand that is written before them.
    pub(super) fn hoist(&mut self, sequences: &[CExpr]) {
        for &sequence in sequences {
            let C::Comma { lhs, .. } = self.tast[sequence].kind else { continue };
            let mark = self.effects.mark();
            self.effect(lhs);
            self.effects.settle(mark);
            self.hoisted.insert(sequence, self.effects.since(mark));
        }
    }

    /// A read that is made later is one of what is being lowered now.
    pub(super) fn note_read(&mut self, lvalue: &Lvalue) {
        match lvalue {
            Lvalue::Register(local) => self.effects.local(*local, false),
            Lvalue::Memory(object) => self.effects.memory(&object.place, false),
        }
    }

    /// The operands logged in `left..right` and from `right` on are unsequenced.
    pub(super) fn check_unsequenced(&mut self, left: usize, right: usize, span: Span) {
        if self.effects.enabled {
            for (a, b) in self.effects.conflicts(left, right, &self.unit.types.table) {
                self.unsequenced_pair(&a, &b, span);
            }
        }
    }

    /// The effect just logged is unsequenced with the side effects of its operands since the mark.
    pub(super) fn check_own_effect(&mut self, mark: usize, span: Span) {
        if self.effects.enabled {
            for (a, b) in self.effects.last_against(mark, &self.unit.types.table) {
                self.unsequenced_pair(&a, &b, span);
            }
        }
    }

    fn unsequenced_pair(&mut self, a: &Touched, b: &Touched, span: Span) {
        match (a, b) {
            (Touched::Memory(a), Touched::Memory(b)) if a == b && !matches!(a.base, PlaceBase::Deref(_)) => {
                self.demand(&Operation::UnsequencedLocal, span);
            }
            (Touched::Memory(a), Touched::Memory(b)) => {
                let (p, n) = self.extent(a, span);
                let (q, m) = self.extent(b, span);
                self.demand(&Operation::UnsequencedMemory((p, n), (q, m)), span);
            }
            _ => self.demand(&Operation::UnsequencedLocal, span),
        }
    }

    /// A record is assigned to one that may lie partly in it: behind pointers, or in another member of a union.
    pub(super) fn demand_apart(&mut self, to: &Place, from: &Place, span: Span) {
        let deref = |place: &Place| matches!(place.base, PlaceBase::Deref(_));
        let records = self.unit.types.table.records();
        let may_meet = deref(to) || deref(from) || overlaps_by_type(to, from, records);
        // Elements and members of one object, reached the same way, are the same one or apart.
        let same_steps = to.base == from.base
            && to.projections.len() == from.projections.len()
            && to.projections.iter().zip(&from.projections).all(|(a, b)| match (a, b) {
                (Projection::Field { record: r, field: f }, Projection::Field { record: s, field: g }) => {
                    r == s && (f == g || !records[*r].is_union)
                }
                (Projection::Index { .. }, Projection::Index { .. }) => true,
                _ => false,
            });
        // What lowering made itself nobody points to.
        let is_temporary = |place: &Place| self.is_own_temporary(place);
        if !may_meet || same_steps || is_temporary(to) || is_temporary(from) {
            return;
        }
        let (to, bytes) = self.extent(to, span);
        let (from, _) = self.extent(from, span);
        self.demand(&Operation::AssignRecord { to, from, bytes }, span);
    }

    /// Where a place is and how long. Two bit-fields meet only if they are the same member, so the first byte of
    /// their records stands for them.
    fn extent(&mut self, place: &Place, span: Span) -> (ExprId, ExprId) {
        let size_type = self.unit.known.size;
        let view = self.unit.types.table.view(&self.unit.target);
        let mut place = place.clone();
        let mut bytes = view.access_bytes(&place);
        if view.bit_range(&place).is_some()
            && let Some(Projection::Field { record, .. }) = place.projections.pop()
        {
            place.ty = self.unit.types.table.record(record);
            bytes = 1;
        }
        let pointer = self.unit.types.table.pointer(place.ty);
        let address = self.expr(ExprKind::AddressOf(Box::new(place)), pointer, span);
        (address, self.int_const(i128::from(bytes), size_type, span))
    }

    /// Opens a region of unordered calls if at least two of the operands call something, and one may change something.
    pub(super) fn begin_unordered(&mut self, operands: &[CExpr], span: Span) -> Option<ObligationId> {
        let calling = operands.iter().filter(|e| self.unit.scan.has_calls(**e)).count();
        let impure = operands.iter().any(|e| self.unit.scan.has_impure_calls(*e));
        if calling < 2 || !impure {
            return None;
        }
        let obligation = self.obligation(&Operation::UnorderedCalls, span)?;
        self.unordered(Some(obligation), UnorderedMarker::Begin, span);
        Some(obligation)
    }

    pub(super) fn unordered(&mut self, region: Option<ObligationId>, marker: UnorderedMarker, span: Span) {
        if let Some(obligation) = region {
            self.emit(StatementKind::Unordered { marker, obligation }, span);
        }
    }
}
