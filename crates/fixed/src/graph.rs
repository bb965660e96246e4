// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the paths of a test meet again: immediate post-dominators of a function's blocks.

use clew_ir::analysis::dominators::post_dominators;
use clew_ir::analysis::graph::control_flow;
use clew_ir::syntax::{BlockId, Body};

/// For each block, the block where all its paths meet again; none: the function's end.
pub fn meeting_points(body: &Body) -> Vec<Option<BlockId>> {
    let graph = control_flow(body);
    let ends: Vec<usize> = (0..graph.len()).filter(|node| graph[*node].is_empty()).collect();
    let next = post_dominators(&graph, &ends).into_iter();
    next.map(|to| to.filter(|to| *to != graph.len()).map(|to| BlockId(to as u32))).collect()
}
