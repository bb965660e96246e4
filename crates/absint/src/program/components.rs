// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strongly connected components of a graph.

pub(crate) use clew_ir::analysis::components::{components, is_cycle};
