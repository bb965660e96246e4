// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an analysis has found out so far. It only grows, and no state depends on it but by [`Recorder::stored`] and
//! [`Recorder::callbacks`], with which an analysis is repeated until they are known from the start.

use std::collections::BTreeMap;

use clew_ir::syntax::FuncId;
use rustc_hash::FxHashSet;

use crate::engine::pruned_paths::PrunedPaths;
use crate::engine::pruning_plan::Parts;
use crate::engine::results::{Results, Subject};
use crate::engine::value_log::ValueLog;
use crate::program::callbacks::Callbacks;
use crate::program::object::{ObjectId, Site};
use crate::state::State;

/// What was found out.
#[derive(Default)]
pub(crate) struct Recorder {
    /// By obligation.
    pub(crate) results: Results,
    /// What was seen at each statement, for slices.
    pub(crate) value_log: Option<ValueLog>,
    /// Where runs were pruned.
    pub(crate) pruned: PrunedPaths,
    /// What holds where the program ends normally.
    pub(crate) exits: Option<State>,
    /// The leak obligation in front of the next call.
    pub(crate) pending_leak: Option<Subject>,
    /// Leak obligations by the call they stand before.
    pub(crate) leaks: BTreeMap<Site, Subject>,
    /// Whether some run may never end.
    pub(crate) may_hang: bool,
    /// Handlers of signals, and whether they have been analysed.
    pub(crate) handlers: BTreeMap<FuncId, bool>,
    /// What code that is not here may call.
    pub(crate) callbacks: Callbacks,
    /// Objects whose address has been stored in memory.
    pub(crate) stored: FxHashSet<ObjectId>,
    /// What of all the work was useful so far.
    pub(crate) useful: BTreeMap<FuncId, Parts>,
    /// Whether there is an input that may be split into cases.
    pub(crate) could_split: bool,
    /// Why results cannot be trusted, once that is so.
    pub(crate) failed: Option<String>,
}
