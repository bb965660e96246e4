// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a helper computes: the operation on reals that it stands for, how far its results may be from that, and what
//! happens at the ends of its type.
//!
//! A sum, product or any polynomial is read off the paths: it is what they have in common, in terms of the arguments. A
//! quotient or a root is guessed from runs. Either is then proved of every path: `q * b` is within `b` of `a * 2^16`, say.

use clew_base::int::IntType;
use clew_ir::syntax::{FuncId, Program};

use super::exec::Exec;
use super::known::{Ends, Known};
use super::poly::Poly;
use super::run::Run;
use super::state::{Halt, Value};
use crate::facts::Facts;
use crate::interval::Interval;

/// The operation, on arguments as symbols 0, 1, 2...
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Op {
    Poly(Poly),
    Abs(Poly),
    Quotient(Poly, Poly),
    Root(Poly),
}

/// What is proved of a helper.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Meaning {
    pub op: Op,
    /// The machine's result minus the operation on the machine's arguments, clamped if it saturates.
    pub error: Interval,
    /// Ends that it saturates at.
    pub least: Option<i128>,
    pub most: Option<i128>,
    /// Whether results that do not fit the type come out as something else.
    pub overflows: bool,
}

/// Errors of quotients and roots that are tried, in halves.
const HALVES: [i128; 8] = [0, 1, 2, 3, 4, 8, 16, 64];

/// Errors up to this are those of rounding.
const SMALL: f64 = 8.0;

/// A result on one path.
struct Path {
    known: Known,
    result: Poly,
}

/// What one path has to say about an operation.
enum Said {
    Near(Interval),
    /// At an end, and how far from it the operation may still be, in halves.
    Most(i128, i128),
    Least(i128, i128),
    Overflow,
}

/// A helper on arguments of these ranges.
pub(crate) struct Question<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub function: FuncId,
    pub ranges: &'a [Ends],
    pub int: IntType,
}

