// SPDX-License-Identifier: MIT OR Apache-2.0
//! Branch and bound on float parameters: what an analysis for all their values leaves open is asked again for parts of them.
//!
//! A part is a box: for each parameter the numbers between two, one of the infinities, or NaN. The parts cover everything, and analyses of other runs
//! are joined ([`Facts::join`]), so what all of them prove is proved. What is open in a single point is not worth a split: points go first,
//! since most of what is open is raised there.

use std::collections::BTreeSet;

use clew_absint::FloatInput;
use clew_ir::fact::Facts;

/// More parameters have too many parts.
const MOST_PARAMETERS: usize = 3;

/// Analyses for one entry.
const MOST_BOXES: usize = 2_000;

/// What is to be split.
pub struct Start {
    /// The float parameters: their numbers, and their largest values.
    pub parameters: Vec<(usize, f64)>,
    /// The obligations that are open.
    pub open: BTreeSet<usize>,
    /// Statements that all analyses together may take.
    pub steps: u64,
}

/// What is known of all runs, by parts; none if nothing was gained. `analyse` says what is known of the runs of one part, and what it took.
pub fn split(
    start: &Start,
    mut analyse: impl FnMut(&[(usize, FloatInput)]) -> Option<(Facts, u64)>,
) -> Option<Facts> {
    let count = start.parameters.len();
    if count == 0 || count > MOST_PARAMETERS || start.open.is_empty() {
        return None;
    }
    let mut left = start.steps;
    let mut ask = |part: &[FloatInput]| -> Option<Facts> {
        let floats: Vec<_> =
            start.parameters.iter().map(|(number, _)| *number).zip(part.iter().copied()).collect();
        let (facts, steps) = analyse(&floats)?;
        left = left.checked_sub(steps)?;
        Some(facts)
    };
    let mut open = start.open.clone();
    for point in points(start) {
        let facts = ask(&point)?;
        facts.unsettled().for_each(|number| {
            open.remove(&number);
        });
        if open.is_empty() {
            return None;
        }
    }
    let mut boxes = whole(start);
    let mut known = Facts::default();
    let mut asked = 0;
    while let Some(part) = boxes.pop() {
        let facts = ask(&part)?;
        asked += 1;
        let is_open = facts.unsettled().any(|number| open.contains(&number));
        match is_open.then(|| halves(&part)).flatten() {
            Some((first, second)) if asked < MOST_BOXES => boxes.extend([first, second]),
            // What is open here is open.
            _ => {
                facts.unsettled().for_each(|number| {
                    open.remove(&number);
                });
                if open.is_empty() {
                    return None;
                }
                known.join(facts);
            }
        }
    }
    Some(known)
}

/// Numbers at which operations raise what they raise.
fn points(start: &Start) -> Vec<Vec<FloatInput>> {
    let mut points = vec![Vec::new()];
    for (_, largest) in &start.parameters {
        let tiny = if *largest == f64::MAX { f64::MIN_POSITIVE } else { f64::from(f32::MIN_POSITIVE) };
        let all = [0.0, 1.0, -1.0, *largest, -*largest, tiny, -tiny / 4.0];
        // Every pair, but not every triple.
        let few = if start.parameters.len() < 3 { &all[..] } else { &all[..5] };
        points = few
            .iter()
            .flat_map(|value| {
                points.iter().map(move |point| {
                    let one = FloatInput::Between(*value, *value);
                    point.iter().copied().chain([one]).collect()
                })
            })
            .collect();
    }
    points
}

/// Everything: finite numbers, the infinities and NaN of every parameter.
fn whole(start: &Start) -> Vec<Vec<FloatInput>> {
    let mut boxes = vec![Vec::new()];
    for (_, largest) in &start.parameters {
        let parts = [
            FloatInput::Nan,
            FloatInput::Between(f64::INFINITY, f64::INFINITY),
            FloatInput::Between(f64::NEG_INFINITY, f64::NEG_INFINITY),
            FloatInput::Between(-largest, *largest),
        ];
        boxes = boxes
            .iter()
            .flat_map(|part: &Vec<FloatInput>| parts.map(|one| part.iter().copied().chain([one]).collect()))
            .collect();
    }
    boxes
}

/// A box in two, at the middle of the parameter that has most floats; none if it is a point.
fn halves(part: &[FloatInput]) -> Option<(Vec<FloatInput>, Vec<FloatInput>)> {
    let floats = |input: &FloatInput| match input {
        FloatInput::Between(low, high) => ordered(*high).abs_diff(ordered(*low)),
        FloatInput::Nan => 0,
    };
    let (at, most) =
        part.iter().map(floats).enumerate().max_by_key(|(at, most)| (*most, std::cmp::Reverse(*at)))?;
    let FloatInput::Between(low, high) = part[at] else { return None };
    if most == 0 {
        return None;
    }
    let middle = ordered(low) + (most / 2) as i64;
    let (mut first, mut second) = (part.to_vec(), part.to_vec());
    first[at] = FloatInput::Between(low, of_ordered(middle));
    second[at] = FloatInput::Between(of_ordered(middle + 1), high);
    Some((first, second))
}

/// Doubles in their order, as integers; the zeros are two.
fn ordered(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN - bits - 1 } else { bits }
}

fn of_ordered(number: i64) -> f64 {
    f64::from_bits(if number < 0 { i64::MIN - number - 1 } else { number } as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_keep_their_order() {
        let all = [f64::MIN, -1.0, -f64::from_bits(1), -0.0, 0.0, f64::from_bits(1), 1.0, f64::MAX];
        for pair in all.windows(2) {
            assert!(ordered(pair[0]) < ordered(pair[1]), "{pair:?}");
        }
        for value in all {
            assert_eq!(of_ordered(ordered(value)).to_bits(), value.to_bits());
        }
    }

    #[test]
    fn halves_cover_their_box() {
        let part = [FloatInput::Between(-1.0, f64::MAX), FloatInput::Nan];
        let Some((first, second)) = halves(&part) else { panic!("it can be split") };
        let (FloatInput::Between(low, end), FloatInput::Between(begin, high)) = (first[0], second[0]) else {
            panic!("numbers stay numbers")
        };
        assert_eq!((low, high), (-1.0, f64::MAX));
        assert_eq!(ordered(end) + 1, ordered(begin));
        assert_eq!((first[1], second[1]), (FloatInput::Nan, FloatInput::Nan));
    }
}
