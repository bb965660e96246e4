// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clocked domain (paper 004, 6.2.1): integers against a hidden clock.
//!
//! A synchronous program waits for the next tick of a clock in each iteration, and makes at most so many iterations in its life.
//! Counters of events grow by at most one an iteration: `v - clock` does not grow, and so `v` is at most the number of ticks.
//! The clock counts the calls of one function; that there are at most `most` of them is an assumption of the user.
//!
//! ```text
//!             no entry                       nothing beyond the range of v
//!                |
//!      v - k * clock in [a, b],  v + k * clock in [c, d]        smaller intervals are below
//! ```
//!
//! Paper 004 keeps this for every variable, with `k = 1`. Here `k` is raised where widening finds that a counter grows
//! faster than that. Which cells and registers have an entry is the affair of `clocked`.
//!
//! Only calls that the analysis sees are counted. Those are no more than there are, so the bound holds for them too.
//!
//! Measured: 82 of 2,978 proofs in 10,000 lines of `bench synchronous` are lost without it; the dev lists have no clock.

use clew_base::int::IntType;
use clew_ir::syntax::FuncId;
use rustc_hash::FxHashSet;

use crate::domain::int::Int;
use crate::effort::clock::{MOST_RAISES, MOST_RATE};

/// What ticks, and how often.
#[derive(Clone, Debug)]
pub struct Ticks {
    /// Each call of one of these is a tick.
    pub functions: FxHashSet<FuncId>,
    /// There are no more ticks than this in a run: an assumption.
    pub most: u64,
}

/// How many ticks there have been.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    lo: i128,
    hi: i128,
    most: i128,
}

impl Clock {
    /// None so far.
    pub fn start(most: u64) -> Clock {
        Clock { lo: 0, hi: 0, most: i128::from(most) }
    }

    /// One more; none if there have been all that there are.
    pub fn tick(self) -> Option<Clock> {
        let next = Clock { lo: self.lo + 1, hi: (self.hi + 1).min(self.most), most: self.most };
        (next.lo <= self.most).then_some(next)
    }

    /// After one or the other.
    #[must_use]
    pub fn join(self, other: Clock) -> Clock {
        Clock { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), most: self.most }
    }

    /// The join; what grows goes as far as it can.
    #[must_use]
    pub fn widen(self, next: Clock) -> Clock {
        let lo = if next.lo < self.lo { 0 } else { self.lo };
        let hi = if next.hi > self.hi { self.most } else { self.hi };
        Clock { lo, hi, most: self.most }
    }

    /// Whether the other allows all that this does.
    pub fn is_subset(self, other: Clock) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// Whether there may have been so many ticks.
    pub fn contains(self, ticks: i128) -> bool {
        (self.lo..=self.hi).contains(&ticks)
    }

    /// The least and the largest number of ticks.
    pub fn bounds(self) -> (i128, i128) {
        (self.lo, self.hi)
    }
}

/// Bounds from here on say nothing, and sums of them do not overflow.
const INFINITE: i128 = 1 << 100;

/// An interval; ends at or beyond `INFINITE` are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    lo: i128,
    hi: i128,
}

impl Span {
    fn new(lo: i128, hi: i128) -> Span {
        Span {
            lo: if lo.abs() < INFINITE { lo } else { -INFINITE },
            hi: if hi.abs() < INFINITE { hi } else { INFINITE },
        }
    }

    /// Of an integer; its ends may be those of `i128`.
    fn of(n: &Int) -> Span {
        let finite = |end: i128| end > -INFINITE && end < INFINITE;
        Span {
            lo: if finite(n.lo()) { n.lo() } else { -INFINITE },
            hi: if finite(n.hi()) { n.hi() } else { INFINITE },
        }
    }

    fn plus(self, lo: i128, hi: i128) -> Span {
        let add =
            |a: i128, b: i128| if a.abs() < INFINITE && b.abs() < INFINITE { Some(a + b) } else { None };
        Span::new(add(self.lo, lo).unwrap_or(-INFINITE), add(self.hi, hi).unwrap_or(INFINITE))
    }

    fn join(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    fn widen(self, next: Span) -> Span {
        let lo = if next.lo < self.lo { -INFINITE } else { self.lo };
        let hi = if next.hi > self.hi { INFINITE } else { self.hi };
        Span { lo, hi }
    }

    fn is_subset(self, other: Span) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    fn contains(self, value: i128) -> bool {
        (self.lo == -INFINITE || self.lo <= value) && (self.hi == INFINITE || value <= self.hi)
    }
}

/// What is known of an integer against the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    /// How it is read.
    pub ty: IntType,
    /// By how much it may grow or fall in a tick: one, as in the paper, until widening finds that this is too little.
    rate: i128,
    /// How often it was found to be too little.
    raises: u8,
    /// The value minus the rate times the clock.
    minus: Span,
    /// The value plus the rate times the clock.
    plus: Span,
}

