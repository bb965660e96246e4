// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best-first branch and bound: the box with the greatest bound is split first.
//!
//! What is returned bounds all boxes: the greatest bound that is still waiting, or the greatest value of the model at a
//! point, below which boxes were put aside. Work is counted in operations, so that results do not depend on time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::bound::{Slopes, error_of};
use crate::dag::{Dag, NodeId, Sort};
use crate::interval::{Interval, div_up};
use crate::kernel::{Kernel, Path};
use crate::ranges::Ranges;
use crate::relative::Relative;
use crate::rounding::ulp_at;

/// What is bounded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Measure {
    /// The distance from the real result, where both runs take the same way.
    Absolute,
    /// The distance over the real result's magnitude, where that is at least this.
    Relative { floor: f64 },
    /// The distance in units in the last place of the real result.
    Ulps,
    /// The distance where the runs take different ways.
    Jump,
}

/// A bound over all inputs.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// At most this; infinite if none was found.
    pub bound: f64,
    /// The greatest value of the model at a point: splitting further cannot give less.
    pub model: f64,
    /// A box that the bound is from.
    pub worst: Vec<Interval>,
    /// How many boxes were looked at.
    pub boxes: u64,
}

/// Splitting ends when the bound is this close to the model's value at a point.
const GAP: f64 = 0.004;

struct Waiting {
    bound: f64,
    inputs: Vec<Interval>,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Bounds one output of a kernel.
pub fn bound(kernel: &Kernel, output: usize, measure: Measure, effort: u64) -> Bounded {
    let mut search = Search {
        kernel,
        output,
        measure,
        ranges: Ranges::default(),
        slopes: Slopes::default(),
        relative: Relative::default(),
    };
    search.run(effort)
}

struct Search<'k> {
    kernel: &'k Kernel,
    output: usize,
    measure: Measure,
    ranges: Ranges,
    slopes: Slopes,
    relative: Relative,
}

impl Search<'_> {
    fn run(&mut self, effort: u64) -> Bounded {
        let dag = &self.kernel.dag;
        let whole: Vec<Interval> = dag.inputs.iter().map(|input| input.range).collect();
        let cost = (dag.len() as u64).max(1) * 2;
        let mut first = self.over(&whole);
        // Forms cost more, and are kept where they pay.
        let mut with_forms = Ranges::default();
        with_forms.use_forms(dag);
        std::mem::swap(&mut self.ranges, &mut with_forms);
        let related = self.over(&whole);
        let pays = related < 0.8 * first;
        if pays {
            first = related;
        } else {
            std::mem::swap(&mut self.ranges, &mut with_forms);
        }
        let cost = if pays { cost * 20 } else { cost };
        let mut best = Bounded { bound: first, model: 0.0, worst: whole.clone(), boxes: 1 };
        let mut heap = BinaryHeap::from([Waiting { bound: first, inputs: whole.clone() }]);
        let mut spent = cost;
        best.model = self.at_point(&whole, 0).max(0.0);
        while let Some(top) = heap.pop() {
            best.bound = top.bound;
            best.worst.clone_from(&top.inputs);
            let is_close = top.bound <= best.model * (1.0 + GAP);
            let Some((at, middle)) = widest(dag, &top.inputs, &whole).filter(|_| !is_close && spent < effort)
            else {
                break;
            };
            for half in halves(dag, &top.inputs, at, middle) {
                spent += 2 * cost;
                best.boxes += 1;
                let bound = self.over(&half).min(top.bound);
                let model = self.at_point(&half, best.boxes);
                if model.is_finite() {
                    best.model = best.model.max(model);
                }
                if bound > best.model {
                    heap.push(Waiting { bound, inputs: half });
                }
            }
            if heap.is_empty() {
                best.bound = best.model;
            }
        }
        best.bound = best.bound.max(best.model);
        best
    }

    /// The model at a point of a box: the middle, and now and then a corner.
    fn at_point(&mut self, inputs: &[Interval], turn: u64) -> f64 {
        let corner = turn % 4 == 3;
        let pick = |(index, range): (usize, &Interval)| {
            let is_low = (turn >> (2 + index % 60)) & 1 == 0;
            let sort = self.kernel.dag.inputs[crate::dag::InputId(index as u32)].sort;
            let x = match (corner, is_low) {
                (false, _) => range.middle(),
                (true, true) => range.lo,
                (true, false) => range.hi,
            };
            Interval::point(if sort == Sort::Integer { x.floor().max(range.lo) } else { x })
        };
        let point: Vec<Interval> = inputs.iter().enumerate().map(pick).collect();
        let value = self.over(&point);
        if value.is_finite() { value } else { 0.0 }
    }

    /// The bound over one box.
    fn over(&mut self, inputs: &[Interval]) -> f64 {
        let dag = &self.kernel.dag;
        self.ranges.again(dag, inputs);
        let ranges = &self.ranges;
        let feasible: Vec<&Path> =
            self.kernel.paths.iter().filter(|path| is_feasible(path, ranges)).collect();
        let mut most = 0.0f64;
        if self.measure == Measure::Jump {
            for machine in feasible.iter().filter(|path| path.runs.machine) {
                for real in
                    feasible.iter().filter(|path| path.runs.real && may_part(dag, machine, path, ranges))
                {
                    let (Some(a), Some(b)) =
                        (machine.outputs.get(self.output), real.outputs.get(self.output))
                    else {
                        return f64::INFINITY;
                    };
                    most = most.max(ranges.value(a.1).sub(ranges.value(b.1)).mag());
                }
            }
            return most;
        }
        for path in feasible {
            if !(path.runs.machine && path.runs.real) {
                continue;
            }
            let Some((_, root)) = path.outputs.get(self.output) else { return f64::INFINITY };
            let error = error_of(dag, &self.ranges, &mut self.slopes, *root);
            let measured = self.measured(*root, error, inputs);
            let measured = if measured.is_infinite() { self.on_path(path, *root, inputs) } else { measured };
            most = most.max(measured);
        }
        most
    }

    /// The bound over the part of a box that leads along a path.
    fn on_path(&mut self, path: &Path, root: NodeId, inputs: &[Interval]) -> f64 {
        let dag = &self.kernel.dag;
        let mut narrow = inputs.to_vec();
        for (id, range) in dag.inputs.indices().zip(&mut narrow) {
            let halves = path.decisions.iter().filter_map(|decision| decision.half(dag, &self.ranges, id));
            for half in halves.collect::<Vec<_>>() {
                match range.meet(half) {
                    Some(met) => *range = met,
                    None => return 0.0,
                }
            }
        }
        if narrow == inputs {
            return f64::INFINITY;
        }
        self.ranges.again(dag, &narrow);
        let error = error_of(dag, &self.ranges, &mut self.slopes, root);
        let measured = self.measured(root, error, &narrow);
        self.ranges.again(dag, inputs);
        measured
    }

    fn measured(&mut self, root: NodeId, error: f64, inputs: &[Interval]) -> f64 {
        let value = self.ranges.value(root);
        match self.measure {
            Measure::Absolute | Measure::Jump => error,
            Measure::Ulps => match self.kernel.dag.nodes[root].sort {
                Sort::Float(format) if error.is_finite() => div_up(error, ulp_at(format, value.mig())),
                _ => error,
            },
            Measure::Relative { floor } => {
                let direct = self.relative.of(&self.kernel.dag, inputs, &self.ranges, root);
                let real = self.relative.real();
                if value.mag().min(real.mag()) < floor {
                    return 0.0;
                }
                let mig = value.mig().max(real.mig()).max(floor);
                let divided = match () {
                    () if error == 0.0 => 0.0,
                    () if mig > 0.0 => div_up(error, mig),
                    () => f64::INFINITY,
                };
                divided.min(direct)
            }
        }
    }
}

