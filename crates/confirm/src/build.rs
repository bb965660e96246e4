// SPDX-License-Identifier: MIT OR Apache-2.0
//! The user's units and the generated file, through the system compiler.
//!
//! A unit is kept as preprocessed text: with its line markers it gives the same code at the same places as the
//! original, and needs neither headers nor flags that say where they are. It is compiled without optimisation, since
//! optimisers take undefined behaviour for granted and remove what the sanitizers look for.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use clew_base::workers::{cores, in_order};
use clew_native::{Compiler, Outcome};

use crate::plan::Plan;

/// One file of the program and how to compile it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The file, from the current folder.
    pub file: PathBuf,
    /// The compiler.
    pub compiler: String,
    /// Flags that preprocessing needs: folders, macros, the standard.
    pub preprocess: Vec<OsString>,
    /// Flags that change meaning: the standard, `-fwrapv`, `-m32`.
    pub compile: Vec<OsString>,
    /// Whether the file has been preprocessed already.
    pub is_preprocessed: bool,
    /// C text that stands behind the file's own: a `main` that calls an entry.
    pub appended: Option<String>,
}

/// The flag for a 32-bit program on a 64-bit machine.
const NARROW: &str = "-m32";

/// Flags for 32-bit programs whose floats have the precision of their types, as in every analysis of clew
/// (`no-excess-precision`).
const PLAIN_FLOATS: [&str; 2] = ["-msse2", "-mfpmath=sse"];

impl Unit {
    /// Whether it is for a 32-bit machine.
    pub(crate) fn is_narrow(&self) -> bool {
        self.compile.iter().any(|flag| flag == NARROW)
    }

    /// Whether this machine cannot build it: the libraries for programs of 32 bits are often not there.
    pub(crate) fn cannot_be_narrow(&self) -> bool {
        let text = "#include <stdlib.h>\nint main(void) { return 0; }\n";
        Compiler::named(&self.compiler).build_text(text, &[NARROW, "-fsanitize=address"]).is_err()
    }

    /// The unit with one flag more.
    pub(crate) fn with(mut self, flag: OsString) -> Unit {
        self.compile.push(flag);
        self
    }

    /// The unit with the floats of the analyses.
    pub(crate) fn with_plain_floats(mut self) -> Unit {
        self.compile.extend(PLAIN_FLOATS.map(OsString::from));
        self
    }

    /// The unit for this machine.
    pub(crate) fn widened(mut self) -> Unit {
        self.preprocess.retain(|flag| flag != NARROW);
        self.compile.retain(|flag| flag != NARROW);
        self
    }
}

/// Objects of all units.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    pub files: Vec<PathBuf>,
}

/// Why the compiler made nothing.
#[derive(Clone, Debug)]
pub(crate) struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the compiler does not build the test: {}", self.0)
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused(error.to_string())
    }
}

impl Refused {
    fn by(outcome: &Outcome) -> Refused {
        let text = outcome.stderr_text();
        let telling =
            text.lines().find(|line| line.contains("error") || line.contains("undefined reference"));
        Refused(telling.or(text.lines().next()).unwrap_or("it says nothing").trim().to_owned())
    }
}

/// A built test. The file goes away with this value.
pub(crate) struct Built {
    folder: tempfile::TempDir,
}

impl Built {
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("test")
    }
}

/// Flags of every compilation.
const COMMON: &[&str] = &["-g", "-O0"];

/// Functions that the compiler would otherwise write out in place, where no sanitizer sees their arguments.
const CALLED: &[&str] = &[
    "memcpy", "memmove", "memset", "memcmp", "memchr", "mempcpy", "bcopy", "bzero", "strlen", "strcpy",
    "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "stpcpy", "strdup",
    "strndup", "sprintf", "snprintf",
];

/// Flags for the generated file, which is ours and has nothing to be warned of.
const OURS: &[&str] = &["-std=gnu11", "-Wall", "-Wextra", "-fno-builtin"];

/// The units as preprocessed text, by the names that the test has for them.
pub(crate) fn preprocess(units: &[Unit], folder: &Path) -> Result<Vec<(String, PathBuf)>, Refused> {
    let mut texts: Vec<(String, PathBuf)> = Vec::new();
    for unit in units {
        let name = unused_name(&unit.file, &texts);
        let text = folder.join(&name);
        if unit.is_preprocessed {
            // The name that places in it have, unless the text itself says otherwise.
            let mut marked = format!("# 1 {:?}\n", unit.file.display().to_string()).into_bytes();
            marked.extend(std::fs::read(&unit.file)?);
            marked.extend(unit.appended.iter().flat_map(|text| text.bytes()));
            std::fs::write(&text, marked)?;
        } else {
            let mut arguments = unit.preprocess.clone();
            arguments.extend(["-w".into(), "-E".into(), "-o".into(), text.clone().into_os_string()]);
            arguments.push(match &unit.appended {
                None => unit.file.clone().into_os_string(),
                Some(appended) => {
                    let whole = text.with_extension("c");
                    let file = std::path::absolute(&unit.file)?;
                    std::fs::write(&whole, format!("#include {:?}\n{appended}", file.display().to_string()))?;
                    whole.into_os_string()
                }
            });
            expect_success(&unit.compiler, arguments, None)?;
        }
        texts.push((name, text));
    }
    Ok(texts)
}

fn unused_name(file: &Path, texts: &[(String, PathBuf)]) -> String {
    let stem = file.file_stem().map_or_else(|| "unit".into(), |stem| stem.to_string_lossy());
    // The name stands in a shell script and in a list of objects; `test` is the generated file's.
    let plain: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let numbered = (0..).map(|n| if n == 0 { format!("{plain}.i") } else { format!("{plain}_{n}.i") });
    let is_free = |name: &String| name != "test.i" && texts.iter().all(|(other, _)| other != name);
    numbered.into_iter().find(is_free).unwrap_or(plain)
}

