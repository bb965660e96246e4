// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much work is worth doing, in one place: every bound that decides how exact an analysis is, and never whether it is right.
//!
//! Each module is named after the file whose work it bounds. What was measured with a bound stands at the head of that file or in
//! `docs/domains.md`; levels (`engine/level.rs`) scale some of them. Two are no bounds of effort but of the machine that is thought of:
//! `check::LARGEST_LOCAL` and `inputs::LARGEST`.

pub(crate) mod affine {
    /// Expressions are followed so deep.
    pub(crate) const DEEPEST: u32 = 8;
}

pub(crate) mod array_segment {
    /// An object has no more facts than these: the oldest goes.
    pub(crate) const MOST_FACTS: usize = 6;

    /// Multiples and constants beyond these are not followed; nothing overflows below them.
    pub(crate) const LARGEST_TIMES: i128 = 1 << 32;

    pub(crate) const LARGEST_PLUS: i128 = 1 << 90;
}

pub(crate) mod array_segments {
    /// Pointers are taken apart so deep: matrices of variable length have a step for each index.
    pub(crate) const DEEPEST: u32 = 8;

    /// A place with more indices than this is not followed.
    pub(crate) const MOST_INDICES: usize = 4;

    /// An element is compared with no more terms than this.
    pub(crate) const MOST_TERMS: usize = 12;
}

pub(crate) mod backward_read {
    /// Offsets that are looked at from each end.
    pub(crate) const MOST_OFFSETS: u32 = 64;
}

pub(crate) mod call {
    /// Calls nested deeper than this are not followed.
    pub(crate) const DEEPEST_CALL: usize = 200;
}

pub(crate) mod case_split {
    /// Iterations of a loop that are told apart.
    pub(crate) const MOST_ITERATIONS: u32 = 8;

    /// States of one block are kept apart up to this many.
    pub(crate) const MOST_STATES: usize = 300;
}

pub(crate) mod check {
    /// A local array larger than this may not fit the stack.
    pub(crate) const LARGEST_LOCAL: i128 = 1 << 20;
}

pub(crate) mod clock {
    /// Ticks are taken to be worth more when widening finds that a counter grows faster, so often.
    pub(crate) const MOST_RAISES: u8 = 3;

    /// No counter grows faster than this.
    pub(crate) const MOST_RATE: i128 = 1 << 32;
}

pub(crate) mod contents {
    /// More runs than this and neighbours are put together.
    pub(crate) const MOST_SEGMENTS: usize = 4096;
}

pub(crate) mod context_insensitive {
    /// Entries that are joined before widening begins.
    pub(crate) const JOINED: u32 = 3;

    /// A function whose calls take no more statements than this on average stays in its contexts, if it calls nothing itself:
    /// such calls cost as much as the statements that make them, and have no contexts of their own to multiply.
    pub(crate) const CHEAP: u64 = 1_000;

    /// A function that is called in one place is a part of its caller: it has no contexts but those of the caller, which is the one to be analysed
    /// once for all, and may take so many times the share of others.
    pub(crate) const CALLED_ONCE: u64 = 10;
}

pub(crate) mod counters {
    /// Registers of one space: its operations cost the cube.
    pub(crate) const MOST_REGISTERS: usize = 8;
}

pub(crate) mod cursor {
    /// Indices beyond this might go round in the address space.
    pub(crate) const FARTHEST: i128 = 1 << 56;

    /// Counters of one loop that are compared with each other.
    pub(crate) const MOST_MOVING: usize = 8;
}

pub(crate) mod decision_tree {
    /// Flags of a tree.
    pub(crate) const MOST_FLAGS: usize = 3;

    /// Values of one flag.
    pub(crate) const MOST_VALUES: usize = 6;

    /// Leaves of a tree.
    pub(crate) const MOST_LEAVES: usize = 12;

    /// Scalars that differ in two states, of which so many are looked at.
    pub(crate) const MOST_DIFFERENCES: usize = 40;

    /// Flags of one join that decide on something.
    pub(crate) const MOST_DECIDING: usize = 4;

    /// Places that one flag decides on at one join or assignment.
    pub(crate) const MOST_DECIDED: usize = 6;
}

pub(crate) mod difference {
    /// Constants beyond this are not worth remembering, and cannot overflow in sums.
    pub(crate) const LARGEST: i128 = 1 << 100;

    /// With more bounds than this on the two sides of a new one, the sides are not combined through it.
    pub(crate) const MOST_COMBINED: usize = 64;

    /// With more bounds than this, a new one is not combined with any.
    pub(crate) const MANY: usize = 600;

