// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run tells about the path it took: which sides of its comparisons it saw, and how near it came to the others.

use clew_interpreter::probe::{Comparison, Probe};
use clew_interpreter::value::Value;
use clew_ir::syntax::{BlockId, CompareOp, FuncId, ObligationId, Program, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::distance::{self, rank};
use crate::effort::MOST_PAIRS;

/// Something that a run may do or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A comparison holds, or does not.
    Side(Comparison, bool),
    /// A switch takes a case, by its number.
    Case(FuncId, BlockId, u32),
    /// An obligation is violated.
    Violation(FuncId, ObligationId),
}

/// Two numbers that were compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Pair {
    /// Integers.
    Integers(i128, i128),
    /// Floats, by their rank.
    Floats(i128, i128),
}

/// What one run told.
pub struct Feedback<'p> {
    program: &'p Program,
    /// How near the run came to each target; zero if it hit it.
    pub nearest: FxHashMap<Target, f64>,
    /// What was compared.
    pub pairs: FxHashSet<Pair>,
}

impl<'p> Feedback<'p> {
    /// Nothing yet.
    pub fn new(program: &'p Program) -> Feedback<'p> {
        Feedback { program, nearest: FxHashMap::default(), pairs: FxHashSet::default() }
    }

    fn note(&mut self, target: Target, distance: f64) {
        let nearest = self.nearest.entry(target).or_insert(f64::INFINITY);
        *nearest = nearest.min(distance);
    }

    fn pair(&mut self, left: Value, right: Value) {
        if self.pairs.len() >= MOST_PAIRS {
            return;
        }
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => drop(self.pairs.insert(Pair::Integers(left, right))),
            (Value::Float(left), Value::Float(right)) => {
                self.pairs.insert(Pair::Floats(rank(left), rank(right)));
            }
            _ => {}
        }
    }
}

impl Probe for Feedback<'_> {
    fn compare(&mut self, at: Comparison, op: CompareOp, left: Value, right: Value) {
        self.pair(left, right);
        self.note(Target::Side(at, true), distance::compare(op, left, right));
        self.note(Target::Side(at, false), distance::compare(op.negated(), left, right));
    }

    fn switch(&mut self, function: FuncId, block: BlockId, value: i128) {
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return };
        let Terminator::Switch { cases, .. } = &body.blocks[block].terminator else { return };
        for (number, (low, high, _)) in cases.iter().enumerate() {
            let below = low.saturating_sub(value).max(0);
            let above = value.saturating_sub(*high).max(0);
            self.note(Target::Case(function, block, number as u32), below.max(above) as f64);
            self.pair(Value::Int(value), Value::Int(*low));
        }
    }

    fn operands(&mut self, function: FuncId, obligation: ObligationId, left: Value, right: Value) {
        let Some(body) = &self.program.functions[function].body else { return };
        if let Some(distance) = distance::violation(self.program, body, obligation, left, right) {
            self.note(Target::Violation(function, obligation), distance);
        }
    }

    fn access(&mut self, function: FuncId, obligation: ObligationId, before: i64, after: i64) {
        let distance = (before.min(after) as f64 + 1.0).max(0.5);
        self.note(Target::Violation(function, obligation), distance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str =
        "clew-ir 1\ntarget \"x86_64-linux-gnu\" pointer 8 char signed int 32 long 64 long_double x87\n";

    #[test]
    fn the_nearest_of_several_comparisons_counts() {
        let program = clew_ir::text::parse(PROGRAM).expect("the program parses");
        let mut feedback = Feedback::new(&program);
        let at = Comparison { function: FuncId(0), block: BlockId(0), statement: None };
        feedback.compare(at, CompareOp::Eq, Value::Int(3), Value::Int(10));
        feedback.compare(at, CompareOp::Eq, Value::Int(9), Value::Int(10));
        assert_eq!(feedback.nearest[&Target::Side(at, true)], 1.0);
        assert_eq!(feedback.nearest[&Target::Side(at, false)], 0.0);
        assert!(feedback.pairs.contains(&Pair::Integers(3, 10)) && feedback.pairs.len() == 2);
    }

    #[test]
    fn few_pairs_are_kept() {
        let program = clew_ir::text::parse(PROGRAM).expect("the program parses");
        let mut feedback = Feedback::new(&program);
        (0..1000).for_each(|number| feedback.pair(Value::Int(number), Value::Int(0)));
        assert_eq!(feedback.pairs.len(), MOST_PAIRS);
    }
}
