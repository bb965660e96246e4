// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bit-fields that were written one by one.
//!
//! Several of them share a byte, and an interval of the byte says little of any one: of `f.mode = 3; f.ready = 0;` neither value
//! would be left, nor that both were written while their neighbours were not. So what was last written to each is kept beside
//! the bytes, and goes when the bytes are written in another way.

use crate::domain::int::Int;
use crate::domain::value::{Kind, Value};
use crate::map::Map;
use crate::memory::contents::Contents;

/// A bit-field of an object: its first bit, counted from the object's start, and how many it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BitField {
    pub(crate) first: u64,
    pub(crate) width: u8,
}

/// The fields that were written, by first bit. No two of them overlap.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct BitFields(Map<u64, Written>);

#[derive(Clone, PartialEq, Debug)]
struct Written {
    width: u8,
    /// The bits as an unsigned number.
    value: Value,
}

impl BitField {
    fn end(self) -> u64 {
        self.first + u64::from(self.width)
    }
}

impl BitFields {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, field: BitField) -> Option<&Value> {
        self.0.get(field.first).filter(|written| written.width == field.width).map(|written| &written.value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (BitField, &Value)> {
        self.0.iter().map(|(first, written)| (BitField { first, width: written.width }, &written.value))
    }

    /// The fields with bits in `from .. to`.
    fn meeting(&self, from: u64, to: u64) -> Vec<(BitField, Value)> {
        let near = self.0.iter_from(from.saturating_sub(128)).take_while(|(first, _)| *first < to);
        let fields = near.map(|(first, written)| (BitField { first, width: written.width }, &written.value));
        fields.filter(|(field, _)| field.end() > from).map(|(field, value)| (field, value.clone())).collect()
    }

    fn forget_bits(&mut self, from: u64, to: u64) {
        for (field, _) in self.meeting(from, to) {
            self.0.remove(field.first);
        }
    }

    /// The bytes `from .. to` are written in another way.
    pub(crate) fn forget(&mut self, from: u64, to: u64) {
        if !self.is_empty() {
            self.forget_bits(from.saturating_mul(8), to.saturating_mul(8));
        }
    }

    fn insert(&mut self, field: BitField, value: Value) {
        self.forget_bits(field.first, field.end());
        self.0.insert(field.first, Written { width: field.width, value });
    }
}

impl Contents {
    /// What a bit-field holds as an unsigned number, where it was written as one.
    pub(crate) fn bit_field(&self, field: BitField) -> Option<&Value> {
        self.fields.get(field)
    }

    /// The fields beside this one in its bytes, to be kept over a write of those bytes.
    pub(crate) fn fields_beside(&self, field: BitField, from: u64, bytes: u64) -> Vec<(BitField, Value)> {
        let mut beside = self.fields.meeting(from * 8, (from + bytes) * 8);
        beside.retain(|(other, _)| other.end() <= field.first || other.first >= field.end());
        beside
    }

    /// Fields hold what they are said to hold.
    pub(crate) fn set_fields(&mut self, fields: impl IntoIterator<Item = (BitField, Value)>) {
        fields.into_iter().for_each(|(field, value)| self.fields.insert(field, value));
    }

    /// Whether every bit of these bytes surely was written as part of a bit-field, once `also` is.
    pub(crate) fn fields_cover(&self, from: u64, bytes: u64, also: BitField) -> bool {
        let mut written = self.fields.meeting(from * 8, (from + bytes) * 8);
        written.retain(|(_, value)| !value.uninit);
        written.push((also, Value::number(Int::constant(0))));
        written.sort_by_key(|(field, _)| field.first);
        let reached = written.iter().fold(from * 8, |reached, (field, _)| {
            if field.first <= reached { reached.max(field.end()) } else { reached }
        });
        reached >= (from + bytes) * 8
    }

    /// What both say of their bit-fields. One that was written on one side only is on the other what its bytes say.
    pub(crate) fn merged_fields(
        &self,
        other: &Contents,
        values: &mut impl FnMut(&Value, &Value) -> Value,
    ) -> BitFields {
        let mut merged = BitFields::default();
        if self.fields.is_empty() && other.fields.is_empty() {
            return merged;
        }
        for (field, mine) in self.fields.iter() {
            if let Some(theirs) = other.field_or_bytes(field) {
                merged.insert(field, values(mine, &theirs));
            }
        }
        for (field, theirs) in other.fields.iter() {
            if self.fields.meeting(field.first, field.end()).is_empty()
                && let Some(mine) = self.field_or_bytes(field)
            {
                merged.insert(field, values(&mine, theirs));
            }
        }
        merged
    }

    /// Whether what another says of its bit-fields holds here.
    pub(crate) fn fields_within(&self, other: &Contents) -> bool {
        other
            .fields
            .iter()
            .all(|(field, theirs)| self.field_or_bytes(field).is_some_and(|mine| mine.is_subset(theirs)))
    }

    /// A field as it was written, or as its bytes have it; none where fields cut it in another way.
    fn field_or_bytes(&self, field: BitField) -> Option<Value> {
        if let Some(value) = self.fields.get(field) {
            return Some(value.clone());
        }
        if !self.fields.meeting(field.first, field.end()).is_empty() {
            return None;
        }
        let (from, to) = (field.first / 8, field.end().div_ceil(8));
        let bytes = to - from;
        if !bytes.is_power_of_two() || bytes > 8 {
            return None;
        }
        let whole = clew_base::int::IntType::unsigned((bytes * 8) as u16);
        let read = self.read(&Int::constant(i128::from(from)), crate::domain::shape::Shape::Int(whole));
        Some(Value {
            kind: Kind::Number(bits_within(&read, field.first % 8, field.width, whole)),
            uninit: read.uninit,
        })
    }
}

/// The bits of a field in the value of its bytes, as an unsigned number.
pub(crate) fn bits_within(bytes: &Value, start: u64, width: u8, whole: clew_base::int::IntType) -> Int {
    let field = clew_base::int::IntType::unsigned(u16::from(width));
    match &bytes.kind {
        Kind::Number(n) => n.shr(&Int::constant(i128::from(start)), whole).wrap(field),
        _ => Int::of_type(field),
    }
}
