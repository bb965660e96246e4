// SPDX-License-Identifier: MIT OR Apache-2.0
//! An input that keeps a contract: nothing is ever proved from what no caller can do.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{Clause, Test};
use crate::linear::Linear;
use crate::source::{Kind, Place, Source};
use crate::written::Writer;

/// Numbers, and whether pointers lead anywhere (0 or 1), that keep a contract. What pointers lead to is as large as is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sample {
    /// Values by source.
    pub values: BTreeMap<Source, i128>,
    /// Bytes behind pointers.
    pub bytes: BTreeMap<Source, i128>,
}

/// Assignments that are tried.
const MOST: usize = 60_000;

/// An input that keeps all clauses, the simplest first; none: none was found.
pub fn satisfying(clauses: &[Clause]) -> Option<Sample> {
    let mut sources: BTreeSet<Source> = BTreeSet::new();
    let mut numbers: BTreeSet<i128> = BTreeSet::from([0, 1, 2, -1]);
    for test in clauses.iter().flat_map(|clause| clause.unless.iter().chain([&clause.test])) {
        for source in test.sources() {
            let mut source = source;
            sources.insert(source.clone());
            while let Place::Behind(pointer, _) = &source.place {
                sources.insert((**pointer).clone());
                source = pointer;
            }
        }
        if let Test::AtMostZero(sum) | Test::Zero(sum) | Test::NotZero(sum) | Test::Room { bytes: sum, .. } =
            test
        {
            let largest = sum.terms.values().map(|c| c.abs()).max().unwrap_or(1);
            for number in [sum.constant, -sum.constant, sum.constant / largest, -sum.constant / largest] {
                numbers.extend([number - 1, number, number + 1]);
            }
        }
    }
    let sources: Vec<Source> = sources.into_iter().collect();
    let mut ordered: Vec<i128> = numbers.into_iter().collect();
    ordered.sort_by_key(|number| (number.abs(), *number < 0));
    let choices: Vec<Vec<i128>> = sources
        .iter()
        .map(|source| match source.kind {
            Kind::Pointer(_) => vec![1, 0],
            Kind::Number { .. } => {
                let (least, most) = source.range();
                ordered.iter().copied().filter(|number| (least..=most).contains(number)).collect()
            }
        })
        .collect();
    let mut at = vec![0usize; sources.len()];
    for _ in 0..MOST {
        let chosen = sources.iter().zip(&at).zip(&choices);
        let values: BTreeMap<Source, i128> =
            chosen.map(|((source, at), all)| (source.clone(), all[*at])).collect();
        if clauses.iter().all(|clause| holds(clause, &values)) {
            return Some(Sample { bytes: bytes(clauses, &values), values });
        }
        let mut place = 0;
        loop {
            if place == at.len() {
                return None;
            }
            at[place] += 1;
            if at[place] < choices[place].len() {
                break;
            }
            at[place] = 0;
            place += 1;
        }
    }
    None
}

fn sum_of(sum: &Linear, values: &BTreeMap<Source, i128>) -> Option<i128> {
    sum.terms.iter().try_fold(sum.constant, |all, (source, c)| {
        let exists = reached(source, values);
        values.get(source).filter(|_| exists).and_then(|value| all.checked_add(c.checked_mul(*value)?))
    })
}

/// Whether the pointers that lead to a source are not null.
fn reached(source: &Source, values: &BTreeMap<Source, i128>) -> bool {
    match &source.place {
        Place::Behind(pointer, _) => values.get(pointer) == Some(&1) && reached(pointer, values),
        _ => true,
    }
}

fn is(test: &Test, values: &BTreeMap<Source, i128>) -> bool {
    let there = |pointer: &Source| reached(pointer, values) && values.get(pointer) == Some(&1);
    match test {
        Test::AtMostZero(sum) => sum_of(sum, values).is_some_and(|n| n <= 0),
        Test::Zero(sum) => sum_of(sum, values) == Some(0),
        Test::NotZero(sum) => sum_of(sum, values).is_some_and(|n| n != 0),
        Test::Null(pointer) => reached(pointer, values) && values.get(pointer) == Some(&0),
        Test::NotNull(pointer) | Test::Terminated(pointer) => there(pointer),
        Test::Room { pointer, bytes, .. } => match sum_of(bytes, values) {
            Some(bytes) => bytes <= 0 || (there(pointer) && bytes < 1 << 40),
            None => false,
        },
    }
}

fn holds(clause: &Clause, values: &BTreeMap<Source, i128>) -> bool {
    clause.unless.iter().chain([&clause.test]).any(|test| is(test, values))
}

fn bytes(clauses: &[Clause], values: &BTreeMap<Source, i128>) -> BTreeMap<Source, i128> {
    let mut all = BTreeMap::new();
    for clause in clauses {
        if let Test::Room { pointer, bytes, .. } = &clause.test
            && let Some(bytes) = sum_of(bytes, values)
        {
            let known = all.entry(pointer.clone()).or_insert(0);
            *known = bytes.max(*known);
        }
    }
    all
}

impl Sample {
    /// The input as a call: `average(v = 8 bytes, n = 2)`.
    pub fn as_call(&self, writer: &Writer<'_>) -> String {
        let one = |(source, value): (&Source, &i128)| {
            let name = writer.source(source);
            match (source.kind, value, self.bytes.get(source)) {
                (Kind::Number { .. }, value, _) => format!("{name} = {value}"),
                (Kind::Pointer(_), 0, _) => format!("{name} = NULL"),
                (Kind::Pointer(_), _, Some(bytes)) if *bytes > 0 => format!("{name} = {bytes} bytes"),
                (Kind::Pointer(_), ..) => format!("{name} = one object"),
            }
        };
        let values: Vec<String> = self.values.iter().map(one).collect();
        format!("{}({})", writer.program.functions[writer.function].source_name, values.join(", "))
    }
}
