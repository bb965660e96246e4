// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed point, for people and programs: what `clew fixed` has to say, as plain values.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

/// An interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ends {
    /// Least.
    pub low: f64,
    /// Greatest.
    pub high: f64,
}

/// A bound of an error by one way of counting.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct By {
    /// `CI`, `AI`, `EAI`.
    pub name: &'static str,
    /// The error; none: no bound, and why.
    pub error: Option<Ends>,
    /// The value in the reals.
    pub value: Option<Ends>,
    /// Why there is none.
    pub why: Option<String>,
}

/// Inputs by name, in the order in which they were given.
pub type Point = Vec<(String, f64)>;

/// A variable, at an assignment or at the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub variable: String,
    /// `file:line:column` of the assignment; none: at the end.
    pub place: Option<String>,
    /// The line of the assignment.
    pub line: Option<u32>,
    /// Its value in the reals.
    pub value: Option<Ends>,
    /// What the machine computes.
    pub machine: Option<Ends>,
    /// The real value minus the machine's.
    pub error: Option<Ends>,
    /// The largest size of the error.
    pub bound: Option<f64>,
    /// Why there is no bound.
    pub why: Option<String>,
    /// What a run reached, at the end.
    pub reached: Option<f64>,
    /// With these inputs.
    #[serde(serialize_with = "by_name")]
    pub reached_with: Option<Point>,
    /// The paper's three.
    pub by: Vec<By>,
}

/// An operation whose result may not fit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overflow {
    /// `file:line:column`.
    pub place: String,
    /// The line.
    pub line: u32,
    /// The text of the operation.
    pub operation: String,
    /// The variable that gets it.
    pub variable: Option<String>,
    /// What it has to fit.
    pub format: String,
    /// The values that the machine may have.
    pub values: Ends,
    /// A run in which it does not fit: its inputs.
    #[serde(serialize_with = "by_name")]
    pub inputs: Option<Point>,
    /// The value in that run.
    pub value: Option<f64>,
    /// Whether the compiled emulation shows it.
    pub confirmed: Option<bool>,
    /// Why it was not asked.
    pub unconfirmed: Option<String>,
}

/// A test that was not decided.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Test {
    /// `file:line:column`.
    pub place: String,
    /// Its text.
    pub test: String,
    /// Whether rounding may turn it: the machine takes one branch and the real computation the other.
    pub may_part: bool,
}

/// An answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    /// The function.
    pub function: String,
    /// Rows at the end, then by place.
    pub rows: Vec<Row>,
    /// Operations whose result may not fit.
    pub overflows: Vec<Overflow>,
    /// How many operations were proved to fit.
    pub proved: usize,
    /// Tests that were not decided.
    pub tests: Vec<Test>,
    /// Why there is no bound at all.
    pub no_bound: Option<String>,
    /// Boxes of inputs that were looked at.
    pub boxes: usize,
    /// Whether every run of the machine was looked at.
    pub exhaustive: bool,
    /// Runs that were made.
    pub runs: u64,
}

/// Word lengths that keep an error.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fit {
    /// The error that was asked for.
    pub within: f64,
    /// One format for all floats; none for integer C.
    pub format: Option<String>,
    /// The largest error of a result in it.
    pub bound: f64,
    /// Operations that are proved to fit.
    pub proved: usize,
    /// Fraction digits with which a run exceeds the error.
    pub too_few: Option<u16>,
    /// The error that is reached with them.
    pub too_few_reach: Option<f64>,
    /// Formats by variable.
    pub variables: Vec<Chosen>,
    /// The largest error with these.
    pub bound_by_variable: f64,
}

/// A variable's format.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chosen {
    /// Its name.
    pub name: String,
    /// Its format.
    pub format: String,
    /// Digits in all, with the sign.
    pub digits: u16,
}

/// What a reader asked to see.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Asked {
    /// The paper's three beside the best.
    pub compare: bool,
    /// Every assignment.
    pub lines: bool,
    /// Are errors within this?
    pub within: Option<f64>,
}

fn by_name<S: serde::Serializer>(point: &Option<Point>, serializer: S) -> Result<S::Ok, S::Error> {
    match point {
        None => serializer.serialize_none(),
        Some(point) => serializer.collect_map(point.iter().map(|(name, x)| (name, x))),
    }
}

