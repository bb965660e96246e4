// SPDX-License-Identifier: MIT OR Apache-2.0
//! No silence that looks like an all-clear: what was cut short, left out or broken is said, in the status too.

mod common;

use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Ran, clew_in, command};
use serde_json::Value;

/// A folder with files, for one test.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.whole()))
}

/// Checks one file, with a report in JSON.
fn check(text: &str, more: &[&str]) -> Ran {
    let folder = folder(&[("a.c", text)]);
    clew_in(folder.path(), &[&["check", "--format", "json", "--no-replay", "a.c"], more].concat())
}

fn verdicts(report: &Value, verdict: &str) -> usize {
    let rows = report["obligations"].as_array().expect("rows").iter();
    rows.filter(|row| row["verdict"] == verdict).count()
}

const CLEAN: &str =
    "int nondet_int(void);\nint main(void) { int x = nondet_int(); return 100 / (x & 7 | 1); }\n";
const WRONG: &str = "int nondet_int(void);\nint main(void) { return 100 / (nondet_int() & 7); }\n";

#[test]
fn an_exhausted_budget_is_said() {
    let ran = check(CLEAN, &["--budget", "0"]);
    let said = report(&ran);
    assert_eq!(ran.status, Some(4), "{}", ran.whole());
    assert_eq!(said["coverage"]["truncated"], true);
    assert_eq!(said["coverage"]["entries"][0]["proofs"]["state"], "cut_short");
    let folder = folder(&[("a.c", CLEAN)]);
    let ran = clew_in(folder.path(), &["check", "--budget", "0", "--no-replay", "a.c"]);
    assert!(ran.stdout.contains("proofs from main: cut short\n"), "{}", ran.whole());
    assert_eq!(check(CLEAN, &["--budget", "1000"]).status, Some(0));
    assert_eq!(check(WRONG, &["--budget", "1000"]).status, Some(1));
}

/// A program that takes long: functions that call each other from loops.
fn long_program() -> String {
    let mut text = "int nondet_int(void);\nint a[100];\n".to_owned();
    for n in 0..400 {
        let call = if n > 0 { format!("f{}(i)", n - 1) } else { "i".to_owned() };
        text += &format!(
            "int f{n}(int x) {{ int s = x; for (int i = 0; i < 100; i++) for (int j = i; j < 100; j++) \
             if (a[j] > s) {{ a[j] = s ^ i; s += {call}; }} else a[i] ^= s; return s; }}\n"
        );
    }
    text + "int main(void) { return f399(nondet_int()); }\n"
}

#[test]
fn what_is_known_at_a_signal_is_reported() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder(&[("a.c", &long_program())]);
        let child = command(folder.path())
            .args(["check", "--format", "json", "--no-replay", "a.c"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(1500));
        Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill is there");
        let output = child.wait_with_output().expect("it ends");
        let ran = Ran {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status.code(),
        };
        assert_eq!(ran.status, Some(4), "{signal}: {}", ran.stderr);
        assert!(ran.stderr.contains("ending, with what is known so far"));
        assert_eq!(report(&ran)["coverage"]["truncated"], true);
    }
}

#[test]
fn nothing_to_analyse_is_an_error() {
    for text in ["int x;\n", "int f(int);\n", "static int f(int x) { return 1 / x; }\n", ""] {
        let ran = check(text, &[]);
        assert_eq!(ran.status, Some(2), "{text}: {}", ran.whole());
        assert!(ran.stderr.contains("analyse"), "{}", ran.stderr);
        report(&ran);
    }
    assert_eq!(check("static int f(int x) { return 1 / x; }\n", &["--entry", "f"]).status, Some(1));
}

