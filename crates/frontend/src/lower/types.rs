// SPDX-License-Identifier: MIT OR Apache-2.0
//! From rucc's types to the IR's.

use std::sync::Arc;

use clew_base::float::Format;
use clew_ir::syntax::{BitRange, Field, Record, RecordId, Target, Type, TypeId};
use clew_ir::types::TypeTable;
use rucc_target::TargetInfo;
use rucc_types::{ArrayLen, RecordKind, TypeKind};
use rustc_hash::FxHashMap;

use super::UnitLowering;

/// A rucc type.
pub(super) type CType = rucc_types::TypeId;

/// The IR's types and what each of rucc's became.
#[derive(Default)]
pub(super) struct TypeMap {
    pub(super) table: TypeTable,
    by_type: FxHashMap<CType, TypeId>,
    by_record: FxHashMap<rucc_types::RecordId, RecordId>,
    /// Members by rucc's number; `None` for those that carry no value (unnamed bit-fields).
    fields: FxHashMap<rucc_types::RecordId, Arc<[Option<u32>]>>,
}

/// What the IR needs to know of the machine.
pub(super) fn target(info: &TargetInfo) -> Target {
    let bits = |kind| rucc_types::int_width(kind, info) as u8;
    Target {
        triple: info.tuple.to_string().into(),
        pointer_bytes: (info.pointer_width / 8) as u8,
        char_signed: info.char_is_signed,
        int_bits: bits(rucc_types::IntKind::Int),
        long_bits: bits(rucc_types::IntKind::Long),
        long_double: format(rucc_types::float_format(rucc_types::FloatKind::LongDouble, info))
            .unwrap_or(Format::X87),
    }
}

fn format(format: rucc_base::float::Format) -> Option<Format> {
    use rucc_base::float::Format as F;
    match format {
        F::Half => Some(Format::F16),
        F::Single => Some(Format::F32),
        F::Double => Some(Format::F64),
        F::X87Extended => Some(Format::X87),
        F::Quad => Some(Format::F128),
        _ => None,
    }
}

