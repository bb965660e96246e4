// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the walk over the program asks of numbers.
//!
//! A number stands for two: the *real* one, which the program would compute without any rounding, and the *machine's*,
//! which the fixed-point program computes. The error is the real one minus the machine's. Five algebras implement this:
//! the paper's CI, AI and EAI pairs and the mean-value pairs ([`crate::pair`], [`crate::mean`]) know sets of such
//! numbers, [`crate::concrete`] has one run of the machine and one run in the reals.
//!
//! Soundness, for those that know sets: every pair of numbers that operands may be is led to a pair that the result may
//! be, by exact arithmetic on both sides; only [`Algebra::round`] and [`Algebra::fit`] set the machine's apart.

use clew_base::exact::Rational;
use clew_ir::syntax::CompareOp;

use crate::format::{Format, Grid, Rounding};
use crate::interval::Interval;

/// What is known of a number, as intervals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen {
    /// In the reals.
    pub real: Interval,
    /// In the machine.
    pub machine: Interval,
    /// Real minus machine.
    pub error: Interval,
}

impl Seen {
    /// Holds what either holds.
    pub fn hull(self, other: Seen) -> Seen {
        Seen {
            real: self.real.hull(other.real),
            machine: self.machine.hull(other.machine),
            error: self.error.hull(other.error),
        }
    }

    /// In units of `factor`, a power of two.
    pub fn scaled(self, factor: f64) -> Seen {
        let by = Interval::point(factor);
        Seen { real: self.real * by, machine: self.machine * by, error: self.error * by }
    }

    /// Whether all bounds are numbers.
    pub fn is_finite(&self) -> bool {
        self.real.is_finite() && self.machine.is_finite() && self.error.is_finite()
    }
}

/// Which outcomes of a comparison are possible: in the machine and in the reals (Definition 3; *unknown* is more than one).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// True in both.
    pub both: bool,
    /// False in both.
    pub neither: bool,
    /// True in the machine only.
    pub machine_only: bool,
    /// True in the reals only.
    pub real_only: bool,
}

impl Verdict {
    /// Known, and the same in both.
    pub fn known(outcome: bool) -> Verdict {
        Verdict { both: outcome, neither: !outcome, ..Verdict::default() }
    }

    /// Not known, but the same in both.
    pub const EITHER: Verdict = Verdict { both: true, neither: true, machine_only: false, real_only: false };

    /// The outcome, if there is one.
    pub fn decided(self) -> Option<bool> {
        match self {
            Verdict { both: true, neither: false, machine_only: false, real_only: false } => Some(true),
            Verdict { both: false, neither: true, machine_only: false, real_only: false } => Some(false),
            _ => None,
        }
    }

    /// Whether machine and reals may part here.
    pub fn may_part(self) -> bool {
        self.machine_only || self.real_only
    }

    /// Of the opposite test.
    pub fn negated(self) -> Verdict {
        Verdict {
            both: self.neither,
            neither: self.both,
            machine_only: self.real_only,
            real_only: self.machine_only,
        }
    }
}

/// Why an operation has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The divisor may be zero, or the radicand negative.
    Undefined(&'static str),
    /// Numbers too large for exact integers of 128 bits, or bounds that are not finite.
    TooLarge,
    /// A comparison in the reals that enclosures do not decide.
    Undecided,
}

/// A result or why there is none.
pub type Computed<V> = Result<V, Fault>;

/// One half of a comparison's outcome: what to restrict an operand to.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What the machine's number lies in.
    pub machine: Interval,
    /// What the real one lies in.
    pub real: Interval,
}

/// An input's number: any real of the interval; the machine has it rounded to the format, or exactly.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The reals.
    pub range: Interval,
    /// Where the machine's number lies.
    pub grid: Grid,
    /// How it got there; none: the input is a number of the grid itself.
    pub rounding: Option<Rounding>,
}

/// A stand-in and the argument that takes its place.
pub type Substituted<'a, V> = (&'a V, &'a V);

