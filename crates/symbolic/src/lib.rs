// SPDX-License-Identifier: MIT OR Apache-2.0
//! Symbolic reasoning: terms over bit-vectors, IEEE floats, arrays of writes, and exact integers and reals.
//!
//! A term is built once ([`Terms`], hash-consed and simplified on the way), has one meaning, the one that
//! [`evaluate`] gives it with the arithmetic of `clew-base`, and everything else is judged by that meaning.
//!
//! The folders in their order, each of which knows only those before it:
//!
//! - `term`: terms, how they are built, what they mean, and what is known of their bits and ranges
//! - `simplify`: the rules by which a term is built smaller; `blast`: terms as circuits; `smtlib`: terms as SMT-LIB
//! - `solver`: queries to CaDiCaL, and to a solver outside
//! - `exec`: symbolic execution of programs

mod blast;
mod effort;
pub mod exec;
mod simplify;
pub mod smtlib;
pub mod solver;
pub mod term;

pub use blast::circuit::Circuit;
pub use solver::{Answer, Limits, Reason, Solver};
pub use term::evaluate::{ArrayValue, Model, Value, evaluate};
pub use term::facts::Facts;
pub use term::{
    BinaryOp, ExactRelation, FloatBinary, FloatRelation, FloatUnary, Sort, Term, TermId, Terms, VarId,
};
