// SPDX-License-Identifier: MIT OR Apache-2.0
//! A comparison of two expressions, as one thing.

use clew_ir::syntax::{CompareOp, ExprId};

/// `left op right`.
#[derive(Clone, Copy)]
pub(crate) struct Comparison {
    pub op: CompareOp,
    pub left: ExprId,
    pub right: ExprId,
}

impl Comparison {
    /// The comparison that holds when this one does not, for values that are not NaN.
    pub(crate) fn negated(self) -> Comparison {
        Comparison { op: negated(self.op), ..self }
    }
}

fn negated(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Ge => CompareOp::Lt,
    }
}
