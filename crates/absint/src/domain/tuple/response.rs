// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far `x' = a x - b y + t; y' = x` goes: the response to one input, computed with a certificate.
//!
//! Let `h` be the response to a single input 1: `h0 = 1, h1 = a, h[n] = a h[n-1] - b h[n-2]`. Started in `(x0, y0)`,
//! after `n` steps with inputs `t1 .. tn`
//!
//! ```text
//! x = h[n] x0 - b h[n-1] y0 + sum over i < n of h[i] t[n-i]
//! ```
//!
//! so all that is needed are the sums of the positive and of the negative `h[i]`, which are *the* supremum over all
//! inputs, and not an ellipse around it (paper 004, 6.2.3, gives one that is a third larger). They are infinite sums
//! of numbers that rounding has changed; why the bound below is sound all the same:
//!
//! - Take *any* sequence `g` with `g0 = 1` that has a sum, here the first few hundred `h[i]` as the machine computes them
//!   and then a tail. With `P = 1 - a z + b z^2`, `P g = 1 + r` where `r[i] = g[i] - a g[i-1] + b g[i-2]` is what
//!   each step is wrong by: bounded one by one, nothing adds up. If the sum `|r|` of the absolute values of all
//!   `r[i]` is below one, `1 + r` has an inverse whose sum is at most `1 / (1 - |r|)`, and from `P h = 1` follows
//!   `h = g (1 + r)^-1`: `h` has a sum, too, and `|h - g| <= |g| |r| / (1 - |r|)`. So the certificate also proves that
//!   the filter is stable; where it is not, none is found.
//! - The tail: if `a^2 < 4 b < 4`, `g` goes on exactly as the recurrence says, `r` is zero there, and the paper's ellipse
//!   bounds the tail: `Q = x^2 - a x y + b y^2` becomes `b Q` in each step without input, and
//!   `|x| <= sqrt(4 b Q / (4 b - a^2))`. Otherwise `g` is zero from there on and two more `r[i]` say what that is wrong by.

use crate::domain::range::Range;
use crate::effort::response::{MOST, SMALL};

/// The response to one input, as far as it is computed, and how far it is from the true one.
#[derive(Debug)]
pub struct Response {
    /// What `x` is multiplied by.
    pub a: f64,
    /// What is taken away of `y`.
    pub b: f64,
    /// The first of the response.
    first: Vec<f64>,
    /// The sums of the positive ones among the first `n`, rounded up.
    positive: Vec<f64>,
    /// The sums of the negative ones without their sign, rounded up.
    negative: Vec<f64>,
    /// No number of the tail is larger.
    tail_largest: f64,
    /// The absolute values of the tail together.
    tail_sum: f64,
    /// The absolute values of all differences from the true response together.
    off: f64,
}

impl PartialEq for Response {
    fn eq(&self, other: &Response) -> bool {
        self.a == other.a && self.b == other.b
    }
}

/// The sum, rounded up.
fn sum(a: f64, b: f64) -> f64 {
    (a + b).next_up()
}

/// The product of two numbers that are not negative, rounded up.
fn product(a: f64, b: f64) -> f64 {
    (a * b).next_up()
}

impl Response {
    /// The response of a filter, if it is found to be stable.
    pub fn new(a: f64, b: f64) -> Option<Response> {
        // What any stable one obeys; others would only be computed in vain.
        if !(b.abs() < 1.0 && a.abs() < 1.0 + b) {
            return None;
        }
        let mut first = vec![1.0, a];
        let mut wrong = 0.0;
        while first.len() < MOST {
            let (x, y) = (first[first.len() - 1], first[first.len() - 2]);
            if x.abs() < SMALL && y.abs() < SMALL {
                break;
            }
            let next = a * x - b * y;
            wrong = sum(wrong, off_by(a, b, next, x, y));
            first.push(next);
        }
        let (x, y) = (first[first.len() - 1], first[first.len() - 2]);
        let (tail_largest, tail_sum) = match ellipse(a, b, x, y) {
            Some(tail) => tail,
            None => {
                wrong = sum(wrong, sum(off_by(a, b, 0.0, x, y), off_by(a, b, 0.0, 0.0, x)));
                (0.0, 0.0)
            }
        };
        let (mut positive, mut negative) = (vec![0.0], vec![0.0]);
        for h in &first {
            positive.push(sum(positive[positive.len() - 1], h.max(0.0)));
            negative.push(sum(negative[negative.len() - 1], (-h).max(0.0)));
        }
        let all = sum(sum(positive[first.len()], negative[first.len()]), tail_sum);
        let off = product(product(all, wrong), (1.0 / (1.0 - wrong).next_down()).next_up());
        let found = wrong < 0.5 && off.is_finite();
        found.then_some(Response { a, b, first, positive, negative, tail_largest, tail_sum, off })
    }

    /// The values of `x` in any number of steps from a start, the start among them.
    pub fn reach(&self, start: &Start, input: Range) -> Range {
        let input = input.hull(Range::point(0.0));
        let (up, down) = (input.hi, -input.lo);
        let most = sum(start.x.magnitude(), product(self.b.abs(), start.y.magnitude()));
        // What is not computed of the response may work either way.
        let off = sum(product(self.off, most), product(self.off, input.magnitude()));
        let n = self.first.len();
        let (p, m) = (sum(self.positive[n], self.tail_sum), sum(self.negative[n], self.tail_sum));
        let late = sum(product(self.first[n - 1].abs().max(self.tail_largest), most), off);
        let mut reached = start.x.hull(Range {
            lo: -sum(sum(product(up, m), product(down, p)), late),
            hi: sum(sum(product(up, p), product(down, m)), late),
        });
        for i in 1..n {
            let free = start.free(self.first[i], Range::point(-self.b).mul(Range::point(self.first[i - 1])));
            if most == 0.0 {
                break;
            }
            let (p, m) = (self.positive[i], self.negative[i]);
            reached = reached.hull(Range {
                lo: -sum(sum(-free.lo, sum(product(up, m), product(down, p))), off),
                hi: sum(sum(free.hi, sum(product(up, p), product(down, m))), off),
            });
        }
        reached
    }
}

