// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of calls that came before: `explore/summary.rs` makes and uses it.

use std::rc::Rc;

use clew_ir::syntax::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exec::record::event::Event;
use crate::exec::state::path::Path;
use crate::exec::state::value::{ObjectId, Value};
use crate::exec::state::{Local, Memory, Object};

/// A function with the arguments of a call, and whether its value is used.
pub(crate) type Key = (FuncId, Vec<Value>, bool);

/// What is known of calls.
#[derive(Default)]
pub(crate) struct Summaries {
    pub known: FxHashMap<Key, CallSummary>,
    /// Functions whose calls are never the same twice.
    pub never: FxHashSet<FuncId>,
}

pub(crate) enum CallSummary {
    /// It was inlined once, and is worth more.
    Inlined,
    Summary(Rc<Summary>),
}

/// What the execution knows that a call may look at: who answers for objects of the heap, numbers that were made from
/// pointers, whether functions run after `main`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallContext {
    pub births: usize,
    pub exposed: usize,
    pub has_handlers: bool,
}

/// What a call does, under no condition.
pub(crate) struct Summary {
    pub context: CallContext,
    /// Memory as it was before.
    pub before: Memory,
    /// What came of it.
    pub news: Vec<(ObjectId, Rc<Object>)>,
    pub events: Vec<Event>,
    /// The path on which it returns and the value, if it does return.
    pub returns: Option<(Path, Option<Local>)>,
}
