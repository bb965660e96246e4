// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random operands that find what uniform ones miss.

use clew_base::float::{Float, Format};

/// Operands that follow from a seed alone.
pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }

    pub fn wide(&mut self) -> u128 {
        self.0.u128(..)
    }

    /// A significand field: random, sparse, dense, or a run of ones, so that carries and ties happen.
    fn field(&mut self, bits: u32) -> u128 {
        let mask = (1 << bits) - 1;
        let field = match self.below(8) {
            0 => 0,
            1 => mask,
            2 => 1 << self.below(u64::from(bits)),
            3 => mask ^ (1 << self.below(u64::from(bits))),
            4 => (mask >> self.below(u64::from(bits))) << self.below(u64::from(bits)),
            5 => self.wide() << self.below(u64::from(bits)),
            _ => self.wide(),
        };
        field & mask
    }

    /// An exponent field: any, extreme, or near the middle, where sums and products stay in range.
    fn exponent(&mut self, bits: u32) -> u128 {
        let special = (1u64 << bits) - 1;
        u128::from(match self.below(8) {
            0 => special - self.below(4),
            1 => self.below(4),
            2 | 3 => self.below(special + 1),
            4 => special / 4 + self.below(8),
            _ => special / 2 - 8 + self.below(16),
        })
    }

    /// A float of any kind. One in 16 is taken as is, which for the x87 gives patterns it refuses.
    pub fn float(&mut self, format: Format) -> Float {
        let raw = self.wide();
        if raw & 15 == 0 {
            return Float::from_bits(format, raw >> 4);
        }
        let explicit = u32::from(format == Format::X87);
        let exponent_bits = format.bits() - format.precision() - explicit;
        let field_bits = format.bits() - 1 - exponent_bits;
        let exponent = self.exponent(exponent_bits);
        let mut field = self.field(field_bits);
        if format == Format::X87 && exponent != 0 {
            field |= 1 << 63;
        }
        let sign = u128::from(raw >> 64 & 1 == 1) << (format.bits() - 1);
        Float::from_bits(format, sign | exponent << field_bits | field)
    }

    /// A second operand: often close to the first, so that sums cancel and quotients are near one.
    pub fn partner(&mut self, a: Float) -> Float {
        match self.below(6) {
            0 => {
                Float::from_bits(a.format(), a.to_bits().wrapping_add(self.below(9) as u128).wrapping_sub(4))
            }
            1 => Float::from_bits(a.format(), a.to_bits() ^ (1 << self.below(u64::from(a.format().bits())))),
            _ => self.float(a.format()),
        }
    }

    /// An integer of any magnitude up to 128 bits.
    pub fn integer(&mut self) -> i128 {
        let value = self.wide() as i128 >> self.below(128);
        match self.below(4) {
            0 => (1i128 << self.below(128)).wrapping_add(self.below(5) as i128 - 2),
            1 => (value << self.below(128)).wrapping_sub(self.below(3) as i128 - 1),
            _ => value,
        }
    }
}
