// SPDX-License-Identifier: MIT OR Apache-2.0
//! `misaligned-access`: an access at an address that its type's alignment does not allow.

use clew_ir::obligation::{CheckKind, Condition};

use crate::operation::Access;
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::MisalignedAccess,
    after: After::Continue,
    on_by_default: true,
    cwe: 758,
    group: Group::Memory,
    properties: &[],
    title: "an access at an address that its type's alignment does not allow",
    page: Page {
        what: "The program reads or writes, say, an int at an address that is not a multiple of four.",
        why: "It is undefined behaviour. Some machines trap; others are slow, or tear the access in two; \
               and compilers use the alignment when they vectorise.",
        bad: include_str!("../../../tests/c/checks/misaligned-access.c"),
        fixed: include_str!("../../../tests/c/checks/misaligned-access_ok.c"),
        advice: "Use memcpy to read or write values at arbitrary byte positions; compilers turn it into one \
               instruction.",
        how: "An access carries the condition that its address is a multiple of its type's alignment, \
               unless the object's own alignment already says so; `p->member` asks it of the whole structure. Members of packed structures that are \
               accessed by name are fine.",
    },
};

/// The address is a multiple of the alignment, where that is not known already.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    if let Some((record, align)) = access.within {
        out(CheckKind::MisalignedAccess, Condition::Aligned(Box::new(record.clone()), align));
    } else if access.align > access.known_align.max(1) {
        let place = Box::new(access.place.clone());
        out(CheckKind::MisalignedAccess, Condition::Aligned(place, access.align));
    }
}
