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
use crate::interval::Interval;
use crate::journal::Journal;
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
        Effort { walk: 50_000_000, boxes: 3_000_000, most: 1_500 }
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
    Bounds { paper, best, boxes }
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
    score: f64,
}

/// How bad a leaf is: its worst error, in parts of what the whole box has.
fn score(result: &Walked<Journal>, whole: &Walked<Journal>) -> f64 {
    let (Ok(leaf), Ok(whole)) = (result, whole) else {
        return if result.is_err() { f64::INFINITY } else { 0.0 };
    };
    let part = |(key, seen): (&crate::journal::RowKey, &Seen)| {
        let all = whole.rows.get(key).map_or(0.0, |seen| seen.error.magnitude());
        if key.0.is_some() || all == 0.0 { 0.0 } else { seen.error.magnitude() / all }
    };
    let error = leaf.rows.iter().map(part).fold(0.0, f64::max);
    // An overflow that may not be one is worth a cut, too.
    let overflow = leaf.sites.values().any(|site| site.may && site.before.machine.contains(0.0));
    if overflow { error.max(0.5) } else { error }
}

fn best(program: &Program, setup: &Setup, cells: &[Cell], effort: Effort) -> (Walked<Journal>, usize) {
    let inputs: &[Interval] = &cells.iter().map(|cell| cell.range).collect::<Vec<_>>();
    let (whole, spent) = walk(program, setup, Means::default(), inputs, effort.walk);
    let is_hopeless = matches!(&whole, Err(stop) if stop.kind == StopKind::Limit);
    let dimensions: Vec<usize> = (0..inputs.len()).filter(|i| !inputs[*i].is_point()).collect();
    if dimensions.is_empty() || dimensions.len() > 24 || is_hopeless {
        return (whole, 1);
    }
    let mut left = effort.boxes.saturating_sub(spent);
    let mut leaves = vec![Leaf { inputs: inputs.to_vec(), score: 1.0, result: whole.clone() }];
    while leaves.len() < effort.most {
        let Some(worst) = (0..leaves.len()).max_by(|a, b| leaves[*a].score.total_cmp(&leaves[*b].score))
        else {
            break;
        };
        let leaf = &leaves[worst];
        if leaf.score == 0.0 {
            break;
        }
        let Some(at) = widest(&leaf.inputs, inputs, &dimensions) else { break };
        let before = leaf.score;
        let mut halves = Vec::new();
        for half in halved(&leaf.inputs, at, cells[at].is_exact) {
            let (result, spent) = walk(program, setup, Means::default(), &half, left.max(1));
            left = left.saturating_sub(spent);
            let score = score(&result, &whole);
            halves.push(Leaf { inputs: half, result, score });
        }
        if left == 0 {
            break;
        }
        let after = halves.iter().map(|half| half.score).fold(0.0, f64::max);
        let is_small = leaf_share(&leaves[worst].inputs, inputs, at) < SMALL;
        leaves.swap_remove(worst);
        leaves.append(&mut halves);
        // The worst point is found when cutting it off changes nothing any more.
        if is_small && after > before * 0.9999 {
            break;
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

fn leaf_share(part: &[Interval], whole: &[Interval], at: usize) -> f64 {
    part[at].width() / whole[at].width()
}

/// The dimension that has been cut least.
fn widest(part: &[Interval], whole: &[Interval], dimensions: &[usize]) -> Option<usize> {
    let share = |i: usize| part[i].width() / whole[i].width();
    let most = dimensions.iter().copied().max_by(|a, b| share(*a).total_cmp(&share(*b)))?;
    let middle = part[most].middle();
    (part[most].lo < middle && middle < part[most].hi).then_some(most)
}

/// Two halves; of integers, each goes to one of them.
fn halved(inputs: &[Interval], at: usize, is_integer: bool) -> [Vec<Interval>; 2] {
    let middle = inputs[at].middle();
    let (mut low, mut high) = (inputs.to_vec(), inputs.to_vec());
    low[at].hi = if is_integer { middle.floor() } else { middle };
    high[at].lo = if is_integer { middle.floor() + 1.0 } else { middle };
    [low, high]
}
