// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an analysis is: the calls that are running, and what they have done so far.

use clew_ir::syntax::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::call::Recursion;
use crate::engine::effects::{Region, Writes};
use crate::engine::summaries::Notes;
use crate::memory::footprint::Reads;
use crate::program::object::{ObjectId, Site};

/// The calls that are running, and how they are analysed.
pub(crate) struct CallContext {
    /// The functions being analysed, outermost first.
    pub(crate) stack: Vec<FuncId>,
    /// The program's call that led into a library model.
    pub(crate) model_call: Option<Site>,
    /// What is known of recursive functions that are running.
    pub(crate) recursion: FxHashMap<FuncId, Recursion>,
    /// Contexts of recursive functions so far.
    pub(crate) contexts: FxHashMap<FuncId, u32>,
    /// Allocations whose last object became an older one since the running call began.
    pub(crate) aged: FxHashSet<ObjectId>,
    /// What was written since the running call began.
    pub(crate) written: Writes,
    /// What the running calls look at.
    pub(crate) reads: Reads,
    /// Regions of unordered calls that are open.
    pub(crate) regions: Vec<Region>,
    /// What the running calls have done so far, outermost first.
    pub(crate) notes: Vec<Notes>,
    /// Whether obligations that are met are judged for the report; not while loops are still growing.
    pub(crate) recording: bool,
    /// Whether loops are worth little work now: they are in a function that is analysed once for all its calls.
    pub(crate) is_hurried: bool,
    /// Whether arithmetic that goes wrong ends the run. Off in the second round, which looks for proofs that rest on
    /// nothing.
    pub(crate) prune_arithmetic: bool,
}

impl Default for CallContext {
    fn default() -> CallContext {
        CallContext {
            stack: Vec::new(),
            model_call: None,
            recursion: FxHashMap::default(),
            contexts: FxHashMap::default(),
            aged: FxHashSet::default(),
            written: Writes::default(),
            reads: Reads::default(),
            regions: Vec::new(),
            notes: Vec::new(),
            recording: true,
            is_hurried: false,
            prune_arithmetic: true,
        }
    }
}
