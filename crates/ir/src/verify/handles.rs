// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rule 1: every handle names something that exists.

use clew_base::index::Idx;
use clew_base::source::Span;

use super::Faults;
use crate::syntax::*;
use crate::visit::Visit;

/// Looks for handles out of range.
struct Ranges<'a> {
    program: &'a Program,
    body: Option<&'a Body>,
    bad: Option<String>,
}

impl Ranges<'_> {
    fn check(&mut self, inside: bool, handle: impl std::fmt::Display) {
        if !inside && self.bad.is_none() {
            self.bad = Some(format!("{handle} does not exist"));
        }
    }
}

impl Visit for Ranges<'_> {
    fn ty(&mut self, ty: &TypeId) {
        self.check(ty.index() < self.program.types.len(), ty);
    }
    fn record(&mut self, record: &RecordId) {
        self.check(record.index() < self.program.records.len(), record);
    }
    fn global(&mut self, global: &GlobalId) {
        self.check(global.index() < self.program.globals.len(), global);
    }
    fn function(&mut self, function: &FuncId) {
        self.check(function.index() < self.program.functions.len(), function);
    }
    fn local(&mut self, local: &LocalId) {
        self.check(self.body.is_some_and(|b| local.index() < b.locals.len()), local);
    }
    fn expr(&mut self, expr: &ExprId) {
        self.check(self.body.is_some_and(|b| expr.index() < b.exprs.len()), expr);
    }
    fn block(&mut self, block: &BlockId) {
        self.check(self.body.is_some_and(|b| block.index() < b.blocks.len()), block);
    }
    fn obligation(&mut self, obligation: &ObligationId) {
        self.check(self.body.is_some_and(|b| obligation.index() < b.obligations.len()), obligation);
    }
    fn span(&mut self, span: &Span) {
        let sources = &self.program.sources;
        self.check(span.is_none() || span.file.index() < sources.files.len(), span.file);
        if let Some(expansion) = span.expansion {
            self.check(expansion.index() < sources.macros.len(), expansion);
        }
    }
}

/// Whether the handles of the types, records and globals are in range.
pub(super) fn tables(program: &Program, faults: &mut Faults) -> bool {
    let mut good = true;
    let mut ranges = Ranges { program, body: None, bad: None };
    let mut report = |ranges: &mut Ranges<'_>, place: &dyn std::fmt::Display| {
        if let Some(bad) = ranges.bad.take() {
            good = false;
            faults.add(place, bad);
        }
    };
    for (id, ty) in program.types.iter_enumerated() {
        ranges.walk_type(ty);
        report(&mut ranges, &id);
    }
    for (id, record) in program.records.iter_enumerated() {
        ranges.walk_record(record);
        report(&mut ranges, &id);
    }
    for (id, function) in program.functions.iter_enumerated() {
        ranges.ty(&function.ty);
        report(&mut ranges, &id);
    }
    for (id, global) in program.globals.iter_enumerated() {
        ranges.ty(&global.ty);
        ranges.span(&global.span);
        for relocation in global.init.iter().flat_map(|init| &init.relocations) {
            address(&mut ranges, relocation.target);
            relocation.minus.into_iter().for_each(|minus| address(&mut ranges, minus));
        }
        report(&mut ranges, &id);
    }
    good
}

fn address(ranges: &mut Ranges<'_>, address: Address) {
    match address {
        Address::Global(global) => ranges.global(&global),
        Address::Function(function) => ranges.function(&function),
        Address::Label(function, block) => {
            let body = ranges.program.functions.get(function).and_then(|f| f.body.as_ref());
            ranges.check(body.is_some_and(|b| block.index() < b.blocks.len()), block);
        }
    }
}

/// Whether the handles of a function are in range and its arena is in order (rule 10).
pub(super) fn function(program: &Program, function: &Function, faults: &mut Faults) -> bool {
    let mut ranges = Ranges { program, body: function.body.as_ref(), bad: None };
    ranges.walk_function(function);
    if let Some(bad) = ranges.bad {
        faults.add("handle", bad);
        return false;
    }
    let mut ordered = true;
    for (id, expr) in function.body.iter().flat_map(|b| b.exprs.iter_enumerated()) {
        expr.operands(|operand| {
            if operand >= id {
                ordered = false;
                faults.add(id, format!("its operand {operand} does not come before it"));
            }
        });
    }
    ordered
}
