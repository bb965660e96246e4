// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floating-point exceptions by trapping (paper 002, Ariadne, and past it): which operations of a program raise overflow, division by zero,
//! invalid or underflow, on which inputs.
//!
//! The units are compiled by the system compiler with a table of calls behind each of them, and a search is linked to it. It runs in the sandbox of
//! `native`, one process a function, with exceptions unmasked there and nowhere else: a signal tells the instruction, the debug information
//! its line and column. Every answer is confirmed by a second program, that nothing was added to.
//!
//! - [`entry`]: the functions that can be called, and what their arguments are made of;
//! - `text`: the C that calls them;
//! - `build`: the two programs;
//! - `lines`: from an address to a place;
//! - [`search`]: runs of the search, and what they say;
//! - `sandbox`: how children run;
//! - `replay`: the second program's word;
//! - [`site`]: what is raised where, the best witness of each place, their order;
//! - `test`: a C test of a site;
//! - [`obligation`]: from places to obligations of the IR.
//!
//! What this crate must not know: the front end, the engines, formats of reports.

mod build;
pub mod entry;
mod lines;
pub mod obligation;
mod replay;
mod sandbox;
pub mod search;
pub mod site;
mod test;
mod text;
mod wrapped;

pub use build::{Programs, Settings};
pub use entry::{Entry, Skipped, entries};
pub use search::{Census, census};
pub use site::{Finding, Kind, Operation, Site, Via};
pub use test::test;
pub use text::hex;
