// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors that are reached: inputs are tried, and the best are improved.
//!
//! Every input is run on the machine and in the reals (`run`). Guidance comes cheap: corners, the box that the bound is
//! from, random numbers by value and by magnitude, then neighbours of the best. What is reported is run again with many
//! more digits first.

use astro_float_num::{BigFloat, RoundingMode};
use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;
use clew_base::source::Span;

use crate::dag::{Input, NodeId, Op, Sort};
use crate::interval::Interval;
use crate::kernel::{Kernel, Path};
use crate::push;
use crate::rounding::{exponent, power_of_two};
use crate::run::{Given, Shadow, big, big_double, machine, machine_path, real_path};

const NEAREST: Rounding = Rounding::NearestEven;
const EVEN: RoundingMode = RoundingMode::ToEven;
/// Bits of the shadow while searching, and for what is reported.
const QUICK: usize = 192;
const SURE: usize = 640;

/// One input and what both runs make of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The inputs of the machine.
    pub inputs: Vec<Float>,
    /// For inputs that are rounded or inexact, the reals behind them.
    pub reals: Vec<f64>,
    /// The machine's result.
    pub machine: Float,
    /// The real one, to the precision of a double.
    pub real: f64,
    /// Their distance.
    pub error: f64,
    /// Their distance over the real one's magnitude.
    pub relative: f64,
    given: Vec<Given>,
}

/// Inputs on which the two runs take different ways.
#[derive(Clone, Debug)]
pub struct Parting {
    /// The test that they answer differently.
    pub span: Span,
    /// What the machine answers.
    pub machine_says: bool,
    /// The inputs, and the results of both ways.
    pub sample: Sample,
}

/// What a search found for one output.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The greatest error where both runs take the same way.
    pub absolute: Option<Sample>,
    /// The greatest relative error there.
    pub relative: Option<Sample>,
    /// For each test, an input that it is unstable on.
    pub partings: Vec<Parting>,
    /// Inputs tried.
    pub tried: u64,
    /// The greatest magnitude of a real result.
    pub largest: f64,
}

impl Found {
    /// The input with the greatest relative error, or else the greatest error, as a box.
    pub fn reached_point(&self) -> Option<Vec<Interval>> {
        let sample = self.relative.as_ref().or(self.absolute.as_ref())?;
        Some(sample.reals.iter().map(|x| Interval::point(*x)).collect())
    }
}

/// Looks for large errors of one output. `worst` is a box to look at closely; relative errors count from `floor` on.
pub fn search(kernel: &Kernel, output: usize, worst: &[Interval], floor: f64, effort: u64) -> Found {
    let Some(shadow) = Shadow::new(&kernel.dag, QUICK) else { return Found::default() };
    let mut search = Search {
        kernel,
        output,
        shadow,
        random: fastrand::Rng::with_seed(24),
        found: Found::default(),
        until: last(kernel, output),
        floor,
    };
    let budget = effort / cost(kernel);
    search.run(worst, budget.clamp(24, 20_000));
    let mut found = search.found;
    // What is said must hold whatever the quick shadow rounded.
    found.absolute = found.absolute.and_then(|sample| again(kernel, output, &sample));
    found.relative = found.relative.and_then(|sample| again(kernel, output, &sample));
    found
}

/// The error along the first input, the others in the middle: pairs of the input and the greatest error near it.
pub fn profile(kernel: &Kernel, output: usize, points: usize) -> Vec<(f64, f64)> {
    let Some(shadow) = Shadow::new(&kernel.dag, QUICK) else { return Vec::new() };
    let Some(first) = kernel.dag.inputs.iter().next() else { return Vec::new() };
    let mut search = Search {
        kernel,
        output,
        shadow,
        random: fastrand::Rng::with_seed(24),
        found: Found::default(),
        until: last(kernel, output),
        floor: 0.0,
    };
    let near = (SPARE / (cost(kernel) * points as u64)).clamp(1, 8);
    let mut profile = Vec::new();
    let width = first.range.hi - first.range.lo;
    for point in 0..points {
        search.found = Found::default();
        for turn in 0..near {
            let part = (point as f64 + (turn as f64 + search.random.f64()) / near as f64) / points as f64;
            let mut at: Vec<f64> = kernel.dag.inputs.iter().map(|input| input.range.middle()).collect();
            at[0] = (first.range.lo + width * part).clamp(first.range.lo, first.range.hi);
            search.try_near(&at, 1.0);
        }
        let x = first.range.lo + width * (point as f64 + 0.5) / points as f64;
        profile.push((x, search.found.absolute.map_or(0.0, |sample| sample.error)));
    }
    profile
}

