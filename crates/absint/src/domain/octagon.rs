// SPDX-License-Identifier: MIT OR Apache-2.0
//! Octagons: `x - y <= c` and `x + y <= c` between a few floats (Miné; paper 004, 6.2.2).
//!
//! A rate limiter computes `r = x - z` and goes on with `z + v` where `r > v`. That this is no larger than `x` is in no
//! range of a single variable. An octagon holds, for every two variables of a pack, bounds of their sum and of their
//! difference. The variables are reals: a float takes part only while it surely is finite, and rounding is in the linear
//! forms (`linear`) that enter. Integers keep their differences and sums in `difference`.
//!
//! ```text
//!        no bounds (top)
//!             |
//!   s*x + t*y <= d      s, t = +1 or -1
//!             |
//!   s*x + t*y <= c      for c < d;    s*x <= c is s*x + s*x <= 2*c
//!             |
//!      some cycle of bounds below zero (no run)
//! ```
//!
//! The bounds are a difference bound matrix over `+x` and `-x` of each variable: `v_j - v_i <= m(i, j)`. An entry and
//! the one with both variables negated say the same and are one. Every sum of bounds is rounded upward, so that what is
//! concluded holds in the reals; a matrix that is not closed is only less precise.
//!
//! With `backward_float` it settles 8 programs of the lists svcomp-floats and esbmc-floats that ranges leave open (the rate limiters
//! among them), and both octagon programs of paper 004's cases.
//!
//! Measured: 4 programs of the dev lists are lost without it, all of them floats; nothing in 10,000 lines of `bench synchronous`, where
//! it costs 2.4 of 10 s unless what is of use is remembered (`pruning_plan`).

use std::sync::Arc;

use clew_ir::syntax::LocalId;

use crate::domain::outward::add_up;

/// Upper bounds of sums and differences of the variables of one pack.
#[derive(Clone, PartialEq, Debug)]
pub struct Octagon {
    vars: Arc<[LocalId]>,
    /// The lower half of the matrix, row by row.
    bounds: Vec<f64>,
}

/// A variable of an octagon, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signed {
    /// Which.
    pub at: usize,
    /// Whether it is negated.
    pub minus: bool,
}

impl Signed {
    fn node(self) -> usize {
        2 * self.at + usize::from(self.minus)
    }

    /// The same with the other sign.
    #[must_use]
    pub fn negated(self) -> Signed {
        Signed { minus: !self.minus, ..self }
    }
}

/// Where an entry of the matrix is.
fn slot(i: usize, j: usize) -> usize {
    let (i, j) = if j > (i | 1) { (j ^ 1, i ^ 1) } else { (i, j) };
    j + (i + 1) * (i + 1) / 2
}

/// Half of a bound, not below it.
fn half(bound: f64) -> f64 {
    let half = bound / 2.0;
    if half * 2.0 < bound { half.next_up() } else { half }
}

impl Octagon {
    /// Nothing is known.
    pub fn top(vars: Arc<[LocalId]>) -> Octagon {
        let nodes = 2 * vars.len();
        let mut octagon = Octagon { vars, bounds: vec![f64::INFINITY; nodes * (nodes / 2 + 1)] };
        for node in 0..nodes {
            octagon.bounds[slot(node, node)] = 0.0;
        }
        octagon
    }

    /// The variables.
    pub fn vars(&self) -> &Arc<[LocalId]> {
        &self.vars
    }

    /// Where a register is among the variables.
    pub fn position(&self, local: LocalId) -> Option<usize> {
        self.vars.iter().position(|var| *var == local)
    }

    fn nodes(&self) -> usize {
        2 * self.vars.len()
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.bounds[slot(i, j)]
    }

    /// The upper bound of `x + y`.
    pub fn sum(&self, x: Signed, y: Signed) -> f64 {
        self.get(y.negated().node(), x.node())
    }

