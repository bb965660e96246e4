// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engines behind the printf and scanf families, over traits, so that they know neither memory nor files.

pub mod directive;
pub mod float;
pub mod print;
pub mod scan;
mod scan_text;
#[cfg(test)]
mod tests;
