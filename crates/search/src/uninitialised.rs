// SPDX-License-Identifier: MIT OR Apache-2.0
//! What objects hold that nothing was written to: whatever lay there before, so a run may choose it.
//!
//! A text without its NUL, a text of the wrong length, a number that is out of range: programs that rely on memory they
//! never wrote go wrong on some of these, and C does not say which of them is there.

use crate::effort::MOST_CHOSEN_BYTES;
use crate::engine::Engine;
use crate::tape::Tape;
use crate::values::{Values, scramble};

/// What a run puts into new objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Filling {
    /// What the options of the run say, which is no input.
    #[default]
    Dull,
    /// One byte everywhere.
    Byte(u8),
    /// Texts and numbers, by a seed.
    Mixed(u64),
}

impl Filling {
    /// The first bytes of an object, by its number in the run.
    pub fn bytes(self, values: &Values, number: usize, size: u64) -> Vec<u8> {
        let size = size.min(MOST_CHOSEN_BYTES) as usize;
        match self {
            Filling::Dull => Vec::new(),
            Filling::Byte(byte) => vec![byte; size],
            Filling::Mixed(seed) => mixed(values, scramble(seed, number as u64), size),
        }
    }
}

fn mixed(values: &Values, seed: u64, size: usize) -> Vec<u8> {
    let pick = |at: usize| scramble(seed, at as u64);
    let marks = values.marks();
    let character = |at: usize| match marks.len() {
        0 => b'A',
        count if pick(at) % 2 == 0 => marks[pick(at) as usize / 2 % count],
        _ => b'A',
    };
    let length = pick(size) as usize % (size + 1);
    match seed % 6 {
        0 => vec![0; size],
        1 => vec![character(size); size],
        // Texts: of some length, or with other bytes behind their end.
        2 => (0..size).map(|at| if at < length { character(at) } else { 0 }).collect(),
        3 => (0..size).map(|at| if at == length { 0 } else { character(at) }).collect(),
        4 => (0..size).map(|at| if pick(at) % 4 == 0 { 0 } else { character(at) }).collect(),
        _ => numbers(values, seed, size),
    }
}

/// Numbers of the width of an `int`.
fn numbers(values: &Values, seed: u64, size: usize) -> Vec<u8> {
    let number = |at: usize| {
        let noise = scramble(seed, at as u64);
        let mentioned = values.integers.get((noise >> 8) as usize % values.integers.len().max(1));
        match (noise % 4, mentioned) {
            (0 | 1, Some(value)) => *value as i32,
            (2, _) => noise as i32,
            _ => (noise >> 8) as i32 % 16,
        }
    };
    (0..size.div_ceil(4)).flat_map(|at| number(at).to_le_bytes()).take(size).collect()
}

impl Engine<'_> {
    /// Runs on other contents of what is never written, if that matters to anybody.
    pub(crate) fn unwritten(&mut self) {
        const MIXED: u64 = 48;
        if !self.reads_unwritten {
            return;
        }
        let marks = self.values.marks().into_iter().take(8);
        let bytes = [b'A', 0xff, 1].into_iter().chain(marks).map(Filling::Byte);
        let fillings: Vec<Filling> = bytes.chain((0..MIXED).map(Filling::Mixed)).collect();
        for (filling, seed) in fillings.into_iter().zip(0..) {
            if self.is_done() {
                return;
            }
            let texts = if seed % 2 == 1 { self.some_texts(seed) } else { Tape::default() };
            self.run(&Tape { filling, ..texts });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_fit_their_object_and_are_the_same_every_time() {
        let values = Values::default();
        for number in 0..50 {
            for size in [0, 1, 3, 4, 72, 100_000] {
                let bytes = Filling::Mixed(7).bytes(&values, number, size);
                assert_eq!(bytes.len() as u64, size.min(MOST_CHOSEN_BYTES));
                assert_eq!(bytes, Filling::Mixed(7).bytes(&values, number, size));
            }
        }
    }
}
