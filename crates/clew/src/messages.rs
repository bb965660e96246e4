// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what the front end and the interpreter say to what `report` draws.

use clew_base::source::{SourceMap, Span};
use clew_frontend::{Diagnostic, Diagnostics, Severity};
use clew_interpreter::outcome::{Counted, Finding, ObjectInfo, StackEntry};
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

/// Draws a finding of the interpreter on standard error.
pub fn show_finding(finding: &Finding, level: Level, sources: &SourceMap) {
    eprint(&text::render(&finding_message(finding, level, sources), sources, stderr_style()));
}

/// A finding of the interpreter as a message: the values, the object, how the program came there.
pub fn finding_message(finding: &Finding, level: Level, sources: &SourceMap) -> Message {
    let check = clew_checks::check(finding.check);
    let mut notes =
        finding.object.as_ref().map(|object| object_notes(object, finding.span)).unwrap_or_default();
    notes.extend(stack_notes(whole_stack(finding), sources));
    notes.extend(macro_notes(sources, finding.span));
    Message {
        level,
        code: Some(check.kind.id().to_owned()),
        title: check.title.to_owned(),
        span: finding.span,
        label: Some(finding.message.clone()),
        notes,
    }
}

/// Where the program was: for what is found when it has ended, such as leaks, where the object was made.
pub fn whole_stack(finding: &Finding) -> &[StackEntry] {
    match (&finding.stack[..], &finding.object) {
        ([], Some(object)) => &object.allocated,
        (stack, _) => stack,
    }
}

/// What the object is, and where it came and went; the place that is drawn already is left out.
fn object_notes(object: &ObjectInfo, drawn: Span) -> Vec<Note> {
    let mut notes = vec![Note::plain(describe(object))];
    let mut place = |entry: Option<&StackEntry>, what: &str| {
        notes.extend(entry.map(|e| Note::at(e.span, format!("{what}, in `{}`", e.function))));
    };
    place(object.allocated.first().filter(|e| e.span != drawn), "allocated here");
    place(object.freed.first(), if object.kind == "heap" { "freed here" } else { "its life ended here" });
    notes.extend(object.declared.map(|span| Note::at(span, "declared here")));
    notes
}

fn describe(object: &ObjectInfo) -> String {
    let name = object.name.as_deref().unwrap_or("?");
    let bytes = if object.size == 1 { "1 byte".to_owned() } else { format!("{} bytes", object.size) };
    match (object.kind, &object.name) {
        ("function", _) => format!("the object is the function `{name}`"),
        ("string literal", _) => format!("the object is a string literal of {bytes}"),
        (kind, Some(name)) => format!("the object is `{name}`, a {kind} object of {bytes}"),
        (kind, None) => format!("the object is a {kind} object of {bytes}"),
    }
}

/// The call stack, innermost first. A recursion is one line.
fn stack_notes(stack: &[StackEntry], sources: &SourceMap) -> Vec<Note> {
    const SHOWN: usize = 8;
    let mut calls = stack.chunk_by(|a, b| a == b).enumerate();
    let mut notes = Vec::new();
    for (depth, same) in calls.by_ref().take(SHOWN) {
        let by = if depth == 0 { "in" } else { "called by" };
        let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
        let place = sources.place(same[0].span);
        notes.push(Note::plain(format!("{by} `{}` at {place}{times}", same[0].function)));
    }
    let more: usize = calls.map(|(_, same)| same.len()).sum();
    if more > 0 {
        notes.push(Note::plain(format!("... and {more} more calls")));
    }
    notes
}

/// Lists what went wrong without stopping the run.
pub fn show_counted(counted: &[Counted], sources: &SourceMap) {
    if counted.is_empty() {
        return;
    }
    let style = stderr_style();
    for entry in counted.iter().take(SHOWN_COUNTED) {
        let check = clew_checks::check(entry.check);
        let times = if entry.count == 1 { "once".to_owned() } else { format!("{} times", entry.count) };
        let message = Message {
            level: Level::Warning,
            code: Some(check.kind.id().to_owned()),
            title: format!("{} ({times}; the run went on)", check.title),
            span: entry.span,
            label: Some(entry.first.clone()),
            notes: macro_notes(sources, entry.span),
        };
        eprint(&text::render(&message, sources, style));
    }
    if let Some(more) = counted.len().checked_sub(SHOWN_COUNTED).filter(|n| *n > 0) {
        eprint(&format!("... and {more} more places where a check failed and the run went on\n"));
    }
}
