// SPDX-License-Identifier: MIT OR Apache-2.0
//! Word lengths: the shortest format for all floats that keeps an error and lets nothing overflow, with the proof.
//!
//! Fraction digits are tried from none upward until the bound is small enough; integer digits follow from the values that
//! the machine may have. The choice is then analysed like any other: that is the proof. What runs reach with fewer
//! fraction digits says how many no format can do without.

use clew_ir::syntax::Program;
use serde::Serialize;

use crate::bound::{Effort, bounds};
use crate::format::Format;
use crate::interval::Interval;
use crate::journal::Journal;
use crate::reach::{Runs, Tries, runs};
use crate::setup::{Setup, Variable, name_of};

/// The longest part that is tried.
const MOST: u16 = 36;

/// A format and why it is the one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fitted {
    /// The format, as it is written.
    pub format: String,
    /// The largest error of a result in it.
    pub bound: f64,
    /// Operations that are proved to fit.
    pub proved: usize,
    /// With this many fraction digits a run exceeds the error, so that no format has fewer than one more.
    pub too_few: Option<TooFew>,
}

/// Why fewer digits do not do.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TooFew {
    /// Fraction digits.
    pub fraction: u16,
    /// The error that is reached with them.
    pub reached: f64,
}

/// Finds the shortest format for `ALL`.
///
/// # Errors
/// Why there is none.
pub fn fit(
    program: &Program,
    setup: &Setup,
    error: f64,
    effort: Effort,
    tries: Tries,
) -> Result<Fitted, String> {
    let Some(template) = setup.all else {
        return Err(
            "--fit chooses the format of all floats: it needs ALL in some format to begin with".to_owned()
        );
    };
    let with = |integer: u16, fraction: u16| Setup {
        all: Some(Format { integer, fraction, ..template }),
        ..setup.clone()
    };
    let mut found = None;
    let mut why = String::new();
    for fraction in 0..=MOST {
        match bounds(program, &with(MOST, fraction), effort).best {
            Ok(journal) if worst(program, setup, &journal) <= error => {
                found = Some((fraction, journal));
                break;
            }
            Ok(_) => {
                why = format!(
                    "even with {fraction} fraction digits the error is not proved to be within {error}"
                )
            }
            Err(stop) => why = stop.why,
        }
    }
    let Some((fraction, journal)) = found else { return Err(why) };
    let needed = |integer: &u16| {
        let format = Format { integer: *integer, fraction, ..template };
        journal.sites.values().all(|site| format.range().encloses(site.before.machine))
    };
    let least = (0..=MOST).find(needed).ok_or("no format holds all values")?;
    // The values of a narrower format may differ: what is chosen is proved for itself.
    for integer in least..=MOST {
        let chosen = with(integer, fraction);
        let Ok(journal) = bounds(program, &chosen, effort).best else { continue };
        let bound = worst(program, setup, &journal);
        if bound > error || journal.sites.values().any(|site| site.may) {
            continue;
        }
        let format = chosen.all.map(|format| format.to_string()).unwrap_or_default();
        let too_few = (0..fraction).rev().find_map(|fewer| {
            let reached = most(program, setup, &runs(program, &with(MOST, fewer), tries));
            (reached > error).then_some(TooFew { fraction: fewer, reached })
        });
        return Ok(Fitted { format, bound, proved: journal.sites.len(), too_few });
    }
    Err("no format lets nothing overflow".to_owned())
}

/// Whether a row is a result: what is returned, else any variable but the inputs.
fn is_result(program: &Program, setup: &Setup, name: &str, has_return: bool) -> bool {
    if has_return {
        return name == "return";
    }
    let is_input = |variable: Variable| {
        let input = name_of(program, variable);
        name == input || name == format!("{input}[]") || name == format!("{input} at the start")
    };
    !setup.inputs.iter().any(|input| is_input(input.variable))
}

fn worst(program: &Program, setup: &Setup, journal: &Journal) -> f64 {
    let ends = || journal.rows.iter().filter(|(key, _)| key.0.is_none());
    let has_return = ends().any(|(key, _)| &*key.1 == "return");
    if journal.unclear.keys().any(|key| key.0.is_none() && is_result(program, setup, &key.1, has_return)) {
        return f64::INFINITY;
    }
    ends()
        .filter(|(key, _)| is_result(program, setup, &key.1, has_return))
        .map(|(_, seen)| if seen.error == Interval::ZERO { 0.0 } else { seen.error.magnitude() })
        .fold(0.0, f64::max)
}

fn most(program: &Program, setup: &Setup, runs: &Runs) -> f64 {
    let has_return = runs.reached.contains_key("return");
    let results = runs.reached.iter().filter(|(name, _)| is_result(program, setup, name, has_return));
    results.map(|(_, reached)| reached.error).fold(0.0, f64::max)
}
