// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons that are remembered: `x - y <= c`, over mathematical integers.
//!
//! `if (i < n)` and its copies are kept as differences, of registers and of what [`Var`] says of pointers and objects;
//! sums are differences with a negated register, so that integers have what octagons say (see `octagon` for floats).
//! What is learned is combined with what is known on either side of it, up to a number of bounds: this is a list of what
//! tests and copies said, not a closed matrix, and costs what it holds.
//!
//! ```text
//!   x - y <= c      below      x - y <= d      for c < d;  no entry is the top
//! ```
//!
//! Measured: 56 programs of the dev lists are lost without differences (33 of them arrays, 13 memory safety), nothing in 10,000 lines of
//! `bench synchronous`, where they cost 0.6 of 10 s.

use std::sync::Arc;

use clew_ir::syntax::LocalId;

use crate::domain::ranges::Ranges;
use crate::domain::relational::{Concrete, Relational};
use crate::domain::var::Var;
use crate::effort::difference::{LARGEST, MANY, MOST, MOST_COMBINED, MOST_GROWTH};
use crate::program::object::ObjectId;
use crate::program::thresholds::Thresholds;

/// Upper bounds of differences, by the two variables. There are few and they change often: a list in order, which
/// states share as long as it stays the same.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Relations {
    bounds: Arc<Vec<Bound>>,
}

/// `x - y <= c`, the two variables as one number.
type Bound = (u64, i128);

fn key(x: Var, y: Var) -> Option<u64> {
    Some(u64::from(x.pack()?) << 32 | u64::from(y.pack()?))
}

fn sides(key: u64) -> (Var, Var) {
    (Var::unpack((key >> 32) as u32), Var::unpack(key as u32))
}

/// What the ranges of the two variables say of their difference.
pub fn from_ranges(state: &dyn Ranges, x: Var, y: Var) -> Option<i128> {
    let (x, y) = (state.var_range(x)?, state.var_range(y)?);
    if x.hi() == i128::MAX || y.lo() == i128::MIN {
        return None;
    }
    x.hi().checked_sub(y.lo()).filter(|c| c.abs() < LARGEST)
}

impl Relations {
    /// From bounds in any order.
    pub fn new(bounds: impl Iterator<Item = (Var, Var, i128)>) -> Relations {
        let mut relations = Relations::default();
        let known = bounds.filter(|(x, y, c)| x != y && c.abs() < LARGEST);
        relations.add(known.filter_map(|(x, y, c)| Some((key(x, y)?, c))).collect());
        relations
    }

    /// Adds bounds, or makes those that are there smaller.
    fn add(&mut self, mut new: Vec<Bound>) {
        new.sort_unstable();
        new.dedup_by_key(|(k, _)| *k);
        let smaller = |(k, c): &Bound| match self.bounds.binary_search_by_key(k, |(k, _)| *k) {
            Ok(at) => self.bounds[at].1 > *c,
            Err(_) => self.bounds.len() < MOST,
        };
        new.retain(smaller);
        if new.is_empty() {
            return;
        }
        let mut merged = Vec::with_capacity(self.bounds.len() + new.len());
        let mut old = self.bounds.iter().copied().peekable();
        for bound in new {
            while let Some(earlier) = old.next_if(|(k, _)| *k < bound.0) {
                merged.push(earlier);
            }
            old.next_if(|(k, _)| *k == bound.0);
            merged.push(bound);
        }
        merged.extend(old);
        self.bounds = Arc::new(merged);
    }

