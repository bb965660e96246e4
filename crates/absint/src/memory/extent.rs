// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an object in terms of a register.

use clew_ir::syntax::LocalId;

/// The size of an object in bytes: `scale * register + plus`, or at least that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The register.
    pub local: LocalId,
    /// Bytes for each unit of it.
    pub scale: i128,
    /// Bytes more.
    pub plus: i128,
    /// Whether it may be more.
    pub is_least: bool,
}