/// Compiles the units, on all cores.
pub(crate) fn compile(
    units: &[Unit],
    texts: &[(String, PathBuf)],
    plan: &Plan,
    folder: &Path,
) -> Result<Objects, Refused> {
    std::fs::create_dir_all(folder)?;
    let files: Vec<PathBuf> = texts.iter().map(|(name, _)| folder.join(name).with_extension("o")).collect();
    let compiled = in_order(cores(), units, |index, unit| match (texts.get(index), files.get(index)) {
        (Some((_, text)), Some(object)) => {
            let arguments = compile_arguments(unit, plan, text.as_os_str(), object.as_os_str());
            expect_success(&unit.compiler, arguments, None)
        }
        _ => Ok(()),
    });
    compiled.into_iter().collect::<Result<Vec<()>, Refused>>()?;
    Ok(Objects { files })
}

fn compile_arguments(
    unit: &Unit,
    plan: &Plan,
    text: &std::ffi::OsStr,
    object: &std::ffi::OsStr,
) -> Vec<OsString> {
    let mut arguments = unit.compile.clone();
    arguments.extend(COMMON.iter().map(OsString::from));
    arguments.extend(CALLED.iter().map(|name| format!("-fno-builtin-{name}").into()));
    arguments.extend(plan.sanitizer_flags().into_iter().map(OsString::from));
    arguments.extend(["-w".into(), "-c".into(), text.to_owned(), "-o".into(), object.to_owned()]);
    arguments
}

fn link_arguments(units: &[Unit], plan: &Plan, wraps: &[String]) -> (Vec<OsString>, Vec<OsString>) {
    let machine = units.first().into_iter().flat_map(|unit| &unit.compile);
    let machine = machine.filter(|flag| flag.to_string_lossy().starts_with("-m"));
    let before = COMMON.iter().chain(OURS).map(OsString::from);
    let before = before.chain(plan.sanitizer_flags().into_iter().map(OsString::from)).chain(machine.cloned());
    let after = wraps.iter().map(|name| format!("-Wl,--wrap={name}").into());
    (before.collect(), after.chain(["-lm".into(), "-pthread".into()]).collect())
}

/// Compiles the generated file and links everything. The outer error is the machine's, the inner one the compiler's.
pub(crate) fn link(
    units: &[Unit],
    objects: &Objects,
    harness: &str,
    plan: &Plan,
    wraps: &[String],
) -> io::Result<Result<Built, Refused>> {
    let built = Built { folder: tempfile::Builder::new().prefix("clew-").tempdir()? };
    let source = built.folder.path().join("test.c");
    std::fs::write(&source, harness)?;
    let (mut arguments, after) = link_arguments(units, plan, wraps);
    arguments.push(source.into_os_string());
    arguments.extend(objects.files.iter().map(|file| file.clone().into_os_string()));
    arguments.extend(["-o".into(), built.path().into_os_string()]);
    arguments.extend(after);
    let outcome = Compiler::named(compiler_of(units)).run(arguments, None)?;
    Ok(if outcome.success() { Ok(built) } else { Err(Refused::by(&outcome)) })
}

/// The compiler of the program, which builds what is ours, too.
pub(crate) fn compiler_of(units: &[Unit]) -> &str {
    units.first().map_or("cc", |unit| &unit.compiler)
}

fn expect_success(compiler: &str, arguments: Vec<OsString>, folder: Option<&Path>) -> Result<(), Refused> {
    let outcome = Compiler::named(compiler).run(arguments, folder)?;
    if outcome.success() { Ok(()) } else { Err(Refused::by(&outcome)) }
}

/// The script that builds and runs the kept test, by the same commands.
pub(crate) fn script(units: &[Unit], texts: &[(String, PathBuf)], plan: &Plan, wraps: &[String]) -> String {
    let mut lines = vec![
        "#!/bin/sh".to_owned(),
        "# Builds the test and runs it on the inputs that stand in test.c; the head of test.c says what it shows.".to_owned(),
        "set -e".to_owned(),
        "cd \"$(dirname \"$0\")\"".to_owned(),
        "out=$(mktemp -d)".to_owned(),
        "trap 'rm -rf \"$out\"' EXIT".to_owned(),
    ];
    let mut objects = String::new();
    for (unit, (name, _)) in units.iter().zip(texts) {
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let object = format!("\"$out\"/{stem}.o");
        let flags = compile_arguments(unit, plan, name.as_ref(), "".as_ref());
        // The last two words name the object, which is in the shell's variable.
        let flags = &flags[..flags.len() - 2];
        lines.push(format!("{} {} -o {object}", quoted(unit.compiler.as_ref()), words(flags)));
        objects.push_str(&format!(" {object}"));
    }
    let (before, after) = link_arguments(units, plan, wraps);
    let compiler = quoted(compiler_of(units).as_ref());
    lines.push(format!("{compiler} {} test.c{objects} -o \"$out\"/test {}", words(&before), words(&after)));
    lines.push("# A fixed layout of memory: older sanitizers do not cope with every random one.".to_owned());
    lines.push("fixed=$(command -v setarch >/dev/null && echo 'setarch -R' || true)".to_owned());
    lines.push(format!("ASAN_OPTIONS={} $fixed \"$out\"/test </dev/null", plan.options()));
    lines.join("\n") + "\n"
}

fn words(list: &[OsString]) -> String {
    list.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &std::ffi::OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=,./+:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
