// SPDX-License-Identifier: MIT OR Apache-2.0
//! The forward pass over a box of inputs: what values nodes take, how far each operation rounds, and its slopes.
//!
//! A node's range holds its value in the real run, in the machine's run, and in every run between, in which each
//! operation has a part of its rounding error: that is what the mean value theorem asks for in `bound`. The error of
//! an operation is that of the machine's operation on the machine's operands, which lie in their ranges.

use clew_base::float::Format;

use crate::affine::{Form, Symbols};
use crate::dag::{Dag, Node, NodeId, Op, Sort};
use crate::interval::{Interval, add_up, mul_up};
use crate::rounding::{exponent, largest, power_of_two, rounding_error, ulps_error};

/// What a box of inputs makes of a node.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// All values between the real one and the machine's.
    pub value: Interval,
    /// The error of this operation alone: at most this.
    pub error: f64,
    /// For a known number, the signed error.
    pub signed: Interval,
    /// The error of the machine's value, all in all: at most this.
    pub total: f64,
    /// The machine's value is a multiple of `2^grain`.
    pub grain: i32,
    /// The derivatives by the operands.
    pub slopes: [Interval; 3],
}

/// Forms of operations that are further back are forgotten.
const REMEMBERED: usize = 5_000;

/// No multiple of anything in particular.
const NO_GRAIN: i32 = -20_000;
/// Zero is a multiple of everything.
const ALL_GRAINS: i32 = 20_000;

/// The nodes of a kernel over one box.
#[derive(Clone, Default, Debug)]
pub struct Ranges {
    reaches: Vec<Reach>,
    forms: Option<Forms>,
}

/// Affine forms of the nodes that are still needed.
#[derive(Clone, Default, Debug)]
struct Forms {
    symbols: Symbols,
    of: Vec<Option<Form>>,
    /// How far the machine's value is from the real one, as a form: derivatives of long recursions, too, explode as
    /// intervals.
    errors: Vec<Option<Form>>,
    /// The last node that has this one as an operand.
    last_use: Vec<u32>,
}

impl Ranges {
    /// All nodes over the box.
    pub fn over(dag: &Dag, inputs: &[Interval]) -> Ranges {
        let mut ranges = Ranges { reaches: Vec::with_capacity(dag.len()), forms: None };
        ranges.extend(dag, inputs);
        ranges
    }

    /// With affine forms beside the intervals from now on: slower, and tighter where operands are related.
    pub fn use_forms(&mut self, dag: &Dag) {
        let mut last_use = vec![0; dag.len()];
        for (id, node) in dag.nodes.iter_enumerated() {
            node.op.operands().for_each(|operand| last_use[operand.0 as usize] = id.0);
        }
        self.forms = Some(Forms { last_use, ..Forms::default() });
    }

    /// The same storage over another box.
    pub fn again(&mut self, dag: &Dag, inputs: &[Interval]) {
        self.reaches.clear();
        if let Some(forms) = &mut self.forms {
            forms.of.clear();
            forms.errors.clear();
            forms.symbols = Symbols::default();
        }
        self.extend(dag, inputs);
    }

    /// The values that nodes from `first` on have over another box, those before being the same in both.
    pub(crate) fn tail(&mut self, dag: &Dag, first: usize, inputs: &[Interval]) -> Vec<Interval> {
        let kept = self.reaches.split_off(first.min(self.reaches.len()));
        let forms = self.forms.take();
        self.extend(dag, inputs);
        self.forms = forms;
        let tail = self.reaches[first.min(self.reaches.len())..].iter().map(|reach| reach.value).collect();
        self.reaches.truncate(first);
        self.reaches.extend(kept);
        tail
    }

    /// Forgets nodes from that one on.
    pub(crate) fn truncate(&mut self, nodes: usize) {
        self.reaches.truncate(nodes);
        if let Some(forms) = &mut self.forms {
            forms.of.truncate(nodes);
            forms.errors.truncate(nodes);
        }
    }

    /// The nodes that are new.
    pub fn extend(&mut self, dag: &Dag, inputs: &[Interval]) {
        for index in self.reaches.len()..dag.len() {
            let id = NodeId(index as u32);
            let mut reach = self.reach(dag, id, inputs);
            if let Some(mut forms) = self.forms.take() {
                self.refine(dag, id, &mut reach, &mut forms);
                self.forms = Some(forms);
            }
            self.reaches.push(reach);
        }
    }

