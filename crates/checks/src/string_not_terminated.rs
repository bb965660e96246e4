// SPDX-License-Identifier: MIT OR Apache-2.0
//! `string-not-terminated`: a string has no terminator inside its object.

use clew_ir::obligation::CheckKind;

use crate::{After, Check, Group, Page, Property};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::StringNotTerminated,
    after: After::Stop,
    on_by_default: true,
    cwe: 170,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "a string has no terminator inside its object",
    page: Page {
        what: "A function that expects a string gets a pointer to characters without a NUL before the end \
               of the object.",
        why: "The function goes on reading past the object until it meets a zero byte somewhere: a read \
               out of bounds, often followed by a write.",
        bad: include_str!("../../../tests/c/checks/string-not-terminated.c"),
        fixed: include_str!("../../../tests/c/checks/string-not-terminated_ok.c"),
        advice: "Leave room for the terminator, and write it. strncpy does not write one when the source is \
               too long; snprintf always does.",
        how: "Calls of string functions carry the condition that a NUL stands at or after the pointer and \
               inside the whole object that the pointer was derived from, as out-of-bounds has it: of a member \
               array without a terminator, the bytes of the next member count. The condition comes from the \
               models of the library functions.",
    },
};
