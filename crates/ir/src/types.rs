// SPDX-License-Identifier: MIT OR Apache-2.0
//! Questions about types and places: sizes, alignments, classes, offsets; and the table that interns types.
//!
//! The questions are asked of a [`Types`] view, which borrows from a finished [`Program`] or from a
//! [`TypeTable`] under construction, so lowering and engines share one answer.

use clew_base::float::Format;
use clew_base::index::IndexVec;
use clew_base::int::IntType;
use rustc_hash::FxHashMap;

use crate::syntax::{
    BitRange, Body, ExprKind, Field, Place, Program, Projection, Record, RecordId, Target, Type, TypeId,
};

/// What kind of value a type has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// No value.
    Void,
    /// `_Bool` or an integer.
    Int(IntType),
    /// A float.
    Float(Format),
    /// A pointer.
    Pointer,
    /// Lives in memory only: a record, an array or an opaque type.
    Aggregate,
    /// A function.
    Function,
}

impl Class {
    /// Whether a register local may have it.
    pub fn is_scalar(self) -> bool {
        matches!(self, Class::Int(_) | Class::Float(_) | Class::Pointer)
    }
}

/// A view of types, records and the machine, to ask questions of.
#[derive(Clone, Copy)]
pub struct Types<'a> {
    /// The types.
    pub types: &'a IndexVec<TypeId, Type>,
    /// The records.
    pub records: &'a IndexVec<RecordId, Record>,
    /// The machine.
    pub target: &'a Target,
}

