// SPDX-License-Identifier: MIT OR Apache-2.0
//! Broken files must end in a message, never in a crash or a hang.
//!
//! Mutated C files, random bytes, deep nesting and one huge line go through `clew check` and `clew run`. `check`
//! may end in 0, 1 or 2, and in 1 only with a finding printed. `run` may end as the program does; its own trouble
//! is a crash, or running on where the compiled program ends.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use clew_native::{Compiler, Outcome, Status};
use fastrand::Rng;

use crate::clew::{Choice, Clew, crashed, findings, first_line, target_folder};
use crate::{corpus, jobs};

/// Nothing may take longer.
const TIME: Duration = Duration::from_secs(10);
/// A file of 100 MB has to be read at least.
const LARGE_TIME: Duration = Duration::from_secs(60);
/// How deep the nested files nest.
const DEPTH: usize = 100_000;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Mutated C files.
    #[arg(long, default_value_t = 2000)]
    mutants: u64,
    /// Files of random bytes.
    #[arg(long, default_value_t = 200)]
    binaries: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Files at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// One file to try.
enum Input {
    Mutant(u64),
    Binary(u64),
    Nested(usize),
    LongLine,
}

impl Input {
    fn name(&self) -> String {
        match self {
            Input::Mutant(seed) => format!("mutant-{seed}.c"),
            Input::Binary(seed) => format!("binary-{seed}.c"),
            Input::Nested(shape) => format!("nested-{}.c", NESTED[*shape].0),
            Input::LongLine => "long-line.c".into(),
        }
    }

    fn bytes(&self, originals: &[Vec<u8>]) -> Vec<u8> {
        match self {
            Input::Mutant(seed) => mutant(originals, &mut Rng::with_seed(*seed)),
            Input::Binary(seed) => {
                let mut random = Rng::with_seed(*seed);
                (0..random.usize(1..20_000)).map(|_| random.u8(..)).collect()
            }
            Input::Nested(shape) => nested(NESTED[*shape]),
            Input::LongLine => long_line(),
        }
    }

    fn time(&self) -> Duration {
        if matches!(self, Input::LongLine) { LARGE_TIME } else { TIME }
    }
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let folder = target_folder().join("mutate");
    std::fs::create_dir_all(&folder)?;
    let originals: Vec<Vec<u8>> = corpus::c_files(&["tests", "examples", "bench/loops"])?
        .iter()
        .map(std::fs::read)
        .collect::<Result<_, _>>()?;
    if originals.is_empty() {
        bail!("no C files to start from");
    }
    let seeds = |count: u64| options.seed..options.seed + count;
    let inputs: Vec<Input> = seeds(options.mutants)
        .map(Input::Mutant)
        .chain(seeds(options.binaries).map(Input::Binary))
        .chain((0..NESTED.len()).map(Input::Nested))
        .chain([Input::LongLine])
        .collect();
    let results = jobs::for_each(
        options.jobs,
        &inputs,
        |input| one_input(&clew, input, &originals, &folder),
        |input, result| match result {
            Ok(complaints) => complaints.iter().for_each(|c| println!("{}: {c}", input.name())),
            Err(error) => println!("{}: {error:#}", input.name()),
        },
    );
    let failed =
        results.iter().filter(|result| !matches!(result, Ok(complaints) if complaints.is_empty())).count();
    if failed > 0 {
        println!("failing files are kept in {}", folder.display());
    }
    println!("{} files, {failed} failed", results.len());
    Ok(failed == 0)
}

fn one_input(clew: &Clew, input: &Input, originals: &[Vec<u8>], folder: &Path) -> Result<Vec<String>> {
    // Its own folder: a mutated program may write files.
    let place = folder.join(input.name()).with_extension("");
    std::fs::create_dir_all(&place)?;
    let file = place.join("input.c");
    std::fs::write(&file, input.bytes(originals))?;
    let mut complaints = Vec::new();
    let check = clew.child("check", input.time()).arg(&file).directory(&place).run()?;
    complaints.extend(complain_check(&check).map(|c| format!("check: {c}")));
    let run = clew.child("run", input.time()).arg(&file).directory(&place).run()?;
    complaints.extend(complain_run(&run, &file)?.map(|c| format!("run: {c}")));
    let must_speak = !matches!(input, Input::Mutant(_));
    if must_speak && check.status == Status::Exited(2) && check.stderr.is_empty() {
        complaints.push("check: refused without a word".into());
    }
    if complaints.is_empty() {
        std::fs::remove_dir_all(&place)?;
    }
    Ok(complaints)
}

