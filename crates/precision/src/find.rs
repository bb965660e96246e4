// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs on which a whole function is wrong: large relative errors, found without ranges.
//!
//! Guides run first (`shadow`): many inputs of all magnitudes, each with the error that condition numbers make one
//! expect. Where the result, or a sum inside, changes its sign between two inputs, bisection finds the floats at which it
//! cancels: there the condition number of that sum is greatest. What promises most is run with a shadow. An error is reported
//! only if it is as large both on the machine's way and on the way of the reals, in 640 bits; the cause is the operation
//! on the way to the result at which the error grew most.

use clew_base::float::{Float, Format};
use clew_base::source::Span;
use clew_ir::syntax::{FuncId, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interval::Interval;
use crate::options::Options;
use crate::rounding::power_of_two;
use crate::sample::to_f64;
use crate::shadow::{Ended, Given, Literals, Made, Mode, NEAREST, relative_error, run};

/// Bits of a shadow while searching, and for what is reported.
const QUICK: usize = 192;
const SURE: usize = 640;
/// Steps of one run, and of all runs of a search.
const RUN: u64 = 200_000;
const SEARCH: u64 = 5_000_000;
/// A step of a shadow in steps of a guide.
const SHADOW: u64 = 12;
/// How often a sum is bisected, between other inputs each time.
const ROUNDS: usize = 7;
/// Errors from here on are as large as they matter.
const ENOUGH: f64 = 0.3;

/// An input and how wrong the result is.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The inputs by name.
    pub inputs: Vec<(String, Float)>,
    /// The machine's result.
    pub machine: Float,
    /// The real one.
    pub real: f64,
    /// The lesser of the relative errors on the machine's way and on that of the reals.
    pub relative: f64,
    /// Where the error grew most, and from what to what.
    pub cause: Option<Cause>,
    /// The first test that the machine and the reals answer differently.
    pub parted: Option<Span>,
}

/// The operation at which an error grew most.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    /// Where.
    pub span: Span,
    /// The greatest relative error of its operands.
    pub before: f64,
    /// That of its result.
    pub after: f64,
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The greatest relative error.
    pub worst: Option<Wrong>,
    /// Runs that were made, and those that came to a result.
    pub runs: u64,
    /// Those that came to a result.
    pub ended: u64,
    /// Why runs had no result, for the most frequent reason.
    pub without: Option<String>,
}

/// A parameter.
enum Parameter {
    Float(Format, Option<Interval>),
    Int(i128, i128),
    Object(clew_ir::syntax::TypeId),
}

/// Looks for an input with a large relative error.
pub fn find(program: &Program, function: FuncId, options: &Options) -> Result<Found, String> {
    let mut search = Search {
        program,
        function,
        names: Vec::new(),
        parameters: Vec::new(),
        literals: Literals::default(),
        random: fastrand::Rng::with_seed(24),
        left: SEARCH,
        found: Found::default(),
        reasons: FxHashMap::default(),
        tried: FxHashSet::default(),
    };
    search.parameters(options)?;
    search.run();
    let most = search.reasons.iter().max_by_key(|(_, count)| **count);
    search.found.without = most.map(|(why, _)| why.clone());
    Ok(search.found)
}

/// One input: a number for each parameter that is one.
type Point = Vec<f64>;

/// What a guide says of an input.
struct Guided {
    point: Point,
    value: f64,
    expected: f64,
    sites: FxHashMap<u64, f64>,
}

struct Search<'p> {
    program: &'p Program,
    function: FuncId,
    names: Vec<String>,
    parameters: Vec<Parameter>,
    literals: Literals,
    random: fastrand::Rng,
    left: u64,
    found: Found,
    reasons: FxHashMap<String, u64>,
    tried: FxHashSet<Vec<u64>>,
}