    /// No more bounds than this are remembered.
    pub(crate) const MOST: usize = 1200;

    /// A bound that grows by more than this in a join says little of the difference, and much of the ranges.
    pub(crate) const MOST_GROWTH: i128 = 1 << 20;
}

pub(crate) mod loops {
    /// Statements that unrolled iterations may take in one analysis of a small program.
    pub(crate) const UNROLL_BUDGET: u64 = 1_500_000;

    /// The same for each statement of a large one.
    pub(crate) const UNROLL_PER_STATEMENT: u64 = 30;

    /// Iterations that are taken apart from the others although they may leave the loop.
    pub(crate) const FIRST_ITERATIONS: u32 = 1;
}

pub(crate) mod eval {
    /// Expressions are looked up through equalities so many steps far.
    pub(crate) const DEEPEST_DEFINITION: u32 = 2;
}

pub(crate) mod filter {
    /// A fact that widening finds larger is joined so many times before it is widened: rounding errors of a filter grow with
    /// its range and its range with them, but a few rounds bring both to rest.
    pub(crate) const MOST_JOINED: u8 = 8;

    /// One that has grown so often is given up: its input has no bound, and each further round costs all that depends on it.
    pub(crate) const MOST_GROWN: u8 = 12;

    /// What is multiplied by less than this is not a lag but another value.
    pub(crate) const LEAST_FACTOR: f64 = 1e-6;
}

pub(crate) mod inputs {
    /// Objects that a caller passes are at most this large.
    pub(crate) const LARGEST: i128 = 1 << 40;

    /// Elements of an array inside an object whose pointers are described.
    pub(crate) const MOST_ELEMENTS: u64 = 64;

    /// Pointers that are described in all.
    pub(crate) const MOST_POINTERS: usize = 2_000;
}

pub(crate) mod invariant {
    /// Of a part of an array so many elements in each direction are looked at.
    pub(crate) const MOST_ELEMENTS: i128 = 300;
}

pub(crate) mod iterate {
    /// Rounds of a loop after which what packs say is given up at its head: nearly all come to rest in fewer than ten.
    pub(crate) const MOST_ROUNDS: u32 = 120;

    /// Statements that the unrolled iterations of one loop may take.
    pub(crate) const UNROLL_LOOP: u64 = 30_000;

    /// The same for a loop inside a loop.
    pub(crate) const UNROLL_INNER_LOOP: u64 = 6_000;

    /// Statements spent on unrolling one loop without coming to its end, after which it is no longer tried.
    pub(crate) const UNROLL_IN_VAIN: u64 = 12_000;

    /// Statements that all unrollings of one inner loop may take; after that only short ones are unrolled.
    pub(crate) const UNROLL_AGAIN: u64 = 60_000;

    /// Statements that an unrolled short loop takes at most.
    pub(crate) const UNROLL_SHORT: u64 = 400;

    /// States that calls of one block leave are kept apart up to this many.
    pub(crate) const MOST_AFTER_CALLS: usize = 3;

    /// States that reading bits of floats leaves are kept apart up to this many.
    pub(crate) const MOST_APART: usize = 40;

    /// Float registers beyond this many do not keep states apart.
    pub(crate) const MOST_FLOATS: usize = 8;

    /// States of one block are kept apart by flags up to this many.
    pub(crate) const MOST_STATES: usize = 8;

    /// As many if they are apart by the bits of floats.
    pub(crate) const MOST_STATES_BY_BITS: usize = 40;

    /// Statements after which states are no longer kept apart by where their pointers point: that costs time for each state
    /// and, in nested calls, for each state of each caller.
    pub(crate) const APART_STEPS: u64 = 400_000;
}

pub(crate) mod linear {
    /// Forms of more registers than this are given up.
    pub(crate) const MOST_TERMS: usize = 8;

    /// Expressions are followed so deep.
    pub(crate) const DEEPEST: u32 = 12;
}

pub(crate) mod octagon {
    /// So many terms of a sum are looked at two by two.
    pub(crate) const MOST_PAIRED: usize = 5;

    /// What is exported is followed into definitions so deep.
    pub(crate) const DEEPEST: u32 = 2;
}

pub(crate) mod octagon_packing {
    /// Registers of one pack.
    pub(crate) const MOST_VARIABLES: usize = 8;
}

pub(crate) mod partition {
    /// A loop that makes more iterations is not taken apart.
    pub(crate) const MOST_ITERATIONS: u32 = 16;

    /// Values that a program may ask runs to be kept apart by.
    pub(crate) const MOST_VALUES: i128 = 32;

    /// Values of an index of several tables that runs are kept apart by unasked.
    pub(crate) const MOST_INDICES: i128 = 8;

