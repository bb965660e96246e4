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
        Comparison { op: self.op.negated(), ..self }
    }
}
