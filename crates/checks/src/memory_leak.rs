// SPDX-License-Identifier: MIT OR Apache-2.0
//! `memory-leak`: a heap object is lost without being freed.

use clew_ir::obligation::{CheckKind, Condition};

use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::MemoryLeak,
    after: After::Continue,
    on_by_default: true,
    cwe: 401,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety, Property::ValidMemcleanup],
    title: "a heap object is lost without being freed",
    page: Page {
        what: "The last pointer to a heap object is overwritten or goes out of scope, and the object was \
               not freed.",
        why: "The memory can never be given back. A program that runs long enough runs out of it.",
        bad: include_str!("../../../tests/c/checks/memory-leak.c"),
        fixed: include_str!("../../../tests/c/checks/memory-leak_ok.c"),
        advice: "Free the object on every path, the error paths too, or hand it to somebody who does.",
        how: "The condition is attached to the allocation. An object is lost when nothing that the program \
               can still reach points to it: when the last pointer dies, at a normal exit, or when an \
               analysed entry returns. What is still reachable at the end of the program is no leak.",
    },
};

/// What a call allocates is not lost.
pub(crate) fn call(name: &str, out: Sink<'_>) {
    if allocates(name) || is_formatted_input(name) {
        out(CheckKind::MemoryLeak, Condition::NotLeaked);
    }
}

/// Whether it is `scanf` or one of its kin, under any of the names that glibc's headers call them by. What their `%ms` and
/// `%m[` store is for the caller to release.
pub fn is_formatted_input(name: &str) -> bool {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    matches!(plain, "scanf" | "fscanf" | "sscanf" | "vscanf" | "vfscanf" | "vsscanf")
}

/// The library functions whose result, or an object they store, is for the caller to release.
fn allocates(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "reallocarray"
            | "aligned_alloc"
            | "memalign"
            | "posix_memalign"
            | "valloc"
            | "strdup"
            | "strndup"
            | "wcsdup"
            | "asprintf"
            | "vasprintf"
            | "getline"
            | "getdelim"
            | "realpath"
            | "fopen"
            | "fdopen"
            | "fmemopen"
            | "open_memstream"
            | "tmpfile"
            | "popen"
            | "opendir"
    )
}
