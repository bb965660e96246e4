// SPDX-License-Identifier: MIT OR Apache-2.0
//! Octagons of packs in a state: what assignments and tests say, what ranges learn of it and the other way round.
//!
//! Ranges are kept with the registers and octagons beside them; each learns from the other where something was
//! assigned or tested (a reduced product by narrow messages). An octagon that says no more than ranges do is not kept.

use std::sync::Arc;

use clew_ir::syntax::{CompareOp, ExprId, LocalId};

use crate::analyser::{Analyser, Frame};
use crate::comparison::Comparison;
use crate::domain::Tri;
use crate::domain::float::Float;
use crate::linear::{self, Form};
use crate::map::{Change, Map, Merge};
use crate::octagon::{Octagon, Signed};
use crate::outward::{add_up, mul_up};
use crate::range::Range;
use crate::state::{Definition, State};
use crate::value::{Kind, Value};

/// So many terms of a sum are looked at two by two.
const MOST_PAIRED: usize = 5;

/// What is exported is followed into definitions so deep.
const DEEPEST: u32 = 2;

/// The octagons of a state, by pack.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Octagons {
    packs: Map<Arc<Octagon>>,
}

fn plus(at: usize) -> Signed {
    Signed { at, minus: false }
}

/// An octagon with what the ranges of a state say of its variables; none if no run is in both.
fn with_ranges(octagon: &Octagon, state: &State) -> Option<Octagon> {
    let mut closed = octagon.clone();
    for at in 0..closed.vars().len() {
        if learn_range(&mut closed, at, state) && !closed.close_around(at) {
            return None;
        }
    }
    Some(closed)
}

/// Learns the range of a variable; false if it was known.
fn learn_range(octagon: &mut Octagon, at: usize, state: &State) -> bool {
    match linear::register(state, octagon.vars()[at]) {
        Some(range) => {
            octagon.learn_most(plus(at), range.hi) | octagon.learn_most(plus(at).negated(), -range.lo)
        }
        None => false,
    }
}

/// An octagon of a state, with what its ranges say; the ranges alone if there is none.
fn of_state(octagon: Option<&Arc<Octagon>>, vars: &Arc<[LocalId]>, state: &State) -> Option<Octagon> {
    if let Some(octagon) = octagon {
        return with_ranges(octagon, state);
    }
    let mut ranges = Octagon::top(vars.clone());
    for at in 0..vars.len() {
        learn_range(&mut ranges, at, state);
    }
    ranges.strengthen().then_some(ranges)
}

struct Join<'a> {
    here: &'a State,
    there: &'a State,
}

impl Join<'_> {
    fn joined(&self, a: Option<&Arc<Octagon>>, b: Option<&Arc<Octagon>>) -> Option<Octagon> {
        let vars = a.or(b)?.vars().clone();
        let mine = of_state(a, &vars, self.here);
        let theirs = of_state(b, &vars, self.there);
        let joined = match (mine, theirs) {
            (Some(mine), Some(theirs)) => mine.join(&theirs),
            // No run comes from the other side.
            (one, other) => one.or(other)?,
        };
        (!joined.is_trivial()).then_some(joined)
    }
}

fn changed(old: Option<&Arc<Octagon>>, new: Option<Octagon>) -> Change<Arc<Octagon>> {
    match (old, new) {
        (_, None) => Change::Drop,
        (Some(old), Some(new)) if **old == new => Change::Keep,
        (_, Some(new)) => Change::To(Arc::new(new)),
    }
}

impl Merge<Arc<Octagon>> for Join<'_> {
    fn both(&mut self, _: u64, a: &Arc<Octagon>, b: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        if Arc::ptr_eq(a, b) {
            return Change::Keep;
        }
        changed(Some(a), self.joined(Some(a), Some(b)))
    }
    fn left(&mut self, _: u64, a: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        changed(Some(a), self.joined(Some(a), None))
    }
    fn right(&mut self, _: u64, b: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        changed(Some(b), self.joined(None, Some(b)))
    }
}

