// SPDX-License-Identifier: MIT OR Apache-2.0
//! CodeClimate's JSON, as GitLab's code quality report reads it: one list, each entry with a place and a fingerprint.

use serde::Serialize;

use crate::finding::{Finding, in_order};
use crate::model::{Report, Row};
use crate::question::questions;

#[derive(Serialize)]
struct Issue<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    check_name: &'a str,
    description: String,
    categories: [&'static str; 1],
    fingerprint: &'a str,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// The violations that are shown, and with `open` the open questions as `info`.
pub fn render(report: &Report, findings: &[Finding], open: bool) -> String {
    let order = in_order(findings);
    let places: Vec<_> = order.iter().map(|finding| finding.place()).collect();
    let found = order.iter().zip(&places).map(|(finding, place)| Issue {
        kind: "issue",
        check_name: finding.check.id(),
        description: format!("{}: {}", finding.message.title, finding.said()),
        categories: ["Bug Risk"],
        fingerprint: &finding.id.0,
        severity: if finding.is_error() { "critical" } else { "major" },
        location: Location { path: &place.file, lines: Lines { begin: place.line } },
    });
    let questions = if open { questions(report) } else { Vec::new() };
    let asked = questions.iter().map(|question| {
        let first: &Row = question.rows[0];
        Issue {
            kind: "issue",
            check_name: first.check.id(),
            description: format!(
                "`{}`: {}",
                question.text(),
                question.reason().map_or_else(String::new, ToString::to_string)
            ),
            categories: ["Bug Risk"],
            fingerprint: &first.id.0,
            severity: "info",
            location: Location { path: &first.place.file, lines: Lines { begin: first.place.line } },
        }
    });
    let issues: Vec<Issue<'_>> = found.chain(asked).collect();
    serde_json::to_string_pretty(&issues).unwrap_or_default() + "\n"
}
