// SPDX-License-Identifier: MIT OR Apache-2.0
//! One message about one place, whoever it comes from.

use clew_base::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Wrong.
    Error,
    /// Worth telling.
    Warning,
    /// Explains.
    Note,
    /// Says what to do.
    Help,
}

impl Level {
    /// The word that compilers use.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
            Level::Help => "help",
        }
    }
}

/// A message, the place it is about, and what explains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// How bad it is.
    pub level: Level,
    /// A short name in brackets after the level.
    pub code: Option<String>,
    /// One line.
    pub title: String,
    /// Where; [`Span::NONE`] when it is about no place.
    pub span: Span,
    /// What stands at the caret.
    pub label: Option<String>,
    /// What follows, in order.
    pub notes: Vec<Note>,
}

/// Something that explains a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Usually [`Level::Note`].
    pub level: Level,
    /// One line.
    pub text: String,
    /// The place, drawn if there is one.
    pub span: Span,
}

impl Note {
    /// A note without a place.
    pub fn plain(text: impl Into<String>) -> Note {
        Note { level: Level::Note, text: text.into(), span: Span::NONE }
    }

    /// A note that shows a place.
    pub fn at(span: Span, text: impl Into<String>) -> Note {
        Note { level: Level::Note, text: text.into(), span }
    }
}

impl Message {
    /// A message about no place.
    pub fn plain(level: Level, title: impl Into<String>) -> Message {
        Message { level, code: None, title: title.into(), span: Span::NONE, label: None, notes: Vec::new() }
    }
}
