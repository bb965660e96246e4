// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew refine`: the loop of paper 001, section 4.1. It looks at each function as its callers may call it, shows the condition on
//! callers that would settle most, and goes on with the answer.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clew_checks::{CheckSet, Stops};
use clew_environment::contract::Necessity;
use clew_environment::file;
use clew_environment::read::{Names, read};
use clew_environment::sample::satisfying;
use clew_frontend::DiskFiles;
use clew_frontend::library::with_models;
use clew_ir::syntax::Program;
use clew_ir::verdict::{Reason, Verdict};
use clew_report::Row;

use crate::assumed::Assumed;
use crate::called::as_call;
use crate::commands::fail;
use crate::contracts::{self, Accepted, Contracts};
use crate::coverage;
use crate::exit::Exit;
use crate::flags::{Accept, RefineFlags};
use crate::input;
use crate::level;
use crate::load::{self, Loaded};
use crate::messages::show_rejection;
use crate::pipeline;
use crate::settings::Settings;
use crate::suggest::{Suggestion, suggestions};
use crate::terminal::{note, print};

/// Checks functions without `main`, and asks.
pub fn refine(flags: &RefineFlags, compiler_flags: &[OsString]) -> Exit {
    let path = flags.env.clone().unwrap_or_else(|| {
        let folder = flags.files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
        folder.join(file::NAME)
    });
    let mut session = match Session::begin(flags, compiler_flags, path) {
        Ok(session) => session,
        Err(exit) => return exit,
    };
    let done = match (flags.plan, flags.accept) {
        (true, _) => session.plan(),
        (false, Some(accept)) => session.accept_without_asking(accept),
        (false, None) => session.ask(&mut std::io::stdin().lock()),
    };
    match done.and_then(|()| session.conclude()) {
        Ok(exit) => exit,
        Err(message) => fail(&message),
    }
}

/// What is known of one function as its callers may call it.
#[derive(Default)]
struct Looked {
    /// Obligations that are violated or open.
    rows: Vec<Row>,
    proved: usize,
    /// A run of each violation, as a call.
    calls: Vec<Option<String>>,
}

struct Session<'f> {
    flags: &'f RefineFlags,
    compiler_flags: &'f [OsString],
    path: PathBuf,
    contracts: Contracts,
    /// What was accepted in this session, last one last.
    accepted: Vec<Suggestion>,
    /// What the file held before each of them.
    texts: Vec<(Option<String>, Contracts)>,
    /// Suggestions that were rejected: what they are about is a bug.
    rejected: Vec<(Suggestion, String)>,
    suggestions: Vec<Suggestion>,
    entries: Vec<String>,
    looked: BTreeMap<String, Looked>,
}