impl Question<'_> {
    /// What it computes, if that is proved; else why not.
    pub(crate) fn answer(&self) -> Result<Meaning, &'static str> {
        let states = Exec::new(self.program, self.facts).run(self.function, self.ranges);
        let states = states.map_err(|halt| match halt {
            Halt::Fail(why) => why,
            Halt::Split(_) => "a case that cannot be told apart",
        })?;
        let mut paths = Vec::new();
        for mut state in states {
            match state.frame().result.take() {
                Some(Value::Poly(result)) => paths.push(Path { known: state.known, result }),
                _ => return Err("a result that is no number"),
            }
        }
        let candidates = self.candidates(&paths);
        let proved = candidates.into_iter().find_map(|op| self.proved(op, &paths));
        proved.ok_or("no sum, product, quotient or root of its arguments that its result is near to")
    }

    /// Operations that it may be.
    fn candidates(&self, paths: &[Path]) -> Vec<Op> {
        let count = self.ranges.len() as u16;
        let mut found: Vec<Op> = Vec::new();
        for path in paths {
            let (part, _) = path.result.parted(|symbol| symbol < count);
            let op = Op::Poly(part.clone());
            if !part.terms.is_empty() && !found.contains(&op) && found.len() < 6 {
                found.push(op);
                found.push(Op::Abs(part));
            }
        }
        let constants: Vec<i128> = paths.iter().filter_map(|path| path.result.known()).collect();
        if let ([first, ..], true) = (&constants[..], constants.len() == paths.len())
            && constants.iter().all(|c| c == first)
        {
            found.push(Op::Poly(Poly::constant(*first)));
        }
        let guessed = self.guessed();
        guessed.into_iter().chain(found).collect()
    }

    /// Quotients and roots that runs look like.
    fn guessed(&self) -> Vec<Op> {
        let mut found = Vec::new();
        let inner = |(low, high): Ends, part: f64| {
            let x = low as f64 + (high as f64 - low as f64) * part;
            if x.abs() < 1.0 { high } else { x as i128 }
        };
        for part in [0.83, 0.61] {
            let arguments: Vec<i128> = self.ranges.iter().map(|range| inner(*range, part)).collect();
            let mut run = Run { program: self.program, facts: self.facts, steps: 20_000, calls: 0 };
            let Some(result) = run.call(self.function, &arguments) else { continue };
            if result == 0 {
                continue;
            }
            let of = |i: usize| Poly::symbol(i as u16);
            let scale = |ratio: f64| {
                let k = ratio.abs().log2().round();
                let is_near =
                    ratio > 0.0 && (ratio / k.exp2() - 1.0).abs() < 0.02 && (0.0..50.0).contains(&k);
                is_near.then(|| 1i128 << k as u32)
            };
            let result = result as f64;
            for (i, a) in arguments.iter().enumerate() {
                let a = *a as f64;
                if let Some(by) = scale(result * result / a)
                    && let Some(top) = of(i).scaled(by, 1)
                {
                    found.push(Op::Root(top));
                }
                if let Some(by) = scale(result * a).filter(|by| *by > 1) {
                    found.push(Op::Quotient(Poly::constant(by), of(i)));
                }
                for (j, b) in arguments.iter().enumerate().filter(|(j, _)| *j != i) {
                    if let Some(by) = scale(result * *b as f64 / a)
                        && let Some(top) = of(i).scaled(by, 1)
                    {
                        found.push(Op::Quotient(top, of(j)));
                    }
                }
            }
        }
        found.dedup();
        found
    }

    /// The operation, if every path is near to it, saturates or overflows.
    fn proved(&self, op: Op, paths: &[Path]) -> Option<Meaning> {
        let mut meaning = Meaning { op, error: Interval::ZERO, least: None, most: None, overflows: false };
        let mut near: Vec<(&Path, Interval)> = Vec::new();
        for path in paths {
            match self.said(&meaning.op, path)? {
                Said::Near(error) => near.push((path, error)),
                Said::Most(end, halves) if meaning.most.is_none_or(|most| most == end) => {
                    meaning.most = Some(end);
                    meaning.error.hi = meaning.error.hi.max(halves as f64 / 2.0);
                }
                Said::Least(end, halves) if meaning.least.is_none_or(|least| least == end) => {
                    meaning.least = Some(end);
                    meaning.error.lo = meaning.error.lo.min(-(halves as f64) / 2.0);
                }
                Said::Overflow => meaning.overflows = true,
                _ => return None,
            }
        }
        if near.is_empty() {
            return None;
        }
        // A constant that all paths have is part of the operation.
        let hull = near.iter().map(|(_, error)| *error).reduce(Interval::hull)?;
        let added = if let Op::Poly(_) = meaning.op { hull.middle().trunc() } else { 0.0 };
        if added.abs() > 1e15 {
            return None;
        }
        if let Op::Poly(poly) = &meaning.op
            && added != 0.0
            && meaning.least.is_none()
            && meaning.most.is_none()
        {
            meaning.op = Op::Poly(poly.shifted(added as i128)?);
            near.iter_mut().for_each(|(_, error)| *error = *error - Interval::point(added));
        }
        for (path, error) in &near {
            // Where it saturates, what is near must not be far beyond the ends.
            let beyond = |end: Option<i128>, sign: i128| match end {
                None => Some(0.0),
                Some(end) => self.beyond(&meaning.op, path, end, sign).filter(|by| *by <= SMALL),
            };
            let slack = Interval::new(-beyond(meaning.least, -1)?, beyond(meaning.most, 1)?);
            meaning.error = meaning.error.hull(*error + slack);
        }
        let limit = (self.int.max() as f64) / 16.0;
        (meaning.error.magnitude() <= limit.max(SMALL)).then_some(meaning)
    }

    /// How far the operation may be beyond an end on a path: above for 1, below for -1.
    fn beyond(&self, op: &Op, path: &Path, end: i128, sign: i128) -> Option<f64> {
        match op {
            Op::Poly(poly) => {
                let over = poly.shifted(-end)?.scaled(-sign, 1)?;
                let (_, high) = bounds(&path.known, &over.negated()?)?;
                Some(high.max(0.0))
            }
            // sign * (top / by - end) <= h for the least h that is proved.
            Op::Quotient(top, by) => {
                let signed = signed(path, by)?;
                let (top, by) = (top.scaled(signed, 1)?, by.scaled(signed, 1)?);
                let halves = HALVES.into_iter().find(|h| {
                    let room = || {
                        let over = top.minus(&by.scaled(end, 1)?)?.scaled(2 * sign, 1)?;
                        by.scaled(*h, 1)?.minus(&over)
                    };
                    room().is_some_and(|room| is_positive(&path.known, &room))
                })?;
                Some(halves as f64 / 2.0)
            }
            Op::Abs(_) | Op::Root(_) => None,
        }
    }

    fn said(&self, op: &Op, path: &Path) -> Option<Said> {
        let error = self.error(op, path);
        if let Some(error) = error.filter(|error| error.magnitude() <= SMALL) {
            return Some(Said::Near(error));
        }
        let beyond =
            |end: i128, sign: i128| (0..=2).find(|halves| self.is_beyond(op, path, end, sign, *halves));
        if let Some(end) = path.result.known() {
            if let Some(halves) = beyond(end, 1).filter(|_| end >= 0) {
                return Some(Said::Most(end, halves));
            }
            if let Some(halves) = beyond(end, -1).filter(|_| end <= 0) {
                return Some(Said::Least(end, halves));
            }
        }
        if beyond(self.int.max(), 1).is_some() || beyond(self.int.min(), -1).is_some() {
            return Some(Said::Overflow);
        }
        error.map(Said::Near)
    }

    /// Whether the operation is surely at an end or beyond, but for so many halves.
    fn is_beyond(&self, op: &Op, path: &Path, end: i128, sign: i128, halves: i128) -> bool {
        let room = || match op {
            Op::Poly(poly) => poly.shifted(-end)?.scaled(2 * sign, 1)?.shifted(halves),
            Op::Abs(poly) => {
                let signed = signed(path, poly)?;
                poly.scaled(signed, 1)?.shifted(-end)?.scaled(2 * sign, 1)?.shifted(halves)
            }
            Op::Quotient(top, by) => {
                let signed = signed(path, by)?;
                let (top, by) = (top.scaled(signed, 1)?, by.scaled(signed, 1)?);
                top.minus(&by.scaled(end, 1)?)?.scaled(2 * sign, 1)?.plus(&by, halves)
            }
            Op::Root(_) => None,
        };
        room().is_some_and(|room| is_positive(&path.known, &room))
    }

    /// Result minus operation on a path.
    fn error(&self, op: &Op, path: &Path) -> Option<Interval> {
        let result = &path.result;
        match op {
            Op::Poly(poly) => {
                let (low, high) = bounds(&path.known, &result.minus(poly)?)?;
                Some(Interval::new(low, high))
            }
            Op::Abs(poly) => {
                let poly = poly.scaled(signed(path, poly)?, 1)?;
                let (low, high) = bounds(&path.known, &result.minus(&poly)?)?;
                Some(Interval::new(low, high))
            }
            Op::Quotient(top, by) => {
                let signed = signed(path, by)?;
                let (top, by) = (top.scaled(signed, 1)?, by.scaled(signed, 1)?);
                let apart = result.times(&by)?.minus(&top)?.scaled(2, 1)?;
                let within = |sign: i128| {
                    HALVES.into_iter().find(|h| {
                        let room = || by.scaled(*h, 1)?.plus(&apart.scaled(sign, 1)?, 1);
                        room().is_some_and(|room| is_positive(&path.known, &room))
                    })
                };
                let (below, above) = (within(1)?, within(-1)?);
                Some(Interval::new(-(below as f64) / 2.0, above as f64 / 2.0))
            }
            Op::Root(of) => {
                is_positive(&path.known, of).then_some(())?;
                let of = of.scaled(4, 1)?;
                let twice = result.scaled(2, 1)?;
                // (2r - h)^2 <= 4x, or 2r <= h
                let above = HALVES.into_iter().find(|h| {
                    let less = || twice.shifted(-h);
                    let room = || of.minus(&less()?.times(&less()?)?);
                    less().and_then(|less| less.negated()).is_some_and(|l| is_positive(&path.known, &l))
                        || room().is_some_and(|room| is_positive(&path.known, &room))
                })?;
                // 4x <= (2r + h)^2
                let below = HALVES.into_iter().find(|h| {
                    let more = || twice.shifted(*h);
                    let room = || more()?.times(&more()?)?.minus(&of);
                    more().is_some_and(|more| is_positive(&path.known, &more))
                        && room().is_some_and(|room| is_positive(&path.known, &room))
                })?;
                Some(Interval::new(-(below as f64) / 2.0, above as f64 / 2.0))
            }
        }
    }
}

/// The sign that a polynomial has on a path.
fn signed(path: &Path, poly: &Poly) -> Option<i128> {
    if is_positive(&path.known, poly) {
        Some(1)
    } else if is_positive(&path.known, &poly.negated()?) {
        Some(-1)
    } else {
        None
    }
}

fn is_positive(known: &Known, poly: &Poly) -> bool {
    known.least_times_den(poly).is_some_and(|least| least >= 0)
}

/// Bounds of a polynomial that need not be an integer, rounded outward.
fn bounds(known: &Known, poly: &Poly) -> Option<(f64, f64)> {
    let least = |poly: &Poly| {
        let ratio = Interval::integer(known.least_times_den(poly)?);
        ratio.checked_div(Interval::integer(poly.den)).map(|ratio| ratio.lo)
    };
    Some((least(poly)?, -least(&poly.negated()?)?))
}
