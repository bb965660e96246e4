// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs: what an execution reads from outside, and how people read that.

use clew_base::float::{Float, Format};
use clew_base::int::IntType;
use clew_ir::witness::InputKind;

use super::text::TextSegment;
use crate::term::TermId;

/// Something that was read from outside.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// When it is read.
    pub guard: TermId,
    /// Where it comes from.
    pub kind: InputKind,
    /// What it is: one term, or the bytes of a text with its length first.
    pub terms: Vec<TermId>,
    /// How people read it.
    pub shape: Shape,
    /// What reads it.
    pub name: String,
}

/// What a bit pattern stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A number.
    Int(IntType),
    /// A float.
    Float(Format),
    /// Whether an allocation succeeds.
    Success,
    /// A text.
    Text,
    /// Bytes, as many as there are terms.
    Bytes,
    /// A part of a text.
    TextSegment(TextSegment),
}

impl Shape {
    /// The bit pattern and the value for a person.
    pub fn show(self, values: &[u128]) -> (String, String) {
        let bits = values.first().copied().unwrap_or(0);
        let value = match self {
            Shape::Int(int) => int.display(int.wrap(bits as i128)).to_string(),
            Shape::Float(Format::F32) => format!("{:?}", Float::from_bits(Format::F32, bits).to_f32()),
            Shape::Float(format) => format!("{:?}", Float::from_bits(format, bits).to_f64()),
            Shape::Success => if bits == 1 { "succeeds" } else { "fails" }.to_owned(),
            Shape::Text | Shape::Bytes | Shape::TextSegment(_) => {
                let all: Vec<u8> = values.iter().map(|byte| *byte as u8).collect();
                let text: Vec<u8> = match self {
                    Shape::Text => all.get(1..).unwrap_or(&[]).iter().take(bits as usize).copied().collect(),
                    _ => all,
                };
                return show_text(&text);
            }
        };
        (format!("{bits:#x}"), value)
    }
}

/// The bytes of a text and the text for a person.
pub(crate) fn show_text(text: &[u8]) -> (String, String) {
    let digits: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
    (format!("0x{digits}"), format!("\"{}\"", text.escape_ascii()))
}
