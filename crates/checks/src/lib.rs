// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checks, one file each: what it is, why it is bad, its CWE, what happens after, and which operations carry it.

pub mod operation;

use clew_ir::obligation::{CheckKind, Condition};
use operation::Operation;

/// Says which obligations an operation carries, in the order they are evaluated.
pub fn demand(_operation: &Operation<'_>, _out: &mut dyn FnMut(CheckKind, Condition)) {}
