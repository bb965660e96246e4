// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a function leads to: everything that it names, and what that names.

use std::collections::BTreeSet;

use crate::syntax::{FuncId, GlobalId, Program};
use crate::visit::Visit;

/// What is named by something that is reached: called, or its address taken.
#[derive(Clone, Default, Debug)]
pub struct Reached {
    /// The functions, with a body or without.
    pub functions: BTreeSet<FuncId>,
    /// The globals, string literals among them.
    pub globals: BTreeSet<GlobalId>,
}

/// All that the given functions and globals lead to, themselves included.
pub fn reach(
    program: &Program,
    functions: impl IntoIterator<Item = FuncId>,
    globals: impl IntoIterator<Item = GlobalId>,
) -> Reached {
    let mut mentions = Mentions::default();
    functions.into_iter().for_each(|function| mentions.function(&function));
    globals.into_iter().for_each(|global| mentions.global(&global));
    loop {
        if let Some(function) = mentions.new_functions.pop() {
            mentions.walk_function(&program.functions[function]);
        } else if let Some(global) = mentions.new_globals.pop() {
            mentions.walk_global(&program.globals[global]);
        } else {
            return mentions.reached;
        }
    }
}

/// Collects what is named, each once.
#[derive(Default)]
struct Mentions {
    reached: Reached,
    new_functions: Vec<FuncId>,
    new_globals: Vec<GlobalId>,
}

impl Visit for Mentions {
    fn function(&mut self, function: &FuncId) {
        if self.reached.functions.insert(*function) {
            self.new_functions.push(*function);
        }
    }

    fn global(&mut self, global: &GlobalId) {
        if self.reached.globals.insert(*global) {
            self.new_globals.push(*global);
        }
    }
}
