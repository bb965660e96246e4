// SPDX-License-Identifier: MIT OR Apache-2.0
//! Symbolic reasoning: terms over bit-vectors, IEEE floats, arrays of writes, and exact integers and reals.
//!
//! A term is built once ([`Terms`], hash-consed and simplified on the way), has one meaning, the one that
//! [`evaluate`] gives it with the arithmetic of `clew-base`, and everything else is judged by that meaning.

mod blast;
mod build;
pub mod circuit;
pub mod evaluate;
mod exact_build;
pub mod exec;
pub mod facts;
mod float_build;
pub mod outside;
pub mod range;
mod simplify;
pub mod smtlib;
pub mod solver;
pub mod term;

pub use circuit::Circuit;
pub use evaluate::{ArrayValue, Model, Value, evaluate};
pub use facts::Facts;
pub use solver::{Answer, Limits, Reason, Solver};
pub use term::{
    BinaryOp, ExactRelation, FloatBinary, FloatRelation, FloatUnary, Sort, Term, TermId, Terms, VarId,
};
