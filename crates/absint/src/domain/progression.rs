// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic-geometric progressions (Feret, in the line of paper 004, 6.2): floats that drift by rounding.
//!
//! A float that is multiplied by a little more than one in each iteration, if only by rounding, has no bound that holds for
//! ever. It has one for as long as the clock ticks: after `n` ticks it is at most what `n` steps of `t -> a t + b` make of
//! where it began. Since the last tick it may have gone on by `t -> a' t + b'`.
//!
//! ```text
//!            no entry                                      nothing beyond the range of x
//!               |
//!   |x| <= a' (F F ... F)(M) + b',  F(t) = a t + b,  as often as the clock has ticked;  smaller M, a, b, a', b' are below
//! ```
//!
//! `a` is at least one. What shrinks, as a first-order lag `x = 0.9 x + t` does, is bounded without a clock: `tuple::filter` does that.
//! All numbers here are upper bounds and rounded up. That the value is a number and finite is part of what is said.
//!
//! Measured: nothing of the dev lists is lost without it, nor in 10,000 lines of `bench synchronous`; `tests/prove/geometric.c` is
//! what only this proves.

use clew_base::float::Format;

use crate::domain::clock::Clock;
use crate::domain::float::Float;
use crate::domain::linear::precision;
use crate::domain::shape::Shape;
use crate::effort::progression::STEPS;

/// Sums and products of numbers that are not negative, no smaller than they are.
pub(crate) fn add(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { x + y } else { (x + y).next_up() }
}

pub(crate) fn mul(x: f64, y: f64) -> f64 {
    match () {
        () if x == 0.0 || y == 0.0 => 0.0,
        () if x == 1.0 || y == 1.0 => x * y,
        () => (x * y).next_up(),
    }
}

/// `x` to the power of `n`, or more.
fn power(x: f64, n: u128) -> f64 {
    let (mut result, mut square, mut left) = (1.0, x, n);
    while left > 0 {
        if left & 1 == 1 {
            result = mul(result, square);
        }
        square = mul(square, square);
        left >>= 1;
    }
    result
}

/// `1 + x + ... + x^(n-1)`, or more, for `x` of at least one.
fn powers(x: f64, n: u128) -> f64 {
    let last = power(x, n);
    let by_count = mul((n as f64).next_up(), last);
    // x - 1 is at least half an ulp of one where it is not zero, and so exact or rounded by less than one ulp.
    let rate = (x - 1.0).next_down();
    if rate > 0.0 { by_count.min((last / rate).next_up()) } else { by_count }
}

/// The bound, by the number of ticks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progression {
    pub(crate) format: Format,
    pub(crate) bytes: u32,
    /// Where it began; infinite where nothing is said.
    pub(crate) start: f64,
    /// The factor of each tick, at least one.
    pub(crate) factor: f64,
    /// What each tick adds.
    pub(crate) plus: f64,
    /// The factor since the last tick, at least one.
    pub(crate) later_factor: f64,
    /// What was added since.
    pub(crate) later_plus: f64,
}

impl Progression {
    /// What a range says: the same bound for any number of ticks.
    pub fn of_range(f: &Float, format: Format, bytes: u32) -> Option<Progression> {
        let (lo, hi) = (f.lo()?, f.hi()?);
        let start = lo.abs().max(hi.abs());
        let known = start.is_finite() && !f.may_be_nan() && precision(format).is_some();
        known.then_some(Progression {
            format,
            bytes,
            start,
            factor: 1.0,
            plus: 0.0,
            later_factor: 1.0,
            later_plus: 0.0,
        })
    }

    /// How it is read.
    pub fn shape(self) -> Shape {
        Shape::Float(self.format, self.bytes)
    }

    /// Goes on to something of at most `factor` times its magnitude and `plus`.
    #[must_use]
    pub(crate) fn go_on(self, factor: f64, plus: f64) -> Progression {
        Progression {
            later_factor: mul(factor, self.later_factor),
            later_plus: add(mul(factor, self.later_plus), plus),
            ..self
        }
    }

