// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floats and their bit patterns, which programs read through unions.
//!
//! Read as unsigned numbers, the patterns of one sign are ordered as the magnitudes are: zero, the subnormal and normal
//! numbers, infinity, then the NaNs, those that are quiet last. So a range of numbers of one sign is a range of patterns
//! and the other way round, and nothing is lost between the two.

use clew_base::float::{Float as Concrete, Format, Rounding};
use clew_base::int::IntType;

use super::{Float, f64_of};
use crate::domain::int::Int;

/// Where the kinds of patterns of a format begin.
struct Layout {
    sign: i128,
    infinity: i128,
    quiet: i128,
}

impl Layout {
    /// For the formats all of whose numbers are exact in `f64`.
    fn of(format: Format) -> Option<Layout> {
        if !matches!(format, Format::F32 | Format::F64) {
            return None;
        }
        let infinity = Concrete::infinity(format, false).to_bits() as i128;
        let quiet_bit = 1i128 << (format.precision() - 2);
        Some(Layout { sign: 1i128 << (format.bits() - 1), infinity, quiet: infinity + quiet_bit })
    }
}

impl Float {
    /// The unsigned bit patterns of the members: positive and negative numbers and NaNs apart, where there are any.
    /// None for formats of which patterns are not kept.
    #[must_use]
    pub fn patterns(&self, format: Format) -> Option<Vec<Int>> {
        let layout = Layout::of(format)?;
        let positive = self.positive_patterns(format);
        let negative = self.neg().positive_patterns(format);
        let flipped = |(lo, hi): (i128, i128)| (lo + layout.sign, hi + layout.sign);
        let nan = self.nan.then(|| {
            let first = if self.signaling { layout.infinity + 1 } else { layout.quiet };
            (first, layout.sign - 1)
        });
        let parts = [positive, nan, negative.map(flipped), nan.map(flipped)];
        Some(parts.into_iter().flatten().map(|(lo, hi)| Int::range(lo, hi)).collect())
    }

    /// The bit patterns of the members, kind by kind: zeros, infinities and NaNs apart from other numbers. Of 64
    /// bits, those whose lower half alone says that they are no zero or infinity are apart, too.
    #[must_use]
    pub fn kinds(&self, format: Format) -> Option<Vec<Int>> {
        let layout = Layout::of(format)?;
        let halves = if format == Format::F64 { layout.infinity | 0xffff_ffff } else { layout.infinity };
        let tiny = if format == Format::F64 { 1 << 32 } else { 1 };
        let cuts = [0, 1, tiny, layout.infinity, layout.infinity + 1, halves + 1, layout.sign];
        let kinds =
            cuts.windows(2).filter(|pair| pair[0] < pair[1]).map(|pair| Int::range(pair[0], pair[1] - 1));
        let kinds: Vec<Int> = kinds.collect();
        let flipped = kinds.iter().map(|kind| kind.add(&Int::constant(layout.sign)));
        let all: Vec<Int> = kinds.iter().copied().chain(flipped).collect();
        let parts = self.patterns(format)?;
        Some(parts.iter().flat_map(|part| all.iter().filter_map(|kind| part.meet(kind))).collect())
    }

    /// The patterns of the numbers whose sign bit is clear.
    fn positive_patterns(&self, format: Format) -> Option<(i128, i128)> {
        if !self.may_be_positive() {
            return None;
        }
        let bits = |value: f64, rounding: Rounding| {
            Concrete::from_f64(value).convert(format, rounding).0.to_bits() as i128
        };
        let lo = match () {
            () if self.pos_zero => 0,
            () if self.lo <= 0.0 => 1,
            () => bits(self.lo, Rounding::Up),
        };
        let hi = if self.hi > 0.0 { bits(self.hi, Rounding::Down) } else { 0 };
        (lo <= hi).then_some((lo, hi))
    }

    /// The floats that have these bit patterns; signed numbers stand for the patterns they are stored as.
    #[must_use]
    pub fn of_patterns(patterns: &Int, format: Format) -> Option<Float> {
        let layout = Layout::of(format)?;
        let unsigned = patterns.wrap(IntType::unsigned(format.bits() as u16));
        let positive = positive_floats(&unsigned, &layout, format);
        let flipped = unsigned.meet(&Int::range(layout.sign, 2 * layout.sign - 1));
        let flipped = flipped.map(|n| n.sub(&Int::constant(layout.sign)));
        let negative = flipped.map_or(Float::EMPTY, |n| positive_floats(&n, &layout, format).neg());
        positive.join(&negative).nonempty()
    }
}

fn positive_floats(patterns: &Int, layout: &Layout, format: Format) -> Float {
    let within = |lo: i128, hi: i128| patterns.meet(&Int::range(lo, hi));
    let value = |bits: i128| {
        f64_of(Concrete::from_bits(format, bits as u128).convert(Format::F64, Rounding::NearestEven).0)
    };
    let numbers = within(0, layout.infinity)
        .map_or(Float::EMPTY, |n| Float::numbers(value(n.lo()), value(n.hi()), false, n.contains(0)));
    let signaling = within(layout.infinity + 1, layout.quiet - 1).is_some();
    let quiet = within(layout.quiet, layout.sign - 1).is_some();
    Float { nan: signaling || quiet, signaling, ..numbers }
}
