// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a compiled program on many inputs, and what the sanitizers see in them.
//!
//! One process runs all inputs (`driver.c`), because starting a sanitized program costs more than most runs. What a run
//! does is a list of events in their order: a run says nothing any more after a violation that the machine has no
//! value for.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clew_native::sanitizer::{Kind, Report, read_reports};
use clew_native::{Child, Compiler, Limits};
use tempfile::TempDir;

const DRIVER: &str = include_str!("driver.c");
const SANITIZERS: [&str; 6] = [
    "-O0",
    "-g",
    "-w",
    "-fsanitize=address,undefined,float-cast-overflow",
    // Where the machine has a value the run goes on with it.
    "-fno-sanitize-recover=all",
    "-fsanitize-recover=signed-integer-overflow,shift,float-cast-overflow",
];

/// The head of a generated program: what it tells the driver where it is compiled, and keeps from clew.
pub const PRELUDE: &str = "\
#ifdef RUN
void clew_at(int); void clew_violated(const char *, int); void clew_ended(const char *, int); int clew_any(void);
#define AT clew_at(__LINE__);
#define RUNS(...) __VA_ARGS__
#else
#define AT
#define RUNS(...)
#endif
";

/// What a run is given.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// `argv`, from `argv[0]`; may be empty.
    pub arguments: Vec<Vec<u8>>,
    /// Texts of the environment, `NAME=value`. No text holds a zero byte.
    pub environment: Vec<Vec<u8>>,
    /// What `__VERIFIER_nondet_*` return.
    pub numbers: Vec<i64>,
}

impl Inputs {
    /// As the driver reads them.
    fn bytes(&self) -> Vec<u8> {
        let counts = [self.arguments.len(), self.environment.len(), self.numbers.len()];
        let numbers = self.numbers.iter().map(|number| number.to_string().into_bytes());
        let texts = counts.iter().map(|count| count.to_string().into_bytes());
        let texts = texts.chain(self.arguments.iter().cloned()).chain(self.environment.iter().cloned());
        texts.chain(numbers).flat_map(|text| text.into_iter().chain([0])).collect()
    }

    /// No system starts a program with these: a text has a zero byte inside.
    pub fn is_impossible(&self) -> bool {
        self.arguments.iter().chain(&self.environment).any(|text| text.contains(&0))
    }
}

impl std::fmt::Display for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let texts = |list: &[Vec<u8>]| -> String {
            let shown: Vec<String> = list.iter().map(|text| format!("\"{}\"", text.escape_ascii())).collect();
            shown.join(", ")
        };
        write!(f, "argv {{{}}}", texts(&self.arguments))?;
        write!(f, " environ {{{}}} numbers {:?}", texts(&self.environment), self.numbers)
    }
}

/// What happened in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line with a marker was reached, for the first time.
    At(u32),
    /// Something was violated.
    Violated(Violation),
}

/// What a run violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The line.
    pub line: u32,
    /// The checks that may be meant: sanitizers do not tell all of them apart.
    pub checks: Vec<String>,
    /// Whether the machine has a value with which the program goes on.
    pub goes_on: bool,
    /// In the sanitizer's words.
    pub message: String,
}

/// One run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What it was given.
    pub inputs: Inputs,
    /// What happened, up to the first violation that it cannot go on after.
    pub events: Vec<Event>,
    /// How it ended.
    pub end: String,
}

impl Run {
    /// What it violated, in its order.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.events.iter().filter_map(|event| match event {
            Event::Violated(violation) => Some(violation),
            Event::At(_) => None,
        })
    }

    /// The lines it reached.
    pub fn reached(&self) -> impl Iterator<Item = u32> {
        self.events.iter().filter_map(|event| match event {
            Event::At(line) => Some(*line),
            Event::Violated(_) => None,
        })
    }
}

/// Compiles and runs programs.
pub struct Runner {
    compiler: Compiler,
    folder: TempDir,
}

impl Runner {
    /// Compiles the driver.
    pub fn new() -> Result<Runner> {
        let compiler = Compiler::find()?;
        let folder = tempfile::Builder::new().prefix("clew-").tempdir()?;
        let runner = Runner { compiler, folder };
        let source = runner.folder.path().join("driver.c");
        std::fs::write(&source, DRIVER)?;
        let mut arguments: Vec<PathBuf> = SANITIZERS.iter().map(PathBuf::from).collect();
        arguments.extend(["-c".into(), source, "-o".into(), runner.driver()]);
        let outcome = runner.compiler.run(arguments, None)?;
        if !outcome.success() {
            bail!("the driver does not compile: {}", outcome.stderr_text());
        }
        Ok(runner)
    }

    fn driver(&self) -> PathBuf {
        self.folder.path().join("driver.o")
    }

