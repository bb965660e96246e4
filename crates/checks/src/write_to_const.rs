// SPDX-License-Identifier: MIT OR Apache-2.0
//! `write-to-const`: a constant object or string literal is written.

use clew_ir::obligation::{CheckKind, Condition};

use crate::operation::{Access, AccessMode};
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::WriteToConst,
    after: After::Stop,
    on_by_default: true,
    cwe: 471,
    group: Group::Memory,
    properties: &[],
    title: "a constant object or string literal is written",
    page: Page {
        what: "The program writes to an object that was defined const, or to a string literal.",
        why: "Such objects usually lie in read-only memory, where a write kills the program. A compiler \
               may also have used the old value already.",
        bad: include_str!("../../../tests/c/checks/write-to-const.c"),
        fixed: include_str!("../../../tests/c/checks/write-to-const_ok.c"),
        advice: "Copy the text into an array (`char text[] = \"...\"`) if it must change. Do not cast const \
               away to write.",
        how: "A write through a pointer carries the condition that its object is not const and not a \
               string literal; a write to a named const object is wrong wherever it can be reached.",
    },
};

/// What is written may be written.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    if access.mode != AccessMode::Write {
        return;
    }
    match access.pointer {
        Some(_) => out(CheckKind::WriteToConst, Condition::Writable(Box::new(access.place.clone()))),
        None if access.is_const => out(CheckKind::WriteToConst, Condition::Never),
        None => {}
    }
}
