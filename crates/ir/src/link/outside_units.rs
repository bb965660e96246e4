// SPDX-License-Identifier: MIT OR Apache-2.0
//! What units outside of a program may do to it: call functions and write objects under another name, put their own
//! definition in the place of a weak one, and define a function otherwise than it is defined `inline` here.

use std::sync::Arc;

use clew_base::index::IndexVec;
use clew_base::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::*;
use crate::visit::VisitMut;

/// What has an external alias is seen from elsewhere, whatever its own linkage.
pub(super) fn expose_aliased(program: &mut Program) {
    let functions = program.functions.iter().map(|f| (f.linkage, &f.alias));
    let globals = program.globals.iter().map(|g| (g.linkage, &g.alias));
    let seen: FxHashSet<Arc<str>> = functions
        .chain(globals)
        .filter(|(linkage, _)| *linkage != Linkage::Internal)
        .filter_map(|(_, alias)| alias.clone())
        .collect();
    if seen.is_empty() {
        return;
    }
    let mut more = false;
    let functions = program.functions.iter_mut().map(|f| (&f.name, &mut f.linkage, f.alias.is_some()));
    let globals = program.globals.iter_mut().map(|g| (&g.name, &mut g.linkage, g.alias.is_some()));
    for (name, linkage, is_alias) in functions.chain(globals) {
        if *linkage == Linkage::Internal && seen.contains(name) {
            *linkage = Linkage::External;
            more |= is_alias;
        }
    }
    // An alias of an alias.
    if more {
        expose_aliased(program);
    }
}

/// Weak definitions give way to others. In files without a `main` others may come: calls are ones of a function that is
/// defined elsewhere, and constants have any value. The definitions stay, as functions that others may call.
pub fn open_weak_definitions(program: &mut Program) {
    let is_main = |function: &Function| &*function.name == "main" && function.body.is_some();
    if program.functions.iter().any(is_main) {
        return;
    }
    for global in program.globals.iter_mut().filter(|g| g.linkage == Linkage::Weak && g.is_const) {
        global.init = None;
    }
    let mut elsewhere: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in program.functions.indices() {
        let function = &mut program.functions[id];
        if function.linkage != Linkage::Weak || function.attributes.inline {
            continue;
        }
        function.alias = None;
        if function.body.is_none() {
            continue;
        }
        let mut other = function.clone();
        other.body = None;
        other.name = format!("{}@elsewhere", function.name).into();
        other.contract = Contract::default();
        elsewhere.insert(id, program.functions.push(other));
    }
    if elsewhere.is_empty() {
        return;
    }
    let mut redirect = Redirect { elsewhere };
    program.functions.iter_mut().for_each(|function| redirect.walk_function(function));
    program.globals.iter_mut().for_each(|global| redirect.walk_global(global));
}

struct Redirect {
    elsewhere: FxHashMap<FuncId, FuncId>,
}

impl VisitMut for Redirect {
    fn function(&mut self, function: &mut FuncId) {
        if let Some(other) = self.elsewhere.get(function) {
            *function = *other;
        }
    }
}

/// Two definitions of one function, of which one is `inline`: which of them a call takes is open (6.7.4p7). Where they
/// are not the same, nothing is known of calls.
pub(super) fn compare_definitions(
    winner: &mut Function,
    other: &Function,
    globals: &IndexVec<GlobalId, Global>,
) {
    if !winner.attributes.inline && !other.attributes.inline {
        return;
    }
    let both = winner.body.is_some() && other.body.is_some();
    if !both || plain(winner, globals) == plain(other, globals) {
        return;
    }
    let span = winner.span;
    if let Some(block) = winner.body.as_mut().and_then(|body| body.blocks.iter_mut().next()) {
        let kind = StatementKind::Unsupported { what: DIFFERS.into() };
        block.statements.insert(0, Statement { kind, span });
    }
}

const DIFFERS: &str = "a function whose inline definition differs from another definition of it";

/// A body without its places in the source, and with the same number for the same text.
fn plain(function: &Function, globals: &IndexVec<GlobalId, Global>) -> Option<Body> {
    let mut function = function.clone();
    Plain { globals }.walk_function(&mut function);
    function.body
}

struct Plain<'a> {
    globals: &'a IndexVec<GlobalId, Global>,
}

impl VisitMut for Plain<'_> {
    fn span(&mut self, span: &mut Span) {
        *span = Span::NONE;
    }

    fn global(&mut self, global: &mut GlobalId) {
        let Some(own) = self.globals.get(*global) else { return };
        if own.kind != GlobalKind::StringLiteral {
            return;
        }
        let same = |other: &Global| {
            other.kind == GlobalKind::StringLiteral && other.size == own.size && other.init == own.init
        };
        if let Some((first, _)) = self.globals.iter_enumerated().find(|(_, other)| same(other)) {
            *global = first;
        }
    }
}