/// What the walk over the program asks of numbers.
pub trait Algebra {
    /// A pair of numbers, or what is known of one.
    type Value: Clone + std::fmt::Debug;
    /// A constant: the real number and the machine's.
    fn known(&mut self, real: &Rational, machine: &Rational) -> Self::Value;
    /// An input.
    fn source(&mut self, source: &Source) -> Computed<Self::Value>;
    /// Sum.
    fn add(&mut self, a: &Self::Value, b: &Self::Value) -> Computed<Self::Value>;
    /// Difference.
    fn sub(&mut self, a: &Self::Value, b: &Self::Value) -> Computed<Self::Value>;
    /// Product.
    fn mul(&mut self, a: &Self::Value, b: &Self::Value) -> Computed<Self::Value>;
    /// Quotient; the machine's is rounded to the grid.
    fn div(&mut self, a: &Self::Value, b: &Self::Value, to: Grid, mode: Rounding) -> Computed<Self::Value>;
    /// Square root; the machine's is rounded to the grid.
    fn sqrt(&mut self, a: &Self::Value, to: Grid, mode: Rounding) -> Computed<Self::Value>;
    /// Absolute value.
    fn abs(&mut self, a: &Self::Value) -> Computed<Self::Value>;
    /// The machine's number moves from its grid (if it is known to be on one) to the other.
    fn round(
        &mut self,
        a: &Self::Value,
        from: Option<Grid>,
        to: Grid,
        mode: Rounding,
    ) -> Computed<Self::Value>;
    /// The machine's number has to fit the format; whether it may not.
    fn fit(&mut self, a: &Self::Value, format: &Format) -> (Self::Value, bool);
    /// Compares.
    fn compare(&mut self, op: CompareOp, a: &Self::Value, b: &Self::Value) -> Computed<Verdict>;
    /// What is left of the values inside the limits; none: nothing.
    fn restrict(&mut self, a: &Self::Value, limits: Limits) -> Option<Self::Value>;
    /// Holds what either holds.
    fn join(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// The real number of the one and the machine's of the other: after a test at which they parted.
    fn cross(&mut self, real: &Self::Value, machine: &Self::Value) -> Self::Value;
    /// A stand-in for an argument of a procedure: the same bounds, with symbols of its own. None: there are no summaries.
    fn formal(&mut self, _: &Self::Value) -> Option<Self::Value> {
        None
    }
    /// A procedure's result over stand-ins, with the arguments in their place. Whatever else has a symbol in it is of this
    /// call alone.
    fn instance(&mut self, result: &Self::Value, _: &[Substituted<'_, Self::Value>]) -> Self::Value {
        result.clone()
    }
    /// Whether numbers are those of one run.
    fn is_run(&self) -> bool {
        false
    }
    /// What is known.
    fn seen(&self, a: &Self::Value) -> Seen;
}

/// Which outcomes of a comparison intervals leave open, from the machine's difference `a - b`, the real difference, and
/// how much the second exceeds the first.
pub fn verdict(op: CompareOp, machine: Interval, real: Interval, excess: Interval) -> Verdict {
    let at = |d: Interval| Outcomes::of(op, d);
    let (m, r) = (at(machine), at(real));
    let parts = excess != Interval::ZERO;
    // To part at an order, the real difference must lie on the other side of 0: the excess has that sign.
    let (up, down) = (excess.hi > 0.0, excess.lo < 0.0);
    let (machine_only, real_only) = match op {
        CompareOp::Lt | CompareOp::Le => (up, down),
        CompareOp::Gt | CompareOp::Ge => (down, up),
        CompareOp::Eq | CompareOp::Ne => (parts, parts),
    };
    Verdict {
        both: m.yes && r.yes,
        neither: m.no && r.no,
        machine_only: machine_only && m.yes && r.no,
        real_only: real_only && m.no && r.yes,
    }
}

struct Outcomes {
    yes: bool,
    no: bool,
}

impl Outcomes {
    fn of(op: CompareOp, d: Interval) -> Outcomes {
        let (below, above, zero) = (d.lo < 0.0, d.hi > 0.0, d.contains(0.0));
        let (yes, no) = match op {
            CompareOp::Eq => (zero, below || above),
            CompareOp::Ne => (below || above, zero),
            CompareOp::Lt => (below, above || zero),
            CompareOp::Le => (below || zero, above),
            CompareOp::Gt => (above, below || zero),
            CompareOp::Ge => (above || zero, below),
        };
        Outcomes { yes, no }
    }
}