impl<'a> Types<'a> {
    /// The type behind a handle.
    #[inline]
    pub fn get(self, ty: TypeId) -> &'a Type {
        &self.types[ty]
    }

    /// Bytes of an object of the type: 0 for types without a size (incomplete arrays, void, functions).
    pub fn size_of(self, ty: TypeId) -> u64 {
        match self.get(ty) {
            Type::Void | Type::Function { .. } => 0,
            Type::Bool => 1,
            Type::Int { bits, .. } => int_bytes(*bits),
            Type::Float(format) => self.float_bytes(*format),
            Type::Pointer(_) => u64::from(self.target.pointer_bytes),
            Type::Array { element, length } => length.unwrap_or(0).saturating_mul(self.size_of(*element)),
            Type::Record(record) => self.records[*record].size,
            Type::Opaque { bytes, .. } => *bytes,
        }
    }

    /// Alignment in bytes; 1 for types without an object.
    pub fn align_of(self, ty: TypeId) -> u32 {
        match self.get(ty) {
            Type::Void | Type::Function { .. } => 1,
            Type::Array { element, .. } => self.align_of(*element),
            Type::Record(record) => self.records[*record].align.max(1),
            Type::Opaque { align, .. } => (*align).max(1),
            Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Pointer(_) => {
                (self.size_of(ty) as u32).min(self.largest_scalar_align())
            }
        }
    }

    /// On i386 no scalar needs more than four bytes of alignment inside an object.
    fn largest_scalar_align(self) -> u32 {
        if self.target.pointer_bytes == 4 { 4 } else { 16 }
    }

    /// Bytes a float takes in memory, padding included.
    pub fn float_bytes(self, format: Format) -> u64 {
        match format {
            Format::F16 => 2,
            Format::F32 => 4,
            Format::F64 => 8,
            Format::X87 if self.target.pointer_bytes == 4 => 12,
            Format::X87 | Format::F128 => 16,
        }
    }

    /// Whether objects of the type have a known size.
    pub fn is_complete(self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Void | Type::Function { .. } | Type::Array { length: None, .. } => false,
            Type::Array { element, .. } => self.is_complete(*element),
            Type::Record(record) => !self.records[*record].incomplete,
            _ => true,
        }
    }

    /// What kind of value the type has.
    #[inline]
    pub fn class(self, ty: TypeId) -> Class {
        match self.get(ty) {
            Type::Void => Class::Void,
            Type::Bool => Class::Int(IntType::BOOL),
            Type::Int { bits, signed } => Class::Int(IntType { bits: *bits, signed: *signed }),
            Type::Float(format) => Class::Float(*format),
            Type::Pointer(_) => Class::Pointer,
            Type::Array { .. } | Type::Record(_) | Type::Opaque { .. } => Class::Aggregate,
            Type::Function { .. } => Class::Function,
        }
    }

    /// The integer type that values of `ty` are canonical in: of integers, `_Bool` (one bit) and pointers
    /// (unsigned, of pointer size). `None` for everything else.
    #[inline]
    pub fn int_type(self, ty: TypeId) -> Option<IntType> {
        match self.class(ty) {
            Class::Int(int) => Some(int),
            Class::Pointer => Some(IntType::unsigned(u16::from(self.target.pointer_bytes) * 8)),
            _ => None,
        }
    }

    /// The float format of a float type.
    pub fn float_format(self, ty: TypeId) -> Option<Format> {
        match self.get(ty) {
            Type::Float(format) => Some(*format),
            _ => None,
        }
    }

    /// Whether the type is `_Bool`, an integer, a float or a pointer.
    pub fn is_scalar(self, ty: TypeId) -> bool {
        self.class(ty).is_scalar()
    }

    /// Whether the type is a pointer.
    pub fn is_pointer(self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }

    /// The declared pointee of a pointer type.
    pub fn pointee(self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty) {
            Type::Pointer(pointee) => Some(*pointee),
            _ => None,
        }
    }

    /// The record and member behind a field step.
    pub fn field(self, record: RecordId, field: u32) -> Option<&'a Field> {
        self.records.get(record)?.fields.get(field as usize)
    }

    /// The bits a place stands for, if its last step is a bit-field.
    pub fn bit_range(self, place: &Place) -> Option<BitRange> {
        match place.projections.last()? {
            Projection::Field { record, field } => self.field(*record, *field)?.bits,
            Projection::Index { .. } => None,
        }
    }

    /// Bytes that an access to the place touches: for a bit-field, those its bits lie in.
    pub fn access_bytes(self, place: &Place) -> u64 {
        match self.bit_range(place) {
            Some(bits) => bits.covering_bytes(),
            None => self.size_of(place.ty),
        }
    }

    /// The bytes of an object that belong to no member, as ranges in order: what they hold after an assignment or an
    /// initialiser, C leaves open. Of large arrays the first so many are told, bits beside bit-fields are not.
    pub fn padding(self, ty: TypeId) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        self.find_padding(ty, 0, &mut found);
        found
    }

    /// Whether the bytes from `start` to before `end` of an object of this type may hold a part of a const member.
    pub fn touches_const(self, ty: TypeId, start: i128, end: i128) -> bool {
        let overlaps =
            |from: u64, bytes: u64| start < i128::from(from) + i128::from(bytes) && i128::from(from) < end;
        match self.get(ty) {
            Type::Array { element, length } => {
                let stride = i128::from(self.size_of(*element)).max(1);
                let last = length.map_or(i128::MAX, |length| i128::from(length) - 1);
                let (first, last) = (start.div_euclid(stride).max(0), (end - 1).div_euclid(stride).min(last));
                match last - first {
                    ..0 => false,
                    // One element, or the end of one and the start of the next.
                    0 | 1 => (first..=last).any(|index| {
                        self.touches_const(*element, start - index * stride, end - index * stride)
                    }),
                    _ => self.touches_const(*element, 0, stride),
                }
            }
            Type::Record(record) => self.records[*record].fields.iter().any(|field| {
                let bytes = field.bits.map_or_else(|| self.size_of(field.ty), |bits| bits.covering_bytes());
                let from = i128::from(field.offset);
                let is_flexible = !self.is_complete(field.ty);
                (overlaps(field.offset, bytes) || is_flexible && end > from)
                    && (field.is_const || self.touches_const(field.ty, start - from, end - from))
            }),
            _ => false,
        }
    }

    fn find_padding(self, ty: TypeId, base: u64, out: &mut Vec<(u64, u64)>) {
        match self.get(ty) {
            Type::Array { element, length: Some(length) } => {
                let stride = self.size_of(*element);
                let mut inner = Vec::new();
                self.find_padding(*element, 0, &mut inner);
                for index in (0..*length).take_while(|_| !inner.is_empty()) {
                    if out.len() >= MOST_PADDING {
                        return;
                    }
                    out.extend(
                        inner
                            .iter()
                            .map(|(from, to)| (base + index * stride + from, base + index * stride + to)),
                    );
                }
            }
            // Which member of a union is of account, nobody knows.
            Type::Record(record) if !self.records[*record].is_union && !self.records[*record].incomplete => {
                let record = &self.records[*record];
                let mut fields: Vec<&Field> = record.fields.iter().collect();
                fields.sort_by_key(|field| field.offset);
                let mut end = 0;
                for field in fields {
                    if end < field.offset {
                        out.push((base + end, base + field.offset));
                    }
                    let bytes = match field.bits {
                        Some(bits) => bits.covering_bytes(),
                        None => {
                            self.find_padding(field.ty, base + field.offset, out);
                            self.size_of(field.ty)
                        }
                    };
                    // What is behind a flexible array belongs to it.
                    let flexible = matches!(self.get(field.ty), Type::Array { length: None, .. });
                    end = if flexible { record.size } else { end.max(field.offset + bytes) };
                }
                if end < record.size {
                    out.push((base + end, base + record.size));
                }
            }
            _ => {}
        }
    }

    /// The place's distance in bytes from its base, if all its indices are constants.
    pub fn constant_offset(self, body: &Body, place: &Place) -> Option<i64> {
        place.projections.iter().try_fold(0i64, |offset, step| {
            let step = match step {
                Projection::Field { record, field } => self.field(*record, *field)?.offset as i64,
                Projection::Index { index, stride, .. } => match body.exprs.get(*index)?.kind {
                    ExprKind::Int(value) => (value as i64).wrapping_mul(*stride as i64),
                    _ => return None,
                },
            };
            Some(offset.wrapping_add(step))
        })
    }
}