    /// The upper bound of a variable, or of its negation.
    pub fn most(&self, x: Signed) -> f64 {
        half(self.sum(x, x))
    }

    /// Learns `x + y <= bound`; false if that was known. The matrix may not be closed afterwards.
    pub fn learn(&mut self, x: Signed, y: Signed, bound: f64) -> bool {
        let entry = &mut self.bounds[slot(y.negated().node(), x.node())];
        let is_new = bound < *entry;
        if is_new {
            *entry = bound;
        }
        is_new
    }

    /// Learns `x <= bound`; false if that was known.
    pub fn learn_most(&mut self, x: Signed, bound: f64) -> bool {
        self.learn(x, x, add_up(bound, bound))
    }

    /// A variable gets a value that nothing is known of.
    pub fn forget(&mut self, at: usize) {
        for node in [2 * at, 2 * at + 1] {
            for other in 0..self.nodes() {
                if other != node {
                    self.bounds[slot(node, other)] = f64::INFINITY;
                    self.bounds[slot(other, node)] = f64::INFINITY;
                }
            }
        }
    }

    /// Makes every bound as small as it follows from the others, where only those with one variable are new: the square of
    /// the size is what it costs. False: there are no values at all.
    #[must_use]
    pub fn close_around(&mut self, at: usize) -> bool {
        let own = [2 * at, 2 * at + 1];
        for node in own {
            for k in (0..self.nodes()).filter(|k| *k != node) {
                let to_k = self.get(node, k);
                if to_k == f64::INFINITY {
                    continue;
                }
                for j in 0..self.nodes() {
                    if !self.through(node, j, add_up(to_k, self.get(k, j))) {
                        return false;
                    }
                }
            }
        }
        // From the variable to its negation what is new may be used twice.
        for node in own {
            for k in 0..self.nodes() {
                if !self.through(node, node ^ 1, add_up(self.get(node, k), self.get(k, node ^ 1))) {
                    return false;
                }
            }
        }
        for k in own {
            for i in (0..self.nodes()).filter(|i| *i != k) {
                let to_k = self.get(i, k);
                if to_k == f64::INFINITY {
                    continue;
                }
                for j in 0..self.nodes() {
                    if !self.through(i, j, add_up(to_k, self.get(k, j))) {
                        return false;
                    }
                }
            }
        }
        self.strengthen()
    }

    /// One path from `i` to `j`. False: it goes round to where it began, below zero.
    fn through(&mut self, i: usize, j: usize, bound: f64) -> bool {
        if i == j {
            return bound >= 0.0;
        }
        let entry = &mut self.bounds[slot(i, j)];
        if bound < *entry {
            *entry = bound;
        }
        true
    }

    /// `x + y` is at most the sum of what the two are at most.
    #[must_use]
    pub fn strengthen(&mut self) -> bool {
        for i in 0..self.nodes() {
            let own = self.get(i, i ^ 1);
            for j in 0..=(i | 1) {
                let sum = half(add_up(own, self.get(j ^ 1, j)));
                if i == j {
                    if sum < 0.0 {
                        return false;
                    }
                } else if sum < self.get(i, j) {
                    self.bounds[slot(i, j)] = sum;
                }
            }
        }
        true
    }

    /// Whether nothing is said that the bounds of single variables do not say.
    pub fn is_trivial(&self) -> bool {
        (0..self.nodes()).all(|i| {
            let own = self.get(i, i ^ 1);
            let follows =
                |j: usize| j / 2 == i / 2 || self.get(i, j) >= half(add_up(own, self.get(j ^ 1, j)));
            (0..=(i | 1)).all(follows)
        })
    }

    /// Whether something is said of a variable that is not said of it alone.
    pub fn relates(&self, at: usize) -> bool {
        let own = |node: usize| self.get(node, node ^ 1);
        (0..self.nodes()).filter(|other| other / 2 != at).any(|other| {
            [2 * at, 2 * at + 1]
                .iter()
                .any(|node| self.get(*node, other) < half(add_up(own(*node), own(other ^ 1))))
        })
    }

