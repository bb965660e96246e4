// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a library's definition is what a program calls by its name.
//!
//! A program may declare `char *malloc()`, or a stream as another struct than the library's: as long as every value
//! that is passed and returned has the same class on both sides, a call means what it says. Otherwise what arrives is
//! not what was passed, and the definition is not to be used.

use rustc_hash::FxHashMap;

use crate::syntax::*;
use crate::types::Class;

/// Every call by name of some function, with the body it is in.
pub(super) type Calls<'a> = FxHashMap<FuncId, Vec<(&'a Body, &'a Call)>>;

/// The calls by name of functions without a body.
pub(super) fn calls(program: &Program) -> Calls<'_> {
    let mut calls = Calls::default();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            let StatementKind::Call(call) = &statement.kind else { continue };
            let Callee::Direct(callee) = call.callee else { continue };
            if program.functions[callee].body.is_none() {
                calls.entry(callee).or_default().push((body, call));
            }
        }
    }
    calls
}

/// Why a definition of the type `defined` cannot stand for a declaration of the program; `None` when it can.
pub(super) fn misfit(
    program: &Program,
    function: FuncId,
    defined: TypeId,
    calls: &Calls<'_>,
) -> Option<&'static str> {
    let declared = program.functions[function].ty;
    let Type::Function { result, parameters, variadic, .. } = &program.types[defined] else {
        return Some("it is no function in the library");
    };
    if let Type::Function { parameters: own, variadic: own_variadic, prototyped: true, .. } =
        &program.types[declared]
    {
        let same =
            own.len() == parameters.len() && own.iter().zip(parameters).all(|(a, b)| alike(program, *a, *b));
        if !same || own_variadic != variadic {
            return Some("its declaration has other parameters than the library's");
        }
    }
    for (body, call) in calls.get(&function).into_iter().flatten() {
        let enough = call.arguments.len() >= parameters.len()
            && (*variadic || call.arguments.len() == parameters.len());
        let passed = call.arguments.iter().map(|argument| match argument {
            Argument::Value(value) => body.exprs[*value].ty,
            Argument::Object(place) => place.ty,
        });
        if !enough || !passed.zip(parameters).all(|(a, b)| alike(program, a, *b)) {
            return Some("a call passes other arguments than the library takes");
        }
        if call.result.is_some() && !result_of(program, call).is_some_and(|own| alike(program, own, *result))
        {
            return Some("a call takes its result as another type than the library gives");
        }
    }
    None
}

fn result_of(program: &Program, call: &Call) -> Option<TypeId> {
    match &program.types[call.signature] {
        Type::Function { result, .. } => Some(*result),
        _ => None,
    }
}

/// Whether values of the two types are passed alike. All pointers are; of what lives in memory, only the same type.
fn alike(program: &Program, one: TypeId, other: TypeId) -> bool {
    let types = program.types();
    one == other || (types.class(one) == types.class(other) && types.class(one) != Class::Aggregate)
}