    /// What an affine form knows better.
    fn refine(&self, dag: &Dag, id: NodeId, reach: &mut Reach, forms: &mut Forms) {
        let node = &dag.nodes[id];
        let is_operation = !matches!(node.op, Op::Input(_) | Op::Constant(_));
        let mut form = None;
        if is_operation && node.op.operands().all(|operand| self.value(operand).is_finite()) {
            form = self.form(dag, node, reach, forms);
            if let Some(form) = &form {
                *reach = self.operation(node, form.range());
            }
        }
        let error = reach.error;
        let form = match form {
            Some(mut form) if error.is_finite() => {
                form.add_noise(error, &mut forms.symbols);
                Some(form)
            }
            _ => reach.value.is_finite().then(|| Form::of(reach.value, &mut forms.symbols)),
        };
        forms.of.push(form);
        let wrong = self.error_form(node, reach, forms);
        if let Some(wrong) = &wrong {
            reach.total = reach.total.min(wrong.range().mag());
        }
        forms.errors.push(wrong);
        for operand in node.op.operands() {
            if forms.last_use.get(operand.0 as usize) == Some(&id.0) {
                forms.of[operand.0 as usize] = None;
                forms.errors[operand.0 as usize] = None;
            }
        }
        // While a walk goes on nobody knows what is used last.
        if let Some(old) = (id.0 as usize).checked_sub(REMEMBERED)
            && forms.last_use.is_empty()
            && !matches!(dag.nodes[NodeId(old as u32)].op, Op::Input(_) | Op::Constant(_))
        {
            forms.of[old] = None;
            forms.errors[old] = None;
        }
    }

    /// The error of a node: those of its operands by its slopes, and its own.
    fn error_form(&self, node: &Node, reach: &Reach, forms: &mut Forms) -> Option<Form> {
        if !reach.error.is_finite() {
            return None;
        }
        let mut operands: Vec<(&Form, Interval)> = Vec::new();
        for (operand, slope) in node.op.operands().zip(reach.slopes) {
            let wrong = forms.errors.get(operand.0 as usize)?.as_ref()?;
            if !slope.is_finite() {
                return None;
            }
            operands.push((wrong, slope));
        }
        let centres = operands.iter().map(|(wrong, slope)| wrong.centre().mul(*slope));
        let known = centres.fold(reach.signed, Interval::add);
        let mut form = Form::mean_value(known, &operands, &mut forms.symbols);
        form.add_noise(reach.error, &mut forms.symbols);
        Some(form)
    }

    /// The form of an operation before it is rounded.
    fn form(&self, dag: &Dag, node: &Node, reach: &Reach, forms: &mut Forms) -> Option<Form> {
        let mut operands: Vec<(&Form, Interval)> = Vec::new();
        for (operand, slope) in node.op.operands().zip(reach.slopes) {
            if !slope.is_finite() {
                return None;
            }
            operands.push((forms.of.get(operand.0 as usize)?.as_ref()?, slope));
        }
        let centre = |index: usize| operands.get(index).map_or(Interval::ZERO, |(form, _)| form.centre());
        let (a, b, c) = (centre(0), centre(1), centre(2));
        let at_centre = match node.op {
            Op::Neg(_) => a.neg(),
            Op::Add(..) => a.add(b),
            Op::Sub(..) => a.sub(b),
            Op::Mul(..) => a.mul(b),
            Op::Div(..) if !b.contains(0.0) => a.div(b),
            Op::Fma(..) => a.mul(b).add(c),
            Op::Convert(_) => a,
            Op::Sqrt(_) if a.lo >= 0.0 => a.sqrt(),
            Op::Unary(function, _) => function.range(a)?,
            _ => return None,
        };
        if !at_centre.is_finite() || dag.is_empty() {
            return None;
        }
        Some(Form::mean_value(at_centre, &operands, &mut forms.symbols))
    }

    /// What is known of a node.
    pub fn get(&self, node: NodeId) -> &Reach {
        &self.reaches[node.0 as usize]
    }

    /// Its values.
    pub fn value(&self, node: NodeId) -> Interval {
        self.get(node).value
    }