    /// What both say.
    #[must_use]
    pub fn join(&self, other: &Octagon) -> Octagon {
        self.merge(other, |_, a, b| a.max(b))
    }

    /// What did not grow, and otherwise the next threshold: `thresholds` is ascending.
    #[must_use]
    pub fn widen(&self, next: &Octagon, thresholds: &[f64]) -> Octagon {
        self.merge(next, |single, a, b| {
            if b <= a {
                return a;
            }
            let scale = if single { 2.0 } else { 1.0 };
            let at = thresholds.partition_point(|t| *t * scale < b);
            thresholds.get(at).map_or(f64::INFINITY, |t| *t * scale)
        })
    }

    fn merge(&self, other: &Octagon, each: impl Fn(bool, f64, f64) -> f64) -> Octagon {
        let mut merged = self.clone();
        for i in 0..self.nodes() {
            for j in 0..=(i | 1) {
                let at = slot(i, j);
                if i != j {
                    merged.bounds[at] = each(i == j ^ 1, self.bounds[at], other.bounds[at]);
                }
            }
        }
        merged
    }

    /// Whether every bound of the other is here, or a smaller one.
    pub fn is_within(&self, other: &Octagon) -> bool {
        self.vars == other.vars && self.bounds.iter().zip(&other.bounds).all(|(mine, theirs)| mine <= theirs)
    }

