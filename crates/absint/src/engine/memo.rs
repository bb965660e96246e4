// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an analysis remembers in order not to compute it again.

use clew_ir::syntax::{BlockId, FuncId};
use rustc_hash::FxHashMap;

use crate::engine::summaries::Summaries;
use crate::memory::footprint::Footprint;
use crate::program::object::Site;
use crate::state::State;
use crate::state::given::Given;

/// What was computed before.
#[derive(Default)]
pub(crate) struct Memo {
    /// What calls did that have been analysed.
    pub(crate) summaries: Summaries,
    /// The last invariant of each loop.
    pub(crate) invariants: FxHashMap<(FuncId, BlockId, Option<Site>), Sought>,
}

/// An invariant of a loop.
pub(crate) struct Sought {
    /// The state it was sought from.
    pub(crate) from: State,
    pub(crate) invariant: State,
    /// The objects that the search looked at.
    pub(crate) footprint: Footprint,
    /// What it pruned.
    pub(crate) prunings: Given,
    /// The number of the outermost search that it was a part of.
    pub(crate) search: u64,
}
