// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which functions call which, as far as names tell.

use clew_base::index::Idx;

use super::alias::Aliases;
use crate::syntax::{Address, Body, Callee, ExprKind, FuncId, Program, StatementKind};

/// What the calls of a function lead into.
pub fn calls(body: &Body) -> impl Iterator<Item = Callee> + '_ {
    let statements = body.blocks.iter().flat_map(|block| &block.statements);
    statements.filter_map(|statement| match &statement.kind {
        StatementKind::Call(call) => Some(call.callee),
        _ => None,
    })
}

/// The functions that a function calls by name, once for each call, aliases not resolved.
pub fn direct_callees(body: &Body) -> impl Iterator<Item = FuncId> + '_ {
    calls(body).filter_map(|callee| match callee {
        Callee::Direct(function) => Some(function),
        Callee::Indirect(_) => None,
    })
}

/// The call graph: the functions that each function may call, each once and in order. A call through a pointer may go to
/// any function whose address is taken.
pub fn call_graph(program: &Program) -> Vec<Vec<usize>> {
    let aliases = Aliases::of(program);
    let taken = address_taken(program);
    let callees = program.functions.iter().map(|function| {
        let mut list = Vec::new();
        let mut is_indirect = false;
        for callee in function.body.iter().flat_map(calls) {
            match callee {
                Callee::Direct(callee) => list.push(aliases.functions[callee].index()),
                Callee::Indirect(_) => is_indirect = true,
            }
        }
        if is_indirect {
            list.extend(taken.iter().map(|function| function.index()));
        }
        list.sort_unstable();
        list.dedup();
        list
    });
    callees.collect()
}

/// The functions that a pointer may point to. What only an obligation mentions goes nowhere: `f()` of a function without
/// a prototype is a direct call, with an obligation about its type.
pub fn address_taken(program: &Program) -> Vec<FuncId> {
    let mut taken = Vec::new();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        let mut roots = Vec::new();
        for block in body.blocks.iter() {
            block.statements.iter().for_each(|statement| statement.exprs(|e| roots.push(e)));
            block.terminator.exprs(|e| roots.push(e));
        }
        for node in roots.into_iter().flat_map(|root| body.expr_nodes(root)) {
            if let ExprKind::Function(id) = body.exprs[node].kind {
                taken.push(id);
            }
        }
    }
    for init in program.globals.iter().filter_map(|g| g.init.as_ref()) {
        for relocation in &init.relocations {
            if let Address::Function(id) = relocation.target {
                taken.push(id);
            }
        }
    }
    taken.sort_unstable();
    taken.dedup();
    taken
}
