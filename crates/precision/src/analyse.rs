// SPDX-License-Identifier: MIT OR Apache-2.0
//! The road of one function: walk, bound, search, and who is to blame.

use std::collections::BTreeSet;

use clew_base::source::Span;
use clew_ir::syntax::{FuncId, Program};
use rustc_hash::FxHashMap;

use crate::blame::{self, Cancellation, Share};
use crate::dag::{Input, NodeId, Op, Sort};
use crate::interval::Interval;
use crate::kernel::{Kernel, Stable};
use crate::options::Options;
use crate::ranges::Ranges;
use crate::rewrite::{self, Hint};
use crate::rounding::power_of_two;
use crate::sample::{self, Parting, Sample};
use crate::split::{self, Measure};
use crate::stable::{Judged, judge};
use crate::walk::{Limits, Refusal, Ways, walk};

/// What is known of a function.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Its results.
    pub outputs: Vec<Output>,
    /// Its tests of floats, by place.
    pub tests: Vec<Tested>,
    /// Paths through it, and operations on them.
    pub paths: usize,
    /// Operations on the paths together.
    pub operations: usize,
    /// The properties that it states.
    pub properties: Vec<Judged>,
    /// Case distinctions of the model, where there are properties.
    pub cases: u64,
    /// Whether ways were joined, so that runs of the expressions are none of the program's.
    pub is_joined: bool,
    /// Whether bounds rest on the table of libm's errors.
    pub uses_libm: bool,
}

/// A result.
#[derive(Clone, Debug)]
pub struct Output {
    /// `result`, or an element that is written.
    pub name: String,
    /// Float or integer.
    pub sort: Sort,
    /// The values it takes.
    pub range: Interval,
    /// Its error where both runs take the same way.
    pub absolute: f64,
    /// How close splitting came: the bound is at most this times what the model gives somewhere.
    pub gap: f64,
    /// Why there is no bound.
    pub obstacle: Option<Obstacle>,
    /// Its relative error where its magnitude is at least the floor.
    pub relative: f64,
    /// The floor of `relative`; 0 says that it holds everywhere.
    pub floor: f64,
    /// Its error in units in the last place.
    pub ulps: f64,
    /// Its error where the runs take different ways; 0 if they cannot.
    pub jump: f64,
    /// The greatest error that was found.
    pub reached: Option<Sample>,
    /// The greatest relative error that was found where the floor is reached.
    pub reached_relative: Option<Sample>,
    /// The greatest relative error that was found anywhere.
    pub worst_relative: Option<Sample>,
    /// Which places cause the bound.
    pub shares: Vec<Share>,
    /// Subtractions that bring earlier errors to light.
    pub cancellations: Vec<Cancellation>,
    /// Boxes that were looked at.
    pub boxes: u64,
    /// Rewrites that make it better.
    pub hints: Vec<Hint>,
    /// The error along the first input.
    pub profile: Vec<(f64, f64)>,
}

/// What stands in the way of a bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Obstacle {
    /// For a person.
    pub why: String,
    /// Where.
    pub span: Span,
}

/// What is known of a test.
#[derive(Clone, Debug)]
pub struct Tested {
    /// Where.
    pub span: Span,
    /// Its verdict.
    pub verdict: Stability,
}

/// Whether the machine and the reals can answer a test differently.
#[derive(Clone, Debug)]
pub enum Stability {
    /// They cannot.
    Stable,
    /// They do, on these inputs.
    Unstable(Box<Parting>),
    /// They do, whatever the inputs are.
    Always,
    /// Nobody knows.
    Unknown,
}

/// Operations that one bound may cost, and one search in additions of the shadow.
const EFFORT: u64 = 4_000_000;
const SEARCH: u64 = 60_000;

/// Bounds the errors of a function and looks for inputs that come close.
pub fn analyse(program: &Program, function: FuncId, options: &Options) -> Result<Answer, Refusal> {
    let kernel = kernel_or_joined(program, function, options)?;
    let mut answer = answer(&kernel, options);
    if !kernel.stable.is_empty() || options.stable.is_some() {
        // The model rounds every operation, those on known numbers too.
        let plain = Options { keeps_operations: true, ..options.clone() };
        let mut kernel = kernel_or_joined(program, function, &plain)?;
        if let Some(threshold) = options.stable {
            let span = program.functions[function].span;
            let of_path = |path: &crate::kernel::Path| {
                let decisions = path.decisions.clone();
                let one = move |node: NodeId| Stable {
                    node,
                    threshold,
                    span,
                    obligation: None,
                    decisions: decisions.clone(),
                };
                path.outputs.iter().map(|(_, node)| one(*node)).collect::<Vec<_>>()
            };
            let asked: Vec<Stable> = kernel.paths.iter().flat_map(of_path).collect();
            kernel.stable.extend(asked);
        }
        answer.properties = judge(&kernel, &options.model);
        answer.cases = options.model.cases(&kernel);
    }
    Ok(answer)
}

