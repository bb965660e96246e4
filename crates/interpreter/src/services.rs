// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the machine does for natives and slow paths: judging pointers in words, and objects of its own.

use clew_ir::obligation::CheckKind;

use crate::machine::Machine;
use crate::memory::{Fault, Kind, Name, NewObject, TraceId};
use crate::value::Pointer;

impl Machine<'_> {
    /// The check that a fault violates, and what happened in words.
    pub(crate) fn explain(
        &self,
        fault: Fault,
        pointer: Pointer,
        bytes: u64,
        writes: bool,
    ) -> (CheckKind, String) {
        let verb = if writes { "writes" } else { "reads" };
        let object = || self.describe(pointer.prov);
        match fault {
            Fault::Null => (CheckKind::NullDeref, "the pointer is null".into()),
            Fault::Invalid => {
                let addr = pointer.addr;
                (CheckKind::InvalidDeref, format!("the pointer {addr:#x} was derived from no object"))
            }
            Fault::Dead => (CheckKind::UseAfterFree, self.explain_dead(pointer)),
            Fault::OutOfBounds => (CheckKind::OutOfBounds, self.explain_bounds(pointer, bytes, writes)),
            Fault::ReadOnly => {
                let literal =
                    self.memory.object(pointer.prov).is_some_and(|object| object.kind == Kind::Literal);
                let why = if literal { "" } else { ", which is const" };
                (CheckKind::WriteToConst, format!("writes to {}{why}", object()))
            }
            Fault::Uninitialised => {
                let message = format!("{verb} bytes of {} that were never written", object());
                (CheckKind::UninitialisedRead, message)
            }
        }
    }

    fn explain_dead(&self, pointer: Pointer) -> String {
        match self.memory.object(pointer.prov) {
            None => "the object that the pointer was derived from is gone".into(),
            Some(object) => {
                let name = self.describe(pointer.prov);
                let offset = pointer.addr.wrapping_sub(object.base) as i64;
                let why = if object.kind == Kind::Heap { "was freed" } else { "no longer exists" };
                format!("offset {offset} of {name} ({}), which {why}", plural(object.size, "byte"))
            }
        }
    }

    fn explain_bounds(&self, pointer: Pointer, bytes: u64, writes: bool) -> String {
        let verb = if writes { "writes" } else { "reads" };
        let Some(object) = self.memory.live(pointer.prov) else { return "outside its object".into() };
        let offset = pointer.addr.wrapping_sub(object.base) as i64;
        let name = self.describe(pointer.prov);
        if matches!(object.kind, Kind::Function(_)) {
            return format!("{verb} the function {name} as data");
        }
        let size = plural(object.size, "byte");
        format!("{verb} {} at offset {offset} of {name} ({size})", plural(bytes, "byte"))
    }

    /// What is wrong with freeing a pointer, if anything. Null is not this function's business.
    pub(crate) fn judge_free(&self, pointer: Pointer) -> Option<(CheckKind, String)> {
        let name = || self.describe(pointer.prov);
        if pointer.prov.is_none() {
            let message = format!("the pointer {:#x} was derived from no object", pointer.addr);
            return Some((CheckKind::InvalidFree, message));
        }
        let Some(object) = self.memory.live(pointer.prov) else {
            let heap = self.memory.object(pointer.prov).is_none_or(|object| object.kind == Kind::Heap);
            let check = if heap { CheckKind::DoubleFree } else { CheckKind::InvalidFree };
            let why = if heap { "was freed already" } else { "was no heap object and no longer exists" };
            return Some((check, format!("{} {why}", name())));
        };
        if object.kind != Kind::Heap {
            return Some((CheckKind::InvalidFree, format!("{} is no heap object", name())));
        }
        if object.base != pointer.addr {
            let offset = pointer.addr.wrapping_sub(object.base) as i64;
            let message = format!("the pointer is not the start of {} but offset {offset}", name());
            return Some((CheckKind::InvalidFree, message));
        }
        None
    }

    /// A heap object as from `malloc`, or `calloc` if it counts as written. Null when memory is exhausted.
    pub(crate) fn heap_object(&mut self, size: u64, align: u64, zeroed: bool) -> Pointer {
        let new = NewObject {
            size,
            align,
            kind: Kind::Heap,
            name: Name::Unnamed("a heap object"),
            initialised: zeroed,
            writable: true,
            born: self.trace(),
        };
        let Some(pointer) = self.memory.alloc(new) else { return Pointer::NULL };
        self.note_birth(pointer.prov);
        pointer
    }

    /// An object of the library's own. Null when memory is exhausted.
    pub(crate) fn alloc_library(&mut self, size: u64, name: &'static str) -> Pointer {
        let new = NewObject {
            size,
            align: 16,
            kind: Kind::Library,
            name: Name::Unnamed(name),
            initialised: true,
            writable: true,
            born: TraceId(0),
        };
        self.memory.alloc(new).unwrap_or(Pointer::NULL)
    }

    /// Where `errno` is.
    pub(crate) fn errno_location(&mut self) -> Pointer {
        if self.errno.is_null() {
            self.errno = self.alloc_library(4, "errno");
        }
        self.errno
    }
}

/// `1 byte`, `2 bytes`.
pub(crate) fn plural(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