/// Rows about the end, inputs as they were at the start left out.
fn at_end(analysis: &Analysis) -> impl Iterator<Item = &Row> {
    analysis.rows.iter().filter(|row| row.place.is_none() && !row.variable.ends_with(" at the start"))
}

/// For people.
pub fn text(analysis: &Analysis, asked: Asked) -> String {
    let mut out = String::new();
    if let Some(why) = &analysis.no_bound {
        let _ = writeln!(out, "no bound, because {why}\n");
    }
    let end: Vec<&Row> = at_end(analysis).collect();
    if !end.is_empty() {
        let _ = writeln!(out, "at the end of {}", analysis.function);
        table(&mut out, &end, asked.compare);
    }
    if asked.lines {
        let lines: Vec<&Row> = analysis.rows.iter().filter(|row| row.place.is_some()).collect();
        let _ = writeln!(out, "\nby assignment");
        table(&mut out, &lines, asked.compare);
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
    if let Some(within) = asked.within {
        for row in &end {
            let _ =
                writeln!(out, "is the error of {} within {within}? {}", row.variable, verdict(row, within));
        }
    }
    out
}

/// Whether a run shows an overflow, or an error beyond what was asked for.
pub fn is_violated(analysis: &Analysis, within: Option<f64>) -> bool {
    let overflows = analysis.overflows.iter().any(|row| row.inputs.is_some() && row.confirmed != Some(false));
    let beyond = |within: f64| at_end(analysis).any(|row| verdict(row, within) == "no");
    overflows || within.is_some_and(beyond)
}

/// What is known of a question about an error.
fn verdict(row: &Row, within: f64) -> &'static str {
    match (row.bound, row.reached) {
        (Some(bound), _) if bound <= within => "yes",
        (_, Some(reached)) if reached > within => "no",
        _ => "not known",
    }
}

fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn summary(analysis: &Analysis) -> String {
    let may = analysis.overflows.len();
    let mut out = format!("{} proved to fit", plural(analysis.proved, "operation", "operations"));
    if may > 0 {
        let shown = analysis.overflows.iter().filter(|row| row.inputs.is_some()).count();
        out += &format!(", {may} may overflow ({shown} shown by a run)");
        out += "; errors are bounded as if formats had no ends";
    }
    if analysis.exhaustive {
        out += "; every input of the machine was looked at";
    }
    let (boxes, runs) =
        (plural(analysis.boxes, "box", "boxes"), plural(analysis.runs as usize, "run", "runs"));
    out + &format!("; {boxes}, {runs}")
}

