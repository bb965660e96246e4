// SPDX-License-Identifier: MIT OR Apache-2.0
//! The exact decimal expansion of a float. It is finite, since two divides ten.

use dashu_int::UBig;

use crate::float::Rounding;

/// A decimal number `0.d1 d2 d3 ... * 10^point`, without leading or trailing zeros; no digits is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    /// ASCII digits.
    pub digits: Vec<u8>,
    /// How many digits stand in front of the decimal point; zero or negative for small numbers.
    pub point: i64,
}

impl Decimal {
    /// `significand * 2^exponent`
    pub fn new(significand: u128, exponent: i32) -> Decimal {
        if significand == 0 {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let value = UBig::from(significand);
        let scaled = if exponent >= 0 {
            value << exponent as usize
        } else {
            // m * 2^-k = m * 5^k / 10^k
            value * UBig::from(5u8).pow(exponent.unsigned_abs() as usize)
        };
        let digits = scaled.to_string().into_bytes();
        let point = digits.len() as i64 + i64::from(exponent.min(0));
        Decimal { digits, point }.trimmed()
    }

    fn trimmed(mut self) -> Decimal {
        let keep = self.digits.iter().rposition(|d| *d != b'0').map_or(0, |last| last + 1);
        self.digits.truncate(keep);
        self
    }

    /// The power of ten of the first digit; zero for zero.
    pub fn exponent(&self) -> i64 {
        if self.digits.is_empty() { 0 } else { self.point - 1 }
    }

    /// The digit of weight `10^(point - 1 - index)`; zero beyond the end and before the start.
    pub fn digit(&self, index: i64) -> u8 {
        usize::try_from(index).ok().and_then(|index| self.digits.get(index)).copied().unwrap_or(b'0')
    }

    /// The number rounded to its first `keep` digits. A `keep` of zero or less means that the whole number
    /// is at or below the last place kept; it may still round up to one unit of that place.
    pub fn rounded(&self, keep: i64, negative: bool, rounding: Rounding) -> Decimal {
        if keep >= self.digits.len() as i64 {
            return self.clone();
        }
        let kept = usize::try_from(keep).map_or(&[][..], |keep| &self.digits[..keep]);
        let next = self.digit(keep);
        let more = keep < 0 || self.digits.len() as i64 > keep + 1;
        let odd = kept.last().is_some_and(|last| last & 1 == 1);
        let up = match rounding {
            Rounding::NearestEven => next > b'5' || (next == b'5' && (more || odd)),
            Rounding::NearestAway => next >= b'5',
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::TowardZero => false,
        };
        let mut result = Decimal { digits: kept.to_vec(), point: self.point };
        if up {
            result.increment(keep);
        }
        result.trimmed()
    }

    /// Adds one unit of the place of the last of `keep` digits.
    fn increment(&mut self, keep: i64) {
        if keep <= 0 {
            *self = Decimal { digits: vec![b'1'], point: self.point - keep + 1 };
            return;
        }
        match self.digits.iter().rposition(|d| *d != b'9') {
            Some(at) => {
                self.digits[at] += 1;
                self.digits[at + 1..].fill(b'0');
            }
            None => *self = Decimal { digits: vec![b'1'], point: self.point + 1 },
        }
    }
}
