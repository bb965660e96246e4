// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values worth trying: the edges of types, the constants of the source and their neighbours, sizes of its arrays.

use std::borrow::Cow;
use std::collections::BTreeSet;

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;
use clew_ir::syntax::{ExprKind, GlobalKind, Program, Type};
use clew_ir::types::Class;

use crate::effort::MOST_CONSTANTS;
use crate::tape::Rest;

/// The values of a program.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Integer constants and their neighbours.
    pub integers: Vec<i128>,
    /// Float constants, as `double`.
    pub floats: Vec<f64>,
    /// Lengths of strings: sizes of arrays and their neighbours.
    pub lengths: Vec<usize>,
    /// String literals.
    pub strings: Vec<Vec<u8>>,
    /// Special and mentioned values of the usual classes, made once.
    tables: Vec<Table>,
}

#[derive(Clone, Debug)]
struct Table {
    class: Class,
    special: Vec<u128>,
    mentioned: Vec<u128>,
}

const USUAL: [Class; 11] = [
    Class::Int(IntType::BOOL),
    Class::Int(IntType::I8),
    Class::Int(IntType::U8),
    Class::Int(IntType::I16),
    Class::Int(IntType::U16),
    Class::Int(IntType::I32),
    Class::Int(IntType::U32),
    Class::Int(IntType::I64),
    Class::Int(IntType::U64),
    Class::Float(Format::F32),
    Class::Float(Format::F64),
];

