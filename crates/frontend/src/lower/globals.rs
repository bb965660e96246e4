// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects with static storage: variables, string literals, static locals, and their start values.

use std::sync::Arc;

use clew_base::source::Span;
use clew_ir::syntax::{
    Address as IrAddress, Global, GlobalId, GlobalKind, Init, Linkage, Relocation, Type, TypeId, Unsupported,
};
use rucc_sema::{Base, Const, DeclId, Eval, ExprKind as C, InitEntry, StrId};

use super::UnitLowering;
use super::build::{CExpr, FunctionLowering};
use super::entity::Entity;
use super::types::CType;

impl UnitLowering<'_> {
    /// Fills in the start value of an object that is defined here.
    pub(super) fn define_global(&mut self, id: DeclId, global: GlobalId) {
        let unit = self.unit;
        let decl = &unit.tast[id];
        // An array may have got its length after the first declaration.
        let declared = self.ty(decl.ty);
        let ty = if decl.init.is_none() { self.complete(declared) } else { declared };
        let align = self.types.table.view(&self.target).align_of(ty);
        let known = &mut self.globals[global];
        if ty != declared {
            known.align = known.align.max(align);
        }
        known.ty = ty;
        known.span = unit.span(unit.tast.decl_span(id));
        let size = self.size_of(ty).max(unit.tast.extent(id));
        self.globals[global].size = size;
        if unit.unsure.contains(&id) {
            let what = "these designators in an initialiser".into();
            self.unsupported.push(Unsupported { span: self.decl_span(id), what });
        }
        let mut writer = Writer { bytes: Vec::new(), relocations: Vec::new(), size };
        if let Some(init) = decl.init {
            let entries: Vec<InitEntry> = unit.tast[init].to_vec();
            for entry in &entries {
                self.write_entry(&mut writer, 0, entry);
            }
        }
        // A designator may go back, or overwrite an address.
        writer.relocations.sort_by_key(|r| r.offset);
        while writer.bytes.last() == Some(&0) {
            writer.bytes.pop();
        }
        if let Some(init) = &mut self.globals[global].init {
            init.bytes = writer.bytes;
            init.relocations = writer.relocations;
        }
    }

    /// An array that no declaration gives a length has one element (C 6.9.2, paragraph 5).
    fn complete(&mut self, ty: TypeId) -> TypeId {
        match *self.types.table.get(ty) {
            Type::Array { element, length: None } => self.types.table.array(element, Some(1)),
            _ => ty,
        }
    }

    fn write_entry(&mut self, writer: &mut Writer, base: u64, entry: &InitEntry) {
        let unit = self.unit;
        let offset = base + entry.offset;
        let expr = entry.value;
        let ty = self.ty(unit.tast[expr].ty);
        if let Some(inner) = aggregate_literal(unit, expr) {
            let Some(init) = unit.tast[inner].init else { return };
            for entry in &unit.tast[init] {
                self.write_entry(writer, offset, entry);
            }
            return;
        }
        if let C::Str(string) = unit.tast[expr].kind
            && self.is_aggregate(ty)
        {
            let bytes = unit.tast[string].bytes(&unit.target);
            let room = self.size_of(ty).max(bytes.len() as u64) as usize;
            return writer.bytes_at(offset, &bytes[..bytes.len().min(room)]);
        }
        let mut eval = Eval::new(&unit.tast, &unit.types, &unit.target, &unit.names).objects(true);
        match eval.initializer(expr) {
            Ok(value) => self.write_constant(writer, offset, entry, value, ty),
            Err(_) => self.not_constant(expr),
        }
    }

    fn not_constant(&mut self, expr: CExpr) {
        let span = self.unit.span(self.unit.tast.expr_span(expr));
        self.unsupported.push(Unsupported { span, what: "an initialiser that is no constant".into() });
    }

    fn write_constant(
        &mut self,
        writer: &mut Writer,
        offset: u64,
        entry: &InitEntry,
        value: Const,
        ty: TypeId,
    ) {
        let bytes = self.size_of(ty);
        match value {
            Const::Int(value) if entry.is_bit_field() => {
                writer.bits_at(offset, entry.bit_offset, entry.bit_width, value as u128);
            }
            Const::Int(value) => writer.bytes_at(offset, &value.to_le_bytes()[..bytes.min(16) as usize]),
            Const::Float(value) => {
                writer.bytes_at(offset, &value.to_bits().to_le_bytes()[..bytes.min(16) as usize]);
            }
            Const::Address(address) => {
                let target = match address.base {
                    Base::Absolute => {
                        let value = address.offset.to_le_bytes();
                        return writer.bytes_at(offset, &value[..bytes.min(16) as usize]);
                    }
                    base => self.static_address(base),
                };
                match target {
                    Some(target) => {
                        writer.bytes_at(offset, &[0; 16][..bytes.min(16) as usize]);
                        writer.relocations.push(Relocation {
                            offset,
                            bytes: bytes as u8,
                            target,
                            addend: address.offset as i64,
                            minus: None,
                        });
                    }
                    None => self.not_constant(entry.value),
                }
            }
            Const::Apart { to, from } => {
                let label = |id| self.label_targets.get(&id).map(|(f, b)| IrAddress::Label(*f, *b));
                match (label(to), label(from)) {
                    (Some(target), minus @ Some(_)) => {
                        let bytes = bytes as u8;
                        writer.relocations.push(Relocation { offset, bytes, target, addend: 0, minus });
                    }
                    _ => self.not_constant(entry.value),
                }
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                let span = self.unit.span(self.unit.tast.expr_span(entry.value));
                self.unsupported.push(Unsupported { span, what: "complex numbers".into() });
            }
        }
    }

    fn static_address(&mut self, base: Base) -> Option<IrAddress> {
        match base {
            Base::Decl(decl) => Some(match self.entity(decl) {
                Entity::Global(global) => IrAddress::Global(global),
                Entity::Function(function) => IrAddress::Function(function),
            }),
            Base::Str(string) => Some(IrAddress::Global(self.string_global(string, Span::NONE))),
            Base::Label(label) => self.label_targets.get(&label).map(|(f, b)| IrAddress::Label(*f, *b)),
            Base::Absolute => None,
        }
    }

    /// The global of a string literal used as an object of that type.
    pub(super) fn string_literal(&mut self, string: StrId, ty: CType, span: Span) -> GlobalId {
        let known = self.string_global(string, span);
        let ty = self.ty(ty);
        if matches!(self.types.table.get(ty), Type::Array { length: Some(_), .. }) {
            self.globals[known].ty = ty;
        }
        known
    }

    pub(super) fn string_global(&mut self, string: StrId, span: Span) -> GlobalId {
        if let Some(global) = self.strings.get(&string) {
            return *global;
        }
        let literal = &self.unit.tast[string];
        let bytes = literal.bytes(&self.unit.target);
        let width = (bytes.len() / (literal.elements.len() + 1)) as u64;
        let element = match width {
            1 => self.known.char,
            2 => self.types.table.int(16, false),
            _ => self.types.table.int(32, true),
        };
        let ty = self.types.table.array(element, Some(bytes.len() as u64 / width));
        let name: Arc<str> = format!(".str.{}", self.strings.len()).into();
        let global = self.globals.push(Global {
            source_name: "string literal".into(),
            name,
            ty,
            size: bytes.len() as u64,
            align: width as u32,
            linkage: Linkage::Internal,
            kind: GlobalKind::StringLiteral,
            is_const: true,
            thread_local: false,
            init: Some(Init { bytes, ..Init::default() }),
            alias: None,
            span,
        });
        self.strings.insert(string, global);
        global
    }
}

