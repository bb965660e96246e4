// SPDX-License-Identifier: MIT OR Apache-2.0
//! What clew would like to take for granted of callers: inferred contracts, each with what it would settle.

use clew_base::source::Place;
use clew_environment::contract::Necessity;
use clew_environment::infer::infer;
use clew_environment::read::{Names, read};
use clew_environment::sample::satisfying;
use clew_environment::written::{Style, Writer};
use clew_frontend::library::Linked;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, Program};

/// One condition that would help.
#[derive(Clone, PartialEq, Debug)]
pub struct Suggestion {
    /// Whose callers.
    pub function: String,
    /// The function's name in the source.
    pub source_name: String,
    /// The condition in the paper's words.
    pub text: String,
    /// The condition in ACSL.
    pub acsl: String,
    /// How it stands to failures.
    pub necessity: Necessity,
    /// What it is about.
    pub about: Vec<(CheckKind, Place)>,
    /// How C declares the function.
    pub declaration: String,
    /// A call that keeps it.
    pub sample: String,
}

impl Suggestion {
    /// Where it came from, for the file that keeps it.
    pub fn origin(&self) -> String {
        let about = self.about.first().map(|(check, place)| format!(", {check} at {place}"));
        format!("{}{}; kept by {}", self.necessity.name(), about.unwrap_or_default(), self.sample)
    }
}

/// The conditions that the functions of a program ask, in its order, necessary ones of a function first.
pub fn suggestions(linked: &Linked) -> Vec<Suggestion> {
    let program = &linked.program;
    let is_model = |id: FuncId| linked.models.contains(&id);
    let inferred = infer(program, &is_model);
    let mut all = Vec::new();
    let own = program.functions.iter_enumerated().filter(|(id, f)| f.body.is_some() && !is_model(*id));
    for (id, function) in own.filter(|(_, f)| &*f.name != "main") {
        let mut clauses = inferred.contracts[id.0 as usize].clauses.clone();
        clauses.sort_by_key(|clause| clause.necessity);
        for clause in clauses {
            let writer = |style| Writer { program, function: id, style };
            let (text, acsl) = (writer(Style::Paper).clause(&clause), writer(Style::Acsl).clause(&clause));
            // What cannot be read again could not be kept.
            let names = Names { program, function: id, parameters: Vec::new() };
            let (Ok(again), Ok(_)) = (read(&text, &names), read(&acsl, &names)) else { continue };
            let Some(sample) = satisfying(&again) else { continue };
            let about = |origin: &clew_environment::contract::Origin| {
                (origin.check, program.sources.place(origin.span))
            };
            all.push(Suggestion {
                function: function.name.to_string(),
                source_name: function.source_name.to_string(),
                text,
                acsl,
                necessity: clause.necessity,
                about: clause.origins.iter().map(about).collect(),
                declaration: declaration(program, id),
                sample: sample.as_call(&writer(Style::Paper)),
            });
        }
    }
    all
}

/// How the source declares a function: the text from the end of what stands before it to its body.
pub fn declaration(program: &Program, id: FuncId) -> String {
    let function = &program.functions[id];
    let name = &function.source_name;
    let fallback = || format!("void {name}()");
    let Some(file) = program.sources.files.get(function.span.file) else { return fallback() };
    let (start, end) = (function.span.start as usize, file.text.len());
    let (Some(before), Some(behind)) = (file.text.get(..start), file.text.get(start..end)) else {
        return fallback();
    };
    let (before, behind) = (String::from_utf8_lossy(before), String::from_utf8_lossy(behind));
    let from = before.rfind([';', '}']).map_or(0, |at| at + 1);
    let from = before.rfind("*/").map_or(from, |at| from.max(at + 2));
    let lines = before[from..].lines().filter(|line| !line.trim_start().starts_with(['#', '/']));
    let lead: String = lines.collect::<Vec<_>>().join(" ");
    let Some(length) = behind.find(['{', ';']) else { return fallback() };
    let words = format!("{lead}{}", &behind[..length]);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
