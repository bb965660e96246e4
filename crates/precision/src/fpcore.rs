// SPDX-License-Identifier: MIT OR Apache-2.0
//! FPCore (fpbench.org) in and out.
//!
//! A core becomes a C function, with its precondition as an assumption, and takes the same road as any other C: there is
//! one meaning of programs here, not two. `read` gives the text; what a core cannot say in C is named, not dropped.

mod read;
mod syntax;
mod write;

pub use read::{Core, read, read_long, read_wide};
pub use write::write;