/// The inputs of a function, and what the interval-real model says of the properties that it states.
pub fn properties(
    program: &Program,
    function: FuncId,
    options: &Options,
) -> Result<(Vec<Input>, Vec<Judged>), Refusal> {
    // The model rounds every operation, those on known numbers too.
    let options = Options { keeps_operations: true, ..options.clone() };
    let kernel = kernel_or_joined(program, function, &options)?;
    Ok((kernel.dag.inputs.iter().cloned().collect(), judge(&kernel, &options.model)))
}

/// The paths of a function, with the ranges that the program itself gives its inputs.
pub fn kernel_of(program: &Program, function: FuncId, options: &Options) -> Result<Kernel, Refusal> {
    kernel_by(program, function, options, Ways::Apart)
}

/// The paths of a function; or, where they are too many or too long, of what joined ways leave.
fn kernel_or_joined(program: &Program, function: FuncId, options: &Options) -> Result<Kernel, Refusal> {
    match kernel_of(program, function, options) {
        // What stands in the way then is nearer to the truth, too.
        Err(refusal) if refusal.is_limit && options.joins => {
            kernel_by(program, function, options, Ways::Joined)
        }
        kernel => kernel,
    }
}

fn kernel_by(program: &Program, function: FuncId, options: &Options, ways: Ways) -> Result<Kernel, Refusal> {
    if program.semantics.fast_math {
        let why = "-ffast-math lets the compiler compute something else".to_owned();
        return Err(Refusal { why, span: program.functions[function].span, is_limit: false });
    }
    // Affine forms go along where ways are joined: each step costs more.
    let limits = match ways {
        Ways::Apart => Limits::default(),
        Ways::Joined => Limits { steps: 600_000, nodes: 200_000, ..Limits::default() },
    };
    let mut known = FxHashMap::default();
    let mut kernel = walk(program, function, options, limits, &known, ways)?;
    // Each turn may decide tests that the one before could not.
    for _ in 0..4 {
        let narrowed = narrowed(&kernel);
        if narrowed.iter().all(|(name, range)| known.get(name) == Some(range)) {
            break;
        }
        known = narrowed;
        kernel = walk(program, function, options, limits, &known, ways)?;
    }
    keep_common_outputs(&mut kernel);
    if kernel.paths.is_empty() {
        let why =
            "no run comes to its end: the assumptions contradict each other, or it never returns".to_owned();
        return Err(Refusal { why, span: program.functions[function].span, is_limit: false });
    }
    Ok(kernel)
}

/// What all paths demand of single inputs: `x >= 0` on every path that returns narrows x.
fn narrowed(kernel: &Kernel) -> FxHashMap<String, Interval> {
    let dag = &kernel.dag;
    let mut narrowed = FxHashMap::default();
    let whole: Vec<Interval> = dag.inputs.iter().map(|input| input.range).collect();
    let ranges = Ranges::over(dag, &whole);
    for (id, input) in dag.inputs.iter_enumerated().filter(|(_, input)| !input.is_joined) {
        let mut union: Option<Interval> = None;
        // The range is that of the real number, which must take one of the paths that return.
        for path in kernel.paths.iter().filter(|path| path.runs.real) {
            let mut range = input.range;
            for half in path.decisions.iter().filter_map(|decision| decision.half(dag, &ranges, id)) {
                range = range.meet(half).unwrap_or(range);
            }
            union = Some(union.map_or(range, |union| union.hull(range)));
        }
        if let Some(union) = union
            && (union != input.range || kernel.narrowed.contains_key(&input.name))
        {
            narrowed.insert(input.name.clone(), union);
        }
    }
    narrowed
}

/// Outputs that some path does not write are left out.
fn keep_common_outputs(kernel: &mut Kernel) {
    let Some(first) = kernel.paths.first() else { return };
    let has = |path: &crate::kernel::Path, name: &str| path.outputs.iter().any(|(known, _)| known == name);
    let names: Vec<String> = first
        .outputs
        .iter()
        .map(|(name, _)| name.clone())
        .filter(|name| kernel.paths.iter().all(|path| has(path, name)))
        .collect();
    for path in &mut kernel.paths {
        path.outputs.retain(|(name, _)| names.contains(name));
    }
}

