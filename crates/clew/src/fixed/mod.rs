// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `clew fixed` does beside the analysis: what the report is given, and confirmation by a compiled emulation.

pub mod confirm;
pub mod shown;
