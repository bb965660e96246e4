// SPDX-License-Identifier: MIT OR Apache-2.0
//! Round-off, for people and programs: what `clew precision` has to say, as plain values.

use std::fmt::Write;

use serde::Serialize;

/// What is known of a program's round-off.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Precision {
    /// Always 1; grows when fields change their meaning.
    pub version: u32,
    /// What every number rests on.
    pub assumptions: Vec<String>,
    /// One for each function.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub place: String,
    /// Why nothing is known of it.
    pub refused: Option<String>,
    /// What callers promise that was not understood, and so not used.
    pub unread: Vec<String>,
    /// What a search in the whole function found, where that was asked for or there is no bound.
    pub found: Option<Found>,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Its results.
    pub outputs: Vec<Output>,
    /// Its tests of floats.
    pub tests: Vec<Test>,
    /// Properties that the program states.
    pub properties: Vec<Property>,
    /// Paths through it.
    pub paths: usize,
    /// Operations on them.
    pub operations: usize,
}

/// What a search in a whole function found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Found {
    /// The greatest relative error that was confirmed; none if no run came to a result.
    pub relative: Option<f64>,
    /// The input that it is reached at.
    pub witness: Option<Witness>,
    /// The operation at which the error grew most.
    pub cause: Option<Cause>,
    /// The first test that the machine and the reals answer differently there.
    pub parted: Option<String>,
    /// Runs that were made.
    pub runs: u64,
    /// Those that came to a result.
    pub ended: u64,
    /// The most frequent reason why a run had no result.
    pub without: Option<String>,
}

/// An operation at which an error grew.
#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    /// Where.
    pub place: String,
    /// The text.
    pub text: String,
    /// The relative error of its operands.
    pub before: f64,
    /// That of its result.
    pub after: f64,
}

/// An input.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its least number.
    pub low: f64,
    /// Its greatest.
    pub high: f64,
    /// Whether the range was given, rather than taken from the type.
    pub given: bool,
    /// `exact`, `rounded`, or the error it comes with.
    pub kind: String,
}

/// A result.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its least value, if it is bounded.
    pub low: Option<f64>,
    /// Its greatest value.
    pub high: Option<f64>,
    /// The error.
    pub absolute: Measured,
    /// The error over the result.
    pub relative: Measured,
    /// Where the magnitude of the result is at least this.
    pub relative_floor: f64,
    /// The error in units in the last place.
    pub ulps: Measured,
    /// The error where the machine and the reals take different ways; none if they cannot.
    pub discontinuity: Option<Measured>,
    /// Why there is no bound.
    pub obstacle: Option<String>,
    /// The input with the greatest error found.
    pub worst: Option<Witness>,
    /// The input with the greatest relative error found.
    pub worst_relative: Option<Witness>,
    /// That relative error, wherever it is.
    pub worst_relative_error: Option<f64>,
    /// What causes the bound, by line.
    pub lines: Vec<Line>,
    /// Cancelling subtractions, worst first.
    pub cancellations: Vec<Cancellation>,
    /// Rewrites that help, with what they reach.
    pub hints: Vec<String>,
    /// The error along the first input: pairs of both.
    pub profile: Vec<(f64, f64)>,
}

/// A bound, and what was reached.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Measured {
    /// At most this; none if there is no bound.
    pub bound: Option<f64>,
    /// At least this, on the input that is shown.
    pub reached: Option<f64>,
}

/// An input and both results.
#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    /// The inputs, by name, as decimal and hexadecimal numbers.
    pub inputs: Vec<(String, String, String)>,
    /// The machine's result.
    pub machine: String,
    /// The real one.
    pub real: f64,
}

/// The part of a line in the bound.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Where.
    pub place: String,
    /// The text.
    pub text: String,
    /// Percent.
    pub percent: f64,
}

/// A cancelling subtraction.
#[derive(Clone, Debug, Serialize)]
pub struct Cancellation {
    /// Where.
    pub place: String,
    /// The text.
    pub text: String,
    /// Bits lost.
    pub bits: i32,
    /// Percent of the error that comes through it.
    pub percent: f64,
}