    /// So many states are never kept apart by an index.
    pub(crate) const MOST_STATES: usize = 16;

    /// A call of a function with more statements is not made for each path out of a loop.
    pub(crate) const MOST_CALLED: usize = 8;

    /// So many paths out of one loop are kept apart.
    pub(crate) const MOST_PATHS: usize = 4;
}

pub(crate) mod partitioning {
    /// Loops of more statements are not taken apart.
    pub(crate) const MOST_STATEMENTS: usize = 60;
}

pub(crate) mod phase {
    /// So often runs may go back and forth.
    pub(crate) const MOST_CHANGES: usize = 4;
}

pub(crate) mod phases {
    /// Loops of more statements are taken as one.
    pub(crate) const MOST_STATEMENTS: usize = 60;
}

pub(crate) mod progression {
    /// Where widening stops on the way up.
    pub(crate) const STEPS: [f64; 6] = [1.0, 1e2, 1e4, 1e8, 1e16, 1e32];

    /// Expressions are followed so deep.
    pub(crate) const DEEPEST: u32 = 12;
}

pub(crate) mod pruning_plan {
    /// Something is useful that makes a range smaller by at least this part of its width: rounding makes small
    /// differences that mean nothing.
    pub(crate) const LEAST: f64 = 0.01;
}

pub(crate) mod recursion {
    /// Rounds of a recursive function that are joined before they are widened.
    pub(crate) const JOINED_ROUNDS: u32 = 3;

    /// Contexts of one recursive function that are analysed inside each other.
    pub(crate) const MOST_CONTEXTS: u32 = 60;

    /// Contexts of one function in one analysis.
    pub(crate) const ALL_CONTEXTS: u32 = 500;

    /// A number that counts a recursion down has a range no larger than this.
    pub(crate) const WIDEST_COUNT: i128 = 64;
}

pub(crate) mod refine {
    /// Tests are followed into the definitions of their parts so deep.
    pub(crate) const DEEPEST: u32 = 6;

    /// What follows for related registers is followed no deeper than this: each may be related to all others.
    pub(crate) const RELATED: u32 = 2;
}

pub(crate) mod response {
    /// Inputs that are told apart from the tail, at most.
    pub(crate) const MOST: usize = 4096;

    /// Where the tail begins: the response is this small.
    pub(crate) const SMALL: f64 = 1e-10;
}

pub(crate) mod rounds {
    /// Pieces of a range: few at first.
    pub(crate) const CASES: [u32; 2] = [16, 240];

    /// A repetition may take so many statements for each of an analysis, and for each piece.
    pub(crate) const MOST_TIMES: u64 = 2;
}

pub(crate) mod shifts {
    /// Copies one after the other that are followed.
    pub(crate) const MOST_COPIES: usize = 5;
}

pub(crate) mod slice {
    /// Statements of a slice at most.
    pub(crate) const MOST_STEPS: usize = 100;
}

pub(crate) mod sum {
    /// Sums of more registers say too little of two of them.
    pub(crate) const MOST_TERMS: usize = 4;
}

pub(crate) mod summary {
    /// Situations of one function that are remembered; the one that was not asked for the longest goes.
    pub(crate) const MOST_SITUATIONS: usize = 12;

    /// The same inside a recursion, which counts down through many.
    pub(crate) const MOST_OF_RECURSION: usize = 256;

    /// Calls of fewer statements are analysed again: that is cheaper than to remember them.
    pub(crate) const LEAST_STEPS: u64 = 24;
}

pub(crate) mod text {
    /// Objects named in one place at most.
    pub(crate) const MOST_NAMES: usize = 3;
}

pub(crate) mod thresholds {
    /// More than this many constants are not kept: widening looks at all of them.
    pub(crate) const MOST: usize = 2000;
}

pub(crate) mod tree_pairs {
    /// A flag that is a copy of a copy of a flag is followed so far.
    pub(crate) const MOST_COPIES: usize = 2;
}

pub(crate) mod tuple {
    /// Tuples with a register are forgotten beyond this many.
    pub(crate) const MOST_WITH_REGISTERS: usize = 24;

    /// So are decision trees with a register beyond this many.
    pub(crate) const MOST_TREES_WITH_REGISTERS: usize = 10;

    /// Places that hold one value, at most so many.
    pub(crate) const MOST_ALIASES: usize = 8;

    /// Places that one is copied from, at most so many.
    pub(crate) const MOST_SOURCES: usize = 12;

    /// A coefficient may be known no better than this.
    pub(crate) const LARGEST_SPREAD: f64 = 1e-3;
}
