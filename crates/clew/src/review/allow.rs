// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comments that allow a finding: `/* clew: allow(check) because ... */`, on its line, on the line before, or before a
//! function for all of it; and clang-tidy's `NOLINT(clew-check)`, `NOLINTNEXTLINE`, `NOLINTBEGIN` and `NOLINTEND`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use clew_base::source::{Place, SourceFile, SourceMap, Span};
use clew_checks::CheckSet;
use clew_ir::syntax::Program;
use clew_report::{Report, Row, Suppression};

use super::{is_raised, suppress};

/// What the comments of some programs allow.
#[derive(Default)]
pub struct Allows(Vec<Allow>);

struct Allow {
    /// Where the comment is.
    place: Place,
    checks: CheckSet,
    /// Lines of its file.
    lines: RangeInclusive<u32>,
    /// All of this function instead.
    function: Option<Arc<str>>,
    reason: Option<String>,
    /// Whether it is said when it suppresses nothing.
    is_ours: bool,
    used: bool,
}

/// Reads the comments of all files.
///
/// # Errors
/// What is wrong with them, each with its place.
pub fn collect(programs: &[Program]) -> Result<Allows, Vec<String>> {
    let mut all: Vec<Allow> = Vec::new();
    let mut errors = BTreeSet::new();
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    for program in programs {
        for (id, file) in program.sources.files.iter_enumerated() {
            let is_worth = contains(&file.text, b"clew: allow") || contains(&file.text, b"NOLINT");
            if !is_worth || !seen.insert(file.name.clone()) {
                continue;
            }
            let mut begun: Vec<Allow> = Vec::new();
            for (start, end) in comments(&file.text) {
                let span = Span { file: id, start: start as u32, end: end as u32, expansion: None };
                let comment = Comment { program, file, span };
                match comment.read(&mut begun) {
                    Ok(some) => all.extend(some),
                    Err(what) => drop(errors.insert(what)),
                }
            }
            all.extend(begun);
        }
    }
    if errors.is_empty() { Ok(Allows(all)) } else { Err(errors.into_iter().collect()) }
}

impl Allows {
    /// Suppresses what is allowed.
    pub fn suppress(&mut self, report: &mut Report) {
        for at in 0..report.rows.len() {
            let row = &report.rows[at];
            if !is_raised(&row.verdict) {
                continue;
            }
            if let Some(allow) = self.0.iter_mut().find(|allow| allow.covers(row)) {
                allow.used = true;
                let why = Suppression { in_source: true, reason: allow.reason.clone() };
                suppress(report, at, why);
            }
        }
    }

    /// Those that suppress nothing, though their checks were looked at.
    pub fn stale(&self, report: &Report) -> Vec<String> {
        let files: BTreeSet<&Arc<str>> = report.rows.iter().map(|row| &row.place.file).collect();
        let stale = self.0.iter().filter(|allow| allow.is_ours && !allow.used);
        let stale = stale.filter(|allow| files.contains(&allow.place.file));
        stale.map(|allow| format!("{}: this allows nothing any more: take it out", allow.place)).collect()
    }
}

impl Allow {
    fn covers(&self, row: &Row) -> bool {
        let is_there = match &self.function {
            Some(function) => row.function == *function,
            None => self.lines.contains(&row.place.line),
        };
        is_there && self.place.file == row.place.file && self.checks.contains(row.check)
    }
}

struct Comment<'a> {
    program: &'a Program,
    file: &'a SourceFile,
    span: Span,
}