impl BitRange {
    /// Bytes from the first to the last that the bits lie in.
    pub fn covering_bytes(self) -> u64 {
        (u64::from(self.start) + u64::from(self.width)).div_ceil(8)
    }
}

/// Bytes that an integer of so many bits takes in memory.
pub fn int_bytes(bits: u16) -> u64 {
    u64::from(bits).div_ceil(8).next_power_of_two()
}

impl Program {
    /// The types as a view to ask questions of.
    #[inline]
    pub fn types(&self) -> Types<'_> {
        Types { types: &self.types, records: &self.records, target: &self.target }
    }

    /// Bytes of an object of the type; see [`Types::size_of`].
    pub fn size_of(&self, ty: TypeId) -> u64 {
        self.types().size_of(ty)
    }

    /// Alignment of an object of the type; see [`Types::align_of`].
    pub fn align_of(&self, ty: TypeId) -> u32 {
        self.types().align_of(ty)
    }

    /// An empty program for a machine.
    pub fn new(target: Target) -> Program {
        Program {
            target,
            sources: Default::default(),
            types: IndexVec::new(),
            records: IndexVec::new(),
            globals: IndexVec::new(),
            functions: IndexVec::new(),
            unsupported: Vec::new(),
            semantics: Default::default(),
        }
    }
}

impl Target {
    /// The machine that clew is mostly used for.
    pub fn x86_64_linux() -> Target {
        Target {
            triple: "x86_64-linux-gnu".into(),
            pointer_bytes: 8,
            char_signed: true,
            int_bits: 32,
            long_bits: 64,
            long_double: Format::X87,
        }
    }
}

