// SPDX-License-Identifier: MIT OR Apache-2.0
//! What calls of a function may write, and whether they surely return: enough to know what still holds behind them.

use std::collections::BTreeSet;

use clew_ir::analysis::calls::call_graph;
use clew_ir::analysis::components::{components, is_cycle};
use clew_ir::analysis::order::loops;
use clew_ir::syntax::{
    Argument, Body, CallResult, Callee, ExprId, ExprKind, FuncId, GlobalId, HavocTarget, Intrinsic, LocalId,
    Place, PlaceBase, Program, StatementKind, Storage, Terminator,
};

/// What calls of a function may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Anything may be written.
    pub anything: bool,
    /// These globals may be.
    pub globals: BTreeSet<GlobalId>,
    /// What these parameters lead to may be.
    pub behind: BTreeSet<u32>,
    /// A call may not return.
    pub may_not_return: bool,
}

/// The effects of each function, callees first. What loops without a bound or without an end would do is for those who
/// know more of loops to say: `ends` tells whether a function's loops surely end.
pub fn effects(program: &Program, ends: &dyn Fn(FuncId) -> bool) -> Vec<Effects> {
    let graph = call_graph(program);
    let worst = Effects { anything: true, may_not_return: true, ..Effects::default() };
    let mut known = vec![worst; program.functions.len()];
    for members in components(&graph) {
        if is_cycle(&members, &graph) {
            continue;
        }
        for member in members {
            let id = FuncId(member as u32);
            let function = &program.functions[id];
            if let Some(body) = &function.body {
                let has_loops = !loops(body).is_empty() && !ends(id);
                let mut effects = of_body(body, &known);
                effects.may_not_return |= has_loops || function.attributes.noreturn;
                known[member] = effects;
            }
        }
    }
    known
}

fn of_body(body: &Body, known: &[Effects]) -> Effects {
    let mut effects = Effects::default();
    for block in body.blocks.iter() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Store { place, .. } | StatementKind::Zero { place } => {
                    written(body, place, &mut effects);
                }
                StatementKind::Copy { to, .. } => written(body, to, &mut effects),
                StatementKind::Havoc { target: HavocTarget::Place(place) } => {
                    written(body, place, &mut effects)
                }
                StatementKind::Call(call) => {
                    if let Some(CallResult::Place(place)) = &call.result {
                        written(body, place, &mut effects);
                    }
                    let Callee::Direct(callee) = call.callee else {
                        effects.anything = true;
                        effects.may_not_return = true;
                        continue;
                    };
                    let its = &known[callee.0 as usize];
                    effects.anything |= its.anything;
                    effects.may_not_return |= its.may_not_return;
                    effects.globals.extend(&its.globals);
                    for number in &its.behind {
                        match call.arguments.get(*number as usize) {
                            Some(Argument::Value(expr)) => written_behind(body, *expr, &mut effects),
                            _ => effects.anything = true,
                        }
                    }
                }
                StatementKind::Intrinsic(call) => match (call.op, &call.arguments[..]) {
                    (Intrinsic::CopyBytes | Intrinsic::FillBytes | Intrinsic::HavocBytes, [to, ..]) => {
                        written_behind(body, *to, &mut effects);
                    }
                    (
                        Intrinsic::VaArg(_) | Intrinsic::VaCopy | Intrinsic::VaStart | Intrinsic::Release,
                        _,
                    ) => {
                        effects.anything = true;
                    }
                    (Intrinsic::Trap, _) => effects.may_not_return = true,
                    _ => {}
                },
                // A run may end there.
                StatementKind::Assume { .. } => {}
                StatementKind::Assembler { .. } | StatementKind::Unsupported { .. } => {
                    effects.anything = true;
                    effects.may_not_return = true;
                }
                _ => {}
            }
        }
        if matches!(block.terminator, Terminator::Unreachable | Terminator::ComputedGoto { .. }) {
            effects.may_not_return = true;
        }
    }
    effects
}

fn written(body: &Body, place: &Place, effects: &mut Effects) {
    match place.base {
        PlaceBase::Local(_) => {}
        PlaceBase::Global(global) => drop(effects.globals.insert(global)),
        PlaceBase::Deref(pointer) => written_behind(body, pointer, effects),
    }
}

/// What a pointer leads to is written: a parameter that nobody assigns to, or who knows what.
fn written_behind(body: &Body, pointer: ExprId, effects: &mut Effects) {
    match root(body, pointer, 8) {
        Some(Root::Parameter(number)) => drop(effects.behind.insert(number)),
        Some(Root::Own) => {}
        Some(Root::Global(global)) => drop(effects.globals.insert(global)),
        None => effects.anything = true,
    }
}

enum Root {
    Parameter(u32),
    Global(GlobalId),
    Own,
}

fn root(body: &Body, pointer: ExprId, depth: u32) -> Option<Root> {
    if depth == 0 {
        return None;
    }
    match &body.exprs[pointer].kind {
        ExprKind::PointerAdd { pointer, .. } | ExprKind::Cast(pointer) => root(body, *pointer, depth - 1),
        ExprKind::AddressOf(place) => match place.base {
            PlaceBase::Local(_) => Some(Root::Own),
            PlaceBase::Global(global) => Some(Root::Global(global)),
            PlaceBase::Deref(pointer) => root(body, pointer, depth - 1),
        },
        ExprKind::Local(local) if body.locals[*local].storage == Storage::Register => {
            register_root(body, *local, depth)
        }
        _ => None,
    }
}

/// A register whose assignments all come from one root, itself aside.
fn register_root(body: &Body, local: LocalId, depth: u32) -> Option<Root> {
    let mut found = (local.0 < body.parameters).then_some(Root::Parameter(local.0));
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        if !clew_ir::analysis::registers::written(statement).any(|written| written == local) {
            continue;
        }
        let StatementKind::Assign { value, .. } = statement.kind else {
            match statement.kind {
                StatementKind::StorageLive { .. } => continue,
                _ => return None,
            }
        };
        if steps_from(body, value, local, 4) {
            continue;
        }
        let from = root(body, value, depth - 1)?;
        found = match (found, from) {
            (None, from) => Some(from),
            (Some(Root::Parameter(a)), Root::Parameter(b)) if a == b => Some(Root::Parameter(a)),
            (Some(Root::Own), Root::Own) => Some(Root::Own),
            _ => return None,
        };
    }
    found
}

/// Whether an expression is the register itself, or some way from it; through one temporary.
fn steps_from(body: &Body, expr: ExprId, local: LocalId, depth: u32) -> bool {
    match body.exprs[expr].kind {
        ExprKind::Local(read) if read == local => true,
        ExprKind::PointerAdd { pointer, .. } | ExprKind::Cast(pointer) => {
            depth > 0 && steps_from(body, pointer, local, depth - 1)
        }
        ExprKind::Local(read) if depth > 0 && body.locals[read].name.is_none() => {
            let mut assigned =
                body.blocks.iter().flat_map(|block| &block.statements).filter_map(|s| match s.kind {
                    StatementKind::Assign { local, value } if local == read => Some(value),
                    _ => None,
                });
            assigned.next().is_some_and(|value| steps_from(body, value, local, depth - 1))
                && assigned.next().is_none()
        }
        _ => false,
    }
}
