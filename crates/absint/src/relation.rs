// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons between registers that are remembered: `x - y <= c`, over mathematical integers.
//!
//! `if (i < n)` and its copies are kept as differences. Nothing is closed transitively beyond one step: this is a list
//! of what tests and copies said, not the octagon domain, and costs what it holds.
//!
//! ```text
//!   x - y <= c      below      x - y <= d      for c < d;  no entry is the top
//! ```

use clew_ir::syntax::LocalId;

use crate::map::{Change, Map, Merge};
use crate::state::State;
use crate::value::Kind;

/// Upper bounds of differences, by the two registers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Relations {
    bounds: Map<i128>,
}

fn key(x: LocalId, y: LocalId) -> u64 {
    u64::from(x.0) << 32 | u64::from(y.0)
}

fn sides(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// Constants beyond this are not worth remembering, and cannot overflow in sums.
const LARGEST: i128 = 1 << 100;

struct Larger;
impl Merge<i128> for Larger {
    fn both(&mut self, _: u64, a: &i128, b: &i128) -> Change<i128> {
        if a >= b { Change::Keep } else { Change::To(*b) }
    }
    fn left(&mut self, _: u64, _: &i128) -> Change<i128> {
        Change::Drop
    }
    fn right(&mut self, _: u64, _: &i128) -> Change<i128> {
        Change::Drop
    }
}

/// Keeps bounds that did not grow.
struct Stable;
impl Merge<i128> for Stable {
    fn both(&mut self, _: u64, a: &i128, b: &i128) -> Change<i128> {
        if b <= a { Change::Keep } else { Change::Drop }
    }
    fn left(&mut self, _: u64, _: &i128) -> Change<i128> {
        Change::Drop
    }
    fn right(&mut self, _: u64, _: &i128) -> Change<i128> {
        Change::Drop
    }
}

/// What the ranges of the two registers say of their difference.
fn from_ranges(state: &State, x: u32, y: u32) -> Option<i128> {
    let range = |local: u32| match state.registers.get(u64::from(local)) {
        Some(value) if !value.uninit => match &value.kind {
            Kind::Number(n) => Some(*n),
            _ => None,
        },
        _ => None,
    };
    let (x, y) = (range(x)?, range(y)?);
    if x.hi() == i128::MAX || y.lo() == i128::MIN {
        return None;
    }
    x.hi().checked_sub(y.lo()).filter(|c| c.abs() < LARGEST)
}

impl Relations {
    /// The bound of `x - y`, if one is known.
    pub fn bound(&self, x: LocalId, y: LocalId) -> Option<i128> {
        self.bounds.get(key(x, y)).copied()
    }

    /// Learns `x - y <= c`, and what follows from it in one step.
    pub fn learn(&mut self, x: LocalId, y: LocalId, c: i128) {
        if x == y || c.abs() >= LARGEST || self.bound(x, y).is_some_and(|old| old <= c) {
            return;
        }
        let mut new = vec![(x, y, c)];
        for (k, d) in self.bounds.iter() {
            let (a, b) = sides(k);
            if b == x.0 && a != y.0 {
                new.push((LocalId(a), y, d + c));
            }
            if a == y.0 && b != x.0 {
                new.push((x, LocalId(b), c + d));
            }
        }
        for (x, y, c) in new {
            if c.abs() < LARGEST && self.bound(x, y).is_none_or(|old| c < old) {
                self.bounds.insert(key(x, y), c);
            }
        }
    }

    /// A register gets a value that nothing is known of.
    pub fn forget(&mut self, x: LocalId) {
        let mentions = |k: u64| sides(k).0 == x.0 || sides(k).1 == x.0;
        if self.bounds.iter().any(|(k, _)| mentions(k)) {
            self.bounds =
                self.bounds.filter_map(&mut |k, _| if mentions(k) { Change::Drop } else { Change::Keep });
        }
    }

    /// A register grows by a constant.
    pub fn shift(&mut self, x: LocalId, by: i128) {
        self.bounds = self.bounds.filter_map(&mut |k, c| match sides(k) {
            (a, _) if a == x.0 => changed(c + by),
            (_, b) if b == x.0 => changed(c - by),
            _ => Change::Keep,
        });
    }

    /// Keeps what only these registers are in.
    pub fn retain(&mut self, mut live: impl FnMut(LocalId) -> bool) {
        if self.bounds.is_empty() {
            return;
        }
        self.bounds = self.bounds.filter_map(&mut |k, _| {
            let (a, b) = sides(k);
            if live(LocalId(a)) && live(LocalId(b)) { Change::Keep } else { Change::Drop }
        });
    }

    /// What holds on both ways. A bound that one way states and the ranges of the other imply is kept.
    #[must_use]
    pub fn join(&self, other: &Relations, here: &State, there: &State) -> Relations {
        if self.bounds.is_same(&other.bounds) {
            return self.clone();
        }
        let mut bounds = self.bounds.merge(&other.bounds, &mut Larger);
        for (mine, theirs, state) in [(self, other, there), (other, self, here)] {
            for (k, c) in mine.bounds.iter() {
                if theirs.bounds.get(k).is_none() {
                    let (x, y) = sides(k);
                    if let Some(d) = from_ranges(state, x, y) {
                        bounds.insert(k, d.max(*c));
                    }
                }
            }
        }
        Relations { bounds }
    }

    /// What did not grow.
    #[must_use]
    pub fn widen(&self, next: &Relations) -> Relations {
        if self.bounds.is_same(&next.bounds) {
            return self.clone();
        }
        Relations { bounds: self.bounds.merge(&next.bounds, &mut Stable) }
    }

    /// Whether the other says all that this says.
    pub fn is_implied_by(&self, other: &Relations) -> bool {
        self.bounds.is_same(&other.bounds)
            || self.bounds.iter().all(|(k, c)| other.bounds.get(k).is_some_and(|d| d <= c))
    }

    /// All bounds, for printing: `x - y <= c`.
    pub fn iter(&self) -> impl Iterator<Item = (LocalId, LocalId, i128)> + '_ {
        self.bounds.iter().map(|(k, c)| (LocalId(sides(k).0), LocalId(sides(k).1), *c))
    }
}

fn changed(c: i128) -> Change<i128> {
    if c.abs() < LARGEST { Change::To(c) } else { Change::Drop }
}