/// What a profile may cost, in additions of the shadow.
const SPARE: u64 = 40_000;

/// The last node that an output or a test needs.
fn last(kernel: &Kernel, output: usize) -> NodeId {
    let outputs = kernel.paths.iter().filter_map(|path| path.outputs.get(output)).map(|(_, node)| *node);
    let tests =
        kernel.paths.iter().flat_map(|path| &path.decisions).flat_map(|d| [d.test.left, d.test.right]);
    outputs.chain(tests).max().unwrap_or(NodeId(0))
}

/// What one run of the shadow costs, in additions.
fn cost(kernel: &Kernel) -> u64 {
    let of = |op: Op| match op {
        Op::Div(..) => 3,
        Op::Sqrt(_) => 60,
        Op::Unary(..) => 300,
        Op::Binary(..) => 600,
        _ => 1,
    };
    kernel.dag.nodes.iter().map(|node| of(node.op)).sum::<u64>().max(1)
}

struct Search<'k> {
    kernel: &'k Kernel,
    output: usize,
    shadow: Shadow,
    random: fastrand::Rng,
    found: Found,
    until: NodeId,
    floor: f64,
}

impl Search<'_> {
    fn run(&mut self, worst: &[Interval], budget: u64) {
        let whole: Vec<Interval> = self.kernel.dag.inputs.iter().map(|input| input.range).collect();
        for pick in 0..budget.min(3) {
            let points: Vec<f64> = whole.iter().map(|r| [r.lo, r.hi, r.middle()][pick as usize]).collect();
            self.try_near(&points, 0.0);
        }
        self.push(&whole);
        for turn in 0..budget {
            // A third each: anywhere, where the bound is from, around the best.
            match turn % 3 {
                0 => {
                    let points = self.anywhere(&whole);
                    self.try_near(&points, 1.0);
                }
                1 => {
                    let points = self.anywhere(worst);
                    self.try_near(&points, 1.0);
                }
                _ => self.climb(&whole, turn),
            }
            if self.kernel.dag.inputs.is_empty() {
                break;
            }
        }
        self.straddle(&whole, budget);
    }

    /// Inputs whose roundings add up, upwards and downwards.
    fn push(&mut self, whole: &[Interval]) {
        let path = self.kernel.paths.first().filter(|_| self.kernel.paths.len() == 1);
        let Some((_, root)) = path.and_then(|path| path.outputs.get(self.output)) else { return };
        for sign in [1.0, -1.0] {
            if let Some(points) = push::pushed(&self.kernel.dag, *root, whole, sign, &mut self.random) {
                self.try_near(&points, 0.0);
            }
        }
    }

    fn anywhere(&mut self, ranges: &[Interval]) -> Vec<f64> {
        let random = &mut self.random;
        let mut pick = |range: &Interval| {
            let t = random.f64();
            let wide = range.mag() > 1e3 && random.bool();
            if wide && range.mag() < f64::INFINITY {
                // By magnitude, of either sign: near the ends, about one, or anywhere.
                let (low, high) = [(range.mag() * 1e-18, range.mag()), (1e-20, 1e20), (1e-300, range.mag())]
                    [random.usize(0..3)];
                let lo = range.mig().max(low).min(range.mag()).ln();
                let hi = range.mag().min(high).ln().max(lo);
                let magnitude = (lo + (hi - lo) * t).exp();
                let signed = if random.bool() { magnitude } else { -magnitude };
                if range.contains(signed) { signed } else { (-signed).clamp(range.lo, range.hi) }
            } else {
                (range.lo + (range.hi - range.lo) * t).clamp(range.lo, range.hi)
            }
        };
        ranges.iter().map(&mut pick).collect()
    }

    /// Around the best so far, at a random scale.
    fn climb(&mut self, whole: &[Interval], turn: u64) {
        let best = if turn.is_multiple_of(2) { &self.found.absolute } else { &self.found.relative };
        let Some(best) = best else { return };
        let centre: Vec<f64> = best.inputs.iter().map(|x| x.to_f64()).collect();
        let scale = 2f64.powi(-(self.random.i32(1..52)));
        let random = &mut self.random;
        let moved = |(x, range): (&f64, &Interval)| {
            let width = (range.hi - range.lo).min(f64::MAX);
            let step = if random.bool() {
                (random.f64() - 0.5) * width * scale
            } else {
                (random.f64() - 0.5) * x.abs() * scale
            };
            (x + step).clamp(range.lo, range.hi)
        };
        let points: Vec<f64> = centre.iter().zip(whole).map(moved).collect();
        self.try_near(&points, 1.0);
    }

    fn try_near(&mut self, points: &[f64], spread: f64) {
        let inputs = &self.kernel.dag.inputs;
        let given: Vec<Given> =
            inputs.iter().zip(points).map(|(input, x)| given(input, *x, spread, &mut self.random)).collect();
        self.try_given(given);
    }

    fn try_given(&mut self, given: Vec<Given>) {
        self.found.tried += 1;
        let Some((sample, parting)) = run(self.kernel, self.output, self.until, given, &mut self.shadow)
        else {
            return;
        };
        if let Some((span, machine_says)) = parting {
            if !self.found.partings.iter().any(|parting| parting.span == span) {
                self.found.partings.push(Parting { span, machine_says, sample });
            }
            return;
        }
        self.found.largest = self.found.largest.max(sample.real.abs());
        if self.found.absolute.as_ref().is_none_or(|best| sample.error > best.error) {
            self.found.absolute = Some(sample.clone());
        }
        if sample.relative.is_finite()
            && sample.real.abs() >= self.floor
            && self.found.relative.as_ref().is_none_or(|best| sample.relative > best.relative)
        {
            self.found.relative = Some(sample);
        }
    }

    /// Goes to where tests change: between an input of either answer, halving, then neighbours.
    fn straddle(&mut self, whole: &[Interval], budget: u64) {
        let forks: Vec<_> =
            self.kernel.paths.iter().flat_map(|path| &path.decisions).map(|d| d.test).collect();
        let mut seen = Vec::new();
        for test in forks {
            let is_known = |parting: &Parting| parting.span == test.span;
            if seen.contains(&(test.left, test.right))
                || self.found.partings.iter().any(is_known)
                || seen.len() > 64
            {
                continue;
            }
            seen.push((test.left, test.right));
            for _ in 0..(budget / 100).clamp(2, 20) {
                let (a, b) = (self.anywhere(whole), self.anywhere(whole));
                self.between(test.left, test.right, a, b);
            }
        }
    }

    fn between(&mut self, left: NodeId, right: NodeId, mut a: Vec<f64>, mut b: Vec<f64>) {
        let (Some(at_a), Some(at_b)) = (self.sign(left, right, &a), self.sign(left, right, &b)) else {
            return;
        };
        if at_a == at_b {
            return;
        }
        for _ in 0..60 {
            let middle: Vec<f64> = a.iter().zip(&b).map(|(x, y)| 0.5 * x + 0.5 * y).collect();
            match self.sign(left, right, &middle) {
                Some(sign) if sign == at_a => a = middle,
                Some(_) => b = middle,
                None => return,
            }
        }
        for points in [&a, &b] {
            for _ in 0..8 {
                let near: Vec<f64> = points
                    .iter()
                    .map(|x| x + (self.random.f64() - 0.5) * 8.0 * x.abs() * f64::EPSILON)
                    .collect();
                self.try_near(points, 1.0);
                let inside =
                    near.iter().zip(self.kernel.dag.inputs.iter()).all(|(x, input)| input.range.contains(*x));
                if inside {
                    self.try_near(&near, 1.0);
                }
            }
        }
    }

    /// The machine's order of two nodes.
    fn sign(&mut self, left: NodeId, right: NodeId, points: &[f64]) -> Option<bool> {
        let inputs = &self.kernel.dag.inputs;
        let given: Vec<Given> =
            inputs.iter().zip(points).map(|(input, x)| given(input, *x, 0.0, &mut self.random)).collect();
        let values = machine(&self.kernel.dag, &given, left.max(right));
        let wide = |id: NodeId| values[id.0 as usize].convert(Format::F128, NEAREST).0;
        Some(wide(left).compare(wide(right))?.is_lt())
    }
}

