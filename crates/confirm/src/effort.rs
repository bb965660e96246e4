// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one run of a test may use, in one place.

use std::time::Duration;

/// How long it may take.
pub(crate) const RUN_TIME: Duration = Duration::from_secs(20);

/// Bytes of memory.
pub(crate) const RUN_MEMORY: u64 = 2 << 30;

/// Bytes of what it says.
pub(crate) const RUN_OUTPUT: u64 = 16 << 20;

/// Bytes of one file that it writes.
pub(crate) const FILE_BYTES: u64 = 16 << 20;

/// Bytes of all files that it writes.
pub(crate) const FOLDER_BYTES: u64 = 64 << 20;
