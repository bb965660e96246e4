// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rounding modes, exception flags, and the one function that rounds.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use super::layout::Layout;

/// The direction a result that does not fit is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Rounding {
    /// To the nearest value, ties to the even one: the default of C.
    #[default]
    NearestEven,
    /// To the nearest value, ties away from zero.
    NearestAway,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
    /// Toward zero.
    TowardZero,
}

/// A set of floating-point exceptions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Flags(u8);

impl Flags {
    /// No exception.
    pub const NONE: Flags = Flags(0);
    /// The operation has no meaningful result (`FE_INVALID`).
    pub const INVALID: Flags = Flags(1);
    /// A finite operand gave an exact infinity (`FE_DIVBYZERO`).
    pub const DIV_BY_ZERO: Flags = Flags(2);
    /// The rounded result is beyond the largest finite value (`FE_OVERFLOW`).
    pub const OVERFLOW: Flags = Flags(4);
    /// The result is tiny and inexact (`FE_UNDERFLOW` as x86 raises it).
    pub const UNDERFLOW: Flags = Flags(8);
    /// The result differs from the exact one (`FE_INEXACT`).
    pub const INEXACT: Flags = Flags(16);
    /// The result, rounded as if exponents had no lower bound, is below the smallest normal value and not
    /// zero, exact or not. Hardware has no flag for it; checks for lost precision do.
    pub const TINY: Flags = Flags(32);

    const NAMES: [(Flags, &'static str); 6] = [
        (Flags::INVALID, "invalid"),
        (Flags::DIV_BY_ZERO, "div-by-zero"),
        (Flags::OVERFLOW, "overflow"),
        (Flags::UNDERFLOW, "underflow"),
        (Flags::INEXACT, "inexact"),
        (Flags::TINY, "tiny"),
    ];

    /// The set with these bits, numbered as the constants; other bits are dropped.
    #[inline]
    pub const fn from_bits(bits: u8) -> Flags {
        Flags(bits & 63)
    }

    /// The bits, numbered as the constants.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all exceptions of `other` are in this set.
    #[inline]
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any exception of `other` is in this set.
    #[inline]
    pub const fn intersects(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no exception.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The exceptions that are not in `other`.
    #[inline]
    pub const fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// `INEXACT` or nothing.
    #[inline]
    pub(crate) const fn inexact_if(inexact: bool) -> Flags {
        Flags((inexact as u8) << 4)
    }
}

impl BitOr for Flags {
    type Output = Flags;
    #[inline]
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    #[inline]
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Flags::NAMES.iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, name)| name);
        f.debug_set().entries(names).finish()
    }
}

/// Drops the low `drop` bits of a magnitude, rounded; the flag says whether they were not all zero.
pub(crate) fn round_shift(magnitude: u128, drop: u32, negative: bool, rounding: Rounding) -> (u128, bool) {
    let (kept, rest, half) = match drop {
        0 => return (magnitude, false),
        1..=127 => (magnitude >> drop, magnitude & ((1 << drop) - 1), 1 << (drop - 1)),
        128 => (0, magnitude, 1 << 127),
        // Below half of the last place by a margin: any such rest rounds alike.
        _ => (0, u128::from(magnitude != 0), 2),
    };
    let up = match rounding {
        Rounding::NearestEven => rest > half || (rest == half && kept & 1 == 1),
        Rounding::NearestAway => rest >= half,
        Rounding::Up => rest != 0 && !negative,
        Rounding::Down => rest != 0 && negative,
        Rounding::TowardZero => false,
    };
    (kept + u128::from(up), rest != 0)
}

/// Shifts right and keeps in the lowest bit whether a one was lost ("sticky" bit): enough for rounding later.
#[inline]
pub(crate) const fn shift_right_sticky(value: u128, count: u32) -> u128 {
    if count == 0 {
        value
    } else if count < 128 {
        (value >> count) | (value << (128 - count) != 0) as u128
    } else {
        (value != 0) as u128
    }
}

/// Rounds a finite magnitude that is not zero into a format: the value is `significand / 2^127 * 2^exponent`,
/// with the top bit of `significand` set and its lowest bit possibly sticky.
pub(crate) fn round_pack(
    layout: Layout,
    negative: bool,
    exponent: i32,
    significand: u128,
    rounding: Rounding,
) -> (u128, Flags) {
    debug_assert!(significand >> 127 == 1);
    let excess = 128 - layout.precision;
    let below = layout.min_exponent().saturating_sub(exponent).max(0) as u32;
    let (mut kept, inexact) = round_shift(significand, excess.saturating_add(below), negative, rounding);
    let mut flags = Flags::inexact_if(inexact);
    let mut exponent = exponent.max(layout.min_exponent());
    if below > 0 && is_tiny(layout, below, significand, negative, rounding) {
        flags |= Flags::TINY;
        if inexact {
            flags |= Flags::UNDERFLOW;
        }
    }
    if kept >> layout.precision != 0 {
        kept >>= 1;
        exponent += 1;
    }
    if exponent > layout.max_exponent() {
        return (overflow(layout, negative, rounding), Flags::OVERFLOW | Flags::INEXACT);
    }
    (layout.pack(negative, exponent, kept), flags)
}

/// Tininess after rounding: only a value just below the smallest normal one can round up to it.
fn is_tiny(layout: Layout, below: u32, significand: u128, negative: bool, rounding: Rounding) -> bool {
    let (unbounded, _) = round_shift(significand, 128 - layout.precision, negative, rounding);
    below > 1 || unbounded >> layout.precision == 0
}

fn overflow(layout: Layout, negative: bool, rounding: Rounding) -> u128 {
    let to_infinity = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::TowardZero => false,
    };
    if to_infinity { layout.infinity(negative) } else { layout.largest(negative) }
}