/// Both runs on one input; with the test that they part at, if they do.
fn run(
    kernel: &Kernel,
    output: usize,
    until: NodeId,
    given: Vec<Given>,
    shadow: &mut Shadow,
) -> Option<(Sample, Option<(Span, bool)>)> {
    let values = machine(&kernel.dag, &given, until);
    let reals = shadow.run(&kernel.dag, &given, until);
    let (by_machine, by_real) = (machine_path(kernel, &values)?, real_path(kernel, &reals)?);
    let (_, machine_root) = by_machine.outputs.get(output)?;
    let (_, real_root) = by_real.outputs.get(output)?;
    let result = values[machine_root.0 as usize];
    let real = &reals[real_root.0 as usize];
    if !result.is_finite() || real.is_nan() || real.is_inf() {
        return None;
    }
    let precision = real.mantissa_max_bit_len().unwrap_or(SURE).max(128);
    let distance = big(result, precision).sub(real, precision, EVEN).abs();
    let relative = if real.is_zero() {
        if distance.is_zero() { 0.0 } else { f64::INFINITY }
    } else {
        to_f64(&distance.div(&real.abs(), 128, EVEN))
    };
    let sample = Sample {
        inputs: given.iter().map(|given| given.machine).collect(),
        reals: given.iter().map(|given| to_f64(&given.real)).collect(),
        machine: result,
        real: to_f64(real),
        error: to_f64(&distance),
        relative,
        given,
    };
    Some((sample, parting(by_machine, by_real)))
}

