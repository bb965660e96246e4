// SPDX-License-Identifier: MIT OR Apache-2.0
//! What proofs rest on, written once.
//!
//! In real code thousands of obligations stay open, and each proof behind them rests on most of them, a few more or less than its
//! neighbour: written out one by one they fill hundreds of megabytes. So long lists are trees over the obligations in the
//! order of the report, and every part of a tree is written once, whoever rests on it.

use std::collections::HashMap;

use clew_ir::obligation::StableId;
use serde::Serialize;

use crate::model::Row;

/// A part of a tree has no more parts than this; lists that are not longer are written where they are.
const WIDTH: usize = 16;

/// An obligation, or a list of the report by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Part<'a> {
    Id(&'a str),
    List(usize),
}

/// The lists of a report.
#[derive(Default)]
pub(crate) struct Lists<'a> {
    /// Where the obligations are in the report.
    positions: HashMap<&'a str, usize>,
    numbers: HashMap<Vec<Part<'a>>, usize>,
    written: Vec<Vec<Part<'a>>>,
    /// Proofs share lists in memory, too.
    known: HashMap<*const StableId, Vec<Part<'a>>>,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(rows: impl Iterator<Item = &'a Row>) -> Lists<'a> {
        let mut lists = Lists::default();
        for row in rows {
            lists.position(&row.id.0);
        }
        lists
    }

    fn position(&mut self, id: &'a str) -> usize {
        let next = self.positions.len();
        *self.positions.entry(id).or_insert(next)
    }

    /// What stands for these.
    pub(crate) fn of(&mut self, given: &'a [StableId]) -> Vec<Part<'a>> {
        if given.len() <= WIDTH {
            return given.iter().map(|id| Part::Id(&id.0)).collect();
        }
        if let Some(known) = self.known.get(&given.as_ptr()) {
            return known.clone();
        }
        let ids = given.iter().map(|id| (self.position(&id.0), Part::Id(&id.0)));
        let mut parts: Vec<(usize, Part<'a>)> = ids.collect();
        parts.sort_unstable_by_key(|(position, _)| *position);
        while parts.len() > WIDTH {
            parts = self.grouped(&parts);
        }
        let parts: Vec<Part<'a>> = parts.into_iter().map(|(_, part)| part).collect();
        self.known.insert(given.as_ptr(), parts.clone());
        parts
    }

    /// Neighbours together. By position and not by number, so that lists that differ in one place are the same in others.
    fn grouped(&mut self, parts: &[(usize, Part<'a>)]) -> Vec<(usize, Part<'a>)> {
        let group = |position: usize| position / WIDTH;
        let neighbours = parts.chunk_by(|a, b| group(a.0) == group(b.0));
        neighbours
            .map(|parts| match parts {
                [(position, alone)] => (group(*position), *alone),
                _ => (group(parts[0].0), self.list(parts.iter().map(|(_, part)| *part).collect())),
            })
            .collect()
    }

    fn list(&mut self, parts: Vec<Part<'a>>) -> Part<'a> {
        let next = self.written.len();
        let number = *self.numbers.entry(parts.clone()).or_insert(next);
        if number == next {
            self.written.push(parts);
        }
        Part::List(number)
    }

    /// All lists, each before those that it is part of.
    pub(crate) fn into_written(self) -> Vec<Vec<Part<'a>>> {
        self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written_out<'a>(parts: &[Part<'a>], lists: &[Vec<Part<'a>>]) -> Vec<&'a str> {
        let one = |part: &Part<'a>| match part {
            Part::Id(id) => vec![*id],
            Part::List(number) => written_out(&lists[*number], lists),
        };
        parts.iter().flat_map(one).collect()
    }

    fn ids(numbers: impl Iterator<Item = usize>) -> Vec<StableId> {
        numbers.map(|number| StableId(format!("{number:05}").into())).collect()
    }

    #[test]
    fn lists_are_what_they_stand_for() {
        let given = [ids(0..5), ids(0..4000), ids((0..4000).filter(|n| n % 7 != 3)), ids(200..3000)];
        let all = ids(0..4000);
        let mut lists = Lists::default();
        all.iter().for_each(|id| {
            lists.position(&id.0);
        });
        let short: Vec<Vec<Part<'_>>> = given.iter().map(|given| lists.of(given)).collect();
        let lists = lists.into_written();
        for (given, short) in given.iter().zip(&short) {
            assert!(short.len() <= WIDTH);
            let given: Vec<&str> = given.iter().map(|id| &*id.0).collect();
            assert_eq!(written_out(short, &lists), given);
        }
    }

    #[test]
    fn lists_that_differ_little_share_most() {
        let all = ids(0..4000);
        let given: Vec<Vec<StableId>> = (0..1000).map(|left| ids((0..4000).filter(|n| *n != left))).collect();
        let mut lists = Lists::default();
        all.iter().for_each(|id| {
            lists.position(&id.0);
        });
        given.iter().for_each(|given| {
            lists.of(given);
        });
        let parts: usize = lists.into_written().iter().map(Vec::len).sum();
        assert!(parts < 60_000, "{parts} parts for lists of 4,000,000");
    }
}