    /// Every bound as it is, changed or gone.
    fn change(&mut self, mut each: impl FnMut(u64, i128) -> Option<i128>) {
        let Some(first) = self.bounds.iter().position(|(k, c)| each(*k, *c) != Some(*c)) else { return };
        let (same, rest) = self.bounds.split_at(first);
        let changed = rest.iter().filter_map(|(k, c)| Some((*k, each(*k, *c)?)));
        self.bounds = Arc::new(same.iter().copied().chain(changed).collect());
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    fn get(&self, key: u64) -> Option<i128> {
        self.bounds.binary_search_by_key(&key, |(k, _)| *k).ok().map(|at| self.bounds[at].1)
    }

    /// The bound of `x - y`, if one is known.
    pub fn bound(&self, x: impl Into<Var>, y: impl Into<Var>) -> Option<i128> {
        self.get(key(x.into(), y.into())?)
    }

    /// The best bound of `x - y` that is known or follows in one step.
    pub fn closest(&self, x: Var, y: Var) -> Option<i128> {
        let first = u64::from(x.pack()?) << 32;
        let from = self.bounds.partition_point(|(k, _)| *k < first);
        let through = self.bounds[from..].iter().take_while(|(k, _)| *k >> 32 == first >> 32);
        let through = through.filter_map(|(k, c)| {
            let z = sides(*k).1;
            Some(c + if z == y { 0 } else { self.bound(z, y)? })
        });
        through.min()
    }

    /// Learns `x - y <= c`, and what follows from it with what is known of the two.
    pub fn learn(&mut self, x: impl Into<Var>, y: impl Into<Var>, c: i128) {
        let (x, y) = (x.into(), y.into());
        let (Some(own), Some(packed_x), Some(packed_y)) = (key(x, y), x.pack(), y.pack()) else { return };
        if x == y || c.abs() >= LARGEST || self.get(own).is_some_and(|old| old <= c) {
            return;
        }
        // What is known to be at most x, and what y is known to be at most.
        let (mut below, mut above) = (vec![(packed_x, 0)], vec![(packed_y, 0)]);
        if self.bounds.len() < MANY {
            for (k, d) in self.bounds.iter() {
                let (a, b) = ((k >> 32) as u32, *k as u32);
                if b == packed_x && a != packed_y {
                    below.push((a, *d));
                }
                if a == packed_y && b != packed_x {
                    above.push((b, *d));
                }
            }
        }
        let combined = below.len() * above.len() <= MOST_COMBINED;
        let mut new = Vec::with_capacity(below.len() + above.len());
        for (a, d) in &below {
            for (b, e) in &above {
                let sum = d + c + e;
                if a != b && (combined || *a == packed_x || *b == packed_y) && sum.abs() < LARGEST {
                    new.push((u64::from(*a) << 32 | u64::from(*b), sum));
                }
            }
        }
        self.add(new);
    }

    /// Nothing is known any more of what these are.
    pub fn drop_all(&mut self, gone: impl Fn(Var) -> bool) {
        self.change(|k, c| if gone(sides(k).0) || gone(sides(k).1) { None } else { Some(c) });
    }

    /// Whether something is known of a variable.
    pub fn mentions(&self, var: Var) -> bool {
        let Some(var) = var.pack() else { return false };
        self.bounds.iter().any(|(k, _)| (k >> 32) as u32 == var || *k as u32 == var)
    }

    /// A register that holds an integer grows by a constant.
    pub fn shift(&mut self, x: LocalId, by: i128) {
        self.shift_between(x, by, by);
    }

    /// A register that holds an integer grows by something between two numbers.
    pub fn shift_between(&mut self, x: LocalId, least: i128, most: i128) {
        // The least and the most that a variable grows by.
        let growth = |var: Var| match var {
            Var::Register(local) if local == x => (least, most),
            Var::Minus(local) if local == x => (-most, -least),
            _ => (0, 0),
        };
        self.change(|k, c| {
            let (a, b) = sides(k);
            let both = a.local() == Some(x) && b.local() == Some(x);
            Some(c + growth(a).1 - growth(b).0).filter(|c| c.abs() < LARGEST && !both)
        });
    }

    /// A register that holds a pointer moves: by so much in each unit, as far as that is known, from the start and to
    /// the end.
    pub fn shift_pointer(
        &mut self,
        x: LocalId,
        offset: &dyn Fn(u32) -> Option<i128>,
        room: &dyn Fn(u32) -> Option<i128>,
    ) {
        self.shift_by(&|var| match var {
            Var::Offset(local, unit) if local == x => offset(unit),
            Var::Room(local, unit) if local == x => room(unit),
            _ => Some(0),
        });
    }

    /// Every variable grows by what is said; none: it gets a value that nothing is known of.
    fn shift_by(&mut self, by: &dyn Fn(Var) -> Option<i128>) {
        self.change(|k, c| {
            let (x, y) = sides(k);
            Some(c + by(x)? - by(y)?).filter(|c| c.abs() < LARGEST)
        });
    }

    fn merge(
        &self,
        other: &Relations,
        mut each: impl FnMut(u64, Option<i128>, Option<i128>) -> Option<i128>,
    ) -> Relations {
        if Arc::ptr_eq(&self.bounds, &other.bounds) {
            return self.clone();
        }
        let (mut a, mut b) = (self.bounds.iter().peekable(), other.bounds.iter().peekable());
        let mut merged = Vec::with_capacity(self.bounds.len());
        loop {
            let key = match (a.peek(), b.peek()) {
                (Some((k, _)), Some((l, _))) => *k.min(l),
                (Some((k, _)), None) | (None, Some((k, _))) => *k,
                (None, None) => break,
            };
            let mine = a.next_if(|(k, _)| *k == key).map(|(_, c)| *c);
            let theirs = b.next_if(|(k, _)| *k == key).map(|(_, c)| *c);
            merged.extend(each(key, mine, theirs).map(|c| (key, c)));
        }
        if merged == *self.bounds { self.clone() } else { Relations { bounds: Arc::new(merged) } }
    }

    /// All bounds between registers that hold integers: `x - y <= c`.
    pub fn iter(&self) -> impl Iterator<Item = (LocalId, LocalId, i128)> + '_ {
        self.all().filter_map(|(x, y, c)| match (x, y) {
            (Var::Register(x), Var::Register(y)) => Some((x, y, c)),
            _ => None,
        })
    }

