// SPDX-License-Identifier: MIT OR Apache-2.0
//! The line of source that a span starts on, cut out so that drawing it costs the line and not the file.

use std::ops::Range;

use clew_base::source::{Place, SourceMap, Span};

/// Lines longer than this are not drawn: they come from generators, and a screen full of them helps nobody.
const LONGEST_LINE: usize = 400;

/// What is drawn for a span.
pub(crate) struct Excerpt {
    /// The place that is printed.
    pub place: Place,
    /// The line and the bytes of it to mark; `None` when the text is not at hand or too long.
    pub line: Option<(String, Range<usize>)>,
}

/// The excerpt for a span; `None` if it has no place.
pub(crate) fn excerpt(sources: &SourceMap, span: Span) -> Option<Excerpt> {
    let file = sources.files.get(span.file)?;
    let place = sources.place(span);
    let (line, column) = file.line_column(span.start);
    let text = file.line_text(line);
    if text.is_empty() || text.len() > LONGEST_LINE {
        return Some(Excerpt { place, line: None });
    }
    let start = (column as usize - 1).min(text.len());
    let length = (span.end.saturating_sub(span.start) as usize).max(1);
    let end = (start + length).min(text.len());
    // Replacement characters have another length than the bytes they replace: positions are counted in the new text.
    let before = String::from_utf8_lossy(&text[..start]).into_owned();
    let marked = String::from_utf8_lossy(&text[start..end]).into_owned();
    let after = String::from_utf8_lossy(&text[end..]).into_owned();
    let range = before.len()..before.len() + marked.len();
    Some(Excerpt { place, line: Some((before + &marked + &after, range)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clew_base::source::SourceFile;

    fn source(text: &[u8]) -> (SourceMap, Span) {
        let mut sources = SourceMap::default();
        let file = sources.files.push(SourceFile::new("a.c", text.into()));
        (sources, Span { file, start: 0, end: 0, expansion: None })
    }

    #[test]
    fn bytes_that_are_no_text_do_not_shift_the_mark() {
        let (sources, none) = source(b"x\n\"\xff\" + y;\n");
        let excerpt = excerpt(&sources, Span { start: 8, end: 9, ..none }).unwrap();
        let (line, range) = excerpt.line.unwrap();
        assert_eq!(&line[range], "y");
        assert_eq!(excerpt.place.to_string(), "a.c:2:7");
    }

    #[test]
    fn a_mark_ends_with_its_line() {
        let (sources, none) = source(b"f(1,\n  2);\n");
        let (line, range) = excerpt(&sources, Span { start: 0, end: 9, ..none }).unwrap().line.unwrap();
        assert_eq!(&line[range], "f(1,");
    }

    #[test]
    fn endless_lines_are_not_drawn() {
        let text = vec![b'('; 100_000];
        let (sources, none) = source(&text);
        assert!(excerpt(&sources, Span { start: 500, end: 501, ..none }).unwrap().line.is_none());
    }
}
