// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every operand of an 8-bit format (1 sign, 4 exponent and 3 fraction bits) against exact rationals.
//!
//! The oracle shares nothing with the arithmetic but the encoding: it holds exact fractions, finds the two
//! neighbours of a fraction by walking through all values of the format, and chooses by the definition of the
//! rounding mode.

use super::layout::{Layout, Value};
use super::nan::NanRule;
use super::round::{Flags, Rounding};
use super::{convert, soft};

const TINY: Layout = Layout::ieee(4, 4, NanRule::First);
/// A narrower one, to convert to: 1 sign, 3 exponent and 2 fraction bits.
const NARROW: Layout = Layout::ieee(3, 3, NanRule::First);
/// The narrow one with a stored integer bit, as the x87 has it: 7 bits.
const EXPLICIT: Layout =
    Layout { precision: 3, exponent_bits: 3, explicit_integer_bit: true, nan_rule: NanRule::X87 };

const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::TowardZero];

/// An exact fraction; the denominator is positive. Not reduced: 128 bits are plenty here.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn compare(self, other: Fraction) -> std::cmp::Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn minus(self, other: Fraction) -> Fraction {
        Fraction(self.0 * other.1 - other.0 * self.1, self.1 * other.1)
    }

    fn abs(self) -> Fraction {
        Fraction(self.0.abs(), self.1)
    }

    fn is_negative(self) -> bool {
        self.0 < 0
    }
}

/// What the bits of a finite value mean, by the textbook formula.
fn value(layout: Layout, bits: u128) -> Option<Fraction> {
    let fraction_bits = layout.precision - 1;
    let field_bits = layout.field_bits();
    let field = (bits & ((1 << field_bits) - 1)) as i128;
    let exponent = (bits >> field_bits) & ((1 << layout.exponent_bits) - 1);
    let bias = (1i32 << (layout.exponent_bits - 1)) - 1;
    let sign = if bits >> (field_bits + layout.exponent_bits) == 1 { -1 } else { 1 };
    if exponent + 1 == 1 << layout.exponent_bits {
        return None;
    }
    let leading = if exponent == 0 || layout.explicit_integer_bit { 0 } else { 1 << fraction_bits };
    if layout.explicit_integer_bit && (exponent != 0) != (field >> fraction_bits == 1) {
        return None;
    }
    let power = exponent.max(1) as i32 - bias - fraction_bits as i32;
    Some(scaled(sign * (leading + field), power))
}

fn scaled(significand: i128, power: i32) -> Fraction {
    if power >= 0 { Fraction(significand << power, 1) } else { Fraction(significand, 1 << -power) }
}

/// All finite values, each with its bits, from the smallest to the largest; zero once, as positive.
fn all_values(layout: Layout) -> Vec<(u128, Fraction)> {
    let mut values: Vec<_> = (0..1 << layout.width())
        .filter_map(|bits| value(layout, bits).map(|fraction| (bits, fraction)))
        .filter(|(bits, fraction)| fraction.0 != 0 || *bits == 0)
        .collect();
    values.sort_by(|a, b| a.1.compare(b.1));
    values
}

/// Picks one of two neighbours of `exact`; `low_is_even` says which of the two a tie goes to.
fn goes_up(exact: Fraction, low: Fraction, high: Fraction, low_is_even: bool, rounding: Rounding) -> bool {
    let order = exact.minus(low).compare(high.minus(exact));
    match rounding {
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::TowardZero => exact.is_negative(),
        Rounding::NearestEven => order.is_gt() || (order.is_eq() && !low_is_even),
        Rounding::NearestAway => order.is_gt() || (order.is_eq() && !exact.is_negative()),
    }
}

