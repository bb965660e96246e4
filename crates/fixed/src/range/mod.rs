// SPDX-License-Identifier: MIT OR Apache-2.0
//! Range representations: what is known of one real number (section 3 of the paper).
//!
//! Three implementations, one file each: [`classical`] (Definition 5), [`affine`] (Definition 7) and [`extended`]
//! (Definition 9). They differ in what they remember of where a number comes from: nothing, a linear combination of
//! noise symbols in [-1, 1], the same with intervals for coefficients.

pub mod affine;
pub mod classical;
pub mod extended;
#[cfg(test)]
mod tests;

pub(crate) use affine::merged;

use crate::directed::mul_up;
use crate::interval::Interval;

/// A noise symbol: an unknown number in [-1, 1], the same wherever it occurs.
pub type Symbol = u32;

/// Where fresh noise symbols come from.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    next: Symbol,
}

impl Symbols {
    /// A symbol that occurs nowhere else.
    pub fn fresh(&mut self) -> Symbol {
        self.next += 1;
        self.next
    }
}

/// Symbols of a summary, and what they are called in one use of it.
pub type Renamed = std::collections::BTreeMap<Symbol, Symbol>;

/// What is known of a real number.
///
/// Soundness: if the operands hold their numbers for some values of the noise symbols, the result holds the exact
/// result of the operation for the same values, and for some values of the symbols that are fresh in it.
pub trait Range: Clone + std::fmt::Debug {
    /// Short name, as in the paper's tables.
    const NAME: &'static str;
    /// A number known up to an interval that is nobody else's business: a constant, enclosed.
    fn constant(value: Interval) -> Self;
    /// Any number of the interval, from a source of its own.
    fn source(value: Interval, symbols: &mut Symbols) -> Self;
    /// What one rounding takes away (Definition 11): AI has a symbol for it, CI and EAI have an interval.
    fn noise(value: Interval, symbols: &mut Symbols) -> Self;
    /// Sum.
    fn add(&self, other: &Self) -> Self;
    /// Difference.
    fn sub(&self, other: &Self) -> Self;
    /// Product.
    fn mul(&self, other: &Self, symbols: &mut Symbols) -> Self;
    /// Product with a constant.
    fn scale(&self, factor: Interval) -> Self;
    /// `slope * self + offset` for constants that are enclosed; `offset` is what the linear form misses.
    fn linear(&self, slope: Interval, offset: Interval, symbols: &mut Symbols) -> Self;
    /// Holds whatever either holds (Definition 13, mended where it is unsound: see [`affine`]).
    fn join(&self, other: &Self, symbols: &mut Symbols) -> Self;
    /// With other numbers in the place of sources, which lie within them; other symbols are renamed.
    fn substituted(&self, by: &[(&Self, &Self)], renamed: &mut Renamed, symbols: &mut Symbols) -> Self;
    /// Least and greatest value.
    fn bounds(&self) -> Interval;

    /// Reciprocal by Chebyshev's linear approximation; none if it may be that of zero.
    fn reciprocal(&self, symbols: &mut Symbols) -> Option<Self> {
        let (slope, offset) = reciprocal_line(self.bounds())?;
        Some(self.linear(slope, offset, symbols))
    }

    /// Square root, likewise; none if the number may be negative.
    fn sqrt(&self, symbols: &mut Symbols) -> Option<Self> {
        let (slope, offset) = root_line(self.bounds())?;
        Some(self.linear(slope, offset, symbols))
    }
}

/// A slope and what `1/y - slope * y` may be for `y` in the interval.
fn reciprocal_line(y: Interval) -> Option<(Interval, Interval)> {
    if y.contains(0.0) || !y.is_finite() {
        return None;
    }
    let positive = y.abs();
    let (a, b) = (Interval::point(positive.lo), Interval::point(positive.hi));
    let one = Interval::point(1.0);
    if a == b {
        let value = one.checked_div(y)?;
        return Some((Interval::ZERO, value));
    }
    let slope = (-one).checked_div(a * b)?;
    // At both ends 1/a + 1/b, least in between, at the root of ab, with 2/sqrt(ab).
    let most = one.checked_div(a)? + one.checked_div(b)?;
    let least = Interval::point(2.0).checked_div((a * b).sqrt()?)?;
    // The slope is enclosed, not exact: what its width is worth at the far end goes to the offset.
    let slack = mul_up(slope.width(), positive.hi);
    let offset = Interval::new(least.lo.min(most.hi), most.hi).widened(slack);
    let slope = Interval::point(slope.middle());
    Some(if y.lo > 0.0 { (slope, offset) } else { (slope, -offset) })
}

/// A slope and what `sqrt(y) - slope * y` may be for `y` in the interval.
fn root_line(y: Interval) -> Option<(Interval, Interval)> {
    if y.lo < 0.0 || !y.is_finite() {
        return None;
    }
    if y.is_point() {
        return Some((Interval::ZERO, y.sqrt()?));
    }
    let (a, b) = (Interval::point(y.lo).sqrt()?, Interval::point(y.hi).sqrt()?);
    let slope = Interval::point(1.0).checked_div(a + b)?;
    // At both ends ab/(a+b), most in between with (a+b)/4.
    let least = (a * b).checked_div(a + b)?;
    let most = (a + b) * Interval::point(0.25);
    let slack = mul_up(slope.width(), y.hi);
    let offset = Interval::new(least.lo, most.hi.max(least.lo)).widened(slack);
    Some((Interval::point(slope.middle()), offset))
}