fn answer(kernel: &Kernel, options: &Options) -> Answer {
    let mut outputs = Vec::new();
    let mut partings: Vec<Parting> = Vec::new();
    let count = kernel.paths.first().map_or(0, |path| path.outputs.len());
    let effort = if options.effort == 0 { EFFORT } else { options.effort };
    // Numbers that stand for several ways are no inputs that a run could be given.
    let is_joined = kernel.is_joined();
    let options = &Options { no_search: options.no_search || is_joined, ..options.clone() };
    let mut is_stable = true;
    for index in 0..count {
        let (output, found) = output(kernel, index, effort, options);
        is_stable &= output.jump == 0.0;
        for parting in found {
            if !partings.iter().any(|known| known.span == parting.span) {
                partings.push(parting);
            }
        }
        outputs.push(output);
    }
    Answer {
        inputs: kernel.dag.inputs.iter().filter(|input| !input.is_joined).cloned().collect(),
        is_joined,
        tests: tests(kernel, partings, is_stable && count > 0),
        properties: Vec::new(),
        cases: 0,
        paths: kernel.paths.len(),
        operations: kernel.dag.len(),
        uses_libm: kernel.dag.nodes.iter().any(|node| matches!(node.op, Op::Unary(..) | Op::Binary(..))),
        outputs,
    }
}

fn output(kernel: &Kernel, index: usize, effort: u64, options: &Options) -> (Output, Vec<Parting>) {
    let absolute = split::bound(kernel, index, Measure::Absolute, effort);
    let whole: Vec<Interval> = kernel.dag.inputs.iter().map(|input| input.range).collect();
    let ranges = Ranges::over(&kernel.dag, &whole);
    let roots: Vec<NodeId> =
        kernel.paths.iter().filter_map(|path| path.outputs.get(index)).map(|(_, n)| *n).collect();
    let mut related = Ranges::default();
    related.use_forms(&kernel.dag);
    related.again(&kernel.dag, &whole);
    let value = |root: &NodeId| ranges.value(*root).meet(related.value(*root)).unwrap_or(ranges.value(*root));
    let range = roots.iter().map(value).reduce(Interval::hull).unwrap_or(Interval::ZERO);
    // Nothing is looked for where there is nothing to find.
    let is_exact = options.no_search || (absolute.bound == 0.0 && kernel.paths.len() == 1);
    let look = |floor: f64| match is_exact {
        true => sample::Found::default(),
        false => sample::search(kernel, index, &absolute.worst, floor, SEARCH),
    };
    let found = look(0.0);
    let (relative, floor) = match options.absolute_only {
        true => (f64::INFINITY, 0.0),
        false => {
            relative(kernel, index, effort, &absolute, if is_exact { range.mag() } else { found.largest })
        }
    };
    let above = if floor > 0.0 { look(floor).relative } else { found.relative.clone() };
    let ulps = match options.absolute_only {
        true => f64::INFINITY,
        false => split::bound(kernel, index, Measure::Ulps, effort / 4).bound,
    };
    let forks = kernel.paths.len() > 1;
    let jump = if forks { split::bound(kernel, index, Measure::Jump, effort / 2).bound } else { 0.0 };
    let obstacle = if absolute.bound.is_finite() { None } else { obstacle(kernel, index, &absolute.worst) };
    let worst = found.reached_point().unwrap_or_else(|| absolute.worst.clone());
    let root = roots.first().copied().unwrap_or(NodeId(0));
    let reached = found.relative.as_ref().map_or(0.0, |sample| sample.relative);
    let hints = match kernel.dag.len() < 500 && reached > 1e-15 {
        true if !kernel.is_joined() => rewrite::hints(kernel, index, &absolute.worst, SEARCH / 8),
        _ => Vec::new(),
    };
    let has_profile = options.profiles > 0
        && !kernel.is_joined()
        && kernel.dag.inputs.iter().next().is_some_and(|x| {
            let width = x.range.hi - x.range.lo;
            width > 0.0 && width.is_finite()
        });
    let profile = if has_profile { sample::profile(kernel, index, options.profiles) } else { Vec::new() };
    let output = Output {
        hints,
        profile,
        name: kernel
            .paths
            .first()
            .and_then(|p| p.outputs.get(index))
            .map_or_else(String::new, |(n, _)| n.clone()),
        sort: kernel.dag.nodes[root].sort,
        range,
        absolute: absolute.bound,
        gap: if absolute.model > 0.0 { absolute.bound / absolute.model } else { 1.0 },
        obstacle,
        relative,
        floor,
        // A relative error in units of rounding is at least that in ulps.
        ulps: if floor == 0.0 { ulps.min(ulps_of(relative, kernel.dag.nodes[root].sort)) } else { ulps },
        jump,
        shares: blame::shares(kernel, index, &absolute.worst),
        cancellations: blame::cancellations(kernel, index, &worst),
        reached: found.absolute,
        reached_relative: above,
        worst_relative: found.relative,
        boxes: absolute.boxes,
    };
    (output, found.partings)
}

