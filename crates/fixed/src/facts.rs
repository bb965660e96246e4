// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a program before any walk, and the same for all of them: found once, for walks are many.

use std::collections::BTreeSet;

use clew_ir::syntax::{
    Address, Argument, Body, CallResult, Callee, ExprKind, FuncId, GlobalId, Place, PlaceBase, Program,
    StatementKind, Terminator,
};

use crate::begin::written_globals;
use crate::numbers::Numbers;
use crate::setup::Setup;
use crate::summary::closed;

/// Facts of a program and a setup.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Integers that stand for numbers.
    pub(crate) numbers: Numbers,
    /// Procedures that touch nothing but arguments, locals and constants.
    pub(crate) closed: BTreeSet<FuncId>,
    /// Globals that the entry may reach.
    pub(crate) globals: BTreeSet<GlobalId>,
    /// Globals that some function may write.
    pub(crate) written: BTreeSet<GlobalId>,
}

impl Facts {
    pub(crate) fn of(program: &Program, setup: &Setup) -> Facts {
        let written = written_globals(program);
        Facts {
            numbers: Numbers::of(program, setup),
            closed: closed(program, setup, &written),
            globals: reached(program, setup.entry),
            written,
        }
    }
}

/// The globals that are named in functions which the entry may call, and those that these point to.
fn reached(program: &Program, entry: FuncId) -> BTreeSet<GlobalId> {
    let (mut functions, mut globals) = (BTreeSet::new(), BTreeSet::new());
    let (mut open_functions, mut open_globals) = (vec![entry], Vec::new());
    loop {
        if let Some(function) = open_functions.pop() {
            if functions.insert(function)
                && let Some(body) = &program.functions[function].body
            {
                named(body, &mut open_functions, &mut open_globals);
            }
        } else if let Some(global) = open_globals.pop() {
            if !globals.insert(global) {
                continue;
            }
            let init = program.globals[global].init.as_ref();
            for relocation in init.into_iter().flat_map(|init| &init.relocations) {
                match relocation.target {
                    Address::Global(to) => open_globals.push(to),
                    Address::Function(to) => open_functions.push(to),
                    Address::Label(..) => {}
                }
            }
        } else {
            return globals;
        }
    }
}

/// The functions and globals that a body names.
fn named(body: &Body, functions: &mut Vec<FuncId>, globals: &mut Vec<GlobalId>) {
    let mut add = |place: &Place| {
        if let PlaceBase::Global(global) = place.base {
            globals.push(global);
        }
    };
    for expr in body.exprs.iter() {
        match &expr.kind {
            ExprKind::AddressOf(place) => add(place),
            ExprKind::Function(function) => functions.push(*function),
            _ => {}
        }
    }
    for block in body.blocks.iter() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Load { place, .. }
                | StatementKind::Store { place, .. }
                | StatementKind::Zero { place } => add(place),
                StatementKind::Copy { to, from, .. } => {
                    add(to);
                    add(from);
                }
                StatementKind::Call(call) => {
                    if let Callee::Direct(callee) = call.callee {
                        functions.push(callee);
                    }
                    for argument in &call.arguments {
                        if let Argument::Object(place) = argument {
                            add(place);
                        }
                    }
                    if let Some(CallResult::Place(place)) = &call.result {
                        add(place);
                    }
                }
                _ => {}
            }
        }
        if let Terminator::Return(Some(Argument::Object(place))) = &block.terminator {
            add(place);
        }
    }
}
