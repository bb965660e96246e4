// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a witness to a row: the compiled program is asked, the row and the message are made.

use clew_interpreter::outcome::StackEntry;
use clew_ir::fact::ledger::{Told, Violation};
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::verdict::{Confirmed, Verdict};
use clew_report::{Finding, Frame, Message, Note};
use clew_search::{Found, Key};

use super::{Falsifier, message};
use crate::confirm::{Claim, said, target_of, verdict_of};
use crate::describe::{SHOWN, shown_input};
use crate::guard::guarded;
use crate::messages::whole_stack;
use crate::rows;
use crate::story::steps;
use crate::watch::is_cancelled;

const NOT_ASKED: &str = "the compiled program could not be asked, which is a fault of clew's own";

/// What the compiled program says of a violation.
struct Answer {
    confirmed: Confirmed,
    note: Option<String>,
    /// The folder of the test.
    kept: Option<String>,
}

impl Default for Answer {
    fn default() -> Answer {
        Answer { confirmed: Confirmed::Interpreter(None), note: None, kept: None }
    }
}

impl Falsifier<'_, '_> {
    /// Makes rows and messages of violations, after the compiled program was asked, if it is.
    pub(super) fn record(&mut self, found: &[Found]) {
        // What the `main` that clew added does is nobody's fault but clew's: no test of it is kept. What is known to be
        // violated needs no second witness.
        let is_known = |found: &Found| self.store.row_of(found).is_some_and(|at| self.store.is_violated(at));
        let is_news = |found: &&Found| !self.is_added(found) && !is_known(found);
        let found: Vec<Found> = found.iter().filter(is_news).cloned().collect();
        for (found, answer) in found.iter().zip(self.confirm(&found)) {
            if let Some(answer) = answer {
                self.record_one(found, answer);
            }
        }
    }

