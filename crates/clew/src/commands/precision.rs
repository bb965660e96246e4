// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew precision`: how wrong the numbers of a program can be.

use std::ffi::OsString;
use std::path::PathBuf;

use clew_frontend::DiskFiles;
use clew_ir::syntax::{FuncId, Program, Type};
use clew_precision::model::Simplified;
use clew_precision::{Interval, Options, fpcore};
use clew_report::precision::{Function, Precision, json, plot, text};

use crate::commands::fail;
use crate::exit::Exit;
use crate::flags::{Format, InputKind, ModelPart, PrecisionFlags};
use crate::input;
use crate::load;
use crate::messages::show_rejection;
use crate::precise::{self, Wanted};
use crate::terminal::print;

/// Bounds the round-off of functions.
pub fn precision(flags: &PrecisionFlags, compiler_flags: &[OsString]) -> Exit {
    let options = match options(flags) {
        Ok(options) => options,
        Err(message) => return fail(&message),
    };
    let mut disk = DiskFiles::new();
    let cores = match cores(&flags.files, &mut disk) {
        Ok(cores) => cores,
        Err(message) => return fail(&message),
    };
    let units = match input::named_files(&cores.files, compiler_flags, &disk) {
        Ok(units) => units,
        Err(rejection) => {
            show_rejection(&rejection);
            return Exit::BadInput;
        }
    };
    let loaded = load::load(units, disk);
    if loaded.fault {
        return Exit::Fault;
    }
    if loaded.bad_input {
        return Exit::BadInput;
    }
    let [program] = &loaded.programs[..] else {
        return fail("the files have several functions `main`: name them one at a time");
    };
    // A core that C cannot say is no missing function.
    let is_refused = |name: &&String| cores.refused.iter().any(|core| core.name == **name);
    let named: Vec<String> = flags.function.iter().filter(|name| !is_refused(name)).cloned().collect();
    let all_refused = named.is_empty() && !flags.function.is_empty();
    let chosen = if all_refused { Ok(Vec::new()) } else { functions(program, &named) };
    let functions = match chosen {
        Ok(functions) => functions,
        Err(message) => return fail(&message),
    };
    if let Some(unknown) = precise::unknown_name(program, &functions, &options) {
        return fail(&unknown);
    }
    if flags.fpcore {
        return match precise::as_fpcore(program, &functions, &options) {
            Ok(text) => {
                print(&text);
                Exit::Clean
            }
            Err(message) => fail(&message),
        };
    }
    let wanted = if flags.find { Wanted::Inputs } else { Wanted::Bounds };
    let mut report = match precise::report(program, &functions, &options, wanted) {
        Ok(report) => report,
        Err(message) => return fail(&message),
    };
    for function in &mut report.functions {
        if let Some((_, name)) = cores.names.iter().find(|(known, _)| *known == function.name) {
            function.name = format!("{} {name}", function.name);
        }
    }
    let is_wanted =
        |name: &str| flags.function.is_empty() || flags.function.iter().any(|wanted| wanted == name);
    let refused = cores.refused.into_iter().filter(|function| is_wanted(&function.name));
    report.functions.extend(refused);
    finish(&report, flags)
}

/// The C of FPCore files, what their functions are called there, and what C cannot say.
#[derive(Default)]
struct Cores {
    files: Vec<PathBuf>,
    names: Vec<(String, String)>,
    refused: Vec<Function>,
}

fn cores(files: &[PathBuf], disk: &mut DiskFiles) -> Result<Cores, String> {
    let mut all = Cores::default();
    for file in files {
        if file.extension().is_none_or(|extension| extension != "fpcore") {
            all.files.push(file.clone());
            continue;
        }
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let cores = fpcore::read(&text).map_err(|why| format!("{}: {why}", file.display()))?;
        let mut c = String::from("#include <math.h>\nvoid __VERIFIER_assume(int);\n");
        for core in cores {
            match core.text {
                Ok(text) => {
                    c += &text;
                    all.names.push((core.function, core.name));
                }
                Err(why) => all.refused.push(Function {
                    name: core.function,
                    place: file.display().to_string(),
                    refused: Some(format!("C cannot say {why}")),
                    ..Function::default()
                }),
            }
        }
        let path = file.with_extension("fpcore.c");
        disk.overlay(path.clone(), c.into_bytes());
        all.files.push(path);
    }
    Ok(all)
}

fn finish(report: &Precision, flags: &PrecisionFlags) -> Exit {
    if let Some(file) = &flags.plot {
        let Some(drawn) = report.functions.iter().find_map(plot) else {
            return fail(
                "--plot: there is nothing to draw: no function has a result and an input with a range",
            );
        };
        if let Err(error) = std::fs::write(file, drawn) {
            return fail(&format!("{}: {error}", file.display()));
        }
    }
    let out = match flags.output.format {
        Format::Text => text(report),
        Format::Json => json(report),
    };
    if let Some(file) = &flags.output.output {
        if let Err(error) = std::fs::write(file, out) {
            return fail(&format!("{}: {error}", file.display()));
        }
    } else {
        print(&out);
    }
    let violated = report.functions.iter().flat_map(|f| &f.properties).any(|p| p.verdict != "stable");
    if violated { Exit::Violated } else { Exit::Clean }
}