fn overflow(row: &Overflow) -> String {
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
fn listed(inputs: &Point) -> String {
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

fn table(out: &mut String, rows: &[&Row], compare: bool) {
    let mut lines = vec![header(compare)];
    for row in rows {
        let mut cells = vec![row.line.map_or(String::new(), |line| format!("{line}")), row.variable.clone()];
        match &row.why {
            Some(why) => cells.push(format!("no bound, because {why}")),
            None => {
                cells.push(row.value.map_or(String::new(), ends));
                cells.push(row.bound.map_or(String::new(), number_up));
                cells.push(row.reached.map_or(String::new(), number));
                if compare {
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

fn header(compare: bool) -> Vec<String> {
    let mut names = vec!["line", "variable", "value", "error at most", "reached"];
    if compare {
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

/// For programs: `$defs/fixed` of `docs/report.schema.json`.
pub fn json(analysis: &Analysis, asked: Asked) -> String {
    let mut value: Value = json!({ "clew_fixed": 1, "analysis": analysis });
    if let Some(within) = asked.within {
        let answers: BTreeMap<&str, &str> =
            at_end(analysis).map(|row| (row.variable.as_str(), verdict(row, within))).collect();
        value["within"] = json!({ "bound": within, "answers": answers });
    }
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// Chosen formats, for people.
pub fn fit_text(fit: &Fit) -> String {
    let mut out = String::new();
    let proved = plural(fit.proved, "operation is", "operations are");
    match &fit.format {
        Some(format) => {
            let bound = number_up(fit.bound);
            let _ = writeln!(
                out,
                "{format} for all keeps errors within {}: at most {bound}, and {proved} proved to fit",
                fit.within
            );
        }
        None => {
            let bound = number_up(fit.bound);
            let _ = writeln!(
                out,
                "errors are within {}: at most {bound}, and {proved} proved to fit",
                fit.within
            );
        }
    }
    if let (Some(few), Some(reached)) = (fit.too_few, fit.too_few_reach) {
        let _ = writeln!(
            out,
            "with {} an error of {} is reached",
            plural(few.into(), "fraction digit", "fraction digits"),
            number(reached)
        );
    }
    if fit.variables.is_empty() {
        return out;
    }
    let digits: u32 = fit.variables.iter().map(|chosen| u32::from(chosen.digits)).sum();
    let _ = match &fit.format {
        Some(_) => {
            writeln!(
                out,
                "by variable, {digits} digits in all, errors at most {}:",
                number_up(fit.bound_by_variable)
            )
        }
        None => writeln!(out, "what the variables need, {digits} bits in all:"),
    };
    let width = fit.variables.iter().map(|chosen| chosen.name.len()).max().unwrap_or(0);
    for chosen in &fit.variables {
        let _ = writeln!(out, "  {:<width$}  {:<8}  {} bits", chosen.name, chosen.format, chosen.digits);
    }
    out
}

/// Chosen formats, for programs.
pub fn fit_json(fit: &Fit) -> String {
    serde_json::to_string_pretty(&json!({ "clew_fixed": 1, "fit": fit })).unwrap_or_default() + "\n"
}

/// The error of a result along an input, slice by slice.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// The function.
    pub function: String,
    /// The input.
    pub input: String,
    /// The result.
    pub result: String,
    /// Low and high end of each slice, its bound, and what is reached in it.
    pub slices: Vec<(Ends, Option<f64>, f64)>,
}

/// Bound and reached error along an input, as SVG.
pub fn plot(profile: &Profile) -> Option<String> {
    let (first, last) = (profile.slices.first()?, profile.slices.last()?);
    let (low, high) = (first.0.low, last.0.high);
    let most = profile
        .slices
        .iter()
        .map(|(_, bound, reached)| bound.unwrap_or(0.0).max(*reached))
        .fold(0.0, f64::max);
    if most == 0.0 || high <= low {
        return None;
    }
    let (width, height, edge) = (640.0, 360.0, 56.0);
    let across = |x: f64| edge + (x - low) / (high - low) * (width - 2.0 * edge);
    let up = |error: f64| height - edge - error / (most * 1.05) * (height - 2.0 * edge);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{edge}\" y=\"24\">{}: error of {} along {}, <tspan fill=\"#d62728\">bound</tspan> and \
         <tspan fill=\"#1f77b4\">reached</tspan></text>\n",
        profile.function, profile.result, profile.input
    );
    let line = |values: &dyn Fn(usize) -> Option<f64>, colour: &str| {
        let points = profile.slices.iter().enumerate().filter_map(|(i, (ends, ..))| {
            let y = up(values(i)?);
            Some(format!("{:.2},{y:.2} {:.2},{y:.2}", across(ends.low), across(ends.high)))
        });
        let points: Vec<String> = points.collect();
        format!("<polyline fill=\"none\" stroke=\"{colour}\" points=\"{}\"/>\n", points.join(" "))
    };
    out += &line(&|i| profile.slices[i].1, "#d62728");
    out += &line(&|i| Some(profile.slices[i].2), "#1f77b4");
    let (base, right) = (height - edge, width - edge);
    let _ =
        writeln!(out, "<line x1=\"{edge}\" y1=\"{base}\" x2=\"{right}\" y2=\"{base}\" stroke=\"black\"/>");
    let _ = writeln!(out, "<line x1=\"{edge}\" y1=\"{edge}\" x2=\"{edge}\" y2=\"{base}\" stroke=\"black\"/>");
    let _ = writeln!(out, "<text x=\"{edge}\" y=\"{}\">{}</text>", base + 18.0, number(low));
    let end = format!("x=\"{right}\" y=\"{}\" text-anchor=\"end\"", base + 18.0);
    let _ = writeln!(out, "<text {end}>{}</text>", number(high));
    let _ = writeln!(out, "<text x=\"4\" y=\"{:.2}\">{}</text>\n</svg>", up(most) + 4.0, number_up(most));
    Some(out)
}
