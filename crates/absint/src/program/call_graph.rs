// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which functions may call themselves, and which an entry may come to.

use std::collections::BTreeSet;

use clew_base::index::Idx;
use clew_ir::analysis::alias;
pub(crate) use clew_ir::analysis::calls::{address_taken, call_graph as callees};
use clew_ir::declared::is_library;
use clew_ir::syntax::{Callee, FuncId, Program, StatementKind};
use rustc_hash::FxHashSet;

use crate::program::callbacks::Callbacks;
use crate::program::components::{components, is_cycle};

/// The functions on cycles of calls, when code that is not here may call some functions wherever it runs.
pub(crate) fn recursive(program: &Program, callbacks: &Callbacks) -> FxHashSet<FuncId> {
    let mut callees = callees(program);
    for (function, list) in program.functions.iter().zip(&mut callees) {
        if function.body.is_none() {
            let may_call = callbacks.of(is_library(program, function));
            list.extend(may_call.into_iter().map(Idx::index));
        }
    }
    let cycles = components(&callees).into_iter().filter(|members| is_cycle(members, &callees));
    cycles.flatten().map(FuncId::new).collect()
}

/// Some functions, all that lead to them, and what they call: where the values come from that they work with.
pub fn around(program: &Program, functions: &BTreeSet<FuncId>) -> FxHashSet<FuncId> {
    let callees = callees(program);
    let mut callers = vec![Vec::new(); callees.len()];
    for (caller, list) in callees.iter().enumerate() {
        list.iter().for_each(|callee| callers[*callee].push(caller));
    }
    let called = functions.iter().flat_map(|f| callees[f.index()].iter().map(|callee| FuncId::new(*callee)));
    let called: Vec<FuncId> = called.collect();
    let mut all: FxHashSet<FuncId> = functions.iter().copied().collect();
    let mut waiting: Vec<usize> = functions.iter().map(|f| f.index()).collect();
    while let Some(function) = waiting.pop() {
        let new = callers[function].iter().filter(|caller| all.insert(FuncId::new(**caller)));
        waiting.extend(new);
    }
    all.extend(called);
    all
}

/// The functions that runs from some entries may come to, as far as names tell. Globals and parameters may hold the address
/// of any function whose address is taken.
pub fn may_reach(program: &Program, entries: &[FuncId]) -> BTreeSet<FuncId> {
    let around = program
        .functions
        .iter_enumerated()
        .filter(|(_, f)| f.attributes.constructor.is_some() || f.attributes.destructor.is_some());
    let mut roots = address_taken(program);
    roots.extend(entries);
    roots.extend(around.map(|(id, _)| id));
    let mut reached = clew_ir::reach::reach(program, roots, []).functions;
    let behind: Vec<FuncId> =
        reached.iter().map(|f| resolve(program, *f)).filter(|f| !reached.contains(f)).collect();
    if !behind.is_empty() {
        reached.extend(clew_ir::reach::reach(program, behind, []).functions);
    }
    reached
}

/// The function behind an alias.
pub(crate) fn resolve(program: &Program, function: FuncId) -> FuncId {
    alias::resolve_function(program, function)
}

/// The functions that one call of the program leads into, and nothing else.
pub fn called_once(program: &Program) -> FxHashSet<FuncId> {
    let blocks = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.iter());
    let mut once = FxHashSet::default();
    let mut often: FxHashSet<FuncId> = address_taken(program).into_iter().collect();
    for statement in blocks.flat_map(|block| &block.statements) {
        if let StatementKind::Call(call) = &statement.kind
            && let Callee::Direct(callee) = call.callee
        {
            let callee = resolve(program, callee);
            if !once.insert(callee) {
                often.insert(callee);
            }
        }
    }
    once.retain(|function| !often.contains(function));
    once
}

/// The functions in which one of these may be called. One without a body may call what it is handed.
pub(crate) fn callers(program: &Program, functions: &FxHashSet<FuncId>) -> FxHashSet<FuncId> {
    let mut callees = crate::program::call_graph::callees(program);
    let taken: Vec<usize> =
        crate::program::call_graph::address_taken(program).iter().map(|f| f.index()).collect();
    for (id, function) in program.functions.iter_enumerated() {
        if function.body.is_none() {
            callees[id.index()].clone_from(&taken);
        }
    }
    let mut found: FxHashSet<usize> = FxHashSet::default();
    loop {
        let calls = |list: &Vec<usize>| {
            list.iter().any(|f| found.contains(f) || functions.contains(&FuncId::new(*f)))
        };
        let new: Vec<usize> =
            (0..callees.len()).filter(|f| !found.contains(f) && calls(&callees[*f])).collect();
        if new.is_empty() {
            return found.into_iter().map(FuncId::new).collect();
        }
        found.extend(new);
    }
}
