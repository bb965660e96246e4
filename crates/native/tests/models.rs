// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C models of the library against the host's libc: compiled natively over a shim of their intrinsics, on random
//! arguments, under sanitizers.
//!
//! What a model computes must be what the host computes. Where a model leaves a value open, the shim's tape offers the
//! host's, which the model must accept: that is what makes it an over-approximation. Planted bad arguments must
//! violate the right check, and wrong models must be caught.

use std::fs;
use std::path::{Path, PathBuf};

use clew_native::{Child, Compiler, Outcome};
use tempfile::TempDir;

/// The parts of the driver, about one for each header.
const PARTS: [&str; 9] =
    ["string", "ctype", "stdlib", "number", "printf", "scanf", "stdio", "math", "system"];

/// ASan sees a model that touches more than it required, UBSan one that is undefined itself.
const FLAGS: [&str; 8] = [
    "-std=gnu17",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-builtin",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
];

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/libc")
}

/// The files of a folder that end in `.c`, in the order of their names.
fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 6, "files are missing: {files:?}");
    files
}

fn succeeded(what: &str, outcome: &Outcome) {
    assert!(outcome.success(), "{what}: {}\n{}", outcome.status, outcome.stderr_text());
}

fn tool(name: &str, arguments: &[&Path]) -> String {
    let outcome = Child::new(name).args(arguments).run().expect("a tool that runs");
    succeeded(name, &outcome);
    String::from_utf8(outcome.stdout).expect("text")
}

/// The driver and the models as objects, ready to be linked.
struct Bench {
    compiler: Compiler,
    folder: TempDir,
    tests: Vec<PathBuf>,
    models: Vec<PathBuf>,
}

impl Bench {
    fn new() -> Bench {
        let compiler = Compiler::find().expect("a compiler");
        let folder = tempfile::tempdir().expect("a folder");
        let mut bench = Bench { compiler, folder, tests: Vec::new(), models: Vec::new() };
        // Values that change between setjmp and longjmp are volatile where they matter.
        let flags = ["-frounding-math", "-Wno-clobbered", "-Wno-nonnull"];
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
        bench.tests = bench.compile("test", &c_files(&tests), &flags);
        bench.models = bench.compile("model", &c_files(&models()), &["-ffreestanding"]);
        bench.write_names();
        bench.prefix_names(&bench.models);
        bench
    }

    /// Compiles sources to objects in a folder of their own.
    fn compile(&self, kind: &str, sources: &[PathBuf], flags: &[&str]) -> Vec<PathBuf> {
        let folder = self.folder.path().join(kind);
        fs::create_dir_all(&folder).expect("a folder");
        let flags = FLAGS.iter().chain(flags).chain(&["-c"]).map(Path::new);
        let outcome = self.compiler.run(flags.chain(sources.iter().map(PathBuf::as_path)), Some(&folder));
        succeeded(kind, &outcome.expect("a compiler that runs"));
        let name = |source: &PathBuf| folder.join(source.file_name().expect("a name")).with_extension("o");
        sources.iter().map(name).collect()
    }

    fn names(&self) -> PathBuf {
        self.folder.path().join("names")
    }

    /// Lists what the models define, and the one function that ends a run, with a prefix for each.
    fn write_names(&self) {
        let mut names = String::from("_exit model__exit\n");
        for object in &self.models {
            let defined =
                tool("nm", &[Path::new("-g"), Path::new("--defined-only"), Path::new("-P"), object]);
            let defined = defined.lines().filter_map(|line| line.split(' ').next());
            for name in defined.filter(|name| !name.starts_with("__clew_")) {
                names.push_str(&format!("{name} model_{name}\n"));
            }
        }
        fs::write(self.names(), names).expect("a file");
    }

    /// Prefixes names, so that the host's functions can be called beside the models.
    fn prefix_names(&self, objects: &[PathBuf]) {
        for object in objects {
            tool("objcopy", &[Path::new("--redefine-syms"), &self.names(), object]);
        }
    }

    /// Links the driver with these models and runs a part of it.
    fn run(&self, models: &[PathBuf], part: &str) -> Outcome {
        let program = self.folder.path().join("driver");
        let flags = [FLAGS[6], "-o"].map(Path::new).into_iter().chain([program.as_path()]);
        let objects = self.tests.iter().chain(models).map(PathBuf::as_path).chain([Path::new("-lm")]);
        let outcome = self.compiler.run(flags.chain(objects), None).expect("a compiler that runs");
        succeeded("the driver", &outcome);
        Child::new(&program).arg(part).run().expect("a program that runs")
    }

    /// The objects with one model compiled from a changed text.
    fn mutated(&self, file: &str, right: &str, wrong: &str) -> Vec<PathBuf> {
        let folder = self.folder.path().join("mutated");
        fs::create_dir_all(&folder).expect("a folder");
        for entry in fs::read_dir(models()).expect("the models") {
            let path = entry.expect("an entry").path();
            fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
        }
        let path = folder.join(file);
        let text = fs::read_to_string(&path).expect("a model");
        assert!(text.contains(right), "{file} no longer says {right}");
        fs::write(&path, text.replace(right, wrong)).expect("a model");
        let object = self.compile("mutated", &[path.with_extension("c")], &["-ffreestanding"]);
        self.prefix_names(&object);
        let replaced = object[0].file_name();
        let others = self.models.iter().filter(|model| model.file_name() != replaced);
        others.chain(&object).cloned().collect()
    }
}

#[test]
fn models_agree_with_the_host() {
    let bench = Bench::new();
    for part in PARTS {
        let outcome = bench.run(&bench.models, part);
        let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
        assert!(outcome.success(), "{part}: {}\n{said}{}", outcome.status, outcome.stderr_text());
    }
}

/// The part that must fail when this text of this model is replaced by that one.
const MUTATIONS: [(&str, &str, &str, &str); 14] = [
    ("string", "string.c", "CLEW_WRITES(to, length + 1);", "CLEW_WRITES(to, length);"),
    ("string", "string.c", "if (to != from) {", "if (to == from) {"),
    ("string", "string.c", "__clew_assume(result < 0);", "__clew_assume(result < -1000);"),
    ("string", "string.c", "length < n ? length + 1 : n;", "n;"),
    ("ctype", "ctype.c", "c < ' ') || c == 127", "c <= ' ') || c == 127"),
    ("stdlib", "stdlib.c", "kept < size ? kept : size", "kept > size ? kept : size"),
    ("stdlib", "stdlib.c", "__clew_require(\"double-free\", __clew_live(p));", ""),
    ("number", "stdlib_number.c", "digit_value(string[at + 2]) < 16", "1"),
    ("printf", "stdio_printf.c", "directive->precision > n ?", "directive->precision > n + 1 ?"),
    ("scanf", "stdio_scanf.c", "directive->conversion == 'c' ? 0 : unit", "unit"),
    ("stdio", "stdio.c", "length < (size_t)size &&", "length + 1 < (size_t)size &&"),
    ("math", "math.inc", "DOMAIN(F(fabs)(x) <= 1);", "DOMAIN(F(fabs)(x) < 1);"),
    ("math", "math_float.c", "#define FINITE_EXP 88.72f", "#define FINITE_EXP 88.9f"),
    ("system", "unistd.c", "count <= n &&", "count < n / 8 &&"),
];

#[test]
fn wrong_models_are_caught() {
    let bench = Bench::new();
    for (part, file, right, wrong) in MUTATIONS {
        let outcome = bench.run(&bench.mutated(file, right, wrong), part);
        assert!(!outcome.success(), "{file}: `{wrong}` for `{right}` was not noticed");
    }
}