/// A test of floats.
#[derive(Clone, Debug, Serialize)]
pub struct Test {
    /// Where.
    pub place: String,
    /// The text.
    pub text: String,
    /// `stable`, `unstable` or `unknown`.
    pub verdict: String,
    /// What the machine answers, on the witness.
    pub machine: Option<bool>,
    /// Inputs on which the machine and the reals differ.
    pub witness: Option<Witness>,
}

/// A property that the program states.
#[derive(Clone, Debug, Serialize)]
pub struct Property {
    /// Where.
    pub place: String,
    /// The text.
    pub text: String,
    /// `stable` or `unstable`.
    pub verdict: String,
    /// The relative width, and what else is known.
    pub detail: String,
}

/// For people.
pub fn text(report: &Precision) -> String {
    let mut out = String::new();
    for function in &report.functions {
        show_function(&mut out, function);
    }
    if !report.assumptions.is_empty() {
        let _ = writeln!(out, "assumed: {}", report.assumptions.join(", "));
    }
    out
}

/// For programs.
pub fn json(report: &Precision) -> String {
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

fn show_function(out: &mut String, function: &Function) {
    let _ = writeln!(out, "{} ({})", function.name, function.place);
    for clause in &function.unread {
        let _ = writeln!(out, "  not understood, not used: requires {clause}");
    }
    if let Some(why) = &function.refused {
        let _ = writeln!(out, "  no bound, because: {why}");
    }
    if let Some(found) = &function.found {
        show_found(out, found);
    }
    for input in &function.inputs {
        let given = if input.given { "" } else { ", from its type" };
        let _ = writeln!(
            out,
            "  {} in [{}, {}]{given}, {}",
            input.name,
            short(input.low),
            short(input.high),
            input.kind
        );
    }
    for output in &function.outputs {
        show_output(out, output);
    }
    for test in &function.tests {
        show_test(out, test);
    }
    for property in &function.properties {
        let _ = writeln!(
            out,
            "  property {}: {}  {}, {}",
            property.place, property.text, property.verdict, property.detail
        );
    }
    let _ = writeln!(out);
}

fn show_found(out: &mut String, found: &Found) {
    let (Some(relative), Some(witness)) = (found.relative, &found.witness) else {
        let why = found.without.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        let _ = writeln!(out, "  none of {} runs came to a result that can be judged{why}", found.runs);
        return;
    };
    let _ = writeln!(
        out,
        "  found relative error {} at {}: {}, exactly {}",
        rounded(relative, Direction::Down),
        inputs(witness),
        witness.machine,
        long(witness.real)
    );
    if let Some(cause) = &found.cause {
        let _ = writeln!(
            out,
            "    cause {}  {}: from {} to {}",
            cause.place,
            cause.text,
            short(cause.before),
            short(cause.after)
        );
    }
    if let Some(place) = &found.parted {
        let _ =
            writeln!(out, "    the machine and the reals part at {place}; the error is that on both ways");
    }
}

fn show_output(out: &mut String, output: &Output) {
    match (output.low, output.high) {
        (Some(low), Some(high)) => {
            let _ = writeln!(out, "  {} in [{}, {}]", output.name, short(low), short(high));
        }
        _ => {
            let _ = writeln!(out, "  {}", output.name);
        }
    }
    if let Some(why) = &output.obstacle {
        let _ = writeln!(out, "    no bound, because: {why}");
    }
    let _ = writeln!(out, "    {:<16}{:>12}{:>12}{:>8}", "error", "bound", "reached", "ratio");
    show_measured(out, "absolute", &output.absolute, "");
    let floor = match output.relative_floor {
        0.0 => String::new(),
        floor => format!("  where |{}| >= {}", output.name, short(floor)),
    };
    show_measured(out, "relative", &output.relative, &floor);
    show_measured(out, "ulps", &output.ulps, "");
    if let Some(jump) = &output.discontinuity {
        show_measured(out, "if ways differ", jump, "");
    }
    if !output.profile.is_empty() && output.profile.iter().any(|(_, error)| *error > 0.0) {
        let (first, last) = (output.profile[0].0, output.profile[output.profile.len() - 1].0);
        let _ = writeln!(out, "    {} {} {}", short(first), spark(&output.profile), short(last));
    }
    if let Some(worst) = &output.worst {
        let _ = writeln!(
            out,
            "    reached at {}: {}, exactly {}",
            inputs(worst),
            worst.machine,
            long(worst.real)
        );
    }
    if let Some(worst) = &output.worst_relative
        && output.worst.as_ref().is_none_or(|other| other.inputs != worst.inputs)
    {
        let share = output
            .worst_relative_error
            .map_or_else(String::new, |e| format!(" (relative error {})", short(e)));
        let _ = writeln!(
            out,
            "    relatively at {}: {}, exactly {}{share}",
            inputs(worst),
            worst.machine,
            long(worst.real)
        );
    }
    for line in output.lines.iter().take(5) {
        let _ = writeln!(out, "    {:>5.1} %  {}  {}", line.percent, line.place, line.text);
    }
    for site in output.cancellations.iter().take(3) {
        let _ = writeln!(
            out,
            "    cancellation {}  {}: {} bits lost, {:.0} % of the error comes through it",
            site.place, site.text, site.bits, site.percent
        );
    }
    for hint in &output.hints {
        let _ = writeln!(out, "    hint: {hint}");
    }
}

fn show_measured(out: &mut String, name: &str, measured: &Measured, note: &str) {
    let number = |x: Option<f64>, to| x.map_or_else(|| "-".to_owned(), |x| rounded(x, to));
    let ratio = match (measured.bound, measured.reached) {
        (Some(bound), Some(reached)) if reached > 0.0 && bound / reached >= 1e4 => {
            format!("{:.0e}", bound / reached)
        }
        (Some(bound), Some(reached)) if reached > 0.0 => format!("{:.2}", bound / reached),
        (Some(0.0), Some(0.0)) => "1.00".to_owned(),
        _ => "-".to_owned(),
    };
    // What is printed holds as well: bounds are rounded up, and what was reached down.
    let bound = number(measured.bound, Direction::Up);
    let reached = number(measured.reached, Direction::Down);
    let _ = writeln!(out, "    {name:<16}{bound:>12}{reached:>12}{ratio:>8}{note}");
}

fn show_test(out: &mut String, test: &Test) {
    let _ = write!(out, "  test {}  {}: {}", test.place, test.text, test.verdict);
    if let (Some(witness), Some(machine)) = (&test.witness, test.machine) {
        let _ = write!(out, " at {}: the machine says {machine}, the reals {}", inputs(witness), !machine);
    }
    let _ = writeln!(out);
}

fn inputs(witness: &Witness) -> String {
    let all: Vec<String> = witness
        .inputs
        .iter()
        .take(8)
        .map(|(name, decimal, hex)| format!("{name} = {decimal} ({hex})"))
        .collect();
    let more = if witness.inputs.len() > 8 { ", ..." } else { "" };
    if all.is_empty() { "every run".to_owned() } else { all.join(", ") + more }
}

/// Eight heights, linear from zero to the greatest error.
fn spark(profile: &[(f64, f64)]) -> String {
    let most = profile.iter().map(|(_, error)| *error).fold(0.0, f64::max);
    let height = |error: f64| ((error / most * 7.99) as usize).min(7);
    let part = profile.len().div_ceil(48);
    let highest = |part: &[(f64, f64)]| part.iter().map(|(_, error)| *error).fold(0.0, f64::max);
    profile
        .chunks(part)
        .map(highest)
        .map(|error| ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][height(error)])
        .collect()
}