#[test]
fn what_was_not_asked_is_said() {
    let text = "int f(int n, ...) { return 10 / n; }\nint g(int n) { return 10 / n; }\n";
    let said = report(&check(text, &[]));
    let entries = &said["coverage"]["entries"];
    assert_eq!((&entries[0]["entry"], &entries[1]["entry"]), (&"f".into(), &"g".into()));
    for engine in ["search", "solver"] {
        assert_eq!(entries[0][engine]["state"], "skipped");
        assert!(entries[0][engine]["why"].as_str().is_some_and(|why| why.contains("varying number")));
    }
    assert_eq!(entries[1]["search"]["state"], "done");
    let off = report(&check(WRONG, &["--no-search"]));
    assert_eq!(off["coverage"]["entries"][0]["search"]["state"], "skipped");
    let loops = "unsigned nondet_uint(void);\nint main(void) { unsigned h = nondet_uint(); \
                 for (int i = 0; i < 100000; i++) h = h * 1103515245u + 12345u; return 1 / (h != 3123456789u); }\n";
    let said = report(&check(loops, &[]));
    assert_eq!(said["coverage"]["entries"][0]["solver"]["state"], "gave_up", "{said}");
    assert!(said["coverage"]["entries"][0]["solver"]["why"].is_string());
}

#[test]
fn a_fault_in_one_engine_costs_its_own_answers() {
    if !cfg!(debug_assertions) {
        return;
    }
    let broken = |engine: &str, text: &str| {
        let folder = folder(&[("a.c", text)]);
        let output = command(folder.path())
            .args(["check", "--format", "json", "a.c"])
            .env("CLEW_FAULT", engine)
            .output()
            .expect("it starts");
        Ran {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status.code(),
        }
    };
    // Another engine finds it, or it is found before.
    for engine in ["proofs", "absint", "search", "symbolic", "confirm"] {
        let ran = broken(engine, WRONG);
        assert_eq!(verdicts(&report(&ran), "violated"), 1, "{engine}: {}", ran.whole());
        assert_eq!(ran.status, Some(1), "{engine}");
        if engine != "symbolic" {
            assert!(ran.stderr.contains("a fault of clew's own"), "{engine}: {}", ran.stderr);
            assert!(ran.stderr.contains("Please report it"), "{engine}");
            assert!(ran.stderr.contains(&format!("{engine} failed: its answers are missing")), "{engine}");
        }
    }
    // Proofs of others stay.
    let ran = broken("absint", CLEAN);
    assert_eq!((ran.status, verdicts(&report(&ran), "violated")), (Some(3), 0), "{}", ran.whole());
    assert!(verdicts(&report(&ran), "proved") > 0, "{}", ran.stdout);
    assert_eq!(report(&ran)["coverage"]["entries"][0]["proofs"]["state"], "failed");
    for engine in ["library", "judge"] {
        let ran = broken(engine, WRONG);
        assert_eq!(ran.status, Some(3), "{engine}: {}", ran.whole());
        assert!(verdicts(&report(&ran), "open") > 0, "{engine}: {}", ran.whole());
        assert_eq!(report(&ran)["coverage"]["entries"][0]["search"]["state"], "failed");
    }
    let ran = broken("driver", "int f(int n) { return 10 / n; }\n");
    assert_eq!((ran.status, verdicts(&report(&ran), "open")), (Some(3), 1), "{}", ran.whole());
    // Memory that one engine used up is there for the next.
    let ran = broken("memory-search", WRONG);
    assert_eq!((ran.status, verdicts(&report(&ran), "violated")), (Some(1), 1), "{}", ran.whole());
    assert_eq!(report(&ran)["coverage"]["entries"][0]["search"]["why"], "memory ran out");
    assert_eq!(report(&ran)["coverage"]["truncated"], true);
}

/// The tests that were kept under `out`.
fn kept(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder.join("out")).expect("tests are kept").flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

#[test]
fn entries_that_stand_in_a_header() {
    let header = "static int t[4];\nstatic inline int get(int i) { return t[i]; }\n";
    let files = [
        ("get.h", header),
        ("a.c", "#include \"get.h\"\nint main(void) { return get(1); }\n"),
        ("b.c", "#include \"get.h\"\nint other(void) { return get(2); }\n"),
    ];
    for units in [&["a.c"][..], &["b.c"], &["a.c", "b.c"]] {
        let folder = folder(&files);
        let ran = clew_in(
            folder.path(),
            &[&["check", "--format", "json", "--keep", "out", "--entry", "get"], units].concat(),
        );
        assert_eq!(ran.status, Some(1), "{}", ran.whole());
        let said = report(&ran);
        assert!(said["obligations"].as_array().expect("rows").iter().all(|row| row["confirmed"] == "native"));
        // What is kept can be run again.
        for kept in kept(folder.path()) {
            let witness = kept.join("witness.json");
            let again = clew_in(folder.path(), &["replay", witness.to_str().expect("a plain path")]);
            assert_eq!(again.status, Some(1), "{}", again.whole());
        }
    }
}

