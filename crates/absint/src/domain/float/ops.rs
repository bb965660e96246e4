// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine's operations, rounded to nearest, on sets of floats.
//!
//! Rounding is monotonic, so bounds are computed with the same rounding as values. For formats within `f64` an
//! `f64` operation rounded again to the format is the format's own operation (`f64` has more than twice the
//! precision plus two bits). For wider formats the exact result lies within one `f64` of the rounded one, and
//! that neighbour is a value of the format, so its rounding stays within, too.

use clew_base::float::{Float as Concrete, Format, Rounding};
use clew_base::int::IntType;

use super::{Float, f64_of, is_within_f64, smallest};
use crate::domain::int::Int;

impl Float {
    /// The sign flipped; NaNs are only passed on.
    #[must_use]
    pub fn neg(&self) -> Float {
        if !self.has_numbers() {
            return *self;
        }
        Float {
            lo: 0.0 - self.hi,
            hi: 0.0 - self.lo,
            neg_zero: self.pos_zero,
            pos_zero: self.neg_zero,
            ..*self
        }
    }

    /// The magnitude.
    #[must_use]
    pub fn abs(&self) -> Float {
        if !self.has_numbers() {
            return *self;
        }
        let (a, b) = (self.lo.abs(), self.hi.abs());
        let straddles = self.lo < 0.0 && self.hi > 0.0;
        Float {
            lo: if straddles { 0.0 } else { a.min(b) },
            hi: a.max(b),
            neg_zero: false,
            pos_zero: self.may_be_zero(),
            ..*self
        }
    }

    /// This magnitude with the sign of the other operand.
    #[must_use]
    pub fn copysign(&self, sign: &Float) -> Float {
        let magnitude = self.abs();
        match sign.sign_bit_tri() {
            crate::domain::Tri::False => magnitude,
            crate::domain::Tri::True => magnitude.neg(),
            crate::domain::Tri::Maybe => magnitude.join(&magnitude.neg()),
        }
    }

    /// Sums.
    #[must_use]
    pub fn add(&self, other: &Float, format: Format) -> Float {
        let opposite = |a: &Float, b: &Float| a.hi == f64::INFINITY && b.lo == f64::NEG_INFINITY;
        let both = self.has_numbers() && other.has_numbers();
        let invalid = both && (opposite(self, other) || opposite(other, self));
        let numbers = if both {
            // Only opposite infinities have no sum. If that is at the lower corner, one operand is nothing but
            // positive infinity, and so is what remains.
            let lo = self.lo + other.lo;
            let hi = self.hi + other.hi;
            let lo = if lo.is_nan() { f64::INFINITY } else { lo };
            let hi = if hi.is_nan() { f64::NEG_INFINITY } else { hi };
            // A sum is exact where it is tiny, so it is zero only if the operands cancel, which gives +0, or are
            // both -0.
            rounded(lo, hi, self.neg_zero && other.neg_zero, true, format)
        } else {
            Float::EMPTY
        };
        numbers.with_quiet_nan_if(self.nan || other.nan || invalid)
    }

    /// Differences.
    #[must_use]
    pub fn sub(&self, other: &Float, format: Format) -> Float {
        self.add(&other.neg(), format)
    }

    /// Products.
    #[must_use]
    pub fn mul(&self, other: &Float, format: Format) -> Float {
        let invalid = (self.may_be_zero() && other.may_be_infinite())
            || (self.may_be_infinite() && other.may_be_zero());
        let numbers = if self.has_numbers() && other.has_numbers() {
            let corners = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
            self.signed_hull(other, &corners, format)
        } else {
            Float::EMPTY
        };
        numbers.with_quiet_nan_if(self.nan || other.nan || invalid)
    }

    /// Quotients.
    #[must_use]
    pub fn div(&self, other: &Float, format: Format) -> Float {
        let invalid = (self.may_be_zero() && other.may_be_zero())
            || (self.may_be_infinite() && other.may_be_infinite());
        let mut numbers = Float::EMPTY;
        if self.has_numbers() && other.has_numbers() {
            // Divisors of one sign, from the least magnitude the format has. Where that is no f64, zero stands for
            // it, and the corner is the limit.
            let least = smallest(format).unwrap_or(0.0);
            if other.hi > 0.0 {
                numbers = numbers.join(&self.div_by_sign(other, (other.lo.max(least), other.hi), format));
            }
            if other.lo < 0.0 {
                numbers = numbers.join(&self.div_by_sign(other, (other.lo, other.hi.min(-least)), format));
            }
            numbers = numbers.join(&self.div_by_zero(other));
        }
        numbers.with_quiet_nan_if(self.nan || other.nan || invalid)
    }

