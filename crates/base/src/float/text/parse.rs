// SPDX-License-Identifier: MIT OR Apache-2.0
//! From text to the nearest float.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use crate::float::round::{Flags, Rounding, round_pack};
use crate::float::{Float, Format};

/// What `strtod` finds at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The value.
    pub value: Float,
    /// How many bytes were taken, white space in front included.
    pub length: usize,
    /// What rounding raised. glibc sets `ERANGE` if overflow or underflow is among them.
    pub flags: Flags,
}

/// Reads as much of a text as `strtod` does in the C locale: white space, a sign, then a decimal or hexadecimal
/// number, `inf`, `infinity`, `nan` or `nan(payload)` in any case. None if there is no number.
pub fn parse_prefix(text: &[u8], format: Format, rounding: Rounding) -> Option<Parsed> {
    let blanks = text.iter().take_while(|c| matches!(c, b' ' | b'\t'..=b'\r')).count();
    let mut rest = &text[blanks..];
    let negative = rest.first() == Some(&b'-');
    if matches!(rest.first(), Some(b'-' | b'+')) {
        rest = &rest[1..];
    }
    let (value, flags, taken) =
        special(rest, negative, format).map(|(value, taken)| (value, Flags::NONE, taken)).or_else(|| {
            let (number, taken) = Number::scan(rest)?;
            let (value, flags) = number.round(negative, format, rounding);
            Some((value, flags, taken))
        })?;
    Some(Parsed { value, length: text.len() - rest.len() + taken, flags })
}

/// Reads a floating constant of C without its suffix; none if the text is anything else.
pub fn parse_literal(text: &[u8], format: Format, rounding: Rounding) -> Option<(Float, Flags)> {
    let (number, taken) = Number::scan(text)?;
    (taken == text.len()).then(|| number.round(false, format, rounding))
}

/// An infinity or a NaN, and its length.
fn special(text: &[u8], negative: bool, format: Format) -> Option<(Float, usize)> {
    let starts = |word: &[u8]| text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    if starts(b"infinity") {
        Some((Float::infinity(format, negative), 8))
    } else if starts(b"inf") {
        Some((Float::infinity(format, negative), 3))
    } else if starts(b"nan") {
        let (payload, taken) = nan_payload(&text[3..]);
        Some((Float::nan(format, negative, payload), 3 + taken))
    } else {
        None
    }
}

