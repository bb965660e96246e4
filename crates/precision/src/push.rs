// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs whose roundings add up.
//!
//! In a long sum the errors of random inputs cancel: what is reached stays far below a bound that some inputs do come near.
//! Here inputs are chosen one after the other, in the order in which the program reads them: of a few candidates, the
//! one whose next operations round most into the direction in which the result grows.

use clew_base::float::{Float, Format, Rounding};

use crate::bound::Slopes;
use crate::dag::{Dag, NodeId, Op, Sort};
use crate::interval::Interval;
use crate::ranges::Ranges;
use crate::run::{Contraction, machine_node};

const NEAREST: Rounding = Rounding::NearestEven;
/// Candidates for each input.
const CANDIDATES: usize = 24;
/// Operations that a candidate is judged by.
const AHEAD: usize = 8;

/// Inputs that push the result up (`sign` 1) or down (-1); none if that is not for this expression.
pub(crate) fn pushed(
    dag: &Dag,
    root: NodeId,
    whole: &[Interval],
    sign: f64,
    random: &mut fastrand::Rng,
) -> Option<Vec<f64>> {
    let is_known = |sort: Sort| matches!(sort, Sort::Float(Format::F64 | Format::F32));
    if dag.inputs.len() < 3 || !dag.inputs.iter().all(|input| is_known(input.sort) && input.range.is_finite())
    {
        return None;
    }
    let middle: Vec<Interval> = whole.iter().map(|range| Interval::point(range.middle())).collect();
    let ranges = Ranges::over(dag, &middle);
    let mut slopes = Slopes::default();
    slopes.of(dag, &ranges, root);
    let mut points: Vec<f64> = whole.iter().map(|range| range.middle()).collect();
    let mut values: Vec<Float> = Vec::with_capacity(root.0 as usize + 1);
    let end = root.0 as usize + 1;
    let is_input = |index: usize| matches!(dag.nodes[NodeId(index as u32)].op, Op::Input(_));
    while values.len() < end {
        let first = values.len();
        let reads = (first..end).take_while(|index| is_input(*index)).count();
        if reads == 0 {
            values.push(machine_node(
                dag,
                &dag.nodes[NodeId(first as u32)],
                &values,
                NEAREST,
                Contraction::None,
            ));
            continue;
        }
        let until = (first + reads..end).take(AHEAD).take_while(|index| !is_input(*index)).count();
        let mut best: Option<(f64, Vec<Float>)> = None;
        for _ in 0..CANDIDATES {
            for index in first..first + reads {
                let slope = sign * slopes.get(NodeId(index as u32)).middle();
                values.push(drawn(dag, index, whole, slope, random)?);
            }
            let mut score = 0.0;
            for index in first + reads..first + reads + until {
                let node = &dag.nodes[NodeId(index as u32)];
                let value = machine_node(dag, node, &values, NEAREST, Contraction::None);
                let slope = slopes.get(NodeId(index as u32)).middle();
                score += sign * slope * rounding(node.op, value, &values);
                values.push(value);
            }
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, values[first..first + reads].to_vec()));
            }
            values.truncate(first);
        }
        values.extend(best?.1);
        for (index, value) in values.iter().enumerate().skip(first) {
            if let Op::Input(input) = dag.nodes[NodeId(index as u32)].op {
                points[input.0 as usize] = value.to_f64();
            }
        }
    }
    Some(points)
}

fn drawn(
    dag: &Dag,
    index: usize,
    whole: &[Interval],
    slope: f64,
    random: &mut fastrand::Rng,
) -> Option<Float> {
    let node = &dag.nodes[NodeId(index as u32)];
    let (Op::Input(input), Sort::Float(format)) = (node.op, node.sort) else { return None };
    let range = whole[input.0 as usize];
    // Errors are greatest where numbers are: the outer part of a range, where the result grows.
    let part = 1.0 - 0.5 * random.f64() * random.f64();
    let is_low = if slope == 0.0 { random.bool() } else { slope < 0.0 };
    let end = if range.lo < 0.0 && is_low { range.lo } else { range.hi };
    let x = (end * part).clamp(range.lo, range.hi);
    Some(Float::from_f64(x).convert(format, NEAREST).0)
}

/// The machine's result minus the exact one, for sums and products.
fn rounding(op: Op, value: Float, values: &[Float]) -> f64 {
    let at = |id: NodeId| values[id.0 as usize].to_f64();
    let z = value.to_f64();
    match op {
        Op::Add(a, b) | Op::Sub(a, b) => {
            let (x, y) = (at(a), if matches!(op, Op::Sub(..)) { -at(b) } else { at(b) });
            let sum = x + y;
            let back = sum - x;
            let lost = (x - (sum - back)) + (y - back);
            (z - sum) - lost
        }
        Op::Mul(a, b) => -at(a).mul_add(at(b), -z),
        _ => 0.0,
    }
}
