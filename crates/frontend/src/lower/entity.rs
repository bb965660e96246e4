// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that the linker sees: which object or function a declaration stands for.

use std::sync::Arc;

use clew_base::source::Span;
use clew_ir::syntax::{
    Attributes, Contract, FuncId, Function, Global, GlobalId, GlobalKind, Init, Linkage, Type,
};
use rucc_sema::{Decl, DeclFlags, DeclId, DeclKind, Definition, Emission, Priority, StorageDuration};
use rucc_types::{Qualifiers, TypeKind};

use super::UnitLowering;

/// What a declaration with static storage stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entity {
    Global(GlobalId),
    Function(FuncId),
}

impl UnitLowering<'_> {
    /// Asks for everything that the compiler would emit: external definitions, and statics that are not inline.
    pub(super) fn declare_roots(&mut self) {
        let unit = self.unit;
        for asm in unit.tast.file_asms() {
            let span = unit.span(asm.span);
            self.unsupported
                .push(clew_ir::syntax::Unsupported { span, what: "assembler outside functions".into() });
        }
        for (span, what) in &unit.misread {
            let what = (*what).into();
            self.unsupported.push(clew_ir::syntax::Unsupported { span: unit.span(*span), what });
        }
        for &id in unit.tast.top_level() {
            let decl = &unit.tast[id];
            let emitted = match decl.kind {
                DeclKind::Function => decl.body.is_some() && self.is_root(decl),
                DeclKind::Object => decl.state != Definition::Declared,
                DeclKind::Type => false,
            };
            let alias = Self::alias(decl).is_some();
            if emitted || alias {
                self.entity(id);
            }
        }
    }

    /// `inline` functions are lowered when something calls them, as a compiler would.
    fn is_root(&self, decl: &Decl) -> bool {
        let inline = decl.flags.contains(DeclFlags::DECLARED_INLINE) || !decl.inline.emits();
        !inline || (decl.linkage == rucc_sema::Linkage::External && decl.inline == Emission::External)
    }

    /// The object or function of a declaration; its definition is put on the list of work.
    pub(super) fn entity(&mut self, id: DeclId) -> Entity {
        if let Some(entity) = self.entities.get(&id) {
            return *entity;
        }
        let unit = self.unit;
        let decl = &unit.tast[id];
        let name = self.linkage_name(id, decl);
        let shared = decl.linkage != rucc_sema::Linkage::None;
        let known = shared.then(|| self.by_name.get(&name).copied()).flatten();
        let entity = match known {
            Some(entity) => entity,
            None if decl.kind == DeclKind::Function => {
                Entity::Function(self.declare_function(id, decl, &name))
            }
            None => Entity::Global(self.declare_global(id, decl, &name)),
        };
        self.entities.insert(id, entity);
        if shared {
            self.by_name.insert(name, entity);
        }
        // A nested function sees the locals of another: it stays without a body (said at its declaration).
        let nested = decl.kind == DeclKind::Function && !shared;
        let defines = (decl.body.is_some() && !nested)
            || (decl.kind == DeclKind::Object && decl.state != Definition::Declared);
        if defines && !self.is_defined(entity) {
            self.mark_defined(entity, decl);
            self.pending.push((id, entity));
        }
        entity
    }

    fn is_defined(&self, entity: Entity) -> bool {
        match entity {
            Entity::Global(id) => self.globals[id].init.is_some(),
            Entity::Function(id) => self.functions[id].body.is_some(),
        }
    }

    /// Keeps a second declaration of the same name from being queued again.
    fn mark_defined(&mut self, entity: Entity, decl: &Decl) {
        match entity {
            Entity::Global(id) => {
                let tentative = decl.state == Definition::Tentative && decl.init.is_none();
                self.globals[id].init = Some(Init { tentative, ..Init::default() });
            }
            Entity::Function(id) => self.functions[id].body = Some(Default::default()),
        }
    }

    fn linkage_name(&mut self, id: DeclId, decl: &Decl) -> Arc<str> {
        // A weak reference is another name for a symbol that may not exist.
        if let Some(target) = decl.alias.filter(|_| decl.flags.contains(DeclFlags::WEAKREF)) {
            return self.text(target);
        }
        if let Some(label) = decl.asm_label {
            return self.text(label);
        }
        let Some(symbol) = decl.name else { return format!(".literal.{}", id.index()).into() };
        let name = self.name(symbol);
        if decl.kind == DeclKind::Function && decl.linkage == rucc_sema::Linkage::None {
            return format!("{name}.nested.{}", id.index()).into();
        }
        match rucc_sema::library_name(&name) {
            Some(library) => library.into(),
            None => name,
        }
    }

    fn alias(decl: &Decl) -> Option<rucc_sema::StrId> {
        decl.alias.filter(|_| !decl.flags.contains(DeclFlags::WEAKREF))
    }

    fn linkage(decl: &Decl) -> Linkage {
        match decl.linkage {
            _ if decl.flags.contains(DeclFlags::WEAKREF) => Linkage::Weak,
            rucc_sema::Linkage::External if decl.flags.contains(DeclFlags::WEAK) => Linkage::Weak,
            // An inline definition gives way to the external one of another unit.
            rucc_sema::Linkage::External if Self::is_inline_definition(decl) => Linkage::Weak,
            rucc_sema::Linkage::External => Linkage::External,
            rucc_sema::Linkage::Internal | rucc_sema::Linkage::None => Linkage::Internal,
        }
    }

    fn is_inline_definition(decl: &Decl) -> bool {
        decl.linkage == rucc_sema::Linkage::External && decl.body.is_some() && !decl.inline.emits()
    }

    fn declare_function(&mut self, id: DeclId, decl: &Decl, name: &Arc<str>) -> FuncId {
        let ty = self.ty(decl.ty);
        let priority = |p: Option<Priority>| match p {
            None => None,
            Some(Priority::Unnumbered) => Some(u16::MAX),
            Some(Priority::Numbered(n)) => Some(n),
        };
        let prototyped = matches!(self.types.table.get(ty), Type::Function { prototyped: true, .. });
        let alias = Self::alias(decl).map(|alias| self.text(alias));
        let (source_name, span) = (self.source_name(decl), self.decl_span(id));
        self.functions.push(Function {
            name: name.clone(),
            source_name,
            ty,
            linkage: Self::linkage(decl),
            attributes: Attributes {
                noreturn: decl.flags.contains(DeclFlags::NORETURN),
                returns_twice: decl.flags.contains(DeclFlags::RETURNS_TWICE),
                constructor: priority(decl.startup.before),
                destructor: priority(decl.startup.after),
                implicit: !prototyped && decl.body.is_none(),
                inline: Self::is_inline_definition(decl) && !decl.flags.contains(DeclFlags::WEAK),
                interrupt: decl.name.is_some_and(|name| self.unit.interrupt_handlers.contains(&name)),
                reads_only: self.reads_only(decl.ty),
                ..self.promised(decl.name, ty)
            },
            alias,
            contract: Contract::default(),
            body: None,
            span,
        })
    }

    /// The parameters of a function that point to something const.
    /// What callers promise of the arguments.
    fn promised(&self, name: Option<rucc_base::Symbol>, ty: clew_ir::syntax::TypeId) -> Attributes {
        let Some(promises) = name.and_then(|name| self.unit.promises.get(&name)) else {
            return Attributes::default();
        };
        let parameters = match self.types.table.get(ty) {
            Type::Function { parameters, .. } => parameters.as_slice(),
            _ => &[],
        };
        let is_pointer =
            |number: &usize| matches!(self.types.table.get(parameters[*number]), Type::Pointer(_));
        let is_promised = |number: &usize| promises.all_nonnull || promises.nonnull >> number & 1 == 1;
        let nonnull = (0..parameters.len().min(64)).filter(is_pointer).filter(is_promised);
        Attributes {
            nonnull: nonnull.fold(0, |mask, number| mask | 1 << number),
            elements: promises.elements.iter().map(|(_, count)| *count).max().unwrap_or(0),
            demanding: promises.unknown,
            ..Attributes::default()
        }
    }

    fn reads_only(&self, ty: rucc_types::TypeId) -> u64 {
        let types = &self.unit.types;
        let TypeKind::Function(id) = types.kind(types.canonical(ty)) else { return 0 };
        let points_to_const = |ty: rucc_types::TypeId| match types.kind(types.canonical(ty)) {
            TypeKind::Pointer(pointee) => self.is_const(pointee),
            _ => false,
        };
        let bits =
            types.signature(id).params.iter().take(64).enumerate().filter(|(_, ty)| points_to_const(**ty));
        bits.map(|(number, _)| 1 << number).sum()
    }

    fn declare_global(&mut self, id: DeclId, decl: &Decl, name: &Arc<str>) -> GlobalId {
        let ty = self.ty(decl.ty);
        let align = self.align(decl.ty).max(decl.alignment.unwrap_or(0));
        let alias = Self::alias(decl).map(|alias| self.text(alias));
        let (source_name, span) = (self.source_name(decl), self.decl_span(id));
        let (size, is_const) = (self.size_of(ty).max(self.unit.tast.extent(id)), self.is_const(decl.ty));
        self.globals.push(Global {
            name: name.clone(),
            source_name,
            ty,
            size,
            align,
            linkage: Self::linkage(decl),
            kind: GlobalKind::Variable,
            is_const,
            thread_local: decl.duration == StorageDuration::Thread,
            init: None,
            alias,
            span,
        })
    }

    fn source_name(&mut self, decl: &Decl) -> Arc<str> {
        decl.name.map_or_else(|| "(compound literal)".into(), |name| self.name(name))
    }

    pub(super) fn decl_span(&self, id: DeclId) -> Span {
        self.unit.span(self.unit.tast.decl_span(id))
    }

    /// Whether an object of the type may not be written: `const`, or an array of such.
    pub(super) fn is_const(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        let canonical = types.canonical(ty);
        types.quals(ty).has(Qualifiers::CONST)
            || types.quals(canonical).has(Qualifiers::CONST)
            || matches!(types.kind(canonical), TypeKind::Array { elem, .. } if self.is_const(elem))
    }

    /// Whether accesses through the type are volatile.
    pub(super) fn is_volatile(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        let canonical = types.canonical(ty);
        types.quals(ty).has(Qualifiers::VOLATILE)
            || types.quals(canonical).has(Qualifiers::VOLATILE)
            || match types.kind(canonical) {
                TypeKind::Array { elem, .. } => self.is_volatile(elem),
                TypeKind::Atomic(inner) => self.is_volatile(inner),
                _ => false,
            }
    }
}
