// SPDX-License-Identifier: MIT OR Apache-2.0
//! How wide a number of the interval-real model gets at any input of a box.
//!
//! Each node carries the range of its exact value over the box, and the greatest distance of an end of its enclosure from
//! that value at any input. Sums add distances, products weigh them; the rounding of III-D adds `delta` of the magnitude
//! and `epsilon`. The range shrinks as boxes are halved, the distance is small from the start: that is why this decides
//! where the model over a whole box, whose width is that of the inputs, cannot.

use clew_base::float::Format;

use crate::dag::{Dag, Op, Sort};
use crate::exact;
use crate::interval::{Interval, add_up, div_up, mul_up, sub_down};
use crate::kernel::{Decision, Stable};
use crate::model::{Model, ulps, widens};
use crate::rounding::{largest, power_of_two};
use crate::split::{halves, widest};

/// A number over a box: what it is exactly, and how far the ends of its enclosure are from that.
#[derive(Clone, Copy, Debug)]
struct Spread {
    exact: Interval,
    distance: f64,
}

/// Boxes that are looked at.
const BOXES: usize = 4_000;

/// The greatest relative width over all inputs that lead to the property, if it is below the threshold.
pub fn relative_width(dag: &Dag, property: &Stable, model: &Model) -> Option<f64> {
    let whole: Vec<Interval> = dag.inputs.iter().map(|input| input.range).collect();
    if whole.iter().any(|range| !range.is_finite()) {
        return None;
    }
    let (mut waiting, mut most, mut boxes) = (vec![whole.clone()], 0.0f64, 0);
    while let Some(inputs) = waiting.pop() {
        boxes += 1;
        let spreads = run(dag, &inputs, property.node.0 as usize + 1, model);
        if !is_feasible(&spreads, &property.decisions) {
            continue;
        }
        match width(spreads.get(property.node.0 as usize).copied().flatten()) {
            Some(width) if width < property.threshold => most = most.max(width),
            _ => {
                let (at, middle) = widest(dag, &inputs, &whole).filter(|_| boxes < BOXES)?;
                waiting.extend(halves(dag, &inputs, at, middle));
            }
        }
    }
    Some(most)
}

/// The width over the least magnitude; none if the sign is not certain.
fn width(spread: Option<Spread>) -> Option<f64> {
    let Spread { exact, distance } = spread?;
    let least = sub_down(exact.mig(), distance);
    (least > 0.0).then(|| div_up(2.0 * distance, least))
}

/// Whether some input of the box may lead past these tests, in either end of the model.
fn is_feasible(spreads: &[Option<Spread>], decisions: &[Decision]) -> bool {
    use clew_ir::syntax::CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let value = |node: crate::dag::NodeId| {
        let spread = spreads.get(node.0 as usize).copied().flatten();
        spread.map_or(Interval::WHOLE, |spread| spread.exact.widen(spread.distance))
    };
    decisions.iter().all(|decision| {
        let (x, y) = (value(decision.test.left), value(decision.test.right));
        let (below, above) = (x.hi < y.lo, x.lo > y.hi);
        match (decision.test.op, decision.taken) {
            (Lt, true) | (Ge, false) => x.lo < y.hi || !x.is_finite() || !y.is_finite(),
            (Le, true) | (Gt, false) => !above,
            (Gt, true) | (Le, false) => x.hi > y.lo || !x.is_finite() || !y.is_finite(),
            (Ge, true) | (Lt, false) => !below,
            (Eq, true) | (Ne, false) => !below && !above,
            (Ne, true) | (Eq, false) => true,
        }
    })
}

/// The nodes before `end`; none where a number may be infinite or undefined.
fn run(dag: &Dag, inputs: &[Interval], end: usize, model: &Model) -> Vec<Option<Spread>> {
    let mut all: Vec<Option<Spread>> = Vec::with_capacity(end);
    for node in dag.nodes.iter().take(end) {
        let one = spread(dag, node.op, node.sort, inputs, &all, model);
        all.push(one.filter(|spread| spread.exact.is_finite() && spread.distance.is_finite()));
    }
    all
}

