// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where widening may stop: constants of the program and their neighbours, the limits of types, lengths of arrays,
//! powers of ten (paper 004, 7.1.2).
//!
//! A loop stops at the constants of its function and of what that may call. Those of the whole program would be
//! hundreds in real code, and each a round of every loop whose bound is none of them.

use std::rc::Rc;

use clew_base::float::Float;
use clew_base::index::Idx;
use clew_ir::syntax::{ExprKind, FuncId, Function, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effort::thresholds::MOST;

/// The thresholds of each function.
pub struct Table {
    callees: Vec<Vec<usize>>,
    known: FxHashMap<FuncId, Rc<Thresholds>>,
}

impl Table {
    /// For a program.
    pub fn new(program: &Program) -> Table {
        Table { callees: crate::program::call_graph::callees(program), known: FxHashMap::default() }
    }

    /// Where widening in a function may stop.
    pub fn of(&mut self, program: &Program, function: FuncId) -> Rc<Thresholds> {
        if let Some(known) = self.known.get(&function) {
            return known.clone();
        }
        let mut thresholds = general(program);
        let mut seen = FxHashSet::from_iter([function]);
        let mut work = vec![function];
        while let Some(next) = work.pop() {
            constants(program, &program.functions[next], &mut thresholds);
            let callees = self.callees[next.index()].iter().map(|callee| FuncId::new(*callee));
            work.extend(callees.filter(|callee| seen.insert(*callee)));
        }
        let thresholds = Rc::new(tidy(thresholds));
        self.known.insert(function, thresholds.clone());
        thresholds
    }
}

/// Those of every function.
fn general(program: &Program) -> Thresholds {
    let mut thresholds = Thresholds::default();
    for bits in [8, 16, 32, 64] {
        let half = 1i128 << (bits - 1);
        thresholds.ints.extend([-half, half - 1, half, 2 * half - 1]);
    }
    thresholds.ints.extend([-1, 0, 1]);
    for ty in program.types.iter() {
        if let Type::Array { length: Some(length), .. } = ty {
            around(&mut thresholds, i128::from(*length));
        }
    }
    for exponent in -3..=38 {
        let power = 10f64.powi(exponent);
        thresholds.floats.extend([power, -power]);
    }
    thresholds.floats.extend([0.0, f64::from(f32::MAX), -f64::from(f32::MAX), f64::MAX, -f64::MAX]);
    thresholds
}

fn constants(program: &Program, function: &Function, thresholds: &mut Thresholds) {
    for expr in function.body.iter().flat_map(|b| b.exprs.iter()) {
        match &expr.kind {
            ExprKind::Int(value) => around(thresholds, *value),
            ExprKind::Float { bits, .. } => {
                if let Some(format) = program.types().float_format(expr.ty) {
                    let value = Float::from_bits(format, *bits).to_f64();
                    if value.is_finite() {
                        thresholds.floats.extend([value, -value]);
                    }
                }
            }
            _ => {}
        }
    }
}

fn around(thresholds: &mut Thresholds, value: i128) {
    if value.abs() <= 1 << 64 && thresholds.ints.len() < 4 * MOST {
        thresholds.ints.extend([value - 1, value, value + 1, -value]);
    }
}

fn tidy(mut thresholds: Thresholds) -> Thresholds {
    thresholds.ints.sort_unstable();
    thresholds.ints.dedup();
    thresholds.floats.truncate(4 * MOST);
    thresholds.floats.sort_by(f64::total_cmp);
    thresholds.floats.dedup();
    thresholds
}

/// Where widening may stop.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    /// Ascending.
    pub ints: Vec<i128>,
    /// Ascending.
    pub floats: Vec<f64>,
}
