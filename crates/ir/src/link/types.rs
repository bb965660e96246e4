// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merges the types and records of units.

use clew_base::index::IndexVec;
use rustc_hash::FxHashMap;

use crate::syntax::*;
use crate::type_fingerprint::record_fingerprint;
use crate::types::TypeTable;
use crate::visit::VisitMut;

/// Where a unit's types and records have gone.
pub(super) struct Renumbering {
    pub(super) types: IndexVec<TypeId, TypeId>,
    pub(super) records: IndexVec<RecordId, RecordId>,
}

/// Moves the types of all units into one table.
pub(super) fn merge(units: &[Program], program: &mut Program) -> Vec<Renumbering> {
    let mut merger = Merger::default();
    let renumberings = units.iter().map(|unit| merger.add(unit)).collect();
    (program.types, program.records) = merger.table.into_parts();
    renumberings
}

/// Adds the types of a unit to those that a program has, which keep their handles.
pub(super) fn append(program: &mut Program, unit: &Program) -> Renumbering {
    let mut merger = Merger::default();
    merger.know(program);
    let (types, records) = (std::mem::take(&mut program.types), std::mem::take(&mut program.records));
    merger.table = TypeTable::from_parts(types, records);
    let renumbering = merger.add(unit);
    (program.types, program.records) = merger.table.into_parts();
    renumbering
}

/// A table that types of several units are put into.
#[derive(Default)]
struct Merger {
    table: TypeTable,
    /// Records by their looks, and by their number among those of a unit that look the same: these are different
    /// types in C and stay apart.
    known: FxHashMap<(u128, u32), RecordId>,
}

impl Merger {
    /// Remembers what the records of a program look like.
    fn know(&mut self, program: &Program) {
        let mut alike: FxHashMap<u128, u32> = FxHashMap::default();
        for id in program.records.indices() {
            let looks = record_fingerprint(program, id);
            let ordinal = alike.entry(looks).or_default();
            self.known.insert((looks, *ordinal), id);
            *ordinal += 1;
        }
    }

    fn add(&mut self, unit: &Program) -> Renumbering {
        let Merger { table, known } = self;
        let mut records = IndexVec::new();
        let mut fresh = Vec::new();
        let mut alike: FxHashMap<u128, u32> = FxHashMap::default();
        for (old, record) in unit.records.iter_enumerated() {
            let looks = record_fingerprint(unit, old);
            let ordinal = alike.entry(looks).or_default();
            let id = *known.entry((looks, *ordinal)).or_insert_with(|| {
                let id = table.add_record(record.clone());
                fresh.push(id);
                id
            });
            *ordinal += 1;
            records.push(id);
        }
        let mut mapper = Mapper { unit, table, records: &records, done: FxHashMap::default() };
        let types: IndexVec<TypeId, TypeId> = unit.types.indices().map(|ty| mapper.map(ty)).collect();
        for record in fresh {
            Fields(&types).walk_record(table.record_mut(record));
        }
        Renumbering { types, records }
    }
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
