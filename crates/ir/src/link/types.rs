// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merges the types and records of units.

use clew_base::index::IndexVec;
use rustc_hash::FxHashMap;

use crate::looks::looks_of_record;
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
