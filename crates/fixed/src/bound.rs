// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best bounds: mean-value pairs over boxes of inputs, best first.
//!
//! The box of inputs is cut where the bound is worst, again and again, as long as the budget of steps allows. Every box is
//! a walk of its own, and what holds in all boxes holds; so branches, loops and calls need nothing special, and a test that
//! is undecided over the whole range is decided in most of its parts. The result is the best of this and of the paper's
//! three.

use clew_ir::syntax::Program;

use crate::algebra::{Algebra, Seen};
use crate::begin::{Cell, cells};
use crate::exhaust::exhaust;
use crate::interval::Interval;
use crate::journal::{Journal, RowKey};
use crate::mean::Means;
use crate::pair::Pairs;
use crate::range::affine::Affine;
use crate::range::classical::Classical;
use crate::range::extended::Extended;
use crate::setup::Setup;
use crate::walk::{StopKind, Walk, Walked};

/// How much work a bound is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Steps of one walk.
    pub walk: u64,
    /// Steps of all boxes together.
    pub boxes: u64,
    /// How many boxes.
    pub most: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { walk: 50_000_000, boxes: 600_000, most: 1_500 }
    }
}

/// What each way of counting says.
pub struct Bounds {
    /// Classical, affine and extended affine intervals.
    pub paper: [(&'static str, Walked<Journal>); 3],
    /// The best of all.
    pub best: Walked<Journal>,
    /// How many boxes were looked at.
    pub boxes: usize,
    /// Whether every run of the machine was looked at.
    pub is_exhaustive: bool,
}

/// Bounds by one algebra over one box.
pub fn walk<A: Algebra>(
    program: &Program,
    setup: &Setup,
    algebra: A,
    inputs: &[Interval],
    steps: u64,
) -> (Walked<Journal>, u64) {
    let mut walk = Walk::new(program, setup, algebra, inputs, steps);
    let ended = walk.run();
    (ended.map(|()| walk.journal), steps - walk.steps)
}

/// Bounds by all of them.
pub fn bounds(program: &Program, setup: &Setup, effort: Effort) -> Bounds {
    let cells = cells(program, setup);
    let inputs: Vec<Interval> = cells.iter().map(|cell| cell.range).collect();
    let steps = effort.walk;
    let paper = [
        ("CI", walk(program, setup, Pairs::<Classical>::new(), &inputs, steps).0),
        ("AI", walk(program, setup, Pairs::<Affine>::new(), &inputs, steps).0),
        ("EAI", walk(program, setup, Pairs::<Extended>::new(), &inputs, steps).0),
    ];
    let (best, boxes) = best(program, setup, &cells, effort);
    let best = paper.iter().fold(best, |best, (_, other)| better(best, other));
    let all = exhaust(program, setup, effort.boxes * 2);
    let is_exhaustive = all.as_ref().is_some_and(Result::is_ok);
    let best = match all {
        Some(all) => better(best, &all),
        None => best,
    };
    Bounds { paper, best, boxes, is_exhaustive }
}

/// What two sound walks over the same inputs say together.
fn better(best: Walked<Journal>, other: &Walked<Journal>) -> Walked<Journal> {
    let (Ok(mut best), Ok(other)) = (best.clone(), other) else { return best.or_else(|_| other.clone()) };
    for (key, seen) in &mut best.rows {
        if let Some(also) = other.rows.get(key) {
            *seen = Seen {
                real: seen.real.and(also.real),
                machine: seen.machine.and(also.machine),
                error: seen.error.and(also.error),
            };
        }
    }
    for (span, site) in &mut best.sites {
        site.may &= other.sites.get(span).is_none_or(|also| also.may);
    }
    Ok(best)
}

struct Leaf {
    inputs: Vec<Interval>,
    result: Walked<Journal>,
}

/// What boxes are cut for.
#[derive(Clone, PartialEq, Debug)]
enum Aim {
    /// The error of a variable at the end.
    Row(RowKey),
    /// That results fit.
    Fits,
}

impl Aim {
    /// All there is to improve.
    fn all(whole: &Journal) -> Vec<Aim> {
        let is_worth = |(key, seen): &(&RowKey, &Seen)| {
            key.0.is_none() && seen.error != Interval::ZERO && !key.1.ends_with(" at the start")
        };
        let rows = whole.rows.iter().filter(is_worth).map(|(key, _)| Aim::Row(key.clone()));
        let fits = whole.sites.values().any(|site| site.may).then_some(Aim::Fits);
        rows.chain(fits).collect()
    }

    /// How bad a box is.
    fn score(&self, leaf: &Leaf, whole: &[Interval]) -> f64 {
        let Ok(journal) = &leaf.result else { return f64::INFINITY };
        match self {
            Aim::Row(key) => journal.rows.get(key).map_or(0.0, |seen| seen.error.magnitude()),
            // The largest box first: there is nothing to gain where a value surely does not fit.
            Aim::Fits if journal.sites.values().any(|site| site.may) => {
                let share = |i: usize| share(&leaf.inputs, whole, i);
                (0..whole.len())
                    .filter(|i| !whole[*i].is_point())
                    .map(share)
                    .fold(f64::MIN_POSITIVE, f64::max)
            }
            Aim::Fits => 0.0,
        }
    }
}

fn best(program: &Program, setup: &Setup, cells: &[Cell], effort: Effort) -> (Walked<Journal>, usize) {
    let inputs: &[Interval] = &cells.iter().map(|cell| cell.range).collect::<Vec<_>>();
    let (whole, spent) = walk(program, setup, Means::default(), inputs, effort.walk);
    let is_hopeless = matches!(&whole, Err(stop) if stop.kind == StopKind::Limit);
    let dimensions: Vec<usize> = (0..inputs.len()).filter(|i| !inputs[*i].is_point()).collect();
    if dimensions.is_empty() || dimensions.len() > 24 || is_hopeless {
        return (whole, 1);
    }
    let mut aims = whole.as_ref().map_or_else(|_| vec![Aim::Fits], Aim::all);
    let mut gains = vec![Gains(vec![1.0; inputs.len()]); aims.len()];
    let mut left = effort.boxes.saturating_sub(spent);
    let mut leaves = vec![Leaf { inputs: inputs.to_vec(), result: whole }];
    let mut turn = 0;
    while leaves.len() < effort.most && !aims.is_empty() {
        turn = (turn + 1) % aims.len();
        let aim = aims[turn].clone();
        let scores: Vec<f64> = leaves.iter().map(|leaf| aim.score(leaf, inputs)).collect();
        let worst = (0..leaves.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        let Some(worst) = worst.filter(|worst| scores[*worst] > 0.0) else {
            aims.remove(turn);
            gains.remove(turn);
            continue;
        };
        let Some(at) = gains[turn].dimension(&leaves[worst].inputs, inputs, &dimensions) else {
            aims.remove(turn);
            gains.remove(turn);
            continue;
        };
        let is_small = share(&leaves[worst].inputs, inputs, at) < SMALL;
        let mut halves = Vec::new();
        for half in halved(&leaves[worst].inputs, at, cells[at].is_exact) {
            let (result, spent) = walk(program, setup, Means::default(), &half, left.max(1));
            left = left.saturating_sub(spent);
            halves.push(Leaf { inputs: half, result });
        }
        if left == 0 {
            break;
        }
        let after = halves.iter().map(|half| aim.score(half, inputs)).fold(0.0, f64::max);
        leaves.swap_remove(worst);
        leaves.append(&mut halves);
        // The worst point is found when cutting around it changes nothing any more.
        if is_small && (after > scores[worst] * 0.999 || aim == Aim::Fits) {
            aims.remove(turn);
            gains.remove(turn);
        } else if aim != Aim::Fits {
            gains[turn].learn(at, after / scores[worst]);
        }
    }
    let boxes = leaves.len();
    (merged(leaves), boxes)
}

fn merged(leaves: Vec<Leaf>) -> Walked<Journal> {
    let mut all = Journal::default();
    for leaf in leaves {
        all.merge(&leaf.result?);
    }
    Ok(all)
}

/// A part of an input's range below which cutting is of little use.
const SMALL: f64 = 1.0 / 4096.0;

fn share(part: &[Interval], whole: &[Interval], at: usize) -> f64 {
    part[at].width() / whole[at].width()
}

/// How much cuts in each input were good for, by the part of a bound that they took away; at first all are promising.
#[derive(Clone, Debug)]
struct Gains(Vec<f64>);

impl Gains {
    /// The input that matters most: where cuts took away most, unless it has been cut much more than others.
    fn dimension(&self, part: &[Interval], whole: &[Interval], dimensions: &[usize]) -> Option<usize> {
        let promise = |i: usize| (self.0[i] + LEAST_GAIN) * share(part, whole, i).sqrt();
        let can_be_cut = |i: &&usize| {
            let middle = part[**i].middle();
            part[**i].lo < middle && middle < part[**i].hi
        };
        let all = dimensions.iter().filter(can_be_cut).copied();
        all.max_by(|a, b| promise(*a).total_cmp(&promise(*b)))
    }

    /// After a cut this part of the bound is left.
    fn learn(&mut self, at: usize, left: f64) {
        let gain = if left.is_finite() { (1.0 - left).max(0.0) } else { 1.0 };
        self.0[at] = (self.0[at] + gain) / 2.0;
    }
}

/// What an input is worth that no cut was good for: it may matter once others have been cut.
const LEAST_GAIN: f64 = 0.02;

/// Two halves; of integers, each goes to one of them.
fn halved(inputs: &[Interval], at: usize, is_integer: bool) -> [Vec<Interval>; 2] {
    let middle = inputs[at].middle();
    let (mut low, mut high) = (inputs.to_vec(), inputs.to_vec());
    low[at].hi = if is_integer { middle.floor() } else { middle };
    high[at].lo = if is_integer { middle.floor() + 1.0 } else { middle };
    [low, high]
}