/// The rounded result of a computation with the exact result `exact`, which is not zero.
fn oracle(layout: Layout, values: &[(u128, Fraction)], exact: Fraction, rounding: Rounding) -> (u128, Flags) {
    let tiny = if is_tiny(layout, exact, rounding) { Flags::TINY } else { Flags::NONE };
    let above = values.partition_point(|(_, fraction)| fraction.compare(exact).is_lt());
    if let Some((bits, _)) = values.get(above).filter(|(_, fraction)| fraction.compare(exact).is_eq()) {
        return (*bits, tiny);
    }
    let underflow = if tiny == Flags::TINY { Flags::UNDERFLOW } else { Flags::NONE };
    let flags = tiny | underflow | Flags::INEXACT;
    let (largest, infinity) = (values[values.len() - 1].1, overflow_threshold(layout));
    if exact.abs().compare(largest).is_gt() {
        // Between the largest value and the one after it, were there one more; beyond that there is no choice
        // but the mode's direction.
        let negative = exact.is_negative();
        let away = if exact.abs().compare(infinity).is_ge() {
            !matches!(
                (rounding, negative),
                (Rounding::TowardZero, _) | (Rounding::Up, true) | (Rounding::Down, false)
            )
        } else if negative {
            !goes_up(
                exact,
                Fraction(-infinity.0, infinity.1),
                Fraction(-largest.0, largest.1),
                true,
                rounding,
            )
        } else {
            goes_up(exact, largest, infinity, false, rounding)
        };
        let bits = match (away, negative) {
            (true, _) => layout.infinity(negative),
            (false, true) => values[0].0,
            (false, false) => values[values.len() - 1].0,
        };
        let flags = if away || exact.abs().compare(infinity).is_ge() { Flags::OVERFLOW } else { Flags::NONE };
        return (bits, flags | Flags::INEXACT);
    }
    let ((low_bits, low), (high_bits, high)) = (values[above - 1], values[above]);
    let up = goes_up(exact, low, high, low_bits & 1 == 0, rounding);
    let chosen = if up { high_bits } else { low_bits };
    // A negative value that rounds to zero keeps its sign.
    let zero = (if up { high } else { low }).0 == 0;
    (if zero { layout.zero(exact.is_negative()) } else { chosen }, flags)
}

/// The first value beyond the largest, if the exponents went on.
fn overflow_threshold(layout: Layout) -> Fraction {
    scaled(1, 1 << (layout.exponent_bits - 1))
}

/// Whether the result rounded with unbounded exponents is below the smallest normal value: by scaling up until
/// it is normal, rounding there, and scaling back.
fn is_tiny(layout: Layout, exact: Fraction, rounding: Rounding) -> bool {
    let smallest_normal = scaled(1, 2 - (1 << (layout.exponent_bits - 1)));
    if exact.abs().compare(smallest_normal).is_ge() {
        return false;
    }
    // Just below the smallest normal value, the last place is worth half of what it is above.
    let ulp = Fraction(smallest_normal.0, smallest_normal.1 << layout.precision);
    let last = smallest_normal.minus(ulp);
    let magnitude = exact.abs();
    if magnitude.compare(last).is_le() {
        return true;
    }
    let mirrored = match (rounding, exact.is_negative()) {
        (Rounding::Up, true) => Rounding::Down,
        (Rounding::Down, true) => Rounding::Up,
        (rounding, _) => rounding,
    };
    // `last` has an odd significand (all ones), so a tie goes up.
    !goes_up(magnitude, last, smallest_normal, false, mirrored)
}

/// The result of an operation with the exact result zero whose sign depends on the operands.
fn signed_zero(layout: Layout, negative: bool) -> (u128, Flags) {
    (layout.zero(negative), Flags::NONE)
}

#[test]
fn sums_and_differences() {
    let values = all_values(TINY);
    for (a, b) in all_pairs() {
        let (Some(x), Some(y)) = (value(TINY, a), value(TINY, b)) else { continue };
        for rounding in ROUNDINGS {
            for (b, y, result) in [
                (b, y, soft::add(TINY, a, b, rounding)),
                (b ^ 0x80, Fraction(-y.0, y.1), soft::sub(TINY, a, b, rounding)),
            ] {
                let sum = x.minus(Fraction(-y.0, y.1));
                let same_sign = a >> 7 == b >> 7;
                let negative_zero = if same_sign { a >> 7 == 1 } else { rounding == Rounding::Down };
                let expected = match sum.0 {
                    0 => signed_zero(TINY, negative_zero),
                    _ => oracle(TINY, &values, sum, rounding),
                };
                assert_eq!(result, expected, "{a:#x} + {b:#x} {rounding:?}");
            }
        }
    }
}

