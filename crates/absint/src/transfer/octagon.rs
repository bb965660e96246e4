// SPDX-License-Identifier: MIT OR Apache-2.0
//! Octagons of packs in a state: what assignments and tests say, what ranges learn of it and the other way round.
//!
//! Ranges are kept with the registers and octagons beside them; each learns from the other where something was
//! assigned or tested (a reduced product by narrow messages). An octagon that says no more than ranges do is not kept.

use clew_ir::syntax::{CompareOp, ExprId, LocalId};

use crate::domain::Tri;
use crate::domain::float::Float;
use crate::domain::linear::{Form, finite, register_range};
use crate::domain::octagon::{Octagon, Signed};
use crate::domain::octagons::{Octagons, of_state, plus};
use crate::domain::outward::{add_up, mul_up};
use crate::domain::range::Range;
use crate::domain::relational::Relational;
use crate::domain::value::{Kind, Value};
use crate::effort::octagon::{DEEPEST, MOST_PAIRED};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Frame;
use crate::engine::transfer::Transfer;
use crate::program::comparison::Comparison;
use crate::program::octagon_packing::PackId;
use crate::state::{Definition, State};
use crate::transfer::linear;

/// An upper bound of a sum of registers: alone by their ranges, or two by two by an octagon.
fn upper(octagon: &Octagon, form: &Form, state: &State) -> f64 {
    let mut sum = form.rest.hi;
    let mut paired: Vec<(Signed, f64, f64)> = Vec::new();
    for (local, coefficient) in &form.terms {
        let alone = register_range(state, *local).map(|range| coefficient.mul(range).hi);
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

pub(crate) fn range(octagon: &Octagon, form: &Form, state: &State) -> Range {
    Range { lo: -upper(octagon, &form.clone().neg(), state), hi: upper(octagon, form, state) }
}

impl<'p> Evaluator<'p> {
    /// The range of a sum of registers, by octagons too.
    pub(crate) fn range_of_form(&mut self, frame: &Frame<'p>, state: &State, form: &Form) -> Option<Range> {
        let mut known = form.range(state)?;
        if form.terms.len() < 2 || state.domains.octagons.is_empty() {
            return Some(known);
        }
        for pack in frame.sums.of_any(form.terms.iter().map(|(local, _)| *local)) {
            if let Some(octagon) = state.domains.octagons.packs.get(pack) {
                let octagon = octagon.clone();
                let before = known;
                known = known.meet(self.range_in(frame, state, &octagon, form));
                self.recorder.note_octagon(frame.function, pack, before, known);
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
            let Some(Definition::Expr(expr)) = state.definitions.get(*local) else { continue };
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
    ) -> Vec<(PackId, Octagon)> {
        let packs = frame.sums.of(local);
        let Kind::Float(float) = &value.kind else { return Vec::new() };
        let Some(own) = finite(float).filter(|_| !packs.is_empty() && !value.uninit) else {
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
        pack: PackId,
    ) -> Option<(PackId, Octagon)> {
        let vars = frame.sums.vars(pack);
        if !form.terms.iter().any(|(term, _)| vars.contains(term)) {
            return None;
        }
        let before = of_state(state.domains.octagons.packs.get(pack), vars, state)?;
        let at = before.position(local)?;
        let mut after = before.clone();
        after.forget(at);
        after.learn_most(plus(at), own.hi);
        after.learn_most(plus(at).negated(), -own.lo);
        for (other, var) in vars.iter().enumerate() {
            if other == at || register_range(state, *var).is_none() {
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

impl<'p> Transfer<'p> {
    /// A register that was loaded equals those that were loaded from the same place, which was not written since.
    pub(crate) fn octagons_after_load(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId) {
        let packs = frame.sums.of(local);
        let Some(Definition::Cell(cell)) = state.definitions.get(local).cloned() else { return };
        let Some(own) = register_range(state, local).filter(|_| !packs.is_empty()) else { return };
        for pack in packs {
            let fellow = |var: &&LocalId| {
                **var != local
                    && register_range(state, **var).is_some()
                    && state.definitions.get(**var) == Some(&Definition::Cell(cell))
            };
            if let Some(fellow) = frame.sums.vars(*pack).iter().find(fellow).copied()
                && let Some((pack, octagon)) =
                    self.eval.assigned(frame, state, local, &Form::of(fellow), own, *pack)
            {
                state.domains.octagons.put(pack, octagon);
            }
        }
    }

    /// Learns what a comparison of floats says that holds if they are numbers, where they surely are finite. False: that
    /// cannot be.
    pub(crate) fn assume_octagons(&mut self, frame: &Frame<'p>, state: &mut State, test: Comparison) -> bool {
        let (Some(x), Some(y)) = (
            linear::float_terms(&mut self.eval, frame, state, test.left),
            linear::float_terms(&mut self.eval, frame, state, test.right),
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
            let known = state.domains.octagons.packs.get(pack);
            let vars = frame.sums.vars(pack).clone();
            if known.is_none() && locals.iter().filter(|local| vars.contains(local)).count() < 2 {
                continue;
            }
            let Some(mut octagon) = of_state(known, &vars, state) else {
                self.eval.recorder.note_useful_octagon(frame.function, pack);
                return false;
            };
            for form in &below_zero {
                self.eval.learn_below_zero(frame, state, &mut octagon, form);
            }
            let new = locals.iter().filter_map(|local| octagon.position(*local)).collect::<Vec<usize>>();
            let is_possible = new.into_iter().all(|at| octagon.close_around(at));
            if !is_possible || !self.export(frame, state, pack, &octagon) {
                self.eval.recorder.note_useful_octagon(frame.function, pack);
                return false;
            }
            state.domains.octagons.put(pack, octagon);
        }
        true
    }

    /// Ranges learn what an octagon says of single registers. False: that cannot be.
    fn export(&mut self, frame: &Frame<'p>, state: &mut State, pack: PackId, octagon: &Octagon) -> bool {
        for (at, local) in octagon.vars().iter().enumerate() {
            let range = Range { lo: -octagon.most(plus(at).negated()), hi: octagon.most(plus(at)) };
            // What something is said of is finite, even where its range has been forgotten.
            let unknown = Range { lo: f64::MIN, hi: f64::MAX };
            let known = match register_range(state, *local) {
                Some(known) => known,
                None if range.lo.is_finite() && range.hi.is_finite() => unknown,
                None => continue,
            };
            let (lo, hi) = (range.lo.max(known.lo), range.hi.min(known.hi));
            if lo > hi {
                return false;
            }
            let is_new = lo > known.lo || hi < known.hi;
            self.eval.recorder.note_octagon(frame.function, pack, known, Range { lo, hi });
            if is_new && !self.restrict(frame, state, *local, &Kind::Float(Float::range(lo, hi)), DEEPEST) {
                return false;
            }
        }
        true
    }
}

/// The octagons with those that [`Analyser::octagons_after`] gave; what else was known of the register is gone.
pub(crate) fn with_octagons(state: &State, local: LocalId, after: Vec<(PackId, Octagon)>) -> Octagons {
    let mut octagons = state.domains.octagons.clone();
    octagons.forget(local);
    for (pack, octagon) in after {
        octagons.put(pack, octagon);
    }
    octagons
}
