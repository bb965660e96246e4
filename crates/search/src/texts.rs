// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strings: for standard input, arguments, the environment and files.

use clew_base::int::IntType;

use crate::engine::Engine;
use crate::tape::{Log, Tape};
use crate::values::Values;

/// Strings worth trying.
fn candidates(values: &Values) -> Vec<Vec<u8>> {
    let edges =
        [IntType::I32, IntType::I64, IntType::I16, IntType::I8, IntType::U32, IntType::U16, IntType::U8];
    let edges = edges.into_iter().flat_map(|int| [int.max(), int.min(), int.max() + 1]);
    let mentioned = values.integers.iter().copied().take(60);
    let numbers = [0, 1, -1, 10, 100, 99_999].into_iter().chain(edges).chain(mentioned);
    let numbers = numbers.map(|number| number.to_string().into_bytes());
    let floats =
        ["0.0", "1e308", "-1e308", "nan", "inf", "1e-310", "0.5"].map(|text| text.as_bytes().to_vec());
    let characters = [0x80, 0x7f, 0xff, 0x01, 0x00].map(|byte| vec![byte]);
    let lengths = values.lengths.iter().map(|length| vec![b'A'; *length]);
    let long = [1_000, 10_000].map(|length| vec![b'A'; length]);
    let literals = values.strings.iter().cloned();
    let plain = numbers.chain(characters).chain(floats).chain(lengths).chain(long).chain(literals);
    plain.chain(marked(values)).collect()
}

/// Strings as long as arrays with a character that the source mentions at the end, or nothing else in them: parsers
/// stop at such characters, or do not.
fn marked(values: &Values) -> impl Iterator<Item = Vec<u8>> {
    const CHARACTERS: usize = 8;
    let marks = values.marks();
    let lengths = values.lengths.iter().copied().filter(|length| *length > 1);
    let pairs = lengths.flat_map(move |length| {
        let marks = marks.clone().into_iter().take(CHARACTERS);
        marks.map(move |mark| (length, mark))
    });
    pairs.flat_map(|(length, mark)| {
        let mut last = vec![b'A'; length];
        last[length - 1] = mark;
        [last, vec![mark; length]]
    })
}

impl Engine<'_> {
    /// Every string in every place that takes one.
    pub(crate) fn texts(&mut self, first: &Log) {
        let list = candidates(&self.values.clone());
        let mut places: Vec<fn(&[u8]) -> Tape> = Vec::new();
        if first.stdin {
            places.push(|text| Tape { stdin: lines(text), ..Tape::default() });
            places.push(|text| Tape { stdin: text.to_vec(), ..Tape::default() });
        }
        if !first.variables.is_empty() {
            places.push(|text| Tape { variable: Some(text.to_vec()), ..Tape::default() });
        }
        if !first.files.is_empty() {
            places.push(|text| Tape { file: Some(lines(text)), ..Tape::default() });
        }
        if self.takes_arguments() {
            places.push(|text| Tape { arguments: vec![text.to_vec()], ..Tape::default() });
            places.push(|text| Tape { arguments: vec![text.to_vec(); 3], ..Tape::default() });
        }
        for text in &list {
            for place in &places {
                if self.is_done() {
                    return;
                }
                self.run(&place(text));
            }
        }
    }
}

/// A few lines of the same text.
fn lines(text: &[u8]) -> Vec<u8> {
    [text, b"\n"].concat().repeat(4)
}