    /// Runs the program of a file on each of the inputs.
    pub fn runs(&self, file: &Path, inputs: &[Inputs]) -> Result<Vec<Run>> {
        let flags: Vec<&str> = SANITIZERS.into_iter().chain(["-DRUN", "-Wl,--wrap=main"]).collect();
        let program = self.compiler.build(&[file, &self.driver()], &flags, &["-lm"])?;
        let bytes: Vec<u8> = inputs.iter().flat_map(Inputs::bytes).collect();
        // A fixed layout of memory: older sanitizers do not cope with every random one.
        let child = Child::new("setarch").arg("-R").arg(program.path()).stdin(bytes);
        let child = child.env("ASAN_OPTIONS", "detect_leaks=0:handle_abort=0:allocator_may_return_null=1");
        let limits = Limits { time: Duration::from_secs(60), output: 16 << 20, memory: None };
        let outcome = child.limits(limits).run()?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let runs = read_runs(&String::from_utf8_lossy(&outcome.stderr), &name, inputs);
        if runs.len() != inputs.len() {
            let (done, all) = (runs.len(), inputs.len());
            bail!("{}: {done} of {all} runs, {}", file.display(), outcome.status);
        }
        Ok(runs)
    }
}

/// The runs in what the driver and its children said.
fn read_runs(text: &str, file_name: &str, inputs: &[Inputs]) -> Vec<Run> {
    let parts = text.split("#run\n").skip(1);
    let ended = parts.filter_map(|part| part.rsplit_once("\n#end "));
    ended
        .zip(inputs)
        .map(|((said, end), inputs)| {
            let end = end.lines().next().unwrap_or_default().to_owned();
            Run { inputs: inputs.clone(), events: read_events(said, file_name), end }
        })
        .collect()
}

fn read_events(said: &str, file_name: &str) -> Vec<Event> {
    let mut events = Vec::new();
    // What sanitizers say between two lines of the program itself.
    let mut prose = String::new();
    for line in said.lines() {
        let own = own_event(line);
        if own.is_some() {
            events.extend(read_prose(&std::mem::take(&mut prose), file_name));
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
        events.extend(own);
    }
    events.extend(read_prose(&prose, file_name));
    let stops = |event: &Event| matches!(event, Event::Violated(violation) if !violation.goes_on);
    if let Some(last) = events.iter().position(stops) {
        events.truncate(last + 1);
    }
    events
}

/// `@line` or `!check line`, with `stop` where the run ends there.
fn own_event(line: &str) -> Option<Event> {
    if let Some(number) = line.strip_prefix('@') {
        return number.parse().ok().map(Event::At);
    }
    let words: Vec<&str> = line.strip_prefix('!')?.split(' ').collect();
    let [check, line, rest @ ..] = words.as_slice() else { return None };
    Some(Event::Violated(Violation {
        line: line.parse().ok()?,
        checks: vec![(*check).to_owned()],
        goes_on: rest.is_empty(),
        message: (*check).to_owned(),
    }))
}

fn read_prose(prose: &str, file_name: &str) -> Vec<Event> {
    let reports = read_reports(prose).into_iter().filter_map(|report| violation(&report, file_name));
    let assertions = prose.lines().filter_map(|line| failed_assertion(line, file_name));
    reports.chain(assertions).map(Event::Violated).collect()
}

/// `program: file:line: function: Assertion ... failed.`
fn failed_assertion(line: &str, file_name: &str) -> Option<Violation> {
    let (place, _) = line.split_once(": Assertion `")?;
    let (_, rest) = place.split_once(&format!("{file_name}:"))?;
    let line_number = rest.split(':').next()?.parse().ok()?;
    let checks = vec!["assertion".to_owned()];
    Some(Violation { line: line_number, checks, goes_on: false, message: line.trim().to_owned() })
}

fn violation(report: &Report, file_name: &str) -> Option<Violation> {
    let line = report.place_in(file_name)?.line;
    let (checks, goes_on) = checks_of(report);
    let checks = checks.iter().map(|check| (*check).to_owned()).collect();
    Some(Violation { line, checks, goes_on, message: report.message.clone() })
}

/// What a report may be to clew, and whether the machine goes on with a value that it alone determines.
fn checks_of(report: &Report) -> (&'static [&'static str], bool) {
    const ACCESS: &[&str] = &[
        "out-of-bounds",
        "invalid-deref",
        "null-deref",
        "use-after-free",
        "string-not-terminated",
        "bad-argument",
        "write-to-const",
    ];
    match report.kind {
        Kind::SignedOverflow if report.message.starts_with("left shift") => (&["shift-out-of-range"], true),
        // What is divided by -1 traps.
        Kind::SignedOverflow => (&["signed-overflow"], !report.message.starts_with("division")),
        Kind::Shift => (&["shift-out-of-range"], true),
        Kind::FloatToInt => (&["float-to-int"], true),
        Kind::DivisionByZero => (&["division-by-zero"], false),
        Kind::ArithmeticTrap => (&["division-by-zero", "signed-overflow"], false),
        Kind::Bounds => (&["out-of-bounds"], false),
        Kind::Null => (&["null-deref"], false),
        Kind::NullArgument => (&["null-deref", "bad-argument"], false),
        _ => (ACCESS, false),
    }
}

