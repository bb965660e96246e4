// SPDX-License-Identifier: MIT OR Apache-2.0
//! Static objects of numbers begin with zeros, and each number that a program assigns has been used as a value before: reads
//! of them ask for nothing. By way of a pointer, bytes that nobody wrote may still come in (`memcpy(&table[1], &x, 8)`),
//! in another file, too, so that it is known here which objects pointers lead to.

use rustc_hash::FxHashSet;

use crate::obligation::{CheckKind, Condition, Obligation};
use crate::syntax::*;
use crate::types::{Class, Types};

/// Asks that numbers which are read of static objects were written, where that is not sure.
pub(super) fn demand(program: &mut Program) {
    let unsure = unsure(program);
    if unsure.is_empty() {
        return;
    }
    let types = program.types();
    let mut found: Vec<(FuncId, BlockId, usize, Place)> = Vec::new();
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        for (number, block) in body.blocks.iter_enumerated() {
            for (at, statement) in block.statements.iter().enumerate() {
                let StatementKind::Load { place, .. } = &statement.kind else { continue };
                let PlaceBase::Global(global) = place.base else { continue };
                let before = at.checked_sub(1).map(|at| &block.statements[at]);
                if unsure.contains(&global)
                    && is_number(types, place.ty)
                    && !before.is_some_and(|before| is_asked(body, before, place))
                {
                    found.push((id, number, at, (**place).clone()));
                }
            }
        }
    }
    // From the last on, so that the numbers of those before stay.
    for (function, block, at, place) in found.into_iter().rev() {
        let Some(body) = &mut program.functions[function].body else { continue };
        let span = body.blocks[block].statements[at].span;
        let condition = Condition::Initialised(Box::new(place), None);
        let first =
            body.obligations.push(Obligation { check: CheckKind::UninitialisedRead, condition, span });
        let kind = StatementKind::Check { first, count: 1 };
        body.blocks[block].statements.insert(at, Statement { kind, span });
    }
}

/// The objects that bytes may come into which nobody wrote: pointers lead there, or they are copied to as they are.
fn unsure(program: &Program) -> FxHashSet<GlobalId> {
    let types = program.types();
    let mut found = FxHashSet::default();
    let mut add = |place: &Place| {
        if let PlaceBase::Global(global) = place.base {
            found.insert(global);
        }
    };
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for expr in body.exprs.iter() {
            if let ExprKind::AddressOf(place) = &expr.kind {
                add(place);
            }
        }
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Copy { to, .. } => add(to),
                StatementKind::Store { place, .. } if !is_number(types, place.ty) => add(place),
                _ => {}
            }
        }
    }
    for global in program.globals.iter() {
        let relocations = global.init.iter().flat_map(|init| &init.relocations);
        for relocation in relocations {
            for address in [Some(relocation.target), relocation.minus].into_iter().flatten() {
                if let Address::Global(global) = address {
                    found.insert(global);
                }
            }
        }
    }
    // One object under two names.
    let aliased: FxHashSet<&str> = program.globals.iter().filter_map(|g| g.alias.as_deref()).collect();
    let aliases = program.globals.iter_enumerated();
    found.extend(aliases.filter(|(_, g)| g.alias.is_some() || aliased.contains(&*g.name)).map(|(id, _)| id));
    found
}

fn is_number(types: Types<'_>, ty: TypeId) -> bool {
    match types.class(ty) {
        Class::Int(int) => int.bits > 8 || matches!(types.get(ty), Type::Bool),
        Class::Float(_) | Class::Pointer => true,
        _ => false,
    }
}

/// Whether the front end asked.
fn is_asked(body: &Body, before: &Statement, place: &Place) -> bool {
    let StatementKind::Check { first, count } = before.kind else { return false };
    (first.0..first.0 + count).any(|id| match &body.obligations[ObligationId(id)].condition {
        Condition::Initialised(asked, _) => **asked == *place,
        _ => false,
    })
}
