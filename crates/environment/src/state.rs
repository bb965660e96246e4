// SPDX-License-Identifier: MIT OR Apache-2.0
//! What registers and memory hold at one place of a function, in terms of what it found when it was called.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::{BlockId, GlobalId, LocalId};

use crate::contract::Test;
use crate::linear::Linear;
use crate::source::{Place, Source};

/// A value, as far as it can be told.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An integer.
    Number(Exact),
    /// A pointer: so many bytes from the start of something.
    Pointer(Base, Exact),
    /// Anything.
    Unknown,
}

/// A sum that a value is, given that some tests hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exact {
    /// The sum.
    pub sum: Linear,
    /// What it is given.
    pub given: BTreeSet<Test>,
    /// It is also given that nothing wraps around above, which contracts do not spell out.
    pub is_bounded: bool,
}

impl Exact {
    /// A sum that nothing is given for.
    pub fn of(sum: Linear) -> Exact {
        Exact { sum, ..Exact::default() }
    }

    /// A constant.
    pub fn constant(number: i128) -> Exact {
        Exact::of(Linear::constant(number))
    }

    /// `self + factor * other`.
    pub fn plus(&self, factor: i128, other: &Exact) -> Option<Exact> {
        let given = self.given.union(&other.given).cloned().collect::<BTreeSet<_>>();
        let sum = self.sum.plus(factor, &other.sum)?;
        (given.len() <= 4).then_some(Exact { sum, given, is_bounded: self.is_bounded || other.is_bounded })
    }

    /// What is known of a source at least, by what is given.
    pub fn at_least(&self, source: &Source) -> Option<i128> {
        // `c - source <= 0`
        let lower = |test: &Test| match test {
            Test::AtMostZero(sum) if sum.terms.len() == 1 && sum.terms.get(source) == Some(&-1) => {
                Some(sum.constant)
            }
            _ => None,
        };
        self.given.iter().filter_map(lower).max()
    }
}

/// What a pointer is counted from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Base {
    /// Null.
    Null,
    /// A pointer that the function found.
    Source(Source),
    /// A local object.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// What the call at this place allocated; or null.
    Fresh(BlockId, u32),
}

/// A scalar in memory: its object, the byte at which it begins, and its bytes.
pub type Cell = (Base, i64, u64);

/// What is known at one place of a function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Registers that hold something known.
    pub registers: BTreeMap<LocalId, Value>,
    /// Memory that was written, with what.
    pub cells: BTreeMap<Cell, Value>,
    /// What else was written, or may have been.
    pub written: Written,
    /// Whether an earlier call or loop may have kept the run from coming here.
    pub is_uncertain: bool,
}

/// Memory of which it is not known what it holds now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// All memory that others can reach.
    pub all: bool,
    /// Globals.
    pub globals: BTreeSet<GlobalId>,
    /// What these pointers lead to.
    pub behind: BTreeSet<Source>,
    /// What pointers that are no parameters lead to.
    pub inner: bool,
    /// Local objects.
    pub locals: BTreeSet<LocalId>,
}

impl Written {
    fn join(&mut self, other: &Written) {
        self.all |= other.all;
        self.inner |= other.inner;
        self.globals.extend(&other.globals);
        self.behind.extend(other.behind.iter().cloned());
        self.locals.extend(&other.locals);
    }
}

fn is_parameter(source: &Source) -> bool {
    matches!(source.place, Place::Parameter(_))
}

impl State {
    /// What a register holds.
    pub fn register(&self, local: LocalId) -> Value {
        self.registers.get(&local).cloned().unwrap_or(Value::Unknown)
    }

    /// What is known on all the ways that meet.
    pub fn join(mut self, other: &State) -> State {
        self.registers.retain(|local, value| other.registers.get(local) == Some(value));
        for (cell, value) in &other.cells {
            if self.cells.get(cell) != Some(value) {
                self.cells.insert(cell.clone(), Value::Unknown);
            }
        }
        for (cell, value) in &mut self.cells {
            if other.cells.get(cell) != Some(value) {
                *value = Value::Unknown;
            }
        }
        self.written.join(&other.written);
        self.is_uncertain |= other.is_uncertain;
        self
    }

    /// Whether the memory of a base is as the function found it, where no cell says otherwise.
    pub fn is_untouched(&self, base: &Base) -> bool {
        match base {
            Base::Source(source) => {
                let written = &self.written;
                !(written.all || written.behind.contains(source) || (written.inner && !is_parameter(source)))
            }
            Base::Global(global) => !self.written.all && !self.written.globals.contains(global),
            Base::Local(_) | Base::Fresh(..) | Base::Null => false,
        }
    }

    /// Something was written to a known scalar.
    pub fn write(&mut self, cell: Cell, value: Value) {
        let (base, at, bytes) = &cell;
        let end = at + *bytes as i64;
        self.cells
            .retain(|(known, from, size), _| known != base || *from >= end || from + *size as i64 <= *at);
        self.write_others(&cell.0.clone());
        self.cells.insert(cell, value);
    }

    /// Something was written somewhere in an object.
    pub fn write_somewhere(&mut self, base: &Base) {
        self.cells.retain(|(known, _, _), _| known != base);
        match base {
            Base::Source(source) => drop(self.written.behind.insert(source.clone())),
            Base::Global(global) => drop(self.written.globals.insert(*global)),
            Base::Local(local) => drop(self.written.locals.insert(*local)),
            Base::Fresh(..) | Base::Null => {}
        }
        self.write_others(base);
    }

    /// What a write to one object may be a write to, too: parameters lead to objects of their own, as
    /// `params-not-aliased` says; other pointers may lead to any of those and to globals.
    fn write_others(&mut self, base: &Base) {
        match base {
            Base::Source(source) if is_parameter(source) => {
                self.written.inner = true;
                self.cells.retain(|(known, _, _), _| !matches!(known, Base::Source(s) if !is_parameter(s)));
            }
            Base::Source(source) => {
                self.written.all = true;
                let own = Base::Source(source.clone());
                self.cells.retain(|(known, _, _), _| {
                    *known == own || matches!(known, Base::Local(_) | Base::Fresh(..))
                });
            }
            Base::Global(_) => {
                self.written.inner = true;
                self.cells.retain(|(known, _, _), _| !matches!(known, Base::Source(s) if !is_parameter(s)));
            }
            Base::Local(_) | Base::Fresh(..) | Base::Null => {}
        }
    }

    /// Anything may have been written that can be reached from outside, or whose address was given away.
    pub fn write_anything(&mut self) {
        self.cells.clear();
        self.written.all = true;
    }

    /// The values that speak of a place are not known any more.
    pub fn forget(&mut self, place: &Place) {
        let speaks = |value: &Value| match value {
            Value::Number(exact) => mentions(exact, place),
            Value::Pointer(base, exact) => {
                mentions(exact, place) || matches!(base, Base::Source(s) if s.mentions(place))
            }
            Value::Unknown => false,
        };
        self.registers.retain(|_, value| !speaks(value));
        for value in self.cells.values_mut() {
            if speaks(value) {
                *value = Value::Unknown;
            }
        }
        self.cells.retain(|(base, _, _), _| !matches!(base, Base::Source(s) if s.mentions(place)));
    }
}

fn mentions(exact: &Exact, place: &Place) -> bool {
    let tests = exact.given.iter().flat_map(Test::sources);
    exact.sum.terms.keys().chain(tests).any(|source| source.mentions(place))
}
