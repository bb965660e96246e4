// SPDX-License-Identifier: MIT OR Apache-2.0
//! The octagons of a state, by pack, and the lattice they form.

use std::sync::Arc;

use clew_ir::syntax::LocalId;

use crate::domain::linear::register_range;
use crate::domain::octagon::{Octagon, Signed};
use crate::domain::ranges::Ranges;
use crate::domain::relational::{Concrete, Relational};
use crate::map::{Change, Map, Merge};
use crate::program::octagon_packing::PackId;
use crate::program::thresholds::Thresholds;

/// The octagons of a state, by pack.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Octagons {
    pub(crate) packs: Map<PackId, Arc<Octagon>>,
}

pub(crate) fn plus(at: usize) -> Signed {
    Signed { at, minus: false }
}

/// An octagon with what the ranges of a state say of its variables; none if no run is in both.
fn with_ranges(octagon: &Octagon, state: &dyn Ranges) -> Option<Octagon> {
    let mut closed = octagon.clone();
    for at in 0..closed.vars().len() {
        if learn_range(&mut closed, at, state) && !closed.close_around(at) {
            return None;
        }
    }
    Some(closed)
}

/// Learns the range of a variable; false if it was known.
fn learn_range(octagon: &mut Octagon, at: usize, state: &dyn Ranges) -> bool {
    match register_range(state, octagon.vars()[at]) {
        Some(range) => {
            octagon.learn_most(plus(at), range.hi) | octagon.learn_most(plus(at).negated(), -range.lo)
        }
        None => false,
    }
}

/// An octagon of a state, with what its ranges say; the ranges alone if there is none.
pub(crate) fn of_state(
    octagon: Option<&Arc<Octagon>>,
    vars: &Arc<[LocalId]>,
    state: &dyn Ranges,
) -> Option<Octagon> {
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
    here: &'a dyn Ranges,
    there: &'a dyn Ranges,
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

impl Merge<PackId, Arc<Octagon>> for Join<'_> {
    fn both(&mut self, _: PackId, a: &Arc<Octagon>, b: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        if Arc::ptr_eq(a, b) {
            return Change::Keep;
        }
        changed(Some(a), self.joined(Some(a), Some(b)))
    }
    fn left(&mut self, _: PackId, a: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        changed(Some(a), self.joined(Some(a), None))
    }
    fn right(&mut self, _: PackId, b: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        changed(Some(b), self.joined(None, Some(b)))
    }
}

struct Widen<'a> {
    next: &'a dyn Ranges,
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

impl Merge<PackId, Arc<Octagon>> for Widen<'_> {
    fn both(&mut self, _: PackId, a: &Arc<Octagon>, b: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        if Arc::ptr_eq(a, b) { Change::Keep } else { self.widened(a, Some(b)) }
    }
    fn left(&mut self, _: PackId, a: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        self.widened(a, None)
    }
    fn right(&mut self, _: PackId, _: &Arc<Octagon>) -> Change<Arc<Octagon>> {
        Change::Drop
    }
}

impl Octagons {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Octagon>> {
        self.packs.iter().map(|(_, octagon)| octagon)
    }

    pub(crate) fn put(&mut self, pack: PackId, octagon: Octagon) {
        if octagon.is_trivial() {
            self.packs.remove(pack);
        } else {
            self.packs.insert(pack, Arc::new(octagon));
        }
    }
}

impl Relational for Octagons {
    /// What holds on both paths.
    fn join(&self, other: &Octagons, here: &dyn Ranges, there: &dyn Ranges) -> Octagons {
        Octagons { packs: self.packs.merge(&other.packs, &mut Join { here, there }) }
    }

    /// The join, or more, so that loops come to an end.
    fn widen(&self, other: &Octagons, next: &dyn Ranges, thresholds: &Thresholds) -> Octagons {
        Octagons {
            packs: self.packs.merge(&other.packs, &mut Widen { next, thresholds: &thresholds.floats }),
        }
    }

    /// Whether the other says all that this says, or its ranges do. `state` is the other's.
    fn is_implied_by(&self, other: &Octagons, state: &dyn Ranges) -> bool {
        self.packs.all_mine(&other.packs, &mut |_, mine, theirs| {
            theirs.is_some_and(|theirs| Arc::ptr_eq(mine, theirs))
                || of_state(theirs, mine.vars(), state).is_none_or(|theirs| theirs.is_within(mine))
        })
    }

    fn forget(&mut self, local: LocalId) {
        let of_it = self.packs.iter().filter_map(|(pack, octagon)| {
            let mut smaller = Octagon::clone(octagon);
            smaller.forget(octagon.position(local)?);
            Some((pack, smaller))
        });
        for (pack, smaller) in of_it.collect::<Vec<_>>() {
            self.put(pack, smaller);
        }
    }

    /// Keeps what only these registers are in.
    fn retain(&mut self, live: &dyn Fn(LocalId) -> bool) {
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

    /// Registers are finite where something is said of them.
    fn contains(&self, run: &dyn Concrete) -> Result<(), String> {
        for octagon in self.iter() {
            for (x, y, bound) in octagon.iter() {
                let value = |signed: Signed| {
                    let float = run.float(octagon.vars()[signed.at])?;
                    Some(if signed.minus { -float } else { float })
                };
                let (Some(a), Some(b)) = (value(x), value(y)) else { continue };
                // The part of the sum that is lost by rounding, too.
                let sum = a + b;
                let lost = (a - (sum - (sum - a))) + (b - (sum - a));
                if !(sum < bound || sum == bound && lost <= 0.0) {
                    return Err(format!(
                        "{x:?} + {y:?} in {:?} is {a:e} + {b:e}, above {bound:e}",
                        octagon.vars()
                    ));
                }
            }
        }
        Ok(())
    }
}
