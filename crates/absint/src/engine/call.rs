// SPDX-License-Identifier: MIT OR Apache-2.0
//! What calls hand over and leave.

use clew_ir::syntax::{LocalId, TypeId};

use crate::domain::access::Accesses;
use crate::domain::difference::Relations;
use crate::domain::value::Value;
use crate::engine::effects::Effects;
use crate::memory::contents::Segment;
use crate::program::object::ObjectId;
use crate::state::State;
use crate::state::symbolic::Symbolic;

/// The register of an exit state that holds the result.
pub(crate) const RESULT: LocalId = LocalId(u32::MAX);

/// What is known of a recursive function that is being analysed.
pub(crate) struct Recursion {
    pub(crate) entry: State,
    pub(crate) exit: Option<State>,
    pub(crate) grew: bool,
    pub(crate) rounds: u32,
    /// Calls that were running when it began; those above depend on what is known of it so far.
    pub(crate) base: usize,
    /// Contexts of the same function around it.
    pub(crate) depth: u32,
    /// What calls of it may read and write, as far as that is known.
    pub(crate) effects: Effects,
}

/// An argument, evaluated.
#[derive(Clone)]
pub(crate) enum Passed {
    /// A scalar.
    Value(Value),
    /// The bytes of a record; none if they are not known.
    Bytes(Option<Vec<(u64, Segment)>>),
}

/// What a call leaves.
pub(crate) struct Exit {
    pub(crate) state: State,
    /// Allocations whose last object may have become an older one: its name, and that of the older ones.
    pub(crate) aged: rustc_hash::FxHashMap<ObjectId, ObjectId>,
    /// What may have been written on the way.
    pub(crate) written: crate::engine::effects::Writes,
}

/// What is known of the parameters of a call, and of objects in terms of them.
#[derive(Default)]
pub(crate) struct ParameterFacts {
    /// Objects in terms of parameters.
    pub(crate) symbolic: Symbolic,
    /// Differences between parameters, and with objects.
    pub(crate) relations: Relations,
    /// What accesses have shown of the objects that they point into.
    pub(crate) accesses: Accesses,
    /// The types of the arguments, where a call of the program passes them.
    pub(crate) types: Vec<TypeId>,
}