/// A compound literal that stands for a whole record or array in a static initialiser.
fn aggregate_literal(unit: &crate::Unit, expr: CExpr) -> Option<DeclId> {
    let aggregate = rucc_types::is_aggregate(&unit.types, unit.tast[expr].ty)
        || rucc_types::is_record(&unit.types, unit.tast[expr].ty);
    match unit.tast[expr].kind {
        C::CompoundLiteral(decl) if aggregate => Some(decl),
        C::Convert { operand, .. } | C::Cast(operand) if aggregate => aggregate_literal(unit, operand),
        _ => None,
    }
}

/// Bytes of an object under construction.
struct Writer {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
    size: u64,
}

impl Writer {
    fn reserve(&mut self, end: u64) {
        let end = end.min(self.size) as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
    }

    fn bytes_at(&mut self, offset: u64, bytes: &[u8]) {
        self.reserve(offset + bytes.len() as u64);
        // A later designator overwrites an address, too.
        let range = offset..offset + bytes.len() as u64;
        self.relocations.retain(|r| !range.contains(&r.offset));
        for (at, byte) in bytes.iter().enumerate() {
            if let Some(slot) = self.bytes.get_mut(offset as usize + at) {
                *slot = *byte;
            }
        }
    }

    fn bits_at(&mut self, offset: u64, start: u32, width: u32, value: u128) {
        let total = start + width;
        self.reserve(offset + u64::from(total.div_ceil(8)));
        for bit in 0..width {
            let at = start + bit;
            let set = value >> bit & 1 == 1;
            if let Some(byte) = self.bytes.get_mut(offset as usize + (at / 8) as usize) {
                let mask = 1u8 << (at % 8);
                if set { *byte |= mask } else { *byte &= !mask }
            }
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Labels whose address a static table holds may be jumped to.
    fn take_labels_of(&mut self, id: DeclId) {
        let Some(init) = self.tast[id].init else { return };
        for at in 0..self.tast[init].len() {
            self.take_labels_in(self.tast[init][at].value);
        }
    }

    fn take_labels_in(&mut self, expr: CExpr) {
        if let C::LabelAddr(label) = self.tast[expr].kind {
            let block = self.label_block(label);
            self.landing(block);
        }
        let mut operands = Vec::new();
        super::scan::for_each_operand(self.tast, expr, |operand| operands.push(operand));
        operands.into_iter().for_each(|operand| self.take_labels_in(operand));
    }

    /// A static object of this function: a global with a name of its own.
    pub(super) fn static_local(&mut self, id: DeclId) {
        if self.tast[id].linkage != rucc_sema::Linkage::None {
            return;
        }
        let known = self.unit.entities.contains_key(&id);
        self.take_labels_of(id);
        let Entity::Global(global) = self.unit.entity(id) else { return };
        if known {
            return;
        }
        let plain = self.unit.globals[global].name.clone();
        let mut name: Arc<str> = format!("{}.{plain}", self.name).into();
        let mut number = 0;
        while self.unit.by_name.contains_key(&name) {
            number += 1;
            name = format!("{}.{plain}.{number}", self.name).into();
        }
        self.unit.by_name.insert(name.clone(), Entity::Global(global));
        self.unit.globals[global].name = name;
    }
}
