// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the front end has to say about a file, in our own terms.
//!
//! Nothing here knows rucc or a terminal: a diagnostic is a value with spans, and `report` draws it. The
//! plain [`Display`](fmt::Display) is for logs and tests.

use std::fmt;

use clew_base::source::{SourceMap, Span};
use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth telling; the file is still read.
    Warning,
    /// The file is rejected.
    Error,
    /// The front end itself failed on the file. The file is rejected, and it is not the user's fault.
    Internal,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Internal => "internal error",
        })
    }
}

/// One message about one place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One line, lower case, no full stop.
    pub message: String,
    /// Where; [`Span::NONE`] when it is about no place (a flag, a file that cannot be opened).
    pub span: Span,
    /// More places that explain it: macro origins, earlier declarations, the `#include` chain.
    pub notes: Vec<(Span, String)>,
    /// A stable code, `E0401` or a word of our own such as `file-too-large`.
    pub code: Option<String>,
}

impl Diagnostic {
    /// A message without notes.
    pub fn new(severity: Severity, code: &str, message: impl Into<String>, span: Span) -> Self {
        Diagnostic { severity, message: message.into(), span, notes: Vec::new(), code: Some(code.to_owned()) }
    }

    /// Whether the file is rejected because of it.
    pub fn is_error(&self) -> bool {
        self.severity >= Severity::Error
    }

    /// The message as a compiler prints it, one line a note.
    pub fn display<'a>(&'a self, sources: &'a SourceMap) -> impl fmt::Display + 'a {
        Displayed { diagnostic: self, sources }
    }
}

struct Displayed<'a> {
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { severity, message, span, notes, .. } = self.diagnostic;
        if !span.is_none() {
            write!(f, "{}: ", self.sources.place(*span))?;
        }
        write!(f, "{severity}: {message}")?;
        for (at, note) in notes {
            writeln!(f)?;
            if !at.is_none() {
                write!(f, "{}: ", self.sources.place(*at))?;
            }
            write!(f, "note: {note}")?;
        }
        Ok(())
    }
}

/// Why a file could not be read: all its messages, and the files they point into.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    /// The messages in source order; at least one is an error.
    pub list: Vec<Diagnostic>,
    /// What the spans refer to.
    pub sources: SourceMap,
}

impl Diagnostics {
    /// One error that is about no place in a file that could be opened.
    pub fn one(diagnostic: Diagnostic) -> Self {
        Diagnostics { list: vec![diagnostic], sources: SourceMap::default() }
    }

    /// Whether the front end itself failed.
    pub fn is_internal(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Internal)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.list.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", d.display(&self.sources))?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
