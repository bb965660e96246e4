// SPDX-License-Identifier: MIT OR Apache-2.0
//! Second-order digital filters with resets (paper 004, 6.2.3): `x' = a x - b y + t; y' = x`.
//!
//! A [`Filter`] says of a pair of places: *there is a number of steps, none among them, in which the filter `a, b` comes
//! from a start in this box to this very pair, with inputs in this range.* What the machine's rounding adds to a step is
//! part of the input, as the linear form of the assignment says. From that follow the ranges of both, by `response`:
//! the exact supremum over all inputs, where the paper's ellipse is a third larger.
//!
//! ```text
//!                    nothing known
//!          /               |               \
//!     a, b: start x input     another a, b: ...        start and input ordered by inclusion
//!          \               |               /
//!             start, no input yet
//! ```
//!
//! The claim is inductive, whatever order things happen in: a step with an input in the range leads from such a pair to
//! such a pair; a reset to a pair in the box begins anew; a larger box or range says less. Where two paths meet and one
//! has no such fact, its ranges are a start with no steps. Places that are known to be equal at a reset make a
//! start that is a line and not a box.
//!
//! [`Lag`] is the same for `x' = a x + t` with `|a| < 1` and one place, where `a` may be another number in each step: a
//! range that holds the start and that no step leaves. The range is all that it claims; start, `a` and `t` are how it
//! was found.
//!
//! On `bench synchronous` at 10 kLOC these close 129 of 366 open obligations (99 of 133 in the filters themselves; those
//! that stay have inputs that other domains must bound), for 8 % more time.

use std::sync::Arc;

use crate::domain::range::Range;
use crate::domain::tuple::response::{Response, Start};
use crate::effort::filter::{LEAST_FACTOR, MOST_GROWN, MOST_JOINED};

/// What is known of a pair of places that are the state of a filter.
#[derive(Clone, Debug)]
pub struct Filter {
    response: Arc<Response>,
    start: Start,
    input: Option<Range>,
    /// How often widening found it larger; says nothing.
    grown: u8,
    /// What follows for each of the two.
    ranges: [Range; 2],
}

impl PartialEq for Filter {
    fn eq(&self, other: &Filter) -> bool {
        self.response == other.response && self.start == other.start && self.input == other.input
    }
}

impl Filter {
    /// No step has been made.
    pub fn new(response: Arc<Response>, start: Start) -> Option<Filter> {
        Filter::with(response, start, None)
    }

    fn with(response: Arc<Response>, start: Start, input: Option<Range>) -> Option<Filter> {
        let one_value = start.x == start.y && start.x.lo == start.x.hi;
        let start = Start { equal: start.equal || one_value, ..start };
        let x = input.map_or(start.x, |input| response.reach(&start, input));
        let ranges = [x, if input.is_none() { start.y } else { start.y.hull(x) }];
        ranges.iter().all(|r| r.is_finite()).then_some(Filter { response, start, input, grown: 0, ranges })
    }

    /// The filter's coefficients, where it starts and its input.
    pub fn parts(&self) -> (f64, f64, &Start, Option<Range>) {
        (self.response.a, self.response.b, &self.start, self.input)
    }

    /// What each place may be.
    pub fn range(&self, at: usize) -> Range {
        self.ranges[at]
    }

    /// After another step with such an input.
    pub fn step(&self, input: Range) -> Option<Filter> {
        let input = self.input.map_or(input, |known| known.hull(input)).coarse();
        if self.input == Some(input) {
            return Some(self.clone());
        }
        Filter::with(self.response.clone(), self.start, Some(input))
    }

    /// The fact that holds where these ranges are all that is known, and perhaps that both are equal.
    pub fn begun(&self, x: Range, y: Range, equal: bool) -> Option<Filter> {
        Filter::new(self.response.clone(), Start { x, y, equal })
    }

    /// What holds after one or the other; widened if there are thresholds.
    pub fn merge(&self, other: &Filter, thresholds: Option<&[f64]>) -> Option<Filter> {
        if other.is_within(self) {
            return Some(self.clone());
        }
        if self.response != other.response {
            let other = self.begun(other.ranges[0], other.ranges[1], false)?;
            return self.merge(&other, thresholds);
        }
        let grow = grow(thresholds, self.grown);
        let (x, y) = (grow(self.start.x, other.start.x)?, grow(self.start.y, other.start.y)?);
        let start = Start { x, y, equal: self.start.equal && other.start.equal };
        let input = match (self.input, other.input) {
            (Some(a), Some(b)) => Some(grow(a, b)?),
            (a, b) => a.or(b),
        };
        let merged = Filter::with(self.response.clone(), start, input)?;
        Some(Filter { grown: grown(thresholds, self.grown), ..merged })
    }

