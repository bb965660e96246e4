// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a program before it is analysed: names of objects, the order of blocks, who calls whom, where widening may
//! stop, and which registers and runs are worth looking at together. It knows nothing of abstract values.

pub(crate) mod call_graph;
pub(crate) mod callbacks;
pub(crate) mod comparison;
pub(crate) mod components;
pub(crate) mod counters;
pub(crate) mod flow;
pub(crate) mod object;
pub(crate) mod octagon_packing;
pub(crate) mod partitioning;
pub(crate) mod phases;
pub(crate) mod shifts;
pub(crate) mod thresholds;
pub(crate) mod tree_pairs;
