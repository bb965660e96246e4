// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our arithmetic, printing and parsing against the host's, on random operands.
//!
//! The number of operations of each arithmetic test is CLEW_HARDWARE_OPS (default modest; the full run is
//! 10,000,000 in release mode).

mod arithmetic;
mod random;
mod text;
