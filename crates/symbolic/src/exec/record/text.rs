// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts from outside in segments: what an execution reads of each, and the texts that these make together.

use clew_base::int::IntType;
use clew_ir::witness::{Input, InputKind};

use super::input::{Read, show_text};
use crate::exec::state::value::ObjectId;
use crate::term::TermId;

/// How a segment stands in its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextSegment {
    /// Its length, then its bytes.
    Bytes,
    /// The same, and the end of a line behind it.
    Line,
    /// The same, as a word of its own.
    Word,
    /// A number in words, in this base.
    Number { radix: u32, bits: u32, signed: bool },
    /// A float in words.
    Float { bits: u32 },
}

/// Where texts come from, as far as the execution has seen.
pub(crate) struct Source {
    /// The stream; or the descriptor.
    pub handle: Handle,
    pub kind: InputKind,
    pub name: String,
    /// One bit: its text has ended.
    pub ended: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handle {
    Stream(ObjectId),
    Descriptor(TermId),
    Input,
}

impl TextSegment {
    /// Puts the segment behind a text. `after_word`: the text ends in a word.
    pub fn append(self, values: &[u128], text: &mut Vec<u8>, after_word: &mut bool) {
        let is_word =
            matches!(self, TextSegment::Word | TextSegment::Number { .. } | TextSegment::Float { .. });
        if is_word && *after_word {
            text.push(b'\n');
        }
        let first = values.first().copied().unwrap_or(0);
        let bytes = values.get(1..).unwrap_or(&[]).iter().take(first as usize).map(|byte| *byte as u8);
        match self {
            TextSegment::Bytes | TextSegment::Word => text.extend(bytes),
            TextSegment::Line => text.extend(bytes.chain([b'\n'])),
            TextSegment::Number { radix, bits, signed } => {
                text.extend(number(first, radix, bits, signed).bytes())
            }
            TextSegment::Float { bits: 32 } => {
                text.extend(format!("{:?}", f32::from_bits(first as u32)).bytes())
            }
            TextSegment::Float { .. } => text.extend(format!("{:?}", f64::from_bits(first as u64)).bytes()),
        }
        *after_word = is_word || *after_word && first == 0;
    }
}

fn number(value: u128, radix: u32, bits: u32, signed: bool) -> String {
    match radix {
        16 => format!("{value:x}"),
        8 => format!("{value:o}"),
        _ if signed => IntType { bits: bits as u16, signed: true }.wrap(value as i128).to_string(),
        _ => value.to_string(),
    }
}

/// The texts of a run, put together from their segments.
#[derive(Default)]
pub(crate) struct Texts {
    all: Vec<Text>,
}

struct Text {
    kind: InputKind,
    name: String,
    bytes: Vec<u8>,
    /// Whether a word stands at its end.
    after_word: bool,
}

impl Texts {
    /// One more segment. A variable keeps the value that it had first.
    pub fn append(&mut self, read: &Read, segment: TextSegment, values: &[u128]) {
        let known = self.all.iter().position(|text| text.kind == read.kind && text.name == read.name);
        if known.is_some() && read.kind == InputKind::Environment {
            return;
        }
        let at = known.unwrap_or_else(|| {
            let (kind, name) = (read.kind, read.name.clone());
            self.all.push(Text { kind, name, bytes: Vec::new(), after_word: false });
            self.all.len() - 1
        });
        let Text { bytes, after_word, .. } = &mut self.all[at];
        segment.append(values, bytes, after_word);
        if read.kind == InputKind::Environment
            && let Some(end) = bytes.iter().position(|byte| *byte == 0)
        {
            bytes.truncate(end);
        }
    }

    /// As inputs.
    pub fn into_inputs(self) -> impl Iterator<Item = Input> {
        self.all.into_iter().map(|Text { kind, name, bytes, .. }| {
            let (bits, value) = show_text(&bytes);
            Input { kind, name, bits: Some(bits), value: Some(value) }
        })
    }
}
