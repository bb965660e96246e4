// SPDX-License-Identifier: MIT OR Apache-2.0
//! An object as it is at one point of a run.

use crate::domain::int::Int;
use crate::memory::contents::Contents;
use crate::memory::footprint::ClockView;

/// An object as it is at one point. One that is not in the memory has not been made.
#[derive(Clone, Debug)]
pub struct Obj {
    /// Whether it may be alive and whether it may be dead.
    pub life: Life,
    /// Its bytes.
    pub size: Int,
    /// What stands in it.
    pub contents: Contents,
}

/// Whether an object may be alive, and whether it may be dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life {
    /// It may be alive.
    pub alive: bool,
    /// It may be dead.
    pub dead: bool,
}

impl PartialEq for Obj {
    fn eq(&self, other: &Obj) -> bool {
        // Memories are compared as a whole where calls are remembered, and share most of their objects.
        std::ptr::eq(self, other)
            || (self.life == other.life && self.size == other.size && self.contents == other.contents)
    }
}

impl Obj {
    /// Whether it may be no more than the other. The clock is that of the state that this is in.
    pub fn is_subset(&self, other: &Obj, clock: Option<ClockView<'_>>) -> bool {
        (other.life.alive || !self.life.alive)
            && (other.life.dead || !self.life.dead)
            && self.size.is_subset(&other.size)
            && self.contents.is_subset(&other.contents)
            && self.contents.clocked_within(&other.contents, clock)
    }
}

impl Life {
    /// Surely alive, if it was made.
    pub const ALIVE: Life = Life { alive: true, dead: false };
    /// Surely dead, if it was made.
    pub const DEAD: Life = Life { alive: false, dead: true };

    pub(crate) fn join(self, other: Life) -> Life {
        Life { alive: self.alive || other.alive, dead: self.dead || other.dead }
    }
}
