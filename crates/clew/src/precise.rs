// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what `precision` found to what is reported: numbers become text, spans become places.

use clew_base::float::Float;
use clew_base::source::Span;
use clew_ir::syntax::{FuncId, Program};
use clew_precision::analyse::Tested;
use clew_precision::dag::Sort;
use clew_precision::find::{self, find};
use clew_precision::model::Status;
use clew_precision::rewrite::Hint;
use clew_precision::sample::Sample;
use clew_precision::stable::{Judged, Unstable, Verdict};
use clew_precision::{Answer, Options, Stability, acsl, analyse, fpcore, kernel_of};
use clew_report::precision::{
    Cancellation, Cause, Found, Function, Input, Line, Measured, Output, Precision, Property, Test, Witness,
};

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Bounds, and inputs that come close; where there is no bound, what a search in the whole function finds.
    Bounds,
    /// The search alone.
    Inputs,
}

/// What is known of the functions.
pub fn report(
    program: &Program,
    functions: &[FuncId],
    options: &Options,
    wanted: Wanted,
) -> Result<Precision, String> {
    let mut report = Precision { version: 1, ..Precision::default() };
    let mut uses_libm = false;
    for id in functions {
        let declared = &program.functions[*id];
        let (options, unread) = with_contract(program, *id, options)?;
        let mut shown = Function {
            name: declared.source_name.to_string(),
            place: place(program, declared.span),
            unread,
            ..Function::default()
        };
        let answer = (wanted == Wanted::Bounds).then(|| analyse(program, *id, &options));
        match &answer {
            Some(Ok(answer)) => {
                uses_libm |= answer.uses_libm;
                fill(program, &mut shown, answer);
            }
            Some(Err(refusal)) => {
                shown.refused = Some(format!("{} ({})", refusal.why, place(program, refusal.span)))
            }
            None => {}
        }
        let has_bound = !shown.outputs.is_empty() && shown.outputs.iter().all(|o| o.absolute.bound.is_some());
        let is_joined = matches!(&answer, Some(Ok(answer)) if answer.is_joined);
        if (!has_bound || is_joined) && !options.no_search {
            match find(program, *id, &options) {
                Ok(found) => shown.found = Some(found_of(program, &found)),
                Err(why) if wanted == Wanted::Inputs => shown.refused = Some(why),
                Err(_) => {}
            }
        }
        report.functions.push(shown);
    }
    let assumed = ["round-to-nearest", "no-fma", "params-not-aliased"];
    report.assumptions = assumed.iter().map(|name| (*name).to_owned()).collect();
    if program.target.pointer_bytes == 4 {
        report.assumptions.push("no-excess-precision".to_owned());
    }
    if uses_libm {
        report.assumptions.push("libm-error-table".to_owned());
    }
    Ok(report)
}

/// What was said, and what the function's contract says, with the clauses that are not understood.
fn with_contract(
    program: &Program,
    function: FuncId,
    options: &Options,
) -> Result<(Options, Vec<String>), String> {
    let name = &program.functions[function].source_name;
    let contract = acsl::contract(program, function).map_err(|why| format!("`{name}`: {why}"))?;
    let mut options = options.clone();
    for (input, range) in contract.ranges {
        let both = match options.range_of(&input) {
            None => range,
            Some(given) => given.meet(range).ok_or_else(|| {
                format!("--range of `{input}` contradicts what `{name}` requires: no number is in both")
            })?,
        };
        options.ranges.retain(|(known, _)| *known != input);
        options.ranges.push((input, both));
    }
    Ok((options, contract.unread))
}

fn found_of(program: &Program, found: &find::Found) -> Found {
    let worst = found.worst.as_ref();
    let cause = |cause: &find::Cause| Cause {
        place: place(program, cause.span),
        text: text(program, cause.span),
        before: cause.before,
        after: cause.after,
    };
    let witness = |wrong: &find::Wrong| Witness {
        inputs: wrong
            .inputs
            .iter()
            .map(|(name, value)| (name.clone(), decimal(*value), hexadecimal(*value)))
            .collect(),
        machine: decimal(wrong.machine),
        real: wrong.real,
    };
    Found {
        relative: worst.map(|wrong| wrong.relative),
        witness: worst.map(witness),
        cause: worst.and_then(|wrong| wrong.cause.as_ref()).map(cause),
        parted: worst.and_then(|wrong| wrong.parted).map(|span| place(program, span)),
        runs: found.runs,
        ended: found.ended,
        without: found.without.clone(),
    }
}

/// The kernels of functions, as FPCore.
pub fn as_fpcore(program: &Program, functions: &[FuncId], options: &Options) -> Result<String, String> {
    let mut out = String::new();
    for id in functions {
        let name = &program.functions[*id].source_name;
        let kernel = kernel_of(program, *id, options)
            .map_err(|refusal| format!("`{name}`: {} ({})", refusal.why, place(program, refusal.span)))?;
        out +=
            &fpcore::write(&kernel, 0, name).map_err(|what| format!("`{name}`: FPCore cannot say {what}"))?;
    }
    Ok(out)
}

