// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs zlib, bc, SQLite and GSL programs three ways and compares every byte they write.
//!
//! Natively as `gcc -O0` makes them, under `clew run`, and as the C that `clew ir --emit c` writes, compiled by
//! gcc. Each way gets a fresh folder; standard output, the exit status and the files left behind must agree.
//!
//! A program with undefined behaviour of its own (GSL's tests have one overflow) is run with `--all`, and then each
//! finding must be confirmed at its line by gcc's sanitizer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use clew_native::sanitizer::{Report, read_reports};
use clew_native::{Child, Compiler, Executable, Limits, Outcome, Status};
use tempfile::TempDir;

use crate::clew::{Choice, Clew, FINDING, Finding, findings, first_line, root};
use crate::sources::Project;

/// How long the interpreter may take for one step.
const INTERPRETER_TIME: Duration = Duration::from_secs(1200);

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// The projects; all of them when none is named.
    projects: Vec<Project>,
}

/// One program and how it is run.
struct Program {
    name: &'static str,
    sources: Vec<PathBuf>,
    flags: Vec<String>,
    steps: Vec<Step>,
    /// It is known to have undefined behaviour, and goes on past it.
    undefined: bool,
}

/// One run of a program. The output of the step before is the input, if `piped`.
struct Step {
    arguments: Vec<&'static str>,
    input: Vec<u8>,
    piped: bool,
}

/// What a way of running left: the outcome of each step, and the files.
struct Left {
    steps: Vec<Outcome>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let mut good = true;
    println!("| program | steps | bytes out | native | clew run | emit_c |\n|---|---|---|---|---|---|");
    for (project, programs) in PROJECTS {
        // Nothing is fetched that is not asked for.
        if !options.projects.is_empty() && !options.projects.contains(project) {
            continue;
        }
        for program in programs()? {
            good &= judge(&clew, &program).with_context(|| program.name)?;
        }
    }
    Ok(good)
}

type Programs = fn() -> Result<Vec<Program>>;

const PROJECTS: &[(Project, Programs)] =
    &[(Project::Zlib, zlib), (Project::Bc, bc), (Project::Sqlite, sqlite), (Project::Gsl, gsl)];

fn zlib() -> Result<Vec<Program>> {
    let built = Project::Zlib.prepare()?;
    let mut library = Vec::new();
    for command in &built.commands {
        if !command.path().starts_with(built.folder.join("test")) && !library.contains(&command.path()) {
            library.push(command.path());
        }
    }
    let flags = vec![
        format!("-I{}", built.folder.display()),
        "-D_LARGEFILE64_SOURCE=1".into(),
        "-DHAVE_HIDDEN".into(),
    ];
    let with = |test: &str| {
        let mut sources = library.clone();
        sources.push(built.folder.join("test").join(test));
        sources
    };
    let example = Program {
        name: "zlib-example",
        sources: with("example.c"),
        flags: flags.clone(),
        steps: vec![Step::plain()],
        undefined: false,
    };
    let minigzip = Program {
        name: "zlib-minigzip",
        sources: with("minigzip.c"),
        flags,
        steps: vec![
            Step { arguments: vec![], input: megabyte(), piped: false },
            Step { arguments: vec!["-d"], input: Vec::new(), piped: true },
        ],
        undefined: false,
    };
    Ok(vec![example, minigzip])
}

fn bc() -> Result<Vec<Program>> {
    let built = Project::Bc.prepare()?;
    let mut sources: Vec<PathBuf> = built.commands.iter().map(|command| command.path()).collect();
    sources.retain(|path| !path.starts_with(built.folder.join("dc")));
    sources.sort();
    sources.dedup();
    let folder = built.folder.display();
    let flags = [format!("-I{folder}"), format!("-I{folder}/h"), format!("-I{folder}/bc")];
    let flags = flags.into_iter().chain(["-DHAVE_CONFIG_H".into(), "-funsigned-char".into()]).collect();
    let input = b"scale=200; 4*a(1)\n".to_vec();
    let step = Step { arguments: vec!["-l"], input, piped: false };
    Ok(vec![Program { name: "bc-pi", sources, flags, steps: vec![step], undefined: false }])
}

fn sqlite() -> Result<Vec<Program>> {
    let built = Project::Sqlite.prepare()?;
    let folder = root().join("bench/real-code");
    let script = std::fs::read(folder.join("statements.sql"))?;
    let program = |name, database| Program {
        name,
        sources: vec![built.folder.join("sqlite3.c"), folder.join("sqlite-driver.c")],
        flags: vec![
            format!("-I{}", built.folder.display()),
            // One thread, and no code from outside the program.
            "-DSQLITE_THREADSAFE=0".into(),
            "-DSQLITE_OMIT_LOAD_EXTENSION".into(),
        ],
        steps: vec![Step { arguments: vec![database], input: script.clone(), piped: false }],
        undefined: false,
    };
    Ok(vec![program("sqlite-memory", ":memory:"), program("sqlite-file", "test.db")])
}

