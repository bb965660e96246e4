// SPDX-License-Identifier: MIT OR Apache-2.0
//! Encodings: unpacking, and which NaN comes out where NaNs go in.

use clew_base::float::{Float, Format};

use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

/// The shape of a format.
#[derive(Clone, Copy)]
pub struct Layout {
    pub format: Format,
    /// Significant bits, the leading one included.
    pub precision: usize,
    /// Bits of the exponent field.
    pub exponent_bits: usize,
}

impl Layout {
    pub fn of(format: Format) -> Layout {
        let explicit = u32::from(format == Format::X87);
        let exponent_bits = (format.bits() - format.precision() - explicit) as usize;
        Layout { format, precision: format.precision() as usize, exponent_bits }
    }

    /// What is added to an exponent before it is stored.
    pub fn bias(self) -> u128 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Bits of a signed word for biased exponents on their way: sums of three, and shifts by a significand twice
    /// as long.
    pub fn exponent_width(self) -> usize {
        self.exponent_bits.max((2 * self.precision + 4).ilog2() as usize + 1) + 3
    }

    pub fn bits(self) -> usize {
        self.format.bits() as usize
    }

    fn explicit_integer_bit(self) -> bool {
        self.format == Format::X87
    }

    /// Bits of the significand field.
    pub fn field_bits(self) -> usize {
        self.precision - usize::from(!self.explicit_integer_bit())
    }

    pub fn constant(self, value: Float) -> Word {
        word::constant(self.bits(), value.to_bits())
    }

    /// What an operation without a result returns.
    pub fn default_nan(self) -> Word {
        self.constant(Float::nan(self.format, true, 0))
    }

    pub fn with_sign(self, value: Float, sign: Lit) -> Word {
        let mut word = self.constant(value);
        word[self.bits() - 1] = sign;
        word
    }

    pub fn infinity(self, sign: Lit) -> Word {
        self.with_sign(Float::infinity(self.format, false), sign)
    }

    pub fn zero(self, sign: Lit) -> Word {
        self.with_sign(Float::zero(self.format, false), sign)
    }

    /// The encoding from its fields, the fraction without the leading bit.
    pub fn assemble(self, gates: &mut Gates, sign: Lit, exponent: &[Lit], fraction: &[Lit]) -> Word {
        let mut bits = fraction.to_vec();
        if self.explicit_integer_bit() {
            bits.push(gates.any(exponent));
        }
        bits.extend_from_slice(exponent);
        bits.push(sign);
        bits
    }
}

/// An operand taken apart.
#[derive(Clone)]
pub struct Unpacked {
    pub bits: Word,
    pub sign: Lit,
    /// The exponent field, or 1 if that is zero: the biased exponent of the leading bit.
    pub exponent: Word,
    /// With the leading bit; of a subnormal value that is clear.
    pub significand: Word,
    /// A NaN proper.
    pub nan: Lit,
    /// An 80-bit pattern that the x87 takes for an invalid operand.
    pub unsupported: Lit,
    pub infinite: Lit,
    pub zero: Lit,
}

impl Unpacked {
    /// Whether the operand is no number.
    pub fn no_number(&self, gates: &mut Gates) -> Lit {
        gates.or(self.nan, self.unsupported)
    }

    /// The same magnitude with another sign.
    pub fn with_sign(&self, sign: Lit) -> Unpacked {
        let mut other = self.clone();
        other.sign = sign;
        let top = other.bits.len() - 1;
        other.bits[top] = sign;
        other
    }

    /// Exponent, as a signed word, and significand with the leading bit set; of zero: a significand of zero.
    pub fn normalised(&self, gates: &mut Gates, layout: Layout) -> (Word, Word) {
        let zeros = gates.leading_zeros(&self.significand);
        let significand = gates.shl(&self.significand, &zeros);
        let width = layout.exponent_width();
        let (exponent, zeros) = (word::zext(&self.exponent, width), word::zext(&zeros, width));
        (gates.sub(&exponent, &zeros), significand)
    }
}

