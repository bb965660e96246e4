// SPDX-License-Identifier: MIT OR Apache-2.0
//! Symbolic reasoning: terms over bit-vectors, IEEE floats and arrays of writes.
//!
//! A term is built once ([`Terms`], hash-consed and simplified on the way), has one meaning, the one that
//! [`evaluate`] gives it with the arithmetic of `clew-base`, and everything else is judged by that meaning.

mod blast;
mod build;
pub mod circuit;
pub mod evaluate;
pub mod exec;
pub mod facts;
mod float_build;
pub mod outside;
mod simplify;
pub mod smtlib;
pub mod solver;
pub mod term;

pub use circuit::Circuit;
pub use evaluate::{ArrayValue, Model, Value, evaluate};
pub use facts::Facts;
pub use solver::{Answer, Limits, Reason, Solver};
pub use term::{BinaryOp, FloatBinary, FloatRelation, FloatUnary, Sort, Term, TermId, Terms, VarId};