fn complain_check(outcome: &Outcome) -> Option<String> {
    if let Some(crash) = crashed(outcome) {
        return Some(crash);
    }
    match outcome.status {
        Status::Exited(0 | 2) => None,
        Status::Exited(1) => {
            let text = String::from_utf8_lossy(&outcome.stdout).into_owned() + &outcome.stderr_text();
            findings(&text).is_empty().then(|| "status 1 without a finding".into())
        }
        other => Some(format!("{other}: {}", first_line(&outcome.stderr_text()))),
    }
}

fn complain_run(outcome: &Outcome, file: &Path) -> Result<Option<String>> {
    if let Some(crash) = crashed(outcome) {
        return Ok(Some(crash));
    }
    if !matches!(outcome.status, Status::TimedOut | Status::TooMuchOutput) {
        return Ok(None);
    }
    // A program that runs on natively may run on here.
    let Ok(program) = Compiler::find()?.build(&[file], &["-O0", "-w"], &["-lm"]) else {
        return Ok(Some(format!("{}, and gcc refuses the file", outcome.status)));
    };
    let place = file.parent().unwrap_or(Path::new(".")).to_owned();
    let native = program.child().directory(place).time(TIME).run()?;
    let slow = native.wall > Duration::from_millis(50);
    Ok((!slow && matches!(native.status, Status::Exited(_)))
        .then(|| format!("{}, natively {} after {:?}", outcome.status, native.status, native.wall)))
}

/// Pieces that put a parser into unusual states.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "...",
    "::",
    "?",
    ":",
    "=",
    "==",
    "<<",
    ">>=",
    "#",
    "##",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "0",
    "-1",
    "0x",
    "1e",
    "1e999999",
    "08",
    "0x1p",
    "9223372036854775808",
    "99999999999999999999999999",
    "'\\",
    "'ab'",
    "u8\"",
    "L'",
    "int",
    "unsigned",
    "long long long",
    "void",
    "char",
    "double",
    "_Complex",
    "_Bool",
    "struct",
    "union {",
    "enum",
    "typedef",
    "static",
    "extern",
    "register",
    "_Thread_local",
    "_Generic(",
    "_Static_assert(0);",
    "_Alignas(3)",
    "_Atomic(",
    "__attribute__((",
    "__asm__(\"\")",
    "__builtin_va_arg(",
    "__int128",
    "typeof(",
    "sizeof",
    "return",
    "goto",
    "switch",
    "case",
    "default:",
    "while(1);",
    "for(;;)",
    "if",
    "else",
    "break",
    "continue",
    "do",
    "&&label",
    "#define X X(X)\n",
    "#include \"input.c\"\n",
    "#if\n",
    "#else\n",
    "#endif\n",
    "#line 0\n",
    "#error\n",
    "#pragma pack(1)\n",
    "__VA_ARGS__",
    "__LINE__",
    "__func__",
    "\0",
    "\u{feff}",
    "é",
    "$",
    "@",
    "`",
];