struct Widen<'a> {
    next: &'a State,
    thresholds: &'a [f64],
}

impl Widen<'_> {
    /// The left side stays as it is: closing it again would undo the widening.
    fn widened(&self, a: &Arc<Octagon>, b: Option<&Arc<Octagon>>) -> Change<Arc<Octagon>> {
        let widened = match of_state(b, a.vars(), self.next) {
            Some(next) => a.widen(&next, self.thresholds),
            None => return Change::Keep,
        };
        changed(Some(a), (!widened.is_trivial()).then_some(widened))
    }
}

impl Merge<Arc<Octagon>> for Widen<'_> {
    fn both(&mut self, _: u64, a: &Arc<Octagon>, b: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        if Arc::ptr_eq(a, b) { Change::Keep } else { self.widened(a, Some(b)) }
    }
    fn left(&mut self, _: u64, a: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        self.widened(a, None)
    }
    fn right(&mut self, _: u64, _: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        Change::Drop
    }
}

impl Octagons {
    /// What holds on both ways.
    #[must_use]
    pub fn join(&self, other: &Octagons, here: &State, there: &State) -> Octagons {
        Octagons { packs: self.packs.merge(&other.packs, &mut Join { here, there }) }
    }

    /// The join, or more, so that loops come to an end.
    #[must_use]
    pub fn widen(&self, other: &Octagons, next: &State, thresholds: &[f64]) -> Octagons {
        Octagons { packs: self.packs.merge(&other.packs, &mut Widen { next, thresholds }) }
    }

    /// Whether the other says all that this says, or its ranges do. `state` is the other's.
    pub fn is_implied_by(&self, other: &Octagons, state: &State) -> bool {
        self.packs.all_mine(&other.packs, &mut |_, mine, theirs| {
            theirs.is_some_and(|theirs| Arc::ptr_eq(mine, theirs))
                || of_state(theirs, mine.vars(), state).is_none_or(|theirs| theirs.is_within(mine))
        })
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Octagon>> {
        self.packs.iter().map(|(_, octagon)| octagon)
    }

    /// Keeps what only these registers are in.
    pub fn retain(&mut self, live: impl Fn(LocalId) -> bool) {
        if self.is_empty() {
            return;
        }
        self.packs = self.packs.filter_map(&mut |_, octagon| {
            let dead = (0..octagon.vars().len()).filter(|at| !live(octagon.vars()[*at]));
            let dead: Vec<usize> = dead.filter(|at| octagon.relates(*at)).collect();
            if dead.is_empty() {
                return Change::Keep;
            }
            let mut smaller = (**octagon).clone();
            dead.iter().for_each(|at| smaller.forget(*at));
            changed(None, (!smaller.is_trivial()).then_some(smaller))
        });
    }

    fn put(&mut self, pack: u32, octagon: Octagon) {
        if octagon.is_trivial() {
            self.packs.remove(u64::from(pack));
        } else {
            self.packs.insert(u64::from(pack), Arc::new(octagon));
        }
    }

    /// A register gets a value that nothing is known of.
    pub fn forget(&mut self, local: LocalId, packs: &[u32]) {
        for pack in packs {
            if let Some(octagon) = self.packs.get(u64::from(*pack))
                && let Some(at) = octagon.position(local)
            {
                let mut smaller = (**octagon).clone();
                smaller.forget(at);
                self.put(*pack, smaller);
            }
        }
    }
}

/// An upper bound of a sum of registers: alone by their ranges, or two by two by an octagon.
fn upper(octagon: &Octagon, form: &Form, state: &State) -> f64 {
    let mut sum = form.rest.hi;
    let mut paired: Vec<(Signed, f64, f64)> = Vec::new();
    for (local, coefficient) in &form.terms {
        let alone = linear::register(state, *local).map(|range| coefficient.mul(range).hi);
        let alone = alone.unwrap_or(f64::INFINITY);
        match octagon.position(*local) {
            Some(at) if coefficient.lo == coefficient.hi && paired.len() < MOST_PAIRED => {
                let signed = Signed { at, minus: coefficient.lo < 0.0 };
                let scale = coefficient.lo.abs();
                paired.push((signed, scale, alone.min(mul_up(scale, octagon.most(signed)))));
            }
            _ => sum = add_up(sum, alone),
        }
    }
    add_up(sum, best(octagon, &paired))
}

fn best(octagon: &Octagon, terms: &[(Signed, f64, f64)]) -> f64 {
    let Some(((first, scale, alone), rest)) = terms.split_first() else { return 0.0 };
    let mut least = add_up(*alone, best(octagon, rest));
    for (index, (other, by, _)) in rest.iter().enumerate() {
        let bound = octagon.sum(*first, *other);
        if by == scale && bound < f64::INFINITY {
            let mut left = rest.to_vec();
            left.remove(index);
            least = least.min(add_up(mul_up(*scale, bound), best(octagon, &left)));
        }
    }
    least
}

fn range(octagon: &Octagon, form: &Form, state: &State) -> Range {
    Range { lo: -upper(octagon, &form.clone().neg(), state), hi: upper(octagon, form, state) }
}

impl<'p> Analyser<'p> {
    /// The range of a sum of registers, by octagons too.
    pub(crate) fn range_of_form(&mut self, frame: &Frame<'p>, state: &State, form: &Form) -> Option<Range> {
        let mut known = form.range(state)?;
        if form.terms.len() < 2 || state.octagons.is_empty() {
            return Some(known);
        }
        for pack in frame.sums.of_any(form.terms.iter().map(|(local, _)| *local)) {
            if let Some(octagon) = state.octagons.packs.get(u64::from(pack)) {
                let octagon = octagon.clone();
                let before = known;
                known = known.meet(self.range_in(frame, state, &octagon, form));
                self.note_octagon(frame.function, pack, before, known);
            }
        }
        Some(known)
    }

