// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `clew fixed` does beside the analysis: reports, and confirmation by a compiled emulation.

pub mod confirm;
pub mod show;
