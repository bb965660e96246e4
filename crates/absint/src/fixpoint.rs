// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is computed until nothing grows: loops, recursion, calls in many contexts; and which runs are kept apart meanwhile.

pub(crate) mod case_split;
pub(crate) mod context_insensitive;
pub(crate) mod iterate;
pub(crate) mod nested;
pub(crate) mod partition;
pub(crate) mod partition_key;
pub(crate) mod phase;
pub(crate) mod recursion;
pub(crate) mod summary;