impl Search<'_> {
    fn parameters(&mut self, options: &Options) -> Result<(), String> {
        let body = self.program.functions[self.function].body.as_ref().ok_or("it has no body")?;
        let types = self.program.types();
        for (index, local) in body.locals.iter().take(body.parameters as usize).enumerate() {
            let name = local.name.as_deref().map_or_else(|| format!("argument{}", index + 1), str::to_owned);
            let range = options.range_of(&name);
            let parameter = match types.get(local.ty) {
                Type::Float(format) => Parameter::Float(*format, range),
                Type::Int { .. } | Type::Bool => {
                    let ty = types.int_type(local.ty).ok_or("an integer of no type")?;
                    let range = range.unwrap_or(Interval::new(0.0, 20.0));
                    let (low, high) = (range.lo as i128, range.hi as i128);
                    Parameter::Int(low.max(ty.min()), high.min(ty.max()))
                }
                Type::Pointer(pointee) => Parameter::Object(*pointee),
                _ => return Err(format!("the parameter `{name}` is neither a number nor a pointer")),
            };
            self.names.push(name);
            self.parameters.push(parameter);
        }
        match self.parameters.iter().any(|parameter| matches!(parameter, Parameter::Float(..))) {
            true => Ok(()),
            false => Err("no parameter is a float".to_owned()),
        }
    }

    fn run(&mut self) {
        let count = if self.floats().len() == 1 { 300 } else { 200 };
        let mut guided: Vec<Guided> = Vec::new();
        for _ in 0..count {
            let point = self.draw();
            guided.extend(self.guide(&point));
            if self.left < SEARCH / 2 {
                break;
            }
        }
        self.judge_best(&guided, 8);
        let pairs = self.neighbours(&mut guided);
        // The result itself first, then the sums inside, each once before any twice.
        for round in 0..ROUNDS {
            for site in self.brackets(&guided, &pairs, round) {
                if self.left == 0 || self.is_enough() {
                    return self.confirm();
                }
                let crossing = self.bisect(&guided, site);
                self.judge_best(&crossing, 3);
            }
        }
        self.judge_best(&guided, 24);
        self.climb();
        self.confirm();
    }

    fn is_enough(&self) -> bool {
        self.found.worst.as_ref().is_some_and(|worst| worst.relative >= ENOUGH)
    }

    fn floats(&self) -> Vec<usize> {
        let is_float = |index: &usize| matches!(self.parameters[*index], Parameter::Float(..));
        (0..self.parameters.len()).filter(is_float).collect()
    }

    /// A random input: of all magnitudes, but most often of those that people use.
    fn draw(&mut self) -> Point {
        let mut point = Point::new();
        for parameter in &self.parameters {
            let random = &mut self.random;
            point.push(match parameter {
                Parameter::Float(format, Some(range)) => {
                    let x = range.lo + (range.hi - range.lo) * random.f64();
                    round_to(x.clamp(range.lo, range.hi), *format)
                }
                Parameter::Float(format, None) => {
                    let sign = if random.bool() { 1.0 } else { -1.0 };
                    let x = match random.u8(0..10) {
                        0..5 => 20.0 * random.f64(),
                        5..7 => 200.0 * random.f64(),
                        7..9 => 10f64.powf(-10.0 + 16.0 * random.f64()),
                        _ => {
                            let (low, high) = (format.min_exponent(), -format.min_exponent());
                            power_of_two(random.i32(low..high)) * (1.0 + random.f64())
                        }
                    };
                    round_to(sign * x, *format)
                }
                Parameter::Int(low, high) => random.i128(*low..=*high.max(low)) as f64,
                Parameter::Object(_) => 0.0,
            });
        }
        point
    }

    fn arguments(&self, point: &[f64]) -> Vec<Given> {
        let one = |(parameter, x): (&Parameter, &f64)| match parameter {
            Parameter::Float(format, _) => Given::Float(Float::from_f64(*x).convert(*format, NEAREST).0),
            Parameter::Int(..) => Given::Int(*x as i128),
            Parameter::Object(ty) => Given::Object(*ty),
        };
        self.parameters.iter().zip(point).map(one).collect()
    }

    fn run_on(&mut self, point: &[f64], mode: Mode) -> Option<Ended> {
        let arguments = self.arguments(point);
        let weight = if mode == Mode::Guide { 1 } else { SHADOW };
        let ended = run(self.program, self.function, &arguments, mode, &mut self.literals, RUN);
        let steps = match &ended {
            Ok(ended) => ended.steps,
            Err((_, steps)) => *steps,
        };
        self.left = self.left.saturating_sub((steps + 20) * weight);
        self.found.runs += 1;
        match ended {
            Ok(ended) => {
                self.found.ended += 1;
                Some(ended)
            }
            Err((why, _)) => {
                *self.reasons.entry(why.0).or_insert(0) += 1;
                None
            }
        }
    }

    fn guide(&mut self, point: &[f64]) -> Option<Guided> {
        let ended = self.run_on(point, Mode::Guide)?;
        let value = ended.value.machine.to_f64();
        let expected = ended.value.expected;
        value.is_finite().then(|| Guided { point: point.to_vec(), value, expected, sites: ended.sites })
    }

    /// Pairs of inputs that differ in one number, by their places in the list; those of usual magnitudes first.
    fn neighbours(&mut self, guided: &mut Vec<Guided>) -> Vec<(usize, usize)> {
        let mut pairs = self.pairs(guided);
        let floats = self.floats();
        let greatest = |(_, right): &(usize, usize), left: usize| {
            let at = |index: usize| floats.iter().map(move |float| (index, *float));
            let all = at(left).chain(at(*right));
            all.map(|(index, float)| guided[index].point[float].abs()).fold(f64::MIN_POSITIVE, f64::max)
        };
        let unusual = |pair: &(usize, usize)| (greatest(pair, pair.0).log2() - 2.0).abs();
        pairs.sort_by(|a, b| unusual(a).total_cmp(&unusual(b)));
        pairs
    }

    fn pairs(&mut self, guided: &mut Vec<Guided>) -> Vec<(usize, usize)> {
        let floats = self.floats();
        if let [only] = floats[..] {
            guided.sort_by(|a, b| a.point[only].total_cmp(&b.point[only]));
            return (1..guided.len()).map(|index| (index - 1, index)).collect();
        }
        let mut pairs = Vec::new();
        for index in 0..guided.len().min(120) {
            let mut point = guided[index].point.clone();
            let moved = floats[self.random.usize(..floats.len())];
            point[moved] = self.draw()[moved];
            if let Some(other) = self.guide(&point) {
                pairs.push((index, guided.len()));
                guided.push(other);
            }
        }
        pairs
    }

    /// Where a sum changes its sign between neighbours, or a whole number its value: one such pair of each in each round,
    /// first those of usual magnitudes, then some of all. The result is site `None`.
    fn brackets(&self, guided: &[Guided], pairs: &[(usize, usize)], round: usize) -> Vec<Bracket> {
        let mut all: FxHashMap<Option<u64>, Vec<Bracket>> = FxHashMap::default();
        for (left, right) in pairs {
            let (a, b) = (&guided[*left], &guided[*right]);
            let mut take = |site: Option<u64>, x: f64, y: f64| {
                if let Some(between) = between(x, y) {
                    all.entry(site).or_default().push(Bracket { left: *left, right: *right, site, between });
                }
            };
            take(None, a.value, b.value);
            for (site, value) in &a.sites {
                b.sites.get(site).into_iter().for_each(|other| take(Some(*site), *value, *other));
            }
        }
        let one = |brackets: &Vec<Bracket>| {
            let count = brackets.len();
            let at = if round < 3 { round } else { (count - 1) * (round - 2) / (ROUNDS - 3) };
            brackets.get(at).copied().filter(|_| round < 3 || at >= 3)
        };
        let mut brackets: Vec<Bracket> = all.values().filter_map(one).collect();
        brackets.sort_by_key(|bracket| (bracket.site, bracket.left));
        brackets
    }

    /// The floats at which a sum changes its sign, and their neighbours.
    fn bisect(&mut self, guided: &[Guided], bracket: Bracket) -> Vec<Guided> {
        let (a, b) = (&guided[bracket.left], &guided[bracket.right]);
        let Some(moved) = self.floats().into_iter().find(|index| a.point[*index] != b.point[*index]) else {
            return Vec::new();
        };
        let Parameter::Float(format, _) = self.parameters[moved] else { return Vec::new() };
        let value_of = |guided: &Guided| match bracket.site {
            None => Some(guided.value),
            Some(site) => guided.sites.get(&site).copied(),
        };
        let (mut low, mut high) = (ordered(a.point[moved]), ordered(b.point[moved]));
        let Some(start) = value_of(a) else { return Vec::new() };
        let between = bracket.between;
        let mut point = a.point.clone();
        let unit = step_of(format);
        while high.abs_diff(low) > unit as u64 && self.left > 0 {
            let middle = low.midpoint(high);
            point[moved] = round_to(from_ordered(middle), format);
            let value = self.guide(&point).as_ref().and_then(value_of);
            match value {
                Some(value) if (value < between) == (start < between) => low = middle,
                Some(_) => high = middle,
                None => return Vec::new(),
            }
        }
        let mut near = Vec::new();
        for offset in [0, 1, -1, 2, 5, -5] {
            point[moved] = round_to(from_ordered(low + offset * unit), format);
            near.extend(self.guide(&point));
        }
        near
    }

    /// Runs the most promising inputs with a shadow.
    fn judge_best(&mut self, guided: &[Guided], count: usize) {
        let mut order: Vec<&Guided> = guided.iter().collect();
        order.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        let mut done = 0;
        for one in order {
            if done >= count || self.left == 0 {
                return;
            }
            if self.tried.insert(one.point.iter().map(|x| x.to_bits()).collect()) {
                self.judge(&one.point);
                done += 1;
            }
        }
    }

    /// Neighbours of the worst input so far.
    fn climb(&mut self) {
        for turn in 0..12 {
            let Some(worst) = &self.found.worst else { return };
            if worst.relative >= ENOUGH || self.left == 0 {
                return;
            }
            let mut point: Point = worst.inputs.iter().map(|(_, x)| x.to_f64()).collect();
            let floats = self.floats();
            let moved = floats[turn % floats.len()];
            let Parameter::Float(format, _) = self.parameters[moved] else { return };
            let by = self.random.i64(-40..=40) * step_of(format);
            point[moved] = round_to(from_ordered(ordered(point[moved]) + by), format);
            self.judge(&point);
        }
    }

    fn judge(&mut self, point: &[f64]) {
        let Some(wrong) = self.wrong(point, QUICK) else { return };
        if self.found.worst.as_ref().is_none_or(|worst| wrong.relative > worst.relative) {
            self.found.worst = Some(wrong);
        }
    }

    /// What is said must hold whatever the quick shadow rounded.
    fn confirm(&mut self) {
        let Some(worst) = &self.found.worst else { return };
        let point: Point = worst.inputs.iter().map(|(_, x)| x.to_f64()).collect();
        self.found.worst = self.wrong(&point, SURE);
    }

    /// How wrong the result is, on both ways.
    fn wrong(&mut self, point: &[f64], bits: usize) -> Option<Wrong> {
        if !self.is_inside(point) {
            return None;
        }
        let along = self.run_on(point, Mode::Machine(bits))?;
        let machine = along.value.machine;
        let real = along.value.real.as_ref()?;
        let relative = relative_error(machine, real);
        // Below the normal numbers a relative error says nothing.
        let least = power_of_two(machine.format().min_exponent());
        if !relative.is_finite() || to_f64(real).abs() < least {
            return None;
        }
        let mut wrong = Wrong {
            inputs: Vec::new(),
            machine,
            real: to_f64(real),
            relative,
            cause: cause(&along.trace, along.value.made),
            parted: along.parted,
        };
        if along.parted.is_some() {
            let apart = self.run_on(point, Mode::Real(bits))?;
            let real = apart.value.real.as_ref()?;
            let other = relative_error(machine, real);
            if !other.is_finite() || to_f64(real).abs() < least {
                return None;
            }
            if other < relative {
                (wrong.relative, wrong.real) = (other, to_f64(real));
            }
        }
        for (index, given) in self.arguments(point).iter().enumerate() {
            let value = match given {
                Given::Float(x) => *x,
                Given::Int(_) | Given::Object(_) => Float::from_f64(point[index]),
            };
            wrong.inputs.push((self.names[index].clone(), value));
        }
        Some(wrong)
    }

    fn is_inside(&self, point: &[f64]) -> bool {
        self.parameters.iter().zip(point).all(|(parameter, x)| match parameter {
            Parameter::Float(_, Some(range)) => range.contains(*x),
            Parameter::Float(_, None) => x.is_finite(),
            Parameter::Int(..) | Parameter::Object(_) => true,
        })
    }
}

