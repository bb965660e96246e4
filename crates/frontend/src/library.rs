// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the C library (`models/libc`), which travel inside the binary, and what they ask of callers.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{
    Argument, Body, Callee, ExprId, ExprKind, Function, ObligationId, Program, StatementKind,
};

use crate::{Command, DiskFiles, lower, parse_unit};

macro_rules! library {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../../models/libc/", $file)))),*]
    };
}

const FILES: [(&str, &str); 16] = library![
    "assert.c",
    "clew.h",
    "ctype.c",
    "errno.c",
    "math.c",
    "math.inc",
    "stdio.c",
    "stdio_printf.c",
    "stdio_scanf.c",
    "stdlib.c",
    "stdlib_number.c",
    "stdlib_search.c",
    "string.c",
    "strings.c",
    "time.c",
    "unistd.c",
];

/// Models that call models do so a few deep; recursion among them must end.
const DEEPEST: u32 = 8;

/// One thing that a library function asks of its caller.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Requirement {
    /// The check that a violation belongs to.
    pub check: CheckKind,
    /// The argument it speaks of, from 0, where it speaks of one.
    pub argument: Option<u32>,
}

/// What each of the named functions asks of its caller; functions without a model are left out.
pub fn requirements(names: &BTreeSet<&str>) -> BTreeMap<String, Vec<Requirement>> {
    let mut found = BTreeMap::new();
    for (file, text) in FILES.iter().filter(|(file, _)| file.ends_with(".c")) {
        // Reading a model takes a millisecond; most programs need few of them.
        if !names.iter().any(|name| text.contains(*name)) {
            continue;
        }
        let Some(program) = model(file) else { continue };
        for function in program.functions.iter().filter(|f| f.body.is_some() && names.contains(&*f.name)) {
            let mut asked = BTreeSet::new();
            let own: Vec<Option<u32>> = (0..64).map(Some).collect();
            collect(&program, function, &own, 0, &mut asked);
            found.insert(function.name.to_string(), asked.into_iter().collect());
        }
    }
    found
}

/// The IR of one model file.
fn model(file: &str) -> Option<Program> {
    let folder = std::path::Path::new("models/libc");
    let mut files = DiskFiles::new();
    for (name, text) in FILES {
        files.overlay(folder.join(name), text.as_bytes());
    }
    let unit = parse_unit(&Command::new(folder.join(file)), &files).ok()?;
    Some(lower::lower(&unit))
}

/// The requirements in a body, and in those of the functions it calls. `given` says which of the caller's arguments
/// each parameter is.
fn collect(
    program: &Program,
    function: &Function,
    given: &[Option<u32>],
    depth: u32,
    asked: &mut BTreeSet<Requirement>,
) {
    let Some(body) = function.body.as_ref().filter(|_| depth < DEEPEST) else { return };
    let origin = |parameter: Option<u32>| parameter.and_then(|p| given.get(p as usize).copied().flatten());
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        match &statement.kind {
            // Other checks belong to the model's own code, which no caller can do anything about.
            StatementKind::Check { first, count } if is_requirement(program, statement.span) => {
                for id in first.0..first.0 + count {
                    let obligation = &body.obligations[ObligationId(id)];
                    let argument = origin(argument(body, &obligation.condition));
                    asked.insert(Requirement { check: obligation.check, argument });
                }
            }
            StatementKind::Call(call) => {
                let Callee::Direct(callee) = call.callee else { continue };
                let passed = call.arguments.iter().map(|argument| match argument {
                    Argument::Value(value) => origin(parameter(body, *value)),
                    Argument::Object(_) => None,
                });
                let passed: Vec<Option<u32>> = passed.collect();
                collect(program, &program.functions[callee], &passed, depth + 1, asked);
            }
            _ => {}
        }
    }
}

fn is_requirement(program: &Program, span: clew_base::source::Span) -> bool {
    let text = program.sources.text(span);
    text.starts_with(b"__clew_require") || text.starts_with(b"CLEW_")
}

/// The parameter that a condition speaks of first.
fn argument(body: &Body, condition: &Condition) -> Option<u32> {
    match condition {
        Condition::Holds(e)
        | Condition::NotNull(e)
        | Condition::Live(e)
        | Condition::AllocBase(e)
        | Condition::NulWithin(e)
        | Condition::ReadableRange(e, _)
        | Condition::WritableRange(e, _)
        | Condition::SameObject(e, _) => parameter(body, *e),
        _ => None,
    }
}

fn parameter(body: &Body, expr: ExprId) -> Option<u32> {
    match &body.exprs[expr].kind {
        ExprKind::Local(local) => (local.0 < body.parameters).then_some(local.0),
        ExprKind::Cast(inner) | ExprKind::Unary(_, inner) => parameter(body, *inner),
        ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
            parameter(body, *left).or_else(|| parameter(body, *right))
        }
        ExprKind::PointerAdd { pointer, .. } => parameter(body, *pointer),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strcpy_asks_for_a_string_and_for_room() {
        let asked = &requirements(&BTreeSet::from(["strcpy"]))["strcpy"];
        let has = |check, argument| asked.contains(&Requirement { check, argument: Some(argument) });
        assert!(has(CheckKind::NullDeref, 0) && has(CheckKind::NullDeref, 1), "{asked:?}");
        assert!(has(CheckKind::StringNotTerminated, 1), "{asked:?}");
        assert!(has(CheckKind::OutOfBounds, 0), "{asked:?}");
    }

    #[test]
    fn every_model_file_travels_along() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/libc");
        let on_disk = std::fs::read_dir(folder).expect("the models").flatten();
        let mut on_disk: Vec<String> =
            on_disk.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        on_disk.retain(|name| !name.ends_with(".md"));
        on_disk.sort();
        let ours: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(ours, on_disk);
    }
}
