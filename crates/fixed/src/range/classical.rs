// SPDX-License-Identifier: MIT OR Apache-2.0
//! CI: a number is somewhere between two bounds, and nothing else is known (Definitions 4 and 5).

use super::{Range, Renamed, Symbols};
use crate::interval::Interval;

/// A classical interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Classical(pub Interval);

impl Range for Classical {
    const NAME: &'static str = "CI";

    fn constant(value: Interval) -> Self {
        Classical(value)
    }

    fn source(value: Interval, _: &mut Symbols) -> Self {
        Classical(value)
    }

    fn noise(value: Interval, _: &mut Symbols) -> Self {
        Classical(value)
    }

    fn add(&self, other: &Self) -> Self {
        Classical(self.0 + other.0)
    }

    fn sub(&self, other: &Self) -> Self {
        Classical(self.0 - other.0)
    }

    fn mul(&self, other: &Self, _: &mut Symbols) -> Self {
        Classical(self.0 * other.0)
    }

    fn scale(&self, factor: Interval) -> Self {
        Classical(self.0 * factor)
    }

    fn linear(&self, slope: Interval, offset: Interval, _: &mut Symbols) -> Self {
        Classical(self.0 * slope + offset)
    }

    fn join(&self, other: &Self, _: &mut Symbols) -> Self {
        Classical(self.0.hull(other.0))
    }

    fn substituted(&self, _: &[(&Self, &Self)], _: &mut Renamed, _: &mut Symbols) -> Self {
        *self
    }

    fn bounds(&self) -> Interval {
        self.0
    }

    fn reciprocal(&self, _: &mut Symbols) -> Option<Self> {
        Interval::point(1.0).checked_div(self.0).map(Classical)
    }

    fn sqrt(&self, _: &mut Symbols) -> Option<Self> {
        self.0.sqrt().map(Classical)
    }
}
