// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where widening may stop: the constants of the program and their neighbours, the limits of types, powers of ten
//! (paper 004, 7.1.2).

use clew_base::float::Float;
use clew_ir::syntax::{ExprKind, Program, Type};

use crate::value::Thresholds;

/// More than this many constants of a program are not kept: widening looks at all of them.
const MOST: usize = 2000;

/// The thresholds of a program.
pub fn of(program: &Program) -> Thresholds {
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
    for function in program.functions.iter() {
        for expr in function.body.iter().flat_map(|b| b.exprs.iter()) {
            match &expr.kind {
                ExprKind::Int(value) => around(&mut thresholds, *value),
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
    for exponent in -3..=38 {
        let power = 10f64.powi(exponent);
        thresholds.floats.extend([power, -power]);
    }
    thresholds.floats.extend([0.0, f64::from(f32::MAX), -f64::from(f32::MAX), f64::MAX, -f64::MAX]);
    tidy(thresholds)
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
