// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of a violation, and of two engines that contradict each other.

use std::collections::BTreeSet;

use clew_checks::After;
use clew_frontend::library::Linked;
use clew_ir::obligation::CheckKind;
use clew_ir::out_parameters::out_parameters;
use clew_ir::syntax::{FuncId, ObligationId};
use clew_ir::verdict::Proof;
use clew_ir::witness::InputKind;
use clew_report::{Level, Message, Note};
use clew_search::{Found, Key};

use super::Falsifier;
use crate::called::{as_call, is_drivers};
use crate::describe::{SHOWN, input_notes, shown_input};
use crate::knowledge::Title;
use crate::messages::finding_message;

impl Falsifier<'_, '_> {
    /// A violation with the inputs that lead to it.
    pub(super) fn message(&self, found: &Found) -> Message {
        let stops = clew_checks::after(found.finding.check, self.store.program.semantics) == After::Stop;
        let level = if stops && !self.start.is_implicit { Level::Error } else { Level::Warning };
        let mut message = finding_message(&found.finding, level, &self.store.program.sources);
        let mut notes = Vec::new();
        let mut inputs = found.witness.clone();
        if self.start.entry != "main"
            && let Some(call) = as_call(self.store.program, self.start.entry, &found.witness)
        {
            // What clew's own driver asks, and where it does so, is nobody's business.
            inputs.inputs.retain(|input| !is_drivers(input));
            notes.push(Note::plain(format!("with {call}")));
            message.notes.retain(|note| {
                !note.text.ends_with("in `main`") && !note.text.starts_with("called by `main` at")
            });
        }
        notes.extend(input_notes(&inputs));
        let main = self.store.program.functions.iter().find(|f| &*f.name == "main");
        let takes_some = main.and_then(|f| f.body.as_ref()).is_some_and(|body| body.parameters > 0);
        if takes_some && !found.witness.inputs.iter().any(|input| input.kind == InputKind::Argument) {
            notes.insert(0, Note::plain("with no arguments"));
        }
        notes.extend(found.missing.iter().map(|function| {
            let function = &self.store.program.functions[*function];
            let writes =
                if out_parameters(self.store.program, function).is_empty() { "" } else { " and write" };
            Note::plain(format!(
                "`{}` has no body here and may return{writes} anything",
                function.source_name
            ))
        }));
        if self.start.is_implicit {
            notes.push(Note::plain(format!(
                "callers of `{}` must see to it that this does not happen",
                self.start.entry
            )));
        }
        notes.extend(self.went_on(found));
        notes.append(&mut message.notes);
        Message { notes, ..message }
    }

    /// What the run violated before and went on after, though others end there.
    fn went_on(&self, found: &Found) -> Vec<Note> {
        let passed = found.before.iter().filter_map(|key| {
            let Key::Obligation(function, id) = key else { return None };
            let obligation = &self.store.program.functions[*function].body.as_ref()?.obligations[*id];
            let is_passed = found.witness.goes_on_after.contains(&obligation.check);
            is_passed.then(|| (obligation.check, self.store.program.sources.place(obligation.span)))
        });
        let said = passed.map(|(check, place)| {
            let value = match check {
                CheckKind::DivisionByZero => "0",
                CheckKind::SignedOverflow => {
                    "the machine's value: without `-fwrapv` a compiler may do otherwise"
                }
                _ => "the machine's value",
            };
            Note::plain(format!("after {check} at {place}, from where the run goes on with {value}"))
        });
        said.take(SHOWN).collect()
    }
}

/// Where to read on: the rule, and the run step by step.
pub(super) fn what_next(check: CheckKind, kept: Option<&str>) -> Note {
    let rule = format!("`clew explain {check}` says what it means");
    let text = match kept {
        Some(folder) => {
            format!("{rule}, `clew replay --trace {folder}/witness.json` how the run comes there")
        }
        None => rule,
    };
    Note { level: Level::Help, ..Note::plain(text) }
}

/// What our solver excludes and another shows to be.
pub(super) fn wrong_proof(linked: &Linked, about: &BTreeSet<(FuncId, ObligationId)>, solver: &str) -> String {
    let place = |(function, id): &(FuncId, ObligationId)| {
        let obligation = &linked.program.functions[*function].body.as_ref()?.obligations[*id];
        Some(format!("{}: {}", linked.program.sources.place(obligation.span), obligation.check))
    };
    let places: Vec<String> = about.iter().filter_map(place).take(SHOWN).collect();
    let what = match places.is_empty() {
        true => "that every run is followed".to_owned(),
        false => places.join(", "),
    };
    format!(
        "a fault of clew's own: {what}: {solver} has values for what the built-in solver excludes: nothing that it \
         proves of this program counts\n\
         This is never your program's fault. Please report it with the file and the flags that led here."
    )
}

/// What was proved and is violated.
pub(super) fn contradiction(found: &Found, title: &Title, proof: &Proof) -> String {
    let inputs: Vec<String> = found.witness.inputs.iter().map(shown_input).collect();
    format!(
        "a fault of clew's own: {}: {} was proved by {} (given {} others), and a run violates it: {}; inputs: {}\n\
         This is never your program's fault. Please report it with the file and the flags that led here.",
        title.place,
        title.check,
        proof.by,
        proof.given.len(),
        found.finding.message,
        if inputs.is_empty() { "none".to_owned() } else { inputs.join(", ") }
    )
}
