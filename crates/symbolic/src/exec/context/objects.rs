// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an execution knows of objects that does not change with its states.

use std::rc::Rc;

use clew_ir::syntax::TypeId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exec::state::contents::{Contents, Fill};
use crate::exec::state::value::{Base, ObjectId, Pointer};
use crate::term::TermId;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Static,
    Literal,
    Stack,
    Heap,
    /// The library's own; `shared`: it may be one with another.
    Library {
        shared: bool,
    },
}

/// What never changes of an object.
#[derive(Clone, Debug)]
pub(crate) struct Meta {
    pub kind: Kind,
    /// Its size, at the width of an address.
    pub size: TermId,
    pub align: u32,
    pub writable: bool,
    /// The type it was declared with, if that has const members.
    pub partly_const: Option<TypeId>,
    /// One bit: whether its contents are all there is. Runs in which they are not are cut when they read it.
    pub whole: Option<TermId>,
}

/// All objects of an execution.
pub(crate) struct Objects {
    /// What never changes of each.
    pub metas: Vec<Meta>,
    /// The object of each global.
    pub globals: Vec<ObjectId>,
    /// Where they and functions lie, if somebody asked: numbers that nobody knows.
    pub addresses: FxHashMap<Base, TermId>,
    /// Numbers that were made from pointers.
    pub exposed: FxHashMap<TermId, Rc<Pointer>>,
    /// Objects that no pointer leads to, as far as it matters.
    pub private: FxHashSet<ObjectId>,
    /// What dead objects hold.
    pub nothing: Rc<Contents>,
}

impl Objects {
    /// No objects.
    pub fn new() -> Objects {
        Objects {
            metas: Vec::new(),
            globals: Vec::new(),
            addresses: FxHashMap::default(),
            exposed: FxHashMap::default(),
            private: FxHashSet::default(),
            nothing: Rc::new(Contents::new(Fill::Unwritten)),
        }
    }

    /// What never changes of an object.
    pub fn meta(&self, object: ObjectId) -> &Meta {
        &self.metas[object.0 as usize]
    }
}
