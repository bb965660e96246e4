// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of floats of one format: a range of numbers, which zeros are among them, and whether NaN is.
//!
//! ```text
//!                        top
//!            /            |             \
//!   [lo, hi] of numbers   x  { -0, +0 }  x  { quiet NaN, any NaN }     (each ordered by inclusion)
//!            \            |             /
//!               constants  ...  NaN
//! ```
//!
//! The bounds are `f64`. An infinite bound means that infinity itself may occur. The numbers of the x87 format
//! and of binary128 that lie between two `f64` are enclosed by them; those beyond the largest `f64` lie between
//! it and infinity, so a set of these formats holds *only* infinity if both its bounds are infinite, and
//! otherwise an infinite bound says "huge or infinite".
//!
//! Zero is a member only if its flag says so: `[0, 5]` without either zero means the positive numbers up to 5.
//! NaNs are told apart only by whether one may be signalling, because only such a NaN raises "invalid".
//!
//! The operations are in `ops`, comparisons in `relation`, exceptions in `raise`.

mod bits;
mod ops;
mod raise;
mod relation;
#[cfg(test)]
mod tests;

pub(crate) use ops::round_to;
pub use raise::{
    compare_raises, convert_is_lossy, convert_raises, float_to_int_raises, from_int_raises, raises,
};
pub(crate) use relation::{above, below};
pub use relation::{compare, refine, refine_false};

use clew_base::float::{Class, Float as Concrete, Format, Rounding};

use super::Tri;

/// A nonempty set of floats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Float {
    /// Positive infinity, with `hi` negative infinity, if there are no numbers. A zero bound is +0.
    lo: f64,
    hi: f64,
    neg_zero: bool,
    pos_zero: bool,
    nan: bool,
    /// A NaN may be signalling; implies `nan`.
    signaling: bool,
}

impl Float {
    const EMPTY: Float = Float {
        lo: f64::INFINITY,
        hi: f64::NEG_INFINITY,
        neg_zero: false,
        pos_zero: false,
        nan: false,
        signaling: false,
    };

    /// Every float.
    #[must_use]
    pub fn top() -> Float {
        Float::numbers(f64::NEG_INFINITY, f64::INFINITY, true, true).with_nan()
    }

    /// The numbers between two, both zeros among them if they are between; no NaN.
    #[must_use]
    pub fn range(lo: f64, hi: f64) -> Float {
        debug_assert!(lo <= hi, "an empty range: {lo}..={hi}");
        if lo <= hi { Float::numbers(lo, hi, true, true) } else { Float::top() }
    }

    /// Every NaN.
    #[must_use]
    pub fn nan() -> Float {
        Float::EMPTY.with_nan()
    }

    /// All finite values. (Beyond the range of `f64` finite and infinite are not told apart.)
    #[must_use]
    pub fn finite(format: Format) -> Float {
        let largest = largest(format).unwrap_or(f64::INFINITY);
        Float::range(-largest, largest)
    }

    /// The set with every NaN added.
    #[must_use]
    pub fn with_nan(self) -> Float {
        Float { nan: true, signaling: true, ..self }
    }

    /// The set with the quiet NaNs added: those that operations return.
    #[must_use]
    pub fn with_quiet_nan(self) -> Float {
        self.with_quiet_nan_if(true)
    }

    fn with_quiet_nan_if(self, possible: bool) -> Float {
        Float { nan: self.nan || possible, ..self }
    }

    /// The set without NaN; none if there is nothing else.
    #[must_use]
    pub fn without_nan(self) -> Option<Float> {
        Float { nan: false, signaling: false, ..self }.nonempty()
    }

    /// The value of these bits. One that lies between two `f64` is enclosed by them.
    #[must_use]
    pub fn constant_bits(bits: u128, format: Format) -> Float {
        let value = Concrete::from_bits(format, bits);
        match value.classify() {
            Class::Nan => Float { nan: true, signaling: value.is_signaling(), ..Float::EMPTY },
            Class::Zero => Float::numbers(0.0, 0.0, value.is_negative(), !value.is_negative()),
            Class::Infinite | Class::Subnormal | Class::Normal => {
                let bound = |rounding| f64_of(value.convert(Format::F64, rounding).0);
                Float::numbers(bound(Rounding::Down), bound(Rounding::Up), false, false)
            }
        }
    }

    /// The numbers between two bounds with those zeros that are between; empty if the bounds are out of order,
    /// or are both zero and neither zero is there.
    fn numbers(lo: f64, hi: f64, neg_zero: bool, pos_zero: bool) -> Float {
        let zero = lo <= 0.0 && hi >= 0.0;
        let only_zero = lo == 0.0 && hi == 0.0;
        if lo > hi || (only_zero && !neg_zero && !pos_zero) {
            return Float::EMPTY;
        }
        // Adding +0 turns -0 into +0 and changes nothing else.
        Float {
            lo: lo + 0.0,
            hi: hi + 0.0,
            neg_zero: zero && neg_zero,
            pos_zero: zero && pos_zero,
            ..Float::EMPTY
        }
    }