/// What the flags say of inputs.
fn options(flags: &PrecisionFlags) -> Result<Options, String> {
    let mut options = Options {
        joins: flags.joined,
        no_search: flags.no_search,
        profiles: match (flags.no_search, &flags.plot) {
            (_, Some(_)) => 200,
            (true, None) => 0,
            (false, None) => 48,
        },
        absolute_only: flags.absolute_only,
        rounds_inputs: flags.inputs == InputKind::Rounded,
        effort: flags.effort.saturating_mul(1_000_000),
        ..Options::default()
    };
    let positive = |flag: &str, text: &String| {
        number(text)
            .filter(|x| x.is_finite() && *x > 0.0)
            .ok_or_else(|| format!("{flag} {text}: a positive number is meant"))
    };
    options.stable = flags.stable.as_ref().map(|text| positive("--stable", text)).transpose()?;
    options.model.delta = flags.delta.as_ref().map(|text| positive("--delta", text)).transpose()?;
    if options.model.delta.is_some_and(|delta| delta >= 1.0) {
        return Err("--delta: below 1, such as 2^-8".to_owned());
    }
    let without = |part: ModelPart| flags.without.contains(&part);
    options.model.simplified = Simplified {
        status: !without(ModelPart::Status),
        updates: !without(ModelPart::Updates),
        normal: !without(ModelPart::Normal),
    };
    for text in &flags.range {
        let (name, range) = parse_range(text)?;
        match options.ranges.iter_mut().find(|(known, _)| *known == name) {
            None => options.ranges.push((name, range)),
            Some((_, known)) => match known.meet(range) {
                Some(both) => *known = both,
                None => {
                    return Err(format!(
                        "--range: what is said of `{name}` contradicts itself: no number is in both ranges"
                    ));
                }
            },
        }
    }
    for text in &flags.input_error {
        let (name, error) = match text.split_once('=') {
            Some((name, error)) => (Some(name.trim().to_owned()), error),
            None => (None, text.as_str()),
        };
        let value = number(error).filter(|error| error.is_finite() && *error >= 0.0);
        let value = value.ok_or_else(|| {
            format!("--input-error {text}: `{error}` is no error: a finite number that is not negative")
        })?;
        options.errors.push((name, value));
    }
    Ok(options)
}

/// `x=0..1`
fn parse_range(text: &str) -> Result<(String, Interval), String> {
    let wrong = |why: String| Err(format!("--range {text}: {why}"));
    let Some((name, ends)) = text.split_once('=') else {
        return wrong("write NAME=LO..HI, such as x=0..1".to_owned());
    };
    let Some((low, high)) = ends.split_once("..") else {
        return wrong("write NAME=LO..HI, such as x=0..1".to_owned());
    };
    if name.trim().is_empty() {
        return wrong("the name is missing".to_owned());
    }
    let [Some(lo), Some(hi)] = [number(low), number(high)] else {
        return wrong(format!("`{ends}` are no two numbers"));
    };
    match () {
        () if lo.is_nan() || hi.is_nan() => wrong("NaN is no end of a range".to_owned()),
        () if lo.is_infinite() || hi.is_infinite() => wrong("the ends must be finite".to_owned()),
        () if lo > hi => wrong(format!("the range is empty: {low} is above {high}")),
        () => Ok((name.trim().to_owned(), Interval::new(lo, hi))),
    }
}

/// A decimal or hexadecimal number of C.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(power) = text.strip_prefix("2^") {
        return power.parse::<i32>().ok().map(|power| 2f64.powi(power));
    }
    if let Some(percent) = text.strip_suffix('%') {
        return percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0);
    }
    let is_hex = text.trim_start_matches(['-', '+']).to_ascii_lowercase().starts_with("0x");
    if is_hex {
        let (sign, digits) =
            text.strip_prefix('-').map_or((1.0, text.trim_start_matches('+')), |rest| (-1.0, rest));
        return clew_precision::constant::double_of(digits).map(|value| sign * value);
    }
    text.parse().ok()
}

/// The functions to look at.
fn functions(program: &Program, named: &[String]) -> Result<Vec<FuncId>, String> {
    if named.is_empty() {
        let all: Vec<FuncId> =
            program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect();
        let floats: Vec<FuncId> = all.iter().copied().filter(|id| computes_floats(program, *id)).collect();
        let mains: Vec<FuncId> =
            all.into_iter().filter(|id| &*program.functions[*id].name == "main").collect();
        let chosen = if floats.is_empty() { mains } else { floats };
        return if chosen.is_empty() {
            Err("no function computes floats; --function names one".to_owned())
        } else {
            Ok(chosen)
        };
    }
    let find = |name: &String| {
        let is_it = |f: &clew_ir::syntax::Function| *f.name == **name && f.body.is_some();
        let found = program.functions.iter_enumerated().find(|(_, f)| is_it(f)).map(|(id, _)| id);
        found.ok_or_else(|| format!("there is no function `{name}` with a body"))
    };
    named.iter().map(find).collect()
}

/// Whether a function returns a float or may write some.
fn computes_floats(program: &Program, id: FuncId) -> bool {
    let Type::Function { result, parameters, .. } = program.types().get(program.functions[id].ty) else {
        return false;
    };
    let types = program.types();
    let points_to_float = |ty| types.pointee(ty).is_some_and(|to| types.float_format(to).is_some());
    let is_void = matches!(types.get(*result), Type::Void);
    types.float_format(*result).is_some() || (is_void && parameters.iter().any(|ty| points_to_float(*ty)))
}
