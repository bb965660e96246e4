// SPDX-License-Identifier: MIT OR Apache-2.0
//! The word of the program that nothing was added to.

use std::time::Duration;

use crate::build::{Programs, Settings};
use crate::sandbox::run;
use crate::site::{Finding, Kind, Operation, Site};

/// How long one call may take.
const TIME: Duration = Duration::from_secs(10);

/// Whether the second program raises the site's kind there; then, whether its function says that all is well and gives infinity or no number.
pub(crate) fn replay(
    programs: &Programs,
    site: &Site,
    finding: &Finding,
    settings: &Settings,
) -> Option<bool> {
    let mut words = vec![finding.entry.to_string(), site.kind.number().to_string()];
    words.extend(finding.values.iter().map(|bits| format!("{bits:x}")));
    let outcome = run(&programs.replay(), &words, TIME, settings)?;
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let mut lines = said.lines();
    let head: Vec<&str> = lines.next()?.split(' ').collect();
    let value = |name: &str, by: usize| {
        let at = head.iter().position(|word| *word == name)?;
        head.get(at + by).map(|word| *word == "1")
    };
    let flagged = match site.kind {
        Kind::DivisionByZero => value("flags", 1)?,
        Kind::Overflow => value("flags", 2)?,
        Kind::Underflow => value("flags", 3)?,
        Kind::Invalid => value("flags", 4)?,
        // An exact result sets no flag; the trap sees it.
        Kind::Tiny => true,
    };
    let addresses = lines.filter_map(|line| u64::from_str_radix(line.strip_prefix("at ")?, 16).ok());
    let mut places = addresses.filter_map(|address| programs.replay_lines.place(address));
    // What a library function raises happens inside of it: the flag of the whole run is what there is.
    let is_there = site.operation == Operation::Call || places.any(|place| *place == site.place);
    (flagged && is_there).then(|| value("silent", 1).unwrap_or(false))
}
