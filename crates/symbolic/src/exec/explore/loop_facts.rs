// SPDX-License-Identifier: MIT OR Apache-2.0
//! What another engine knows of loop heads, and how it becomes terms.

use clew_base::float::Format;
use clew_base::index::Idx;
use clew_ir::head::Fact;
use clew_ir::syntax::LocalId;
use clew_ir::types::Class;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::state::State;
use crate::exec::state::contents::Cell;
use crate::exec::state::value::{Base, Pointer, Value};
use crate::term::{Sort, TermId};

/// How many bits it takes to tell the numbers of a range apart. None if the range is empty.
fn bits_for(least: i128, most: i128) -> Option<u32> {
    let distance = u128::try_from(most.checked_sub(least)?).ok()?;
    Some(128 - distance.leading_zeros())
}

impl Encoder<'_> {
    /// Any number of so many bits; if it is known to lie in a range, with only as many that are not known as it takes to
    /// tell the numbers of that apart. It may be more than the range: who made it says what holds.
    pub fn any_within(&mut self, name: &str, bits: u32, range: Option<(i128, i128)>) -> TermId {
        // Ends of wider numbers stand for all beyond them.
        let range = range.filter(|_| self.facts.options.narrows && bits <= 64);
        let needed = range.and_then(|(least, most)| Some((least, bits_for(least, most)?)));
        match needed.filter(|(_, needed)| *needed < bits) {
            Some((least, needed)) => {
                let start = self.terms.constant(bits, least as u128 & (u128::MAX >> (128 - bits)));
                if needed == 0 {
                    return start;
                }
                let free = self.terms.fresh(name, Sort::Bits(needed));
                let distance = self.terms.resize(free, bits, false);
                self.terms.add(start, distance)
            }
            None => self.terms.fresh(name, Sort::Bits(bits)),
        }
    }

    fn integer(&self, state: &State, local: LocalId) -> Option<(TermId, bool)> {
        let body = self.body(state.frame.function)?;
        let int = self.facts.program.types().int_type(body.locals.get(local)?.ty)?;
        match state.frame.get(local)?.value {
            Value::Bits(bits) => Some((bits, int.signed)),
            _ => None,
        }
    }

    fn within_bounds(&mut self, bits: TermId, signed: bool, least: i128, most: i128) -> TermId {
        let width = self.terms.width(bits);
        let mut all = self.terms.bool(true);
        let wide = width + 1;
        if wide > 100 {
            return all;
        }
        let number = self.terms.resize(bits, wide, signed);
        let mask = u128::MAX >> (128 - wide);
        let has = |bound: i128| bound.unsigned_abs() < 1 << (wide - 1);
        if has(least) {
            let least = self.terms.constant(wide, least as u128 & mask);
            let above = self.terms.le(least, number, true);
            all = self.terms.and(all, above);
        }
        if has(most) {
            let most = self.terms.constant(wide, most as u128 & mask);
            let below = self.terms.le(number, most, true);
            all = self.terms.and(all, below);
        }
        all
    }

    fn float_within(&mut self, state: &State, local: LocalId, least: f64, most: f64) -> Option<TermId> {
        let body = self.body(state.frame.function)?;
        let Class::Float(format) = self.facts.program.types().class(body.locals.get(local)?.ty) else {
            return None;
        };
        let Value::Bits(bits) = state.frame.get(local)?.value else { return None };
        let bound = |bound: f64| match format {
            Format::F64 => Some(u128::from(bound.to_bits())),
            // Only a bound that the narrower format has.
            Format::F32 => {
                let narrow = bound as f32;
                (f64::from(narrow) == bound).then(|| u128::from(narrow.to_bits()))
            }
            _ => None,
        };
        let nan = self.terms.is_nan(format, bits);
        let mut all = self.terms.not(nan);
        if let Some(least) = bound(least) {
            let least = self.terms.constant(format.bits(), least);
            let above = self.terms.float_le(format, least, bits);
            all = self.terms.and(all, above);
        }
        if let Some(most) = bound(most) {
            let most = self.terms.constant(format.bits(), most);
            let below = self.terms.float_le(format, bits, most);
            all = self.terms.and(all, below);
        }
        Some(all)
    }
}

impl Evaluator<'_> {
    /// Only runs for which the facts hold go on from a head; all do.
    pub fn known_at_head(&mut self, state: &State, facts: &[Fact]) {
        for fact in facts {
            if let Some(holds) = self.fact(state, fact) {
                // A fact that no run of the state satisfies means that none comes here.
                let _ = self.assume(state, holds);
            }
        }
    }

    /// One bit: whether a fact holds. None if it speaks of something that has no value here.
    fn fact(&mut self, state: &State, fact: &Fact) -> Option<TermId> {
        match *fact {
            Fact::Int { local, least, most } => {
                let (bits, signed) = self.encoder.integer(state, local)?;
                Some(self.encoder.within_bounds(bits, signed, least, most))
            }
            Fact::Float { local, least, most } => self.encoder.float_within(state, local, least, most),
            Fact::Offset { local, least, most } => {
                let Value::Pointer(pointer) = state.frame.get(local)?.value.clone() else { return None };
                let mut all = self.encoder.terms.bool(true);
                for case in &pointer.cases {
                    let here = match case.base {
                        Base::Number => self.encoder.terms.bool(false),
                        _ => self.encoder.within_bounds(case.offset, true, least, most),
                    };
                    let here = self.encoder.terms.implies(case.guard, here);
                    all = self.encoder.terms.and(all, here);
                }
                Some(all)
            }
            Fact::Difference { left, right, most } => {
                let ((a, x), (b, y)) =
                    (self.encoder.integer(state, left)?, self.encoder.integer(state, right)?);
                let wide = self.encoder.terms.width(a).max(self.encoder.terms.width(b)) + 2;
                let fits = wide <= 100 && most.unsigned_abs() < 1 << (wide - 1);
                fits.then_some(())?;
                let (a, b) = (self.encoder.terms.resize(a, wide, x), self.encoder.terms.resize(b, wide, y));
                let difference = self.encoder.terms.sub(a, b);
                let most = self.encoder.terms.constant(wide, most as u128 & (u128::MAX >> (128 - wide)));
                Some(self.encoder.terms.le(difference, most, true))
            }
            Fact::Global { global, int, least, most } => {
                let object = *self.encoder.objects.globals.get(global.index())?;
                let zero = self.encoder.address(0);
                let place = Pointer::one(&mut self.encoder.terms, Base::Object(object), zero);
                let bytes = clew_ir::types::int_bytes(int.bits) as u32;
                let Cell { value: Value::Bits(bits), .. } = self.read(state, &place, bytes)? else {
                    return None;
                };
                let bits = self.encoder.terms.extract(bits, 0, u32::from(int.bits));
                Some(self.encoder.within_bounds(bits, int.signed, least, most))
            }
        }
    }
}
