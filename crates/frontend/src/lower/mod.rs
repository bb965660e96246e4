// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowering: from rucc's typed tree to the IR, one unit at a time.
//!
//! Order of evaluation follows gcc: call arguments from the right, the other operands from the left unless gcc swaps
//! them, the value of an assignment before its place unless the value is a bare call. Each operation is
//! described to `clew_checks`, which says what obligations it carries. What is not supported becomes an
//! `Unsupported` statement at its place, and the rest of the file still works.

mod access;
mod arithmetic;
mod assembler;
mod assign;
mod branch;
mod build;
mod builtin;
mod call;
mod computed;
mod constant;
mod definite;
mod entity;
mod expr;
mod finish;
mod fold;
mod format;
mod function;
mod globals;
mod init;
mod memory;
mod model;
mod narrow;
mod place;
mod scan;
mod scope;
mod sequence;
mod stmt;
mod switch;
mod types;

use std::sync::Arc;

use clew_base::index::IndexVec;
use clew_ir::syntax::{BlockId, FuncId, Function, Global, GlobalId, Program, Semantics, Target, Unsupported};
use clew_ir::types::WellKnown;
use rucc_base::Symbol;
use rucc_sema::{DeclId, LabelId, StrId};
use rustc_hash::FxHashMap;

use crate::Unit;
use entity::Entity;
use scan::Scan;
use types::TypeMap;

/// Lowers a unit. The result is a program of one unit; `clew_ir::link` joins several.
pub fn lower(unit: &Unit) -> Program {
    let mut lowering = UnitLowering::new(unit);
    lowering.declare_roots();
    lowering.drain();
    lowering.into_program()
}

/// State for one unit.
struct UnitLowering<'u> {
    unit: &'u Unit,
    target: Target,
    types: TypeMap,
    known: WellKnown,
    scan: Scan,
    globals: IndexVec<GlobalId, Global>,
    functions: IndexVec<FuncId, Function>,
    /// Declarations met so far.
    entities: FxHashMap<DeclId, Entity>,
    /// Linkage names met so far.
    by_name: FxHashMap<Arc<str>, Entity>,
    strings: FxHashMap<StrId, GlobalId>,
    names: FxHashMap<Symbol, Arc<str>>,
    /// Labels of functions that are done, for tables of their addresses.
    label_targets: FxHashMap<LabelId, (FuncId, BlockId)>,
    /// Definitions that have been asked for and not been lowered.
    pending: Vec<(DeclId, Entity)>,
    unsupported: Vec<Unsupported>,
}

impl<'u> UnitLowering<'u> {
    fn new(unit: &'u Unit) -> Self {
        let target = types::target(&unit.target);
        let mut types = TypeMap::default();
        let known = types.table.well_known(&target);
        UnitLowering {
            unit,
            scan: Scan::new(&unit.tast),
            target,
            types,
            known,
            globals: IndexVec::new(),
            functions: IndexVec::new(),
            entities: FxHashMap::default(),
            by_name: FxHashMap::default(),
            strings: FxHashMap::default(),
            names: FxHashMap::default(),
            label_targets: FxHashMap::default(),
            pending: Vec::new(),
            unsupported: Vec::new(),
        }
    }

    /// Lowers what has been asked for, which may ask for more.
    fn drain(&mut self) {
        while let Some((decl, entity)) = self.pending.pop() {
            match entity {
                Entity::Global(global) => self.define_global(decl, global),
                Entity::Function(function) => function::lower_body(self, decl, function),
            }
        }
    }

    fn into_program(self) -> Program {
        let (types, records) = self.types.table.into_parts();
        Program {
            target: self.target,
            sources: self.unit.source_map(),
            types,
            records,
            globals: self.globals,
            functions: self.functions,
            unsupported: self.unsupported,
            semantics: Semantics {
                wrapv: self.unit.semantics.wrapv,
                fast_math: self.unit.semantics.fast_math,
                // What rearranges floats leaves errno alone, too.
                no_math_errno: self.unit.semantics.no_math_errno || self.unit.semantics.fast_math,
            },
        }
    }

    fn name(&mut self, symbol: Symbol) -> Arc<str> {
        let unit = self.unit;
        self.names.entry(symbol).or_insert_with(|| unit.name(symbol).into()).clone()
    }

    /// The bytes of a string literal as text, for names in attributes.
    fn text(&self, id: StrId) -> Arc<str> {
        let bytes: Vec<u8> = self.unit.tast[id].elements.iter().map(|e| *e as u8).collect();
        String::from_utf8_lossy(&bytes).into()
    }
}
