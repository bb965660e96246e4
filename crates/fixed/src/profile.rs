// SPDX-License-Identifier: MIT OR Apache-2.0
//! The error of a result along one input: what it is bounded by and what it reaches, slice by slice. For a plot.

use clew_ir::syntax::Program;

use crate::begin::{Cell, cells};
use crate::bound::walk;
use crate::fit::is_result;
use crate::interval::Interval;
use crate::journal::Journal;
use crate::mean::Means;
use crate::pair::Pairs;
use crate::range::affine::Affine;
use crate::reach::{Tries, runs_in};
use crate::setup::Setup;

/// An input's range in slices.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// The input.
    pub input: String,
    /// The result.
    pub result: String,
    /// From the least value to the greatest.
    pub slices: Vec<Slice>,
}

/// A part of the range, with the other inputs anywhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slice {
    /// Its ends.
    pub low: f64,
    /// Its ends.
    pub high: f64,
    /// The error is at most this.
    pub bound: Option<f64>,
    /// And at least this.
    pub reached: f64,
}

/// Steps of all walks for a plot together.
const STEPS: u64 = 20_000_000;

/// The profile of the first input with a range, for the named result or the first there is.
pub fn profile(program: &Program, setup: &Setup, count: usize) -> Option<Profile> {
    let cells = cells(program, setup);
    let at = cells.iter().position(|cell| !cell.range.is_point())?;
    let whole: Vec<Interval> = cells.iter().map(|cell| cell.range).collect();
    let (journal, spent) = walk(program, setup, Means::default(), &whole, STEPS);
    let result = first_result(program, setup, &journal.ok()?)?;
    let count = count.min((STEPS / (spent * 8).max(1)) as usize).max(4);
    let edge = |i: usize| {
        let share = i as f64 / count as f64;
        let x = whole[at].lo + (whole[at].hi - whole[at].lo) * share;
        if cells[at].is_exact { x.round() } else { x }
    };
    let mut slices = Vec::new();
    for i in 0..count {
        let part = Interval::new(edge(i), if i + 1 == count { whole[at].hi } else { edge(i + 1) });
        slices.push(slice(program, setup, &cells, at, part, &result));
    }
    let unit = cells[at].unit;
    slices.iter_mut().for_each(|slice| (slice.low, slice.high) = (slice.low * unit, slice.high * unit));
    Some(Profile { input: cells[at].name.clone(), result, slices })
}

/// What is returned, else the first variable that is no input.
fn first_result(program: &Program, setup: &Setup, journal: &Journal) -> Option<String> {
    let mut ends = journal.rows.keys().filter(|(span, _)| span.is_none()).map(|(_, name)| name.to_string());
    let all: Vec<String> = ends.by_ref().collect();
    let has_return = all.iter().any(|name| name == "return");
    all.into_iter().find(|name| is_result(program, setup, name, has_return))
}

fn slice(program: &Program, setup: &Setup, cells: &[Cell], at: usize, part: Interval, result: &str) -> Slice {
    let mut inside = cells.to_vec();
    inside[at].range = part;
    let inputs: Vec<Interval> = inside.iter().map(|cell| cell.range).collect();
    let error = |journal: Journal| {
        let row = journal.rows.get(&(None, result.into())).copied();
        row.map(|seen| seen.error.magnitude())
    };
    let mean = walk(program, setup, Means::default(), &inputs, STEPS).0.ok().and_then(error);
    let affine = walk(program, setup, Pairs::<Affine>::new(), &inputs, STEPS).0.ok().and_then(error);
    let bound = [mean, affine].into_iter().flatten().reduce(f64::min);
    let tries = Tries { runs: 60, steps: 200_000 };
    let runs = runs_in(program, setup, &inside, tries);
    let reached = runs.reached.get(result).map_or(0.0, |reached| reached.error);
    Slice { low: part.lo, high: part.hi, bound, reached }
}
