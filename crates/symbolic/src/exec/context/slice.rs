// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an execution for some obligations leaves out. Which that is, is the business of `slice`.

use std::rc::Rc;

use clew_ir::location::Location;
use clew_ir::syntax::{BlockId, FuncId, GlobalId, LocalId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an execution leaves out.
pub(crate) struct Slice {
    pub regions: FxHashMap<(FuncId, BlockId), Rc<Step>>,
    pub calls: FxHashMap<Location, Rc<Step>>,
    pub over: FxHashMap<(FuncId, BlockId), u32>,
    /// Objects that no pointer leads to.
    pub private: FxHashSet<Var>,
}

/// A step over a segment.
pub(crate) struct Step {
    /// Whether the head's own statements belong to the segment.
    pub has_head: bool,
    /// Where runs go on; none behind a call.
    pub join: Option<BlockId>,
    pub writes: Vec<Var>,
}

/// Something that holds values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Var {
    /// A register, or what a local object holds.
    Local(FuncId, LocalId),
    /// What a global holds.
    Global(GlobalId),
    /// What any object holds that a pointer may lead to.
    Memory,
}

impl Slice {
    /// Whether nothing is left to execute for from a statement on.
    pub fn is_over(&self, at: Location) -> bool {
        self.over.get(&(at.function, at.block)).is_some_and(|first| at.statement >= *first)
    }

    pub fn region(&self, function: FuncId, head: BlockId, at_start: bool) -> Option<Rc<Step>> {
        let step = self.regions.get(&(function, head))?;
        (step.has_head == at_start).then(|| step.clone())
    }
}
