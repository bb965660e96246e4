// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checks, one file each: what it is, why it is bad, its CWE, what happens after, and which operations carry it.
//!
//! A file declares its `CHECK` and, for each kind of [`Operation`] it cares about, a function that says which
//! condition the operation carries. [`demand`] calls those in the order in which conditions are evaluated. Checks
//! that only library functions carry (`overlap`, `string-not-terminated`) declare no function: their conditions
//! stand in the models of the library.

mod check;
pub mod operation;
mod set;

mod assertion;
mod bad_argument;
mod bad_array_length;
mod bad_call;
mod division_by_zero;
mod double_free;
mod error_call;
mod float_division_by_zero;
mod float_invalid;
mod float_overflow;
mod float_to_int;
mod float_underflow;
mod invalid_bool;
mod invalid_deref;
mod invalid_free;
mod lossy_conversion;
mod memory_leak;
mod misaligned_access;
mod missing_return;
mod nan_compare;
mod null_call;
mod null_deref;
mod order_dependent;
mod out_of_bounds;
mod overlap;
mod pointer_compare;
mod shift_out_of_range;
mod signed_overflow;
mod stack_exhausted;
mod string_not_terminated;
mod uninitialised_read;
mod unreachable_reached;
mod unsequenced;
mod unsigned_wrap;
mod use_after_free;
mod write_to_const;

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{BinaryOp, ExprId, Semantics};

pub use check::{After, Check, Group, Page, Property};
pub use memory_leak::is_formatted_input;
pub use set::{CheckSet, UnknownCheck};

use operation::{Access, Operation, Scalar};

/// Takes the obligations of an operation, in order.
pub type Sink<'s> = &'s mut dyn FnMut(CheckKind, Condition);

/// The checks, in the order of [`CheckKind::ALL`].
pub static ALL: [Check; CheckKind::ALL.len()] = [
    null_deref::CHECK,
    invalid_deref::CHECK,
    out_of_bounds::CHECK,
    use_after_free::CHECK,
    invalid_free::CHECK,
    double_free::CHECK,
    memory_leak::CHECK,
    write_to_const::CHECK,
    uninitialised_read::CHECK,
    misaligned_access::CHECK,
    string_not_terminated::CHECK,
    bad_argument::CHECK,
    overlap::CHECK,
    pointer_compare::CHECK,
    signed_overflow::CHECK,
    unsigned_wrap::CHECK,
    division_by_zero::CHECK,
    shift_out_of_range::CHECK,
    lossy_conversion::CHECK,
    float_overflow::CHECK,
    float_underflow::CHECK,
    float_division_by_zero::CHECK,
    float_invalid::CHECK,
    nan_compare::CHECK,
    float_to_int::CHECK,
    assertion::CHECK,
    error_call::CHECK,
    missing_return::CHECK,
    unreachable_reached::CHECK,
    unsequenced::CHECK,
    order_dependent::CHECK,
    null_call::CHECK,
    bad_call::CHECK,
    bad_array_length::CHECK,
    invalid_bool::CHECK,
    stack_exhausted::CHECK,
];

/// What a check declares.
pub fn check(kind: CheckKind) -> &'static Check {
    &ALL[kind as usize]
}

/// What happens to a run that violates the check, in a program with these flags.
pub fn after(kind: CheckKind, semantics: Semantics) -> After {
    match kind {
        CheckKind::SignedOverflow if semantics.wrapv => After::Continue,
        _ => check(kind).after,
    }
}

/// Whether the machine has a value where the check is violated, so that a run can go on with it.
pub fn leaves_a_value(kind: CheckKind) -> bool {
    matches!(kind, CheckKind::SignedOverflow | CheckKind::ShiftOutOfRange | CheckKind::FloatToInt)
}

/// Which checks end the runs that violate them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stops {
    /// Runs go on after these, with the machine's value, though others stop there.
    pub goes_on_after: CheckSet,
}

impl Stops {
    /// A check that nobody selected ends no run where the machine has a value: what comes behind it still happens.
    pub fn of_selection(selected: CheckSet) -> Stops {
        let is_passed = |kind: &CheckKind| leaves_a_value(*kind) && !selected.contains(*kind);
        Stops { goes_on_after: CheckKind::ALL.iter().copied().filter(is_passed).collect() }
    }

    /// Whether a violation of the check ends the run, in a program with these flags.
    pub fn at(self, kind: CheckKind, semantics: Semantics) -> bool {
        after(kind, semantics) == After::Stop && !self.goes_on_after.contains(kind)
    }
}

