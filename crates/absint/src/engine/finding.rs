// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of an obligation.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_ir::obligation::CheckKind;

use crate::engine::results::Subject;
use crate::program::object::Site;

/// What is known of a library model's obligations at calls where none was seen: outcome and conditions.
pub type UnreachedCalls = BTreeMap<Site, (Outcome, Arc<[Subject]>)>;

/// What is known of one obligation from one entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The check.
    pub check: CheckKind,
    /// Whether it holds.
    pub outcome: Outcome,
    /// The obligations this rests on: they are open, they may come before, and their violation was pruned.
    pub given: Arc<[Subject]>,
}

/// What is known of an obligation.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It holds in every run.
    Holds,
    /// No run comes to it.
    Unreached,
    /// It may be violated, as far as is known; the values that could not be excluded.
    Open(Option<String>),
    /// It comes after something that the analysis does not understand.
    Unsupported(String),
}