impl UnitLowering<'_> {
    /// The kind of a type behind typedefs, qualifiers and `_Atomic`.
    pub(super) fn kind(&self, ty: CType) -> TypeKind {
        let types = &self.unit.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.kind(inner),
            kind => kind,
        }
    }

    /// The IR's type for one of rucc's.
    pub(super) fn ty(&mut self, ty: CType) -> TypeId {
        if let Some(id) = self.types.by_type.get(&ty) {
            return *id;
        }
        let id = self.make(ty);
        self.types.by_type.insert(ty, id);
        id
    }

    fn make(&mut self, ty: CType) -> TypeId {
        let made = match self.kind(ty) {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Bool,
            TypeKind::Int(_) | TypeKind::Enum(_) => self.integer(ty),
            TypeKind::BitInt { width, signed } if width <= 128 => Type::Int { bits: width as u16, signed },
            TypeKind::Float(kind) => match format(rucc_types::float_format(kind, &self.unit.target)) {
                Some(format) => Type::Float(format),
                None => self.opaque(ty, "decimal floating point"),
            },
            TypeKind::Pointer(pointee) => {
                let pointee = self.ty(pointee);
                Type::Pointer(pointee)
            }
            TypeKind::Array { elem, len } => {
                let element = self.ty(elem);
                let length = match len {
                    ArrayLen::Fixed(n) => Some(n),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                Type::Array { element, length }
            }
            TypeKind::Function(id) => self.signature(id),
            TypeKind::Record(id) if self.unit.types.record_info(id).variable.is_some() => {
                self.opaque(ty, "variable-length arrays inside structs")
            }
            TypeKind::Record(id) => Type::Record(self.record(id)),
            TypeKind::Complex(_) => self.opaque(ty, "complex numbers"),
            TypeKind::Vector { .. } => self.opaque(ty, "vector types"),
            TypeKind::BitInt { .. } => self.opaque(ty, "`_BitInt` of more than 128 bits"),
            TypeKind::Atomic(_) | TypeKind::Typedef { .. } => Type::Void,
        };
        self.types.table.intern(made)
    }

    fn integer(&self, ty: CType) -> Type {
        match rucc_types::integer_info(&self.unit.types, ty, &self.unit.target) {
            Some(info) => Type::Int { bits: info.width as u16, signed: info.signed },
            // An enum without a definition: gcc lets pointers to it exist.
            None => Type::Int { bits: u16::from(self.target.int_bits), signed: false },
        }
    }

    fn opaque(&self, ty: CType, what: &str) -> Type {
        let layout = rucc_types::layout(&self.unit.types, ty, &self.unit.target);
        let (bytes, align) = layout.map_or((0, 1), |l| (l.size, l.align as u32));
        Type::Opaque { bytes, align, what: what.into() }
    }

    fn signature(&mut self, id: rucc_types::FunctionId) -> Type {
        let signature = self.unit.types.signature(id).clone();
        let result = self.ty(signature.ret);
        let parameters = signature.params.iter().map(|p| self.ty(*p)).collect();
        Type::Function { result, parameters, variadic: signature.variadic, prototyped: signature.prototyped }
    }

    fn record(&mut self, id: rucc_types::RecordId) -> RecordId {
        if let Some(record) = self.types.by_record.get(&id) {
            return *record;
        }
        let unit = self.unit;
        let info = unit.types.record_info(id);
        let layout = info.layout;
        let record = self.types.table.add_record(Record {
            name: info.tag.map(|tag| unit.name(tag).into()),
            is_union: info.kind == RecordKind::Union,
            fields: Vec::new(),
            size: layout.map_or(0, |l| l.size),
            align: layout.map_or(1, |l| l.align as u32),
            incomplete: layout.is_none(),
        });
        // Known before its members, which may point back to it.
        self.types.by_record.insert(id, record);
        let mut numbers = Vec::with_capacity(info.fields.len());
        let mut fields = Vec::with_capacity(info.fields.len());
        for field in &info.fields {
            let unnamed_bits = field.name.is_none() && field.is_bit_field();
            numbers.push((!unnamed_bits).then_some(fields.len() as u32));
            if !unnamed_bits {
                fields.push(Field {
                    name: field.name.map(|name| self.name(name)),
                    ty: self.ty(field.ty),
                    offset: field.offset,
                    bits: field.bits.map(|width| BitRange { start: field.bit as u8, width: width as u8 }),
                    is_const: self.is_const(field.ty),
                });
            }
        }
        self.types.table.record_mut(record).fields = fields;
        self.types.fields.insert(id, numbers.into());
        record
    }

    /// A member by rucc's number: its record and its number in the IR.
    pub(super) fn field(&mut self, ty: CType, number: u32) -> Option<(RecordId, u32)> {
        let TypeKind::Record(id) = self.kind(ty) else { return None };
        if self.unit.types.record_info(id).variable.is_some() {
            return None;
        }
        let record = self.record(id);
        let field = self.types.fields.get(&id)?.get(number as usize).copied()??;
        Some((record, field))
    }

    /// Whether values of the type live in memory only.
    pub(super) fn is_aggregate(&mut self, ty: TypeId) -> bool {
        matches!(self.types.table.get(ty), Type::Record(_) | Type::Array { .. } | Type::Opaque { .. })
    }

    /// Bytes of a type of the IR.
    pub(super) fn size_of(&self, ty: TypeId) -> u64 {
        self.types.table.view(&self.target).size_of(ty)
    }

    /// Alignment that rucc gives a type, with what attributes asked for.
    pub(super) fn align(&self, ty: CType) -> u32 {
        rucc_types::align(&self.unit.types, ty, &self.unit.target).map_or(1, |a| a as u32)
    }
}
