// SPDX-License-Identifier: MIT OR Apache-2.0
//! Round-off: how far the floats of a program may be from the numbers they stand for.
//!
//! A consumer of the IR beside the engines. `walk` turns a function into paths over one hash-consed expression (`dag`);
//! `ranges`, `bound` and `split` bound its error for all inputs; `run` and `sample` run it on single inputs, on the
//! machine and in high precision, and share no arithmetic with the bounds; `blame` says where errors come from. `shadow`
//! runs whole functions that no walk can follow, and `find` looks for inputs on which those are wrong.
#![forbid(unsafe_code)]

pub mod acsl;
pub mod affine;
pub mod analyse;
pub mod blame;
pub mod bound;
pub mod constant;
pub mod dag;
pub mod exact;
pub mod find;
pub mod fpcore;
pub mod functions;
pub mod integers;
pub mod interval;
pub mod kernel;
pub mod model;
pub mod options;
mod push;
pub mod ranges;
pub mod relative;
pub mod rewrite;
pub mod rounding;
pub mod run;
pub mod sample;
mod shadow;
pub mod split;
mod spread;
pub mod stable;
mod walk;

pub use analyse::{Answer, Output, Stability, analyse, kernel_of, properties};
pub use interval::Interval;
pub use options::Options;
pub use walk::Refusal;
