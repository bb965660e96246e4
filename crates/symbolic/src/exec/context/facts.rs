// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an execution knows of the program before it begins, worked out when somebody asks.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::analysis::alias::Aliases;
use clew_ir::analysis::order::{Component, weak_topological_order};
use clew_ir::obligation::Condition;
use clew_ir::syntax::{Body, FuncId, GlobalId, LocalId, Program};
use clew_ir::volatile_inputs::volatile_inputs;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exec::request::Options;

/// A program and what is asked about it. Nothing here changes.
pub(crate) struct ProgramFacts<'p> {
    pub program: &'p Program,
    pub options: &'p Options<'p>,
    /// What each name stands for.
    pub aliases: Aliases,
    volatile_inputs: OnceCell<BTreeSet<GlobalId>>,
    orders: RefCell<FxHashMap<FuncId, Rc<Vec<Component>>>>,
    asked: RefCell<FxHashMap<FuncId, Rc<FxHashSet<usize>>>>,
}

impl<'p> ProgramFacts<'p> {
    /// Of a program.
    pub fn new(program: &'p Program, options: &'p Options<'p>) -> ProgramFacts<'p> {
        ProgramFacts {
            program,
            options,
            aliases: Aliases::of(program),
            volatile_inputs: OnceCell::new(),
            orders: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// The body of a function.
    pub fn body(&self, function: FuncId) -> Option<&'p Body> {
        self.program.functions[function].body.as_ref()
    }

    /// The order of a function's blocks.
    pub fn order(&self, function: FuncId, body: &Body) -> Rc<Vec<Component>> {
        let mut orders = self.orders.borrow_mut();
        orders.entry(function).or_insert_with(|| Rc::new(weak_topological_order(body))).clone()
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> u32 {
        u32::from(self.program.target.pointer_bytes) * 8
    }

    /// Whether every read of a variable is an input.
    pub fn is_volatile_input(&self, global: GlobalId) -> bool {
        self.volatile_inputs.get_or_init(|| volatile_inputs(self.program)).contains(&global)
    }

    /// Whether some obligation is that a register was written: of others the interpreter knows that they are.
    pub fn is_asked_about(&self, function: FuncId, body: &Body, local: LocalId) -> bool {
        let mut asked = self.asked.borrow_mut();
        let asked = asked.entry(function).or_insert_with(|| {
            let conditions = body.obligations.iter().map(|obligation| &obligation.condition);
            let locals = conditions.filter_map(|condition| match condition {
                Condition::InitialisedLocal(local) => Some(local.index()),
                _ => None,
            });
            Rc::new(locals.collect())
        });
        asked.contains(&local.index())
    }

    /// `function.local`.
    pub fn local_name(&self, function: FuncId, body: &Body, local: LocalId) -> String {
        let function = &self.program.functions[function].source_name;
        format!("{function}.{}", body.locals[local].name.as_deref().unwrap_or(""))
    }
}
