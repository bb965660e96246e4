// SPDX-License-Identifier: MIT OR Apache-2.0
//! Few inputs of few bits: every run of the machine, one by one.
//!
//! The machine sees its inputs rounded to a grid. Where there are few grid points, each is run exactly, and beside it the
//! reals that are rounded to it: a box half a step around, whose real results have narrow bounds. The error is the one
//! minus the other. No rounding needs a bound any more, so what is left of the bound is what the reals do within a box.

use clew_ir::syntax::Program;

use crate::algebra::Seen;
use crate::begin::{Cell, Rounded, cells, rounded_cells};
use crate::concrete::Machine;
use crate::format::Rounding;
use crate::interval::Interval;
use crate::journal::{Journal, RowKey};
use crate::mean::Means;
use crate::setup::Setup;
use crate::walk::{Walk, Walked};

/// More points than this are not walked one by one.
const MOST_POINTS: u128 = 10_000;

/// The machine's points of one input: their number, the first, and the step.
struct Axis {
    first: f64,
    count: u128,
    step: f64,
    /// What is rounded to zero, to its left and right, in steps.
    around: fn(f64) -> (f64, f64),
    range: Interval,
}

/// All runs of the machine, if they are few; what holds for all of them.
pub fn exhaust(program: &Program, setup: &Setup, budget: u64) -> Option<Walked<Journal>> {
    let cells = cells(program, setup);
    let rounded = rounded_cells(program, setup);
    let axes: Option<Vec<Axis>> = cells.iter().zip(&rounded).map(|(cell, how)| axis(cell, *how)).collect();
    let axes = axes?;
    let total = axes.iter().try_fold(1u128, |total, axis| total.checked_mul(axis.count))?;
    if total > MOST_POINTS || axes.is_empty() {
        return None;
    }
    let mut left = budget;
    let mut all: Option<Journal> = None;
    for number in 0..total {
        let (point, cell) = at(&axes, number);
        let Some(cell) = cell else { continue };
        let before = left;
        let walked = one(program, setup, &point, &cell, &mut left)?;
        // Runs are about as long as each other: better none than a part.
        if u128::from(before - left).saturating_mul(total - number - 1) > u128::from(left) * 2 {
            return None;
        }
        match walked {
            Ok(journal) => match &mut all {
                None => all = Some(journal),
                Some(all) => all.merge(&journal),
            },
            Err(stop) => return Some(Err(stop)),
        }
    }
    all.map(Ok)
}

fn axis(cell: &Cell, how: Option<Rounded>) -> Option<Axis> {
    let range = cell.range;
    let Some(how) = how else {
        let count = (range.hi - range.lo).floor();
        (0.0..1e9).contains(&count).then_some(())?;
        return Some(Axis {
            first: range.lo,
            count: count as u128 + 1,
            step: 1.0,
            around: |_| (0.0, 0.0),
            range,
        });
    };
    if how.grid.base != 2 || how.grid.digits > 60 {
        return None;
    }
    let step = how.grid.step_interval().lo;
    let around: fn(f64) -> (f64, f64) = match how.mode {
        Rounding::HalfUp | Rounding::HalfEven => |_| (-0.5, 0.5),
        Rounding::Truncate => |_| (0.0, 1.0),
        Rounding::TowardZero => |x| match x {
            x if x > 0.0 => (0.0, 1.0),
            x if x < 0.0 => (-1.0, 0.0),
            _ => (-1.0, 1.0),
        },
    };
    // One point more at each end: boxes that miss the range are left out.
    let (first, last) = ((range.lo / step).floor() - 1.0, (range.hi / step).ceil() + 1.0);
    ((last - first).abs() < 1e9 && first.abs() < 1e15 && last.abs() < 1e15).then_some(())?;
    Some(Axis { first: first * step, count: (last - first) as u128 + 1, step, around, range })
}

/// The point of a number, and the reals that are rounded to it, if there are any in range.
fn at(axes: &[Axis], number: u128) -> (Vec<Interval>, Option<Vec<Interval>>) {
    let mut rest = number;
    let (mut point, mut cell) = (Vec::new(), Some(Vec::new()));
    for axis in axes {
        let x = axis.first + (rest % axis.count) as f64 * axis.step;
        rest /= axis.count;
        let (below, above) = (axis.around)(x);
        point.push(Interval::point(x));
        let around = Interval::new(x + below * axis.step, x + above * axis.step).meet(axis.range);
        cell = cell.zip(around).map(|(mut cell, around)| {
            cell.push(around);
            cell
        });
    }
    (point, cell)
}

/// One run of the machine, beside its reals. None: out of budget, or a run that cannot be made.
fn one(
    program: &Program,
    setup: &Setup,
    point: &[Interval],
    cell: &[Interval],
    left: &mut u64,
) -> Option<Walked<Journal>> {
    let mut machine = Walk::new(program, setup, Machine { is_endless: true }, point, *left);
    machine.is_single = true;
    machine.run().ok()?;
    *left = machine.steps;
    let mut reals = Walk::new(program, setup, Means::default(), cell, *left);
    reals.is_single = true;
    let ended = reals.run();
    *left = reals.steps;
    if *left == 0 {
        return None;
    }
    if let Err(stop) = ended {
        return Some(Err(stop));
    }
    let mut journal =
        Journal { tests: reals.journal.tests, unclear: reals.journal.unclear, ..Journal::default() };
    for (key, real) in reals.journal.rows.iter().filter(|(key, _)| key.0.is_none()) {
        let Some(run) = machine.journal.rows.get(key) else { continue };
        let error = (real.real - run.machine).meet(real.error).unwrap_or(real.real - run.machine);
        let seen = Seen { real: real.real, machine: run.machine, error };
        let plain: RowKey = (None, key.1.split('@').next().unwrap_or(&key.1).into());
        journal.row(plain, seen);
    }
    journal.sites = machine.journal.sites;
    Some(Ok(journal))
}
