// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, and sums of two of them, that are even or odd: the worked example of `docs/domains.md`, built into tests alone.
//!
//! ```text
//!   x + y is even      x + y is odd
//!             \        /
//!          nothing is said of x + y
//! ```
//!
//! Everything is modulo two, so that it holds where sums wrap. Sums are found where two paths meet on which both registers are known.

use std::collections::BTreeMap;

use clew_ir::syntax::LocalId;

use crate::domain::int::Int;
use crate::domain::linear::Sum;
use crate::domain::ranges::Ranges;
use crate::domain::relational::{Concrete, Relational};
use crate::domain::var::Var;
use crate::program::thresholds::Thresholds;

/// Which registers, and which sums of two of them, are odd.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Parity {
    registers: BTreeMap<LocalId, bool>,
    /// By the two, in order.
    sums: BTreeMap<(LocalId, LocalId), bool>,
}

fn pair(x: LocalId, y: LocalId) -> (LocalId, LocalId) {
    (x.min(y), x.max(y))
}

/// The registers with odd coefficients: the others add nothing modulo two.
fn odd_terms(sum: &Sum) -> Vec<LocalId> {
    sum.terms
        .iter()
        .filter(|(_, coefficient)| !coefficient.is_multiple_of(2))
        .map(|(local, _)| *local)
        .collect()
}

/// Whether a register is odd by its range.
fn by_range(ranges: &dyn Ranges, local: LocalId) -> Option<bool> {
    let (modulus, value) = ranges.var_range(Var::Register(local))?.stride();
    modulus.is_multiple_of(2).then_some(value % 2 != 0)
}

impl Parity {
    fn register(&self, local: LocalId, ranges: &dyn Ranges) -> Option<bool> {
        self.registers.get(&local).copied().or_else(|| by_range(ranges, local))
    }

    fn sum(&self, (x, y): (LocalId, LocalId), ranges: &dyn Ranges) -> Option<bool> {
        let alone = || Some(self.register(x, ranges)? != self.register(y, ranges)?);
        self.sums.get(&(x, y)).copied().or_else(alone)
    }

    /// All sums that something may be said of.
    fn pairs(&self) -> impl Iterator<Item = (LocalId, LocalId)> + '_ {
        let two = self.registers.keys().flat_map(|x| self.registers.keys().map(|y| (*x, *y)));
        self.sums.keys().copied().chain(two.filter(|(x, y)| x < y))
    }
}

impl Relational for Parity {
    const FOLLOWS_SUMS: bool = true;

    fn join(&self, other: &Parity, here: &dyn Ranges, there: &dyn Ranges) -> Parity {
        let registers = self.registers.iter().filter(|(x, odd)| other.register(**x, there) == Some(**odd));
        let sums = self.pairs().chain(other.pairs()).filter_map(|pair| {
            let odd = self.sum(pair, here)?;
            (other.sum(pair, there)? == odd).then_some((pair, odd))
        });
        Parity { registers: registers.map(|(x, odd)| (*x, *odd)).collect(), sums: sums.collect() }
    }

    fn widen(&self, next: &Parity, there: &dyn Ranges, _: &Thresholds) -> Parity {
        let mut widened = self.clone();
        widened.registers.retain(|x, odd| next.register(*x, there) == Some(*odd));
        widened.sums.retain(|pair, odd| next.sum(*pair, there) == Some(*odd));
        widened
    }

    fn is_implied_by(&self, other: &Parity, ranges: &dyn Ranges) -> bool {
        self.registers.iter().all(|(x, odd)| other.register(*x, ranges) == Some(*odd))
            && self.sums.iter().all(|(pair, odd)| other.sum(*pair, ranges) == Some(*odd))
    }

    fn forget(&mut self, local: LocalId) {
        self.retain(&|other| other != local);
    }

    fn retain(&mut self, live: &dyn Fn(LocalId) -> bool) {
        self.registers.retain(|x, _| live(*x));
        self.sums.retain(|(x, y), _| live(*x) && live(*y));
    }

    fn assign(&mut self, local: LocalId, sum: Option<&Sum>) {
        let before = self.clone();
        self.forget(local);
        let Some(sum) = sum else { return };
        let grows = !sum.constant.is_multiple_of(2);
        match odd_terms(sum)[..] {
            [] => drop(self.registers.insert(local, grows)),
            [from] => {
                if let Some(odd) = before.registers.get(&from) {
                    self.registers.insert(local, *odd != grows);
                }
                if from != local {
                    self.sums.insert(pair(local, from), grows);
                }
                // What the other register was known with, this one is known with.
                for ((x, y), odd) in before.sums.iter().filter(|((x, y), _)| *x == from || *y == from) {
                    let with = if *x == from { *y } else { *x };
                    if with != local {
                        self.sums.insert(pair(local, with), *odd != grows);
                    }
                }
            }
            _ => {}
        }
    }

    fn value(&self, sum: &Sum) -> Option<Int> {
        let terms = match odd_terms(sum)[..] {
            [] => false,
            [x] => *self.registers.get(&x)?,
            [x, y] => *self.sums.get(&pair(x, y))?,
            _ => return None,
        };
        let odd = terms == sum.constant.is_multiple_of(2);
        Int::range(i128::MIN, i128::MAX).with_stride(2, i128::from(odd))
    }

    fn contains(&self, run: &dyn Concrete) -> Result<(), String> {
        let value = |local: LocalId| run.var(Var::Register(local));
        for (x, odd) in &self.registers {
            if value(*x).is_some_and(|a| a & 1 != i128::from(*odd)) {
                return Err(format!("{x} is {:?}, and is said to be odd: {odd}", value(*x)));
            }
        }
        for ((x, y), odd) in &self.sums {
            if let (Some(a), Some(b)) = (value(*x), value(*y))
                && (a ^ b) & 1 != i128::from(*odd)
            {
                return Err(format!("{x} + {y} is {a} + {b}, and is said to be odd: {odd}"));
            }
        }
        Ok(())
    }

    fn describe(&self, name: &dyn Fn(Var) -> Option<String>) -> Vec<String> {
        let text = |((x, y), odd): (&(LocalId, LocalId), &bool)| {
            let (x, y) = (name(Var::Register(*x))?, name(Var::Register(*y))?);
            Some(format!("{x} + {y} is {}", if *odd { "odd" } else { "even" }))
        };
        self.sums.iter().filter_map(text).collect()
    }
}