/// The error of the first result along the first input, as SVG, with the bound as a line.
pub fn plot(function: &Function) -> Option<String> {
    let (input, output) = (function.inputs.first()?, function.outputs.first()?);
    let profile = &output.profile;
    let highest = profile.iter().map(|(_, error)| *error).fold(0.0, f64::max);
    let most = output.absolute.bound.unwrap_or(highest).max(highest);
    if profile.is_empty() || most == 0.0 {
        return None;
    }
    let (width, height, edge) = (640.0, 360.0, 56.0);
    let across = |x: f64| edge + (x - input.low) / (input.high - input.low) * (width - 2.0 * edge);
    let up = |error: f64| height - edge - error / (most * 1.05) * (height - 2.0 * edge);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{edge}\" y=\"24\">{}: error of {} against {}</text>\n",
        function.name, output.name, input.name
    );
    let points: Vec<String> =
        profile.iter().map(|(x, e)| format!("{:.2},{:.2}", across(*x), up(*e))).collect();
    let _ = writeln!(out, "<polyline fill=\"none\" stroke=\"#1f77b4\" points=\"{}\"/>", points.join(" "));
    if let Some(bound) = output.absolute.bound {
        let (y, right) = (up(bound), width - edge);
        let _ = writeln!(
            out,
            "<line x1=\"{edge}\" y1=\"{y:.2}\" x2=\"{right}\" y2=\"{y:.2}\" stroke=\"#d62728\"/>"
        );
        let _ = writeln!(
            out,
            "<text x=\"{edge}\" y=\"{:.2}\" fill=\"#d62728\">bound {}</text>",
            y - 4.0,
            short(bound)
        );
    }
    let base = height - edge;
    let _ = writeln!(
        out,
        "<line x1=\"{edge}\" y1=\"{base}\" x2=\"{}\" y2=\"{base}\" stroke=\"black\"/>",
        width - edge
    );
    let _ = writeln!(out, "<text x=\"{edge}\" y=\"{}\">{}</text>", base + 18.0, short(input.low));
    let end = format!("x=\"{}\" y=\"{}\" text-anchor=\"end\"", width - edge, base + 18.0);
    let _ = writeln!(out, "<text {end}>{}</text>\n</svg>", short(input.high));
    Some(out)
}

