// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strings: for standard input, arguments, the environment and files.

use clew_base::int::IntType;

use crate::engine::Engine;
use crate::tape::{Log, Tape};
use crate::values::{Values, scramble};

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

/// The kinds of texts that a program asks for, beside its arguments.
#[derive(Clone, Copy, Default)]
pub(crate) struct Texts {
    stdin: bool,
    variable: bool,
    file: bool,
    network: bool,
    system: bool,
}

impl Texts {
    /// Adds what another run asked for.
    pub fn add(&mut self, log: &Log) {
        self.stdin |= log.stdin;
        self.variable |= !log.variables.is_empty();
        self.file |= !log.files.is_empty();
        self.network |= log.network;
        self.system |= !log.system.is_empty();
    }
}

impl Engine<'_> {
    /// Every string in every place that takes one.
    pub(crate) fn texts(&mut self) {
        let list = candidates(&self.values.clone());
        let asked = self.asked;
        let mut places: Vec<fn(&[u8]) -> Tape> = Vec::new();
        if asked.stdin {
            places.push(|text| Tape { stdin: lines(text), ..Tape::default() });
            places.push(|text| Tape { stdin: text.to_vec(), ..Tape::default() });
        }
        if self.makes_up_variables() {
            places.push(|text| Tape { variable: Some(text.to_vec()), ..Tape::default() });
        }
        if asked.file {
            places.push(|text| Tape { file: Some(lines(text)), ..Tape::default() });
        }
        if asked.network {
            places.push(|text| Tape { network: Some(lines(text)), ..Tape::default() });
            places.push(|text| Tape { network: Some(text.to_vec()), ..Tape::default() });
        }
        if asked.system {
            places.push(|text| Tape { system: Some(absolute(text)), ..Tape::default() });
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

    /// Whether variables may come to be when they are asked for. Where the program sees the whole list, they would
    /// have been there from the start.
    fn makes_up_variables(&self) -> bool {
        self.asked.variable && !self.sees_environment()
    }

    /// Some text in every place that takes one, by a seed: several must often fit each other, or something else.
    pub(crate) fn some_texts(&self, seed: u64) -> Tape {
        let asked = self.asked;
        let text = |place: u64| some_text(&self.values, scramble(seed, place));
        Tape {
            stdin: if asked.stdin { lines(&text(0)) } else { Vec::new() },
            variable: self.makes_up_variables().then(|| text(1)),
            file: asked.file.then(|| lines(&text(2))),
            network: asked.network.then(|| text(3)),
            system: asked.system.then(|| absolute(&text(4))),
            ..Tape::default()
        }
    }
}

/// A text that is short, or about as long as some array.
fn some_text(values: &Values, seed: u64) -> Vec<u8> {
    let marks = values.marks();
    let pick = |at: usize| scramble(seed, at as u64) as usize;
    let length = match values.lengths.get(pick(0) % values.lengths.len().max(1)) {
        Some(length) if pick(1).is_multiple_of(2) => (*length).min(1_000),
        _ => pick(2) % 8,
    };
    let character = |at: usize| match marks.len() {
        0 => b'A',
        count if pick(at).is_multiple_of(4) => marks[pick(at) / 4 % count],
        _ => b'A',
    };
    (3..3 + length).map(character).collect()
}

/// Names of files, which most answers of the system are: just as long, without zeros and from the root on.
fn absolute(text: &[u8]) -> Vec<u8> {
    let name = text.iter().copied().skip(1).filter(|byte| *byte != 0);
    std::iter::once(b'/').chain(name).collect()
}

/// A few lines of the same text.
fn lines(text: &[u8]) -> Vec<u8> {
    [text, b"\n"].concat().repeat(4)
}
