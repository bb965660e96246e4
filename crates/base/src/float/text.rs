// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floats as text: what `strtod` reads and `printf` writes, exactly, for every format.
//!
//! Both directions go through big integers rather than tables: every digit is right in every rounding mode,
//! and there is one algorithm for five formats.

mod decimal;
mod parse;
mod print;

pub use parse::{Parsed, parse_literal, parse_prefix};
pub use print::{Conversion, Spec};