fn hint_of(program: &Program, hint: &Hint) -> String {
    let (place, text) = (place(program, hint.span), text(program, hint.span));
    format!(
        "{place} {text}: {}; relative error found {:.2e} instead of {:.2e}",
        hint.text, hint.after, hint.before
    )
}

/// A name in `--range` or `--input-error` that no function has.
pub fn unknown_name(program: &Program, functions: &[FuncId], options: &Options) -> Option<String> {
    let errors = options.errors.iter().filter_map(|(name, _)| name.clone());
    let names = options.ranges.iter().map(|(name, _)| name.clone()).chain(errors);
    let base = |name: &str| name.split(['[', '.', '#']).next().unwrap_or(name).to_owned();
    // Inputs are parameters and variables that are drawn; both are locals.
    let known = |name: &str| {
        functions
            .iter()
            .filter_map(|id| program.functions[*id].body.as_ref())
            .any(|body| body.locals.iter().any(|local| local.name.as_deref() == Some(base(name).as_str())))
    };
    let unknown = names.into_iter().find(|name| !known(name))?;
    Some(format!("there is no input `{unknown}` in the functions that are looked at"))
}

fn fill(program: &Program, shown: &mut Function, answer: &Answer) {
    shown.paths = answer.paths;
    shown.operations = answer.operations;
    for input in &answer.inputs {
        let kind = match (input.sort, input.error, input.is_rounded) {
            (Sort::Integer, ..) => "an integer".to_owned(),
            (_, 0.0, false) => "exact".to_owned(),
            (_, 0.0, true) => "a real, rounded".to_owned(),
            (_, error, false) => format!("with an error up to {error:e}"),
            (_, error, true) => format!("with an error up to {error:e}, rounded"),
        };
        let (low, high) = (input.range.lo, input.range.hi);
        shown.inputs.push(Input { name: input.name.clone(), low, high, given: input.is_given, kind });
    }
    for output in &answer.outputs {
        shown.outputs.push(output_of(program, output, answer));
    }
    shown.properties = answer.properties.iter().map(|judged| property_of(program, judged, answer)).collect();
    shown.tests = answer.tests.iter().map(|test| test_of(program, test, answer)).collect();
}

fn property_of(program: &Program, judged: &Judged, answer: &Answer) -> Property {
    let percent = |x: f64| format!("{:.3e}", x);
    let cases = format!("{} case distinctions", answer.cases);
    let (verdict, detail) = match &judged.verdict {
        Verdict::Stable(width) => ("stable", format!("relative width at most {}", percent(*width))),
        Verdict::Unknown(None) => ("unknown", "no bound of the relative width was found".to_owned()),
        Verdict::Unknown(Some(width)) => ("unknown", format!("relative width at most {}", percent(*width))),
        Verdict::Unstable(unstable) => {
            ("unstable", unstable_detail(unstable, judged.threshold, &answer.inputs))
        }
    };
    Property {
        place: place(program, judged.span),
        text: text(program, judged.span),
        verdict: verdict.to_owned(),
        detail: format!("{detail}; {cases}"),
    }
}

/// What the model and the machine say of an input on which a number is not stable.
pub fn unstable_detail(unstable: &Unstable, threshold: f64, inputs: &[clew_precision::dag::Input]) -> String {
    let status = |status| match status {
        Status::Nan => "NaN",
        Status::Inf => "Inf",
        Status::MinusInf => "-Inf",
        Status::Number => "Number",
    };
    let enclosed = &unstable.enclosed;
    let width = enclosed.relative_width().map_or_else(
        || "its sign or status is not certain".to_owned(),
        |width| format!("relative width {width:.3e}"),
    );
    let range = if enclosed.is_number() {
        format!("in [{:.4e}, {:.4e}]", enclosed.range.lo, enclosed.range.hi)
    } else {
        format!("with status {} and {}", status(enclosed.low), status(enclosed.high))
    };
    let inputs: Vec<String> = inputs
        .iter()
        .zip(&unstable.inputs)
        .take(4)
        .map(|(input, x)| format!("{} = {x}", input.name))
        .collect();
    let at = if inputs.is_empty() { String::new() } else { format!(" at {}", inputs.join(", ")) };
    let shown = |(mode, value): &(&str, Float)| format!("{mode} {}", value_text(*value));
    let results: Vec<String> = unstable.results.iter().map(shown).collect();
    // What only the model's delta makes unstable is said to be.
    let wrong = |(_, value): &(&str, Float)| (value.to_f64() - unstable.real).abs() / unstable.real.abs();
    let most = unstable.results.iter().map(wrong).fold(0.0, f64::max);
    let spurious =
        if most < threshold { " (spurious: the machine stays below the threshold there)" } else { "" };
    format!(
        "{range}, {width}{at}{spurious}; on the machine {}; exactly {}",
        results.join(", "),
        unstable.real
    )
}