    fn reach(&self, dag: &Dag, id: NodeId, inputs: &[Interval]) -> Reach {
        let node = &dag.nodes[id];
        match node.op {
            Op::Input(input) => input_reach(dag, input.0 as usize, inputs[input.0 as usize], node.sort),
            Op::Constant(constant) => {
                let constant = &dag.constants[constant];
                let real = constant.real.enclosure();
                let signed = constant.error().unwrap_or(Interval::WHOLE);
                let machine = Interval::point(constant.machine.to_f64());
                // Formats beyond binary64 are not held by a point.
                let machine =
                    if constant.machine.format() > Format::F64 { real.add(signed) } else { machine };
                let grain = match constant.machine.decompose() {
                    Some((_, 0, _)) => ALL_GRAINS,
                    Some((_, _, exponent)) => exponent,
                    None => NO_GRAIN,
                };
                let value = if machine.lo.is_finite() { real.hull(machine) } else { Interval::WHOLE };
                let total = signed.mag();
                Reach { value, error: 0.0, signed, total, grain, slopes: [Interval::ZERO; 3] }
            }
            _ => self.operation(node, Interval::WHOLE),
        }
    }

    /// `hint` is known to hold the result before rounding.
    fn operation(&self, node: &Node, hint: Interval) -> Reach {
        // An operand that may overflow or be undefined leaves nothing known: zero times infinity is not zero.
        let is_sound = node.op.operands().all(|operand| self.value(operand).is_finite());
        let step = if is_sound { self.step(node, hint) } else { Step::undefined() };
        let mut total = step.error;
        for (operand, slope) in node.op.operands().zip(step.slopes) {
            total = add_up(total, mul_up(slope.mag(), self.get(operand).total));
        }
        let value = if step.error.is_finite() { step.exact.widen(step.error) } else { Interval::WHOLE };
        // What is between two numbers of the format is not rounded beyond them.
        let is_libm = matches!(node.op, Op::Unary(..) | Op::Binary(..));
        let value = match node.sort {
            Sort::Float(format) if !is_libm && step.exact.mag() <= largest(format) => {
                value.meet(Interval::symmetric(largest(format))).unwrap_or(value)
            }
            _ => value,
        };
        let grain = match node.sort {
            Sort::Integer => step.grain.max(0),
            Sort::Float(format) => step.grain.max(grain_of(format, value)),
        };
        Reach { value, error: step.error, signed: Interval::ZERO, total, grain, slopes: step.slopes }
    }

    fn step(&self, node: &Node, hint: Interval) -> Step {
        let within = |exact: Interval| exact.meet(hint).unwrap_or(exact);
        let value = |id: NodeId| self.value(id);
        let grain = |id: NodeId| self.get(id).grain;
        let one = Interval::ONE;
        match node.op {
            Op::Neg(a) => Step::exact(value(a).neg(), [one.neg(), one, one], grain(a)),
            Op::Abs(a) => {
                let slope = match value(a) {
                    x if x.lo >= 0.0 => one,
                    x if x.hi <= 0.0 => one.neg(),
                    _ => Interval::symmetric(1.0),
                };
                Step::exact(value(a).abs(), [slope, one, one], grain(a))
            }
            Op::Add(a, b) => self.sum(node, a, b, false, hint),
            Op::Sub(a, b) => self.sum(node, a, b, true, hint),
            Op::Mul(a, b) => self.product(node, a, b, hint),
            Op::Div(a, b) => self.quotient(node, a, b, hint),
            Op::Sqrt(a) => self.square_root(node, a),
            Op::Fma(a, b, c) => {
                let product = if a == b { value(a).square() } else { value(a).mul(value(b)) };
                let exact = within(product.add(value(c)));
                let slopes = [value(b), value(a), one];
                let grain = grain(a).saturating_add(grain(b)).min(grain(c));
                Step::rounded(node, exact, slopes, grain)
            }
            Op::Convert(a) => Step::rounded(node, within(value(a)), [one; 3], grain(a)),
            Op::Min(a, b) | Op::Max(a, b) => {
                let (x, y) = (value(a), value(b));
                let is_min = matches!(node.op, Op::Min(..));
                let exact = if is_min { x.min(y) } else { x.max(y) };
                let first = if is_min { x.hi < y.lo } else { x.lo > y.hi };
                let second = if is_min { y.hi < x.lo } else { y.lo > x.hi };
                let part = Interval::new(0.0, 1.0);
                let slopes = match () {
                    () if first => [one, Interval::ZERO, one],
                    () if second => [Interval::ZERO, one, one],
                    () => [part, part, one],
                };
                Step::exact(exact, slopes, grain(a).min(grain(b)))
            }
            Op::Whole(whole, a) => {
                let x = value(a);
                let (lo, hi) = (whole.of(x.lo), whole.of(x.hi));
                let slopes = |slope| [slope, one, one];
                if lo == hi && x.is_finite() {
                    // Whole numbers from 2^p on are no multiple of one any more, but those are not alike.
                    Step::exact(Interval::point(lo), slopes(Interval::ZERO), 0)
                } else if grain(a) >= 0 && self.get(a).total == 0.0 {
                    Step::exact(x, slopes(one), grain(a))
                } else {
                    // It is its argument with something between -1 and 1 added, which both runs choose.
                    Step { exact: x.widen(1.0), slopes: slopes(one), error: 1.0, grain: 0 }
                }
            }
            Op::Unary(function, a) => {
                let x = value(a);
                let Some(exact) = function.range(x) else { return Step::undefined() };
                let slope = function.slope(x, exact);
                let format = float_format(node.sort);
                let error = ulps_error(format, exact.mag(), function.ulps(format));
                Step { exact, slopes: [slope, one, one], error, grain: NO_GRAIN }
            }
            Op::Binary(function, a, b) => {
                let (x, y) = (value(a), value(b));
                let Some(exact) = function.range(x, y) else { return Step::undefined() };
                let (by_x, by_y) = function.slopes(x, y, exact);
                let format = float_format(node.sort);
                let error = ulps_error(format, exact.mag(), function.ulps(format));
                Step { exact, slopes: [by_x, by_y, one], error, grain: NO_GRAIN }
            }
            Op::Input(_) | Op::Constant(_) => Step::undefined(),
        }
    }