    /// The clock ticks: what has happened since is one more step of all those before.
    #[must_use]
    pub fn tick(self) -> Progression {
        Progression {
            factor: self.factor.max(self.later_factor),
            plus: self.plus.max(self.later_plus),
            later_factor: 1.0,
            later_plus: 0.0,
            ..self
        }
    }

    fn zip(self, other: Progression, mut each: impl FnMut(f64, f64) -> f64) -> Progression {
        Progression {
            start: each(self.start, other.start),
            factor: each(self.factor, other.factor),
            plus: each(self.plus, other.plus),
            later_factor: each(self.later_factor, other.later_factor),
            later_plus: each(self.later_plus, other.later_plus),
            ..self
        }
    }

    /// One or the other.
    #[must_use]
    pub fn join(self, other: Progression) -> Progression {
        self.zip(other, f64::max)
    }

    /// The join, or more: what grows takes large steps, and says nothing at last.
    #[must_use]
    pub fn widen(self, next: Progression) -> Progression {
        let step = |a: f64, b: f64| match b > a {
            false => a,
            true => STEPS.iter().copied().find(|s| *s >= b).unwrap_or(f64::INFINITY),
        };
        Progression {
            // A factor that grows is one that depends on something which grows.
            factor: if next.factor > self.factor { f64::INFINITY } else { self.factor },
            later_factor: if next.later_factor > self.later_factor {
                f64::INFINITY
            } else {
                self.later_factor
            },
            ..self.zip(next, step)
        }
    }

    /// Whether this says all that the other says.
    pub fn is_subset(self, other: Progression) -> bool {
        let mut all = self.shape() == other.shape();
        self.zip(other, |a, b| {
            all &= a <= b;
            a
        });
        all
    }

    /// The bound after at most so many ticks.
    fn bound(self, ticks: u128) -> f64 {
        let reached = match self.factor == 1.0 {
            true => add(self.start, mul((ticks as f64).next_up(), self.plus)),
            false => {
                let begun = mul(power(self.factor, ticks), self.start);
                add(begun, mul(powers(self.factor, ticks), self.plus))
            }
        };
        let bound = add(mul(self.later_factor, reached), self.later_plus);
        if bound.is_finite() { bound } else { f64::INFINITY }
    }

    /// The bound with this clock.
    pub(crate) fn most(self, clock: Clock) -> f64 {
        self.bound(clock.bounds().1.unsigned_abs())
    }

    /// Whether the value may be this one after so many ticks.
    pub fn contains(self, value: f64, ticks: i128) -> bool {
        value.abs() <= self.bound(ticks.unsigned_abs()) || self.bound(ticks.unsigned_abs()) == f64::INFINITY
    }

    /// A range, as far as this allows it.
    #[must_use]
    pub fn within(self, f: &Float, clock: Clock) -> Float {
        let most = self.most(clock);
        if most == f64::INFINITY { *f } else { f.meet(&Float::range(-most, most)).unwrap_or(*f) }
    }

