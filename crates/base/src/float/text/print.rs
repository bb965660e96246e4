// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a float to the text that glibc's `printf` writes.

use std::cmp::Ordering;
use std::fmt;

use super::decimal::Decimal;
use super::parse::parse_prefix;
use crate::float::layout::Value;
use crate::float::round::round_shift;
use crate::float::{Float, Format, Rounding};

/// A floating conversion of `printf`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// `%e`: one digit, the point, the rest, a decimal exponent.
    E,
    /// `%f`: no exponent.
    F,
    /// `%g`: one of the two, without zeros at the end.
    G,
    /// `%a`: hexadecimal, with a binary exponent.
    A,
}

/// What a conversion specification says about the digits. Sign, padding and grouping are the caller's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The conversion.
    pub conversion: Conversion,
    /// The precision, if one is given.
    pub precision: Option<usize>,
    /// The `#` flag.
    pub alternate: bool,
    /// The upper-case form of the conversion.
    pub uppercase: bool,
}

impl Spec {
    /// A conversion with a precision and no flags.
    pub const fn new(conversion: Conversion, precision: Option<usize>) -> Spec {
        Spec { conversion, precision, alternate: false, uppercase: false }
    }
}

impl Float {
    /// The magnitude as `printf` prints it (no sign, see [`Float::is_negative`]). As in C, a `float` prints as
    /// the `double` of the same value. The rounding mode is that of the digits.
    pub fn print(self, spec: Spec, rounding: Rounding) -> String {
        let mut text = match (self.layout().unpack(self.bits).1, spec.conversion) {
            (Value::Infinite, _) => "inf".to_owned(),
            (Value::Nan | Value::Unsupported, _) => "nan".to_owned(),
            (_, Conversion::A) => self.print_hexadecimal(spec, rounding),
            _ => self.print_decimal(spec, rounding),
        };
        if spec.uppercase {
            text.make_ascii_uppercase();
        }
        text
    }

    fn decimal(self) -> Decimal {
        let (_, significand, exponent) = self.decompose().unwrap_or((false, 0, 0));
        Decimal::new(significand, exponent)
    }

    fn print_decimal(self, spec: Spec, rounding: Rounding) -> String {
        let (exact, negative) = (self.decimal(), self.is_negative());
        let precision = spec.precision.unwrap_or(6);
        match spec.conversion {
            Conversion::F => fixed(&exact, precision, negative, rounding, spec.alternate),
            Conversion::E => scientific(&exact, precision, negative, rounding, spec.alternate),
            _ => general(&exact, precision.max(1), negative, rounding, spec.alternate),
        }
    }

    fn print_hexadecimal(self, spec: Spec, rounding: Rounding) -> String {
        let value = match self.format {
            Format::F16 | Format::F32 => self.convert(Format::F64, rounding).0,
            _ => self,
        };
        let (lead, fraction, digits, exponent) = value.hexadecimal_parts();
        let (lead, fraction, exponent, digits) = match spec.precision {
            Some(precision) if precision < digits => {
                let whole = u128::from(lead) << (4 * digits) | fraction;
                let drop = 4 * (digits - precision) as u32;
                let (kept, _) = round_shift(whole, drop, self.is_negative(), rounding);
                let lead = kept >> (4 * precision);
                let fraction = kept & ((1 << (4 * precision)) - 1);
                // Past the largest digit, the number is 1.0 with four more powers of two.
                if lead > 15 {
                    (1, 0, exponent + 4, precision)
                } else {
                    (lead as u8, fraction, exponent, precision)
                }
            }
            Some(_) => (lead, fraction, exponent, digits),
            None => {
                let zeros = if fraction == 0 { digits } else { fraction.trailing_zeros() as usize / 4 };
                (lead, fraction.checked_shr(4 * zeros as u32).unwrap_or(0), exponent, digits - zeros)
            }
        };
        let mut text = format!("0x{lead:x}");
        let padding = spec.precision.unwrap_or(0).saturating_sub(digits);
        if digits + padding > 0 || spec.alternate {
            text.push('.');
        }
        if digits > 0 {
            text.push_str(&format!("{fraction:0digits$x}"));
        }
        text.extend(std::iter::repeat_n('0', padding));
        text.push_str(&format!("p{exponent:+}"));
        text
    }