    fn div_by_sign(&self, other: &Float, (near, far): (f64, f64), format: Format) -> Float {
        // `near <= far`; a zero bound stands for the limit from the side that the divisors are on.
        let signed = |bound: f64| if bound == 0.0 && near < 0.0 { -0.0 } else { bound };
        let (near, far) = (signed(near), signed(far));
        let corners = [self.lo / near, self.lo / far, self.hi / near, self.hi / far];
        self.signed_hull(other, &corners, format)
    }

    /// What numbers other than zero give when divided by the zeros of `other`.
    fn div_by_zero(&self, other: &Float) -> Float {
        let (positive, negative) = (self.hi > 0.0, self.lo < 0.0);
        let up = (positive && other.pos_zero) || (negative && other.neg_zero);
        let down = (positive && other.neg_zero) || (negative && other.pos_zero);
        let infinity = |possible: bool, value: f64| {
            if possible { Float::numbers(value, value, false, false) } else { Float::EMPTY }
        };
        infinity(up, f64::INFINITY).join(&infinity(down, f64::NEG_INFINITY))
    }

    /// The hull of the corners of a product or quotient, whose sign is that of the operands multiplied.
    ///
    /// A corner that is NaN (zero times or over infinity ...) is the limit of results that go to zero or are
    /// between the other corners, so zero stands for it.
    fn signed_hull(&self, other: &Float, corners: &[f64; 4], format: Format) -> Float {
        let corner = |value: f64| if value.is_nan() { 0.0 } else { value };
        let lo = corners.iter().copied().map(corner).fold(f64::INFINITY, f64::min);
        let hi = corners.iter().copied().map(corner).fold(f64::NEG_INFINITY, f64::max);
        // `min` and `max` do not tell the zeros apart, but the widening of zero bounds below looks at signs.
        let may_be_negative = (self.may_be_negative() && other.may_be_positive())
            || (self.may_be_positive() && other.may_be_negative());
        let may_be_positive = (self.may_be_negative() && other.may_be_negative())
            || (self.may_be_positive() && other.may_be_positive());
        let lo = if lo == 0.0 && may_be_negative { -0.0 } else { lo + 0.0 };
        let hi = if hi == 0.0 && !may_be_positive { -0.0 } else { hi + 0.0 };
        rounded(lo, hi, may_be_negative, may_be_positive, format)
    }

    /// What a member minus itself is: zero, or NaN from infinities.
    #[must_use]
    pub fn minus_itself(&self) -> Float {
        let finite = self.has_numbers() && !self.is_infinite_only();
        let zero = if finite { Float::numbers(0.0, 0.0, false, true) } else { Float::EMPTY };
        zero.with_quiet_nan_if(self.nan || self.may_be_infinite())
    }

    /// What a member over itself is: one, or NaN from zeros and infinities.
    #[must_use]
    pub fn over_itself(&self) -> Float {
        let one =
            if self.may_be_finite_nonzero() { Float::numbers(1.0, 1.0, false, false) } else { Float::EMPTY };
        one.with_quiet_nan_if(self.nan || self.may_be_infinite() || self.may_be_zero())
    }

    /// Square roots.
    #[must_use]
    pub fn sqrt(&self, format: Format) -> Float {
        let invalid = self.has_numbers() && self.lo < 0.0;
        let numbers = if self.has_numbers() && self.hi >= 0.0 {
            let (lo, hi) = (self.lo.max(0.0).sqrt(), self.hi.sqrt());
            rounded(lo, hi, self.neg_zero, self.pos_zero, format)
        } else {
            Float::EMPTY
        };
        numbers.with_quiet_nan_if(self.nan || invalid)
    }

    /// What C's `fmod` leaves: it has the sign of this operand, and no more magnitude than either.
    #[must_use]
    pub fn fmod(&self, other: &Float, format: Format) -> Float {
        let invalid = self.may_be_infinite() || other.may_be_zero();
        let mut numbers = Float::EMPTY;
        if self.has_numbers() && !self.is_infinite_only() && other.has_numbers() {
            let (from, by) = (self.abs(), other.abs());
            let finite = Float::finite(format);
            let rest = if from.hi < by.lo {
                *self
            } else {
                let most = from.hi.min(by.hi);
                Float::numbers(
                    if self.may_be_negative() { 0.0 - most } else { 0.0 },
                    if self.may_be_positive() { most } else { 0.0 },
                    self.may_be_negative(),
                    self.may_be_positive(),
                )
            };
            numbers = Float { nan: false, signaling: false, ..rest }.meet(&finite).unwrap_or(Float::EMPTY);
        }
        numbers.with_quiet_nan_if(self.nan || other.nan || invalid)
    }