    /// The range of a sum by one octagon, with what registers are defined as put in where that makes it shorter:
    /// `z + v - x` is `v - r` where `r` is `x - z`.
    fn range_in(&mut self, frame: &Frame<'p>, state: &State, octagon: &Octagon, form: &Form) -> Range {
        let mut known = range(octagon, form, state);
        if form.terms.len() < 3 {
            return known;
        }
        let vars = octagon.vars().clone();
        for local in vars.iter() {
            let Some(Definition::Expr(expr)) = state.definitions.get(u64::from(local.0)) else { continue };
            let expr = *expr;
            let reads = frame.flow.reads.get(&expr).map_or(&[][..], Vec::as_slice);
            let common = |(term, _): &&(LocalId, Range)| reads.contains(term);
            if form.terms.iter().filter(common).count() < 2 {
                continue;
            }
            let Some(defined) = linear::float_terms(self, frame, state, expr) else { continue };
            // The register minus what it is defined as: zero.
            let zero = Form::of(*local).add(defined.neg());
            for zero in [zero.clone(), zero.neg()] {
                let shorter = form.clone().add(zero);
                if shorter.terms.len() < form.terms.len() {
                    known = known.meet(range(octagon, &shorter, state));
                }
            }
        }
        known
    }

    /// The octagons after a register gets the value of an expression, by pack. To be asked for before it does.
    pub(crate) fn octagons_after(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        local: LocalId,
        expr: ExprId,
        value: &Value,
    ) -> Vec<(u32, Octagon)> {
        let packs = frame.sums.of(local);
        let Kind::Float(float) = &value.kind else { return Vec::new() };
        let Some(own) = linear::finite(float).filter(|_| !packs.is_empty() && !value.uninit) else {
            return Vec::new();
        };
        match linear::float_terms(self, frame, state, expr) {
            Some(form) => packs
                .iter()
                .filter_map(|pack| self.assigned(frame, state, local, &form, own, *pack))
                .collect(),
            None => Vec::new(),
        }
    }

