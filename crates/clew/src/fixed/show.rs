// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report of `clew fixed`: a table for people, JSON for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clew_fixed::analysis::{Analysis, Ends, OverflowRow, Row};
use clew_fixed::fit::Fitted;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::flags::FixedFlags;

/// For people.
pub fn text(analysis: &Analysis, flags: &FixedFlags) -> String {
    let mut out = String::new();
    if let Some(why) = &analysis.no_bound {
        let _ = writeln!(out, "no bound, because {why}\n");
    }
    let is_end = |row: &&Row| row.place.is_none() && !row.variable.ends_with(" at the start");
    let end: Vec<&Row> = analysis.rows.iter().filter(is_end).collect();
    if !end.is_empty() {
        let _ = writeln!(out, "at the end of {}", analysis.function);
        table(&mut out, &end, flags);
    }
    if flags.lines {
        let lines: Vec<&Row> = analysis.rows.iter().filter(|row| row.place.is_some()).collect();
        let _ = writeln!(out, "\nby assignment");
        table(&mut out, &lines, flags);
    }
    for row in &analysis.overflows {
        let _ = write!(out, "\n{}", overflow(row));
    }
    for test in &analysis.tests {
        let parts = if test.may_part {
            "rounding may turn it: both ways are in the bounds, and machine and reals on different ways"
        } else {
            "both ways are in the bounds"
        };
        let _ = writeln!(out, "\nnot decided: {}  `{}`\n  {parts}", test.place, test.test);
    }
    let _ = writeln!(out, "\n{}", summary(analysis));
    if let Some(within) = flags.within {
        for row in &end {
            let _ =
                writeln!(out, "is the error of {} within {within}? {}", row.variable, verdict(row, within));
        }
    }
    out
}

/// What is known of a question about an error.
fn verdict(row: &Row, within: f64) -> &'static str {
    match (row.bound, row.reached) {
        (Some(bound), _) if bound <= within => "yes",
        (_, Some(reached)) if reached > within => "no",
        _ => "not known",
    }
}

fn summary(analysis: &Analysis) -> String {
    let may = analysis.overflows.len();
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut out = format!("{} proved to fit", plural(analysis.proved, "operation"));
    if may > 0 {
        let shown = analysis.overflows.iter().filter(|row| row.inputs.is_some()).count();
        out += &format!(", {may} may overflow ({shown} shown by a run)");
        out += "; errors are bounded as if formats had no ends";
    }
    if analysis.exhaustive {
        out += "; every input of the machine was looked at";
    }
    out + &format!(
        "; {}, {}",
        plural(analysis.boxes, "box").replace("boxs", "boxes"),
        plural(analysis.runs as usize, "run")
    )
}

fn overflow(row: &OverflowRow) -> String {
    let what = row.variable.as_ref().map_or(String::new(), |name| format!(" of {name}"));
    let mut out = String::new();
    match (&row.inputs, row.value) {
        (Some(inputs), Some(value)) => {
            let _ = writeln!(out, "overflow{what}: {}  `{}`", row.place, row.operation);
            let _ = writeln!(out, "  {} does not fit {}, with {}", number(value), row.format, listed(inputs));
            match row.confirmed {
                Some(true) => out += "  confirmed by the compiled emulation\n",
                Some(false) => out += "  not confirmed: the compiled emulation does not show it\n",
                None => {
                    if let Some(why) = &row.unconfirmed {
                        let _ = writeln!(out, "  {why}");
                    }
                }
            }
        }
        _ => {
            let _ = writeln!(out, "may overflow{what}: {}  `{}`", row.place, row.operation);
            let _ = writeln!(out, "  values in {} do not all fit {}", ends(row.values), row.format);
        }
    }
    out
}

/// Inputs, the first few of them.
fn listed(inputs: &BTreeMap<String, f64>) -> String {
    const SHOWN: usize = 8;
    if inputs.is_empty() {
        return "no inputs".to_owned();
    }
    let mut list: Vec<String> = inputs.iter().take(SHOWN).map(|(name, x)| format!("{name} = {x}")).collect();
    if inputs.len() > SHOWN {
        list.push(format!("{} more", inputs.len() - SHOWN));
    }
    list.join(", ")
}

