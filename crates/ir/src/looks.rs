// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a type looks like, without handles: equal looks in two units mean the same type.

use crate::hash::StableHasher;
use crate::syntax::*;

/// A hash of what a type looks like; behind a pointer, only the name of a record counts.
pub fn looks_of_type(unit: &Program, ty: TypeId) -> u128 {
    let mut hasher = StableHasher::new();
    hash_type(unit, ty, false, &mut hasher);
    hasher.finish()
}

/// A hash of all that tells a record apart.
pub fn looks_of_record(unit: &Program, record: RecordId) -> u128 {
    let mut hasher = StableHasher::new();
    hash_record(unit, record, &mut hasher);
    hasher.finish()
}

fn hash_record(unit: &Program, id: RecordId, hasher: &mut StableHasher) {
    let record = &unit.records[id];
    hash_tag(record, hasher);
    hasher.tag(u8::from(record.incomplete));
    hasher.number(u128::from(record.size));
    hasher.number(u128::from(record.align));
    hasher.number(record.fields.len() as u128);
    for field in &record.fields {
        hasher.text(field.name.as_deref().unwrap_or(""));
        hasher.number(u128::from(field.offset));
        if let Some(bits) = field.bits {
            hasher.bytes(&[bits.start, bits.width]);
        }
        hash_type(unit, field.ty, false, hasher);
    }
}

fn hash_tag(record: &Record, hasher: &mut StableHasher) {
    hasher.tag(u8::from(record.is_union));
    hasher.text(record.name.as_deref().unwrap_or(""));
}

/// Behind a pointer, only the name of a record counts: that also ends the recursion.
fn hash_type(unit: &Program, ty: TypeId, behind_pointer: bool, hasher: &mut StableHasher) {
    match &unit.types[ty] {
        Type::Void => hasher.tag(0),
        Type::Bool => hasher.tag(1),
        Type::Int { bits, signed } => {
            hasher.tag(2 + u8::from(*signed));
            hasher.number(u128::from(*bits));
        }
        Type::Float(format) => {
            hasher.tag(4);
            hasher.tag(*format as u8);
        }
        Type::Pointer(pointee) => {
            hasher.tag(5);
            hash_type(unit, *pointee, true, hasher);
        }
        Type::Array { element, length } => {
            hasher.tag(6);
            hasher.number(length.map_or(0, |l| u128::from(l) + 1));
            hash_type(unit, *element, behind_pointer, hasher);
        }
        Type::Record(record) if behind_pointer => {
            hasher.tag(7);
            hash_tag(&unit.records[*record], hasher);
        }
        Type::Record(record) => {
            hasher.tag(8);
            hash_record(unit, *record, hasher);
        }
        Type::Function { result, parameters, variadic, prototyped } => {
            hasher.bytes(&[9, u8::from(*variadic), u8::from(*prototyped)]);
            hasher.number(parameters.len() as u128);
            for ty in parameters.iter().chain([result]) {
                hash_type(unit, *ty, true, hasher);
            }
        }
        Type::Opaque { bytes, align, what } => {
            hasher.tag(10);
            hasher.number(u128::from(*bytes));
            hasher.number(u128::from(*align));
            hasher.text(what);
        }
    }
}