    /// The octagon of a pack after a register gets the value of a sum.
    fn assigned(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        local: LocalId,
        form: &Form,
        own: Range,
        pack: u32,
    ) -> Option<(u32, Octagon)> {
        let vars = frame.sums.vars(pack);
        if !form.terms.iter().any(|(term, _)| vars.contains(term)) {
            return None;
        }
        let before = of_state(state.octagons.packs.get(u64::from(pack)), vars, state)?;
        let at = before.position(local)?;
        let mut after = before.clone();
        after.forget(at);
        after.learn_most(plus(at), own.hi);
        after.learn_most(plus(at).negated(), -own.lo);
        for (other, var) in vars.iter().enumerate() {
            if other == at || linear::register(state, *var).is_none() {
                continue;
            }
            let (difference, sum) =
                (form.clone().add(Form::of(*var).neg()), form.clone().add(Form::of(*var)));
            for (form, other) in [(difference, plus(other).negated()), (sum, plus(other))] {
                let range = self.range_in(frame, state, &before, &form);
                after.learn(plus(at), other, range.hi);
                after.learn(plus(at).negated(), other.negated(), -range.lo);
            }
        }
        after.close_around(at).then_some((pack, after))
    }

    /// Puts octagons that [`Analyser::octagons_after`] gave; what else was known of the register is gone.
    pub(crate) fn put_octagons(
        &self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        after: Vec<(u32, Octagon)>,
    ) {
        state.octagons.forget(local, frame.sums.of(local));
        for (pack, octagon) in after {
            state.octagons.put(pack, octagon);
        }
    }

    /// A register that was loaded equals those that were loaded from the same place, which was not written since.
    pub(crate) fn octagons_after_load(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId) {
        let packs = frame.sums.of(local);
        let Some(Definition::Cell(cell)) = state.definitions.get(u64::from(local.0)).cloned() else { return };
        let Some(own) = linear::register(state, local).filter(|_| !packs.is_empty()) else { return };
        for pack in packs {
            let fellow = |var: &&LocalId| {
                **var != local
                    && linear::register(state, **var).is_some()
                    && state.definitions.get(u64::from(var.0)) == Some(&Definition::Cell(cell))
            };
            if let Some(fellow) = frame.sums.vars(*pack).iter().find(fellow).copied()
                && let Some((pack, octagon)) =
                    self.assigned(frame, state, local, &Form::of(fellow), own, *pack)
            {
                state.octagons.put(pack, octagon);
            }
        }
    }

    /// Learns what a comparison of floats says that holds if they are numbers, where they surely are finite. False: that
    /// cannot be.
    pub(crate) fn assume_octagons(&mut self, frame: &Frame<'p>, state: &mut State, test: Comparison) -> bool {
        let (Some(x), Some(y)) = (
            linear::float_terms(self, frame, state, test.left),
            linear::float_terms(self, frame, state, test.right),
        ) else {
            return true;
        };
        let difference = x.add(y.neg());
        let below_zero: Vec<Form> = match test.op {
            CompareOp::Lt | CompareOp::Le => vec![difference],
            CompareOp::Gt | CompareOp::Ge => vec![difference.neg()],
            CompareOp::Eq => vec![difference.clone(), difference.neg()],
            CompareOp::Ne => return true,
        };
        let locals: Vec<LocalId> = below_zero[0].terms.iter().map(|(local, _)| *local).collect();
        for pack in frame.sums.of_any(locals.iter().copied()) {
            let known = state.octagons.packs.get(u64::from(pack));
            let vars = frame.sums.vars(pack).clone();
            if known.is_none() && locals.iter().filter(|local| vars.contains(local)).count() < 2 {
                continue;
            }
            let Some(mut octagon) = of_state(known, &vars, state) else {
                self.tell_octagon(frame.function, pack);
                return false;
            };
            for form in &below_zero {
                self.learn_below_zero(frame, state, &mut octagon, form);
            }
            let new = locals.iter().filter_map(|local| octagon.position(*local)).collect::<Vec<usize>>();
            let is_possible = new.into_iter().all(|at| octagon.close_around(at));
            if !is_possible || !self.export(frame, state, pack, &octagon) {
                self.tell_octagon(frame.function, pack);
                return false;
            }
            state.octagons.put(pack, octagon);
        }
        true
    }

