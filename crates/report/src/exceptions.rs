// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floating-point exceptions, for people and programs: what `clew exceptions` has to say, as plain values.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

/// What is known of the exceptions of a program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Exceptions {
    /// Always 1; grows when fields change their meaning.
    pub version: u32,
    /// What every answer rests on.
    pub assumptions: Vec<String>,
    /// The functions that were called.
    pub functions: Vec<Function>,
    /// Those that were not, with the reason.
    pub skipped: Vec<(String, String)>,
    /// The places that raise something, those first that a user of the library meets.
    pub sites: Vec<Site>,
    /// Witnesses that the second program did not confirm, and which are not told.
    pub unconfirmed: usize,
}

/// A function that was called.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether other units see it.
    pub public: bool,
    /// Runs.
    pub runs: u64,
    /// Runs that a fault ended, that took too long, that ended the process.
    pub faults: u64,
    /// Too long.
    pub too_long: u64,
    /// Left.
    pub left: u64,
    /// Why the search ended early.
    pub cut_short: Option<String>,
    /// Inputs on which it says that all is well, and gives infinity or no number.
    pub silent: Option<Vec<Number>>,
}

/// A number of a witness.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Number {
    /// What it is given to.
    pub name: String,
    /// In decimal.
    pub value: String,
    /// In hexadecimal, as C reads it back exactly.
    pub exact: String,
}

/// A place that raises something.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Site {
    /// The file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its column, where the operator stands.
    pub column: u32,
    /// What is raised: divide-by-zero, overflow, invalid, underflow (tiny and inexact), tiny (and exact).
    pub kind: String,
    /// By what.
    pub operation: String,
    /// The function that the place is in.
    pub function: String,
    /// The function that is called.
    pub entry: String,
    /// How it is met: silent, public or direct.
    pub via: String,
    /// What the search from the entry had cost by then.
    pub cost: u64,
    /// The inputs.
    pub inputs: Vec<Number>,
    /// Other functions that come there.
    pub others: Vec<String>,
    /// The obligations of `clew check` that it violates.
    pub obligations: Vec<String>,
    /// Whether it can be avoided: avoidable, unavoidable or undecided; overflow and underflow only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avoidable: Option<String>,
}

/// As JSON.
pub fn json(report: &Exceptions) -> String {
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

/// The kinds of the tables, in their order. What compares with no number is apart: it says nothing new.
const KINDS: [&str; 5] = ["divide-by-zero", "overflow", "invalid", "underflow", "tiny"];

const COMPARISON: &str = "comparison";

/// How many sites are told in words, unless all are wanted.
const TOLD: usize = 20;

/// For people.
pub fn text(report: &Exceptions, all: bool) -> String {
    let mut out = String::new();
    silent_functions(&mut out, report, all);
    sites(&mut out, report, all);
    by_kind(&mut out, report);
    by_function(&mut out, report, all);
    skipped(&mut out, report, all);
    let _ = writeln!(
        out,
        "{} functions called ({} public), {} not; {} sites, all confirmed by a second program; {} not confirmed and not told",
        report.functions.len(),
        report.functions.iter().filter(|f| f.public).count(),
        report.skipped.len(),
        report.sites.len(),
        report.unconfirmed
    );
    out
}

fn inputs(numbers: &[Number]) -> String {
    let each = numbers.iter().map(|number| match number.value == number.exact {
        true => format!("{} = {}", number.name, number.value),
        false => format!("{} = {} ({})", number.name, number.value, number.exact),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn silent_functions(out: &mut String, report: &Exceptions, all: bool) {
    let silent: Vec<&Function> = report.functions.iter().filter(|f| f.public && f.silent.is_some()).collect();
    if silent.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "public functions that say all is well and give infinity or no number: {}",
        silent.len()
    );
    let most = if all { usize::MAX } else { TOLD };
    for function in silent.iter().take(most) {
        let numbers = function.silent.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  {}: {}", function.name, inputs(numbers));
    }
    more(out, silent.len().saturating_sub(most));
    out.push('\n');
}

fn more(out: &mut String, left: usize) {
    if left > 0 {
        let _ = writeln!(out, "  ... and {left} more; --all shows them");
    }
}

fn sites(out: &mut String, report: &Exceptions, all: bool) {
    let most = if all { usize::MAX } else { TOLD };
    for site in report.sites.iter().take(most) {
        let _ = write!(
            out,
            "{}:{}:{}: {} by this {}",
            site.file, site.line, site.column, site.kind, site.operation
        );
        let _ = writeln!(out, ", in {}", site.function);
        let how = match site.via.as_str() {
            "silent" => "public, and it says that all is well",
            "public" => "public",
            _ => "static, called directly: its callers may see to it that this does not happen",
        };
        let _ = writeln!(out, "    {}({})", site.entry, inputs(&site.inputs));
        let avoidable = site.avoidable.as_ref().map_or_else(String::new, |word| format!("; {word}"));
        let _ = writeln!(out, "    {how}{avoidable}");
    }
    more(out, report.sites.len().saturating_sub(most));
    if !report.sites.is_empty() {
        out.push('\n');
    }
}

fn by_kind(out: &mut String, report: &Exceptions) {
    let _ = writeln!(out, "{:16} {:>7} {:>7} {:>7} {:>7}", "sites", "silent", "public", "direct", "all");
    let rows = KINDS.iter().copied().chain([COMPARISON]);
    for kind in rows {
        let is_of = |site: &&Site| match (kind == COMPARISON, site.operation == COMPARISON) {
            (true, is_comparison) => is_comparison,
            (false, true) => false,
            (false, false) => site.kind == kind,
        };
        let of: Vec<&Site> = report.sites.iter().filter(is_of).collect();
        let via = |word: &str| of.iter().filter(|site| site.via == word).count();
        let bar = "#".repeat((of.len() as f64 / widest(report) * 30.0).ceil() as usize);
        let name = if kind == COMPARISON { "NaN compared" } else { kind };
        let _ = writeln!(
            out,
            "{name:16} {:>7} {:>7} {:>7} {:>7} {bar}",
            via("silent"),
            via("public"),
            via("direct"),
            of.len()
        );
    }
    out.push('\n');
}

/// The most sites of one kind, for the longest bar.
fn widest(report: &Exceptions) -> f64 {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for site in &report.sites {
        *counts.entry(&site.kind).or_default() += 1;
    }
    counts.into_values().max().unwrap_or(1) as f64
}

fn by_function(out: &mut String, report: &Exceptions, all: bool) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for site in &report.sites {
        *counts.entry(&site.function).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let Some((_, most)) = counts.first().copied() else { return };
    let _ = writeln!(out, "functions by sites in them");
    let shown = if all { usize::MAX } else { TOLD };
    for (name, count) in counts.iter().take(shown) {
        let bar = "#".repeat((*count as f64 / most as f64 * 30.0).ceil() as usize);
        let _ = writeln!(out, "  {name:40} {count:>4} {bar}");
    }
    more(out, counts.len().saturating_sub(shown));
    out.push('\n');
}

fn skipped(out: &mut String, report: &Exceptions, all: bool) {
    if report.skipped.is_empty() {
        return;
    }
    let _ = writeln!(out, "functions that were not called");
    let shown = if all { usize::MAX } else { TOLD };
    for (name, why) in report.skipped.iter().take(shown) {
        let _ = writeln!(out, "  {name}: {why}");
    }
    more(out, report.skipped.len().saturating_sub(shown));
    out.push('\n');
}