/// Says which obligations an operation carries, in the order they are evaluated.
pub fn demand(operation: &Operation<'_>, out: Sink<'_>) {
    match *operation {
        Operation::Access(ref access) => demand_access(access, out),
        Operation::ReadLocal(local) => uninitialised_read::local(local, out),
        Operation::Index { in_range } => out_of_bounds::index(in_range, out),
        Operation::Arithmetic { expr, op, scalar } => demand_arithmetic(expr, op, scalar, out),
        Operation::Compare { expr, op, scalar, operands } => match scalar {
            Scalar::Float(_) => nan_compare::compare(expr, op, out),
            Scalar::Pointer => pointer_compare::compare(op, operands, out),
            Scalar::Bool | Scalar::Int { .. } => {}
        },
        Operation::Convert { expr, from, to, explicit } => {
            float_to_int::convert(expr, from, to, out);
            float_overflow::convert(expr, from, to, out);
            float_underflow::convert(expr, from, to, out);
            lossy_conversion::convert(expr, from, to, explicit, out);
        }
        Operation::PointerDifference(left, right) => pointer_compare::difference(left, right, out),
        Operation::CallPointer(pointer) => {
            null_call::call(pointer, out);
            bad_call::call(pointer, out);
        }
        Operation::CallNamed { function: _, name, arguments, unchecked } => {
            if let Some(address) = unchecked {
                bad_call::call(address, out);
            }
            demand_library_call(name, arguments, out);
        }
        Operation::CountZero(not_zero) => bad_argument::count_zero(not_zero, out),
        Operation::ReadBool(at_most_one) => invalid_bool::read(at_most_one, out),
        Operation::UnnamedArgument(list, ty) => bad_argument::unnamed(list, ty, out),
        Operation::BadFormat => bad_argument::format(out),
        Operation::PromisedPointer(pointer) => bad_argument::promised(pointer, out),
        Operation::PromisedBytes(pointer, bytes) => out_of_bounds::promised(pointer, bytes, out),
        Operation::ArrayLength(positive) => bad_array_length::length(positive, out),
        Operation::StackObject(bytes) => stack_exhausted::object(bytes, out),
        Operation::EndWithoutValue => missing_return::end(out),
        Operation::Unreachable => unreachable_reached::reached(out),
        Operation::UnsequencedLocal => unsequenced::local(out),
        Operation::UnsequencedMemory(one, other) => unsequenced::memory(one, other, out),
        Operation::AssignRecord { to, from, bytes } => overlap::assign(to, from, bytes, out),
        Operation::UnorderedCalls => order_dependent::calls(out),
    }
}

/// The fixed order at one access: null, invalid, freed, bounds, const, alignment, initialised.
fn demand_access(access: &Access<'_>, out: Sink<'_>) {
    null_deref::access(access, out);
    invalid_deref::access(access, out);
    use_after_free::access(access, out);
    out_of_bounds::access(access, out);
    write_to_const::access(access, out);
    misaligned_access::access(access, out);
    uninitialised_read::access(access, out);
}

fn demand_arithmetic(expr: ExprId, op: Option<BinaryOp>, scalar: Scalar, out: Sink<'_>) {
    match (scalar, op) {
        (Scalar::Int { signed, .. }, op) => {
            division_by_zero::arithmetic(expr, op, out);
            match signed {
                true => signed_overflow::arithmetic(expr, op, out),
                false => unsigned_wrap::arithmetic(expr, op, out),
            }
            shift_out_of_range::arithmetic(expr, op, out);
        }
        (Scalar::Float(_), Some(op)) => {
            float_division_by_zero::arithmetic(expr, op, out);
            float_invalid::arithmetic(expr, out);
            float_overflow::arithmetic(expr, out);
            float_underflow::arithmetic(expr, out);
        }
        // The negation of a float flips a bit; pointers and truth values have no arithmetic of their own.
        (Scalar::Float(_), None) | (Scalar::Pointer | Scalar::Bool, _) => {}
    }
}

/// The library functions that checks know by name.
fn demand_library_call(name: &str, arguments: &[Option<ExprId>], out: Sink<'_>) {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    if let ("free" | "cfree" | "realloc" | "reallocarray", Some(Some(pointer))) = (name, arguments.first()) {
        double_free::release(*pointer, out);
        invalid_free::release(*pointer, out);
    }
    assertion::call(name, arguments, out);
    error_call::call(name, out);
    memory_leak::call(name, out);
}

#[cfg(test)]
mod tests;
