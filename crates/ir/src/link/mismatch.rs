// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a file does with another file's definition that its own declaration allows and the definition does not: calls
//! of a function that takes or gives other types (6.5.2.2p9), writes by name to an object that is const (6.7.3p6).
//! The front end sees one file, so that these obligations are made here.

use clew_base::index::IndexVec;
use clew_base::source::Span;

use crate::obligation::{CheckKind, Condition, Obligation};
use crate::syntax::*;
use crate::types::{Class, Types};

/// From this width on integers are passed as they are, whatever their sign.
const REGISTER: u16 = 32;

/// Asks for what definitions demand of other files.
pub(super) fn demand(program: &mut Program) {
    let mut found: Vec<(FuncId, BlockId, usize, CheckKind)> = Vec::new();
    for (function, block, at, statement) in statements(program) {
        let check = wrong(program, statement).filter(|check| !is_asked(program, function, block, at, *check));
        found.extend(check.map(|check| (function, block, at, check)));
    }
    // From the last on, so that the numbers of those before stay.
    for (function, block, at, check) in found.into_iter().rev() {
        let Some(body) = &mut program.functions[function].body else { continue };
        let span: Span = body.blocks[block].statements[at].span;
        let first = body.obligations.push(Obligation { check, condition: Condition::Never, span });
        let kind = StatementKind::Check { first, count: 1 };
        body.blocks[block].statements.insert(at, Statement { kind, span });
    }
}

fn statements(program: &Program) -> impl Iterator<Item = (FuncId, BlockId, usize, &Statement)> {
    let bodies = program.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
    let blocks =
        bodies.flat_map(|(id, body)| body.blocks.iter_enumerated().map(move |(at, block)| (id, at, block)));
    blocks.flat_map(|(function, id, block)| {
        block.statements.iter().enumerate().map(move |(at, statement)| (function, id, at, statement))
    })
}

/// Whether the front end saw it, too.
fn is_asked(program: &Program, function: FuncId, block: BlockId, at: usize, check: CheckKind) -> bool {
    let Some(body) = &program.functions[function].body else { return true };
    let before = at.checked_sub(1).map(|before| &body.blocks[block].statements[before].kind);
    let Some(StatementKind::Check { first, count }) = before else { return false };
    (first.0..first.0 + count).any(|id| body.obligations[ObligationId(id)].check == check)
}

fn wrong(program: &Program, statement: &Statement) -> Option<CheckKind> {
    let is_const =
        |place: &Place| matches!(place.base, PlaceBase::Global(g) if is_const(&program.globals, g));
    match &statement.kind {
        StatementKind::Call(call) => {
            let result = matches!(&call.result, Some(CallResult::Place(place)) if is_const(place));
            let misfit = matches!(call.callee, Callee::Direct(callee) if !fits(program, call, callee));
            misfit.then_some(CheckKind::BadCall).or(result.then_some(CheckKind::WriteToConst))
        }
        StatementKind::Store { place, .. } | StatementKind::Copy { to: place, .. } => {
            is_const(place).then_some(CheckKind::WriteToConst)
        }
        _ => None,
    }
}

fn is_const(globals: &IndexVec<GlobalId, Global>, id: GlobalId) -> bool {
    globals[id].is_const && globals[id].kind == GlobalKind::Variable
}

/// Whether a call by the declaration of its file passes what the definition takes. Calls without a prototype have an
/// obligation of their own.
fn fits(program: &Program, call: &Call, callee: FuncId) -> bool {
    let function = &program.functions[callee];
    if function.body.is_none() || call.signature == function.ty {
        return true;
    }
    let types = program.types();
    let (
        Type::Function { result, parameters, variadic, prototyped: true },
        Type::Function { result: given, parameters: taken, variadic: takes_more, prototyped: true },
    ) = (types.get(call.signature), types.get(function.ty))
    else {
        return true;
    };
    let results = call.result.is_none() || alike(types, *result, *given);
    let all = parameters.iter().zip(taken).all(|(a, b)| alike(types, *a, *b));
    results && parameters.len() == taken.len() && variadic == takes_more && all
}

/// Whether values of the two types are passed alike: all pointers are, and of what lives in memory types of one size.
fn alike(types: Types<'_>, one: TypeId, other: TypeId) -> bool {
    if one == other {
        return true;
    }
    match (types.class(one), types.class(other)) {
        (Class::Aggregate, Class::Aggregate) => types.size_of(one) == types.size_of(other),
        (Class::Int(a), Class::Int(b)) => a == b || a.bits == b.bits && a.bits >= REGISTER,
        (a, b) => a == b,
    }
}
