// SPDX-License-Identifier: MIT OR Apache-2.0
//! By what runs are kept apart (trace partitioning): one kind of token for all that does it.

use clew_ir::syntax::{BlockId, LocalId};

use crate::map::Key;
use crate::program::object::Site;

/// What tells the runs of the running function apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partition {
    /// The value that something had at a statement.
    Statement(BlockId, u32),
    /// The way out of a loop, by its head.
    LoopExit(BlockId),
    /// The iteration in which a loop was left, by its head.
    Iteration(BlockId),
    /// The case of an input.
    Input,
    /// The value of a register.
    Register(LocalId),
}

impl Partition {
    /// The value that something had at a statement.
    pub fn at(site: Site) -> Partition {
        Partition::Statement(site.block, site.statement)
    }
}

/// The bits that hold a block, a register or a statement.
const WIDTH: u32 = 32;
/// The kind stands above block numbers.
const KIND: u32 = 60;

impl Key for Partition {
    fn into_number(self) -> u64 {
        let (kind, block, low) = match self {
            Partition::Statement(block, statement) => (0, block.0, statement),
            Partition::LoopExit(head) => (1, 0, head.0),
            Partition::Iteration(head) => (2, 0, head.0),
            Partition::Input => (3, 0, 0),
            Partition::Register(local) => (4, 0, local.0),
        };
        debug_assert!(block < 1 << (KIND - WIDTH));
        kind << KIND | u64::from(block) << WIDTH | u64::from(low)
    }

    fn from_number(number: u64) -> Partition {
        let low = number as u32;
        match number >> KIND {
            0 => Partition::Statement(BlockId((number >> WIDTH) as u32), low),
            1 => Partition::LoopExit(BlockId(low)),
            2 => Partition::Iteration(BlockId(low)),
            3 => Partition::Input,
            _ => Partition::Register(LocalId(low)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_comes_back_from_its_number() {
        let (block, local) = (BlockId(70_000), LocalId(u32::MAX));
        for token in [
            Partition::Statement(block, u32::MAX),
            Partition::LoopExit(block),
            Partition::Iteration(block),
            Partition::Input,
            Partition::Register(local),
        ] {
            assert_eq!(Partition::from_number(token.into_number()), token);
        }
    }
}
