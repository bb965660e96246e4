// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the entries of a program reach, which called functions have no body, and what is not supported.

use std::collections::BTreeSet;

use clew_base::source::Span;
use clew_ir::analysis::calls::direct_callees;
use clew_ir::reach::reach;
use clew_ir::syntax::{FuncId, Function, Linkage, Program, StatementKind};
use clew_report::Coverage;

use crate::given_away::given_away;

/// The names of the functions where runs start: the given ones, else `main`, else every function that code elsewhere can
/// call: by its name, through a pointer that it got, or because it runs by itself.
pub fn entries(program: &Program, given: &[String]) -> Vec<String> {
    let defined = || program.functions.iter().filter(|f| f.body.is_some());
    if !given.is_empty() {
        return given.iter().flat_map(|name| named(program, name)).collect();
    }
    if defined().any(|f| &*f.name == "main") {
        return vec!["main".to_owned()];
    }
    let given_away = given_away(program);
    let is_called = |(id, f): &(FuncId, &Function)| {
        let runs_by_itself = f.attributes.constructor.is_some() || f.attributes.destructor.is_some();
        f.body.is_some() && (f.linkage != Linkage::Internal || runs_by_itself || given_away.contains(id))
    };
    let called = program.functions.iter_enumerated().filter(is_called);
    called.map(|(_, f)| f.name.to_string()).collect()
}

/// The functions with a body that a name of the source stands for: static ones of several files may share it.
pub fn named(program: &Program, name: &str) -> Vec<String> {
    let defined = || program.functions.iter().filter(|f| f.body.is_some());
    match defined().any(|f| *f.name == *name) {
        true => vec![name.to_owned()],
        false => defined().filter(|f| *f.source_name == *name).map(|f| f.name.to_string()).collect(),
    }
}

/// What is reached from the entries and what is not.
/// Of functions without a body it names those that are not known.
pub fn coverage(program: &Program, entries: &[String], is_known: impl Fn(&str) -> bool) -> Coverage {
    let reached = reached_from(program, entries);
    let defined = || program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some());
    let unreached = defined().filter(|(id, _)| !reached.contains(id)).map(|(_, f)| f.source_name.to_string());
    let missing: BTreeSet<String> = defined()
        .filter(|(id, _)| reached.contains(id))
        .flat_map(|(_, function)| function.body.iter().flat_map(direct_callees))
        .map(|callee| &program.functions[callee])
        .filter(|callee| callee.body.is_none() && callee.alias.is_none())
        .map(|callee| callee.name.to_string())
        .filter(|name| !is_known(name))
        .collect();
    Coverage {
        functions: defined().count() as u64,
        unreached: unreached.collect(),
        missing: missing.into_iter().collect(),
        unsupported: unsupported(program).map(|(span, what)| (program.sources.place(span), what)).collect(),
        rejected: Vec::new(),
        truncated: false,
        tried: Vec::new(),
    }
}

/// What two programs have together.
pub fn merge(mut one: Coverage, other: Coverage) -> Coverage {
    one.functions += other.functions;
    one.unreached.extend(other.unreached);
    one.missing.extend(other.missing);
    one.missing.sort();
    one.missing.dedup();
    one.unsupported.extend(other.unsupported);
    one.rejected.extend(other.rejected);
    one.truncated |= other.truncated;
    one.tried.extend(other.tried);
    one
}

/// The places that clew does not support, in functions and outside.
pub fn unsupported(program: &Program) -> impl Iterator<Item = (Span, String)> {
    let blocks = program.functions.iter().flat_map(|f| f.body.iter()).flat_map(|b| b.blocks.iter());
    let inside = blocks.flat_map(|block| block.statements.iter()).filter_map(|s| match &s.kind {
        StatementKind::Unsupported { what } => Some((s.span, what.to_string())),
        _ => None,
    });
    inside.chain(program.unsupported.iter().map(|u| (u.span, u.what.to_string())))
}

/// Functions that are named by something reached: called, or their address taken.
fn reached_from(program: &Program, entries: &[String]) -> BTreeSet<FuncId> {
    let starts = program.functions.iter_enumerated().filter(|(_, function)| {
        let attributes = function.attributes;
        let runs_by_itself = attributes.constructor.is_some() || attributes.destructor.is_some();
        runs_by_itself || entries.iter().any(|name| **name == *function.name)
    });
    reach(program, starts.map(|(id, _)| id), []).functions
}