/// A sum that changes its sign between two inputs of a list.
#[derive(Clone, Copy)]
struct Bracket {
    left: usize,
    right: usize,
    site: Option<u64>,
    /// What lies between its values there.
    between: f64,
}

/// Where to bisect between two values: at zero, or between different whole numbers.
fn between(x: f64, y: f64) -> Option<f64> {
    let is_whole = |x: f64| x.fract() == 0.0 && x.abs() < 1e15;
    match () {
        () if x != 0.0 && y != 0.0 && (x < 0.0) != (y < 0.0) => Some(0.0),
        () if is_whole(x) && is_whole(y) && x != y => Some(x.max(y) - 0.5),
        () => None,
    }
}

/// From the result backwards along the most wrong operand: the operation at which the error grew most.
fn cause(trace: &[Made], result: u32) -> Option<Cause> {
    let error = |made: u32| match made {
        0 => 0.0,
        made => trace[made as usize - 1].relative,
    };
    let mut at = result;
    let mut worst: Option<(f64, Cause)> = None;
    while at != 0 {
        let made = &trace[at as usize - 1];
        let from = made.operands.into_iter().max_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(0);
        let (before, after) = (error(from), made.relative);
        let growth = after / before.max(1e-17);
        if growth.is_finite() && worst.is_none_or(|(most, _)| growth > most) {
            worst = Some((growth, Cause { span: made.span, before, after }));
        }
        at = from;
    }
    worst.map(|(_, cause)| cause)
}

fn round_to(x: f64, format: Format) -> f64 {
    Float::from_f64(x).convert(format, NEAREST).0.to_f64()
}

/// How far apart floats of a format are in the order of doubles.
fn step_of(format: Format) -> i64 {
    match format {
        Format::F32 => 1 << 29,
        Format::F16 => 1 << 42,
        _ => 1,
    }
}

/// Doubles as integers in the same order.
fn ordered(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn from_ordered(order: i64) -> f64 {
    f64::from_bits(if order < 0 { i64::MIN.wrapping_sub(order) } else { order } as u64)
}
