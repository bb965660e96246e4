// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merges the types and records of units.

use clew_base::index::IndexVec;
use rustc_hash::FxHashMap;

use crate::hash::StableHasher;
use crate::syntax::*;
use crate::types::TypeTable;
use crate::visit::VisitMut;

/// Where a unit's types and records have gone.
pub(super) struct Renumbering {
    pub(super) types: IndexVec<TypeId, TypeId>,
    pub(super) records: IndexVec<RecordId, RecordId>,
}

/// Moves the types of all units into one table.
pub(super) fn merge(units: &mut [Program], program: &mut Program) -> Vec<Renumbering> {
    let mut table = TypeTable::new();
    // Records by their looks, and by their number among those of a unit that look the same: these are different
    // types in C and stay apart.
    let mut known: FxHashMap<(u128, u32), RecordId> = FxHashMap::default();
    let mut renumberings = Vec::with_capacity(units.len());
    for unit in units.iter_mut() {
        let mut records = IndexVec::new();
        let mut fresh = Vec::new();
        let mut alike: FxHashMap<u128, u32> = FxHashMap::default();
        for (old, record) in unit.records.iter_enumerated() {
            let looks = looks_of_record(unit, old);
            let ordinal = alike.entry(looks).or_default();
            let id = *known.entry((looks, *ordinal)).or_insert_with(|| {
                let id = table.add_record(record.clone());
                fresh.push(id);
                id
            });
            *ordinal += 1;
            records.push(id);
        }
        let mut mapper = Mapper { unit, table: &mut table, records: &records, done: FxHashMap::default() };
        let types: IndexVec<TypeId, TypeId> = unit.types.indices().map(|ty| mapper.map(ty)).collect();
        for record in fresh {
            Fields(&types).walk_record(table.record_mut(record));
        }
        renumberings.push(Renumbering { types, records });
    }
    (program.types, program.records) = table.into_parts();
    renumberings
}

struct Mapper<'a> {
    unit: &'a Program,
    table: &'a mut TypeTable,
    records: &'a IndexVec<RecordId, RecordId>,
    done: FxHashMap<TypeId, TypeId>,
}

impl Mapper<'_> {
    fn map(&mut self, ty: TypeId) -> TypeId {
        if let Some(done) = self.done.get(&ty) {
            return *done;
        }
        let mut copy = self.unit.types[ty].clone();
        self.walk_type(&mut copy);
        let new = self.table.intern(copy);
        self.done.insert(ty, new);
        new
    }
}

impl VisitMut for Mapper<'_> {
    fn ty(&mut self, ty: &mut TypeId) {
        *ty = self.map(*ty);
    }
    fn record(&mut self, record: &mut RecordId) {
        *record = self.records[*record];
    }
}

struct Fields<'a>(&'a IndexVec<TypeId, TypeId>);

impl VisitMut for Fields<'_> {
    fn ty(&mut self, ty: &mut TypeId) {
        *ty = self.0[*ty];
    }
}

/// A hash of all that tells a record apart.
fn looks_of_record(unit: &Program, record: RecordId) -> u128 {
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
