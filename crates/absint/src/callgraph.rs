// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which functions may call themselves.

use clew_base::index::{Idx, IndexVec};
use clew_ir::syntax::{Address, Callee, ExprKind, FuncId, Program, StatementKind};
use rustc_hash::FxHashSet;

/// The functions on cycles of calls. A call through a pointer may go to any function whose address is taken.
pub fn recursive(program: &Program) -> FxHashSet<FuncId> {
    let taken = address_taken(program);
    let callees: IndexVec<FuncId, Vec<FuncId>> = program
        .functions
        .iter()
        .map(|function| {
            let mut list = Vec::new();
            let mut indirect = false;
            for statement in function.body.iter().flat_map(|b| b.blocks.iter()).flat_map(|b| &b.statements) {
                if let StatementKind::Call(call) = &statement.kind {
                    match call.callee {
                        Callee::Direct(callee) => list.push(callee),
                        Callee::Indirect(_) => indirect = true,
                    }
                }
            }
            if indirect {
                list.extend(&taken);
            }
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    components(&callees)
}

/// The functions that a pointer may point to. What only an obligation mentions goes nowhere: `f()` of a function without
/// a prototype is a direct call, with an obligation about its type.
pub(crate) fn address_taken(program: &Program) -> Vec<FuncId> {
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

/// Tarjan's strongly connected components; answers the members of cycles.
fn components(callees: &IndexVec<FuncId, Vec<FuncId>>) -> FxHashSet<FuncId> {
    let count = callees.len();
    let (mut index, mut low) = (vec![0u32; count], vec![0u32; count]);
    let (mut on_stack, mut stack) = (vec![false; count], Vec::new());
    let mut result = FxHashSet::default();
    let mut counter = 0;
    for root in 0..count {
        if index[root] != 0 {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some((node, next)) = work.pop() {
            if next == 0 {
                counter += 1;
                (index[node], low[node]) = (counter, counter);
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(callee) = callees[FuncId::new(node)].get(next) {
                work.push((node, next + 1));
                let callee = callee.index();
                if index[callee] == 0 {
                    work.push((callee, 0));
                } else if on_stack[callee] {
                    low[node] = low[node].min(index[callee]);
                }
                continue;
            }
            if low[node] == index[node] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                let calls_itself = callees[FuncId::new(node)].contains(&FuncId::new(node));
                if members.len() > 1 || calls_itself {
                    result.extend(members.into_iter().map(FuncId::new));
                }
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    result
}
