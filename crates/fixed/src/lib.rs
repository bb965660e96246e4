// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed point: overflow and round-off by weighted model checking (paper 003, CANA), and past it.
//!
//! A program in C with doubles is read twice: as a computation in the reals, and as the fixed-point program that it will
//! become, where every result is rounded to a format and has to fit it. What is asked is how far the two may be apart,
//! and where a value does not fit.
//!
//! | room | what is in it |
//! |---|---|
//! | [`format`], [`exact`] | formats, and rounding to them |
//! | [`directed`], [`interval`], [`range`] | enclosures of reals: CI, AI, EAI |
//! | [`algebra`], [`pair`], [`mean`], [`concrete`] | numbers that stand for a real one and the machine's |
//! | [`setup`], [`annotation`], [`resolve`] | what is asked |
//! | [`walk`] and its neighbours | the weighted transition system, its weights made on the fly |
//! | [`semiring`], [`pushdown`] | the laws of weights; saturation for procedures |
//! | [`bound`], [`exhaust`], [`reach`], [`fit`], [`profile`] | best bounds, every run of few, reached errors, shortest formats, errors along an input |
//! | [`analysis`] | the whole answer, as plain data |
//! | [`emulate`] | the fixed-point program as C, for a witness |
//!
//! What this crate must not know: other engines, the front end, processes, terminals.
#![forbid(unsafe_code)]

pub mod algebra;
pub mod analysis;
pub mod annotation;
mod begin;
mod bits;
pub mod bound;
mod branch;
mod call;
mod compare;
pub mod concrete;
pub mod directed;
pub mod emulate;
mod eval;
pub mod exact;
pub mod exhaust;
mod facts;
pub mod fit;
pub mod format;
pub mod graph;
pub mod interval;
pub mod journal;
pub mod mean;
mod memory;
mod narrow;
mod numbers;
pub mod pair;
pub mod profile;
pub mod pushdown;
pub mod range;
pub mod reach;
pub mod resolve;
pub mod semiring;
pub mod setup;
pub mod store;
mod summary;
pub mod walk;

pub use begin::{Cell, cells, variable_type};