fn parting(machine: &Path, real: &Path) -> Option<(Span, bool)> {
    let parting = machine.decisions.iter().zip(&real.decisions).find(|(a, b)| a.taken != b.taken)?;
    Some((parting.0.test.span, parting.0.taken))
}

/// The inputs of a sample again, to many digits, in the same kernel or a rewritten one.
pub fn again(kernel: &Kernel, output: usize, sample: &Sample) -> Option<Sample> {
    let mut shadow = Shadow::new(&kernel.dag, SURE)?;
    let (sure, parting) = run(kernel, output, last(kernel, output), sample.given.clone(), &mut shadow)?;
    parting.is_none().then_some(sure)
}

/// An input near a number: a float of its format, and the real behind it.
fn given(input: &Input, x: f64, spread: f64, random: &mut fastrand::Rng) -> Given {
    match input.sort {
        Sort::Integer => {
            let whole = x.round().clamp(input.range.lo.ceil(), input.range.hi.floor());
            let machine = Float::from_int(Format::F128, whole as i128, IntType::signed(128), NEAREST).0;
            Given::exact(machine, QUICK)
        }
        Sort::Float(format) => {
            let mut machine = Float::from_f64(x).convert(format, NEAREST).0;
            if !input.range.contains(machine.to_f64()) {
                // Rounding may leave the range; the other direction does not, where there is a float at all.
                let inward = if machine.to_f64() > input.range.hi { Rounding::Down } else { Rounding::Up };
                machine = Float::from_f64(x).convert(format, inward).0;
            }
            let mut given = Given::exact(machine, SURE);
            if spread > 0.0 && (input.is_rounded || input.error > 0.0) {
                let value = machine.to_f64();
                let half = if value == 0.0 {
                    0.0
                } else {
                    power_of_two(exponent(value) - format.precision() as i32)
                };
                let at_power = value.abs() == power_of_two(exponent(value));
                // Below a power of two neighbours are nearer.
                let rounding =
                    if input.is_rounded { if at_power { 0.49 * half } else { 0.999 * half } } else { 0.0 };
                let t = [-1.0, 1.0, 2.0 * random.f64() - 1.0][random.usize(0..3)];
                let moved = big_double(t * (rounding + input.error), SURE);
                let real = given.real.add(&moved, SURE, EVEN);
                if input.range.contains(to_f64(&real)) {
                    given.real = real;
                }
            }
            given
        }
    }
}

/// The nearest double, or one next to it.
pub fn to_f64(value: &BigFloat) -> f64 {
    if value.is_zero() {
        return 0.0;
    }
    let Some((words, _, sign, exponent, _)) = value.as_raw_parts() else { return f64::NAN };
    // The mantissa is a fraction with its first bit set: the top word has the leading 64 bits.
    let Some(top) = words.last() else { return 0.0 };
    let magnitude = scale(*top as f64, exponent - 64);
    if sign.is_negative() { -magnitude } else { magnitude }
}

fn scale(x: f64, e: i32) -> f64 {
    let half = e / 2;
    let two = |e: i32| 2f64.powi(e.clamp(-1000, 1000));
    if e.abs() < 1900 {
        x * two(half) * two(e - half)
    } else if e > 0 {
        f64::INFINITY
    } else {
        0.0
    }
}
