// SPDX-License-Identifier: MIT OR Apache-2.0
//! One line a finding, as GNU compilers write them: every editor and every log reader knows the form.

use crate::finding::{Finding, in_order};
use crate::model::Report;
use crate::question::questions;

/// The violations that are shown, and with `open` the open questions as notes.
pub fn render(report: &Report, findings: &[Finding], open: bool) -> String {
    let mut out = String::new();
    for finding in in_order(findings) {
        let with = match finding.inputs.is_empty() {
            true => String::new(),
            false => format!(" (with {})", finding.inputs.join(", ")),
        };
        let (place, level) = (finding.place(), finding.message.level.name());
        out += &format!("{place}: {level}: {}{with} [{}]\n", finding.said(), finding.check);
    }
    for question in questions(report).iter().filter(|_| open) {
        let checks: Vec<&str> = question.checks().iter().map(|check| check.id()).collect();
        let reason = question.reason().map_or_else(String::new, ToString::to_string);
        out += &format!("{}: note: {reason} [{}]\n", question.place(), checks.join(","));
    }
    out
}