/// A random file of the corpus with a few random changes.
fn mutant(originals: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut bytes = originals[random.usize(..originals.len())].clone();
    for _ in 0..random.usize(1..6) {
        change(&mut bytes, originals, random);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, originals: &[Vec<u8>], random: &mut Rng) {
    let at = random.usize(..=bytes.len());
    let end = (at + random.usize(1..40)).min(bytes.len());
    match random.u8(..9) {
        0 => drop(bytes.drain(at..end)),
        1 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
        2 => bytes.truncate(at),
        3 => (at..end).for_each(|i| bytes[i] ^= 1 << random.u8(..8)),
        4 => swap_lines(bytes, random),
        5 => {
            let other = &originals[random.usize(..originals.len())];
            let from = random.usize(..=other.len());
            let piece = other[from..(from + random.usize(1..200)).min(other.len())].to_vec();
            drop(bytes.splice(at..at, piece));
        }
        6 => replace_word(bytes, random),
        _ => {
            let piece = PIECES[random.usize(..PIECES.len())];
            drop(bytes.splice(at..at, piece.bytes()));
        }
    }
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (random.usize(..lines.len()), random.usize(..lines.len()));
    lines.swap(a, b);
    *bytes = lines.join(&b'\n');
}

/// Puts a piece in place of a whole identifier or number.
fn replace_word(bytes: &mut Vec<u8>, random: &mut Rng) {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&i| word(&bytes[i]) && (i == 0 || !word(&bytes[i - 1]))).collect();
    if starts.is_empty() {
        return;
    }
    let start = starts[random.usize(..starts.len())];
    let end = (start..bytes.len()).find(|&i| !word(&bytes[i])).unwrap_or(bytes.len());
    let piece = PIECES[random.usize(..PIECES.len())];
    drop(bytes.splice(start..end, piece.bytes()));
}

/// Ways to nest: a name, what comes first, what is repeated, the middle, what is repeated after it, and the end.
type Shape = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const NESTED: &[Shape] = &[
    ("parentheses", "int main(void) { return ", "(", "0", ")", "; }\n"),
    ("unclosed", "int main(void) { return ", "(", "0", "", "; }\n"),
    ("blocks", "int main(void) ", "{", "", "}", "\n"),
    ("negations", "int main(void) { return ", "- ", "0", "", "; }\n"),
    ("sum", "int main(void) { return 0", "+0", "", "", "; }\n"),
    ("conditionals", "int main(void) { return ", "1?", "0", ":0", "; }\n"),
    ("ifs", "int main(void) { ", "if(1)", ";", "", " return 0; }\n"),
    ("else-ifs", "int main(void) { ", "if(0);else ", ";", "", " return 0; }\n"),
    ("initialisers", "int a = ", "{", "0", "}", "; int main(void) { return 0; }\n"),
    ("pointers", "int ", "*", "p", "", "; int main(void) { return 0; }\n"),
    ("arrays", "int a", "[1]", "", "", "; int main(void) { return 0; }\n"),
    ("declarators", "int ", "(", "a", ")", "; int main(void) { return 0; }\n"),
    ("structs", "", "struct {", "int a;", "} x;", " int main(void) { return 0; }\n"),
    ("commas", "int main(void) { return 0", ",0", "", "", "; }\n"),
    ("casts", "int main(void) { return ", "(int)", "0", "", "; }\n"),
    ("conditions", "", "#if 1\n", "int main(void) { return 0; }\n", "#endif\n", ""),
    ("calls", "int f(int x) { return x; } int main(void) { return ", "f(", "0", ")", "; }\n"),
    ("statement-expressions", "int main(void) { return ", "({ 0, ", "0", ";})", "; }\n"),
];

fn nested((_, start, open, middle, close, end): Shape) -> Vec<u8> {
    let text = format!("{start}{}{middle}{}{end}", open.repeat(DEPTH), close.repeat(DEPTH));
    text.into_bytes()
}

/// 100 MB without a line break.
fn long_line() -> Vec<u8> {
    let mut text = String::from("int main(void) { int x = 0; ");
    let piece = "x = x ^ 12345; ";
    text.push_str(&piece.repeat(100_000_000 / piece.len()));
    text.push_str("return 0; }");
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_makes_the_same_file() {
        let originals = vec![b"int main(void) { return 0; }\n".to_vec()];
        let once = mutant(&originals, &mut Rng::with_seed(5));
        assert_eq!(once, mutant(&originals, &mut Rng::with_seed(5)));
        assert_ne!(once, mutant(&originals, &mut Rng::with_seed(6)));
    }

    #[test]
    fn nested_files_are_well_formed() {
        let text = String::from_utf8(nested(NESTED[0])).unwrap();
        assert_eq!(text.matches('(').count(), DEPTH + 1);
        assert_eq!(text.matches(')').count(), DEPTH + 1);
    }
}
