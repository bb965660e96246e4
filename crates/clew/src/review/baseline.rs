// SPDX-License-Identifier: MIT OR Apache-2.0
//! A baseline: what is known and accepted, by stable ids, so that moved lines and renamed files bring nothing back.

use std::collections::BTreeSet;
use std::path::Path;

use clew_ir::verdict::Verdict;
use clew_report::{Report, Row, Suppression};
use serde::{Deserialize, Serialize};

use super::{is_raised, suppress as suppress_row};

/// The version of the file.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    version: u32,
    findings: Vec<Known>,
}

/// One that is known. Only `id` and `verdict` count; the rest tells people what it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    file: String,
    function: String,
    check: String,
    expression: String,
    verdict: String,
    id: String,
}

/// Suppresses what the baseline knows; says which entries nothing answers to.
pub fn suppress(file: &Path, report: &mut Report, is_whole: bool) -> Result<Vec<String>, String> {
    let baseline = read(file)?;
    let known: BTreeSet<(&str, &str)> =
        baseline.findings.iter().map(|known| (&*known.id, &*known.verdict)).collect();
    let mut answered: BTreeSet<(String, String)> = BTreeSet::new();
    for at in 0..report.rows.len() {
        let row = &report.rows[at];
        let key = (row.id.0.to_string(), verdict(row).to_owned());
        if is_raised(&row.verdict) && known.contains(&(&*key.0, &*key.1)) {
            answered.insert(key);
            suppress_row(report, at, Suppression { in_source: false, reason: None });
        }
    }
    let stale = known.len() - answered.len();
    Ok(match stale {
        0 => Vec::new(),
        _ if !is_whole => Vec::new(),
        1 => vec![format!("{}: 1 entry is stale: --update-baseline drops it", file.display())],
        n => vec![format!("{}: {n} entries are stale: --update-baseline drops them", file.display())],
    })
}

/// Writes what is violated or open now, but for what comments suppress.
pub fn update(file: &Path, report: &Report) -> Result<String, String> {
    let is_meant = |row: &&Row| is_raised(&row.verdict) && !report.suppressed.contains_key(&row.id);
    let mut findings: Vec<Known> = report
        .rows
        .iter()
        .filter(is_meant)
        .map(|row| Known {
            file: row.place.file.to_string(),
            function: row.function.to_string(),
            check: row.check.id().to_owned(),
            expression: row.text.clone(),
            verdict: verdict(row).to_owned(),
            id: row.id.0.to_string(),
        })
        .collect();
    findings.sort();
    findings.dedup();
    let count = findings.len();
    let text = serde_json::to_string_pretty(&Baseline { version: VERSION, findings }).unwrap_or_default();
    // What stands there may be somebody else's.
    if file.exists() {
        read(file)?;
    }
    std::fs::write(file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(format!("{}: {count} known findings and open questions are written", file.display()))
}

fn read(file: &Path) -> Result<Baseline, String> {
    let text = std::fs::read_to_string(file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            format!("{}: there is no such baseline; --update-baseline writes one", file.display())
        }
        _ => format!("{}: {e}", file.display()),
    })?;
    let place = |e: &serde_json::Error| format!("{}:{}:{}", file.display(), e.line(), e.column());
    let baseline: Baseline =
        serde_json::from_str(&text).map_err(|e| format!("{}: not a baseline: {e}", place(&e)))?;
    match baseline.version {
        VERSION => Ok(baseline),
        other => Err(format!("{}: version {other}, this clew reads {VERSION}", file.display())),
    }
}

fn verdict(row: &Row) -> &'static str {
    match row.verdict {
        Verdict::Violated { .. } => "violated",
        Verdict::Open(_) => "open",
        Verdict::Proved(_) => "proved",
        Verdict::Unreachable(_) => "unreachable",
    }
}