/// Where a filter begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Start {
    /// What `x` may be.
    pub x: Range,
    /// What `y` may be.
    pub y: Range,
    /// Whether they are equal.
    pub equal: bool,
}

impl Start {
    /// The values of `h x + g y`.
    fn free(&self, h: f64, g: Range) -> Range {
        match self.equal {
            true => Range::point(h).add(g).mul(self.x),
            false => Range::point(h).mul(self.x).add(g.mul(self.y)),
        }
    }
}

/// How far a number is from what the recurrence says, at most.
fn off_by(a: f64, b: f64, next: f64, x: f64, y: f64) -> f64 {
    let said = Range::point(a).mul(Range::point(x)).add(Range::point(b).mul(Range::point(y)).neg());
    Range::point(next).add(said.neg()).magnitude()
}

/// The largest number behind `x` and `y`, and the sum of all, by the ellipse they are on.
fn ellipse(a: f64, b: f64, x: f64, y: f64) -> Option<(f64, f64)> {
    let (a, b, x, y) = (Range::point(a), Range::point(b), Range::point(x), Range::point(y));
    let four = Range::point(4.0);
    let round = four.mul(b).add(a.mul(a).neg());
    if b.lo <= 0.0 || b.hi >= 1.0 || round.lo <= 0.0 {
        return None;
    }
    let q = x.mul(x).add(a.mul(x).mul(y).neg()).add(b.mul(y).mul(y));
    let shrinks = b.hi.sqrt().next_up();
    // One step from here on.
    let q = product(q.hi.max(0.0), b.hi);
    let largest = product(product(product(4.0, b.hi), q), (1.0 / round.lo).next_up()).sqrt().next_up();
    let left = (1.0 - shrinks).next_down();
    (left > 0.0).then(|| (largest, product(largest, (1.0 / left).next_up())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Start =
        Start { x: Range { lo: 0.0, hi: 0.0 }, y: Range { lo: 0.0, hi: 0.0 }, equal: true };

    /// Suprema of sums of absolute values, from a table made in high precision.
    #[test]
    fn suprema_are_met_from_above() {
        let rows = [
            (1.5, 0.7, 1.0, 9.2733),
            (0.5, 0.7, 1.0, 4.3453),
            (1.6, 0.9, 1.0, 23.6145),
            (1.8, 0.95, 0.1, 6.5923),
            (0.0, 0.5, 1.0, 2.0),
            (-0.8, 0.4, 1.0, 2.58343),
        ];
        for (a, b, t, supremum) in rows {
            let reached = Response::new(a, b).expect("stable").reach(&NOTHING, Range { lo: -t, hi: t });
            assert!((reached.hi - supremum).abs() < 1e-4, "{a} {b}: {reached:?}");
            assert_eq!(reached.lo, -reached.hi);
        }
    }

    #[test]
    fn real_poles_and_slow_ones_are_found_too() {
        // (1 - 0.5 z)(1 - 0.25 z): the sum is 1 / (0.5 * 0.75).
        let reached = Response::new(0.75, 0.125).expect("stable").reach(&NOTHING, Range { lo: 0.0, hi: 1.0 });
        assert!(reached.hi >= 8.0 / 3.0 && reached.hi < 8.0 / 3.0 + 1e-6 && reached.lo > -1e-6);
        assert!(Response::new(1.99, 0.9999).is_some());
    }

    #[test]
    fn unstable_ones_are_not_found() {
        for (a, b) in [(1.5, 1.1), (2.0, 0.99), (1.0, 0.0), (0.0, 1.0), (0.5, -0.5), (f64::NAN, 0.5)] {
            assert!(Response::new(a, b).is_none(), "{a} {b}");
        }
    }

    /// Every state of runs with the worst inputs, and with random ones, is inside.
    #[test]
    fn runs_stay_inside() {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (seed >> 33) as f64 / f64::from(1u32 << 31)
        };
        for _ in 0..300 {
            let b = random() * 1.9 - 0.95;
            let a = (random() * 2.0 - 1.0) * (1.0 + b) * 0.98;
            let Some(response) = Response::new(a, b) else { continue };
            let input = Range { lo: -random() - 0.01, hi: random() + 0.01 };
            let equal = random() < 0.5;
            let x = Range { lo: -5.0 * random(), hi: 5.0 * random() };
            let start = Start { x, y: if equal { x } else { Range { lo: -random(), hi: random() } }, equal };
            let reached = response.reach(&start, input);
            for run in 0..40 {
                let pick = |range: Range, at: f64| range.lo + (range.hi - range.lo) * at;
                let mut x = pick(start.x, random().round());
                let mut y = if equal { x } else { pick(start.y, random().round()) };
                let steps = (random() * 60.0) as usize + 1;
                let sign = if run % 2 == 0 { 1.0 } else { -1.0 };
                for step in 0..steps {
                    let h = response.first.get(steps - 1 - step).copied().unwrap_or(0.0);
                    let worst = if h * sign > 0.0 { input.hi } else { input.lo };
                    let t = if run < 8 { worst } else { pick(input, random()) };
                    (x, y) = (a * x - b * y + t, x);
                    let slack = 1e-9 * (1.0 + reached.magnitude());
                    assert!(x >= reached.lo - slack && x <= reached.hi + slack, "{a} {b} {x} {reached:?}");
                }
            }
        }
    }
}
