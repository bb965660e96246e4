// SPDX-License-Identifier: MIT OR Apache-2.0
//! `use-after-free`: an object is used after its life has ended.

use clew_ir::obligation::{CheckKind, Condition};

use crate::operation::Access;
use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::UseAfterFree,
    after: After::Stop,
    on_by_default: true,
    cwe: 416,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "an object is used after its life has ended",
    page: Page {
        what: "The program reads or writes an object that was freed, or a local variable of a block or \
               function that has ended.",
        why: "The storage may already belong to something else. Reads give stale or foreign data, writes \
               damage it, and attackers know how to choose what lies there.",
        bad: include_str!("../../../tests/c/checks/use-after-free.c"),
        fixed: include_str!("../../../tests/c/checks/use-after-free_ok.c"),
        advice: "Do not keep pointers to what was freed: copy what is needed first, or set the pointer to \
               null when its object goes. Never return the address of a local variable.",
        how: "Every access through a pointer carries the condition that the object it was derived from is \
               still alive. The report says where the object was made and where it ended.",
    },
};

/// An access through a pointer needs an object that is alive.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    if let Some(pointer) = access.pointer {
        out(CheckKind::UseAfterFree, Condition::Live(pointer));
    }
}
