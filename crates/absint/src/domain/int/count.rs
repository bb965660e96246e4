// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bit-counting built-ins. Exact for constants; else a range that any value of the bounds' size obeys.

use clew_base::int::IntType;

use super::Int;

impl Int {
    /// Applies an exact function to a constant that is a value of the type, else takes the range.
    fn counted(
        &self,
        ty: IntType,
        exact: impl Fn(IntType, i128) -> u32,
        range: impl Fn() -> (u32, u32),
    ) -> Int {
        match self.as_constant() {
            Some(value) if self.fits(ty).is_true() => Int::constant(exact(ty, value).into()),
            _ => {
                let (lo, hi) = range();
                Int::interval(lo.into(), hi.into())
            }
        }
    }

    /// The least and greatest number of leading zeros of a value that is not negative; else all widths.
    fn leading_zeros(&self, ty: IntType) -> (u32, u32) {
        let width = u32::from(ty.bits);
        if self.lo < 0 || !self.fits(ty).is_true() {
            return (0, width);
        }
        (ty.clz(self.hi), ty.clz(self.lo))
    }

    /// Leading zeros (the width for zero).
    #[must_use]
    pub fn clz(&self, ty: IntType) -> Int {
        self.counted(ty, IntType::clz, || self.leading_zeros(ty))
    }

    /// Trailing zeros (the width for zero).
    #[must_use]
    pub fn ctz(&self, ty: IntType) -> Int {
        self.counted(ty, IntType::ctz, || {
            let width = u32::from(ty.bits);
            let most = if self.contains(0) || !self.fits(ty).is_true() { width } else { width - 1 };
            (0, most)
        })
    }

    /// Set bits.
    #[must_use]
    pub fn popcount(&self, ty: IntType) -> Int {
        self.counted(ty, IntType::popcount, || (0, u32::from(ty.bits) - self.leading_zeros(ty).0))
    }

    /// Set bits modulo 2.
    #[must_use]
    pub fn parity(&self, ty: IntType) -> Int {
        self.counted(ty, IntType::parity, || (0, 1))
    }

    /// One more than the place of the lowest set bit, 0 for zero.
    #[must_use]
    pub fn ffs(&self, ty: IntType) -> Int {
        self.counted(ty, IntType::ffs, || {
            let nonzero = self.fits(ty).is_true() && !self.contains(0);
            (u32::from(nonzero), u32::from(ty.bits))
        })
    }

    /// Leading bits after the top bit that equal it.
    #[must_use]
    pub fn clrsb(&self, ty: IntType) -> Int {
        self.counted(ty, IntType::clrsb, || (0, u32::from(ty.bits) - 1))
    }

    /// The bytes in reverse order.
    #[must_use]
    pub fn bswap(&self, ty: IntType) -> Int {
        match self.as_constant() {
            Some(value) if self.fits(ty).is_true() && ty.bits < 128 && ty.bits.is_multiple_of(8) => {
                Int::constant(ty.bswap(value))
            }
            _ => Int::of_type(ty),
        }
    }
}
