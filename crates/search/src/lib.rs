// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks for inputs that violate open obligations, by running the program on well-chosen ones.
//!
//! The cheapest way to a witness: first what a person would try (zeroes, edges of types, constants of the source, long
//! strings), then what the runs themselves suggest. Of each run is known which sides of its comparisons it saw and how
//! near it came to the others and to the open obligations; single inputs then move in growing steps as long as that
//! brings the run nearer (Korel's alternating variable method), and a value that was compared with an input takes its
//! place. The interpreter judges every run, so whatever is found is a violation. Work is counted in steps of the
//! interpreter; everything follows from fixed seeds.

mod distance;
mod effort;
mod engine;
mod feedback;
mod guided;
mod minimise;
mod out_parameter_texts;
mod replay;
mod simplest;
mod strings;
mod tape;
mod unfinished;
mod uninitialised;
mod unusual_starts;
mod values;
mod witness;

pub use effort::{LONGEST_ALONE, LONGEST_RUN, MEMORY};
pub use engine::{Found, Key, Request, Searched, check_of, passed, search};
pub use replay::{Effort, replayed};
pub use simplest::simplest;
pub use unfinished::Unfinished;