    /// The leading hexadecimal digit, the digits behind the point as a number, how many they are, and the
    /// exponent, as glibc chooses them: 1.xxx (0.xxx if subnormal), except for the x87 format, whose stored
    /// integer bit leads to a first digit of up to 15.
    fn hexadecimal_parts(self) -> (u8, u128, usize, i32) {
        let layout = self.layout();
        let lead_bits = if layout.explicit_integer_bit { 4 } else { 1 };
        let fraction_bits = layout.precision - lead_bits;
        let Value::Finite { exponent, significand } = layout.unpack(self.bits).1 else {
            return (0, 0, fraction_bits.div_ceil(4) as usize, 0);
        };
        let below = (layout.min_exponent() - exponent).max(0);
        let significand = significand >> (128 - layout.precision) >> below;
        let fraction = significand & ((1 << fraction_bits) - 1);
        let digits = fraction_bits.div_ceil(4);
        let lead = (significand >> fraction_bits) as u8;
        let exponent = exponent.max(layout.min_exponent()) - (lead_bits as i32 - 1);
        (lead, fraction << (4 * digits - fraction_bits), digits as usize, exponent)
    }

    /// The fewest decimal digits that lead back to this value, for messages: `0.1`, `-1e+300`, `inf`, `nan`.
    fn shortest(self) -> String {
        let nearest = Rounding::NearestEven;
        if !self.is_finite() {
            return self.print(Spec::new(Conversion::G, None), nearest);
        }
        let exact = self.decimal();
        let reads_back = |digits: &usize| {
            let text = scientific(&exact, *digits, false, nearest, false);
            parse_prefix(text.as_bytes(), self.format, nearest)
                .is_some_and(|parsed| parsed.value.compare(self.abs()) == Some(Ordering::Equal))
        };
        // 36 digits tell all values of the widest format apart.
        let digits = (0..36).find(reads_back).unwrap_or(36);
        let exponent = exact.rounded(digits as i64 + 1, false, nearest).exponent();
        if (-5..17).contains(&exponent) {
            let behind = (digits as i64 - exponent).max(0) as usize;
            fixed(&exact, behind, false, nearest, false)
        } else {
            scientific(&exact, digits, false, nearest, false)
        }
    }
}

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.is_negative(), "", &self.shortest())
    }
}

/// Appends `count` digits from `first` on.
fn push_digits(text: &mut String, decimal: &Decimal, first: i64, count: usize) {
    let known = (decimal.digits.len() as i64 - first).clamp(0, count as i64);
    text.extend((first..first + known).map(|index| char::from(decimal.digit(index))));
    text.extend(std::iter::repeat_n('0', count - known as usize));
}

fn fixed(exact: &Decimal, precision: usize, negative: bool, rounding: Rounding, point: bool) -> String {
    let keep = exact.point.saturating_add_unsigned(precision as u64);
    let rounded = exact.rounded(keep, negative, rounding);
    let mut text = String::new();
    if rounded.digits.is_empty() || rounded.point <= 0 {
        text.push('0');
    } else {
        push_digits(&mut text, &rounded, 0, rounded.point as usize);
    }
    if precision > 0 || point {
        text.push('.');
    }
    let first = if rounded.digits.is_empty() { 0 } else { rounded.point };
    push_digits(&mut text, &rounded, first, precision);
    text
}

fn scientific(exact: &Decimal, precision: usize, negative: bool, rounding: Rounding, point: bool) -> String {
    let rounded = exact.rounded(1i64.saturating_add_unsigned(precision as u64), negative, rounding);
    let mut text = char::from(rounded.digit(0)).to_string();
    if precision > 0 || point {
        text.push('.');
    }
    push_digits(&mut text, &rounded, 1, precision);
    let exponent = rounded.exponent();
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", exponent.unsigned_abs()));
    text
}

fn general(exact: &Decimal, precision: usize, negative: bool, rounding: Rounding, alternate: bool) -> String {
    let rounded = exact.rounded(i64::try_from(precision).unwrap_or(i64::MAX), negative, rounding);
    let exponent = rounded.exponent();
    // Without '#', the digits shown are those that are not zeros at the end.
    let shown = if alternate { precision } else { rounded.digits.len().max(1) };
    if exponent < -4 || exponent >= 0 && exponent.unsigned_abs() >= precision as u64 {
        scientific(&rounded, shown - 1, negative, rounding, alternate)
    } else {
        let behind = (shown as i64 - 1 - exponent).max(0) as usize;
        fixed(&rounded, behind, negative, rounding, alternate)
    }
}
