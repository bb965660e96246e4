// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places that hold a scalar: registers and cells of memory.

use clew_ir::syntax::{FuncId, LocalId};

use crate::domain::shape::Shape;
use crate::domain::tuple::Key;
use crate::program::object::ObjectId;

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// A register of the running function.
    Register(LocalId),
    /// A scalar in memory.
    Cell(Cell),
}

impl Place {
    pub(crate) fn cell(&self) -> Option<&Cell> {
        match self {
            Place::Cell(cell) => Some(cell),
            Place::Register(_) => None,
        }
    }

    /// What places are sorted by.
    pub(crate) fn order(&self) -> (bool, u64, u64) {
        match self {
            Place::Register(local) => (false, u64::from(local.0), 0),
            Place::Cell(cell) => (true, u64::from(cell.object.0), cell.offset),
        }
    }

    pub(crate) fn key(&self, function: FuncId) -> Key {
        match self {
            Place::Register(local) => (1 << 63 | u64::from(function.0), u64::from(local.0)),
            Place::Cell(cell) => (u64::from(cell.object.0), cell.offset),
        }
    }
}

/// A scalar in memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// The object.
    pub object: ObjectId,
    /// First byte.
    pub offset: u64,
    /// How it is read.
    pub shape: Shape,
}