    /// Whether the other says no more than this.
    pub fn is_within(&self, other: &Filter) -> bool {
        let start = |x: Range, y: Range, equal: bool| {
            x.is_within(other.start.x) && y.is_within(other.start.y) && (equal || !other.start.equal)
        };
        let input = match (self.input, other.input) {
            (None, _) => true,
            (Some(a), Some(b)) => a.is_within(b),
            (Some(_), None) => false,
        };
        self.response == other.response && input && start(self.start.x, self.start.y, self.start.equal)
            || start(self.ranges[0], self.ranges[1], false)
    }
}

/// How ranges are merged: joined, or widened if there are thresholds and this has happened often.
fn grow(thresholds: Option<&[f64]>, grown: u8) -> impl Fn(Range, Range) -> Option<Range> {
    move |a, b| match thresholds {
        Some(_) if grown >= MOST_GROWN => b.is_within(a).then_some(a),
        Some(thresholds) if grown >= MOST_JOINED || thresholds.is_empty() => a.widen(b, thresholds),
        _ => Some(a.hull(b)),
    }
}

fn grown(thresholds: Option<&[f64]>, before: u8) -> u8 {
    if thresholds.is_some() { before.saturating_add(1) } else { before }
}

/// What is known of a place that follows its input slowly.
#[derive(Clone, Debug)]
pub struct Lag {
    by: Range,
    start: Range,
    input: Range,
    /// How often widening found it larger; says nothing.
    grown: u8,
    range: Range,
}

impl PartialEq for Lag {
    fn eq(&self, other: &Lag) -> bool {
        (self.by, self.start, self.input) == (other.by, other.start, other.input)
    }
}

/// Whether the range of numbers is one of those that a lag may be multiplied by.
pub fn is_lag(by: Range) -> bool {
    by.magnitude() < 1.0 && by.magnitude() > LEAST_FACTOR
}

impl Lag {
    /// After one step from such a start.
    pub fn new(by: Range, start: Range, input: Range) -> Option<Lag> {
        if !is_lag(by) {
            return None;
        }
        let input = input.coarse();
        let end = |input: f64, by: f64| {
            let left = Range::point(1.0).add(Range::point(by).neg());
            left.inverse().map(|inverse| Range::point(input).mul(inverse))
        };
        let mut range = start;
        if by.lo >= 0.0 {
            // Each end of the range stays where it is, or moves inside: `by * hi + input.hi <= hi`.
            for input in [input.lo, input.hi] {
                range = range.hull(end(input, by.lo)?).hull(end(input, by.hi)?);
            }
        } else {
            let most = end(input.magnitude(), by.magnitude())?.magnitude().max(start.magnitude());
            range = Range { lo: -most, hi: most };
        }
        range.is_finite().then_some(Lag { by, start, input, grown: 0, range })
    }

    /// What it is multiplied by, where it starts and its input.
    pub fn parts(&self) -> (Range, Range, Range) {
        (self.by, self.start, self.input)
    }

    /// What the place may be.
    pub fn range(&self) -> Range {
        self.range
    }

    /// After another step.
    pub fn step(&self, by: Range, input: Range) -> Option<Lag> {
        let (by, input) = (self.by.hull(by), self.input.hull(input.coarse()));
        if by == self.by && input == self.input {
            return Some(self.clone());
        }
        Lag::new(by, self.start, input)
    }

    /// What holds here, or where only this range is known.
    pub fn or_begun(&self, start: Range, thresholds: Option<&[f64]>) -> Option<Lag> {
        if start.is_within(self.range) {
            return Some(self.clone());
        }
        let merged = Lag::new(self.by, grow(thresholds, self.grown)(self.start, start)?, self.input)?;
        Some(Lag { grown: grown(thresholds, self.grown), ..merged })
    }

    /// What holds after one or the other; widened if there are thresholds.
    pub fn merge(&self, other: &Lag, thresholds: Option<&[f64]>) -> Option<Lag> {
        if other.is_within(self) {
            return Some(self.clone());
        }
        let grow = grow(thresholds, self.grown);
        let (by, start) = (grow(self.by, other.by)?, grow(self.start, other.start)?);
        let merged = Lag::new(by, start, grow(self.input, other.input)?)?;
        Some(Lag { grown: grown(thresholds, self.grown), ..merged })
    }

    /// Whether the other says no more than this.
    pub fn is_within(&self, other: &Lag) -> bool {
        let parts = self.by.is_within(other.by)
            && self.start.is_within(other.start)
            && self.input.is_within(other.input);
        parts || self.range.is_within(other.range)
    }
}

/// Room for the rounding of the judge's own sums.
const SLACK: f64 = 1e-7;

