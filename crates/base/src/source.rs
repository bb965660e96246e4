// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files, spans and the places a person is shown.
//!
//! A [`Span`] is a byte range of one file plus the macro use it came out of. For a token that a macro
//! produced, the range is where the outermost macro was *used* (what a compiler prints first), and
//! [`SourceMap::macro_use`] leads to where the text was spelled, step by step.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::index::IndexVec;
use crate::index_types;

index_types! {
    /// A source file.
    #[derive(Serialize, Deserialize)]
    FileId = "file";
    /// A use of a macro.
    #[derive(Serialize, Deserialize)]
    MacroId = "macro";
}

/// A range of bytes in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The innermost macro use the text came from.
    pub expansion: Option<MacroId>,
}

impl Span {
    /// A place that no source text has (compiler-made code).
    pub const NONE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0, expansion: None };

    /// Whether there is no source text behind this.
    pub fn is_none(self) -> bool {
        self.file.0 == u32::MAX
    }
}

/// One use of a macro: which, where it was used, where its text is spelled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MacroUse {
    /// The macro's name.
    pub name: Arc<str>,
    /// Where in the macro's definition (or argument) the text was spelled.
    pub spelling: Span,
    /// The macro use this one was itself produced by.
    pub parent: Option<MacroId>,
}

/// A `# 12 "file.c"` marker of a preprocessed file: from `offset` on, presumed places restart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineMarker {
    /// The first byte the marker speaks of.
    pub offset: u32,
    /// The presumed name.
    pub name: Arc<str>,
    /// The presumed line of that byte.
    pub line: u32,
}

/// A file: its name as the user knows it and its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// The name as the user would write it.
    pub name: Arc<str>,
    /// The text. May not be UTF-8.
    #[serde(skip)]
    pub text: Arc<[u8]>,
    /// Line markers, by offset.
    pub markers: Vec<LineMarker>,
    /// Byte offset of each line start, computed on first use and stored with the file.
    #[serde(with = "line_table")]
    lines: OnceLock<Vec<u32>>,
}

mod line_table {
    use std::sync::OnceLock;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(lines: &OnceLock<Vec<u32>>, s: S) -> Result<S::Ok, S::Error> {
        lines.get().serialize(s)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(d: D) -> Result<OnceLock<Vec<u32>>, D::Error> {
        Ok(match Option::<Vec<u32>>::deserialize(d)? {
            Some(lines) => OnceLock::from(lines),
            None => OnceLock::new(),
        })
    }
}

impl SourceFile {
    /// A file with its text.
    pub fn new(name: impl Into<Arc<str>>, text: Arc<[u8]>) -> Self {
        SourceFile { name: name.into(), text, markers: Vec::new(), lines: OnceLock::new() }
    }

    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let newlines = self.text.iter().enumerate().filter(|(_, b)| **b == b'\n');
            std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect()
        })
    }

    /// Physical line and column of a byte, both from 1.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts();
        let line = starts.partition_point(|s| *s <= offset).max(1) - 1;
        (line as u32 + 1, offset - starts[line] + 1)
    }

    /// The text of a physical line (from 1), without its end.
    pub fn line_text(&self, line: u32) -> &[u8] {
        let starts = self.line_starts();
        let Some(&start) = starts.get(line as usize - 1) else { return b"" };
        let rest = self.text.get(start as usize..).unwrap_or(b"");
        let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end])
    }
}

/// A place as a person is shown it: line markers are followed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// File name.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All files and macro uses of a program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SourceMap {
    /// The files.
    pub files: IndexVec<FileId, SourceFile>,
    /// The macro uses.
    pub macros: IndexVec<MacroId, MacroUse>,
}

impl SourceMap {
    /// The presumed place of a span's start.
    pub fn place(&self, span: Span) -> Place {
        let Some(file) = self.files.get(span.file) else {
            return Place { file: "<built-in>".into(), line: 0, column: 0 };
        };
        let (line, column) = file.line_column(span.start);
        let marker = file.markers.partition_point(|m| m.offset <= span.start);
        match marker.checked_sub(1).map(|i| &file.markers[i]) {
            None => Place { file: file.name.clone(), line, column },
            Some(m) => {
                let (base, _) = file.line_column(m.offset);
                Place { file: m.name.clone(), line: m.line + (line - base), column }
            }
        }
    }

    /// The macro use a span came from, if any.
    pub fn macro_use(&self, span: Span) -> Option<&MacroUse> {
        span.expansion.and_then(|id| self.macros.get(id))
    }

    /// The source text of a span; empty when there is none.
    pub fn text(&self, span: Span) -> &[u8] {
        self.files
            .get(span.file)
            .and_then(|f| f.text.get(span.start as usize..span.end as usize))
            .unwrap_or(b"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_line_markers() {
        let mut file = SourceFile::new("a.i", b"# 7 \"a.c\"\nint x;\nint y;\n".as_slice().into());
        file.markers.push(LineMarker { offset: 10, name: "a.c".into(), line: 7 });
        let mut map = SourceMap::default();
        let id = map.files.push(file);
        let span = Span { file: id, start: 21, end: 22, expansion: None };
        assert_eq!(map.place(span).to_string(), "a.c:8:5");
        assert_eq!(map.text(span), b"y");
    }
}