#[test]
fn what_is_unreachable_given_others_says_so() {
    let text = "int nondet_int(void);\nint main(void) { int t[4] = {0}, i = nondet_int(); int *p = 0; \
                if (i == 3) { *p = 1; return 10 / i; } return t[i & 3]; }\n";
    let folder = folder(&[("a.c", text)]);
    let ran = clew_in(folder.path(), &["check", "--no-replay", "--proved", "a.c"]);
    assert!(ran.stdout.contains("unreachable, given 1 other"), "{}", ran.stdout);
    assert!(ran.stdout.contains("unreachable given others"), "{}", ran.stdout);
}

#[test]
fn what_the_added_main_loses_is_not_kept() {
    let text = "struct node { struct node *next; int *value; };\n\
                int drop(struct node *n) { if (!n) return 0; n->next = 0; n->value = 0; return 1; }\n\
                int take(struct node **n) { if (n) *n = 0; return 10 / (n != 0); }\n";
    let folder = folder(&[("a.c", text)]);
    let ran = clew_in(folder.path(), &["check", "--format", "json", "--keep", "out", "a.c"]);
    let rows = report(&ran)["obligations"].as_array().expect("rows").clone();
    assert!(
        rows.iter().all(|row| row["function"] != "main" && row["check"] != "memory-leak"),
        "{}",
        ran.stdout
    );
    assert_eq!(kept(folder.path()).len(), verdicts(&report(&ran), "violated"));
}

/// What a file declares of another file's definition is compared with it where the two are linked.
#[test]
fn definitions_that_differ_from_their_declarations_are_asked_for() {
    let cases = [
        (
            "unreachable-reached",
            "_Noreturn void die(int c);\nint main(int argc, char **argv) { if (argc > 1) die(3); return 10 / (2 - argc); }\n",
            "static int n;\nvoid die(int c) { n = c; }\n",
        ),
        (
            "bad-call",
            "int isneg(int);\nint main(void) { return isneg(-1); }\n",
            "int isneg(long v) { return v == -1; }\n",
        ),
        (
            "bad-call",
            "int flag(void);\nint main(void) { return flag(); }\n",
            "_Bool flag(void) { return 1; }\n",
        ),
        (
            "write-to-const",
            "extern int limit;\nint main(void) { limit = 3; return 0; }\n",
            "const int limit = 5;\n",
        ),
    ];
    for (check, one, other) in cases {
        let folder = folder(&[("a.c", one), ("b.c", other)]);
        let ran = clew_in(folder.path(), &["check", "--format", "json", "--no-replay", "a.c", "b.c"]);
        let said = report(&ran);
        let rows = said["obligations"].as_array().expect("rows");
        let violated = rows.iter().find(|row| row["verdict"] == "violated");
        assert_eq!(violated.map(|row| &row["check"]), Some(&check.into()), "{}", ran.whole());
    }
    let fits = "int get(const char *);\nint main(void) { return get(\"a\"); }\n";
    let folder = folder(&[("a.c", fits), ("b.c", "unsigned get(const unsigned char *p) { return p[0]; }\n")]);
    let ran = clew_in(folder.path(), &["check", "--format", "json", "--no-replay", "a.c", "b.c"]);
    assert_eq!(verdicts(&report(&ran), "violated"), 0, "{}", ran.whole());
}