fn spread(
    dag: &Dag,
    op: Op,
    sort: Sort,
    inputs: &[Interval],
    all: &[Option<Spread>],
    model: &Model,
) -> Option<Spread> {
    let at = |id: crate::dag::NodeId| all[id.0 as usize];
    let over = || exact::over(op, |id| at(id).map_or(Interval::WHOLE, |spread| spread.exact));
    let (exact, distance) = match op {
        Op::Input(input) => return Some(Spread { exact: inputs[input.0 as usize], distance: 0.0 }),
        Op::Constant(constant) => (dag.constants[constant].real.enclosure(), 0.0),
        Op::Neg(a) => return at(a).map(|x| Spread { exact: x.exact.neg(), ..x }),
        Op::Abs(a) => return at(a).map(|x| Spread { exact: x.exact.abs(), ..x }),
        Op::Convert(a) if widens(dag, a, sort) => return at(a),
        Op::Convert(a) => at(a).map(|x| (x.exact, x.distance))?,
        Op::Min(a, b) | Op::Max(a, b) => {
            return Some(Spread { exact: over()?, distance: at(a)?.distance.max(at(b)?.distance) });
        }
        Op::Add(a, b) | Op::Sub(a, b) => (over()?, add_up(at(a)?.distance, at(b)?.distance)),
        Op::Mul(a, b) => (over()?, product(at(a)?, at(b)?)),
        Op::Fma(a, b, c) => (over()?, add_up(product(at(a)?, at(b)?), at(c)?.distance)),
        Op::Div(a, b) => {
            let (x, y) = (at(a)?, at(b)?);
            // x/y - x'/y' = (x - x')/y' + x (y' - y)/(y y')
            let least = sub_down(y.exact.mig(), y.distance);
            let exact = over().filter(|_| least > 0.0)?;
            (exact, div_up(add_up(x.distance, mul_up(exact.mag(), y.distance)), least))
        }
        Op::Sqrt(a) => {
            let x = at(a)?;
            let least = sub_down(x.exact.lo, x.distance);
            let exact = over().filter(|_| least > 0.0)?;
            // The slope is greatest at the least argument.
            (exact, div_up(x.distance, 2.0 * least.sqrt().next_down()))
        }
        Op::Unary(function, a) => {
            let x = at(a)?;
            let wide = x.exact.widen(x.distance);
            let slope = function.slope(wide, function.range(wide)?);
            (over()?, mul_up(slope.mag(), x.distance))
        }
        Op::Whole(_, a) if at(a)?.distance == 0.0 => (over()?, 0.0),
        Op::Whole(..) | Op::Binary(..) => return None,
    };
    let Sort::Float(format) = sort else { return Some(Spread { exact, distance }) };
    rounded(exact, distance, format, mul_up(model.delta(format), ulps(op, sort)), model)
}

fn product(x: Spread, y: Spread) -> f64 {
    let first = add_up(mul_up(x.exact.mag(), y.distance), mul_up(y.exact.mag(), x.distance));
    add_up(first, mul_up(x.distance, y.distance))
}

/// The rounding functions of III-D.
fn rounded(exact: Interval, distance: f64, format: Format, delta: f64, model: &Model) -> Option<Spread> {
    let most = add_up(exact.mag(), distance);
    let is_normal = sub_down(exact.mig(), distance) >= power_of_two(format.min_exponent());
    let is_zero = most == 0.0;
    let epsilon = if is_zero || (model.simplified.normal && is_normal) { 0.0 } else { model.epsilon(format) };
    let distance = add_up(add_up(distance, mul_up(most, delta)), epsilon);
    (add_up(exact.mag(), distance) <= largest(format)).then_some(Spread { exact, distance })
}
