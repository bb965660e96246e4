// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose address may come to code elsewhere, which may call them with anything.
//!
//! A static table of functions that is only read to call what stands in it keeps them to itself: they are called as the
//! file calls them. Sorting and searching call what they are given and forget it.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::{
    Address, Argument, Body, Call, Callee, ExprId, ExprKind, FuncId, GlobalId, Linkage, LocalId, PlaceBase,
    Program, StatementKind, Terminator,
};

/// The functions whose address may come to code elsewhere.
pub fn given_away(program: &Program) -> BTreeSet<FuncId> {
    let forgets = |call: &Call| match call.callee {
        Callee::Direct(callee) => matches!(&*program.functions[callee].name, "qsort" | "bsearch"),
        Callee::Indirect(_) => false,
    };
    let mut found = BTreeSet::new();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        let mut roots = Vec::new();
        for block in body.blocks.iter() {
            for statement in &block.statements {
                if !matches!(&statement.kind, StatementKind::Call(call) if forgets(call)) {
                    statement.exprs(|e| roots.push(e));
                }
            }
            block.terminator.exprs(|e| roots.push(e));
        }
        found.extend(roots.into_iter().flat_map(|root| body.expr_nodes(root)).filter_map(|node| {
            match body.exprs[node].kind {
                ExprKind::Function(id) => Some(id),
                _ => None,
            }
        }));
    }
    let private = private_tables(program);
    let tables = program.globals.iter_enumerated().filter(|(id, _)| !private.contains(id));
    let relocations = tables.filter_map(|(_, g)| g.init.as_ref()).flat_map(|init| &init.relocations);
    found.extend(relocations.filter_map(|relocation| match relocation.target {
        Address::Function(id) => Some(id),
        _ => None,
    }));
    found
}

/// Static variables that nothing leads to but their name, and whose values are only called.
fn private_tables(program: &Program) -> BTreeSet<GlobalId> {
    let is_private = |id: &GlobalId| program.globals[*id].linkage == Linkage::Internal;
    let mut private: BTreeSet<GlobalId> = program.globals.indices().filter(is_private).collect();
    let inits = program.globals.iter().filter_map(|global| global.init.as_ref());
    for relocation in inits.flat_map(|init| &init.relocations) {
        if let Address::Global(id) = relocation.target {
            private.remove(&id);
        }
    }
    // One that nobody reads here is read elsewhere, by the section that it is put in.
    let mut read = BTreeSet::new();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        drop_used(body, &mut private, &mut read);
    }
    private.intersection(&read).copied().collect()
}

/// Leaves out what a function uses in another way than to call it.
fn drop_used(body: &Body, private: &mut BTreeSet<GlobalId>, read: &mut BTreeSet<GlobalId>) {
    let mut loaded: BTreeMap<LocalId, GlobalId> = BTreeMap::new();
    let mut used = Vec::new();
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        match &statement.kind {
            StatementKind::Load { local, place, .. } => {
                place.exprs(|expr| used.push(expr));
                if let PlaceBase::Global(id) = place.base {
                    read.insert(id);
                    // A register for two tables is no register for either.
                    if let Some(before) = loaded.insert(*local, id).filter(|before| *before != id) {
                        private.remove(&before);
                    }
                }
            }
            StatementKind::Call(call) => {
                call.arguments.iter().for_each(|argument| match argument {
                    Argument::Value(expr) => used.push(*expr),
                    Argument::Object(place) => drop_place(place.base, private),
                });
                // A callee that is more than the loaded value is looked at as any other expression.
                if let Callee::Indirect(callee) = call.callee
                    && !matches!(body.exprs[callee].kind, ExprKind::Local(_))
                {
                    used.push(callee);
                }
            }
            StatementKind::Copy { to, from, .. } => {
                drop_place(to.base, private);
                drop_place(from.base, private);
                statement.exprs(|expr| used.push(expr));
            }
            _ => statement.exprs(|expr| used.push(expr)),
        }
    }
    for block in body.blocks.iter() {
        // What a branch tests goes nowhere.
        if !matches!(block.terminator, Terminator::Branch { .. }) {
            block.terminator.exprs(|expr| used.push(expr));
        }
    }
    for node in nodes(body, used) {
        match &body.exprs[node].kind {
            ExprKind::AddressOf(place) => drop_place(place.base, private),
            ExprKind::Local(local) => {
                if let Some(id) = loaded.get(local) {
                    private.remove(id);
                }
            }
            _ => {}
        }
    }
}

fn drop_place(base: PlaceBase, private: &mut BTreeSet<GlobalId>) {
    if let PlaceBase::Global(id) = base {
        private.remove(&id);
    }
}

fn nodes(body: &Body, roots: Vec<ExprId>) -> BTreeSet<ExprId> {
    roots.into_iter().flat_map(|root| body.expr_nodes(root)).collect()
}
