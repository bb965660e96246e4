// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is to blame: the share of each operation in a bound, and the subtractions that bring errors to light.

use clew_base::source::Span;

use crate::bound::{Slopes, error_of};
use crate::dag::{NodeId, Op};
use crate::interval::Interval;
use crate::kernel::Kernel;
use crate::ranges::Ranges;
use crate::split::is_feasible;

/// What the operations at one place add to the bound.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Where.
    pub span: Span,
    /// Of 1.
    pub part: f64,
}

/// A subtraction whose operands are inexact and nearly cancel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cancellation {
    /// Where.
    pub span: Span,
    /// Bits of the operands' magnitude that are lost.
    pub bits: i32,
    /// The part of the error that comes through it, of 1.
    pub part: f64,
}

/// The path with the greatest error over a box, its ranges and slopes.
fn worst_path(kernel: &Kernel, output: usize, inputs: &[Interval]) -> Option<(NodeId, Ranges, Slopes)> {
    let ranges = Ranges::over(&kernel.dag, inputs);
    let mut slopes = Slopes::default();
    let mut worst: Option<(f64, NodeId)> = None;
    for path in kernel.paths.iter().filter(|path| is_feasible(path, &ranges)) {
        let Some((_, root)) = path.outputs.get(output) else { continue };
        let error = error_of(&kernel.dag, &ranges, &mut slopes, *root);
        if worst.is_none_or(|(most, _)| error > most) {
            worst = Some((error, *root));
        }
    }
    let (_, root) = worst?;
    slopes.of(&kernel.dag, &ranges, root);
    Some((root, ranges, slopes))
}

/// What each place adds to the bound over a box, greatest first.
pub fn shares(kernel: &Kernel, output: usize, inputs: &[Interval]) -> Vec<Share> {
    let Some((root, ranges, slopes)) = worst_path(kernel, output, inputs) else { return Vec::new() };
    let mut parts: Vec<Share> = Vec::new();
    for index in 0..=root.0 {
        let id = NodeId(index);
        let reach = ranges.get(id);
        let part = slopes.get(id).mag() * (reach.error + reach.signed.mag());
        if part > 0.0 && part.is_finite() {
            let span = kernel.dag.nodes[id].span;
            match parts.iter_mut().find(|share| share.span == span) {
                Some(share) => share.part += part,
                None => parts.push(Share { span, part }),
            }
        }
    }
    let total: f64 = parts.iter().map(|share| share.part).sum();
    parts.iter_mut().for_each(|share| share.part /= total);
    parts.sort_by(|a, b| b.part.total_cmp(&a.part).then(a.span.cmp(&b.span)));
    parts
}

/// Sums that lose leading digits of inexact operands, by their part in the error.
pub fn cancellations(kernel: &Kernel, output: usize, inputs: &[Interval]) -> Vec<Cancellation> {
    let Some((root, ranges, slopes)) = worst_path(kernel, output, inputs) else { return Vec::new() };
    let total = slopes.error(&ranges);
    let mut all: Vec<Cancellation> = Vec::new();
    for index in 0..=root.0 {
        let id = NodeId(index);
        let node = &kernel.dag.nodes[id];
        let (Op::Add(a, b) | Op::Sub(a, b)) = node.op else { continue };
        let before = ranges.get(a).total + ranges.get(b).total;
        let largest = ranges.value(a).mag().max(ranges.value(b).mag());
        let bits = (largest / ranges.value(id).mag()).log2().min(2000.0);
        let part = slopes.get(id).mag() * before / total;
        if before == 0.0 || bits < 1.0 || !part.is_finite() || part == 0.0 {
            continue;
        }
        match all.iter_mut().find(|known| known.span == node.span) {
            Some(known) => known.part = known.part.max(part.min(1.0)),
            None => all.push(Cancellation { span: node.span, bits: bits as i32, part: part.min(1.0) }),
        }
    }
    // A result of zero is the whole cancellation there is.
    all.sort_by(|a, b| {
        (b.part * f64::from(b.bits)).total_cmp(&(a.part * f64::from(a.bits))).then(a.span.cmp(&b.span))
    });
    all
}