/// GSL's own test of its special functions with the parts of the library that it links.
fn gsl() -> Result<Vec<Program>> {
    let built = Project::Gsl.prepare()?;
    let parts = [
        "specfunc",
        "eigen",
        "linalg",
        "sort",
        "matrix",
        "vector",
        "blas",
        "cblas",
        "block",
        "complex",
        "poly",
        "ieee-utils",
        "err",
        "test",
        "sys",
        "utils",
        "permutation",
    ];
    let mut sources: Vec<PathBuf> = built.commands.iter().map(|command| command.path()).collect();
    sources.retain(|path| parts.iter().any(|part| path.starts_with(built.folder.join(part))));
    sources.retain(|path| !path.ends_with("specfunc/test_legendre.c"));
    sources.sort();
    sources.dedup();
    sources.push(root().join("bench/real-code/gsl-no-legendre.c"));
    let flags = vec!["-DHAVE_CONFIG_H".into(), format!("-I{}", built.folder.display())];
    Ok(vec![Program { name: "gsl-specfunc", sources, flags, steps: vec![Step::plain()], undefined: true }])
}

impl Step {
    fn plain() -> Step {
        Step { arguments: Vec::new(), input: Vec::new(), piped: false }
    }
}

/// A megabyte that compresses like a real file: words of a small vocabulary with noise between.
fn megabyte() -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    let words: Vec<String> =
        (0..500).map(|_| (0..random.usize(2..9)).map(|_| random.lowercase()).collect()).collect();
    let mut bytes = Vec::new();
    while bytes.len() < 1 << 20 {
        bytes.extend_from_slice(words[random.usize(..words.len())].as_bytes());
        bytes.push(if random.u8(..8) == 0 { random.u8(..) } else { b' ' });
    }
    bytes.truncate(1 << 20);
    bytes
}

fn judge(clew: &Clew, program: &Program) -> Result<bool> {
    let compiler = Compiler::find()?;
    let executable = build(&compiler, program, &["-O0"])?;
    let native = run_steps(program, |step| executable.child().args(&step.arguments))?;
    let mut ours = run_steps(program, |step| {
        let all = program.undefined.then_some("--all");
        let child = clew.child("run", INTERPRETER_TIME).args(all).args(&program.sources);
        child.args(&step.arguments).args(["--", "-w"]).args(&program.flags)
    })?;
    let mut notes = String::new();
    if program.undefined {
        notes = forgive_confirmed(program, &compiler, &native, &mut ours)?;
    }
    let ours_text = difference(&native, &ours);
    let emitted_text = match emitted(clew, program, &compiler)? {
        Ok(emitted) => difference(&native, &emitted),
        Err(message) => Some(message),
    };
    let seconds = |left: &Left| left.steps.iter().map(|step| step.cpu.as_secs_f64()).sum::<f64>();
    let bytes: usize = native.steps.iter().map(|step| step.stdout.len()).sum();
    let good = ours_text.is_none() && emitted_text.is_none();
    let ours_text = ours_text.unwrap_or_else(|| format!("same, {:.2} s{notes}", seconds(&ours)));
    let emitted_text = emitted_text.unwrap_or_else(|| "same".into());
    let steps = native.steps.len();
    let time = seconds(&native);
    println!("| {} | {steps} | {bytes} | {time:.2} s | {ours_text} | {emitted_text} |", program.name);
    Ok(good)
}

fn build(compiler: &Compiler, program: &Program, flags: &[&str]) -> Result<Executable> {
    let own = flags.iter().map(|flag| (*flag).to_owned());
    let flags: Vec<String> = own.chain(["-w".to_owned()]).chain(program.flags.iter().cloned()).collect();
    Ok(compiler.build(&program.sources, &flags, &["-lm"])?)
}

