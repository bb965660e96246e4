// SPDX-License-Identifier: MIT OR Apache-2.0
//! Affine equalities between integers (Karr 1976; modulo a power of two: Müller-Olm and Seidl 2007).
//!
//! A loop that counts one register down and another up keeps their sum. Differences and sums of two cannot say
//! `res + cnt == a + b`, nor `lo + 2 * mid == hi`. Here the values of a few registers are a point plus any integer
//! combination of some directions, computed modulo 2^32 or 2^64, as the machine does: nothing overflows, so all of it holds
//! whether or not the program's sums do.
//!
//! ```text
//! everything (a direction for each register)
//!      |
//! point + span of fewer, or of longer, directions
//!      |
//! one point
//! ```
//!
//! The join is the smallest such set around both: the directions of both, and that from one point to the other. Chains
//! have at most as many steps as there are registers times bits; widening gives up what only grows finer.

use std::sync::Arc;

use clew_ir::syntax::LocalId;

use crate::domain::ranges::Ranges;
use crate::domain::relational::{Concrete, Relational};
use crate::domain::var::Var;
use crate::program::thresholds::Thresholds;

/// Values of the registers, in their order; or a direction.
type Vector = Vec<u64>;

/// A sum of registers with coefficients, and a constant.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Form {
    pub(crate) terms: Vector,
    pub(crate) constant: u64,
}

/// What the values of a few registers of one width are together.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    pub(crate) registers: Arc<[LocalId]>,
    pub(crate) bits: u32,
    point: Vector,
    /// In echelon form: each begins further to the right than the one before.
    span: Vec<Vector>,
}

/// The spaces that something is said by; at most one a width.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spaces(Vec<Arc<Space>>);