/// All nine digits that tell floats apart.
fn value_text(value: Float) -> String {
    match value.format() {
        clew_base::float::Format::F32 => format!("{}", value.to_f32()),
        _ => format!("{}", value.to_f64()),
    }
}

fn output_of(program: &Program, output: &clew_precision::Output, answer: &Answer) -> Output {
    let finite = |x: f64| x.is_finite().then_some(x);
    let reached = output.reached.as_ref();
    let relative = output.reached_relative.as_ref();
    let ulps = reached.and_then(|sample| ulps_of(output, sample));
    let line = |share: &clew_precision::blame::Share| Line {
        place: place(program, share.span),
        text: text(program, share.span),
        percent: 100.0 * share.part,
    };
    let cancellation = |site: &clew_precision::blame::Cancellation| Cancellation {
        place: place(program, site.span),
        text: text(program, site.span),
        bits: site.bits,
        percent: 100.0 * site.part,
    };
    Output {
        name: output.name.clone(),
        low: finite(output.range.lo),
        high: finite(output.range.hi),
        absolute: Measured { bound: finite(output.absolute), reached: reached.map(|sample| sample.error) },
        relative: Measured {
            bound: finite(output.relative),
            reached: relative.map(|sample| sample.relative),
        },
        relative_floor: output.floor,
        // More ulps than a format has numbers between powers of two say nothing.
        ulps: Measured { bound: finite(output.ulps).filter(|ulps| *ulps < 1e17), reached: ulps },
        discontinuity: (output.jump > 0.0)
            .then(|| Measured { bound: finite(output.jump), reached: jumped(answer) }),
        obstacle: output.obstacle.as_ref().map(|why| format!("{} ({})", why.why, place(program, why.span))),
        worst: reached.map(|sample| witness(sample, answer)),
        worst_relative: output.worst_relative.as_ref().map(|sample| witness(sample, answer)),
        worst_relative_error: output.worst_relative.as_ref().map(|sample| sample.relative),
        lines: output.shares.iter().map(line).collect(),
        cancellations: output.cancellations.iter().map(cancellation).collect(),
        hints: output.hints.iter().map(|hint| hint_of(program, hint)).collect(),
        profile: output.profile.clone(),
    }
}

/// The greatest distance of the results on inputs that part the runs.
fn jumped(answer: &Answer) -> Option<f64> {
    let errors = answer.tests.iter().filter_map(|test| match &test.verdict {
        Stability::Unstable(parting) => Some(parting.sample.error),
        _ => None,
    });
    errors.reduce(f64::max)
}

fn ulps_of(output: &clew_precision::Output, sample: &Sample) -> Option<f64> {
    match output.sort {
        Sort::Float(format) => {
            Some(sample.error / clew_precision::rounding::ulp_at(format, sample.real.abs()))
        }
        Sort::Integer => None,
    }
}

fn witness(sample: &Sample, answer: &Answer) -> Witness {
    let shown = |(input, value): (&clew_precision::dag::Input, &Float)| {
        (input.name.clone(), decimal(*value), hexadecimal(*value))
    };
    Witness {
        inputs: answer.inputs.iter().zip(&sample.inputs).map(shown).collect(),
        machine: decimal(sample.machine),
        real: sample.real,
    }
}

fn test_of(program: &Program, test: &Tested, answer: &Answer) -> Test {
    let (verdict, machine, witness) = match &test.verdict {
        Stability::Stable => ("stable", None, None),
        Stability::Always => ("unstable on every run", None, None),
        Stability::Unknown => ("unknown", None, None),
        Stability::Unstable(parting) => {
            ("unstable", Some(parting.machine_says), Some(witness(&parting.sample, answer)))
        }
    };
    let (place, text) = (place(program, test.span), text(program, test.span));
    Test { place, text, verdict: verdict.to_owned(), machine, witness }
}

fn place(program: &Program, span: Span) -> String {
    let place = program.sources.place(span);
    format!("{}:{}", place.file, place.line)
}

fn text(program: &Program, span: Span) -> String {
    let text = String::from_utf8_lossy(program.sources.text(span));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { format!("`{cut}...`") } else { format!("`{text}`") }
}

fn decimal(value: Float) -> String {
    let double = value.to_f64();
    if double != 0.0 && (double.abs() < 1e-4 || double.abs() >= 1e17) {
        format!("{double:e}")
    } else {
        format!("{double}")
    }
}

/// As C's `%a` writes it.
fn hexadecimal(value: Float) -> String {
    let double = value.to_f64();
    if double == 0.0 {
        return if double.is_sign_negative() { "-0x0p+0".to_owned() } else { "0x0p+0".to_owned() };
    }
    let sign = if double < 0.0 { "-" } else { "" };
    let bits = double.abs().to_bits();
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let (lead, exponent) = if field == 0 { (0, -1022) } else { (1, field - 1023) };
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}
