// SPDX-License-Identifier: MIT OR Apache-2.0
//! Integers in text as `strtol` finds them (C locale).

/// Whether C's `isspace` holds for the byte.
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// What `strtol` and its kin find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// Bytes used, leading blanks included; zero if there is no number.
    pub used: usize,
    /// Whether a minus stands before it.
    pub negative: bool,
    /// The magnitude; `None` beyond 64 bits.
    pub magnitude: Option<u64>,
}

/// Reads an integer. `base` is 0 or 2..=36.
pub fn integer(text: &[u8], base: u32) -> Integer {
    let mut at = text.iter().take_while(|b| is_space(**b)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let hex_prefix = text.get(at) == Some(&b'0') && matches!(text.get(at + 1), Some(b'x' | b'X'));
    let hex_digit_follows = text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    let base = match base {
        0 | 16 if hex_prefix && hex_digit_follows => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let start = at;
    let mut magnitude = Some(0u64);
    while let Some(digit) = text.get(at).and_then(|b| (*b as char).to_digit(base)) {
        magnitude = magnitude
            .and_then(|m| m.checked_mul(u64::from(base)))
            .and_then(|m| m.checked_add(u64::from(digit)));
        at += 1;
    }
    if at == start {
        return Integer { used: 0, negative: false, magnitude: Some(0) };
    }
    Integer { used: at, negative, magnitude }
}

impl Integer {
    /// The value as `strtol` returns it, and whether it was out of range.
    pub fn signed(self) -> (i64, bool) {
        match (self.magnitude, self.negative) {
            (Some(m), false) if m <= i64::MAX as u64 => (m as i64, false),
            (Some(m), true) if m <= 1 << 63 => ((m as i64).wrapping_neg(), false),
            (_, false) => (i64::MAX, true),
            (_, true) => (i64::MIN, true),
        }
    }

    /// The value as `strtoul` returns it, and whether it was out of range.
    pub fn unsigned(self) -> (u64, bool) {
        match (self.magnitude, self.negative) {
            (Some(m), false) => (m, false),
            (Some(m), true) => (m.wrapping_neg(), false),
            (None, _) => (u64::MAX, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(integer(b"  -0x1Fz", 0), Integer { used: 7, negative: true, magnitude: Some(31) });
        assert_eq!(integer(b"0xg", 0), Integer { used: 1, negative: false, magnitude: Some(0) });
        assert_eq!(integer(b"+", 10).used, 0);
        assert_eq!(integer(b"9223372036854775808", 10).signed(), (i64::MAX, true));
        assert_eq!(integer(b"-9223372036854775808", 10).signed(), (i64::MIN, false));
        assert_eq!(integer(b"-1", 10).unsigned(), (u64::MAX, false));
        assert_eq!(integer(b"zz", 36).magnitude, Some(35 * 37));
    }
}