#[test]
fn flags_of_another_language_are_refused() {
    for flags in [&["-x", "c++"][..], &["-std=c++17"]] {
        let ran = check(CLEAN, &[&["--"], flags].concat());
        assert_eq!(ran.status, Some(2), "{}", ran.whole());
    }
    for flag in ["-Wl,-O1,--wrap=f", "-Wl,--defsym=f=g", "-Wl,-e,start"] {
        let ran = check(CLEAN, &["--", flag]);
        assert_eq!(ran.status, Some(2), "{flag}: {}", ran.whole());
    }
    assert_eq!(check(CLEAN, &["--", "-Wl,-O1,--as-needed"]).status, Some(0));
    // Compilers go by the name of a file unless a flag says what it is.
    let folder = folder(&[("a.cpp", CLEAN)]);
    let ran = clew_in(folder.path(), &["check", "--no-replay", "a.cpp"]);
    assert_eq!(ran.status, Some(2), "{}", ran.whole());
    let ran = clew_in(folder.path(), &["check", "--no-replay", "a.cpp", "--", "-x", "c"]);
    assert_eq!(ran.status, Some(0), "{}", ran.whole());
}

#[test]
fn what_is_not_supported_outside_of_functions_leaves_all_open() {
    let cases = [
        "static int st = 1;\nstatic void init(void) { st = 0; }\n\
         __attribute__((section(\".init_array\"), used)) static void (*const ip)(void) = init;\n\
         int main(void) { return 5 / st; }\n",
        "static int st = 1;\nstatic void fin(void) { st = 5 / (st - 1); }\n\
         __attribute__((section(\".fini_array.1\"), used)) static void (*ip)(void) = fin;\n\
         int main(void) { return 0; }\n",
        "extern int st;\nasm(\".data\\n.globl st\\nst: .long 0\\n.text\");\nint v = 3;\n\
         int main(void) { if (v != 3) return 5 / st; return 6 / v; }\n",
    ];
    for text in cases {
        let ran = check(text, &[]);
        let said = report(&ran);
        let rows = said["obligations"].as_array().expect("rows");
        assert_eq!(verdicts(&said, "open"), rows.len(), "{}", ran.whole());
        assert!(!rows.is_empty());
    }
}

#[test]
fn what_the_compiler_reads_otherwise_is_said() {
    let cases = [
        // A value has no qualifiers: gcc selects `int`.
        "static int a[2];\n\
         int main(int argc, char **argv) { return a[_Generic((const int)argc, int: 5, default: 0)]; }\n",
        // gcc declares these itself, with floats.
        "int main(int argc, char **argv) { return 3 / (int)__builtin_powi(argc, 9); }\n",
        "int main(int argc, char **argv) { return 3 / (int)fabs(argc); }\n",
    ];
    for text in cases {
        let said = report(&check(text, &["--", "-w"]));
        let unsupported = said["coverage"]["unsupported"].as_array().expect("places");
        assert_eq!(unsupported.len(), 1, "{text}: {said}");
        assert_eq!(verdicts(&said, "proved") + verdicts(&said, "unreachable"), 0, "{text}: {said}");
    }
}

#[test]
fn jumps_that_are_not_followed_are_said_without_obligations() {
    let text = "#include <setjmp.h>\nstatic jmp_buf b;\n\
                int main(void) { if (setjmp(b)) return 1; longjmp(b, 1); return 0; }\n";
    let said = report(&check(text, &[]));
    assert_eq!(said["coverage"]["entries"][0]["proofs"]["state"], "gave_up", "{said}");
}

#[test]
fn callers_promise_what_a_driver_does_not_know() {
    let text = "int f(int a[static 4]) { return a[3] != 0; }\n\
                __attribute__((nonnull)) int g(int *p) { return *p != 0; }\n\
                int h(int *p) __attribute__((nonnull(1)));\nint h(int *p) { return *p != 0; }\n";
    let ran = check(text, &[]);
    assert_eq!(verdicts(&report(&ran), "violated"), 0, "{}", ran.whole());
    let ran = check("int g(int *p) { return *p != 0; }\n", &[]);
    assert_ne!(verdicts(&report(&ran), "violated"), 0, "{}", ran.whole());
}

#[test]
fn a_printf_of_another_file_reads_its_formats_as_it_likes() {
    let user = "int printf(const char *, ...);\nint main(void) { return printf(\"%d %s\", 3) == 0; }\n";
    let own = "int printf(const char *format, ...) { return format[0]; }\n";
    let folder = folder(&[("a.c", user), ("b.c", own)]);
    let ran = clew_in(folder.path(), &["check", "--format", "json", "--no-replay", "a.c", "b.c"]);
    assert_eq!(verdicts(&report(&ran), "violated"), 0, "{}", ran.whole());
    // The library's does not.
    let ran = clew_in(folder.path(), &["check", "--format", "json", "--no-replay", "a.c"]);
    assert_eq!(verdicts(&report(&ran), "violated"), 1, "{}", ran.whole());
}