    fn sum(&self, node: &Node, a: NodeId, b: NodeId, subtracts: bool, hint: Interval) -> Step {
        let (x, y) = (self.value(a), self.value(b));
        let sign = if subtracts { Interval::ONE.neg() } else { Interval::ONE };
        let slopes = [Interval::ONE, sign, Interval::ONE];
        if subtracts && a == b {
            return Step::exact(Interval::ZERO, [Interval::ZERO; 3], ALL_GRAINS);
        }
        let exact = if subtracts { x.sub(y) } else { x.add(y) };
        let exact = exact.meet(hint).unwrap_or(exact);
        let grain = self.get(a).grain.min(self.get(b).grain);
        let other = if subtracts { y } else { y.neg() };
        if is_sterbenz(x, other) {
            Step::exact(exact, slopes, grain)
        } else {
            Step::rounded(node, exact, slopes, grain)
        }
    }

    fn product(&self, node: &Node, a: NodeId, b: NodeId, hint: Interval) -> Step {
        let (x, y) = (self.value(a), self.value(b));
        let exact = if a == b { x.square() } else { x.mul(y) };
        let exact = exact.meet(hint).unwrap_or(exact);
        let grain = self.get(a).grain.saturating_add(self.get(b).grain);
        let slopes = [y, x, Interval::ONE];
        let Sort::Float(format) = node.sort else { return Step::exact(exact, slopes, grain) };
        // A power of two shifts: what can be lost is what falls below the subnormal numbers.
        let scale = [(a, b), (b, a)].into_iter().find_map(|(scale, other)| Some((self.power(scale)?, other)));
        match scale {
            Some((up, _)) if up >= 0 && exact.mag() <= crate::rounding::largest(format) => {
                Step::exact(exact, slopes, grain)
            }
            Some((down, other)) if down < 0 => {
                let least = format.min_exponent() - format.precision() as i32 + 1;
                let fits = self.get(other).grain.saturating_add(down) >= least;
                let error = if fits { 0.0 } else { power_of_two(least - 1) };
                Step { exact, slopes, error, grain }
            }
            _ => Step::rounded(node, exact, slopes, grain),
        }
    }

    /// The exponent, if the node is always this power of two in the machine, up to its sign.
    fn power(&self, node: NodeId) -> Option<i32> {
        let reach = self.get(node);
        let mag = reach.value.mag();
        let is_power =
            reach.value.is_point() && mag > 0.0 && mag.is_finite() && reach.signed == Interval::ZERO;
        (is_power && power_of_two(exponent(mag)) == mag).then(|| exponent(mag))
    }