impl Counter {
    /// What the range of a value says.
    pub fn of_range(n: &Int, ty: IntType, clock: Clock) -> Counter {
        let value = Span::of(n);
        let (lo, hi) = clock.bounds();
        Counter { ty, rate: 1, raises: 0, minus: value.plus(-hi, -lo), plus: value.plus(lo, hi) }
    }

    /// The same in terms of another rate.
    #[must_use]
    fn at_rate(self, rate: i128, clock: Clock) -> Counter {
        if rate == self.rate {
            return self;
        }
        let (lo, hi) = clock.bounds();
        let (a, b) = ((rate - self.rate) * lo, (rate - self.rate) * hi);
        let (least, most) = (a.min(b), a.max(b));
        let (minus, plus) = (self.minus.plus(-most, -least), self.plus.plus(least, most));
        Counter { rate, minus, plus, ..self }
    }

    /// The same value in another type.
    #[must_use]
    pub fn as_type(self, ty: IntType) -> Counter {
        Counter { ty, ..self }
    }

    /// The value grows by something in a range.
    #[must_use]
    pub fn grow(self, by: &Int) -> Counter {
        let Span { lo, hi } = Span::of(by);
        Counter { minus: self.minus.plus(lo, hi), plus: self.plus.plus(lo, hi), ..self }
    }

    /// The clock ticks.
    #[must_use]
    pub fn tick(self) -> Counter {
        let rate = self.rate;
        Counter { minus: self.minus.plus(-rate, -rate), plus: self.plus.plus(rate, rate), ..self }
    }

    /// One or the other, each with its clock.
    #[must_use]
    pub fn join(self, here: Clock, other: Counter, there: Clock) -> Counter {
        let rate = self.rate.max(other.rate);
        let (a, b) = (self.at_rate(rate, here), other.at_rate(rate, there));
        let raises = a.raises.max(b.raises);
        Counter { raises, minus: a.minus.join(b.minus), plus: a.plus.join(b.plus), ..a }
    }

    /// The join or more: what grows is tried at another rate, and says nothing any more at last. `next` holds this.
    #[must_use]
    pub fn widen(self, here: Clock, next: Counter, there: Clock) -> Counter {
        let rate = self.rate.max(next.rate);
        let (old, next) = (self.at_rate(rate, here), next.at_rate(rate, there));
        let minus = old.minus.widen(next.minus);
        let plus = old.plus.widen(next.plus);
        let rise = if minus.hi == INFINITE { next.minus.hi.saturating_sub(old.minus.hi) } else { 0 };
        let fall = if plus.lo == -INFINITE { old.plus.lo.saturating_sub(next.plus.lo) } else { 0 };
        let more = rise.max(fall);
        let rate = next.rate.saturating_add(more);
        if more <= 0 || rate > MOST_RATE || next.raises >= MOST_RAISES {
            return Counter { minus, plus, ..next };
        }
        let faster = Counter { raises: next.raises + 1, ..next.at_rate(rate, there) };
        // The other ends only matter to the rate as it was.
        let minus = Span { lo: -INFINITE, ..faster.minus };
        let plus = Span { hi: INFINITE, ..faster.plus };
        Counter { minus, plus, ..faster }
    }

    /// Whether this, with this clock, says all that the other says.
    pub fn is_subset(self, clock: Clock, other: Counter) -> bool {
        let mine = self.at_rate(other.rate, clock);
        self.ty == other.ty && mine.minus.is_subset(other.minus) && mine.plus.is_subset(other.plus)
    }

    /// Whether the value may be this one after so many ticks.
    pub fn contains(self, value: i128, ticks: i128) -> bool {
        self.minus.contains(value - self.rate * ticks) && self.plus.contains(value + self.rate * ticks)
    }

    /// What follows for the value.
    pub fn range(self, clock: Clock) -> Option<Int> {
        let still = self.at_rate(0, clock);
        let (lo, hi) = (still.minus.lo.max(still.plus.lo), still.minus.hi.min(still.plus.hi));
        let lo = if lo == -INFINITE { Int::TOP.lo() } else { lo };
        let hi = if hi == INFINITE { Int::TOP.hi() } else { hi };
        (lo <= hi).then(|| Int::range(lo, hi))
    }

    /// A range, as far as this allows it. Where nothing is left no run comes: the range is as good as any.
    #[must_use]
    pub fn within(self, n: &Int, clock: Clock) -> Int {
        self.range(clock).and_then(|range| n.meet(&range)).unwrap_or(*n)
    }