/// Whether a run may take the path over this box, as far as ranges tell.
pub fn is_feasible(path: &Path, ranges: &Ranges) -> bool {
    path.decisions.iter().all(|decision| decision.test.over(ranges) != Some(!decision.taken))
}

/// Whether the machine may take one path and the reals another, over this box.
pub fn may_part(dag: &Dag, machine: &Path, real: &Path, ranges: &Ranges) -> bool {
    let parting = machine.decisions.iter().zip(&real.decisions).find(|(a, b)| a.taken != b.taken);
    match parting {
        // Where ways were joined, what was decided on them is not known any more.
        None => !std::ptr::eq(machine, real),
        Some((decision, _)) => {
            !machine.runs.real
                || !real.runs.machine
                || !(decision.test.is_exact(ranges) || decision.test.is_monotone(dag, ranges))
        }
    }
}

/// The input whose range is the widest part of what it was, and where to split it.
pub(crate) fn widest(dag: &Dag, inputs: &[Interval], whole: &[Interval]) -> Option<(usize, f64)> {
    let mut widest = None;
    let mut width = 0.0;
    for (index, (range, all)) in inputs.iter().zip(whole).enumerate() {
        let middle = middle(*range, dag.inputs[crate::dag::InputId(index as u32)].sort);
        let part = (range.hi - range.lo) / (all.hi - all.lo).max(f64::MIN_POSITIVE);
        if part > width && middle > range.lo && middle < range.hi {
            widest = Some((index, middle));
            width = part;
        }
    }
    widest
}

/// Ranges that span many magnitudes of one sign are split at the geometric middle.
fn middle(range: Interval, sort: Sort) -> f64 {
    let middle = match () {
        () if range.lo > 0.0 && range.hi > 8.0 * range.lo => (range.lo * range.hi).sqrt(),
        () if range.hi < 0.0 && range.lo < 8.0 * range.hi => -(range.lo * range.hi).sqrt(),
        () => range.middle(),
    };
    let middle = if middle > range.lo && middle < range.hi { middle } else { range.middle() };
    if sort == Sort::Integer { middle.floor() + 0.5 } else { middle }
}

pub(crate) fn halves(dag: &Dag, inputs: &[Interval], at: usize, middle: f64) -> [Vec<Interval>; 2] {
    let (mut low, mut high) = (inputs.to_vec(), inputs.to_vec());
    let is_whole = dag.inputs[crate::dag::InputId(at as u32)].sort == Sort::Integer;
    low[at].hi = if is_whole { middle.floor() } else { middle };
    high[at].lo = if is_whole { middle.ceil() } else { middle };
    [low, high]
}