    fn quotient(&self, node: &Node, a: NodeId, b: NodeId, hint: Interval) -> Step {
        let (x, y) = (self.value(a), self.value(b));
        if y.contains(0.0) {
            return Step::undefined();
        }
        let exact = if a == b { Interval::ONE } else { x.div(y) };
        let exact = exact.meet(hint).unwrap_or(exact);
        let slopes = [Interval::ONE.div(y), exact.div(y).neg(), Interval::ONE];
        match (self.power(b), node.sort) {
            (Some(power), Sort::Float(format))
                if power <= 0 && exact.mag() <= crate::rounding::largest(format) =>
            {
                Step::exact(exact, slopes, self.get(a).grain.saturating_sub(power))
            }
            (Some(power), Sort::Float(format)) => {
                let least = format.min_exponent() - format.precision() as i32 + 1;
                let grain = self.get(a).grain.saturating_sub(power);
                let error = if grain >= least { 0.0 } else { power_of_two(least - 1) };
                Step { exact, slopes, error, grain: grain.max(NO_GRAIN) }
            }
            _ => Step::rounded(node, exact, slopes, NO_GRAIN),
        }
    }

    fn square_root(&self, node: &Node, a: NodeId) -> Step {
        let x = self.value(a);
        if x.lo < 0.0 || !x.is_finite() {
            return Step::undefined();
        }
        let exact = x.sqrt();
        let slope = Interval::ONE.div(exact.scale(2.0));
        let rounded = Step::rounded(node, exact, [slope, Interval::ONE, Interval::ONE], NO_GRAIN);
        // Near zero the slope says nothing, but the root of a difference bounds the difference of roots.
        let direct = Interval::new(0.0, self.get(a).total).sqrt().hi;
        if mul_up(slope.mag(), self.get(a).total) <= direct || !direct.is_finite() {
            return rounded;
        }
        let error = add_up(rounded.error, direct);
        Step { slopes: [Interval::ZERO, Interval::ONE, Interval::ONE], error, ..rounded }
    }
}

/// One operation: its exact result on the operands' ranges, its slopes there, and its own error.
struct Step {
    exact: Interval,
    slopes: [Interval; 3],
    error: f64,
    grain: i32,
}

impl Step {
    fn exact(exact: Interval, slopes: [Interval; 3], grain: i32) -> Step {
        Step { exact, slopes, error: 0.0, grain }
    }

    /// It may have no value: nothing is known.
    fn undefined() -> Step {
        Step { exact: Interval::WHOLE, slopes: [Interval::WHOLE; 3], error: f64::INFINITY, grain: NO_GRAIN }
    }

    /// Rounded to nearest, unless the result is a multiple of `2^grain` that fits.
    fn rounded(node: &Node, exact: Interval, slopes: [Interval; 3], grain: i32) -> Step {
        let Sort::Float(format) = node.sort else { return Step::exact(exact, slopes, grain) };
        let least = format.min_exponent() - format.precision() as i32 + 1;
        let fits = grain >= least
            && exact.mag() <= power_of_two(grain.saturating_add(format.precision() as i32).min(1023));
        let is_finite = exact.mag() <= crate::rounding::largest(format);
        let error = if fits && is_finite { 0.0 } else { rounding_error(format, exact.mag()) };
        Step { exact, slopes, error, grain }
    }
}

fn input_reach(dag: &Dag, index: usize, range: Interval, sort: Sort) -> Reach {
    let input = &dag.inputs[crate::dag::InputId(index as u32)];
    let (error, grain) = match sort {
        Sort::Integer => (input.error, 0),
        Sort::Float(format) => {
            let moved = range.widen(input.error);
            let rounding = if input.is_rounded { rounding_error(format, moved.mag()) } else { 0.0 };
            let error = add_up(input.error, rounding);
            (error, grain_of(format, range.widen(error)))
        }
    };
    let value = range.widen(error);
    Reach { value, error, signed: Interval::ZERO, total: error, grain, slopes: [Interval::ZERO; 3] }
}

/// What all floats in a range are multiples of.
fn grain_of(format: Format, value: Interval) -> i32 {
    let least = format.min_exponent() - format.precision() as i32 + 1;
    let mig = value.mig();
    if mig == 0.0 || !mig.is_finite() {
        least
    } else {
        (exponent(mig) - format.precision() as i32 + 1).max(least)
    }
}

/// Sterbenz: a difference of numbers within a factor of two of each other is exact.
fn is_sterbenz(x: Interval, y: Interval) -> bool {
    let (x, y) = if x.hi < 0.0 { (x.neg(), y.neg()) } else { (x, y) };
    x.lo > 0.0 && y.lo > 0.0 && x.lo >= y.hi * 0.5 && x.hi <= y.lo * 2.0
}

fn float_format(sort: Sort) -> Format {
    match sort {
        Sort::Float(format) => format,
        Sort::Integer => Format::F64,
    }
}
