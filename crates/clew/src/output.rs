// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where reports go: in which form, and to a file that is tried before any work is done.

use std::fs::OpenOptions;
use std::path::Path;

use clew_report::listing::{self, Shown};
use clew_report::sarif::{self, Extras, Suppressed};
use clew_report::{codeclimate, gcc, json, slice};

use crate::flags::{CheckFlags, ReportFormat};
use crate::pipeline::Checked;
use crate::review::Review;
use crate::slices::Asked;
use crate::terminal::{print, stdout_style};

/// Whether the file can be written, without touching what is in it: an hour of work must not end in a wrong name.
pub fn try_file(file: &Path) -> Result<(), String> {
    let is_there = file.exists();
    let opened = OpenOptions::new().append(true).create(true).open(file);
    opened.map_err(|e| format!("{}: {e}", file.display()))?;
    if !is_there {
        // Nothing is known yet, and an empty report would look like one.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

/// The report in the form that was asked for.
pub fn rendered(flags: &CheckFlags, checked: &Checked, review: &Review, asked: Option<&Asked>) -> String {
    let Checked { report, violations } = checked;
    let findings = &violations.findings;
    let form = &flags.report;
    match form.format {
        ReportFormat::Json => json::to_json(report, findings),
        ReportFormat::Sarif => {
            let suppressed = review.suppressed.iter().filter(|_| form.sarif_suppressed);
            let suppressed = suppressed.map(|finding| {
                let why = report.suppressed.get(&finding.id);
                let reason = why.and_then(|why| why.reason.as_deref());
                Suppressed { finding, in_source: why.is_some_and(|why| why.in_source), reason }
            });
            let (open, category) = (form.with_open, form.category.as_deref());
            let extras = Extras { open, category, suppressed: suppressed.collect() };
            sarif::render(report, findings, &extras)
        }
        ReportFormat::Gcc => gcc::render(report, findings, form.with_open),
        ReportFormat::CodeClimate => codeclimate::render(report, findings, form.with_open),
        ReportFormat::Text => match asked {
            Some(asked) => {
                let rows = report.rows.iter().filter(|row| asked.is_asked(row));
                slice::render(rows, stdout_style())
            }
            None => {
                let shown = Shown { limit: (flags.limit > 0).then_some(flags.limit), all: flags.proved };
                listing::render(report, findings, shown, stdout_style())
            }
        },
    }
}

/// Writes to a file, or to standard output.
pub fn write(text: &str, file: Option<&Path>) -> Result<(), String> {
    match file {
        None => print(text),
        Some(file) => std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))?,
    }
    Ok(())
}