    /// All bounds that are known, as `x + y <= c`.
    pub fn iter(&self) -> impl Iterator<Item = (Signed, Signed, f64)> + '_ {
        let signed = |node: usize| Signed { at: node / 2, minus: node % 2 == 1 };
        (0..self.nodes())
            .flat_map(move |i| {
                (0..=(i | 1))
                    .filter(move |j| i != *j)
                    .map(move |j| (signed(j), signed(i ^ 1), self.get(i, j)))
            })
            .filter(|(_, _, bound)| *bound < f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 4;
    type Run = [f64; COUNT];

    struct Random(fastrand::Rng);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0.u64(..n)
        }
        /// Multiples of 1/8, whose sums are exact.
        fn small(&mut self) -> f64 {
            (self.below(400) as f64 - 200.0) / 8.0
        }
        fn signed(&mut self) -> Signed {
            Signed { at: self.below(COUNT as u64) as usize, minus: self.below(2) == 1 }
        }
    }

    fn plus(x: usize) -> Signed {
        Signed { at: x, minus: false }
    }

    fn value(run: &Run, x: Signed) -> f64 {
        if x.minus { -run[x.at] } else { run[x.at] }
    }

    impl Octagon {
        /// Closes all of it, as the textbook does: for comparison.
        fn close(&mut self) -> bool {
            for k in 0..self.nodes() {
                for i in 0..self.nodes() {
                    for j in 0..self.nodes() {
                        let bound = add_up(self.get(i, k), self.get(k, j));
                        if !self.through(i, j, bound) {
                            return false;
                        }
                    }
                }
            }
            self.strengthen()
        }
    }

    fn top() -> Octagon {
        Octagon::top((0..COUNT as u32).map(LocalId).collect())
    }

    fn holds(octagon: &Octagon, runs: &[Run]) {
        for (x, y, bound) in octagon.iter() {
            for run in runs {
                assert!(value(run, x) + value(run, y) <= bound, "{x:?} + {y:?} <= {bound} in {run:?}");
            }
        }
    }

    /// Runs, and an octagon that random tests and assignments made of them.
    fn random(source: &mut Random) -> (Octagon, Vec<Run>) {
        let mut runs: Vec<Run> = (0..3).map(|_| std::array::from_fn(|_| source.small())).collect();
        let mut octagon = top();
        for _ in 0..10 {
            let (x, y) = (source.signed(), source.signed());
            if source.below(6) == 0 {
                runs.iter_mut().for_each(|run| run[x.at] = source.small());
                octagon.forget(x.at);
            } else {
                let most = runs.iter().map(|run| value(run, x) + value(run, y)).fold(f64::MIN, f64::max);
                octagon.learn(x, y, most + source.below(3) as f64);
            }
            match source.below(3) {
                0 => assert!(octagon.close(), "some run is left"),
                1 => assert!(octagon.close_around(x.at), "some run is left"),
                _ => {}
            }
            holds(&octagon, &runs);
        }
        (octagon, runs)
    }

    #[test]
    fn what_is_known_holds_in_every_run() {
        for seed in 0..2000 {
            let mut source = Random(fastrand::Rng::with_seed(seed));
            let ((mut a, mine), (mut b, theirs)) = (random(&mut source), random(&mut source));
            assert!(a.close() && b.close());
            let joined = a.join(&b);
            holds(&joined, &mine);
            holds(&joined, &theirs);
            assert!(a.is_within(&joined) && b.is_within(&joined));
            for thresholds in [&[-20.0, 0.0, 20.0][..], &[]] {
                let widened = a.widen(&joined, thresholds);
                assert!(joined.is_within(&widened));
            }
        }
    }

    #[test]
    fn widening_comes_to_an_end() {
        for seed in 0..200 {
            let mut source = Random(fastrand::Rng::with_seed(seed));
            let mut current = random(&mut source).0;
            let mut steps = 0;
            loop {
                let mut next = random(&mut source).0;
                assert!(next.close());
                let wider = current.widen(&current.join(&next), &[-20.0, 0.0, 20.0]);
                steps += usize::from(wider != current);
                if wider.iter().next().is_none() || steps > 1000 {
                    break;
                }
                current = wider;
            }
            assert!(steps <= 4 * current.bounds.len(), "{steps} steps");
        }
    }

    #[test]
    fn closing_twice_changes_nothing() {
        for seed in 0..500 {
            let mut octagon = random(&mut Random(fastrand::Rng::with_seed(seed))).0;
            assert!(octagon.close());
            let once = octagon.clone();
            assert!(octagon.close());
            assert_eq!(octagon, once);
        }
    }

    #[test]
    fn closing_around_what_is_new_is_closing() {
        for seed in 0..500 {
            let mut source = Random(fastrand::Rng::with_seed(seed));
            let (mut octagon, runs) = random(&mut source);
            assert!(octagon.close());
            let x = source.signed();
            for _ in 0..2 {
                let y = source.signed();
                let most = runs.iter().map(|run| value(run, x) + value(run, y)).fold(f64::MIN, f64::max);
                octagon.learn(x, y, most);
            }
            let mut full = octagon.clone();
            assert!(octagon.close_around(x.at) && full.close());
            assert_eq!(octagon, full);
        }
    }

    #[test]
    fn sums_and_differences_are_combined() {
        let mut octagon = top();
        // r + z <= 128 and v <= r: z + v <= 128.
        octagon.learn(plus(0), plus(1), 128.0);
        octagon.learn(plus(2), plus(0).negated(), 0.0);
        assert!(octagon.close());
        assert_eq!(octagon.sum(plus(1), plus(2)), 128.0);
        assert!(octagon.relates(0) && !octagon.relates(3) && !octagon.is_trivial());
        octagon.learn_most(plus(0).negated(), -100.0);
        assert!(octagon.close());
        assert_eq!(octagon.most(plus(1)), 28.0);
        octagon.learn_most(plus(1).negated(), -29.0);
        assert!(!octagon.close());
    }

    #[test]
    fn bounds_of_single_variables_are_trivial() {
        let mut octagon = top();
        octagon.learn_most(plus(0), 1.0);
        octagon.learn_most(plus(1), 2.0);
        assert!(octagon.close() && octagon.is_trivial());
        assert_eq!(octagon.sum(plus(0), plus(1)), 3.0);
    }
}