#[test]
fn products_and_quotients() {
    let values = all_values(TINY);
    for (a, b) in all_pairs() {
        let (Some(x), Some(y)) = (value(TINY, a), value(TINY, b)) else { continue };
        let negative = a >> 7 != b >> 7;
        for rounding in ROUNDINGS {
            let expected = match x.0 * y.0 {
                0 => signed_zero(TINY, negative),
                product => oracle(TINY, &values, Fraction(product, x.1 * y.1), rounding),
            };
            assert_eq!(soft::mul(TINY, a, b, rounding), expected, "{a:#x} * {b:#x} {rounding:?}");
            let expected = match (x.0, y.0) {
                (0, 0) => (TINY.default_nan(), Flags::INVALID),
                (_, 0) => (TINY.infinity(negative), Flags::DIV_BY_ZERO),
                (0, _) => signed_zero(TINY, negative),
                _ => {
                    let quotient = Fraction(x.0 * y.1 * y.0.signum(), x.1 * y.0.abs());
                    oracle(TINY, &values, quotient, rounding)
                }
            };
            assert_eq!(soft::div(TINY, a, b, rounding), expected, "{a:#x} / {b:#x} {rounding:?}");
        }
    }
}

#[test]
fn fused_products() {
    let values = all_values(TINY);
    for (a, b) in all_pairs() {
        // Every fifth addend: still each pair of a product and an addend's class.
        for c in ((a ^ b) % 5..256).step_by(5) {
            let (Some(x), Some(y), Some(z)) = (value(TINY, a), value(TINY, b), value(TINY, c)) else {
                continue;
            };
            let rounding = ROUNDINGS[((a + b + c) % 5) as usize];
            let sum = Fraction(x.0 * y.0, x.1 * y.1).minus(Fraction(-z.0, z.1));
            let product_negative = a >> 7 != b >> 7;
            let expected = if sum.0 != 0 {
                oracle(TINY, &values, sum, rounding)
            } else if product_negative == (c >> 7 == 1) {
                signed_zero(TINY, product_negative)
            } else {
                signed_zero(TINY, rounding == Rounding::Down)
            };
            assert_eq!(soft::fma(TINY, a, b, c, rounding), expected, "{a:#x} * {b:#x} + {c:#x} {rounding:?}");
        }
    }
}

#[test]
fn square_roots() {
    // The root lies in the format's range and is never tiny; its place is found by squaring all candidates.
    for a in 0..256u128 {
        let Some(x) = value(TINY, a) else { continue };
        for rounding in ROUNDINGS {
            let result = soft::sqrt(TINY, a, rounding);
            if x.0 == 0 {
                assert_eq!(result, (a, Flags::NONE));
                continue;
            } else if x.is_negative() {
                assert_eq!(result, (TINY.default_nan(), Flags::INVALID));
                continue;
            }
            let square =
                |bits: u128| value(TINY, bits).map(|root| Fraction(root.0 * root.0, root.1 * root.1));
            let low = (0..0x78).rfind(|bits| square(*bits).is_some_and(|s| s.compare(x).is_le())).unwrap();
            let exact = square(low).is_some_and(|s| s.compare(x).is_eq());
            let (l, h) = (value(TINY, low).unwrap(), value(TINY, low + 1).unwrap());
            // Twice the middle, squared, against four times the operand.
            let middle = Fraction(l.0 * h.1 + h.0 * l.1, l.1 * h.1);
            let above = Fraction(4 * x.0, x.1).compare(Fraction(middle.0 * middle.0, middle.1 * middle.1));
            assert!(exact || above.is_ne(), "a root is never a tie");
            let up = match rounding {
                Rounding::NearestEven | Rounding::NearestAway => above.is_gt(),
                Rounding::Up => true,
                Rounding::Down | Rounding::TowardZero => false,
            };
            let bits = if !exact && up { low + 1 } else { low };
            assert_eq!(result, (bits, Flags::inexact_if(!exact)), "sqrt {a:#x} {rounding:?}");
        }
    }
}

