// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the engine may spend, in one place: each constant says what it bounds. None of them decides what is true, only
//! what is found out.

// Executions.

/// Over how many iterations of a loop an induction goes.
pub(crate) const MOST_INDUCTION: u32 = 3;

/// How many iterations of a loop that depends on no input are followed, for each unit of depth.
pub(crate) const INPUT_FREE_ITERATIONS: u32 = 512;

/// How many iterations that depend on no input are simply made before an induction.
pub(crate) const INPUT_FREE_ITERATIONS_BEFORE_INDUCTION: u32 = 64;

/// How often what a loop changes is looked for.
pub(crate) const MOST_CHANGE_ROUNDS: usize = 12;

/// How many objects a pointer at a loop head may point to.
pub(crate) const MOST_HEAD_BASES: usize = 8;

/// How deep calls may be in all: each level uses our own stack.
pub(crate) const MOST_CALLS: usize = 400;

/// Calls of fewer steps than this are not worth a summary.
pub(crate) const FEWEST_SUMMARY_STEPS: u64 = 12;

/// Memories of more objects than this are not compared for summaries.
pub(crate) const MOST_SUMMARY_OBJECTS: usize = 256;

// Memory and inputs.

/// How many places a write or read at a term's offset may be tried at, one by one.
pub(crate) const MOST_PLACES: u64 = 300;

/// How many cells one copy or fill may have.
pub(crate) const MOST_COPIED_CELLS: u64 = 4096;

/// Larger objects hold zeros before they are written, where that is chosen.
pub(crate) const LARGEST_CHOSEN: u128 = 256;

/// How many bytes of a segment of a text from outside are followed.
pub(crate) const MOST_TEXT_BYTES: u64 = 1024;

/// How many arguments of `main` are followed, with the program's name.
pub(crate) const MOST_ARGUMENTS: u32 = 4;

/// How many strings of the environment are followed.
pub(crate) const MOST_VARIABLES: u32 = 8;

/// How long each argument is at most.
pub(crate) const MOST_ARGUMENT_LENGTH: u32 = 512;

/// How long each string of the environment is at most.
pub(crate) const MOST_VARIABLE_LENGTH: u32 = 64;

// Forking.

/// How many executions there are at most, one for each script of forked branches.
pub(crate) const MOST_FORKED_EXECUTIONS: u32 = 1024;

/// How many statements they have together, for each that one execution may have.
pub(crate) const MOST_FORKED_STEPS: u64 = 10;

/// How many queries of theirs may be too hard before no more is hoped for.
pub(crate) const MOST_FORKED_HARD: u64 = 16;

/// How many branches are forked at most.
pub(crate) const MOST_FORKED_SITES: usize = 6;

/// What a pointer costs that becomes a choice, in terms: everything that is done with it later is done that many times.
pub(crate) const POINTER_CHOICE: u64 = 16;

// Slices.

/// Programs of more expressions than this are not sliced.
pub(crate) const MOST_SURVEYED_EXPRS: usize = 60_000;

/// How many groups of obligations have slices of their own.
pub(crate) const MOST_SLICES: usize = 4;

/// With more open obligations than this there are no slices.
pub(crate) const MOST_SLICED_OBLIGATIONS: usize = 512;

/// The greatest depth of a slice.
pub(crate) const MOST_SLICE_DEPTH: u32 = 4;

/// A slice with more terms is not followed deeper, nor are there other slices behind it: it is cheap, or not worth it.
pub(crate) const MOST_SLICE_TERMS: usize = 2_000;

/// Over how many iterations of a loop an induction in a slice goes.
pub(crate) const MOST_SLICE_INDUCTION: u32 = 2;

/// How much less the executions and queries of slices may cost than those of the whole.
pub(crate) const SLICE_SHARE: u64 = 4;

// Queries.

/// How much less a query about one obligation may cost than one about all.
pub(crate) const SINGLE_QUERY_SHARE: u32 = 10;

/// How many obligations may go without an answer before no more is asked.
pub(crate) const MOST_UNANSWERED: usize = 8;

/// A circuit of fewer gates is small.
pub(crate) const SMALL_CIRCUIT: usize = 50_000;

/// How many times more conflicts a tiny circuit may cost than a large one.
pub(crate) const MOST_PATIENCE: usize = 10;

/// How many hard queries may go without an answer of the solver outside before no more is asked, and how many second
/// opinions.
pub(crate) const MOST_UNANSWERED_OUTSIDE: u32 = 8;

/// Circuits for wider numbers are not made: a `double` needs 2,100 bits, a `long double` 33,000.
pub(crate) const WIDEST_EXACT: usize = 4_500;