/// What a witness of clew's report gives to a run; nothing if it holds what the driver cannot give.
pub fn witnessed(witness: &serde_json::Value) -> Result<Option<Inputs>> {
    let mut inputs = Inputs { arguments: vec![b"program".to_vec()], ..Inputs::default() };
    for input in witness["inputs"].as_array().into_iter().flatten() {
        let text = |name: &str| input[name].as_str().unwrap_or_default();
        let name = text("name");
        match input["kind"].as_str().unwrap_or("call") {
            "argument" if name == "argc" => inputs.arguments.truncate(text("value").parse()?),
            "argument" if name == "argv[0]" => inputs.arguments[0] = hexadecimal(text("bits"))?,
            "argument" => inputs.arguments.push(hexadecimal(text("bits"))?),
            "environment" if name.starts_with("environ[") => {
                inputs.environment.push(hexadecimal(text("bits"))?);
            }
            "environment" => {
                let value = hexadecimal(text("bits"))?;
                inputs.environment.push([name.as_bytes(), b"=", &value].concat());
            }
            "call" => inputs.numbers.push(text("value").parse().context("a number of a witness")?),
            _ => return Ok(None),
        }
    }
    Ok(Some(inputs))
}

/// The bytes behind `0x`, in their order.
fn hexadecimal(bits: &str) -> Result<Vec<u8>> {
    let digits = bits.strip_prefix("0x").unwrap_or(bits).as_bytes();
    digits
        .chunks(2)
        .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
        .collect::<Result<Vec<u8>>>()
        .with_context(|| format!("the bytes of a witness: {bits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str, inputs: &[Inputs]) -> Vec<Run> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.c");
        std::fs::write(&file, format!("{PRELUDE}#line 1\n{text}")).unwrap();
        Runner::new().unwrap().runs(&file, inputs).unwrap()
    }

    #[test]
    fn a_run_goes_on_after_an_overflow_and_ends_at_a_division() {
        let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n AT int x = __VERIFIER_nondet_int();\n\
                    AT x = x + 1;\n AT x = 5 / (x + 2147483647 + 1);\n AT return x;\n}\n";
        let inputs = [2147483647, 3].map(|number| Inputs { numbers: vec![number], ..Inputs::default() });
        let runs = runs(text, &inputs);
        let lines: Vec<(u32, bool)> = runs[0].violations().map(|v| (v.line, v.goes_on)).collect();
        assert_eq!(lines, [(4, true), (5, false)], "{runs:#?}");
        assert_eq!(runs[0].reached().collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(runs[1].violations().map(|v| v.line).collect::<Vec<_>>(), [5]);
        assert_eq!(runs[1].reached().collect::<Vec<_>>(), [3, 4, 5, 6]);
    }

    #[test]
    fn main_may_have_no_arguments_and_vectors_have_their_exact_size() {
        let text = "#include <assert.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n\
                    AT assert(argc > 0);\n AT assert(getenv(\"K\") == 0);\n AT return argv[argc + 1] != 0;\n}\n";
        let one = Inputs { arguments: vec![b"a".to_vec()], ..Inputs::default() };
        let set = Inputs { environment: vec![b"K=1".to_vec()], ..one.clone() };
        let runs = runs(text, &[Inputs::default(), set, one]);
        let first: Vec<Option<(u32, &str)>> =
            runs.iter().map(|run| run.violations().next().map(|v| (v.line, v.checks[0].as_str()))).collect();
        assert_eq!(first, [Some((4, "assertion")), Some((5, "assertion")), Some((6, "out-of-bounds"))]);
    }

    #[test]
    fn reads_the_inputs_of_a_witness() {
        let witness: serde_json::Value = serde_json::from_str(
            r#"{"inputs": [{"kind": "argument", "name": "argv[1]", "bits": "0x6162", "value": "\"ab\""},
                {"kind": "environment", "name": "K", "bits": "0x", "value": "\"\""},
                {"name": "__VERIFIER_nondet_int", "value": "-7"}]}"#,
        )
        .unwrap();
        let inputs = witnessed(&witness).unwrap().unwrap();
        assert_eq!(inputs.arguments, [b"program".to_vec(), b"ab".to_vec()]);
        assert_eq!(inputs.environment, [b"K=".to_vec()]);
        assert_eq!(inputs.numbers, [-7]);
    }
}