/// A number that looks like no other, from two.
pub fn scramble(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x7f4a_7c15_9e37_79b9);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Values {
    /// The values of the source.
    pub fn of(program: &Program) -> Values {
        let (mut integers, mut floats, mut lengths) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
            for expr in body.exprs.iter() {
                match &expr.kind {
                    ExprKind::Int(value) => drop(integers.insert(*value)),
                    ExprKind::Float { bits, .. } => {
                        if let Class::Float(format) = program.types().class(expr.ty) {
                            floats.insert(Float::from_bits(format, *bits).to_f64().to_bits());
                        }
                    }
                    _ => {}
                }
            }
        }
        for ty in program.types.iter() {
            if let Type::Array { length: Some(length), .. } = ty {
                lengths.insert(*length);
            }
        }
        lengths.extend(integers.iter().filter_map(|value| u64::try_from(*value).ok()));
        let literals = program.globals.iter().filter(|g| g.kind == GlobalKind::StringLiteral);
        let texts = literals.filter_map(|g| g.init.as_ref()).map(|init| text_of(&init.bytes));
        let strings: BTreeSet<Vec<u8>> = texts.filter(|text| !text.is_empty() && text.len() < 64).collect();
        let mut values = Values {
            integers: around(&integers),
            floats: floats.into_iter().map(f64::from_bits).take(MOST_CONSTANTS).collect(),
            lengths: lengths_around(&lengths),
            strings: strings.into_iter().take(MOST_CONSTANTS).collect(),
            tables: Vec::new(),
        };
        let table = |class| Table { class, special: special(class), mentioned: values.mentions(class) };
        values.tables = USUAL.into_iter().map(table).collect();
        values
    }

    /// Characters that the source mentions and that are no letters or digits.
    pub fn marks(&self) -> Vec<u8> {
        let is_mentioned = |byte: &u8| self.integers.contains(&i128::from(*byte));
        (b'!'..=b'~').filter(|byte| byte.is_ascii_punctuation()).filter(is_mentioned).collect()
    }

    fn table(&self, class: Class) -> Option<&Table> {
        self.tables.iter().find(|table| table.class == class)
    }

    /// Special values of a class.
    pub fn special(&self, class: Class) -> Cow<'_, [u128]> {
        match self.table(class) {
            Some(table) => Cow::Borrowed(&table.special),
            None => Cow::Owned(special(class)),
        }
    }

    /// Values of a class that the source mentions.
    pub fn mentioned(&self, class: Class) -> Cow<'_, [u128]> {
        match self.table(class) {
            Some(table) => Cow::Borrowed(&table.mentioned),
            None => Cow::Owned(self.mentions(class)),
        }
    }

    fn mentions(&self, class: Class) -> Vec<u128> {
        match class {
            Class::Int(int) => {
                let fitting = self.integers.iter().filter(|value| int.is_canonical(**value));
                fitting.map(|value| *value as u128).collect()
            }
            Class::Float(format) => {
                let integers = self.integers.iter().map(|value| *value as f64);
                let all = self.floats.iter().copied().chain(integers);
                all.flat_map(|value| neighbours(format, value)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a run that is past the end of its tape is given.
    pub fn rest(&self, rest: Rest, class: Class, index: usize) -> u128 {
        let pick = |list: &[u128], by: u64| list.get(by as usize % list.len().max(1)).copied().unwrap_or(0);
        match rest {
            Rest::Zero | Rest::Texts(_) => 0,
            Rest::Special(number) => pick(&self.special(class), number as u64),
            Rest::Noise(seed) => {
                let noise = scramble(seed, index as u64);
                let bits = u128::from(scramble(noise, seed));
                match noise % 4 {
                    0 => pick(&self.special(class), noise >> 8),
                    1 => pick(&self.mentioned(class), noise >> 8),
                    2 => small(class, (noise >> 8) % 16),
                    _ => any(class, bits),
                }
            }
        }
    }
}

fn special(class: Class) -> Vec<u128> {
    match class {
        Class::Int(int) => special_integers(int),
        Class::Float(format) => special_floats(format),
        _ => vec![0],
    }
}

fn small(class: Class, value: u64) -> u128 {
    match class {
        Class::Float(format) => float(format, value as f64),
        _ => u128::from(value),
    }
}

fn any(class: Class, bits: u128) -> u128 {
    match class {
        Class::Int(int) => int.wrap(bits as i128) as u128,
        Class::Float(Format::F64) => bits & u128::from(u64::MAX),
        Class::Float(Format::F32) => bits & u128::from(u32::MAX),
        _ => 0,
    }
}

/// Constants with the values next to them, the smallest first.
fn around(constants: &BTreeSet<i128>) -> Vec<i128> {
    let near = constants.iter().flat_map(|value| [-1, 0, 1].map(|by| value.saturating_add(by)));
    let all: BTreeSet<i128> = near.collect();
    let mut all: Vec<i128> = all.into_iter().collect();
    all.sort_by_key(|value| (value.unsigned_abs(), *value < 0));
    all.truncate(3 * MOST_CONSTANTS);
    all
}

fn lengths_around(sizes: &BTreeSet<u64>) -> Vec<usize> {
    const LONGEST: u64 = 1 << 16;
    let near = sizes.iter().filter(|size| **size <= LONGEST);
    let near = near.flat_map(|size| [size.saturating_sub(1), *size, size + 1]);
    let all: BTreeSet<usize> = near.chain([0, 1, 2]).map(|length| length as usize).collect();
    all.into_iter().take(MOST_CONSTANTS).collect()
}

fn text_of(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|byte| *byte != 0).collect()
}

fn special_integers(int: IntType) -> Vec<u128> {
    let mut list = vec![0, 1, -1, int.max(), int.min(), 2, int.max() - 1, int.min() + 1, 10, 100, -2];
    let powers = (2..i32::from(int.bits)).flat_map(|bit| {
        let power = 1i128 << bit.min(126);
        [power, power - 1, power + 1, -power]
    });
    list.extend(powers);
    let mut seen = BTreeSet::new();
    let fits = |value: &i128| int.is_canonical(*value) && seen.insert(*value);
    list.into_iter().filter(fits).map(|value| value as u128).collect()
}

fn float(format: Format, value: f64) -> u128 {
    Float::from_f64(value).convert(format, Rounding::NearestEven).0.to_bits()
}

/// A float and the ones next to it.
fn neighbours(format: Format, value: f64) -> [u128; 3] {
    let middle = float(format, value);
    [middle, middle.wrapping_add(1), middle.saturating_sub(1)]
}

fn special_floats(format: Format) -> Vec<u128> {
    let ends = [false, true].into_iter().flat_map(|negative| {
        let largest = Float::largest(format, negative);
        let normal = Float::smallest_normal(format, negative);
        [
            Float::zero(format, negative).to_bits(),
            largest.to_bits(),
            normal.to_bits(),
            normal.to_bits() - 1,
            Float::infinity(format, negative).to_bits(),
            float(format, if negative { -1.0 } else { 1.0 }),
        ]
    });
    let mut list: Vec<u128> = ends.collect();
    list.push(Float::nan(format, false, 0).to_bits());
    let smallest = Float::zero(format, false).to_bits() + 1;
    list.push(smallest);
    let plain = [0.5, 2.0, 10.0, 1e-10, 1e10, 1e-30, 1e30, 2147483648.0, -2147483649.0, 9.3e18, 1e150, 1e200];
    list.extend(plain.map(|value| float(format, value)));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_values_fit_their_type() {
        for int in [IntType::BOOL, IntType::I8, IntType::U16, IntType::I32, IntType::U64, IntType::I128] {
            for value in special_integers(int) {
                assert!(int.is_canonical(value as i128), "{value:#x} as {int:?}");
            }
        }
    }

    #[test]
    fn noise_is_the_same_every_time() {
        let values = Values::default();
        let class = Class::Int(IntType::I32);
        let take = || (0..50).map(|i| values.rest(Rest::Noise(7), class, i)).collect::<Vec<_>>();
        assert_eq!(take(), take());
    }
}