impl<'f> Session<'f> {
    fn begin(
        flags: &'f RefineFlags,
        compiler_flags: &'f [OsString],
        path: PathBuf,
    ) -> Result<Session<'f>, Exit> {
        let loaded = load(flags, compiler_flags)?;
        let contracts = match path.is_file() {
            true => Contracts::load(&path, &loaded.programs).map_err(|message| fail(&message))?,
            false => Contracts::default(),
        };
        let has_main = loaded.programs.iter().any(|program| contracts::named(program, "main").is_some());
        if let Some(missing) = flags
            .entry
            .iter()
            .find(|name| loaded.programs.iter().all(|program| coverage::named(program, name).is_empty()))
        {
            return Err(fail(&format!("there is no function `{missing}` with a body")));
        }
        let mut entries: Vec<String> =
            loaded.programs.iter().flat_map(|program| coverage::entries(program, &flags.entry)).collect();
        entries.sort();
        entries.dedup();
        let mut all: Vec<Suggestion> = Vec::new();
        for program in loaded.programs {
            all.extend(suggestions(&with_models(program)));
        }
        if has_main && flags.entry.is_empty() {
            note(
                "there is a `main`: its calls are what callers do; --entry names a function to look at by itself",
            );
        }
        Ok(Session {
            flags,
            compiler_flags,
            path,
            contracts,
            accepted: Vec::new(),
            texts: Vec::new(),
            rejected: Vec::new(),
            suggestions: all,
            entries,
            looked: BTreeMap::new(),
        })
    }

    /// Looks at the entries that were not looked at since something about them changed.
    fn look(&mut self) -> Result<(), String> {
        for entry in self.entries.clone() {
            if !self.looked.contains_key(&entry) {
                let looked = self.look_at(&entry)?;
                self.looked.insert(entry, looked);
            }
        }
        Ok(())
    }

    fn look_at(&self, entry: &str) -> Result<Looked, String> {
        let mut loaded =
            load(self.flags, self.compiler_flags).map_err(|_| "the files could not be read again")?;
        let program =
            loaded.programs.iter().find(|program| contracts::named(program, entry).is_some()).cloned();
        let mut settings = settings(self.flags)?;
        settings.entries = vec![entry.to_owned()];
        settings.contracts = self.contracts.clone();
        let checked = pipeline::check(&mut loaded, &settings, None)?;
        let mut looked = Looked::default();
        for row in checked.report.rows {
            match &row.verdict {
                Verdict::Violated { witness, .. } => {
                    let call = witness.as_ref().zip(program.as_ref());
                    looked.calls.push(call.and_then(|(witness, program)| as_call(program, entry, witness)));
                    looked.rows.push(row);
                }
                Verdict::Open(Reason::NotAnalysed) => {}
                Verdict::Open(_) => {
                    looked.calls.push(None);
                    looked.rows.push(row);
                }
                Verdict::Proved(_) => looked.proved += 1,
                Verdict::Unreachable(_) => {}
            }
        }
        Ok(looked)
    }

    /// The suggestions that would settle something, those first that would settle most.
    fn open_suggestions(&self) -> Vec<(Suggestion, usize)> {
        let is_new = |suggestion: &&Suggestion| {
            let known = self.contracts.of(&suggestion.function);
            !known.iter().any(|a| a.text == suggestion.text || a.text == suggestion.acsl)
                && !self.rejected.iter().any(|(r, _)| r == *suggestion)
        };
        let mut all: Vec<(Suggestion, usize)> = Vec::new();
        for suggestion in self.suggestions.iter().filter(is_new) {
            let Some(looked) = self.looked.get(&suggestion.function) else { continue };
            let count = looked.rows.iter().filter(|row| is_about(suggestion, row)).count();
            if count > 0 {
                all.push((suggestion.clone(), count));
            }
        }
        let rank = |(suggestion, count): &(Suggestion, usize)| {
            (suggestion.necessity, std::cmp::Reverse(*count), suggestion.function.clone())
        };
        all.sort_by_key(rank);
        all
    }

    fn show(&self, (suggestion, count): &(Suggestion, usize), number: usize, of: usize) -> String {
        let mut text = format!(
            "question {number} of {of}: may callers of `{}` be trusted with this?\n",
            suggestion.source_name
        );
        let meaning = match suggestion.necessity {
            Necessity::Necessary => "necessary: where it does not hold, every run fails",
            _ => "sufficient: it is one way to be safe, not the only one",
        };
        text.push_str(&format!("    {}\n    ({meaning})\n", suggestion.text));
        text.push_str(&format!("  it is about {count} of what is not proved:\n"));
        if let Some(looked) = self.looked.get(&suggestion.function) {
            for (row, call) in
                looked.rows.iter().zip(&looked.calls).filter(|(row, _)| is_about(suggestion, row)).take(4)
            {
                text.push_str(&format!("    {}  {}  `{}`", row.place, row.check, row.text));
                match call {
                    Some(call) => text.push_str(&format!("  fails in {call}\n")),
                    None => text.push('\n'),
                }
            }
        }
        text
    }

    fn plan(&mut self) -> Result<(), String> {
        self.look()?;
        let open = self.open_suggestions();
        for (number, one) in open.iter().enumerate() {
            print(&self.show(one, number + 1, open.len()));
        }
        Ok(())
    }

    fn accept_without_asking(&mut self, accept: Accept) -> Result<(), String> {
        if accept == Accept::None {
            return self.look();
        }
        let wanted: Vec<Suggestion> = self
            .suggestions
            .iter()
            .filter(|s| self.entries.contains(&s.function))
            .filter(|s| accept == Accept::All || s.necessity == Necessity::Necessary)
            .filter(|s| !self.contracts.of(&s.function).iter().any(|a| a.text == s.acsl || a.text == s.text))
            .cloned()
            .collect();
        for suggestion in wanted {
            let condition = suggestion.acsl.clone();
            if let Err(message) = self.take(&suggestion, &condition, &suggestion.origin()) {
                note(&message);
            }
        }
        self.look()
    }

    /// Takes a condition for granted, and keeps it.
    fn take(&mut self, suggestion: &Suggestion, condition: &str, origin: &str) -> Result<(), String> {
        let accepted =
            Accepted { text: condition.to_owned(), origin: origin.to_owned(), parameters: Vec::new() };
        let mut contracts = self.contracts.clone();
        contracts.accept(&suggestion.function, accepted);
        let loaded =
            load(self.flags, self.compiler_flags).map_err(|_| "the files could not be read again")?;
        let program =
            loaded.programs.iter().find(|program| contracts::named(program, &suggestion.function).is_some());
        let program = program.ok_or("the function is not there any more")?;
        check(program, &suggestion.function, condition)?;
        if satisfying(&contracts.clauses(program, &suggestion.function)).is_none() {
            return Err(format!(
                "not accepted: with `{condition}` no call of `{}` would keep its contract",
                suggestion.source_name
            ));
        }
        let before = std::fs::read_to_string(&self.path).ok();
        let text = file::with(
            before.as_deref().unwrap_or(""),
            &suggestion.declaration,
            &[(condition.to_owned(), origin.to_owned())],
        );
        file::replace(&self.path, &text).map_err(|e| format!("{}: {e}", self.path.display()))?;
        self.texts.push((before, std::mem::replace(&mut self.contracts, contracts)));
        self.accepted.push(suggestion.clone());
        self.looked.remove(&suggestion.function);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        let (Some(suggestion), Some((before, contracts))) = (self.accepted.pop(), self.texts.pop()) else {
            return Err("there is nothing to undo".to_owned());
        };
        match before {
            Some(text) => {
                file::replace(&self.path, &text).map_err(|e| format!("{}: {e}", self.path.display()))?
            }
            None => std::fs::remove_file(&self.path).map_err(|e| format!("{}: {e}", self.path.display()))?,
        }
        self.contracts = contracts;
        self.looked.remove(&suggestion.function);
        Ok(())
    }

    fn ask(&mut self, answers: &mut dyn BufRead) -> Result<(), String> {
        loop {
            self.look()?;
            let open = self.open_suggestions();
            let Some(first) = open.first() else {
                print("no further questions\n");
                return Ok(());
            };
            print(&self.show(first, 1, open.len()));
            print("  a(ccept), e(dit) CONDITION, r(eject) [WHY], u(ndo), q(uit)? ");
            let mut line = String::new();
            if answers.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                print("\n");
                return Ok(());
            }
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let answer = match word {
                "a" | "accept" => self.take(&first.0, &first.0.acsl.clone(), &first.0.origin()),
                "e" | "edit" if !rest.is_empty() => {
                    let origin = format!("written instead of `{}`", first.0.text);
                    self.take(&first.0, rest.trim(), &origin)
                }
                "r" | "reject" => {
                    self.rejected.push((first.0.clone(), rest.to_owned()));
                    Ok(())
                }
                "u" | "undo" => self.undo(),
                "q" | "quit" => return Ok(()),
                _ => Err("answer with a, e CONDITION, r, u or q".to_owned()),
            };
            print("\n");
            if let Err(message) = answer {
                print(&format!("{message}\n"));
            }
        }
    }

    /// The report: errors, then a line of contract for each function, then what is open, then the count.
    fn conclude(&mut self) -> Result<Exit, String> {
        self.look()?;
        let open = self.open_suggestions();
        let (mut violated, mut conditional, mut left, mut proved) = (0, 0, 0, 0);
        let mut seen = Vec::new();
        let mut text = String::new();
        let mut questions = String::new();
        for (entry, looked) in &self.looked {
            proved += looked.proved;
            for (row, call) in looked.rows.iter().zip(&looked.calls) {
                let is_violated = matches!(row.verdict, Verdict::Violated { .. });
                if !is_violated {
                    left += 1;
                    questions
                        .push_str(&format!("  {}  {}  `{}`  in {entry}\n", row.place, row.check, row.text));
                } else if open.iter().any(|(s, _)| s.function == *entry && is_about(s, row)) {
                    conditional += 1;
                } else if !seen.contains(&(row.place.clone(), row.check)) {
                    seen.push((row.place.clone(), row.check));
                    violated += 1;
                    let call = call.clone().unwrap_or_else(|| entry.clone());
                    text.push_str(&format!(
                        "error[{}]: {}: `{}` fails in {call}\n",
                        row.check, row.place, row.text
                    ));
                    for (s, why) in
                        self.rejected.iter().filter(|(s, _)| s.function == *entry && is_about(s, row))
                    {
                        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                        text.push_str(&format!("  callers do not see to `{}`{why}\n", s.text));
                    }
                }
            }
        }
        text.push_str("\nwhat callers are trusted with:\n");
        for entry in &self.entries {
            let known: Vec<&str> = self.contracts.of(entry).iter().map(|a| a.text.as_str()).collect();
            let line = if known.is_empty() { "nothing".to_owned() } else { known.join("; ") };
            text.push_str(&format!("  {entry}: {line}\n"));
        }
        if !questions.is_empty() {
            text.push_str(&format!("\nopen:\n{questions}"));
        }
        text.push_str(&format!(
            "\n{} functions: {violated} violated, {conditional} that callers can prevent ({} questions), {left} open, {proved} proved\n",
            self.entries.len(),
            open.len()
        ));
        print(&text);
        Ok(if violated > 0 { Exit::Violated } else { Exit::Clean })
    }
}