#[test]
fn what_another_file_leaves_unwritten_is_asked_for() {
    let user = "extern long shared, table[4];\nvoid fill(void);\n\
                int main(void) { fill(); return shared > 3 || table[2] > 3; }\n";
    let other = "void *memcpy(void *, const void *, unsigned long);\nlong shared, table[4];\n\
                 void fill(void) { long x; memcpy(&shared, &x, 8); memcpy(table + 2, &x, 8); }\n";
    let folder = folder(&[("a.c", user), ("b.c", other)]);
    let ran = clew_in(folder.path(), &["check", "--format", "json", "--no-replay", "a.c", "b.c"]);
    let said = report(&ran);
    let rows = said["obligations"].as_array().expect("rows").iter();
    let asked = rows.filter(|row| row["check"] == "uninitialised-read" && row["verdict"] == "violated");
    assert_eq!(asked.count(), 2, "{}", ran.whole());
}

#[test]
fn handlers_of_one_name_in_two_files_are_both_handlers() {
    let text = "static int n;\nstatic void isr(void) { n = 1; }\nint GET(void) { return 10 / (1 - n); }\n";
    let folder = folder(&[("a.c", &text.replace("GET", "one")), ("b.c", &text.replace("GET", "two"))]);
    let ran = clew_in(
        folder.path(),
        &["check", "--format", "json", "--no-replay", "--interrupt", "isr", "a.c", "b.c"],
    );
    let said = report(&ran);
    let rows = said["obligations"].as_array().expect("rows").iter();
    let divisions: Vec<_> = rows.filter(|row| row["check"] == "division-by-zero").collect();
    assert_eq!(divisions.len(), 2, "{}", ran.whole());
    assert!(divisions.iter().all(|row| row["verdict"] != "proved"), "{}", ran.whole());
}

/// Whether the assertion on a line is known to hold.
fn holds(report: &Value, line: u64) -> bool {
    let rows = report["obligations"].as_array().expect("rows").iter();
    let mut rows = rows.filter(|row| row["line"] == line && row["check"] == "assertion").peekable();
    rows.peek().is_some() && rows.all(|row| row["verdict"] == "proved" || row["verdict"] == "unreachable")
}

const CHOSEN: &str = "#include <assert.h>\nint table[4];\n\
static int chosen(int n) { return __builtin_constant_p(n) ? 7 : 1; }\n\
static unsigned long sized(int *p) { return __builtin_object_size(p, 0); }\n\
int main(void) {\nint known = chosen(3);\nassert(known == 1);\nassert(known == 1 || known == 7);\n\
assert(sized(table) == (unsigned long)-1);\nreturn 0;\n}\n";

#[test]
fn what_optimisation_may_know_is_not_taken_for_granted() {
    let plain = report(&check(CHOSEN, &[]));
    assert_eq!([7, 8, 9].map(|line| holds(&plain, line)), [true, true, true]);
    let optimised = report(&check(CHOSEN, &["--", "-O2"]));
    assert_eq!([7, 8, 9].map(|line| holds(&optimised, line)), [false, true, false]);
    assert_eq!(verdicts(&optimised, "violated"), 0);
}

const SET: &str = "#include <assert.h>\n#include <errno.h>\n#include <math.h>\nint main(void) {\n\
errno = 0;\ndouble root = sqrt(-1.0);\nassert(errno == EDOM);\nassert(errno == EDOM || errno == 0);\n\
return root == 0.0;\n}\n";

#[test]
fn without_math_errno_nobody_knows_errno() {
    let plain = report(&check(SET, &[]));
    assert_eq!([7, 8].map(|line| holds(&plain, line)), [true, true]);
    let without = report(&check(SET, &["--", "-fno-math-errno"]));
    assert_eq!([7, 8].map(|line| holds(&without, line)), [false, true]);
}