#[test]
fn remainders() {
    for (a, b) in all_pairs() {
        let (Some(x), Some(y)) = (value(TINY, a), value(TINY, b)) else { continue };
        let (bits, flags) = soft::fmod(TINY, a, b);
        if y.0 == 0 {
            assert_eq!((bits, flags), (TINY.default_nan(), Flags::INVALID));
            continue;
        }
        // Over a common denominator, the remainder of integers.
        let remainder = Fraction((x.0 * y.1) % (y.0 * x.1), x.1 * y.1);
        assert!(value(TINY, bits).is_some_and(|r| r.compare(remainder).is_eq()), "{a:#x} mod {b:#x}");
        assert_eq!((bits >> 7, flags), (a >> 7, Flags::NONE), "{a:#x} mod {b:#x}");
    }
}

#[test]
fn conversions() {
    for to in [NARROW, EXPLICIT, TINY] {
        let values = all_values(to);
        for from in [TINY, NARROW, EXPLICIT] {
            for a in 0..1u128 << from.width() {
                let Some(x) = value(from, a) else { continue };
                for rounding in ROUNDINGS {
                    let expected = match x.0 {
                        0 => signed_zero(to, from.sign(a)),
                        _ => oracle(to, &values, x, rounding),
                    };
                    let result = convert::convert_bits(from, a, to, rounding);
                    assert_eq!(result, expected, "{a:#x} from {from:?} to {to:?} {rounding:?}");
                }
            }
        }
    }
}

#[test]
fn comparisons() {
    for (a, b) in all_pairs() {
        let number = |bits: u128| match TINY.unpack(bits) {
            (_, Value::Nan | Value::Unsupported) => None,
            (negative, Value::Infinite) => Some(Fraction(if negative { -1_000_000 } else { 1_000_000 }, 1)),
            _ => value(TINY, bits),
        };
        let expected = number(a).zip(number(b)).map(|(x, y)| x.compare(y));
        assert_eq!(soft::compare(TINY, a, b), expected, "{a:#x} {b:#x}");
    }
}

/// Where a NaN or an infinity goes in, the table of IEEE 754 and the rule of SSE say what comes out.
#[test]
fn special_operands() {
    let (nan, infinite) = (|a: u128| a & 0x7f > 0x78, |a: u128| a & 0x7f == 0x78);
    for (a, b) in all_pairs() {
        if !(nan(a) || nan(b) || infinite(a) || infinite(b)) {
            continue;
        }
        let signals = [a, b].iter().any(|x| nan(*x) && x & 4 == 0);
        let from_nan =
            (if nan(a) { a | 4 } else { b | 4 }, if signals { Flags::INVALID } else { Flags::NONE });
        let invalid = (TINY.default_nan(), Flags::INVALID);
        let (negative, zero) = (a >> 7 != b >> 7, |a: u128| a & 0x7f == 0);
        let exact = |bits| (bits, Flags::NONE);
        let any_nan = nan(a) || nan(b);
        let sum = match () {
            () if any_nan => from_nan,
            () if infinite(a) && infinite(b) && negative => invalid,
            () => exact(if infinite(a) { a } else { b }),
        };
        let product = match () {
            () if any_nan => from_nan,
            () if zero(a) || zero(b) => invalid,
            () => exact(TINY.infinity(negative)),
        };
        let quotient = match () {
            () if any_nan => from_nan,
            () if infinite(a) && infinite(b) => invalid,
            () if infinite(a) => exact(TINY.infinity(negative)),
            () => exact(TINY.zero(negative)),
        };
        let nearest = Rounding::NearestEven;
        assert_eq!(soft::add(TINY, a, b, nearest), sum, "{a:#x} + {b:#x}");
        assert_eq!(soft::mul(TINY, a, b, nearest), product, "{a:#x} * {b:#x}");
        assert_eq!(soft::div(TINY, a, b, nearest), quotient, "{a:#x} / {b:#x}");
    }
}

fn all_pairs() -> impl Iterator<Item = (u128, u128)> {
    (0..256).flat_map(|a| (0..256).map(move |b| (a, b)))
}
