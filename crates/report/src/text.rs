// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages as the best compilers draw them.

use annotate_snippets::{AnnotationKind, Group, Level as Drawn, Origin, Renderer, Snippet};
use clew_base::source::{SourceMap, Span};

use crate::message::{Level, Message, Note};
use crate::snippet::excerpt;

/// How text is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// With colours.
    pub colour: bool,
    /// Columns.
    pub width: usize,
}

impl Style {
    /// For files, pipes and tests.
    pub const PLAIN: Style = Style { colour: false, width: 100 };

    pub(crate) fn bold(self, text: &str) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Draws a message; the text ends with a line end.
pub fn render(message: &Message, sources: &SourceMap, style: Style) -> String {
    let mut title = drawn(message.level).primary_title(&message.title);
    if let Some(code) = &message.code {
        title = title.id(code);
    }
    let mut first = place(Group::with_title(title), sources, message.span, message.label.as_deref());
    let (plain, placed): (Vec<&Note>, Vec<&Note>) = message.notes.iter().partition(|n| n.span.is_none());
    first = first.elements(plain.iter().map(|note| drawn(note.level).message(&note.text)));
    let mut groups = vec![first];
    groups.extend(placed.iter().map(|note| {
        let title = drawn(note.level).secondary_title(&note.text);
        place(Group::with_title(title), sources, note.span, None)
    }));
    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(style.width).render(&groups) + "\n"
}

/// A message on one line, as compilers write it for editors.
pub fn brief(message: &Message, sources: &SourceMap) -> String {
    let place =
        if message.span.is_none() { String::new() } else { format!("{}: ", sources.place(message.span)) };
    let code = message.code.as_ref().map_or_else(String::new, |code| format!("[{code}]"));
    let text = message.label.as_ref().unwrap_or(&message.title);
    format!("{place}{}{code}: {text}\n", message.level.name())
}

/// Adds the source line of a span to a group, or only its place where the line cannot be drawn.
fn place<'a>(group: Group<'a>, sources: &SourceMap, span: Span, label: Option<&'a str>) -> Group<'a> {
    let Some(excerpt) = excerpt(sources, span) else { return group };
    let path = excerpt.place.file.to_string();
    let line = excerpt.place.line as usize;
    match excerpt.line {
        Some((text, range)) => {
            let mark = AnnotationKind::Primary.span(range).label(label);
            group.element(Snippet::source(text).line_start(line).path(path).annotation(mark))
        }
        None => group.element(Origin::path(path).line(line).char_column(excerpt.place.column as usize)),
    }
}

fn drawn(level: Level) -> Drawn<'static> {
    match level {
        Level::Error => Drawn::ERROR,
        Level::Warning => Drawn::WARNING,
        Level::Note => Drawn::NOTE,
        Level::Help => Drawn::HELP,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clew_base::source::SourceFile;

    #[test]
    fn a_message_with_places_and_notes() {
        let mut sources = SourceMap::default();
        let text = b"int main(void) {\n    int *p = 0;\n    return *p;\n}\n";
        let file = sources.files.push(SourceFile::new("null.c", text.as_slice().into()));
        let span = |start, end| Span { file, start, end, expansion: None };
        let message = Message {
            level: Level::Error,
            code: Some("null-deref".to_owned()),
            title: "a null pointer is dereferenced".to_owned(),
            span: span(44, 46),
            label: Some("`p` is null".to_owned()),
            notes: vec![Note::at(span(26, 27), "it was set here"), Note::plain("in `main`")],
        };
        insta::assert_snapshot!(render(&message, &sources, Style::PLAIN), @"
        error[null-deref]: a null pointer is dereferenced
         --> null.c:3:12
          |
        3 |     return *p;
          |            ^^ `p` is null
          |
          = note: in `main`
        note: it was set here
         --> null.c:2:10
          |
        2 |     int *p = 0;
          |          ^
        ");
    }
}
