// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every other crate stands on: typed indices, files and spans, the one definition of C
//! arithmetic, and threads.

pub mod exact;
pub mod float;
pub mod index;
pub mod int;
pub mod source;
pub mod stack;
pub mod workers;
