// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program says of its numbers (`__clew_stable`), decided by the interval-real model of `precision`.
//!
//! The other engines know floats as the machine has them; the model knows all rounding modes at once. So its violations
//! are no runs that an interpreter could repeat: an input is told with what the machine makes of it in each mode.

use std::collections::BTreeMap;

use clew_ir::fact::ledger::Violation;
use clew_ir::obligation::CheckKind;
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, ObligationId, Program, Type};
use clew_ir::verdict::{Confirmed, Proof, Reason, Verdict};
use clew_precision::stable::{self, Judged};
use clew_precision::{Options, properties};
use clew_report::finding::{Finding, Frame};
use clew_report::{Level, Message, Note};

use crate::knowledge::Knowledge;
use crate::precise::unstable_detail;
use crate::violations::Violations;

const ALIASES: &str = "params-not-aliased";

/// Whether the program says something of its numbers.
pub fn is_stated(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.obligations.iter()).any(|asked| asked.check == CheckKind::Unstable)
}

/// What all entries together say of one statement.
#[derive(Default)]
struct Said {
    unstable: Option<String>,
    unknown: Option<String>,
    rests_on: bool,
    comes: bool,
}

/// Decides what a program states and is open; `assumed` are the names of what is taken for granted.
pub fn decide(
    program: &Program,
    entries: &[String],
    assumed: &[String],
    known: &mut Knowledge,
) -> Violations {
    let mut said: BTreeMap<(FuncId, ObligationId), Said> = BTreeMap::new();
    let mut refused: Option<String> = None;
    for (id, function) in program.functions.iter_enumerated() {
        if !entries.iter().any(|entry| **entry == *function.name) {
            continue;
        }
        let has_pointers = takes_pointers(program, id);
        if has_pointers && !assumed.iter().any(|name| name == ALIASES) {
            refused = Some(format!("the parameters of `{}` may overlap", function.source_name));
            continue;
        }
        match properties(program, id, &Options::default()) {
            Ok((inputs, judged)) => {
                for judged in judged {
                    note(&mut said, &judged, &inputs, has_pointers);
                }
            }
            Err(refusal) => {
                let place = program.sources.place(refusal.span);
                refused = Some(format!("{} ({place})", refusal.why));
            }
        }
    }
    let ids = stable_ids(program);
    let mut violations = Violations::default();
    for (function, code) in program.functions.iter_enumerated() {
        let asked = code.body.iter().flat_map(|body| body.obligations.iter_enumerated());
        for (id, obligation) in asked.filter(|(_, asked)| asked.check == CheckKind::Unstable) {
            let name = &ids[function][id];
            if !matches!(known.ledger.verdict(name), Verdict::Open(_)) {
                continue;
            }
            let said = said.remove(&(function, id)).unwrap_or_default();
            let rests_on: Vec<String> = said.rests_on.then(|| ALIASES.to_owned()).into_iter().collect();
            match (said.unstable, said.unknown.as_ref().or(refused.as_ref())) {
                (Some(detail), _) => {
                    violations.findings.push(Finding {
                        id: name.clone(),
                        check: CheckKind::Unstable,
                        message: message(obligation.span, &detail),
                        sources: program.sources.clone(),
                        inputs: Vec::new(),
                        stack: vec![Frame {
                            function: code.source_name.clone(),
                            place: program.sources.place(obligation.span),
                        }],
                        path: Vec::new(),
                        kept: None,
                    });
                    let why = "the interval-real model covers all rounding modes, a run has one";
                    let confirmed = Confirmed::Interpreter(Some(why.to_owned()));
                    let verdict = Verdict::Violated { witness: None, confirmed };
                    known.ledger.violate(name, Violation::new(verdict, Vec::new(), rests_on));
                }
                (None, Some(why)) => {
                    let open = Verdict::Open(Reason::Imprecise(Some(why.clone())));
                    known.ledger.claim(name, open, Vec::new());
                }
                (None, None) if said.comes => {
                    let proof = Proof { by: "precision".to_owned(), given: Vec::new().into() };
                    known.ledger.claim(name, Verdict::Proved(proof), rests_on);
                }
                (None, None) => {}
            }
        }
    }
    violations
}

fn note(
    said: &mut BTreeMap<(FuncId, ObligationId), Said>,
    judged: &Judged,
    inputs: &[clew_precision::dag::Input],
    rests_on: bool,
) {
    let Some(obligation) = judged.obligation else { return };
    let entry = said.entry(obligation).or_default();
    entry.comes = true;
    entry.rests_on |= rests_on;
    match &judged.verdict {
        stable::Verdict::Stable(_) => {}
        stable::Verdict::Unknown(width) => {
            let why = width.map_or_else(
                || "no bound of the relative width was found in the interval-real model".to_owned(),
                |width| format!("in the interval-real model the relative width is at most {width:.3e}"),
            );
            entry.unknown.get_or_insert(why);
        }
        stable::Verdict::Unstable(unstable) => {
            let detail = unstable_detail(unstable, judged.threshold, inputs);
            entry.unstable.get_or_insert(detail);
        }
    }
}

fn takes_pointers(program: &Program, function: FuncId) -> bool {
    let types = program.types();
    program.functions[function].body.as_ref().is_some_and(|body| {
        let parameters = body.locals.iter().take(body.parameters as usize);
        parameters.into_iter().any(|local| matches!(types.get(local.ty), Type::Pointer(_)))
    })
}

fn message(span: clew_base::source::Span, detail: &str) -> Message {
    let check = clew_checks::check(CheckKind::Unstable);
    let (model, machine) = detail.split_once("; on the machine ").unwrap_or((detail, ""));
    let mut notes = vec![Note::plain("in the interval-real model, which covers every rounding mode")];
    if !machine.is_empty() {
        notes.push(Note::plain(format!("on the machine {machine}")));
    }
    Message {
        level: Level::Warning,
        code: Some(check.kind.id().to_owned()),
        title: check.title.to_owned(),
        span,
        label: Some(model.to_owned()),
        notes,
    }
}