    /// Learns that a sum of registers is at most zero: two of them are at most what the others leave.
    fn learn_below_zero(&mut self, frame: &Frame<'p>, state: &State, octagon: &mut Octagon, form: &Form) {
        let before = octagon.clone();
        let unit = |coefficient: &Range| coefficient.lo == coefficient.hi && coefficient.lo.abs() == 1.0;
        let inside: Vec<(usize, Signed)> = form
            .terms
            .iter()
            .enumerate()
            .filter(|(_, (_, coefficient))| unit(coefficient))
            .filter_map(|(index, (local, c))| {
                Some((index, Signed { at: before.position(*local)?, minus: c.lo < 0.0 }))
            })
            .collect();
        for (index, x) in &inside {
            for (other, y) in inside.iter().filter(|(other, _)| other >= index) {
                let mut rest = form.clone();
                let mut number = 0;
                rest.terms.retain(|_| {
                    number += 1;
                    number - 1 != *index && number - 1 != *other
                });
                let most = -self.range_in(frame, state, &before, &rest).lo;
                if index == other {
                    octagon.learn_most(*x, most);
                } else {
                    octagon.learn(*x, *y, most);
                }
            }
        }
    }

    /// Ranges learn what an octagon says of single registers. False: that cannot be.
    fn export(&mut self, frame: &Frame<'p>, state: &mut State, pack: u32, octagon: &Octagon) -> bool {
        for (at, local) in octagon.vars().iter().enumerate() {
            let range = Range { lo: -octagon.most(plus(at).negated()), hi: octagon.most(plus(at)) };
            // What something is said of is finite, even where its range has been forgotten.
            let unknown = Range { lo: f64::MIN, hi: f64::MAX };
            let known = match linear::register(state, *local) {
                Some(known) => known,
                None if range.lo.is_finite() && range.hi.is_finite() => unknown,
                None => continue,
            };
            let (lo, hi) = (range.lo.max(known.lo), range.hi.min(known.hi));
            if lo > hi {
                return false;
            }
            let is_new = lo > known.lo || hi < known.hi;
            self.note_octagon(frame.function, pack, known, Range { lo, hi });
            if is_new && !self.restrict(frame, state, *local, &Kind::Float(Float::range(lo, hi)), DEEPEST) {
                return false;
            }
        }
        true
    }

    /// Compares two floats by their sums.
    pub(crate) fn compare_by_octagons(&mut self, frame: &Frame<'p>, state: &State, test: Comparison) -> Tri {
        let (Some(x), Some(y)) = (
            linear::float_terms(self, frame, state, test.left),
            linear::float_terms(self, frame, state, test.right),
        ) else {
            return Tri::Maybe;
        };
        let Some(Range { lo, hi }) = self.range_of_form(frame, state, &x.add(y.neg())) else {
            return Tri::Maybe;
        };
        let (yes, no) = match test.op {
            CompareOp::Lt => (hi < 0.0, lo >= 0.0),
            CompareOp::Le => (hi <= 0.0, lo > 0.0),
            CompareOp::Gt => (lo > 0.0, hi <= 0.0),
            CompareOp::Ge => (lo >= 0.0, hi < 0.0),
            CompareOp::Eq => (lo == 0.0 && hi == 0.0, lo > 0.0 || hi < 0.0),
            CompareOp::Ne => (lo > 0.0 || hi < 0.0, lo == 0.0 && hi == 0.0),
        };
        match (yes, no) {
            (true, _) => Tri::True,
            (_, true) => Tri::False,
            _ => Tri::Maybe,
        }
    }
}
