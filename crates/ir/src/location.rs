// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where something stands in a program, and which obligation is meant: the one identity that all engines use.
//!
//! These name places of one linked program in memory. What lasts over runs and files is a
//! [`StableId`](crate::obligation::StableId).

use crate::syntax::{BlockId, FuncId, ObligationId};

/// A statement of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// Which of its statements; as many as there are is the terminator.
    pub statement: u32,
}

/// An obligation of the program, or one of a library model at a call that the program makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObligationRef {
    /// The function the obligation is of.
    pub function: FuncId,
    /// The obligation.
    pub obligation: ObligationId,
    /// For a model: the program's call.
    pub call: Option<Location>,
}

impl ObligationRef {
    /// An obligation of the program itself.
    pub fn own(function: FuncId, obligation: ObligationId) -> ObligationRef {
        ObligationRef { function, obligation, call: None }
    }

    /// The obligation at whatever call: what a verdict about all calls is about.
    pub fn at_any_call(self) -> (FuncId, ObligationId) {
        (self.function, self.obligation)
    }
}