    /// In words, of something with a name.
    pub fn text(self, name: &str) -> Option<String> {
        let Progression { start, factor, plus, .. } = self;
        let said = self.bound(0).is_finite();
        said.then(|| {
            let step = format!("{factor} t + {plus:e} for each tick of the clock");
            let steps = factor > 1.0 || plus > 0.0;
            format!("|{name}| <= {start}{}", if steps { format!(", and t -> {step}") } else { String::new() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(fastrand::Rng);
    impl Random {
        fn below(&mut self, most: u64) -> u64 {
            self.0.u64(..most)
        }
        /// Between minus one and one.
        fn unit(&mut self) -> f64 {
            self.below(2001) as f64 / 1000.0 - 1.0
        }
    }

    fn from(magnitude: f64) -> Progression {
        Progression::of_range(&Float::range(-magnitude, magnitude), Format::F64, 8).expect("a finite range")
    }

    /// The runs, each with its ticks, and what is known of them.
    fn random(random: &mut Random) -> (Progression, Vec<(f64, i128)>) {
        let start = random.below(100) as f64 / 8.0;
        let mut runs: Vec<(f64, i128)> = (0..4).map(|_| (start * random.unit(), 0)).collect();
        let mut known = from(start);
        for _ in 0..random.below(20) {
            match random.below(3) {
                0 => {
                    runs.iter_mut().for_each(|run| run.1 += 1);
                    known = known.tick();
                }
                1 => {
                    // Some of the runs tick.
                    runs.iter_mut().for_each(|run| run.1 += i128::from(random.below(2)));
                    known = known.join(known.tick());
                }
                _ => {
                    let (factor, plus) = (random.below(2000) as f64 / 1000.0, random.below(10) as f64 / 3.0);
                    let (unit, tiny, _) = precision(Format::F64).expect("a known format");
                    runs.iter_mut().for_each(|run| run.0 = factor * run.0 + plus * random.unit());
                    // Two roundings, one of a product and one of a sum.
                    let twice = mul(1.0 + 2.0 * unit, 1.0 + 2.0 * unit);
                    known = known.go_on(mul(factor, twice), add(mul(plus, twice), 4.0 * tiny));
                }
            }
            holds(known, &runs);
        }
        (known, runs)
    }

    fn holds(known: Progression, runs: &[(f64, i128)]) {
        for (value, ticks) in runs {
            assert!(known.contains(*value, *ticks), "{value} after {ticks}: {known:?}");
        }
        let last = runs.iter().map(|run| run.1).max().unwrap_or(0);
        let most = known.bound(last.unsigned_abs());
        assert!(runs.iter().all(|(value, _)| value.abs() <= most), "{runs:?} within {most}: {known:?}");
    }

    #[test]
    fn what_is_known_holds_in_every_run() {
        for seed in 0..3000 {
            let mut source = Random(fastrand::Rng::with_seed(seed));
            let ((a, mine), (b, theirs)) = (random(&mut source), random(&mut source));
            let joined = a.join(b);
            assert!(a.is_subset(joined) && b.is_subset(joined));
            let runs: Vec<(f64, i128)> = mine.into_iter().chain(theirs).collect();
            holds(joined, &runs);
            let widened = a.widen(joined);
            assert!(joined.is_subset(widened));
            holds(widened, &runs);
        }
    }

    #[test]
    fn widening_comes_to_an_end() {
        let mut known = from(1.0);
        for round in 0.. {
            let grown = known.go_on(1.5, 1.0);
            if grown.is_subset(known) {
                break;
            }
            known = known.widen(known.join(grown));
            assert!(round < 20);
        }
    }

    #[test]
    fn powers_are_no_smaller_than_they_are() {
        // 3^40 and its sums are known exactly.
        let exact = 12_157_665_459_056_928_801_f64;
        assert!((exact..exact * (1.0 + 1e-13)).contains(&power(3.0, 40)));
        assert!((exact / 2.0..exact / 2.0 * (1.0 + 1e-13)).contains(&powers(3.0, 40)));
        assert_eq!(power(1.0, u128::from(u64::MAX)), 1.0);
        assert!(powers(1.0 + f64::EPSILON, 1000) >= 1000.0);
    }

    /// Paper 004's row: ten hours at a kilohertz, each tick adding one part in eight million.
    #[test]
    fn a_drift_of_ten_hours() {
        let (unit, tiny, _) = precision(Format::F64).expect("a known format");
        let factor = mul(1.0 + f64::from(f32::EPSILON), 1.0 + 2.0 * unit);
        let known = from(1.0).go_on(factor, tiny).tick();
        let exact = (36.0e6 * f64::from(f32::EPSILON).ln_1p()).exp();
        let bound = known.bound(36_000_000);
        assert!((exact..73.1).contains(&bound), "{bound}");
    }
}
