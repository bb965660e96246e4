// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every domain of relations between registers can do; `product` holds one of each and tells all of them what happens.
//!
//! ```text
//!   default()      nothing is known: the top
//!      |           every relation takes runs away
//!   join(a, b)     above both: holds wherever one of them does
//! ```
//!
//! **Soundness.** An element stands for the runs that [`Relational::contains`] accepts, and that function is written apart from all the
//! others: it is asked about runs of the interpreter, at loop heads of random programs. After each operation the element must
//! accept every run that the operation lets through. So `forget` and `assign` must give up all that is said of the
//! old value, and it is always right to say less, but for `widen`, which must also come to an end: from some step on it gives back
//! what it was given first.
//!
//! A domain knows a state only by [`Ranges`]. What programs say to it beyond sums (tests, loads, pointers that move) is the affair of
//! its file under `transfer`, which may add relations but never has to take any away.

use clew_ir::syntax::LocalId;

use crate::domain::int::Int;
use crate::domain::linear::Sum;
use crate::domain::ranges::Ranges;
use crate::domain::var::Var;
use crate::program::thresholds::Thresholds;

/// A domain of relations between registers.
pub(crate) trait Relational: Clone + PartialEq + Default {
    /// Whether it asks for sums: `assign` and `value` are more than their defaults.
    const FOLLOWS_SUMS: bool = false;

    /// What holds after one or the other. The ranges are those of the two states.
    #[must_use]
    fn join(&self, other: &Self, here: &dyn Ranges, there: &dyn Ranges) -> Self;

    /// The join, or more, so that loops come to an end. The ranges are those of the later state.
    #[must_use]
    fn widen(&self, next: &Self, there: &dyn Ranges, thresholds: &Thresholds) -> Self;

    /// Whether the other says all that this says, or its ranges do.
    fn is_implied_by(&self, other: &Self, ranges: &dyn Ranges) -> bool;

    /// A register gets a value that nothing is known of.
    fn forget(&mut self, local: LocalId);

    /// Nothing reads the other registers before they are assigned again: what is said of them may go.
    fn retain(&mut self, live: &dyn Fn(LocalId) -> bool);

    /// A register is assigned a sum of registers, of what they held before it; none where it is no sum.
    fn assign(&mut self, local: LocalId, sum: Option<&Sum>) {
        let _ = sum;
        self.forget(local);
    }

    /// What a sum of registers may be, as far as relations tell.
    fn value(&self, sum: &Sum) -> Option<Int> {
        let _ = sum;
        None
    }

    /// Whether a run is one of those that this stands for; else what is wrong with it.
    fn contains(&self, run: &dyn Concrete) -> Result<(), String>;

    /// In words, by the names of variables; nothing where people would rather not read it.
    fn describe(&self, name: &dyn Fn(Var) -> Option<String>) -> Vec<String> {
        let _ = name;
        Vec::new()
    }
}

/// A state of a run.
pub(crate) trait Concrete {
    /// What a variable is; none for what has no such value in this run.
    fn var(&self, var: Var) -> Option<i128>;

    /// The float that a register holds.
    fn float(&self, local: LocalId) -> Option<f64>;
}