/// Gives steps that ended with findings the native status, if gcc's sanitizer confirms every finding at its line.
/// Says how many there were.
fn forgive_confirmed(
    program: &Program,
    compiler: &Compiler,
    native: &Left,
    ours: &mut Left,
) -> Result<String> {
    let mut found: Vec<Finding> =
        ours.steps.iter().flat_map(|step| findings(&step.stderr_text())).filter(|f| f.stops).collect();
    found.dedup();
    if found.is_empty() {
        return Ok(String::new());
    }
    let executable = build(compiler, program, &["-O0", "-g", "-fsanitize=undefined,float-cast-overflow"])?;
    let judged = run_steps(program, |step| executable.child().args(&step.arguments))?;
    let reports: Vec<Report> =
        judged.steps.iter().flat_map(|step| read_reports(&step.stderr_text())).collect();
    let confirmed = |finding: &Finding| {
        let places = reports.iter().filter_map(|report| report.location.as_ref());
        places
            .into_iter()
            .any(|at| at.line == finding.line && Path::new(&at.file).ends_with(name_of(&finding.file)))
    };
    if found.iter().all(confirmed) {
        for (step, native) in ours.steps.iter_mut().zip(&native.steps) {
            if step.status == Status::Exited(FINDING) {
                step.status = native.status;
            }
        }
    }
    let places: Vec<String> =
        found.iter().map(|f| format!("{} at {}:{}", f.check, name_of(&f.file), f.line)).collect();
    Ok(format!(", confirmed by gcc: {}", places.join(", ")))
}

fn name_of(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn run_steps(program: &Program, child: impl Fn(&Step) -> Child) -> Result<Left> {
    let folder = TempDir::new()?;
    let mut steps: Vec<Outcome> = Vec::new();
    for step in &program.steps {
        let input = match steps.last() {
            Some(last) if step.piped => last.stdout.clone(),
            _ => step.input.clone(),
        };
        let limits = Limits { time: INTERPRETER_TIME, output: 256 << 20, memory: None };
        let outcome = child(step)
            .directory(folder.path())
            .env("GSL_TEST_VERBOSE", "1")
            .stdin(input)
            .limits(limits)
            .run()?;
        steps.push(outcome);
    }
    Ok(Left { steps, files: files_of(folder.path())? })
}

fn files_of(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        files.insert(name, std::fs::read(&path)?);
    }
    Ok(files)
}

/// The program that gcc makes of the C that clew writes, run; or why there is none.
fn emitted(clew: &Clew, program: &Program, compiler: &Compiler) -> Result<Result<Left, String>> {
    let limits = Limits { time: INTERPRETER_TIME, output: 1 << 30, memory: None };
    let outcome = clew
        .child("ir", INTERPRETER_TIME)
        .args(["--emit", "c"])
        .args(&program.sources)
        .args(["--", "-w"])
        .args(&program.flags)
        .limits(limits)
        .run()?;
    if !outcome.success() {
        return Ok(Err(format!("{}: {}", outcome.status, first_line(&outcome.stderr_text()))));
    }
    let folder = crate::clew::target_folder().join("emitted");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(program.name).with_extension("c");
    std::fs::write(&file, &outcome.stdout)?;
    match compiler.build(&[&file], &["-O0", "-w"], &["-lm"]) {
        Ok(executable) => Ok(Ok(run_steps(program, |step| executable.child().args(&step.arguments))?)),
        Err(error) => Ok(Err(format!("gcc: {}", first_error(&error.to_string())))),
    }
}

fn first_error(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("error:") || line.contains("undefined reference"));
    first_line(line.unwrap_or(text))
}

/// The first thing in which two ways of running differ.
fn difference(native: &Left, other: &Left) -> Option<String> {
    for (index, (a, b)) in native.steps.iter().zip(&other.steps).enumerate() {
        let step = index + 1;
        if a.status != b.status {
            let text = b.stderr_text();
            let place = findings(&text).first().map(|f| format!("{} at {}:{}", f.check, f.file, f.line));
            let what = place.unwrap_or_else(|| first_line(&text));
            return Some(format!("step {step}: {} natively, {} here: {what}", a.status, b.status));
        }
        if a.stdout != b.stdout {
            let at = a.stdout.iter().zip(&b.stdout).take_while(|(x, y)| x == y).count();
            return Some(format!("step {step}: output differs from byte {at} on"));
        }
        if a.stderr != b.stderr && matches!(b.status, Status::Exited(_)) && b.stderr.is_empty() {
            return Some(format!("step {step}: standard error is missing"));
        }
    }
    let names =
        |left: &Left| left.files.keys().map(|name| name.display().to_string()).collect::<Vec<_>>().join(" ");
    if native.files.keys().ne(other.files.keys()) {
        return Some(format!("files: {} natively, {} here", names(native), names(other)));
    }
    let changed = native.files.iter().find(|(name, bytes)| other.files.get(*name) != Some(*bytes));
    changed.map(|(name, _)| format!("file {} differs", name.display()))
}
