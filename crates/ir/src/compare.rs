// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons seen from the other side.

use crate::syntax::CompareOp;

impl CompareOp {
    /// The comparison that holds where this one does not, for values that are not NaN.
    #[must_use]
    pub fn negated(self) -> CompareOp {
        match self {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Ge => CompareOp::Lt,
        }
    }

    /// The comparison with its operands exchanged.
    #[must_use]
    pub fn swapped(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            same @ (CompareOp::Eq | CompareOp::Ne) => same,
        }
    }
}
