// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is done with findings before they are shown: comments and a baseline suppress some, and with `--changed-since`
//! those that touch no changed line step back.

pub mod allow;
mod baseline;
mod changed;

use clew_ir::verdict::Verdict;
use clew_report::{Finding, Report, Suppression};

use crate::flags::CheckFlags;
use crate::pipeline::Checked;
use allow::Allows;

/// What the user is told of it.
#[derive(Default)]
pub struct Review {
    /// Findings that are suppressed, for who asks.
    pub suppressed: Vec<Finding>,
    /// What was noticed: stale comments, stale entries.
    pub notes: Vec<String>,
}

/// Applies comments, the baseline and the changed lines, in this order.
pub fn review(checked: &mut Checked, allows: &mut Allows, flags: &CheckFlags) -> Result<Review, String> {
    let mut review = Review::default();
    allows.suppress(&mut checked.report);
    let is_whole = !checked.report.coverage.truncated && checked.report.coverage.rejected.is_empty();
    if is_whole {
        review.notes.extend(allows.stale(&checked.report));
    }
    if let Some(file) = &flags.report.baseline {
        if flags.report.update_baseline {
            review.notes.push(baseline::update(file, &checked.report)?);
        }
        review.notes.extend(baseline::suppress(file, &mut checked.report, is_whole)?);
    }
    let suppressed = &checked.report.suppressed;
    let (hidden, shown) = std::mem::take(&mut checked.violations.findings)
        .into_iter()
        .partition(|finding| suppressed.contains_key(&finding.id));
    review.suppressed = hidden;
    checked.violations.findings = shown;
    if let Some(revision) = &flags.report.changed_since {
        let lines = changed::lines(revision)?;
        let (touching, elsewhere): (Vec<Finding>, Vec<Finding>) =
            std::mem::take(&mut checked.violations.findings)
                .into_iter()
                .partition(|finding| lines.touch(finding));
        checked.violations.findings = touching;
        checked.report.elsewhere = elsewhere.iter().map(|finding| finding.id.clone()).collect();
    }
    Ok(review)
}

/// Whether a row is something that suppression is about.
fn is_raised(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Violated { .. } | Verdict::Open(_))
}

/// Suppresses a row, unless it is already.
fn suppress(report: &mut Report, at: usize, why: Suppression) {
    let id = report.rows[at].id.clone();
    report.suppressed.entry(id).or_insert(why);
}