/// The number in `(...)` behind `nan`, and the length of the parenthesis. A word that is no number is taken too,
/// for a payload of zero; one with other characters, or not closed, is not.
fn nan_payload(text: &[u8]) -> (u128, usize) {
    let Some(inner) = text.strip_prefix(b"(") else { return (0, 0) };
    let length = inner.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    if inner.get(length) != Some(&b')') {
        return (0, 0);
    }
    let word = inner[..length].to_ascii_lowercase();
    let (digits, radix) = match word.as_slice() {
        [b'0', b'x', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        digits => (digits, 10),
    };
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    let all_digits = digits.chars().all(|c| c.is_digit(radix));
    // As strtoull: too large a number saturates.
    let payload = if all_digits && !digits.is_empty() {
        u64::from_str_radix(digits, radix).unwrap_or(u64::MAX)
    } else {
        0
    };
    (u128::from(payload), length + 2)
}

/// A number as it is written.
struct Number {
    /// Significant digits as numbers, without leading zeros. If any were cut off, the last one is not zero.
    digits: Vec<u8>,
    /// The power of the radix (decimal) or of two (hexadecimal) behind the last digit.
    exponent: i64,
    hexadecimal: bool,
}

/// No rounding in any format depends on a digit beyond this many other than by its not being zero: a tie
/// between two neighbours has fewer than 12,000 significant digits.
const MAX_DIGITS: usize = 20_000;

impl Number {
    /// The longest number at the start of a text, and its length.
    fn scan(text: &[u8]) -> Option<(Number, usize)> {
        match text {
            [b'0', b'x' | b'X', rest @ ..] => match Number::scan_digits(rest, true) {
                Some((number, taken)) => Some((number, taken + 2)),
                // Just the zero in front of a stray x.
                None => Some((Number { digits: Vec::new(), exponent: 0, hexadecimal: false }, 1)),
            },
            _ => Number::scan_digits(text, false),
        }
    }

    fn scan_digits(text: &[u8], hexadecimal: bool) -> Option<(Number, usize)> {
        let (radix, step) = if hexadecimal { (16, 4) } else { (10, 1) };
        let mut number = Number { digits: Vec::new(), exponent: 0, hexadecimal };
        let (mut at, mut any, mut point) = (0, false, false);
        while let Some(&c) = text.get(at) {
            if c == b'.' && !point {
                point = true;
            } else if let Some(digit) = char::from(c).to_digit(radix) {
                any = true;
                number.push(digit as u8, point, step);
            } else {
                break;
            }
            at += 1;
        }
        if !any {
            return None;
        }
        let marker = if hexadecimal { b'p' } else { b'e' };
        if let Some((exponent, taken)) = scan_exponent(&text[at..], marker) {
            number.exponent = number.exponent.saturating_add(exponent);
            at += taken;
        }
        Some((number, at))
    }

    fn push(&mut self, digit: u8, after_point: bool, step: i64) {
        let keep = self.digits.len() < MAX_DIGITS;
        if self.digits.is_empty() && digit == 0 {
            // A leading zero only moves the point.
        } else if keep {
            self.digits.push(digit);
        } else if digit != 0 {
            self.digits[MAX_DIGITS - 1] |= 1;
        }
        match (keep, after_point) {
            (true, true) => self.exponent -= step,
            (false, false) => self.exponent += step,
            _ => {}
        }
    }

    fn round(&self, negative: bool, format: Format, rounding: Rounding) -> (Float, Flags) {
        if self.digits.is_empty() {
            return (Float::zero(format, negative), Flags::NONE);
        }
        let (exponent, significand) = if self.hexadecimal { self.hexadecimal() } else { self.decimal() };
        let (bits, flags) = round_pack(format.layout(), negative, exponent, significand, rounding);
        (Float::from_bits(format, bits), flags)
    }

    /// The digits as an integer.
    fn integer(&self, radix: u32) -> UBig {
        let digits = self.digits.iter().filter_map(|digit| char::from_digit(u32::from(*digit), radix));
        UBig::from_str_radix(&digits.collect::<String>(), radix).unwrap_or_default()
    }

    /// The value as `round_pack` takes it: the top bit set, the lowest one sticky.
    fn hexadecimal(&self) -> (i32, u128) {
        normalise(&self.integer(16), self.exponent, false)
    }

    fn decimal(&self) -> (i32, u128) {
        let magnitude = self.exponent.saturating_add(self.digits.len() as i64);
        // Beyond every format; what is left of the value is that it is huge or tiny.
        if magnitude > 5_500 {
            return (FAR, 1 << 127);
        } else if magnitude < -5_500 {
            return (-FAR, 1 << 127 | 1);
        }
        let digits = self.integer(10);
        let five = UBig::from(5u8);
        if self.exponent >= 0 {
            return normalise(&(digits * five.pow(self.exponent as usize)), self.exponent, false);
        }
        let divisor = five.pow(self.exponent.unsigned_abs() as usize);
        // Enough quotient bits that the remainder is only sticky.
        let shift = (130 + divisor.bit_len()).saturating_sub(digits.bit_len());
        let dividend = digits << shift;
        let quotient = &dividend / &divisor;
        let exact = &quotient * &divisor == dividend;
        normalise(&quotient, self.exponent - shift as i64, !exact)
    }
}

/// An exponent beyond those of all formats.
const FAR: i32 = 100_000;

/// `value * 2^exponent`, a little more if `sticky`, as `round_pack` takes it.
fn normalise(value: &UBig, exponent: i64, sticky: bool) -> (i32, u128) {
    let bits = value.bit_len();
    let cut = bits.saturating_sub(128);
    let top = u128::try_from(value >> cut).unwrap_or_default();
    let sticky = sticky || (cut > 0 && value.trailing_zeros().unwrap_or(0) < cut);
    let exponent = exponent.saturating_add(bits as i64 - 1).clamp(-i64::from(FAR), i64::from(FAR));
    (exponent as i32, top << top.leading_zeros() | u128::from(sticky))
}

/// An exponent with its marker and at least one digit, and its length.
fn scan_exponent(text: &[u8], marker: u8) -> Option<(i64, usize)> {
    if text.first()?.to_ascii_lowercase() != marker {
        return None;
    }
    let negative = text.get(1) == Some(&b'-');
    let start = if matches!(text.get(1), Some(b'-' | b'+')) { 2 } else { 1 };
    let digits = text[start..].iter().take_while(|c| c.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let magnitude = text[start..start + digits]
        .iter()
        .fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some((if negative { -magnitude } else { magnitude }, start + digits))
}
