// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one analysis of one entry carries along: what it was asked ([`options`]), what it may spend ([`loops`], [`level`]), what it
//! found out ([`results`], [`finding`]), and what it remembers of calls ([`summaries`]). It knows states, not how they change.

pub(crate) mod analyser;
pub(crate) mod budget;
pub(crate) mod call;
pub(crate) mod context;
pub(crate) mod effects;
pub(crate) mod evaluator;
pub(crate) mod facts;
pub(crate) mod finding;
pub mod level;
pub(crate) mod loops;
pub(crate) mod memo;
pub(crate) mod options;
pub(crate) mod pruned_paths;
pub mod pruning_plan;
pub(crate) mod recorder;
pub(crate) mod results;
pub(crate) mod summaries;
pub(crate) mod transfer;
pub(crate) mod value_log;
