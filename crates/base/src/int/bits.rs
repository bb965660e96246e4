// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bit-counting built-ins at any width.

use super::IntType;

impl IntType {
    /// Leading zero bits; the width for zero (where `__builtin_clz` is undefined).
    #[inline]
    pub const fn clz(self, a: i128) -> u32 {
        self.to_bits(a).leading_zeros() - self.slack()
    }

    /// Trailing zero bits; the width for zero (where `__builtin_ctz` is undefined).
    #[inline]
    pub const fn ctz(self, a: i128) -> u32 {
        if a == 0 { self.bits as u32 } else { a.trailing_zeros() }
    }

    /// One bits.
    #[inline]
    pub const fn popcount(self, a: i128) -> u32 {
        self.to_bits(a).count_ones()
    }

    /// 1 if the number of one bits is odd, else 0.
    #[inline]
    pub const fn parity(self, a: i128) -> u32 {
        self.popcount(a) & 1
    }

    /// One plus the place of the lowest one bit; 0 for zero.
    #[inline]
    pub const fn ffs(self, a: i128) -> u32 {
        if a == 0 { 0 } else { a.trailing_zeros() + 1 }
    }

    /// Leading bits after the top bit that equal it.
    #[inline]
    pub const fn clrsb(self, a: i128) -> u32 {
        let top_first = (a as u128) << self.slack();
        let differing = top_first ^ ((top_first as i128 >> 127) as u128);
        let equal = differing.leading_zeros();
        let width = self.bits as u32;
        (if equal > width { width } else { equal }) - 1
    }

    /// The bytes in reverse order. The width must be a multiple of 8.
    #[inline]
    pub const fn bswap(self, a: i128) -> i128 {
        debug_assert!(self.bits.is_multiple_of(8));
        self.wrap(((a as u128).swap_bytes() >> self.slack()) as i128)
    }
}