    /// Asks the compiled program about what is shown. Nothing is said of a witness that it does not follow: that is a
    /// fault of ours, and what the witness speaks of stays open.
    fn confirm(&mut self, found: &[Found]) -> Vec<Option<Answer>> {
        // Builds take time that there is no more; the interpreter has seen it.
        if is_cancelled() {
            return found.iter().map(|_| Some(Answer::default())).collect();
        }
        // What is asked needs all of it, what asks the rest.
        let Some(confirming) = self.confirming.take() else {
            return found.iter().map(|_| Some(Answer::default())).collect();
        };
        let shown = self.settings.shown;
        let is_asked = |found: &&Found| shown.contains(found.finding.check);
        let claim = |found: &'_ Found| {
            let id = match self.store.row_of(found) {
                Some(at) => self.store.known.titles[at].id.clone(),
                None => rows::library_id(self.store.program, found.finding.check, found.finding.span),
            };
            target_of(self.store.program, id, &found.finding)
        };
        let claims: Vec<Claim<'_>> = found
            .iter()
            .filter(is_asked)
            .map(|found| Claim {
                target: claim(found),
                witness: &found.witness,
                entry: self.start.entry,
                reads_unwritten: self.reads_unwritten(found),
            })
            .collect();
        let answers = match claims.is_empty() {
            true => Some(Vec::new()),
            false => guarded("confirm", || confirming.confirm(&claims)),
        };
        let mut answers =
            answers.unwrap_or_else(|| claims.iter().map(|_| Err(NOT_ASKED.to_owned())).collect()).into_iter();
        let mut notes = Vec::new();
        let mut answer_of = |found: &Found| {
            if !is_asked(&found) {
                return Some(Answer::default());
            }
            let place = self.store.program.sources.place(found.finding.span);
            let answer = match answers.next()? {
                Ok(answer) => answer,
                Err(why) => {
                    notes.push(format!("{place}: {}: {why}", found.finding.check));
                    return Some(Answer::default());
                }
            };
            notes.extend(answer.not_kept.iter().map(|why| format!("a test is not kept: {why}")));
            let Some(confirmed) = verdict_of(&answer.confirmation) else {
                notes.push(format!(
                    "{place}: {}: a witness was {}",
                    found.finding.check,
                    said(&answer.confirmation)
                ));
                return None;
            };
            let kept = answer.kept.map(|folder| folder.display().to_string());
            let again = kept.as_ref().map_or_else(String::new, |folder| format!(": sh {folder}/run.sh"));
            Some(Answer { confirmed, note: Some(said(&answer.confirmation) + &again), kept })
        };
        let said = found.iter().map(&mut answer_of).collect();
        self.violations.notes.extend(notes);
        self.confirming = Some(confirming);
        said
    }

    /// Whether it happens in what clew added: its `main`, or a function that this hands over.
    fn is_added(&self, found: &Found) -> bool {
        let function = match found.key {
            Key::Obligation(function, _) => function,
            Key::Call(place, _) => place.function,
        };
        let name = &*self.store.program.functions[function].source_name;
        !self.start.is_main() && (name == "main" || name.starts_with(clew_confirm::driver::PREFIX))
    }

    /// Tells the ledger of a violation: a message, and a fault of ours where it was proved.
    fn record_one(&mut self, found: &Found, answer: Answer) {
        let at = self.store.row_or_new(found);
        let mut message = self.message(found);
        message.notes.extend(answer.note.map(Note::plain));
        message.notes.push(message::what_next(found.finding.check, answer.kept.as_deref()));
        let before: Vec<StableId> = found.before.iter().flat_map(|key| self.store.names(key)).collect();
        let verdict = Verdict::Violated { witness: Some(found.witness.clone()), confirmed: answer.confirmed };
        let violation = Violation::new(verdict, before, self.assumptions(found));
        let title = self.store.known.titles[at].clone();
        match self.store.known.ledger.violate(&title.id, violation) {
            Told::Nothing => return,
            Told::News => {}
            // What library functions read counts as written where nobody can tell (`library-reads-written`): a run knows better.
            Told::Contradiction(_)
                if title.check == CheckKind::UninitialisedRead && matches!(found.key, Key::Call(..)) => {}
            Told::Contradiction(proof) => {
                self.violations.faults.push(message::contradiction(found, &title, proof));
            }
        }
        if self.settings.shown.contains(title.check) {
            let finding = self.finding(found, title.id, message, answer.kept);
            self.violations.findings.push(finding);
        }
    }

    /// All that formats tell of a violation.
    fn finding(&self, found: &Found, id: StableId, message: Message, kept: Option<String>) -> Finding {
        let program = self.store.program;
        let frame = |entry: &StackEntry| Frame {
            function: entry.function.clone(),
            place: program.sources.place(entry.span),
        };
        Finding {
            id,
            check: found.finding.check,
            message,
            sources: program.sources.clone(),
            inputs: found.witness.inputs.iter().take(SHOWN).map(shown_input).collect(),
            stack: whole_stack(&found.finding).iter().map(frame).collect(),
            path: match self.settings.tells_path {
                true => steps(program, &found.witness, &found.finding).unwrap_or_default(),
                false => Vec::new(),
            },
            kept,
        }
    }

    /// What a violation rests on.
    fn assumptions(&self, found: &Found) -> Vec<String> {
        let excess = "no-excess-precision";
        let rests_on = [
            (!found.missing.is_empty(), "missing-functions-leave-globals"),
            (!self.start.is_main(), "params-valid-or-null"),
            (self.arithmetic.rests_on(excess), excess),
        ];
        rests_on.into_iter().filter(|(rests, _)| *rests).map(|(_, name)| name.to_owned()).collect()
    }

    /// Whether the run read memory before that was never written.
    fn reads_unwritten(&self, found: &Found) -> bool {
        let check = |key: &Key| match key {
            Key::Obligation(function, id) => {
                let body = self.store.program.functions[*function].body.as_ref();
                body.map(|body| body.obligations[*id].check)
            }
            Key::Call(_, check) => Some(*check),
        };
        found.before.iter().any(|key| check(key) == Some(CheckKind::UninitialisedRead))
    }
}
