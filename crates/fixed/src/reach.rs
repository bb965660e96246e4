// SPDX-License-Identifier: MIT OR Apache-2.0
//! What errors reach, and inputs whose values do not fit: by running the machine and the reals side by side.
//!
//! Points are chosen where rounding is worst: at the corners of the box, halfway between two numbers of the format and
//! just beside, then around the best so far. The draw is seeded, so the same question gets the same answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_base::source::Span;
use clew_ir::syntax::Program;

use crate::begin::{Cell, cells};
use crate::concrete::{Machine, Reals};
use crate::interval::Interval;
use crate::journal::Journal;
use crate::setup::Setup;
use crate::walk::Walk;

/// What a variable's error reaches, and with which inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// At least so much.
    pub error: f64,
    /// The inputs, in the order of [`cells`].
    pub inputs: Vec<f64>,
}

/// A value that does not fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Overflowed {
    /// The inputs, in the order of [`cells`].
    pub inputs: Vec<f64>,
    /// The value.
    pub value: f64,
}

/// What runs showed.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// By variable, at the end.
    pub reached: BTreeMap<Arc<str>, Reached>,
    /// The first value of a run that does not fit, by place.
    pub overflowed: BTreeMap<Span, Overflowed>,
    /// How many runs.
    pub count: u64,
}

/// Steps of a run, at most.
const LONGEST: u64 = 15_000_000;

/// How many runs a search may make, and how many steps in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tries {
    /// Runs.
    pub runs: u64,
    /// Steps.
    pub steps: u64,
}

impl Default for Tries {
    fn default() -> Self {
        Tries { runs: 4_000, steps: 6_000_000 }
    }
}

/// An enclosure of an error that is wider than this and holds zero says nothing; those of exact results are narrower.
const WIDEST: f64 = 1e-9;

/// Runs at well-chosen points.
pub fn runs(program: &Program, setup: &Setup, tries: Tries) -> Runs {
    runs_in(program, setup, &cells(program, setup), tries)
}

/// The same, with inputs of these ranges.
pub fn runs_in(program: &Program, setup: &Setup, cells: &[Cell], tries: Tries) -> Runs {
    let mut search = Search {
        program,
        setup,
        steps: tries.steps,
        left: tries.runs,
        found: Runs::default(),
        random: fastrand::Rng::with_seed(0x5eed),
        cells,
    };
    search.scatter(1);
    search.corners();
    search.scatter(tries.runs / 2);
    search.climb();
    search.found
}

struct Search<'a> {
    program: &'a Program,
    setup: &'a Setup,
    cells: &'a [Cell],
    steps: u64,
    left: u64,
    found: Runs,
    random: fastrand::Rng,
}

