// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asks the symbolic engine about what is open: violations come as witnesses, which the interpreter judges.

use std::collections::BTreeSet;

use clew_checks::After;
use clew_frontend::library::Linked;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{Callee, FuncId, ObligationId, Program, Semantics, StatementKind};
use clew_search::{Found, Key, replayed};
use clew_symbolic::exec::{self, Options};

/// What is asked.
pub struct Question<'a> {
    /// The program as it was before the models came.
    pub program: &'a Program,
    /// The program with its models.
    pub linked: &'a Linked,
    /// What is open.
    pub open: &'a BTreeSet<Key>,
    /// What is proved without conditions.
    pub proved: &'a BTreeSet<(FuncId, ObligationId)>,
    /// Whether allocations succeed.
    pub malloc_succeeds: bool,
    /// Whether the checks that are off by default are looked at too.
    pub count_all: bool,
}

/// What the engine found out.
#[derive(Default)]
pub struct Solved {
    /// Violations that the interpreter confirmed.
    pub found: Vec<Found>,
    /// Obligations that no run violates, given that those before them hold.
    pub proved: Vec<(FuncId, ObligationId)>,
    /// Witnesses that the interpreter did not confirm: the check, for a log.
    pub refuted: Vec<CheckKind>,
}

fn stops(check: CheckKind, semantics: Semantics) -> bool {
    clew_checks::after(check, semantics) == After::Stop
}

/// Walks the program from `main`.
pub fn solve(question: &Question<'_>) -> Solved {
    let Question { program, linked, open, .. } = question;
    let functions = linked.program.functions.iter_enumerated();
    let Some((main, _)) = { functions }.find(|(_, f)| &*f.name == "main" && f.body.is_some()) else {
        return Solved::default();
    };
    let asked: BTreeSet<(FuncId, ObligationId)> =
        open.iter().flat_map(|key| obligations(linked, key)).collect();
    let options = Options {
        models: &linked.models,
        open: &asked,
        proved: question.proved,
        stops,
        malloc_succeeds: question.malloc_succeeds,
        most_steps: 30_000,
        most_terms: 300_000,
        most_gates: 1_000_000,
        conflicts: 2_000,
        most_depth: 64,
        cancelled: None,
    };
    let answer = exec::find(&linked.program, main, &options);
    let mut solved = Solved { proved: answer.proved, ..Solved::default() };
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    for violation in &answer.violated {
        let found = replayed(program, &violation.witness, question.count_all);
        let check = |function: FuncId, id: ObligationId| {
            linked.program.functions[function].body.as_ref().map(|body| body.obligations[id].check)
        };
        let meant = match (violation.call, check(violation.function, violation.obligation)) {
            (Some(call), Some(check)) => {
                let exec::Place { function, block, statement } = call;
                Key::Call(clew_replay::outcome::CallPlace { function, block, statement }, check)
            }
            _ => Key::Obligation(violation.function, violation.obligation),
        };
        if !found.iter().any(|found| found.key == meant) {
            solved.refuted.extend(check(violation.function, violation.obligation));
        }
        solved.found.extend(found.into_iter().filter(|found| seen.insert(found.key)));
    }
    solved
}

/// The obligations that stand for what is open: a call's are those of the models that it may lead into.
fn obligations(linked: &Linked, key: &Key) -> Vec<(FuncId, ObligationId)> {
    match key {
        Key::Obligation(function, obligation) => vec![(*function, *obligation)],
        Key::Call(place, check) => {
            let body = linked.program.functions[place.function].body.as_ref();
            let statement = body.and_then(|body| {
                body.blocks.get(place.block).and_then(|block| block.statements.get(place.statement as usize))
            });
            let Some(StatementKind::Call(call)) = statement.map(|statement| &statement.kind) else {
                return Vec::new();
            };
            let Callee::Direct(callee) = call.callee else { return Vec::new() };
            let asked = linked.asked.get(&callee).into_iter().flatten();
            asked
                .filter(|(asked, _)| asked.check == *check)
                .flat_map(|(_, ids)| ids.iter().copied())
                .collect()
        }
    }
}
