// SPDX-License-Identifier: MIT OR Apache-2.0
//! Violations as text: errors before warnings, drawn as long as there is room, then a line each, then counted.

use crate::finding::{Finding, in_order};
use crate::text::{self, Style};

/// How many violations that are not drawn get a line each.
const LISTED: usize = 8;

/// Draws violations on at most about so many lines; the first is always drawn. None is no limit.
pub fn render(findings: &[Finding], lines: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    let mut left = in_order(findings).into_iter().peekable();
    let mut used = 0;
    while let Some(finding) = left.peek() {
        let drawn = text::render(&finding.message, &finding.sources, style) + "\n";
        let height = drawn.lines().count();
        if used > 0 && lines.is_some_and(|lines| used + height > lines) {
            break;
        }
        used += height;
        out += &drawn;
        left.next();
    }
    let listed: Vec<_> = left.by_ref().take(LISTED).collect();
    listed.iter().for_each(|finding| out += &text::brief(&finding.message, &finding.sources));
    let more = left.count();
    if more > 0 {
        out += &format!("... and {more} more violations; --limit 0 shows all\n");
    } else if !listed.is_empty() {
        out += "--limit 0 shows them with their inputs\n";
    }
    if !listed.is_empty() {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Level, Message};
    use clew_base::source::SourceMap;
    use clew_ir::obligation::{CheckKind, StableId};

    fn finding(level: Level, title: &str) -> Finding {
        Finding {
            id: StableId(title.into()),
            check: CheckKind::NullDeref,
            message: Message::plain(level, title),
            sources: SourceMap::default(),
            inputs: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            kept: None,
        }
    }

    #[test]
    fn errors_come_first_and_what_has_no_room_gets_a_line() {
        let all =
            [finding(Level::Warning, "slow"), finding(Level::Error, "bad"), finding(Level::Error, "worse")];
        assert_eq!(render(&all, None, Style::PLAIN), "error: bad\n\nerror: worse\n\nwarning: slow\n\n");
        assert_eq!(
            render(&all, Some(1), Style::PLAIN),
            "error: bad\n\nerror: worse\nwarning: slow\n--limit 0 shows them with their inputs\n\n"
        );
    }
}
