// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bad-argument`: a function gets an argument that its contract excludes.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{ExprId, TypeId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::BadArgument,
    after: After::Stop,
    on_by_default: true,
    cwe: 687,
    group: Group::Memory,
    properties: &[],
    title: "a function gets an argument that its contract excludes",
    page: Page {
        what: "A library or built-in function is called with a value for which it is not defined, such as \
               `__builtin_clz(0)` or `isalpha(1000)`; or a null pointer goes where a declaration of the \
               program says `nonnull`, `returns_nonnull` or `[static n]`.",
        why: "The standard leaves the result undefined, and implementations index tables with such values \
               or use instructions that have no result for them.",
        bad: include_str!("../../../tests/c/checks/bad-argument.c"),
        fixed: include_str!("../../../tests/c/checks/bad-argument_ok.c"),
        advice: "Test the argument before the call. Convert characters to unsigned char before handing them \
               to the functions of ctype.h.",
        how: "Each library model and each built-in that is not defined everywhere states the values it \
               accepts; the call carries that condition. Where `isalpha` and its like are macros of the \
               header, as in glibc, the program accesses the library's table, which has entries from -128 to \
               255: that access is what is judged. Places that scanf writes are judged by the bytes that they \
               have, not by their types.",
    },
};

/// The operand of a bit count is not zero.
pub(crate) fn count_zero(not_zero: ExprId, out: Sink<'_>) {
    out(CheckKind::BadArgument, Condition::Holds(not_zero));
}

/// An unnamed argument is asked for that is there, by its type.
pub(crate) fn unnamed(list: ExprId, ty: TypeId, out: Sink<'_>) {
    out(CheckKind::BadArgument, Condition::Unnamed(list, ty));
}

/// A pointer that a declaration promises not to be null is not.
pub(crate) fn promised(pointer: ExprId, out: Sink<'_>) {
    out(CheckKind::BadArgument, Condition::NotNull(pointer));
}

/// The arguments fit the format.
pub(crate) fn format(out: Sink<'_>) {
    out(CheckKind::BadArgument, Condition::Never);
}
