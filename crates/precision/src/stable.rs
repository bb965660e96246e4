// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stability properties in the interval-real model: `__clew_stable(x, threshold)`.
//!
//! Proved where the widest relative width over all inputs is below the threshold; violated where one input's is not,
//! or its sign or status is uncertain. The witness is run on the machine in every rounding mode: the results that
//! differ are what the property is about.

use clew_base::float::{Float, Rounding};
use clew_base::source::Span;
use clew_ir::syntax::{FuncId, ObligationId};

use crate::dag::{InputId, NodeId, Sort};
use crate::interval::Interval;
use crate::kernel::{Kernel, Stable};
use crate::model::{Enclosed, Model};
use crate::run::{Contraction, Given, Shadow, machine_in, takes};
use crate::sample::to_f64;
use crate::spread;

/// A property and its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Where it is stated.
    pub span: Span,
    /// What it demands.
    pub threshold: f64,
    /// The obligation that says so.
    pub obligation: Option<(FuncId, ObligationId)>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Whether a number is stable.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// For all inputs its relative width is at most this.
    Stable(f64),
    /// Not for this one.
    Unstable(Box<Unstable>),
    /// Neither could be shown; the relative width is at most this, where that is known.
    Unknown(Option<f64>),
}

/// An input on which a number is not stable.
#[derive(Clone, Debug)]
pub struct Unstable {
    /// The inputs.
    pub inputs: Vec<f64>,
    /// The number in the model.
    pub enclosed: Enclosed,
    /// What the machine computes: to nearest, down, up, towards zero, and with fused operations.
    pub results: Vec<(&'static str, Float)>,
    /// What it is in the reals.
    pub real: f64,
}

/// All properties of a kernel.
pub fn judge(kernel: &Kernel, model: &Model) -> Vec<Judged> {
    kernel.stable.iter().map(|property| one(kernel, property, model)).collect()
}

fn one(kernel: &Kernel, property: &Stable, model: &Model) -> Judged {
    let bound = model.relative_width(kernel, property.node);
    let verdict = match bound {
        // What joined ways leave has the errors of rounding to nearest, not those of the model.
        _ if kernel.is_joined() => Verdict::Unknown(None),
        Some(width) if width < property.threshold => Verdict::Stable(width),
        _ => match witness(kernel, property, model) {
            Some(unstable) => Verdict::Unstable(Box::new(unstable)),
            None => over_box(kernel, property, model)
                .or_else(|| spread::relative_width(&kernel.dag, property, model))
                .map_or(Verdict::Unknown(bound), Verdict::Stable),
        },
    };
    let Stable { span, threshold, obligation, .. } = *property;
    Judged { span, threshold, obligation, verdict }
}

/// The model over all inputs at once: enough where inputs are narrow.
fn over_box(kernel: &Kernel, property: &Stable, model: &Model) -> Option<f64> {
    let whole: Vec<Interval> = kernel.dag.inputs.iter().map(|input| input.range).collect();
    let value = model.run(&kernel.dag, &whole)[property.node.0 as usize];
    value.relative_width().filter(|width| *width < property.threshold)
}

/// An input whose own enclosure breaks the property: each input at its ends or in the middle, first ones apart from the
/// rest, since errors of first operands meet most operations.
fn witness(kernel: &Kernel, property: &Stable, model: &Model) -> Option<Unstable> {
    let ranges: Vec<Interval> = kernel.dag.inputs.iter().map(|input| input.range).collect();
    let whole = |index: usize, x: f64| {
        let is_whole = kernel.dag.inputs[InputId(index as u32)].sort == Sort::Integer;
        if is_whole { x.floor().max(ranges[index].lo) } else { x }
    };
    let pick = |first: f64, rest: f64| -> Vec<f64> {
        let at = |(index, range): (usize, &Interval)| {
            let t = if index == 0 { first } else { rest };
            whole(index, (range.lo + (range.hi - range.lo) * t).clamp(range.lo, range.hi))
        };
        ranges.iter().enumerate().map(at).collect()
    };
    let parts = [(0.5, 0.0), (1.0, 0.0), (0.5, 0.5), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    for (first, rest) in parts {
        let inputs = pick(first, rest);
        let points: Vec<Interval> = inputs.iter().map(|x| Interval::point(*x)).collect();
        let enclosed = model.run(&kernel.dag, &points)[property.node.0 as usize];
        let is_wide = enclosed.relative_width().is_none_or(|width| width >= property.threshold);
        if is_wide && leads_there(kernel, property, &inputs) {
            let results = results(kernel, property.node, &inputs);
            let real = real(kernel, property.node, &inputs);
            return Some(Unstable { inputs, enclosed, results, real });
        }
    }
    None
}

/// Whether the machine's run on these inputs comes to the property.
fn leads_there(kernel: &Kernel, property: &Stable, inputs: &[f64]) -> bool {
    let last = property.decisions.iter().map(|d| d.test.left.max(d.test.right)).max();
    let Some(last) = last else { return true };
    let values =
        machine_in(&kernel.dag, &given(kernel, inputs), last, Rounding::NearestEven, Contraction::None);
    takes(&property.decisions, &values)
}

fn given(kernel: &Kernel, inputs: &[f64]) -> Vec<Given> {
    let one = |(input, x): (&crate::dag::Input, &f64)| {
        let format = match input.sort {
            Sort::Float(format) => format,
            Sort::Integer => clew_base::float::Format::F128,
        };
        Given::exact(Float::from_f64(*x).convert(format, Rounding::NearestEven).0, 256)
    };
    kernel.dag.inputs.iter().zip(inputs).map(one).collect()
}

fn results(kernel: &Kernel, node: NodeId, inputs: &[f64]) -> Vec<(&'static str, Float)> {
    let given = given(kernel, inputs);
    let modes = [
        ("to nearest", Rounding::NearestEven, Contraction::None),
        ("downwards", Rounding::Down, Contraction::None),
        ("upwards", Rounding::Up, Contraction::None),
        ("towards zero", Rounding::TowardZero, Contraction::None),
        ("fused", Rounding::NearestEven, Contraction::Fused),
    ];
    let run = |(name, rounding, contraction)| {
        (name, machine_in(&kernel.dag, &given, node, rounding, contraction)[node.0 as usize])
    };
    modes.into_iter().map(run).collect()
}

fn real(kernel: &Kernel, node: NodeId, inputs: &[f64]) -> f64 {
    let given = given(kernel, inputs);
    let Some(mut shadow) = Shadow::new(&kernel.dag, 512) else { return f64::NAN };
    shadow.run(&kernel.dag, &given, node).last().map_or(f64::NAN, to_f64)
}