impl Comment<'_> {
    /// What it allows; ranges that it begins are kept until they end.
    fn read(&self, begun: &mut Vec<Allow>) -> Result<Option<Allow>, String> {
        let text = String::from_utf8_lossy(self.program.sources.text(self.span)).into_owned();
        let text = text.trim_start_matches("/*").trim_start_matches("//").trim_end_matches("*/").trim();
        if let Some(rest) = text.strip_prefix("clew: allow") {
            return self.ours(rest).map(Some).map_err(|what| format!("{}: {what}", self.place()));
        }
        let Some(at) = text.find("NOLINT") else { return Ok(None) };
        let rest = &text[at + "NOLINT".len()..];
        let (kind, rest) = match rest.find('(') {
            Some(at) => rest.split_at(at),
            None => return Ok(None),
        };
        let Some(checks) = tidy_checks(rest) else { return Ok(None) };
        let line = self.place().line;
        let allow = |lines| self.allow(checks, lines, None, None, false);
        match kind {
            "" => return Ok(Some(allow(line..=line))),
            "NEXTLINE" => return Ok(Some(allow(line + 1..=line + 1))),
            "BEGIN" => begun.push(allow(line..=u32::MAX)),
            "END" => {
                return Ok(begun.pop().map(|begun| Allow { lines: *begun.lines.start()..=line, ..begun }));
            }
            _ => {}
        }
        Ok(None)
    }

    fn ours(&self, rest: &str) -> Result<Allow, String> {
        let form = "write `clew: allow(check) because ...`";
        let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (names, rest) = inside.ok_or_else(|| form.to_owned())?;
        let checks = CheckSet::parse(names).map_err(|unknown| unknown.to_string())?;
        if checks.is_empty() {
            return Err(format!("no check is named; {form}"));
        }
        let reason = rest.trim().strip_prefix("because").map(str::trim).filter(|reason| !reason.is_empty());
        let Some(reason) = reason else {
            return Err(format!("a reason is missing: {form}"));
        };
        let reason: Vec<&str> = reason.split_whitespace().filter(|word| *word != "*").collect();
        let reason = Some(reason.join(" "));
        let line = self.place().line;
        if !self.stands_alone() {
            return Ok(self.allow(checks, line..=line, None, reason, true));
        }
        let next = self.next_line();
        let function = self.function_at(next);
        let offset = self.file.line_column(self.span.start).0;
        let next = line + (next - offset);
        Ok(self.allow(checks, next..=next, function, reason, true))
    }

    fn allow(
        &self,
        checks: CheckSet,
        lines: RangeInclusive<u32>,
        function: Option<Arc<str>>,
        reason: Option<String>,
        is_ours: bool,
    ) -> Allow {
        Allow { place: self.place(), checks, lines, function, reason, is_ours, used: false }
    }

    fn place(&self) -> Place {
        self.sources().place(self.span)
    }

    fn sources(&self) -> &SourceMap {
        &self.program.sources
    }

    /// Whether nothing but blanks stands before it on its line, and behind it on its last.
    fn stands_alone(&self) -> bool {
        let text = &self.file.text;
        let before = text[..self.span.start as usize].rsplit(|b| *b == b'\n').next().unwrap_or(b"");
        let after = text[self.span.end as usize..].split(|b| *b == b'\n').next().unwrap_or(b"");
        before.iter().chain(after).all(u8::is_ascii_whitespace)
    }

    /// The first line behind it that has code.
    fn next_line(&self) -> u32 {
        let mut at = self.span.end as usize;
        let text = &self.file.text;
        loop {
            while text.get(at).is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            }
            match comment_end(text, at) {
                Some(end) => at = end,
                None => return self.file.line_column(at as u32).0,
            }
        }
    }

    /// The function whose definition begins on a line: its name comes before anything ends.
    fn function_at(&self, line: u32) -> Option<Arc<str>> {
        const HEAD: u32 = 4;
        let functions =
            self.program.functions.iter().filter(|f| f.body.is_some() && f.span.file == self.span.file);
        let heads =
            functions.filter(|f| (line..line + HEAD).contains(&self.file.line_column(f.span.start).0));
        let is_head = |f: &&clew_ir::syntax::Function| {
            let from = self.file.line_column(f.span.start).0;
            let before =
                (line..from).flat_map(|line| self.file.line_text(line).iter().copied().chain([b'\n']));
            !before.into_iter().any(|byte| matches!(byte, b';' | b'{' | b'}'))
        };
        heads.filter(is_head).min_by_key(|f| f.span.start).map(|f| f.source_name.clone())
    }
}

/// The checks of `(clew-a, clew-*, other-b)`; none if it names none of ours.
fn tidy_checks(list: &str) -> Option<CheckSet> {
    let (names, _) = list.strip_prefix('(')?.split_once(')')?;
    let ours = names.split(',').filter_map(|name| name.trim().strip_prefix("clew-"));
    let sets = ours.map(|name| if name == "*" { CheckSet::parse("all") } else { CheckSet::parse(name) });
    let checks: CheckSet = sets.flatten().flat_map(CheckSet::iter).collect();
    (!checks.is_empty()).then_some(checks)
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// Where the comment that begins here ends.
fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with(b"//") {
        return Some(at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()));
    }
    let inside = rest.strip_prefix(b"/*")?;
    let end = inside.windows(2).position(|two| two == b"*/").map_or(text.len(), |end| at + end + 4);
    Some(end)
}

/// The comments of a C text; texts and characters are passed over.
fn comments(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if let Some(end) = comment_end(text, at) {
            found.push((at, end));
            at = end;
            continue;
        }
        let quote = text[at];
        at += 1;
        if quote == b'"' || quote == b'\'' {
            while at < text.len() && text[at] != quote && text[at] != b'\n' {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_outside_of_texts() {
        let text = b"a /* b */ \"/* no */\" '\"' // c\n\"\\\"/*no*/\" /* d";
        let found: Vec<&[u8]> = comments(text).into_iter().map(|(start, end)| &text[start..end]).collect();
        assert_eq!(found, [&b"/* b */"[..], b"// c", b"/* d"]);
    }

    #[test]
    fn tidy_lists_name_ours_by_their_prefix() {
        assert!(tidy_checks("(bugprone-x)").is_none());
        assert!(tidy_checks("(clew-null-deref, bugprone-x)").is_some());
        assert_eq!(tidy_checks("(clew-*)"), CheckSet::parse("all").ok());
    }
}