    fn nonempty(self) -> Option<Float> {
        (self.nan || self.has_numbers()).then_some(self)
    }

    fn has_numbers(&self) -> bool {
        self.lo <= self.hi
    }

    /// The bits, if it can only be one value of a format that `f64` holds exactly.
    #[must_use]
    pub fn as_constant_bits(&self, format: Format) -> Option<u128> {
        let exact = matches!(format, Format::F32 | Format::F64);
        if !exact || self.nan || self.lo != self.hi || (self.neg_zero && self.pos_zero) {
            return None;
        }
        let value = if self.neg_zero { -0.0 } else { self.lo };
        let bits = Concrete::from_f64(value).convert(format, Rounding::NearestEven).0.to_bits();
        self.contains_bits(bits, format).then_some(bits)
    }

    /// The lower bound of the numbers, if there are any.
    #[must_use]
    pub fn lo(&self) -> Option<f64> {
        self.has_numbers().then_some(self.lo)
    }

    /// The upper bound of the numbers, if there are any.
    #[must_use]
    pub fn hi(&self) -> Option<f64> {
        self.has_numbers().then_some(self.hi)
    }

    /// Whether a NaN may be there.
    #[must_use]
    pub fn may_be_nan(&self) -> bool {
        self.nan
    }

    /// Whether a signalling NaN may be there.
    #[must_use]
    pub fn may_be_signaling(&self) -> bool {
        self.signaling
    }

    /// Whether an infinity may be there.
    #[must_use]
    pub fn may_be_infinite(&self) -> bool {
        self.has_numbers() && (self.lo == f64::NEG_INFINITY || self.hi == f64::INFINITY)
    }

    /// Whether a zero may be there.
    #[must_use]
    pub fn may_be_zero(&self) -> bool {
        self.neg_zero || self.pos_zero
    }

    /// All members are zeros.
    fn is_zero(&self) -> bool {
        self.may_be_zero() && self.lo == 0.0 && self.hi == 0.0 && !self.nan
    }

    /// All members are one infinity. Sound for the wide formats, too: see the head of the file.
    fn is_infinity(&self) -> bool {
        !self.nan && self.lo == self.hi && self.lo.is_infinite()
    }

    /// Some number has its sign bit set.
    fn may_be_negative(&self) -> bool {
        self.has_numbers() && (self.lo < 0.0 || self.neg_zero)
    }

    /// Some number has its sign bit clear.
    fn may_be_positive(&self) -> bool {
        self.has_numbers() && (self.hi > 0.0 || self.pos_zero)
    }

    /// A number that is neither zero nor infinite may be there.
    fn may_be_finite_nonzero(&self) -> bool {
        self.has_numbers() && !self.is_infinite_only() && (self.lo < 0.0 || self.hi > 0.0)
    }

    /// The numbers, if any, are one infinity.
    fn is_infinite_only(&self) -> bool {
        self.lo == self.hi && self.lo.is_infinite()
    }

    /// Membership, read off the definition.
    #[must_use]
    pub fn contains_bits(&self, bits: u128, format: Format) -> bool {
        let value = Concrete::from_bits(format, bits);
        if value.is_nan() {
            return self.nan && (self.signaling || !value.is_signaling());
        }
        if value.is_zero() {
            let flag = if value.is_negative() { self.neg_zero } else { self.pos_zero };
            return flag && self.lo <= 0.0 && self.hi >= 0.0;
        }
        // A number is not below an f64 if it is not after rounding down, and likewise above.
        let below = f64_of(value.convert(Format::F64, Rounding::Down).0);
        let above = f64_of(value.convert(Format::F64, Rounding::Up).0);
        self.lo <= below && above <= self.hi
    }