/// The relative error and the floor it holds from: zero if it can be had, else where numbers are normal, else a part of
/// the greatest result.
fn relative(kernel: &Kernel, index: usize, effort: u64, absolute: &split::Bounded, most: f64) -> (f64, f64) {
    let root =
        kernel.paths.first().and_then(|path| path.outputs.get(index)).map_or(NodeId(0), |(_, node)| *node);
    let Sort::Float(format) = kernel.dag.nodes[root].sort else { return (f64::INFINITY, 0.0) };
    let normal = 4.0 * power_of_two(format.min_exponent());
    let mut floors = vec![0.0, normal];
    if most.is_finite() && most > 0.0 {
        floors.push(power_of_two(crate::rounding::exponent(most) - 10));
    }
    for floor in floors {
        let bounded = split::bound(kernel, index, Measure::Relative { floor }, effort / 2);
        // With a floor there is always some bound; one of 1 says nothing.
        if bounded.bound < 1.0 {
            return (bounded.bound, floor);
        }
        if absolute.bound.is_infinite() {
            break;
        }
    }
    (f64::INFINITY, 0.0)
}

fn ulps_of(relative: f64, sort: Sort) -> f64 {
    match sort {
        Sort::Float(format) => crate::interval::div_up(relative, crate::rounding::unit_roundoff(format)),
        Sort::Integer => f64::INFINITY,
    }
}

/// The first operation of a worst box whose result may be anything.
fn obstacle(kernel: &Kernel, output: usize, worst: &[Interval]) -> Option<Obstacle> {
    let ranges = Ranges::over(&kernel.dag, worst);
    let roots: BTreeSet<NodeId> =
        kernel.paths.iter().filter_map(|path| path.outputs.get(output)).map(|(_, node)| *node).collect();
    let last = roots.last()?;
    let is_lost = |id: &NodeId| ranges.get(*id).error.is_infinite() || !ranges.value(*id).is_finite();
    let first = (0..=last.0).map(NodeId).find(is_lost)?;
    let node = &kernel.dag.nodes[first];
    let operand = node.op.operands().last().map(|operand| ranges.value(operand));
    let why = match (node.op, operand) {
        (Op::Input(input), _) => format!("nothing is known of `{}`", kernel.dag.inputs[input].name),
        (Op::Div(..), Some(y)) if y.contains(0.0) => "the divisor may be zero".to_owned(),
        (Op::Div(..), Some(y)) if y.mig() < 1e-290 => "the divisor may be zero or tiny".to_owned(),
        (Op::Sqrt(_), Some(x)) if x.lo < 0.0 => "a square root of what may be negative".to_owned(),
        (Op::Unary(function, _), Some(x)) if function.range(x).is_none() => {
            format!("`{}` may be called outside of where it is defined", function.name())
        }
        (Op::Binary(function, ..), _) => {
            format!("`{}` may be called outside of where it is defined", function.name())
        }
        _ => "the result may overflow".to_owned(),
    };
    let ungiven: Vec<&str> =
        kernel.dag.inputs.iter().filter(|input| !input.is_given).map(|input| input.name.as_str()).collect();
    let hint = if ungiven.is_empty() {
        String::new()
    } else {
        format!("; --range would help for {}", ungiven.join(", "))
    };
    Some(Obstacle { why: why + &hint, span: node.span })
}

fn tests(kernel: &Kernel, partings: Vec<Parting>, is_stable: bool) -> Vec<Tested> {
    let mut spans: BTreeSet<Span> = kernel.settled.clone();
    let forked: BTreeSet<Span> =
        kernel.paths.iter().flat_map(|p| &p.decisions).map(|d| d.test.span).collect();
    spans.extend(&forked);
    spans.extend(&kernel.unsettled);
    let verdict = |span: &Span| {
        if let Some(parting) = partings.iter().find(|parting| parting.span == *span) {
            return Stability::Unstable(Box::new(parting.clone()));
        }
        match () {
            () if kernel.unsettled.contains(span) => Stability::Unknown,
            () if kernel.parted.contains(span) => Stability::Always,
            () if !forked.contains(span) || is_stable => Stability::Stable,
            () => Stability::Unknown,
        }
    };
    spans.iter().map(|span| Tested { span: *span, verdict: verdict(span) }).collect()
}