/// One divided by an odd number.
fn inverse(odd: u64) -> u64 {
    // Each round doubles the number of bits that are right.
    (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

/// `x - q * y`.
fn minus(x: &mut Vector, q: u64, y: &Vector) {
    for (a, b) in x.iter_mut().zip(y) {
        *a = a.wrapping_sub(q.wrapping_mul(*b));
    }
}

impl Space {
    /// Nothing is known.
    pub fn whole(registers: Arc<[LocalId]>, bits: u32) -> Space {
        let count = registers.len();
        let unit = |at: usize| (0..count).map(|i| u64::from(i == at)).collect();
        Space { registers, bits, point: vec![0; count], span: (0..count).map(unit).collect() }
    }

    /// The registers.
    pub fn registers(&self) -> &[LocalId] {
        &self.registers
    }

    /// The width.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// How often a number can be halved; all of them for zero.
    fn halves(&self, x: u64) -> u32 {
        (x & self.mask()).trailing_zeros().min(self.bits)
    }

    /// `q` with `q * by == x`, if `by` divides `x`.
    fn divided(&self, x: u64, by: u64) -> Option<u64> {
        let (x, by) = (x & self.mask(), by & self.mask());
        if x == 0 {
            return Some(0);
        }
        let halves = self.halves(by);
        (by != 0 && self.halves(x) >= halves).then(|| (x >> halves).wrapping_mul(inverse(by >> halves)))
    }

    fn is_zero(&self, x: &Vector) -> bool {
        x.iter().all(|a| a & self.mask() == 0)
    }

    pub(crate) fn index(&self, local: LocalId) -> Option<usize> {
        self.registers.iter().position(|r| *r == local)
    }

    /// The value of a form at a point.
    fn at(&self, form: &Form, point: &Vector) -> u64 {
        self.along(form, point).wrapping_add(form.constant) & self.mask()
    }

    /// How a form changes along a direction.
    fn along(&self, form: &Form, direction: &Vector) -> u64 {
        let products = form.terms.iter().zip(direction).map(|(c, x)| c.wrapping_mul(*x));
        products.fold(0u64, u64::wrapping_add) & self.mask()
    }

    /// Brings directions into echelon form. What a direction becomes when it is multiplied until it no longer begins where
    /// it began is a direction, too, and has a row of its own.
    fn set_span(&mut self, mut rows: Vec<Vector>) {
        self.span = Vec::new();
        for column in 0..self.registers.len() {
            rows.retain(|row| !self.is_zero(row));
            let least = (0..rows.len()).min_by_key(|row| self.halves(rows[*row][column]));
            let Some(least) = least.filter(|row| self.halves(rows[*row][column]) < self.bits) else {
                continue;
            };
            let pivot = rows.swap_remove(least);
            for row in &mut rows {
                if let Some(q) = self.divided(row[column], pivot[column]) {
                    minus(row, q, &pivot);
                }
            }
            let halves = self.halves(pivot[column]);
            if halves > 0 {
                rows.push(pivot.iter().map(|x| x << (self.bits - halves)).collect());
            }
            self.span.push(pivot.iter().map(|x| x & self.mask()).collect());
        }
    }

    /// Whether a direction is a combination of the span.
    fn spans(&self, direction: &Vector) -> bool {
        let mut rest = direction.clone();
        for row in &self.span {
            let Some(column) = row.iter().position(|x| *x != 0) else { continue };
            match self.divided(rest[column], row[column]) {
                Some(q) => minus(&mut rest, q, row),
                None => return false,
            }
        }
        self.is_zero(&rest)
    }

    /// Whether these values are possible.
    pub fn contains(&self, values: &Vector) -> bool {
        let mut to = values.clone();
        minus(&mut to, 1, &self.point);
        self.spans(&to)
    }

    /// Whether all of it is in another.
    pub fn is_subset(&self, other: &Space) -> bool {
        other.contains(&self.point) && self.span.iter().all(|direction| other.spans(direction))
    }

    /// Whether nothing is known.
    pub fn is_whole(&self) -> bool {
        self.span.len() == self.registers.len() && (0..self.registers.len()).all(|i| self.span[i][i] & 1 == 1)
    }

    /// The smallest around both.
    pub fn join(&self, other: &Space) -> Space {
        let mut between = other.point.clone();
        minus(&mut between, 1, &self.point);
        let mut joined = self.clone();
        let rows = self.span.iter().chain(&other.span).cloned().chain([between]).collect();
        joined.set_span(rows);
        joined
    }

    /// A register gets the value of a form, or any.
    pub fn assign(&mut self, local: LocalId, form: Option<&Form>) {
        let Some(at) = self.index(local) else { return };
        let mut rows = std::mem::take(&mut self.span);
        match form {
            Some(form) => {
                for row in &mut rows {
                    row[at] = self.along(form, row);
                }
                self.point[at] = self.at(form, &self.point.clone());
            }
            None => {
                rows.iter_mut().for_each(|row| row[at] = 0);
                self.point[at] = 0;
                rows.push((0..self.registers.len()).map(|i| u64::from(i == at)).collect());
            }
        }
        self.set_span(rows);
    }

    /// The part of it where a form is zero; unchanged if that is nowhere, which is for others to find out.
    pub fn restrict(&mut self, form: &Form) {
        let along: Vec<u64> = self.span.iter().map(|row| self.along(form, row)).collect();
        let now = self.at(form, &self.point);
        let least = (0..along.len()).min_by_key(|row| self.halves(along[*row]));
        let Some(least) = least.filter(|row| along[*row] != 0) else { return };
        let Some(steps) = self.divided(now, along[least]) else { return };
        let mut rows = std::mem::take(&mut self.span);
        let pivot = rows.swap_remove(least);
        let mut along = along;
        let by = along.swap_remove(least);
        minus(&mut self.point, steps, &pivot);
        self.point.iter_mut().for_each(|x| *x &= u64::MAX >> (64 - self.bits));
        for (row, along) in rows.iter_mut().zip(along) {
            if let Some(q) = self.divided(along, by) {
                minus(row, q, &pivot);
            }
        }
        let halves = self.halves(by);
        if halves > 0 {
            rows.push(pivot.iter().map(|x| x << (self.bits - halves)).collect());
        }
        self.set_span(rows);
    }

    /// The value of a form, if it has only one.
    pub fn value(&self, form: &Form) -> Option<u64> {
        self.span.iter().all(|row| self.along(form, row) == 0).then(|| self.at(form, &self.point))
    }
}

impl Spaces {
    /// The spaces.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Space>> {
        self.0.iter()
    }

    /// The space of these registers.
    pub(crate) fn of(&self, registers: &Arc<[LocalId]>) -> Option<&Arc<Space>> {
        self.0.iter().find(|space| Arc::ptr_eq(&space.registers, registers) || space.registers == *registers)
    }

    /// A space is known; one that says nothing is left out.
    pub(crate) fn put(&mut self, space: Space) {
        self.0.retain(|other| other.registers != space.registers);
        if !space.is_whole() {
            self.0.push(Arc::new(space));
            self.0.sort_by_key(|space| space.bits);
        }
    }

    fn merge(&self, other: &Spaces, both: impl Fn(&Space, &Space) -> Option<Space>) -> Spaces {
        let mut merged = Spaces::default();
        for space in &self.0 {
            let Some(there) = other.of(&space.registers) else { continue };
            if Arc::ptr_eq(space, there) {
                merged.0.push(space.clone());
            } else if let Some(joined) = both(space, there) {
                merged.put(joined);
            }
        }
        merged
    }
}

impl Relational for Spaces {
    /// What holds after one or the other.
    fn join(&self, other: &Spaces, _: &dyn Ranges, _: &dyn Ranges) -> Spaces {
        self.merge(other, |a, b| Some(a.join(b)))
    }

    /// The join, or everything where only the steps become smaller.
    fn widen(&self, next: &Spaces, _: &dyn Ranges, _: &Thresholds) -> Spaces {
        self.merge(next, |a, b| {
            let joined = a.join(b);
            (joined.span.len() > a.span.len() || b.is_subset(a)).then_some(joined)
        })
    }

    /// Whether all of it follows from another.
    fn is_implied_by(&self, other: &Spaces, _: &dyn Ranges) -> bool {
        self.0.iter().all(|space| other.of(&space.registers).is_some_and(|there| there.is_subset(space)))
    }

    /// A register gets a value of which nothing is known.
    fn forget(&mut self, local: LocalId) {
        if let Some(space) = self.0.iter().find(|space| space.index(local).is_some()) {
            let mut space = Space::clone(space);
            space.assign(local, None);
            self.put(space);
        }
    }

    /// Registers that nothing reads may be what others have in common: they stay until they are assigned again.
    fn retain(&mut self, _: &dyn Fn(LocalId) -> bool) {}

    /// Registers that have no value in this run may have any.
    fn contains(&self, run: &dyn Concrete) -> Result<(), String> {
        for space in self.iter() {
            let mut space = Space::clone(space);
            let mut values = Vec::new();
            for local in space.registers().to_vec() {
                match run.var(Var::Register(local)) {
                    Some(value) => values.push(value as u64 & (u64::MAX >> (64 - space.bits()))),
                    None => {
                        space.assign(local, None);
                        values.push(0);
                    }
                }
            }
            if !space.contains(&values) {
                return Err(format!("{:?} are {values:?}, not in {space:?}", space.registers()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