/// Whether a lag may come to a number: the range is all that is claimed of it, and no step leaves the range.
pub(crate) fn lag_admits(lag: &Lag, x: f64) -> bool {
    let (by, start, input) = lag.parts();
    let (lo, hi) = (lag.range().lo, lag.range().hi);
    let slack = SLACK * (lo.abs().max(hi.abs()) + f64::MIN_POSITIVE);
    let inside = |x: f64| x >= lo - slack && x <= hi + slack;
    let corners = [by.lo * lo, by.lo * hi, by.hi * lo, by.hi * hi];
    let stays = corners.iter().all(|end| inside(end + input.lo) && inside(end + input.hi));
    stays && inside(start.lo) && inside(start.hi) && x >= lo && x <= hi
}

/// Whether a filter may come to a pair: seen from some sides, it is no farther than a start and inputs can push it.
pub(crate) fn filter_admits(filter: &Filter, x: f64, y: f64) -> bool {
    let (a, b, start, input) = filter.parts();
    let sides = (0..12).map(|side| f64::from(side) * std::f64::consts::PI / 6.0);
    sides.into_iter().all(|angle| {
        let (sin, cos) = angle.sin_cos();
        let begins = [
            (start.x.lo, start.y.lo),
            (start.x.hi, start.y.hi),
            (start.x.lo, if start.equal { start.x.lo } else { start.y.hi }),
            (start.x.hi, if start.equal { start.x.hi } else { start.y.lo }),
        ];
        let (mut begins, mut pushed, mut farthest, mut size) = (begins, 0.0, f64::NEG_INFINITY, 0.0);
        // What an input does now, and what it did to the other of the two.
        let (mut h, mut before) = (1.0, 0.0);
        for _ in 0..4000 {
            let begun = begins.iter().map(|(x, y)| cos * x + sin * y).fold(f64::NEG_INFINITY, f64::max);
            farthest = f64::max(farthest, begun + pushed);
            size = f64::max(size, begins.iter().map(|(x, y)| x.abs() + y.abs()).sum::<f64>() + pushed.abs());
            let Some(input) = input else { break };
            let side = cos * h + sin * before;
            pushed += f64::max(side * input.lo, side * input.hi);
            (h, before) = (a * h - b * before, h);
            if h.abs() + before.abs() < 1e-18 {
                break;
            }
            begins = begins.map(|(x, y)| (a * x - b * y, x));
        }
        cos * x + sin * y <= farthest + SLACK * (size + f64::MIN_POSITIVE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::tuple::filter::filter_admits;
    use crate::domain::tuple::filter::lag_admits;

    struct Random(fastrand::Rng);
    impl Random {
        fn unit(&mut self) -> f64 {
            self.0.f64()
        }
        fn within(&mut self, range: Range) -> f64 {
            // The ends are where mistakes show.
            match (self.unit() * 4.0) as u32 {
                0 => range.lo,
                1 => range.hi,
                _ => range.lo + (range.hi - range.lo) * self.unit(),
            }
        }
        fn range(&mut self, most: f64) -> Range {
            let (a, b) = ((self.unit() - 0.5) * most, (self.unit() - 0.5) * most);
            Range { lo: f64::from(a.min(b) as f32), hi: f64::from(a.max(b) as f32) }
        }
    }

    /// What `f32` makes of a step, and the input that this is in real numbers.
    fn step(a: f32, b: f32, (x, y): (f32, f32), t: f32) -> (f32, f64) {
        let next = a * x - b * y + t;
        (next, f64::from(next) - (f64::from(a) * f64::from(x) - f64::from(b) * f64::from(y)))
    }

    fn around(x: f64) -> Range {
        Range { lo: x - x.abs() * 1e-12 - 1e-40, hi: x + x.abs() * 1e-12 + 1e-40 }
    }

    /// A pair that a filter came to in `f32`, with resets, and what is known of it.
    fn filtered(random: &mut Random, response: &Arc<Response>) -> ((f32, f32), Filter) {
        let (a, b) = (response.a as f32, response.b as f32);
        let (box_x, box_y) = (random.range(9.0), random.range(9.0));
        let mut pair = (random.within(box_x) as f32, random.within(box_y) as f32);
        let start = Start { x: box_x, y: box_y, equal: false };
        let mut fact = Filter::new(response.clone(), start).expect("finite");
        let steps = (random.unit() * 30.0) as u32;
        for _ in 0..steps {
            if random.unit() < 0.1 {
                let line = random.range(20.0);
                let value = random.within(line) as f32;
                pair = (value, value);
                let reset = fact.begun(line, line, true).expect("finite");
                fact = fact.merge(&reset, None).expect("finite");
            } else {
                let (next, input) = step(a, b, pair, (random.unit() * 2.0 - 0.7) as f32);
                pair = (next, pair.0);
                fact = fact.step(around(input)).expect("finite");
            }
            holds(&fact, pair);
        }
        (pair, fact)
    }

    fn holds(fact: &Filter, (x, y): (f32, f32)) {
        let (x, y) = (f64::from(x), f64::from(y));
        assert!(Range::point(x).is_within(fact.range(0)), "{x} {fact:?}");
        assert!(Range::point(y).is_within(fact.range(1)), "{y} {fact:?}");
        assert!(filter_admits(fact, x, y), "{x} {y} {:?}", fact.parts());
    }

    #[test]
    fn filters_hold_in_every_run_and_merge_upwards() {
        let mut random = Random(fastrand::Rng::with_seed(3));
        for _ in 0..150 {
            let b = f64::from((random.unit() * 0.97) as f32);
            let a = f64::from(((random.unit() * 2.0 - 1.0) * (1.0 + b) * 0.97) as f32);
            let response = Arc::new(Response::new(a, b).expect("stable"));
            let ((p, f), (q, g)) = (filtered(&mut random, &response), filtered(&mut random, &response));
            for merged in [f.merge(&g, None), f.merge(&g, Some(&[-1e6, -100.0, 0.0, 100.0, 1e6]))] {
                let merged = merged.expect("finite");
                holds(&merged, p);
                holds(&merged, q);
                assert!(f.is_within(&merged) && g.is_within(&merged));
                let again = merged.merge(&f, Some(&[])).expect("nothing grows");
                assert!(again == merged);
            }
        }
    }

    #[test]
    fn filters_of_other_coefficients_are_ranges() {
        let mut random = Random(fastrand::Rng::with_seed(5));
        for _ in 0..40 {
            let (one, other) = (Response::new(1.5, 0.7), Response::new(0.5, 0.25));
            let (one, other) = (Arc::new(one.expect("stable")), Arc::new(other.expect("stable")));
            let ((p, f), (q, g)) = (filtered(&mut random, &one), filtered(&mut random, &other));
            let merged = f.merge(&g, None).expect("finite");
            holds(&merged, p);
            holds(&merged, q);
            assert!(f.is_within(&merged) && g.is_within(&merged));
        }
    }

    #[test]
    fn widening_comes_to_an_end() {
        let response = Arc::new(Response::new(1.5, 0.7).expect("stable"));
        let start = Range::point(0.0);
        let begun = Filter::new(response, Start { x: start, y: start, equal: true }).expect("finite");
        let mut fact = begun.step(Range::point(1.0)).expect("finite");
        let mut rounds = 0;
        while let Some(next) =
            fact.merge(&fact.step(Range::point(rounds.into())).expect("finite"), Some(&[10.0, 20.0]))
        {
            fact = next;
            rounds += 1;
            assert!(rounds < 40);
        }
    }

    #[test]
    fn lags_hold_in_every_run_and_merge_upwards() {
        let mut random = Random(fastrand::Rng::with_seed(11));
        let lagged = |random: &mut Random| {
            let start = random.range(20.0);
            let by = (random.unit() * 2.0 - 1.0) as f32 * 0.99;
            let mut x = random.within(start) as f32;
            let mut fact: Option<Lag> = None;
            for _ in 0..=(random.unit() * 40.0) as u32 {
                let by = if random.unit() < 0.2 { by * 0.5 } else { by };
                let (next, input) = step(by, 0.0, (x, 0.0), (random.unit() * 2.0 - 0.3) as f32);
                let (range, input) = (Range::point(f64::from(by)), around(input));
                let stepped = match &fact {
                    None => Lag::new(range, start, input),
                    Some(fact) => fact.step(range, input),
                };
                x = next;
                fact = stepped;
            }
            (f64::from(x), fact.expect("a lag"))
        };
        for _ in 0..300 {
            let ((x, f), (y, g)) = (lagged(&mut random), lagged(&mut random));
            assert!(Range::point(x).is_within(f.range()) && lag_admits(&f, x), "{x} {f:?}");
            for merged in
                [f.merge(&g, None), f.merge(&g, Some(&[-1e6, -100.0, -1.0, 0.0, 0.999, 100.0, 1e6]))]
            {
                let Some(merged) = merged else { continue };
                assert!(Range::point(x).is_within(merged.range()) && lag_admits(&merged, x));
                assert!(Range::point(y).is_within(merged.range()) && lag_admits(&merged, y));
                assert!(f.is_within(&merged) && g.is_within(&merged));
            }
            let begun = f.or_begun(Range { lo: -30.0, hi: 1.0 }, None).expect("finite");
            assert!(f.is_within(&begun) && begun.range().lo <= -30.0);
        }
    }

    #[test]
    fn a_lag_is_met_closely() {
        let lag = Lag::new(Range::point(0.9), Range::point(0.0), Range { lo: -1.0, hi: 1.0 }).expect("a lag");
        assert!(lag.range().hi >= 10.0 && lag.range().hi < 10.001);
        assert!(Lag::new(Range { lo: 0.9, hi: 1.0 }, Range::point(0.0), Range::point(1.0)).is_none());
    }
}
