// SPDX-License-Identifier: MIT OR Apache-2.0
//! A violation with all that people and programs are told of it: every format reads this and the row of the same id.

use std::sync::Arc;

use clew_base::source::{Place, SourceMap};
use clew_ir::obligation::{CheckKind, StableId};

use crate::message::{Level, Message};

/// A violation that an engine found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The obligation that it violates: there is a row of that id.
    pub id: StableId,
    /// Which check.
    pub check: CheckKind,
    /// As it is drawn.
    pub message: Message,
    /// The texts that its spans are about.
    pub sources: SourceMap,
    /// The inputs of the run, in words.
    pub inputs: Vec<String>,
    /// Where the program was, innermost first.
    pub stack: Vec<Frame>,
    /// The branches that led there, in the order in which they were taken, where somebody asked.
    pub path: Vec<Step>,
    /// The folder of the test that shows it, where one is kept.
    pub kept: Option<String>,
}

/// A function that runs, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its name.
    pub function: Arc<str>,
    /// The call or operation.
    pub place: Place,
}

/// A branch that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// The condition.
    pub text: String,
    /// The values that it was decided by.
    pub values: String,
}

impl Finding {
    /// Where it is.
    pub fn place(&self) -> Place {
        self.sources.place(self.message.span)
    }

    /// What happened, with the values, in one line.
    pub fn said(&self) -> &str {
        self.message.label.as_deref().unwrap_or(&self.message.title)
    }

    /// Whether it is an error: nothing that callers may prevent and nothing that runs go on after.
    pub fn is_error(&self) -> bool {
        self.message.level == Level::Error
    }

    /// The command that shows it again.
    pub fn reproducer(&self) -> Option<String> {
        self.kept.as_ref().map(|folder| format!("sh {folder}/run.sh"))
    }

    /// The C text that the message points at, on one line.
    pub fn expression(&self) -> String {
        String::from_utf8_lossy(self.sources.text(self.message.span))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Errors before warnings, else as they were found.
pub fn in_order(findings: &[Finding]) -> Vec<&Finding> {
    let mut order: Vec<&Finding> = findings.iter().collect();
    order.sort_by_key(|finding| !finding.is_error());
    order
}
