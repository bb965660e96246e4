// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which tests decide whether a block runs.

pub(super) use clew_ir::analysis::control::controllers;
