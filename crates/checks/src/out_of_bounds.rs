// SPDX-License-Identifier: MIT OR Apache-2.0
//! `out-of-bounds`: an access reaches outside its object.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::operation::Access;
use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::OutOfBounds,
    after: After::Stop,
    on_by_default: true,
    cwe: 119,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "an access reaches outside its object",
    page: Page {
        what: "The program reads or writes bytes before the start or past the end of an array or object.",
        why: "Whatever happens to lie next to the object is read or overwritten. Most exploited faults of \
               C programs are of this kind.",
        bad: include_str!("../../../tests/c/checks/out-of-bounds.c"),
        fixed: include_str!("../../../tests/c/checks/out-of-bounds_ok.c"),
        advice: "Compare the index with the length before the access. Look first for `<=` where `<` was \
               meant, for a missing `+ 1` for a string's terminator, and for a length that belongs to \
               another buffer.",
        how: "An index into a declared array is compared with that array's length; arrays at the end of a \
               structure that serve as flexible ones are excepted. An access through a pointer must lie \
               inside the whole object that the pointer was derived from. The report says which of the two \
               failed.",
    },
};

/// An access lies inside its object, unless its type says that it does anyway.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    if access.pointer.is_some() || !access.surely_inside {
        out(CheckKind::OutOfBounds, Condition::InBounds(Box::new(access.place.clone())));
    }
}

/// An index lies inside the declared array.
pub(crate) fn index(in_range: ExprId, out: Sink<'_>) {
    out(CheckKind::OutOfBounds, Condition::Holds(in_range));
}

/// What goes to a parameter `[static n]` has its elements.
pub(crate) fn promised(pointer: ExprId, bytes: ExprId, out: Sink<'_>) {
    out(CheckKind::OutOfBounds, Condition::ReadableRange(pointer, bytes));
}
