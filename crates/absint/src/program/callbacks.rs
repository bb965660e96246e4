// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the program that code which is not here may call, as far as that is known before an analysis.

use std::collections::BTreeSet;

use clew_ir::syntax::{FuncId, Function, Linkage, Program};
use rustc_hash::FxHashSet;

use crate::program::object::Object;

/// What code that is not here may know of the program.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Callbacks {
    /// What has been handed over: a library may have got it.
    pub(crate) handed: Seen,
    /// What other files see by name, and libraries do not.
    pub(crate) named: Seen,
    /// Whether parts of pointers are read, so that bytes may be those of one.
    pub(crate) torn: bool,
}

/// Functions that may be called, and objects that pointers to functions may be put into.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) functions: BTreeSet<FuncId>,
    pub(crate) objects: FxHashSet<Object>,
}

impl Callbacks {
    /// What holds before anything has been analysed: whether code elsewhere knows functions by their names, but for
    /// models of the library.
    pub(crate) fn new(program: &Program, knows_names: bool, models: &FxHashSet<FuncId>) -> Callbacks {
        let mut this = Callbacks::default();
        // Whoever is not bound to what has been handed over knows the names of functions, too.
        if knows_names {
            let is_named = |id: FuncId, f: &Function| {
                f.body.is_some()
                    && f.linkage == Linkage::External
                    && &*f.name != "main"
                    && !models.contains(&id)
            };
            let functions = program.functions.iter_enumerated();
            this.named.functions = functions.filter(|(id, f)| is_named(*id, f)).map(|(id, _)| id).collect();
        }
        this
    }

    /// What a function without a body may call.
    pub(crate) fn of(&self, is_library: bool) -> BTreeSet<FuncId> {
        let named = self.named.functions.iter().filter(|_| !is_library);
        self.handed.functions.iter().chain(named).copied().collect()
    }
}
