// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--solver`: the solver outside that is asked, and what came of it, in words.

use std::path::{Path, PathBuf};

use clew_native::smt::{Kind, SmtSolver};
use clew_symbolic::solver::external::Log;

use crate::watch::is_cancelled;

/// The built-in solver.
pub const BUILT_IN: &str = "cadical";

/// A solver outside, and how long a question may take it.
#[derive(Clone, Debug)]
pub struct Outside {
    solver: SmtSolver,
    seconds: u64,
    /// clew itself, which starts it so that it ends with clew.
    launcher: Option<PathBuf>,
}

impl Outside {
    /// The one that the user names; none is the built-in one.
    pub fn chosen(word: &str, seconds: u64) -> Result<Option<Outside>, String> {
        if word == BUILT_IN {
            return Ok(None);
        }
        let solver = match Kind::ALL.into_iter().find(|kind| kind.name() == word) {
            Some(kind) => SmtSolver::on_path(kind).ok_or_else(|| missing(kind.name())),
            None if word.contains('/') => SmtSolver::at(Path::new(word)),
            None => {
                Err(format!("there is no solver `{word}`: cadical, z3, cvc5, bitwuzla, or the path of one"))
            }
        };
        let solver = solver.map_err(|why| format!("--solver: {why}"))?;
        Ok(Some(Outside { solver, seconds, launcher: std::env::current_exe().ok() }))
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.solver.kind.name()
    }

    /// What it prints for a script, or why it cannot be asked.
    pub fn ask(&self, script: &str) -> Result<String, String> {
        if is_cancelled() {
            return Err("the work was ended".to_owned());
        }
        self.solver.ask(script, self.seconds, self.launcher.as_deref())
    }

    /// What users should know of how it went.
    pub fn notes(&self, log: &Log) -> Vec<String> {
        let name = self.name();
        let mut notes = Vec::new();
        if log.unshown > 0 {
            notes.push(format!(
                "{name} said `sat` to {} without values for which it is so: that is not believed, and what it speaks against stays open",
                if log.unshown == 1 { "a question".to_owned() } else { format!("{} questions", log.unshown) }
            ));
        }
        notes.extend(log.trouble.iter().map(|why| format!("{name} is not asked any more: {why}")));
        notes
    }
}

fn missing(name: &str) -> String {
    let found: Vec<&str> =
        Kind::ALL.into_iter().filter(|kind| SmtSolver::on_path(*kind).is_some()).map(Kind::name).collect();
    match found.is_empty() {
        true => format!("{name} is not on PATH, nor is another solver that clew knows"),
        false => format!("{name} is not on PATH; there is {}", found.join(" and ")),
    }
}
