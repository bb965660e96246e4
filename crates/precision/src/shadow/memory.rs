// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of a shadowed run: objects with scalars at fixed bytes; globals are as the program starts with them.

use clew_base::float::Float;
use clew_base::int::IntType;
use clew_ir::syntax::{Address, GlobalId, Program, Type, TypeId};
use rustc_hash::FxHashMap;

use super::{Shadowed, Step, Stop, Value, stop};

/// An object and a byte in it.
pub(super) type Place = (u32, i64);

#[derive(Default)]
struct Object {
    global: Option<GlobalId>,
    size: u64,
    cells: FxHashMap<i64, (Value, u64)>,
}

/// The objects of a run.
#[derive(Default)]
pub(super) struct Memory {
    objects: Vec<Object>,
    globals: FxHashMap<GlobalId, u32>,
}

impl Memory {
    /// A new object, not written yet.
    pub(super) fn fresh(&mut self, size: u64) -> u32 {
        self.objects.push(Object { size, ..Object::default() });
        self.objects.len() as u32 - 1
    }

    pub(super) fn global(&mut self, program: &Program, global: GlobalId) -> u32 {
        if let Some(object) = self.globals.get(&global) {
            return *object;
        }
        let object = self.fresh(program.globals[global].size);
        self.objects[object as usize].global = Some(global);
        self.globals.insert(global, object);
        object
    }

    /// The first float that was written into an object, by its byte.
    pub(super) fn first_float(&self, object: u32) -> Option<&Shadowed> {
        let cells = &self.objects[object as usize].cells;
        let floats = cells.iter().filter_map(|(at, (value, _))| match value {
            Value::Float(float) => Some((*at, float)),
            _ => None,
        });
        floats.min_by_key(|(at, _)| *at).map(|(_, float)| float)
    }

    pub(super) fn load(&mut self, program: &Program, (id, offset): Place, ty: TypeId) -> Step<Value> {
        let size = program.size_of(ty);
        let object = &self.objects[id as usize];
        if let Some((value, bytes)) = object.cells.get(&offset) {
            let is_float = program.types().float_format(ty).is_some();
            return match value {
                Value::Float(_) if is_float && *bytes == size => Ok(value.clone()),
                Value::Float(_) => stop("the bits of a number are read as another type"),
                _ if !is_float && *bytes == size => Ok(value.clone()),
                _ => stop("the bits of a number are read as another type"),
            };
        }
        match object.global {
            Some(global) => self.initial(program, global, offset, ty),
            None => stop("an object is read that this run did not write"),
        }
    }

    fn initial(&mut self, program: &Program, id: GlobalId, offset: i64, ty: TypeId) -> Step<Value> {
        let global = &program.globals[id];
        let Some(init) = &global.init else { return stop("an object that no file defines") };
        let size = program.size_of(ty);
        if offset < 0 || offset as u64 + size > global.size {
            return stop("an access outside of an object");
        }
        if let Some(relocation) = init.relocations.iter().find(|r| r.offset == offset as u64) {
            return match relocation.target {
                Address::Global(to) => {
                    Ok(Value::Pointer(Some((self.global(program, to), relocation.addend))))
                }
                Address::Function(function) => Ok(Value::Function(function)),
                Address::Label(..) => stop("the address of a label"),
            };
        }
        let byte = |index: u64| init.bytes.get((offset as u64 + index) as usize).copied().unwrap_or(0);
        let bits = (0..size.min(16)).fold(0u128, |bits, index| bits | u128::from(byte(index)) << (8 * index));
        match program.types().get(ty) {
            Type::Float(format) => Ok(Value::Float(Shadowed::plain(Float::from_bits(*format, bits)))),
            Type::Pointer(_) if bits == 0 => Ok(Value::Pointer(None)),
            _ => match program.types().int_type(ty) {
                Some(ty) => Ok(Value::Int(ty.wrap(bits as i128))),
                None => stop("a global that is no number"),
            },
        }
    }

    pub(super) fn store(&mut self, (id, offset): Place, size: u64, value: Value) -> Step<()> {
        let object = &mut self.objects[id as usize];
        if offset < 0 || (offset as u64).saturating_add(size) > object.size {
            return stop("an access outside of an object");
        }
        object.cells.insert(offset, (value, size));
        Ok(())
    }

    /// Copies an object, number by number; what was not written stays so.
    pub(super) fn copy(&mut self, program: &Program, to: Place, from: Place, ty: TypeId) -> Step<()> {
        for (offset, scalar) in scalars(program, ty)? {
            let source = &self.objects[from.0 as usize];
            if source.global.is_none() && !source.cells.contains_key(&(from.1 + offset)) {
                continue;
            }
            let value = self.load(program, (from.0, from.1 + offset), scalar)?;
            self.store((to.0, to.1 + offset), program.size_of(scalar), value)?;
        }
        Ok(())
    }

    pub(super) fn zero(&mut self, program: &Program, to: Place, ty: TypeId) -> Step<()> {
        for (offset, scalar) in scalars(program, ty)? {
            let value = match program.types().get(scalar) {
                Type::Float(format) => Value::Float(Shadowed::plain(Float::zero(*format, false))),
                Type::Pointer(_) => Value::Pointer(None),
                _ => Value::Int(0),
            };
            self.store((to.0, to.1 + offset), program.size_of(scalar), value)?;
        }
        Ok(())
    }
}

fn scalars(program: &Program, ty: TypeId) -> Step<Vec<(i64, TypeId)>> {
    Ok(match program.types().get(ty) {
        Type::Array { element, length: Some(length) } => {
            let unit = program.size_of(*element) as i64;
            let inner = scalars(program, *element)?;
            let at = |index: u64| inner.iter().map(move |(offset, ty)| (index as i64 * unit + offset, *ty));
            (0..*length).flat_map(at).collect()
        }
        Type::Record(record) => {
            let record = &program.records[*record];
            if record.is_union || record.fields.iter().any(|field| field.bits.is_some()) {
                return stop("a union or bit-field is copied");
            }
            let mut all = Vec::new();
            for field in &record.fields {
                let inner = scalars(program, field.ty)?;
                all.extend(inner.into_iter().map(|(at, ty)| (at + field.offset as i64, ty)));
            }
            all
        }
        Type::Opaque { .. } => return Err(Stop("not supported: an object of unknown parts".to_owned())),
        _ => vec![(0, ty)],
    })
}

/// The integer type that a byte count stands for, where the table of types has none.
pub(super) fn int_type(program: &Program, ty: TypeId) -> Step<IntType> {
    match program.types().int_type(ty) {
        Some(ty) => Ok(ty),
        None => stop("a value that is no integer"),
    }
}
