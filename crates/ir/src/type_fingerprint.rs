// SPDX-License-Identifier: MIT OR Apache-2.0
//! A hash of what a type is, without handles: equal fingerprints in two units mean the same type.

use clew_base::index::IndexVec;

use crate::hash::StableHasher;
use crate::syntax::*;

/// A hash of what each type is; behind a pointer, only the name of a record counts.
pub fn type_fingerprints(unit: &Program) -> IndexVec<TypeId, u128> {
    // A type mostly comes after those it is made of, so their fingerprints behind a pointer are known.
    let mut fingerprints = Fingerprints { unit, behind: IndexVec::new() };
    for ty in unit.types.indices() {
        let mut hasher = StableHasher::new();
        fingerprints.hash_type(ty, true, &mut hasher);
        fingerprints.behind.push(hasher.finish());
    }
    unit.types
        .indices()
        .map(|ty| {
            let mut hasher = StableHasher::new();
            fingerprints.hash_type(ty, false, &mut hasher);
            hasher.finish()
        })
        .collect()
}

/// A hash of all that tells a record apart.
pub fn record_fingerprint(unit: &Program, record: RecordId) -> u128 {
    let mut hasher = StableHasher::new();
    Fingerprints { unit, behind: IndexVec::new() }.hash_record(record, &mut hasher);
    hasher.finish()
}

struct Fingerprints<'a> {
    unit: &'a Program,
    /// Fingerprints behind a pointer, of the types so far.
    behind: IndexVec<TypeId, u128>,
}

impl Fingerprints<'_> {
    fn hash_record(&self, id: RecordId, hasher: &mut StableHasher) {
        let record = &self.unit.records[id];
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
            self.hash_type(field.ty, false, hasher);
        }
    }

    /// Behind a pointer, only the name of a record counts: that also ends the recursion.
    fn hash_type(&self, ty: TypeId, behind_pointer: bool, hasher: &mut StableHasher) {
        let known = self.behind.get(ty).filter(|_| behind_pointer);
        if let Some(known) = known {
            return hasher.number(*known);
        }
        match &self.unit.types[ty] {
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
                self.hash_type(*pointee, true, hasher);
            }
            Type::Array { element, length } => {
                hasher.tag(6);
                hasher.number(length.map_or(0, |l| u128::from(l) + 1));
                self.hash_type(*element, behind_pointer, hasher);
            }
            Type::Record(record) if behind_pointer => {
                hasher.tag(7);
                hash_tag(&self.unit.records[*record], hasher);
            }
            Type::Record(record) => {
                hasher.tag(8);
                self.hash_record(*record, hasher);
            }
            Type::Function { result, parameters, variadic, prototyped } => {
                hasher.bytes(&[9, u8::from(*variadic), u8::from(*prototyped)]);
                hasher.number(parameters.len() as u128);
                for ty in parameters.iter().chain([result]) {
                    self.hash_type(*ty, true, hasher);
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
}

fn hash_tag(record: &Record, hasher: &mut StableHasher) {
    hasher.tag(u8::from(record.is_union));
    hasher.text(record.name.as_deref().unwrap_or(""));
}
