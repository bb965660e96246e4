// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds at loop heads, in the few forms that one engine tells another.

use std::collections::BTreeMap;

use clew_base::int::IntType;

use crate::syntax::{BlockId, FuncId, GlobalId, LocalId};

/// Something that holds whenever a run that has violated nothing yet comes to a block.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// An integer in a register lies between these.
    Int {
        /// The register.
        local: LocalId,
        /// The least value.
        least: i128,
        /// The greatest.
        most: i128,
    },
    /// A float in a register is a number between these.
    Float {
        /// The register.
        local: LocalId,
        /// The least value.
        least: f64,
        /// The greatest.
        most: f64,
    },
    /// A pointer in a register leads to an object or a function, so many bytes from its start.
    Offset {
        /// The register.
        local: LocalId,
        /// The fewest.
        least: i128,
        /// The most.
        most: i128,
    },
    /// An integer in a register is larger than that in another by so much at most.
    Difference {
        /// The first.
        left: LocalId,
        /// The second.
        right: LocalId,
        /// `left - right` is not above this.
        most: i128,
    },
    /// The integer that is all there is in a global lies between these.
    Global {
        /// The global.
        global: GlobalId,
        /// Its type.
        int: IntType,
        /// The least value.
        least: i128,
        /// The greatest.
        most: i128,
    },
}

/// Facts by the block at whose start they hold.
pub type Heads = BTreeMap<(FuncId, BlockId), Vec<Fact>>;
