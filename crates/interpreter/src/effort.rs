// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run may spend beside its steps and its memory, in one place: each constant says what it bounds.

/// How deep library functions may call back into the program: each level uses our own stack.
pub(crate) const MOST_CALL_BACKS: u32 = 200;

/// How many registers all frames may have together: half a gigabyte of them.
pub(crate) const MOST_REGISTERS: usize = 1 << 26;

/// How many marks are kept; older ones are overwritten, as a buffer that is used again would be.
pub(crate) const MOST_MARKS: usize = 1 << 16;

/// How many accesses are remembered. Beyond it, the regions that are open are not judged.
pub(crate) const MOST_ACCESSES: usize = 1 << 16;

/// How many overlapping accesses are compared with each: repeated accesses to one place are alike.
pub(crate) const MOST_NEIGHBOURS: usize = 1024;

/// How many dead slots of the stack are kept before the oldest is used again: they tell where an object died.
pub(crate) const STACK_QUARANTINE: usize = 2048;

/// The same of the heap.
pub(crate) const HEAP_QUARANTINE: usize = 1 << 18;

/// A dead stack object keeps buffers of so many bytes at most for the next one.
pub(crate) const KEPT_BUFFER: usize = 4096;

/// A `switch` whose table would have at most this many entries for each case becomes a table.
pub(crate) const SPARSEST_TABLE: u128 = 8;
