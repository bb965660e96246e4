// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what the front end and the interpreter say to what `report` draws.

use clew_base::source::{SourceMap, Span};
use clew_frontend::{Diagnostic, Diagnostics, Severity};
use clew_report::{Level, Message, Note, text};

use crate::terminal::{eprint, stderr_style};

/// How many messages of one file are drawn; the rest is counted.
const SHOWN: usize = 50;

/// How many places of a run that went on are drawn; the rest is counted.
const SHOWN_COUNTED: usize = 20;

/// Draws the messages of a file on standard error.
pub fn show_diagnostics(list: &[Diagnostic], sources: &SourceMap) {
    let style = stderr_style();
    for diagnostic in list.iter().take(SHOWN) {
        eprint(&text::render(&message(diagnostic), sources, style));
        eprint("\n");
    }
    if let Some(more) = list.len().checked_sub(SHOWN).filter(|n| *n > 0) {
        eprint(&format!("... and {more} more messages\n"));
    }
}

/// Draws why a file could not be read.
pub fn show_rejection(rejection: &Diagnostics) {
    show_diagnostics(&rejection.list, &rejection.sources);
}

/// The first error of a rejected file, in one line.
pub fn first_error(rejection: &Diagnostics) -> String {
    let first = rejection.list.iter().find(|d| d.is_error()).or(rejection.list.first());
    first.map_or_else(|| "it could not be read".to_owned(), |d| d.message.clone())
}

fn message(diagnostic: &Diagnostic) -> Message {
    let level = match diagnostic.severity {
        Severity::Warning => Level::Warning,
        Severity::Error | Severity::Internal => Level::Error,
    };
    Message {
        level,
        code: diagnostic.code.clone(),
        title: diagnostic.message.clone(),
        span: diagnostic.span,
        label: None,
        notes: diagnostic.notes.iter().map(|(span, text)| Note::at(*span, text)).collect(),
    }
}

/// The macros that a place came out of, innermost first.
pub fn macro_notes(sources: &SourceMap, span: Span) -> Vec<Note> {
    const DEPTH: usize = 4;
    let first = sources.macro_use(span);
    let uses = std::iter::successors(first, |u| u.parent.and_then(|id| sources.macros.get(id)));
    let note = |u: &clew_base::source::MacroUse| Note::at(u.spelling, format!("in macro `{}`", u.name));
    uses.take(DEPTH).map(note).collect()
}