pub fn unpack(gates: &mut Gates, layout: Layout, bits: &[Lit]) -> Unpacked {
    let field_bits = layout.field_bits();
    let (field, rest) = bits.split_at(field_bits);
    let (exponent, sign) = (&rest[..layout.exponent_bits], rest[layout.exponent_bits]);
    let fraction = &field[..layout.precision - 1];
    let (exponent_nonzero, exponent_ones) = (gates.any(exponent), gates.all(exponent));
    let (leading, unsupported) = if layout.explicit_integer_bit() {
        let leading = field[field_bits - 1];
        (leading, gates.and(exponent_nonzero, !leading))
    } else {
        (exponent_nonzero, Lit::FALSE)
    };
    let fraction_nonzero = gates.any(fraction);
    let special = gates.and(exponent_ones, leading);
    let nonzero = gates.any(&bits[..bits.len() - 1]);
    let mut significand = fraction.to_vec();
    significand.push(leading);
    let mut exponent = exponent.to_vec();
    exponent[0] = gates.or(exponent[0], !exponent_nonzero);
    Unpacked {
        bits: bits.to_vec(),
        sign,
        exponent,
        significand,
        nan: gates.and(special, fraction_nonzero),
        unsupported,
        infinite: gates.and(special, !fraction_nonzero),
        zero: !nonzero,
    }
}

/// What libgcc does when two NaNs have equal significands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    First,
    Second,
}

/// Whether an operand is no number, and the NaN that comes out then.
pub fn propagate(gates: &mut Gates, layout: Layout, a: &Unpacked, b: &Unpacked, tie: Tie) -> (Lit, Word) {
    let first = takes_first(gates, layout, a, b, tie);
    let only_a = gates.and(a.nan, !b.nan);
    let both = gates.and(a.nan, b.nan);
    let both_first = gates.and(both, first);
    let take_a = gates.or(only_a, both_first);
    let mut chosen = gates.mux_word(take_a, &a.bits, &b.bits);
    chosen[layout.precision - 2] = Lit::TRUE;
    let unsupported = gates.or(a.unsupported, b.unsupported);
    let chosen = gates.mux_word(unsupported, &layout.default_nan(), &chosen);
    let nan = gates.or(a.nan, b.nan);
    (gates.or(nan, unsupported), chosen)
}

/// The same for one operand.
pub fn propagate_one(gates: &mut Gates, layout: Layout, a: &Unpacked) -> (Lit, Word) {
    let mut quiet = a.bits.clone();
    quiet[layout.precision - 2] = Lit::TRUE;
    let result = gates.mux_word(a.unsupported, &layout.default_nan(), &quiet);
    (gates.or(a.nan, a.unsupported), result)
}

/// Of two NaNs: whether the first goes on. SSE takes the first; the x87 a quiet one, then the larger
/// significand, then the positive one; libgcc the larger significand.
fn takes_first(gates: &mut Gates, layout: Layout, a: &Unpacked, b: &Unpacked, tie: Tie) -> Lit {
    let field = |x: &Unpacked| x.bits[..layout.field_bits()].to_vec();
    match layout.format {
        Format::F16 | Format::F32 | Format::F64 => Lit::TRUE,
        Format::X87 => {
            let rank = |x: &Unpacked| {
                let mut rank = vec![!x.sign];
                rank.extend(field(x));
                rank.push(x.bits[layout.precision - 2]);
                rank
            };
            !gates.ult(&rank(a), &rank(b))
        }
        Format::F128 if tie == Tie::First => !gates.ult(&field(a), &field(b)),
        Format::F128 => gates.ult(&field(b), &field(a)),
    }
}

/// The first alternative whose condition is set, else the last word.
pub fn choose(gates: &mut Gates, alternatives: &[(Lit, Word)], otherwise: Word) -> Word {
    alternatives
        .iter()
        .rev()
        .fold(otherwise, |rest, (condition, word)| gates.mux_word(*condition, word, &rest))
}