    /// Products with a sum that are rounded once.
    #[must_use]
    pub fn fma(&self, factor: &Float, addend: &Float, format: Format) -> Float {
        let constant =
            |set: &Float| set.as_constant_bits(format).map(|bits| Concrete::from_bits(format, bits));
        if let (Some(x), Some(y), Some(z)) = (constant(self), constant(factor), constant(addend)) {
            let result = x.fma(y, z, Rounding::NearestEven).0;
            return Float::constant_bits(result.to_bits(), format);
        }
        let nan = self.nan || factor.nan || addend.nan;
        if !(self.has_numbers() && factor.has_numbers() && addend.has_numbers()) {
            return Float::EMPTY.with_quiet_nan_if(nan);
        }
        // Only infinities give a NaN: the product of finite numbers is exact.
        let infinite = self.may_be_infinite() || factor.may_be_infinite() || addend.may_be_infinite();
        let corners = [self.lo * factor.lo, self.lo * factor.hi, self.hi * factor.lo, self.hi * factor.hi];
        let corner = |value: f64| if value.is_nan() { 0.0 } else { value };
        let least = corners.iter().copied().map(corner).fold(f64::INFINITY, f64::min);
        let most = corners.iter().copied().map(corner).fold(f64::NEG_INFINITY, f64::max);
        // One step outward for the product, one for the sum; a sum of opposite infinities says nothing.
        let lo = least.next_down() + addend.lo;
        let hi = most.next_up() + addend.hi;
        let lo = if lo.is_nan() { f64::NEG_INFINITY } else { lo.next_down() };
        let hi = if hi.is_nan() { f64::INFINITY } else { hi.next_up() };
        rounded(lo, hi, true, true, format).with_quiet_nan_if(nan || infinite)
    }

    /// Integers as floats.
    #[must_use]
    pub fn from_int(value: &Int, format: Format) -> Float {
        let bound = |bound: i128, rounding| match bound {
            i128::MIN => f64::NEG_INFINITY,
            i128::MAX => f64::INFINITY,
            _ if is_within_f64(format) => {
                let rounded = Concrete::from_int(format, bound, IntType::I128, Rounding::NearestEven).0;
                f64_of(rounded.convert(Format::F64, Rounding::NearestEven).0)
            }
            _ => f64_of(Concrete::from_int(Format::F64, bound, IntType::I128, rounding).0),
        };
        // An extreme that bounds from the far side is a number, not the lack of a bound.
        let (lo, hi) = (value.lo().min(i128::MAX - 1), value.hi().max(i128::MIN + 1));
        Float::numbers(bound(lo, Rounding::Down), bound(hi, Rounding::Up), false, value.contains(0))
    }

    /// The integers that the finite members truncate to; none if no member is finite.
    #[must_use]
    pub fn to_int(&self) -> Option<Int> {
        if !self.has_numbers() || self.is_infinite_only() {
            return None;
        }
        // `as` truncates and saturates, and a saturated bound reads as unbounded.
        Some(Int::range(self.lo as i128, self.hi as i128))
    }

    /// The members in another format. A conversion to the same format changes nothing, not even a NaN.
    #[must_use]
    pub fn convert(&self, from: Format, to: Format) -> Float {
        if from == to {
            return *self;
        }
        let quiet = Float { signaling: false, ..*self };
        if to > from || !self.has_numbers() {
            return quiet;
        }
        let (lo, hi) = (round_to(self.lo, to), round_to(self.hi, to));
        // A number that is too small becomes the zero of its sign.
        let pos_zero = self.pos_zero || (self.hi > 0.0 && round_to(self.lo.max(0.0), to) == 0.0);
        let neg_zero = self.neg_zero || (self.lo < 0.0 && round_to(self.hi.min(0.0), to) == 0.0);
        Float { nan: self.nan, ..Float::numbers(lo, hi, neg_zero, pos_zero) }
    }
}

/// An `f64` rounded to nearest in a format that is no wider; in a wider one it stays.
pub(crate) fn round_to(value: f64, format: Format) -> f64 {
    match format {
        Format::F16 => {
            let narrow = Concrete::from_f64(value).convert(Format::F16, Rounding::NearestEven).0;
            f64_of(narrow.convert(Format::F64, Rounding::NearestEven).0)
        }
        Format::F32 => f64::from(value as f32),
        Format::F64 | Format::X87 | Format::F128 => value,
    }
}

/// The numbers between two results in `f64`, rounded to the format, with these zeros.
fn rounded(lo: f64, hi: f64, neg_zero: bool, pos_zero: bool, format: Format) -> Float {
    if is_within_f64(format) {
        return Float::numbers(round_to(lo, format), round_to(hi, format), neg_zero, pos_zero);
    }
    if lo > hi {
        return Float::EMPTY;
    }
    // A zero with the sign toward which one would widen is the only one that may stand for a tiny number there.
    let lo = if lo == 0.0 && lo.is_sign_positive() { lo } else { lo.next_down() };
    let hi = if hi == 0.0 && hi.is_sign_negative() { hi } else { hi.next_up() };
    Float::numbers(lo, hi, neg_zero, pos_zero)
}
