// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variables that a unit declares larger than they are: `extern int a[10];` where another file has `int a[4];`.
//!
//! A linker takes no notice, and C leaves undefined what happens (C11 6.2.7). Every bound in such a unit comes from its
//! own declaration, so nothing in it says where the variable ends: a function that uses one is not supported.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::symbols::Plan;
use crate::syntax::*;
use crate::visit::Visit;

/// Marks the functions that use such a variable.
pub(super) fn mark(units: &mut [Program], plan: &Plan) {
    for number in 0..units.len() {
        let larger: FxHashMap<GlobalId, u64> = units[number]
            .globals
            .iter_enumerated()
            .filter_map(|(id, global)| {
                let size = plan.defined_size(units, number, id)?;
                (global.size > size).then_some((id, size))
            })
            .collect();
        if larger.is_empty() {
            continue;
        }
        let unit = &mut units[number];
        for function in unit.functions.iter_mut() {
            let mut user = User { larger: &larger, used: None };
            user.walk_function(function);
            let (Some(global), Some(body)) = (user.used, function.body.as_mut()) else { continue };
            let declared = &unit.globals[global];
            let what = format!(
                "`{}` is declared with {} bytes here and has {} where it is defined",
                declared.source_name, declared.size, larger[&global]
            );
            let kind = StatementKind::Unsupported { what: Arc::from(what) };
            if let Some(entry) = body.blocks.iter_mut().next() {
                entry.statements.insert(0, Statement { kind, span: declared.span });
            }
        }
    }
}

/// The first of some variables that a function uses.
struct User<'a> {
    larger: &'a FxHashMap<GlobalId, u64>,
    used: Option<GlobalId>,
}

impl Visit for User<'_> {
    fn global(&mut self, global: &GlobalId) {
        if self.used.is_none() && self.larger.contains_key(global) {
            self.used = Some(*global);
        }
    }
}