impl Search<'_> {
    fn corners(&mut self) {
        let low: Vec<f64> = self.cells.iter().map(|cell| cell.range.lo).collect();
        let high: Vec<f64> = self.cells.iter().map(|cell| cell.range.hi).collect();
        self.run(&low);
        self.run(&high);
        let count = self.cells.len().min(8);
        for bits in 1..(1u32 << count).saturating_sub(1) {
            let pick = |i: usize| if bits >> (i % count) & 1 == 1 { high[i] } else { low[i] };
            let point: Vec<f64> = (0..self.cells.len()).map(pick).collect();
            self.run(&point);
        }
    }

    fn scatter(&mut self, count: u64) {
        for _ in 0..count {
            let point: Vec<f64> = (0..self.cells.len()).map(|i| self.drawn(i)).collect();
            if !self.run(&point) {
                return;
            }
        }
    }

    /// A number of an input's range: anywhere, or where rounding is worst.
    fn drawn(&mut self, index: usize) -> f64 {
        let cell = &self.cells[index];
        let (low, high) = (cell.range.lo, cell.range.hi);
        let anywhere = low + (high - low) * self.random.f64();
        self.beside(anywhere).clamp(low, high)
    }

    /// A number near this one, on the grid, halfway, or just beside halfway.
    fn beside(&mut self, x: f64) -> f64 {
        let step = self.setup.all.map_or(2f64.powi(-8), |format| format.grid().step_interval().lo);
        let on = (x / step).floor() * step;
        match self.random.u8(0..6) {
            0 => on,
            1 => on + step / 2.0,
            2 => (on + step / 2.0).next_down(),
            3 => on - step / 2.0,
            4 => (on - step / 2.0).next_up(),
            _ => x,
        }
    }

    /// Around the best points of each variable.
    fn climb(&mut self) {
        let names: Vec<Arc<str>> = self.found.reached.keys().cloned().collect();
        while self.left > 0 {
            for name in &names {
                let Some(best) = self.found.reached.get(name) else { continue };
                let mut point = best.inputs.clone();
                if point.is_empty() {
                    return;
                }
                let index = self.random.usize(0..point.len());
                let cell = &self.cells[index];
                let width = cell.range.width() * 2f64.powi(-self.random.i32(1..12));
                let moved = point[index] + width * (self.random.f64() - 0.5);
                point[index] = self.beside(moved).clamp(cell.range.lo, cell.range.hi);
                if !self.run(&point) {
                    return;
                }
            }
            if names.is_empty() {
                return;
            }
        }
    }

    /// One run of each. False: the budget is used up.
    fn run(&mut self, point: &[f64]) -> bool {
        if self.left == 0 || self.steps == 0 {
            return false;
        }
        // The first run is made to its end, however long it is.
        let budget = self.steps;
        let allowed = if self.found.count == 0 { budget.max(LONGEST) } else { budget };
        self.steps = allowed;
        let goes_on = self.pair(point);
        self.steps = budget.saturating_sub(allowed - self.steps);
        goes_on && self.steps > 0
    }

    /// The machine's run and the one in the reals.
    fn pair(&mut self, point: &[f64]) -> bool {
        self.left -= 1;
        self.found.count += 1;
        let integral = |(x, cell): (&f64, &Cell)| if cell.is_exact { x.round() } else { *x };
        let point: Vec<f64> = point.iter().zip(self.cells).map(integral).collect();
        let inputs: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
        let mut machine = Walk::new(self.program, self.setup, Machine::default(), &inputs, self.steps);
        machine.is_single = true;
        let ended = machine.run();
        self.steps = machine.steps;
        if let Some((span, value)) = machine.first_overflow {
            let overflowed = Overflowed { inputs: point.clone(), value: value.middle() };
            self.found.overflowed.entry(span).or_insert(overflowed);
            return self.measure(&point, &inputs, None);
        }
        let journal = ended.is_ok().then_some(machine.journal);
        match journal {
            Some(journal) => self.measure(&point, &inputs, Some(journal)),
            None => true,
        }
    }

    /// How far machine and reals are apart, without ends of formats where a value did not fit.
    fn measure(&mut self, point: &[f64], inputs: &[Interval], journal: Option<Journal>) -> bool {
        let machine = match journal {
            Some(journal) => journal,
            None => {
                let endless = Machine { is_endless: true };
                let mut walk = Walk::new(self.program, self.setup, endless, inputs, self.steps);
                walk.is_single = true;
                let ended = walk.run();
                self.steps = walk.steps;
                if ended.is_err() {
                    return self.steps > 0;
                }
                walk.journal
            }
        };
        let mut reals = Walk::new(self.program, self.setup, Reals, inputs, self.steps);
        reals.is_single = true;
        let ended = reals.run();
        self.steps = reals.steps;
        if ended.is_err() {
            return self.steps > 0;
        }
        for ((place, name), seen) in &machine.rows {
            let Some(real) = reals.journal.rows.get(&(None, name.clone())).filter(|_| place.is_none()) else {
                continue;
            };
            let difference = real.real - seen.machine;
            let error =
                if difference.contains(0.0) { 0.0 } else { difference.lo.abs().min(difference.hi.abs()) };
            // Reals are enclosed, and over a long feedback the enclosure grows: then nothing is known of the error.
            if error == 0.0 && difference.width() > WIDEST {
                continue;
            }
            let name: Arc<str> = name.split('@').next().unwrap_or(name).into();
            let best = self.found.reached.get(&name).is_none_or(|best| best.error < error);
            if best {
                self.found.reached.insert(name, Reached { error, inputs: point.to_vec() });
            }
        }
        self.steps > 0
    }
}
