// SPDX-License-Identifier: MIT OR Apache-2.0
//! Integers that are known, as the machine computes them.

use clew_base::int::IntType;
use clew_ir::syntax::BinaryOp;

/// `x op y`, or why there is no such number.
pub fn integers(op: BinaryOp, x: i128, y: i128, ty: IntType) -> Result<i128, &'static str> {
    const ZERO: &str = "an integer division by zero";
    const FAR: &str = "a shift by too much";
    Ok(match op {
        BinaryOp::Add => ty.add(x, y).0,
        BinaryOp::Sub => ty.sub(x, y).0,
        BinaryOp::Mul => ty.mul(x, y).0,
        BinaryOp::Div => ty.div(x, y).map_err(|_| ZERO)?,
        BinaryOp::Rem => ty.rem(x, y).map_err(|_| ZERO)?,
        BinaryOp::Shl => ty.shl(x, y).map_err(|_| FAR)?.value,
        BinaryOp::Shr => ty.shr(x, y).map_err(|_| FAR)?,
        BinaryOp::And => ty.and(x, y),
        BinaryOp::Or => ty.or(x, y),
        BinaryOp::Xor => ty.xor(x, y),
    })
}
