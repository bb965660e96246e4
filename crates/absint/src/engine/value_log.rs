// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each statement read, wrote and gave, joined over all visits: kept for slices alone.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::{BlockId, FuncId, LocalId};
use rustc_hash::FxHashMap;

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, Value};
use crate::program::object::{ObjectId, Site};

/// A statement, and for one of a library model the program's call that led there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Point {
    /// The statement.
    pub(crate) site: Site,
    /// The call.
    pub(crate) through: Option<Site>,
}

impl Point {
    /// Another statement of the same function, reached the same way.
    pub(crate) fn at(self, block: BlockId, statement: usize) -> Point {
        let site = Site { block, statement: statement as u32, ..self.site };
        Point { site, through: self.through }
    }
}

/// Bytes that a statement touches.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// Where they begin.
    pub(crate) address: Address,
    /// How many.
    pub(crate) bytes: Int,
}

/// What was seen at a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The registers that it reads, with what they held.
    pub(crate) reads: Vec<(LocalId, Option<Value>)>,
    /// What it gave: to its register, or to memory.
    pub(crate) gives: Option<Value>,
    /// What it read of the memory.
    pub(crate) from: Option<Touched>,
    /// What it wrote.
    pub(crate) to: Option<Touched>,
}

/// What was seen in one analysis.
#[derive(Default)]
pub(crate) struct ValueLog {
    pub(crate) at: FxHashMap<Point, Seen>,
    /// The calls that entered a function.
    pub(crate) callers: FxHashMap<(FuncId, Option<Site>), BTreeSet<Point>>,
    /// The functions that a call entered.
    pub(crate) callees: FxHashMap<Point, BTreeSet<FuncId>>,
    /// The statements that write an object.
    pub(crate) writers: BTreeMap<ObjectId, BTreeSet<Point>>,
    /// The statements after which all that has escaped may be anything.
    pub(crate) blind: BTreeSet<Point>,
    /// The statements that end the life of an object.
    pub(crate) releases: BTreeMap<ObjectId, BTreeSet<Point>>,
    /// Registers and objects that widening at a loop head made larger, and that stayed so.
    pub(crate) widened: FxHashMap<Point, Widened>,
}

/// What widening at a loop head made larger.
#[derive(Default)]
pub(crate) struct Widened {
    pub(crate) registers: BTreeSet<LocalId>,
    pub(crate) objects: BTreeSet<ObjectId>,
}

impl ValueLog {
    /// What was seen at a statement.
    pub(crate) fn seen(&self, point: Point) -> Option<&Seen> {
        self.at.get(&point)
    }

    /// The least and largest number that each statement of the program gave.
    pub(crate) fn numbers(&self) -> BTreeMap<Site, (i128, i128)> {
        let number = |(point, seen): (&Point, &Seen)| match seen.gives.as_ref().map(|value| &value.kind) {
            Some(Kind::Number(n)) if point.through.is_none() => Some((point.site, (n.lo(), n.hi()))),
            _ => None,
        };
        self.at.iter().filter_map(number).collect()
    }
}
