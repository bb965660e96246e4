// SPDX-License-Identifier: MIT OR Apache-2.0
//! `invalid-deref`: a pointer that points to no object is dereferenced.

use clew_ir::obligation::{CheckKind, Condition};

use crate::operation::Access;
use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::InvalidDeref,
    after: After::Stop,
    on_by_default: true,
    cwe: 822,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "a pointer that points to no object is dereferenced",
    page: Page {
        what: "The program reads or writes through an address that was not derived from any object: a made- \
               up integer, an uninitialised pointer, or a pointer that was damaged on the way.",
        why: "Nothing is known about what such an address holds. The access may crash, or silently read or \
               change something else.",
        bad: include_str!("../../../tests/c/checks/invalid-deref.c"),
        fixed: include_str!("../../../tests/c/checks/invalid-deref_ok.c"),
        advice: "Derive pointers from objects. If the address is that of a device, tell the analysis what \
               lives there instead of hiding the access.",
        how: "Pointers carry the object they were derived from (their provenance) through copies, \
               arithmetic and casts to integers and back. An access needs a pointer that has one.",
    },
};

/// An access through a pointer needs one that was derived from an object.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    if let Some(pointer) = access.pointer {
        out(CheckKind::InvalidDeref, Condition::Valid(pointer));
    }
}