fn table(out: &mut String, rows: &[&Row], flags: &FixedFlags) {
    let mut lines = vec![header(flags)];
    for row in rows {
        let mut cells = vec![row.line.map_or(String::new(), |line| format!("{line}")), row.variable.clone()];
        match &row.why {
            Some(why) => cells.push(format!("no bound, because {why}")),
            None => {
                cells.push(row.value.map_or(String::new(), ends));
                cells.push(row.bound.map_or(String::new(), number_up));
                cells.push(row.reached.map_or(String::new(), number));
                if flags.compare {
                    let error = |e: Ends| number_up(e.low.abs().max(e.high.abs()));
                    cells.extend(row.by.iter().map(|by| by.error.map_or("no bound".to_owned(), error)));
                }
            }
        }
        lines.push(cells);
    }
    let columns = lines.iter().filter(|line| line.len() > 3).map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| lines.iter().filter(|l| l.len() > 3).filter_map(|l| l.get(i)).map(String::len).max();
    let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    for line in &lines {
        let padded = line
            .iter()
            .enumerate()
            .map(|(i, cell)| format!("{cell:<w$}", w = widths.get(i).copied().unwrap_or(0)));
        let _ = writeln!(out, "  {}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
}

fn header(flags: &FixedFlags) -> Vec<String> {
    let mut names = vec!["line", "variable", "value", "error at most", "reached"];
    if flags.compare {
        names.extend(["CI", "AI", "EAI"]);
    }
    names.into_iter().map(str::to_owned).collect()
}

fn ends(ends: Ends) -> String {
    format!("[{}, {}]", number(ends.low), number(ends.high))
}

/// Six digits that count, and not below the number: of a bound.
fn number_up(x: f64) -> String {
    let text = number(x);
    match text.parse::<f64>() {
        Ok(shown) if shown < x => number(x + 10f64.powi(x.abs().log10().floor() as i32 - 5) / 2.0),
        _ => text,
    }
}

/// Six digits that count, without zeros at the end.
fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let magnitude = x.abs().log10().floor() as i32;
    if !(-5..9).contains(&magnitude) {
        return format!("{x:.5e}");
    }
    let digits = (5 - magnitude).clamp(0, 12) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// For programs.
pub fn json(analysis: &Analysis, flags: &FixedFlags) -> String {
    let mut value: Value = json!({ "clew_fixed": 1, "analysis": analysis });
    if let Some(within) = flags.within {
        let answers: BTreeMap<&str, &str> = analysis
            .rows
            .iter()
            .filter(|row| row.place.is_none() && !row.variable.ends_with(" at the start"))
            .map(|row| (row.variable.as_str(), verdict(row, within)))
            .collect();
        value["within"] = json!({ "bound": within, "answers": answers });
    }
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// A chosen format, for people.
pub fn fitted_text(fitted: &Fitted, error: f64) -> String {
    let mut out = format!(
        "{} keeps errors within {error}: at most {}, and {} operations are proved to fit\n",
        fitted.format,
        number(fitted.bound),
        fitted.proved
    );
    if let Some(few) = fitted.too_few {
        let _ = writeln!(
            out,
            "with {} fraction digits an error of {} is reached",
            few.fraction,
            number(few.reached)
        );
    }
    out
}

/// A chosen format, for programs.
pub fn fitted_json(fitted: &Fitted, error: f64) -> String {
    let value = json!({ "clew_fixed": 1, "fit": { "within": error, "chosen": fitted } });
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// 1 if a run shows an overflow or an error beyond `--within`.
pub fn status(analysis: &Analysis, flags: &FixedFlags) -> Exit {
    let overflows = analysis.overflows.iter().any(|row| row.inputs.is_some() && row.confirmed != Some(false));
    let beyond =
        |within: f64| analysis.rows.iter().any(|row| row.place.is_none() && verdict(row, within) == "no");
    if overflows || flags.within.is_some_and(beyond) { Exit::Violated } else { Exit::Clean }
}