    /// Whether every member is one of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Float) -> bool {
        let range = !self.has_numbers() || (other.lo <= self.lo && self.hi <= other.hi);
        let implies = |mine: bool, theirs: bool| !mine || theirs;
        range
            && implies(self.neg_zero, other.neg_zero)
            && implies(self.pos_zero, other.pos_zero)
            && implies(self.nan, other.nan)
            && implies(self.signaling, other.signaling)
    }

    /// The least set that contains both.
    #[must_use]
    pub fn join(&self, other: &Float) -> Float {
        Float {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            neg_zero: self.neg_zero || other.neg_zero,
            pos_zero: self.pos_zero || other.pos_zero,
            nan: self.nan || other.nan,
            signaling: self.signaling || other.signaling,
        }
    }

    /// The common members.
    #[must_use]
    pub fn meet(&self, other: &Float) -> Option<Float> {
        let numbers = Float::numbers(
            self.lo.max(other.lo),
            self.hi.min(other.hi),
            self.neg_zero && other.neg_zero,
            self.pos_zero && other.pos_zero,
        );
        let nan = self.nan && other.nan;
        Float { nan, signaling: self.signaling && other.signaling, ..numbers }.nonempty()
    }

    /// A set that contains both, such that repeating this stops: a bound that moved goes to the next threshold
    /// beyond (`thresholds` is sorted and without NaN), else to infinity. Nothing pulls a bound back.
    #[must_use]
    pub fn widen(&self, next: &Float, thresholds: &[f64]) -> Float {
        let join = self.join(next);
        if !self.has_numbers() {
            return join;
        }
        let lo = if join.lo < self.lo {
            let below = thresholds.partition_point(|threshold| *threshold <= join.lo);
            below.checked_sub(1).map_or(f64::NEG_INFINITY, |i| thresholds[i])
        } else {
            self.lo
        };
        let hi = if join.hi > self.hi {
            let above = thresholds.partition_point(|threshold| *threshold < join.hi);
            thresholds.get(above).copied().unwrap_or(f64::INFINITY)
        } else {
            self.hi
        };
        Float { lo: lo + 0.0, hi: hi + 0.0, ..join }
    }

    /// `next` where it improves on this set, which must happen a bounded number of times: the caller counts.
    #[must_use]
    pub fn narrow(&self, next: &Float) -> Float {
        if next.is_subset(self) { *next } else { *self }
    }

    /// Whether it is a NaN.
    #[must_use]
    pub fn is_nan_tri(&self) -> Tri {
        Tri::known(!self.has_numbers(), self.nan)
    }

    /// Whether it is infinite.
    #[must_use]
    pub fn is_inf_tri(&self) -> Tri {
        Tri::known(self.is_infinity(), self.may_be_infinite())
    }

    /// Whether it is a number and not infinite.
    #[must_use]
    pub fn is_finite_tri(&self) -> Tri {
        let possible = self.has_numbers() && !self.is_infinite_only();
        Tri::known(!self.nan && !self.may_be_infinite(), possible)
    }

    /// Whether the sign bit is set. That of a NaN is not known.
    #[must_use]
    pub fn sign_bit_tri(&self) -> Tri {
        let always = !self.nan && !self.may_be_positive();
        Tri::known(always, self.nan || self.may_be_negative())
    }

    /// A number that differs for sets of one kind: NaN, and numbers by sign, zero and infinity; 0 if it may be a NaN and
    /// a number.
    #[must_use]
    pub fn class(&self) -> u8 {
        let sign = match (self.is_nan_tri(), self.sign_bit_tri()) {
            (Tri::True, _) => return 1,
            (Tri::False, Tri::True) => 2,
            (Tri::False, Tri::False) => 3,
            (Tri::False, Tri::Maybe) => return 8,
            _ => return 0,
        };
        match () {
            () if self.is_zero() => sign + 2,
            () if self.is_infinity() => sign + 4,
            () => sign,
        }
    }

    /// Whether it is a normal number: not zero, subnormal, infinite or NaN.
    #[must_use]
    pub fn is_normal_tri(&self, format: Format) -> Tri {
        if !self.has_numbers() || self.is_infinite_only() {
            return Tri::False;
        }
        let (always, possible) = match smallest_normal(format) {
            Some(least) => (self.lo >= least || self.hi <= -least, self.hi >= least || self.lo <= -least),
            // Every f64 but zero is normal in a format with a wider range; smaller numbers may not be.
            None => (self.lo > 0.0 || self.hi < 0.0, self.lo < 0.0 || self.hi > 0.0),
        };
        Tri::known(always && !self.nan && !self.may_be_infinite(), possible)
    }
}

fn f64_of(value: Concrete) -> f64 {
    f64::from_bits(value.to_bits() as u64)
}

/// Whether every value of the format is an `f64`.
fn is_within_f64(format: Format) -> bool {
    format <= Format::F64
}

/// The largest finite value, if it is an `f64`.
fn largest(format: Format) -> Option<f64> {
    is_within_f64(format)
        .then(|| f64_of(Concrete::largest(format, false).convert(Format::F64, Rounding::Up).0))
}

/// The smallest positive normal value, if it is an `f64`.
fn smallest_normal(format: Format) -> Option<f64> {
    let normal = Concrete::smallest_normal(format, false);
    is_within_f64(format).then(|| f64_of(normal.convert(Format::F64, Rounding::Up).0))
}

/// The smallest positive value, if it is an `f64`.
fn smallest(format: Format) -> Option<f64> {
    let tiny = Concrete::from_bits(format, 1);
    is_within_f64(format).then(|| f64_of(tiny.convert(Format::F64, Rounding::Up).0))
}
