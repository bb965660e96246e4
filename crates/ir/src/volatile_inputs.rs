// SPDX-License-Identifier: MIT OR Apache-2.0
//! Volatile variables that tell the program something: a sensor, a register of a device, a flag that somebody else sets.
//!
//! C says of every volatile object that it may change at any time. Most that a program writes itself do not, or not to
//! just any value, and a violation that rests on the contrary is a cry of wolf. But a number that is declared without
//! a value, read, and never written by anything in the program can only come from outside: every read of it is an input.

use std::collections::BTreeSet;

use crate::syntax::{
    Global, GlobalId, GlobalKind, Place, PlaceBase, Program, Statement, StatementKind, Type,
};
use crate::types::Class;
use crate::visit::Visit;
use crate::witness::InputKind;

/// The variables of which every read is an input.
pub fn volatile_inputs(program: &Program) -> BTreeSet<GlobalId> {
    let types = program.types();
    let is_number = |ty| {
        !matches!(types.get(ty), Type::Bool) && matches!(types.class(ty), Class::Int(_) | Class::Float(_))
    };
    let aliases: BTreeSet<&str> = program.globals.iter().filter_map(|g| g.alias.as_deref()).collect();
    let candidates = program.globals.iter_enumerated().filter(|(_, global)| {
        let is_given = global.init.as_ref().is_some_and(|init| !init.tentative);
        let is_alias = global.alias.is_some() || aliases.contains(&*global.name);
        global.kind == GlobalKind::Variable && is_number(global.ty) && !is_given && !is_alias
    });
    let mut found: BTreeSet<GlobalId> = candidates.map(|(id, _)| id).collect();
    if !found.is_empty() {
        let uses = Uses::of(program);
        found.retain(|global| uses.read.contains(global) && !uses.other.contains(global));
    }
    let registers = program.globals.iter_enumerated();
    found.extend(registers.filter(|(_, global)| is_register(global)).map(|(id, _)| id));
    found
}

/// Whether a variable stands for a hardware register.
pub fn is_register(global: &Global) -> bool {
    matches!(global.kind, GlobalKind::Register { .. })
}

/// The kind of input that a read of a sensor is.
pub fn input_kind(global: &Global) -> InputKind {
    if is_register(global) { InputKind::Register } else { InputKind::Volatile }
}

/// The variable that a place is, as a whole.
pub fn whole_global(place: &Place) -> Option<GlobalId> {
    match place.base {
        PlaceBase::Global(global) if place.projections.is_empty() => Some(global),
        _ => None,
    }
}

/// Globals that are read as what is volatile, and those that are used in any other way. What is asked about a place
/// does not use it.
#[derive(Default)]
struct Uses {
    read: BTreeSet<GlobalId>,
    other: BTreeSet<GlobalId>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
            body.exprs.iter().for_each(|expr| uses.walk_expr(expr));
            for block in body.blocks.iter() {
                block.statements.iter().for_each(|statement| uses.statement(statement));
                uses.walk_terminator(&block.terminator);
            }
        }
        program.globals.iter().for_each(|global| uses.walk_global(global));
        uses
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Load { place, flags, .. } if flags.volatile && whole_global(place).is_some() => {
                self.read.extend(whole_global(place));
            }
            _ => self.walk_statement(statement),
        }
    }
}

impl Visit for Uses {
    fn global(&mut self, global: &GlobalId) {
        self.other.insert(*global);
    }
}
