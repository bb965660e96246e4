// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions without a body that stand for inputs by their names, so that all engines speak of the same.

use crate::syntax::{Function, Program, Type, TypeId};
use crate::types::Class;

/// Whether a name is one that verification benchmarks give to inputs.
pub fn is_input_name(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")
}

/// Whether a call of a function without a body does nothing but draw its value, given the types of its arguments. One
/// that gets a pointer may write there (`__VERIFIER_nondet_memory`), whatever its name, and a record that it returns has
/// more values than one.
pub fn is_nondet_call(
    program: &Program,
    function: &Function,
    passed: impl IntoIterator<Item = TypeId>,
) -> bool {
    let types = program.types();
    let is_number = |ty: TypeId| matches!(types.class(ty), Class::Int(_) | Class::Float(_));
    let Type::Function { result, .. } = types.get(function.ty) else { return false };
    is_input_name(&function.name)
        && !matches!(types.class(*result), Class::Aggregate | Class::Function)
        && passed.into_iter().all(is_number)
}