/// So many ranges of padding are told of an object.
const MOST_PADDING: usize = 64;

/// Types and records under construction. Equal types get equal handles; records are told apart by their handle.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: IndexVec<TypeId, Type>,
    records: IndexVec<RecordId, Record>,
    index: FxHashMap<Type, TypeId>,
}

impl TypeTable {
    /// An empty table.
    pub fn new() -> TypeTable {
        TypeTable::default()
    }

    /// A table that goes on where a program's types end.
    pub fn from_parts(types: IndexVec<TypeId, Type>, records: IndexVec<RecordId, Record>) -> TypeTable {
        let mut index = FxHashMap::default();
        for (id, ty) in types.iter_enumerated() {
            index.entry(ty.clone()).or_insert(id);
        }
        TypeTable { types, records, index }
    }

    /// The finished vectors, for a [`Program`].
    pub fn into_parts(self) -> (IndexVec<TypeId, Type>, IndexVec<RecordId, Record>) {
        (self.types, self.records)
    }

    /// A view to ask questions of.
    pub fn view<'a>(&'a self, target: &'a Target) -> Types<'a> {
        Types { types: &self.types, records: &self.records, target }
    }

    /// The types so far.
    pub fn types(&self) -> &IndexVec<TypeId, Type> {
        &self.types
    }

    /// The records so far.
    pub fn records(&self) -> &IndexVec<RecordId, Record> {
        &self.records
    }

    /// The type behind a handle.
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty]
    }

    /// The handle of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.index.get(&ty) {
            return *id;
        }
        let id = self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// Adds a record; its members may be filled in later through [`TypeTable::record_mut`].
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record)
    }

    /// A record, to be completed.
    pub fn record_mut(&mut self, record: RecordId) -> &mut Record {
        &mut self.records[record]
    }

    /// `void`.
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// `_Bool`.
    pub fn bool(&mut self) -> TypeId {
        self.intern(Type::Bool)
    }

    /// An integer.
    pub fn int(&mut self, bits: u16, signed: bool) -> TypeId {
        self.intern(Type::Int { bits, signed })
    }

    /// A float.
    pub fn float(&mut self, format: Format) -> TypeId {
        self.intern(Type::Float(format))
    }

    /// A pointer.
    pub fn pointer(&mut self, pointee: TypeId) -> TypeId {
        self.intern(Type::Pointer(pointee))
    }

    /// An array.
    pub fn array(&mut self, element: TypeId, length: Option<u64>) -> TypeId {
        self.intern(Type::Array { element, length })
    }

    /// The type of a record.
    pub fn record(&mut self, record: RecordId) -> TypeId {
        self.intern(Type::Record(record))
    }

    /// A function with a prototype.
    pub fn function(&mut self, result: TypeId, parameters: Vec<TypeId>, variadic: bool) -> TypeId {
        self.intern(Type::Function { result, parameters, variadic, prototyped: true })
    }

    /// The types that lowering and tests name most, for a machine.
    pub fn well_known(&mut self, target: &Target) -> WellKnown {
        let void = self.void();
        let char_ty = self.int(8, target.char_signed);
        let pointer_bits = u16::from(target.pointer_bytes) * 8;
        WellKnown {
            void,
            bool: self.bool(),
            char: char_ty,
            int: self.int(u16::from(target.int_bits), true),
            unsigned: self.int(u16::from(target.int_bits), false),
            long: self.int(u16::from(target.long_bits), true),
            unsigned_long: self.int(u16::from(target.long_bits), false),
            size: self.int(pointer_bits, false),
            ptrdiff: self.int(pointer_bits, true),
            double: self.float(Format::F64),
            void_pointer: self.pointer(void),
            char_pointer: self.pointer(char_ty),
        }
    }
}