/// Which way a printed number may differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// A number that is not negative, with four digits, on one side of it.
fn rounded(x: f64, to: Direction) -> String {
    let text = short(x);
    let printed: f64 = text.parse().unwrap_or(x);
    let is_wrong = match to {
        Direction::Up => printed < x,
        Direction::Down => printed > x,
    };
    if !is_wrong {
        return text;
    }
    // The next number with as many digits.
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, ""));
    let places = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let unit = 10f64.powi(-(places as i32));
    let digits: f64 = digits.parse().unwrap_or(0.0);
    let next = if to == Direction::Up { digits + unit } else { digits - unit };
    let e = if exponent.is_empty() { "" } else { "e" };
    format!("{next:.places$}{e}{exponent}")
}

/// Four digits.
fn short(x: f64) -> String {
    let plain = x.abs() >= 1e-3 && x.abs() < 1e6;
    match () {
        () if x == 0.0 => "0".to_owned(),
        () if plain && x == x.trunc() => format!("{x}"),
        () if plain => format!("{x:.4}"),
        () => format!("{x:.3e}"),
    }
}

fn long(x: f64) -> String {
    if x != 0.0 && (x.abs() < 1e-4 || x.abs() >= 1e17) { format!("{x:e}") } else { format!("{x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_bounds_are_no_less_and_what_was_reached_no_more() {
        for x in [1.66649e-16, 1.66651e-16, 0.99996, 9.99961e-9, 123.456_78, 0.001_234_56, 5.0, 0.0] {
            let number = |to| rounded(x, to).parse::<f64>().unwrap_or(f64::NAN);
            assert!(number(Direction::Up) >= x, "{x}: {}", rounded(x, Direction::Up));
            assert!(number(Direction::Down) <= x, "{x}: {}", rounded(x, Direction::Down));
        }
    }
}
