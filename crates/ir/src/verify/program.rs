// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules 2 to 6: types, records, globals, names.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Faults;
use crate::syntax::*;

pub(super) fn verify(program: &Program, faults: &mut Faults) {
    types(program, faults);
    for (id, record) in program.records.iter_enumerated() {
        self::record(program, id, record, faults);
    }
    names(program, faults);
    for (id, global) in program.globals.iter_enumerated() {
        self::global(program, id, global, faults);
    }
}

fn types(program: &Program, faults: &mut Faults) {
    let mut seen = FxHashSet::default();
    for (id, ty) in program.types.iter_enumerated() {
        if !seen.insert(ty) {
            faults.add(id, "the same type has another handle, too");
        }
        if let Type::Int { bits, .. } = ty
            && !(1..=128).contains(bits)
        {
            faults.add(id, format!("an integer of {bits} bits"));
        }
    }
}

fn record(program: &Program, id: RecordId, record: &Record, faults: &mut Faults) {
    if !record.align.is_power_of_two() {
        faults.add(id, format!("alignment {} is no power of two", record.align));
    }
    for (number, field) in record.fields.iter().enumerate() {
        let place = || format!("{id}.{number}");
        let bytes = match field.bits {
            Some(bits) => {
                let width = u64::from(bits.width);
                if bits.start > 7 || width == 0 || width > 8 * program.size_of(field.ty).max(1) {
                    faults.add(place(), "a bit-field that does not fit its type");
                }
                if program.types().int_type(field.ty).is_none() {
                    faults.add(place(), "a bit-field that is no integer");
                }
                bits.covering_bytes()
            }
            None => program.size_of(field.ty),
        };
        if field.offset.saturating_add(bytes) > record.size {
            faults.add(place(), "the member reaches outside its record");
        }
        if record.is_union && field.offset != 0 {
            faults.add(place(), "a member of a union is not at offset 0");
        }
    }
}

fn names(program: &Program, faults: &mut Faults) {
    let mut seen: FxHashMap<&str, ()> = FxHashMap::default();
    let functions = program.functions.iter().map(|f| &*f.name);
    for name in functions.chain(program.globals.iter().map(|g| &*g.name)) {
        if seen.insert(name, ()).is_some() {
            faults.add(name, "the linkage name is not unique");
        }
    }
}

fn global(program: &Program, id: GlobalId, global: &Global, faults: &mut Faults) {
    if !global.align.is_power_of_two() {
        faults.add(id, format!("alignment {} is no power of two", global.align));
    }
    if global.size < program.size_of(global.ty) {
        faults.add(id, "is smaller than its type");
    }
    let Some(init) = &global.init else { return };
    if init.bytes.len() as u64 > global.size {
        faults.add(id, "the initialiser is larger than the object");
    }
    let mut end = 0;
    for relocation in &init.relocations {
        if relocation.offset < end {
            faults.add(id, format!("relocations at {} overlap or do not ascend", relocation.offset));
        }
        end = relocation.offset.saturating_add(u64::from(relocation.bytes));
        if !matches!(relocation.bytes, 1 | 2 | 4 | 8) {
            faults.add(id, format!("a relocation of {} bytes", relocation.bytes));
        }
    }
    if end > global.size {
        faults.add(id, "a relocation reaches outside the object");
    }
}
