// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tests and statements make of a state. Calls and loops are none of its business.

use crate::domain::tuple::Index;
use crate::engine::evaluator::Evaluator;
use crate::memory::recorded::Memory;

/// Changes states.
pub struct Transfer<'p> {
    /// What expressions are in a state.
    pub(crate) eval: Evaluator<'p>,
    /// The tuples of places that have been met.
    pub(crate) tuples: Index,
    /// The memory that was left when all that has escaped was changed last: changing it again changes nothing.
    pub(crate) havocked: Option<Memory>,
}