fn is_about(suggestion: &Suggestion, row: &Row) -> bool {
    let is_there =
        |place: &clew_base::source::Place| place.file == row.place.file && place.line == row.place.line;
    suggestion.about.iter().any(|(check, place)| *check == row.check && is_there(place))
}

/// Whether a condition can be read; the message says where not.
fn check(program: &Program, function: &str, condition: &str) -> Result<(), String> {
    let id = contracts::named(program, function).ok_or("the function is not there any more")?;
    let names = Names { program, function: id, parameters: Vec::new() };
    match read(condition, &names) {
        Ok(_) => Ok(()),
        Err(complaint) => {
            Err(format!("not accepted: {condition}: at {}: {}", complaint.at + 1, complaint.what))
        }
    }
}

fn load(flags: &RefineFlags, compiler_flags: &[OsString]) -> Result<Loaded, Exit> {
    let disk = DiskFiles::new();
    let units = match input::named_files(&flags.files, compiler_flags, &disk) {
        Ok(units) => units,
        Err(rejection) => {
            show_rejection(&rejection);
            return Err(Exit::BadInput);
        }
    };
    let loaded = load::load(units, disk);
    match () {
        () if loaded.fault => Err(Exit::Fault),
        () if loaded.bad_input => Err(Exit::BadInput),
        () => Ok(loaded),
    }
}

fn settings(flags: &RefineFlags) -> Result<Settings, String> {
    let shown = flags.check.as_deref().map_or(Ok(CheckSet::by_default()), CheckSet::parse);
    let shown = shown.map_err(|unknown| unknown.to_string())?;
    let end = Instant::now().checked_add(Duration::from_secs(flags.budget));
    Ok(Settings {
        tells_path: false,
        entries: Vec::new(),
        shown,
        assumed: Assumed::new(&[], &[], None)?,
        contracts: Contracts::default(),
        level: level::chosen(None, &[])?,
        stops: Stops::of_selection(shown),
        slices: None,
        invariants: false,
        searches: true,
        solver: None,
        costs_without: None,
        keep: None,
        clock: "__clew_tick".to_owned(),
        end,
        deadline: end,
        threads: 1,
    })
}
