// SPDX-License-Identifier: MIT OR Apache-2.0
//! What programs do to states: the value of an expression, what a test says of its operands, statements, obligations, calls; and
//! one file for what each domain learns on the way.

pub(crate) mod access;
pub(crate) mod affine;
pub(crate) mod array_segments;
pub(crate) mod backward_float;
pub(crate) mod backward_read;
pub(crate) mod call;
pub(crate) mod callback;
pub(crate) mod callees;
pub(crate) mod check;
pub(crate) mod clocked;
pub(crate) mod cursor;
pub(crate) mod decision_tree;
pub(crate) mod entry;
pub(crate) mod eval;
pub(crate) mod extent;
pub(crate) mod handover;
pub(crate) mod inputs;
pub(crate) mod linear;
pub(crate) mod memory;
pub(crate) mod nul_position;
pub(crate) mod octagon;
pub(crate) mod progression;
pub(crate) mod promises;
pub(crate) mod refine;
pub(crate) mod signals;
pub(crate) mod statement;
pub(crate) mod sum;
pub(crate) mod tuple;
pub(crate) mod written;