    /// All bounds.
    pub fn all(&self) -> impl Iterator<Item = (Var, Var, i128)> + '_ {
        self.bounds.iter().map(|(k, c)| {
            let (x, y) = sides(*k);
            (x, y, *c)
        })
    }

    /// Nothing is known of an object any more.
    pub fn forget_object(&mut self, object: ObjectId) {
        self.drop_all(|var| var.object() == Some(object));
    }

    /// The zero byte that is known of an object, or of any, may be gone.
    pub fn forget_nul(&mut self, object: Option<ObjectId>) {
        self.drop_all(|var| match var {
            Var::Nul(o) => object.is_none_or(|object| object == o),
            _ => false,
        });
    }
}

impl Relational for Relations {
    /// What holds on both paths. A bound that one path states and the ranges of the other imply is kept.
    fn join(&self, other: &Relations, here: &dyn Ranges, there: &dyn Ranges) -> Relations {
        self.merge(other, |k, a, b| {
            let implied = |state: &dyn Ranges, c: i128| {
                let (x, y) = sides(k);
                from_ranges(state, x, y).filter(|d| *d - c <= MOST_GROWTH).map(|d| d.max(c))
            };
            match (a, b) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (Some(a), None) => implied(there, a),
                (None, Some(b)) => implied(here, b),
                (None, None) => None,
            }
        })
    }

    /// What did not grow.
    fn widen(&self, next: &Relations, _: &dyn Ranges, _: &Thresholds) -> Relations {
        self.merge(next, |_, a, b| a.zip(b).filter(|(a, b)| b <= a).map(|(a, _)| a))
    }

    /// Whether the other says all that this says, or its ranges do. `state` is the other's.
    fn is_implied_by(&self, other: &Relations, state: &dyn Ranges) -> bool {
        let implied = |k: u64, c: i128| {
            let (x, y) = sides(k);
            from_ranges(state, x, y).is_some_and(|d| d <= c)
        };
        Arc::ptr_eq(&self.bounds, &other.bounds)
            || self.bounds.iter().all(|(k, c)| other.get(*k).is_some_and(|d| d <= *c) || implied(*k, *c))
    }

    /// A register gets a value that nothing is known of.
    fn forget(&mut self, x: LocalId) {
        self.drop_all(|var| var.local() == Some(x));
    }

    /// Keeps what only these registers are in; what is said of objects stays.
    fn retain(&mut self, live: &dyn Fn(LocalId) -> bool) {
        self.drop_all(|var| var.local().is_some_and(|local| !live(local)));
    }

    fn contains(&self, run: &dyn Concrete) -> Result<(), String> {
        for (x, y, bound) in self.all() {
            if let (Some(a), Some(b)) = (run.var(x), run.var(y))
                && a.checked_sub(b).is_some_and(|difference| difference > bound)
            {
                return Err(format!("{x:?} - {y:?} is {a} - {b}, above {bound}"));
            }
        }
        Ok(())
    }

    fn describe(&self, name: &dyn Fn(Var) -> Option<String>) -> Vec<String> {
        let text = |(x, y, c)| Some(format!("{} - {} <= {c}", name(x)?, name(y)?));
        self.all().filter_map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers 0 to 3, the size of an object, and a register negated.
    const VARS: [Var; 6] = [
        Var::Register(LocalId(0)),
        Var::Register(LocalId(1)),
        Var::Offset(LocalId(2), 0),
        Var::Room(LocalId(3), 2),
        Var::Size(ObjectId(0), 2),
        Var::Minus(LocalId(1)),
    ];

    type Run = [i128; 5];

    struct Random(fastrand::Rng);
    impl Random {
        fn below(&mut self, most: u64) -> usize {
            self.0.u64(..most) as usize
        }
        fn small(&mut self) -> i128 {
            self.below(21) as i128 - 10
        }
    }

    fn value(run: &Run, var: Var) -> i128 {
        match var {
            Var::Minus(local) => -value(run, Var::Register(local)),
            var => run[VARS.iter().position(|v| *v == var).expect("one of the variables")],
        }
    }

    fn holds(relations: &Relations, runs: &[Run]) {
        for (x, y, c) in relations.all() {
            for run in runs {
                assert!(value(run, x) - value(run, y) <= c, "{x:?} - {y:?} <= {c} in {run:?}");
            }
        }
    }

    /// Runs, and what random tests, assignments and moves say of them.
    fn random(random: &mut Random) -> (Relations, Vec<Run>) {
        let mut runs: Vec<Run> = (0..4).map(|_| std::array::from_fn(|_| random.small())).collect();
        let mut relations = Relations::default();
        for _ in 0..12 {
            let (x, y) = (VARS[random.below(6)], VARS[random.below(6)]);
            match random.below(7) {
                0 => {
                    runs.iter_mut().for_each(|run| run[0] = random.small());
                    relations.forget(LocalId(0));
                }
                1 => {
                    let by = random.small();
                    runs.iter_mut().for_each(|run| run[1] += by);
                    relations.shift(LocalId(1), by);
                }
                2 => {
                    let by = random.small();
                    runs.iter_mut().for_each(|run| run[2] += by);
                    runs.iter_mut().for_each(|run| run[3] -= by);
                    relations.shift_pointer(LocalId(2), &|_| Some(by), &|_| None);
                    relations.shift_pointer(LocalId(3), &|_| None, &|_| Some(-by));
                }
                3 => {
                    let (least, span) = (random.small(), random.below(5));
                    runs.iter_mut().for_each(|run| run[1] += least + random.below(span as u64 + 1) as i128);
                    relations.shift_between(LocalId(1), least, least + span as i128);
                }
                _ if x != y => {
                    let most = runs.iter().map(|run| value(run, x) - value(run, y)).max().unwrap_or(0);
                    relations.learn(x, y, most + random.below(3) as i128);
                }
                _ => {}
            }
            holds(&relations, &runs);
        }
        (relations, runs)
    }

    #[test]
    fn what_is_known_holds_in_every_run() {
        let state = ();
        for seed in 0..2000 {
            let mut source = Random(fastrand::Rng::with_seed(seed));
            let ((a, mine), (b, theirs)) = (random(&mut source), random(&mut source));
            let joined = a.join(&b, &state, &state);
            holds(&joined, &mine);
            holds(&joined, &theirs);
            assert!(joined.is_implied_by(&a, &state) && joined.is_implied_by(&b, &state));
            let widened = a.widen(&joined, &state, &Thresholds::default());
            holds(&widened, &mine);
            holds(&widened, &theirs);
            assert!(widened.is_implied_by(&joined, &state));
            for x in VARS {
                for y in VARS {
                    if let Some(c) = a.closest(x, y).filter(|_| x != y) {
                        holds(&Relations::new([(x, y, c)].into_iter()), &mine);
                    }
                }
            }
        }
    }

    #[test]
    fn differences_add_up() {
        let [a, b, c, d, ..] = VARS;
        let mut relations = Relations::default();
        relations.learn(a, b, -1);
        relations.learn(c, d, 2);
        relations.learn(b, c, 3);
        assert_eq!(relations.bound(a, d), Some(4));
        relations.drop_all(|var| var == b || var == c);
        assert_eq!(relations.all().collect::<Vec<_>>(), [(a, d, 4)]);
    }
}
