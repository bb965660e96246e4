// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--slice` and `--slices`: which obligations' slices are asked for, and how they are shown.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::Place;
use clew_checks::CheckSet;
use clew_ir::obligation::StableId;
use clew_ir::syntax::Program;
use clew_ir::verdict::Verdict;
use clew_report::{Report, Row, Slice, SliceLine};

use crate::knowledge::Title;
use crate::rows::excerpt;

/// The slices that the user asks for.
#[derive(Clone)]
pub struct Asked {
    /// Of these obligations; none stands for all.
    requests: Option<Vec<Request>>,
    /// Of these checks.
    shown: CheckSet,
}

/// One or a few obligations.
#[derive(Clone)]
enum Request {
    /// By name.
    Id(String),
    /// By place.
    At { file: String, line: u32, column: Option<u32> },
}

impl Asked {
    /// What the flags ask for, if anything.
    pub fn new(all: bool, some: &[String], shown: CheckSet) -> Option<Asked> {
        let requests = some.iter().map(|text| Request::parse(text)).collect();
        match (all, some.is_empty()) {
            (true, _) => Some(Asked { requests: None, shown }),
            (false, false) => Some(Asked { requests: Some(requests), shown }),
            (false, true) => None,
        }
    }

    /// Whether a slice is asked for and nothing else.
    pub fn is_only_some(&self) -> bool {
        self.requests.is_some()
    }

    /// The names of the rows that are asked for.
    pub fn names(&self, titles: &[Title]) -> BTreeSet<StableId> {
        let is_asked = |title: &&Title| {
            let requests = self.requests.as_ref();
            requests.is_none_or(|some| some.iter().any(|r| r.is_of(&title.id, &title.place)))
        };
        let shown = titles.iter().filter(|title| self.shown.contains(title.check));
        shown.filter(is_asked).map(|title| title.id.clone()).collect()
    }

    /// Whether each request finds an open obligation; else what is there.
    pub fn has_open(&self, report: &Report) -> Result<(), String> {
        let Some(requests) = &self.requests else { return Ok(()) };
        for request in requests {
            let found: Vec<&Row> = report.rows.iter().filter(|row| request.names(row)).collect();
            if found.is_empty() {
                return Err(request.nothing_there(report));
            }
            if !found.iter().any(|row| matches!(row.verdict, Verdict::Open(_))) {
                return Err(request.nothing_open(&found));
            }
        }
        Ok(())
    }

    /// Whether a row is one that was asked for by name or place.
    pub fn is_asked(&self, row: &Row) -> bool {
        self.requests.as_ref().is_some_and(|some| some.iter().any(|request| request.names(row)))
    }
}

impl Request {
    fn parse(text: &str) -> Request {
        let number = |text: &str| text.parse::<u32>().ok();
        let at = |file: &str, line, column| Request::At { file: file.to_owned(), line, column };
        if let Some((rest, last)) = text.rsplit_once(':')
            && let Some(last) = number(last)
        {
            return match rest.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
                Some((file, line)) => at(file, line, Some(last)),
                None => at(rest, last, None),
            };
        }
        Request::Id(text.to_owned())
    }

    fn names(&self, row: &Row) -> bool {
        self.is_of(&row.id, &row.place)
    }

    fn is_of(&self, own: &StableId, place: &Place) -> bool {
        match self {
            Request::Id(id) => *own.0 == **id,
            Request::At { file, line, column } => {
                place.line == *line
                    && column.is_none_or(|column| place.column == column)
                    && is_file(&place.file, file)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Request::Id(id) => format!("`{id}`"),
            Request::At { file, line, column: None } => format!("{file}:{line}"),
            Request::At { file, line, column: Some(column) } => format!("{file}:{line}:{column}"),
        }
    }

    /// Says what is near.
    fn nothing_there(&self, report: &Report) -> String {
        let Request::At { file, line, .. } = self else {
            return format!(
                "--slice: there is no obligation {} among those shown; FILE:LINE names one, too, and \
                 `--format json` lists the ids",
                self.text()
            );
        };
        let lines: BTreeSet<u32> = report
            .rows
            .iter()
            .filter(|row| is_file(&row.place.file, file))
            .map(|row| row.place.line)
            .collect();
        let before = lines.range(..=*line).next_back();
        let after = lines.range(*line..).find(|l| Some(*l) != before);
        let near: Vec<String> = before.into_iter().chain(after).map(u32::to_string).collect();
        match near.is_empty() {
            true => format!("--slice: there is no obligation in `{file}` among those shown"),
            false => format!(
                "--slice: there is no obligation at {} among those shown; the nearest are at line {}",
                self.text(),
                near.join(" and ")
            ),
        }
    }

    fn nothing_open(&self, found: &[&Row]) -> String {
        let said: Vec<String> = found
            .iter()
            .map(|row| {
                let verdict = match &row.verdict {
                    Verdict::Proved(_) => "proved",
                    Verdict::Unreachable(_) => "unreachable",
                    Verdict::Violated { .. } => "violated",
                    Verdict::Open(_) => "open",
                };
                format!("{} `{}` is {verdict}", row.check, row.text)
            })
            .collect();
        format!("--slice: nothing is open at {}: {}", self.text(), said.join(", "))
    }
}

/// Whether the user's name of a file is that of a report.
fn is_file(name: &str, asked: &str) -> bool {
    let ends = name.strip_suffix(asked);
    ends.is_some_and(|folder| folder.is_empty() || folder.ends_with('/') || asked.starts_with('/'))
}

/// A slice as a report shows it: line by line in the order of the text, those of the obligation's file first.
pub fn shown(program: &Program, slice: &clew_absint::Slice, at: &Place) -> Slice {
    let mut lines: BTreeMap<(bool, std::sync::Arc<str>, u32), SliceLine> = BTreeMap::new();
    for step in &slice.steps {
        let place = program.sources.place(step.span);
        let text = || {
            let file = program.sources.files.get(step.span.file);
            file.map_or_else(String::new, |file| {
                excerpt(file.line_text(file.line_column(step.span.start).0).trim_ascii())
            })
        };
        let key = (place.file != at.file, place.file.clone(), place.line);
        let line = lines.entry(key).or_insert_with(|| SliceLine {
            place: place.clone(),
            text: text(),
            values: Vec::new(),
            lost: Vec::new(),
        });
        line.place.column = line.place.column.min(place.column);
        for value in &step.values {
            if !line.values.contains(value) {
                line.values.push(value.clone());
            }
        }
        for lost in &step.lost {
            if !line.lost.contains(lost) {
                line.lost.push(lost.clone());
            }
        }
    }
    Slice { lines: lines.into_values().collect(), is_cut: slice.is_cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_ids_or_places() {
        let text = |request: &str| Request::parse(request).text();
        assert_eq!(text("0123456789abcdef"), "`0123456789abcdef`");
        assert_eq!(text("a.c:12"), "a.c:12");
        assert_eq!(text("dir/a.c:12:5"), "dir/a.c:12:5");
        assert_eq!(text("odd:name.c"), "`odd:name.c`");
    }

    #[test]
    fn files_by_the_end_of_their_path() {
        assert!(is_file("src/a.c", "a.c"));
        assert!(is_file("src/a.c", "src/a.c"));
        assert!(!is_file("src/aa.c", "a.c"));
        assert!(!is_file("a.c", "src/a.c"));
    }
}
