// SPDX-License-Identifier: MIT OR Apache-2.0
//! What people are told: values that could not be excluded, alarm slices, invariants at loop heads in words and as predicates on
//! concrete states.

pub mod invariant;
pub(crate) mod question;
pub(crate) mod render_invariants;
pub(crate) mod slice;
pub(crate) mod value_log;