    /// In words, of something with a name.
    pub fn text(self, name: &str) -> Vec<String> {
        let clock = if self.rate == 1 { "clock".to_owned() } else { format!("{} * clock", self.rate) };
        let mut facts = Vec::new();
        let mut say = |sign: char, span: Span| {
            if span.hi != INFINITE {
                facts.push(format!("{name} {sign} {clock} <= {}", span.hi));
            }
            if span.lo != -INFINITE {
                facts.push(format!("{name} {sign} {clock} >= {}", span.lo));
            }
        };
        say('-', self.minus);
        say('+', self.plus);
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(fastrand::Rng);
    impl Random {
        fn below(&mut self, most: u64) -> i128 {
            i128::from(self.0.u64(..most))
        }
    }

    /// A value of a run, and its ticks.
    type Run = (i128, i128);

    struct Known {
        counter: Counter,
        clock: Clock,
        runs: Vec<Run>,
    }

    impl Known {
        fn holds(&self) {
            let range = self.counter.range(self.clock).expect("there are runs");
            for (value, ticks) in &self.runs {
                assert!(self.clock.contains(*ticks), "{ticks} ticks, {:?}", self.clock);
                assert!(self.counter.contains(*value, *ticks), "{value} at {ticks}: {:?}", self.counter);
                assert!(range.contains(*value), "{value} at {ticks} in {range:?}: {:?}", self.counter);
            }
        }

        /// Values that begin in a range, and what random sums and ticks make of them.
        fn random(random: &mut Random) -> Known {
            let first = random.below(20) - 10;
            let runs = (0..4).map(|_| (first + random.below(5), 0)).collect();
            let clock = Clock::start(1000);
            let counter = Counter::of_range(&Int::range(first, first + 4), IntType::I32, clock);
            let mut known = Known { counter, clock, runs };
            for _ in 0..random.below(12) {
                known.step(random);
            }
            known
        }

        fn step(&mut self, random: &mut Random) {
            match random.below(4) {
                0 => {
                    self.clock = self.clock.tick().expect("there are more ticks");
                    self.counter = self.counter.tick();
                    self.runs.iter_mut().for_each(|run| run.1 += 1);
                }
                1 => {
                    // Some of the runs tick.
                    self.clock = self.clock.join(self.clock.tick().expect("there are more ticks"));
                    let ticked = self.counter.tick();
                    self.counter = self.counter.join(self.clock, ticked, self.clock);
                    self.runs.iter_mut().for_each(|run| run.1 += random.below(2));
                }
                2 => {
                    let rate = 1 + random.below(4);
                    self.counter = self.counter.at_rate(rate, self.clock);
                }
                _ => {
                    let by = random.below(9) - 4;
                    let most = by + random.below(3);
                    self.counter = self.counter.grow(&Int::range(by, most));
                    self.runs.iter_mut().for_each(|run| run.0 += by + random.below((most - by + 1) as u64));
                }
            }
            self.holds();
        }
    }

    #[test]
    fn what_is_known_holds_in_every_run() {
        for seed in 0..2000 {
            let mut random = Random(fastrand::Rng::with_seed(seed));
            let (a, b) = (Known::random(&mut random), Known::random(&mut random));
            let runs: Vec<Run> = a.runs.iter().chain(&b.runs).copied().collect();
            let clock = a.clock.join(b.clock);
            let counter = a.counter.join(a.clock, b.counter, b.clock);
            assert!(a.counter.is_subset(a.clock, counter) && b.counter.is_subset(b.clock, counter));
            let joined = Known { counter, clock, runs };
            joined.holds();
            let clock = a.clock.widen(joined.clock);
            let counter = a.counter.widen(a.clock, joined.counter, joined.clock);
            assert!(joined.counter.is_subset(joined.clock, counter) && joined.clock.is_subset(clock));
            Known { counter, clock, runs: joined.runs }.holds();
        }
    }

    #[test]
    fn widening_comes_to_an_end_and_finds_the_rate() {
        for (grows, ticks, most) in [(1, 1, Some(1000)), (7, 1, Some(7000)), (3, 2, Some(2000)), (1, 0, None)]
        {
            let entry = Clock::start(1000);
            let first = Counter::of_range(&Int::constant(0), IntType::I32, entry);
            let (mut counter, mut clock) = (first, entry);
            let mut rounds = 0;
            loop {
                let mut back = (counter.grow(&Int::constant(grows)), clock);
                for _ in 0..ticks {
                    back = (back.0.tick(), back.1.tick().unwrap_or(back.1));
                }
                if back.0.is_subset(back.1, counter) && back.1.is_subset(clock) {
                    break;
                }
                let joined = (counter.join(clock, back.0, back.1), clock.join(back.1));
                (counter, clock) = match rounds {
                    0..3 => joined,
                    _ => (counter.widen(clock, joined.0, joined.1), clock.widen(joined.1)),
                };
                rounds += 1;
                assert!(rounds < 20);
            }
            let hi = counter.range(clock).map_or(i128::MAX, |range| range.hi());
            match most {
                Some(most) => assert!((most..=most + 4 * grows).contains(&hi), "{hi} for {grows} in {ticks}"),
                None => assert!(hi > i128::from(i64::MAX)),
            }
        }
    }
}