/// Handles of the types that are named most.
#[derive(Clone, Copy, Debug)]
pub struct WellKnown {
    /// `void`
    pub void: TypeId,
    /// `_Bool`
    pub bool: TypeId,
    /// `char`
    pub char: TypeId,
    /// `int`
    pub int: TypeId,
    /// `unsigned`
    pub unsigned: TypeId,
    /// `long`
    pub long: TypeId,
    /// `unsigned long`
    pub unsigned_long: TypeId,
    /// `size_t`
    pub size: TypeId,
    /// `ptrdiff_t`
    pub ptrdiff: TypeId,
    /// `double`
    pub double: TypeId,
    /// `void *`
    pub void_pointer: TypeId,
    /// `char *`
    pub char_pointer: TypeId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interning_gives_equal_types_equal_handles() {
        let mut table = TypeTable::new();
        let target = Target::x86_64_linux();
        let known = table.well_known(&target);
        assert_eq!(table.int(32, true), known.int);
        assert_eq!(table.pointer(known.char), known.char_pointer);
        let before = table.types().len();
        let again = table.well_known(&target);
        assert_eq!(again.void_pointer, known.void_pointer);
        assert_eq!(table.types().len(), before);
    }

    #[test]
    fn padding_is_between_and_behind_members() {
        let mut table = TypeTable::new();
        let target = Target::x86_64_linux();
        let (int, char) = (table.int(32, true), table.int(8, true));
        let field = |ty, offset| Field { name: None, ty, offset, bits: None, is_const: false };
        let fields = vec![field(char, 0), field(int, 4), field(char, 8)];
        let record = Record { name: None, is_union: false, fields, size: 12, align: 4, incomplete: false };
        let record = table.add_record(record);
        let record = table.record(record);
        let array = table.array(record, Some(2));
        let view = table.view(&target);
        assert_eq!(view.padding(record), [(1, 4), (9, 12)]);
        assert_eq!(view.padding(array), [(1, 4), (9, 12), (13, 16), (21, 24)]);
        assert_eq!(view.padding(int), []);
    }

    #[test]
    fn const_members_are_found_in_arrays_and_records() {
        let mut table = TypeTable::new();
        let target = Target::x86_64_linux();
        let int = table.int(32, true);
        let field = |ty, offset, is_const| Field { name: None, ty, offset, bits: None, is_const };
        let fields = vec![field(int, 0, false), field(int, 4, true)];
        let record = Record { name: None, is_union: false, fields, size: 8, align: 4, incomplete: false };
        let record = table.add_record(record);
        let record = table.record(record);
        let array = table.array(record, Some(3));
        let view = table.view(&target);
        assert!(!view.touches_const(int, 0, 4));
        assert!(!view.touches_const(record, 0, 4) && view.touches_const(record, 4, 8));
        assert!(view.touches_const(record, 3, 5) && !view.touches_const(record, 8, 12));
        assert!(!view.touches_const(array, 8, 12) && view.touches_const(array, 12, 13));
        assert!(view.touches_const(array, 0, 24) && view.touches_const(array, 15, 17));
        assert!(!view.touches_const(array, 24, 40) && !view.touches_const(array, -8, 4));
    }

    #[test]
    fn sizes_follow_the_abi() {
        let mut table = TypeTable::new();
        let target = Target::x86_64_linux();
        let int = table.int(32, true);
        let array = table.array(int, Some(7));
        let flexible = table.array(int, None);
        let long_double = table.float(Format::X87);
        let wide = table.int(128, false);
        let odd = table.int(17, true);
        let view = table.view(&target);
        assert_eq!((view.size_of(array), view.align_of(array)), (28, 4));
        assert_eq!((view.size_of(flexible), view.is_complete(flexible)), (0, false));
        assert_eq!((view.size_of(long_double), view.align_of(long_double)), (16, 16));
        assert_eq!((view.size_of(wide), view.align_of(wide)), (16, 16));
        assert_eq!(view.size_of(odd), 4);
        assert_eq!(BitRange { start: 7, width: 2 }.covering_bytes(), 2);
    }
}
