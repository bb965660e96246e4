// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the search may spend, in one place: each constant says what it bounds. None of them decides what is true, only
//! what is found.

// Runs.

/// Steps that a run costs beside its own: everything static is made anew.
pub(crate) const RUN_COST: u64 = 400;

/// Bytes of objects that cost about as much to make as a step.
pub(crate) const BYTES_A_STEP: u64 = 256;

/// Steps of the first run, which looks at nothing and is quick. No run is longer.
pub const LONGEST_RUN: u64 = 10_000_000;

/// Steps of a run that is worth it: the one of a program that asks for nothing, or one that is known to fail.
pub const LONGEST_ALONE: u64 = 400_000_000;

/// Steps of the others at first: a program that runs for ever must not use up everything at once.
pub(crate) const FIRST_STEPS: u64 = 8_000;

/// Steps of the others at most.
pub(crate) const MOST_STEPS: u64 = 500_000;

/// Bytes of live objects of a run.
pub const MEMORY: u64 = 256 << 20;

/// Allocations that fail, one in each run.
pub(crate) const MOST_FAILING_ALLOCATIONS: u64 = 24;

/// More numbers than this are given, but not written down: such a run is no good witness.
pub(crate) const MOST_KEPT_NUMBERS: usize = 1 << 16;

/// More objects than this hold what the options of the run say.
pub(crate) const MOST_CHOSEN_OBJECTS: usize = 1 << 10;

// What is tried.

/// More constants of one kind than this are not tried one by one.
pub(crate) const MOST_CONSTANTS: usize = 200;

/// More pairs than this are not kept: a loop compares the same over and over.
pub(crate) const MOST_PAIRS: usize = 64;

/// Inputs of a run that are moved one by one.
pub(crate) const MOST_MOVED: usize = 24;

/// Runs that one climb may take.
pub(crate) const MOST_CLIMB: u32 = 400;

/// How often a target is tried.
pub(crate) const MOST_TRIES: u32 = 3;

/// More bytes of one object that was never written than this are not chosen.
pub(crate) const MOST_CHOSEN_BYTES: u64 = 512;

/// Literals of the program that are tried as strings of the environment and as names.
pub(crate) const MOST_LITERALS: usize = 30;

/// Strings that the largest environment has.
pub(crate) const MOST_VARIABLES: usize = 20;

// Simple witnesses.

/// Runs that make the inputs of one violation simpler.
pub(crate) const MOST_MINIMISING_RUNS: u32 = 150;

/// Runs of more steps than this are left as they are.
pub(crate) const LONGEST_MINIMISED: u64 = 200_000;

/// Bytes of objects that cost about as much to make as a run.
pub(crate) const BYTES_A_RUN: u64 = 2 << 20;

/// Steps of the run that a witness is tried with first.
pub(crate) const SIMPLEST_STEPS: u64 = 100_000;

// Runs that are too long.

/// How many of them are told.
pub(crate) const MOST_UNFINISHED: usize = 5;

/// How many of those for being nearest to what is open.
pub(crate) const MOST_NEAREST: usize = 2;

/// How many are tried to find the nearest.
pub(crate) const MOST_TRIED_UNFINISHED: usize = 6;

/// Steps that are tried before a run counts as too long: some hundredths of a second.
pub(crate) const LONG_RUN: u64 = 1_000_000;

/// Cut runs that are remembered.
pub(crate) const MOST_REMEMBERED: usize = 256;

/// Allocations of a cut run that make it one of those that do little else.
pub(crate) const MANY_ALLOCATIONS: usize = 64;

/// Runs that ask for more numbers than this are no good witnesses.
pub(crate) const MOST_WITNESS_NUMBERS: usize = 4096;

/// Zeros at the end that a witness shows: behind its end there are zeros anyway.
pub(crate) const SHOWN_ZEROS: usize = 8;
