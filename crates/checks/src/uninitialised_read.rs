// SPDX-License-Identifier: MIT OR Apache-2.0
//! `uninitialised-read`: a value is used that was never written.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::LocalId;

use crate::operation::{Access, AccessMode};
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::UninitialisedRead,
    after: After::Continue,
    on_by_default: true,
    cwe: 457,
    group: Group::Memory,
    properties: &[],
    title: "a value is used that was never written",
    page: Page {
        what: "The program uses the value of a variable or of heap memory before anything was stored there.",
        why: "The value is whatever was left in that place. The program then behaves differently from run \
               to run and from compiler to compiler, and may disclose old data.",
        bad: include_str!("../../../tests/c/checks/uninitialised-read.c"),
        fixed: include_str!("../../../tests/c/checks/uninitialised-read_ok.c"),
        advice: "Give the variable a value where it is declared, or make every path to the use assign it. \
               calloc clears memory, malloc does not.",
        how: "Every bit of memory knows whether it was written, and copies keep that. The condition stands \
               where a scalar is used as a value; copying a structure or a character on is no use. The run \
               goes on with some value.",
    },
};

/// Memory that is read as a value has been written. Static objects start at zero.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    let always_written = access.pointer.is_none() && access.is_static;
    if access.mode == AccessMode::Read && access.reads_value && !always_written {
        let place = Box::new(access.place.clone());
        out(CheckKind::UninitialisedRead, Condition::Initialised(place, access.bits));
    }
}

/// A register local that is read has been assigned.
pub(crate) fn local(local: LocalId, out: Sink<'_>) {
    out(CheckKind::UninitialisedRead, Condition::InitialisedLocal(local));
}
