// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differences are remembered of: registers that hold integers, their negations, where registers point, and two
//! numbers of objects.
//!
//! Pointers take part through two integers that every pointer into an object has: how far it is from the start of its
//! object, and how much room is left from there to the end. `p++` adds one to the first and takes one from the second,
//! so that a cursor is compared with other cursors (`dst++, src++`) and with a counter that runs the other way
//! (`n--, p++`) alike. Both are counted in units of two to some power bytes, rounded down: in elements, as programs do.

use clew_ir::syntax::LocalId;

use crate::program::object::ObjectId;

/// The largest unit, as a power of two.
pub const LARGEST_UNIT: u32 = 4;

/// An integer of every run that differences are remembered of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Var {
    /// What a register of integer type holds.
    Register(LocalId),
    /// The negation of that: `x - (-y)` is a sum.
    Minus(LocalId),
    /// How far a register points into its object, in units of so many bytes (a power of two), rounded down.
    Offset(LocalId, u32),
    /// How much of that object is left from there on, in the same units, rounded down.
    Room(LocalId, u32),
    /// The size of an object, in such units, rounded down.
    Size(ObjectId, u32),
    /// The offset, in bytes, of a byte of an object that is zero: always the same one, until it is chosen anew.
    Nul(ObjectId),
}

impl From<LocalId> for Var {
    fn from(local: LocalId) -> Var {
        Var::Register(local)
    }
}

const ID_BITS: u32 = 26;
const LAST_ID: u32 = (1 << ID_BITS) - 1;

impl Var {
    /// The register that it is said of.
    pub fn local(self) -> Option<LocalId> {
        match self {
            Var::Register(local) | Var::Minus(local) | Var::Offset(local, _) | Var::Room(local, _) => {
                Some(local)
            }
            Var::Size(..) | Var::Nul(_) => None,
        }
    }

    /// The object that it is said of.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Var::Size(object, _) | Var::Nul(object) => Some(object),
            Var::Register(_) | Var::Minus(_) | Var::Offset(..) | Var::Room(..) => None,
        }
    }

    /// The same of another register.
    #[must_use]
    pub fn of_local(self, local: LocalId) -> Var {
        match self {
            Var::Register(_) => Var::Register(local),
            Var::Minus(_) => Var::Minus(local),
            Var::Offset(_, unit) => Var::Offset(local, unit),
            Var::Room(_, unit) => Var::Room(local, unit),
            Var::Size(..) | Var::Nul(_) => self,
        }
    }

    /// As a number; none for registers and objects beyond the first sixty million. The last number is that of the
    /// register that stands for a result, whose own number is the last there is.
    pub fn pack(self) -> Option<u32> {
        let id = |id: u32| match id {
            u32::MAX => Some(LAST_ID),
            id if id < LAST_ID => Some(id),
            _ => None,
        };
        let (tag, unit, id) = match self {
            Var::Register(local) => (0, 0, id(local.0)?),
            Var::Offset(local, unit) => (1, unit, id(local.0)?),
            Var::Room(local, unit) => (2, unit, id(local.0)?),
            Var::Size(object, unit) => (3, unit, id(object.0)?),
            Var::Nul(object) => (4, 0, id(object.0)?),
            Var::Minus(local) => (5, 0, id(local.0)?),
        };
        Some(tag << (ID_BITS + 3) | unit << ID_BITS | id)
    }

    /// The variable of a number that [`Var::pack`] gave.
    pub fn unpack(packed: u32) -> Var {
        let id = match packed & LAST_ID {
            LAST_ID => u32::MAX,
            id => id,
        };
        let unit = packed >> ID_BITS & 7;
        match packed >> (ID_BITS + 3) {
            0 => Var::Register(LocalId(id)),
            1 => Var::Offset(LocalId(id), unit),
            2 => Var::Room(LocalId(id), unit),
            3 => Var::Size(ObjectId(id), unit),
            4 => Var::Nul(ObjectId(id)),
            _ => Var::Minus(LocalId(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_comes_back_from_its_number() {
        for id in [0, 1, 77, LAST_ID - 1, u32::MAX] {
            let (local, object) = (LocalId(id), ObjectId(id));
            for unit in 0..=LARGEST_UNIT {
                let all = [Var::Offset(local, unit), Var::Room(local, unit), Var::Size(object, unit)];
                for var in all.into_iter().chain([Var::Register(local), Var::Minus(local), Var::Nul(object)])
                {
                    assert_eq!(var.pack().map(Var::unpack), Some(var));
                }
            }
        }
        assert_eq!(Var::Register(LocalId(LAST_ID)).pack(), None);
    }
}
