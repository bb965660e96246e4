// SPDX-License-Identifier: MIT OR Apache-2.0
//! Violations and the compiled program: what `clew check` finds is confirmed, kept, and can be run again by anyone.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Ran, clew_in};

/// Checks a program in a folder of its own; the tests are kept there.
fn check(program: &str) -> (tempfile::TempDir, Ran) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), program).unwrap();
    let ran = clew_in(folder.path(), &["check", "p.c"]);
    (folder, ran)
}

/// The folders of the tests that were kept.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.join("clew-out")) else { return Vec::new() };
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

/// Checks a program with one fault that the compiled program shows, on this line; runs the kept test by its script
/// and by `clew replay`.
#[track_caller]
fn confirmed(program: &str, check_id: &str, line: u32, report: &str) {
    let (folder, ran) = check(program);
    assert_eq!(ran.status, Some(1), "{}", ran.whole());
    assert!(ran.stdout.contains(&format!("error[{check_id}]")), "{}", ran.whole());
    assert!(ran.stdout.contains("confirmed by the compiled program"), "{}", ran.whole());
    assert_eq!(ran.stderr, "", "nothing went wrong on the way");
    let tests = kept(folder.path());
    assert!(!tests.is_empty(), "no test: {}", ran.whole());
    tests.iter().for_each(|test| fails_again(folder.path(), test, line, report));
}

fn fails_again(folder: &Path, test: &Path, line: u32, report: &str) {
    // The generated part has nothing to be warned of.
    let harness = test.join("test.c");
    let strict = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-fsyntax-only"];
    let warned = Command::new("gcc").args(strict).arg(&harness).output().unwrap();
    assert!(warned.status.success(), "{}", String::from_utf8_lossy(&warned.stderr));
    let again = Command::new("sh").arg(test.join("run.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success());
    assert!(said.contains(report) && said.contains(&format!("p.c:{line}")), "{said}");
    let replayed = clew_in(folder, &["replay", test.join("witness.json").to_str().unwrap()]);
    assert_eq!(replayed.status, Some(1), "{}", replayed.whole());
    assert!(replayed.stdout.contains("the interpreter fails there"), "{}", replayed.whole());
    assert!(replayed.stdout.contains("confirmed by the compiled program"), "{}", replayed.whole());
}

#[test]
fn a_number_that_overflows() {
    let program = "extern int __VERIFIER_nondet_int(void);\n\
                   int main(void) {\n\
                   \x20   int n = __VERIFIER_nondet_int();\n\
                   \x20   if (n < 2000000000) return 0;\n\
                   \x20   return n * 2;\n\
                   }\n";
    confirmed(program, "signed-overflow", 5, "signed integer overflow");
}

#[test]
fn an_allocation_that_fails() {
    let program = "#include <stdlib.h>\n\
                   int main(void) {\n\
                   \x20   int *p = malloc(sizeof *p);\n\
                   \x20   *p = 1;\n\
                   \x20   free(p);\n\
                   \x20   return 0;\n\
                   }\n";
    confirmed(program, "null-deref", 4, "SEGV on unknown address");
}

/// Whether the compiler has what it takes to build programs for 32 bits.
fn builds_32_bits() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.c");
    std::fs::write(&file, "#include <stdlib.h>\nint main(void) { return 0; }\n").unwrap();
    let arguments = ["-m32", "-fsanitize=address", "-o", "/dev/null"];
    Command::new("gcc").args(arguments).arg(&file).output().unwrap().status.success()
}

#[test]
fn programs_for_32_bits() {
    if !builds_32_bits() {
        return;
    }
    // 2^16 squared is 0 in a `size_t` of 32 bits; `b * 10` overflows in SSE and does not on the old stack of floats.
    let program = "#include <stdlib.h>\n\
                   extern unsigned __VERIFIER_nondet_uint(void);\n\
                   extern double __VERIFIER_nondet_double(void);\n\
                   int main(void) {\n\
                   \x20   unsigned n = __VERIFIER_nondet_uint();\n\
                   \x20   double b = __VERIFIER_nondet_double();\n\
                   \x20   char *p = malloc(n * n + 1);\n\
                   \x20   if (p && n == 65536) p[n] = 1;\n\
                   \x20   free(p);\n\
                   \x20   if (!(b > 1e307 && b < 1e308)) return 0;\n\
                   \x20   return b * 1000 / 1000 == b;\n\
                   }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), program).unwrap();
    let ran = clew_in(folder.path(), &["check", "p.c", "--", "-m32"]);
    assert_eq!(ran.stderr, "", "nothing went wrong on the way");
    for check in ["out-of-bounds", "float-overflow"] {
        assert!(ran.stdout.contains(&format!("[{check}]")), "{}", ran.whole());
    }
    assert!(!ran.stdout.contains("interpreter only"), "{}", ran.whole());
}

#[test]
fn what_another_machine_sends() {
    let program = "#include <sys/socket.h>\n\
                   #include <stdlib.h>\n\
                   int main(void) {\n\
                   \x20   char line[16] = \"\";\n\
                   \x20   int server = socket(AF_INET, SOCK_STREAM, 0);\n\
                   \x20   if (server < 0 || listen(server, 5)) return 1;\n\
                   \x20   int client = accept(server, NULL, NULL);\n\
                   \x20   if (client < 0 || send(client, \"?\", 1, 0) != 1) return 1;\n\
                   \x20   if (recv(client, line, sizeof line - 1, 0) <= 0) return 1;\n\
                   \x20   if (line[0] != '-') return 1;\n\
                   \x20   return 100 / (line[1] - '1');\n\
                   }\n";
    confirmed(program, "division-by-zero", 11, "division by zero");
}

#[test]
fn the_name_of_the_current_folder() {
    let program = "#include <unistd.h>\n\
                   #include <string.h>\n\
                   int main(void) {\n\
                   \x20   char folder[64], copy[24];\n\
                   \x20   if (!getcwd(folder, sizeof folder)) return 1;\n\
                   \x20   strcpy(copy, folder);\n\
                   \x20   return copy[0] != '/';\n\
                   }\n";
    confirmed(program, "out-of-bounds", 6, "stack-buffer-overflow");
}

#[test]
fn a_line_of_input_that_is_too_long() {
    let program = "#include <stdio.h>\n\
                   #include <string.h>\n\
                   int main(void) {\n\
                   \x20   char line[64], name[8];\n\
                   \x20   if (!fgets(line, sizeof line, stdin)) return 1;\n\
                   \x20   strcpy(name, line);\n\
                   \x20   return name[0] == 'x';\n\
                   }\n";
    confirmed(program, "out-of-bounds", 6, "stack-buffer-overflow");
}

#[test]
fn a_float_that_is_divided_by_zero() {
    let program = "extern double __VERIFIER_nondet_double(void);\n\
                   int main(void) {\n\
                   \x20   double d = __VERIFIER_nondet_double();\n\
                   \x20   double e = 1.0 / (d - 3.0);\n\
                   \x20   return e > 0.5 && e < 0.75;\n\
                   }\n";
    let (folder, ran) = check(program);
    assert!(ran.stdout.contains("[float-division-by-zero]"), "{}", ran.whole());
    assert!(ran.stdout.contains("confirmed by the compiled program"), "{}", ran.whole());
    assert!(!kept(folder.path()).is_empty());
}

#[test]
fn what_no_sanitizer_sees_is_said_to_be_so() {
    let program = "int main(void) {\n    int x;\n    return x;\n}\n";
    let (_folder, ran) = check(program);
    assert!(ran.stdout.contains("[uninitialised-read]"), "{}", ran.whole());
    assert!(
        ran.stdout.contains("no sanitizer of this compiler sees uninitialised values"),
        "{}",
        ran.whole()
    );
}

#[test]
fn what_the_compiler_simplifies_is_written_out() {
    // `-n - 1` becomes `~n`, which nothing traps.
    let program = "extern int __VERIFIER_nondet_int(void);\n\
                   int main(void) {\n\
                   \x20   int n = __VERIFIER_nondet_int();\n\
                   \x20   if (n > 0) return 0;\n\
                   \x20   return -n - 1;\n\
                   }\n";
    confirmed(program, "signed-overflow", 5, "condition-violated");
}

#[test]
fn conditions_that_no_sanitizer_knows() {
    // They are seen on the way to something else.
    let program = "extern int __VERIFIER_nondet_int(void);\n\
                   int main(void) {\n\
                   \x20   int n = __VERIFIER_nondet_int(), a[3] = {0};\n\
                   \x20   unsigned u = n;\n\
                   \x20   u = u + 7u;\n\
                   \x20   return n == 7 ? a[n] : u > 9;\n\
                   }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), program).unwrap();
    let ran = clew_in(folder.path(), &["check", "--check", "unsigned-wrap,lossy-conversion", "p.c"]);
    let found = ["[lossy-conversion]", "[unsigned-wrap]"].iter().all(|check| ran.stdout.contains(check));
    assert!(found, "{}", ran.whole());
    assert!(!ran.stdout.contains("interpreter only"), "{}", ran.whole());
    assert!(ran.stdout.contains("written into it"), "{}", ran.whole());
    for test in kept(folder.path()) {
        let again = Command::new("sh").arg(test.join("run.sh")).output().unwrap();
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(!again.status.success() && said.contains("condition-violated"), "{said}");
    }
}

/// Checks a program that reads what it never wrote; every other fault in it is shown by the compiled program.
#[track_caller]
fn shown_on_what_was_never_written(program: &str, check_id: &str) {
    let (folder, ran) = check(program);
    assert!(ran.stdout.contains(&format!("error[{check_id}]")), "{}", ran.whole());
    assert_eq!(ran.stderr, "", "nothing went wrong on the way");
    let only = "interpreter only: no sanitizer of this compiler sees uninitialised values";
    assert_eq!(
        ran.stdout.matches("interpreter only").count(),
        ran.stdout.matches(only).count(),
        "{}",
        ran.whole()
    );
    let written: Vec<PathBuf> =
        kept(folder.path()).into_iter().filter(|test| test.join("program.c").exists()).collect();
    assert!(!written.is_empty(), "{}", ran.whole());
    for test in written {
        let again = Command::new("sh").arg(test.join("run.sh")).output().unwrap();
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(!again.status.success() && !said.contains("warning"), "{said}");
    }
}

#[test]
fn what_memory_holds_that_was_never_written_is_chosen() {
    let program = "#include <stdlib.h>\n\
                   static int pick(void) { int index, table[4] = {0}; return table[index]; }\n\
                   int main(void) {\n\
                   \x20   char name[8], *text = realloc(NULL, 4);\n\
                   \x20   if (name[0] == 'k' && name[1] == 'e') return pick();\n\
                   \x20   if (text && text[0] == 'a' && text[3] == 'z') return 1 / (text[3] - 'z');\n\
                   \x20   free(text);\n\
                   \x20   return 0;\n\
                   }\n";
    shown_on_what_was_never_written(program, "out-of-bounds");
    shown_on_what_was_never_written(program, "division-by-zero");
}

#[test]
fn zeros_that_nobody_wrote_are_in_the_test() {
    // The compiled program has something else there as a rule.
    let program = "#include <assert.h>\n\
                   static void fill(int *a) { for (int i = 0; i < 64; i++) a[i] = 7; }\n\
                   static int leave(void) { int a[64]; fill(a); return a[3]; }\n\
                   static int x(void) { int y; return y; }\n\
                   int main(void) { leave(); assert(x() != 0); return 0; }\n";
    shown_on_what_was_never_written(program, "assertion");
}

#[test]
fn a_program_with_its_own_faulty_library() {
    // The generated part uses neither.
    let program = "typedef __SIZE_TYPE__ size_t;\n\
                   void *memcpy(void *to, const void *from, size_t n) { (void)from; (void)n; return to; }\n\
                   int strcmp(const char *a, const char *b) { (void)a; (void)b; return 1; }\n\
                   int main(void) {\n\
                   \x20   char name[8];\n\
                   \x20   int a[2] = {0};\n\
                   \x20   return name[0] == 'k' ? a[name[1]] : 0;\n\
                   }\n";
    shown_on_what_was_never_written(program, "out-of-bounds");
}

#[test]
fn limits_that_are_lower_already_stay() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), "int main(void) { int a[2] = {0}; return a[2]; }\n").unwrap();
    let script = "ulimit -t 10; exec \"$0\" check p.c";
    let clew = env!("CARGO_BIN_EXE_clew");
    let ran = Command::new("sh").args(["-c", script, clew]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.contains("confirmed by the compiled program"), "{said}");
}

#[test]
fn a_leak_whose_pointer_is_left_in_a_dead_frame() {
    let program = "#include <stdlib.h>\n\
                   static int *before(int *p) { return p ? p - 1 : 0; }\n\
                   int main(void) {\n\
                   \x20   int *begin = malloc(16), *end = begin ? begin + 1 : 0;\n\
                   \x20   return begin != before(end);\n\
                   }\n";
    let (_folder, ran) = check(program);
    assert!(ran.stdout.contains("[memory-leak]"), "{}", ran.whole());
    assert!(ran.stdout.contains("confirmed by the compiled program"), "{}", ran.whole());
}

#[test]
fn a_broken_rule_of_the_library_is_told_once() {
    let program = "#include <stdio.h>\nstatic int x;\nint main(void) {\n    printf(\"%llx\\n\", &x);\n    \
                   unsigned char c;\n    c = c && 1;\n    return c > 1;\n}\n";
    let (_folder, ran) = check(program);
    assert_eq!(ran.stdout.matches("error[bad-argument]").count(), 1, "{}", ran.whole());
}

#[test]
fn a_program_that_was_mended_no_longer_fails() {
    let faulty = "extern int __VERIFIER_nondet_int(void);\n\
                  int a[4];\n\
                  int main(void) {\n\
                  \x20   int n = __VERIFIER_nondet_int();\n\
                  \x20   if (n > 4 || n < 0) return 0;\n\
                  \x20   return a[n];\n\
                  }\n";
    let (folder, ran) = check(faulty);
    assert_eq!(ran.status, Some(1), "{}", ran.whole());
    let witness = kept(folder.path())[0].join("witness.json");
    std::fs::write(folder.path().join("p.c"), faulty.replace("n > 4", "n > 3")).unwrap();
    let replayed = clew_in(folder.path(), &["replay", witness.to_str().unwrap()]);
    assert_eq!(replayed.status, Some(0), "{}", replayed.whole());
    assert!(replayed.stdout.contains("the interpreter does not fail there"), "{}", replayed.whole());
}

#[test]
fn nothing_is_kept_where_somebody_else_has_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), "int main(void) {\n    int z = 0;\n    return 1 / z;\n}\n")
        .unwrap();
    std::fs::create_dir(folder.path().join("clew-out")).unwrap();
    let ran = clew_in(folder.path(), &["check", "p.c"]);
    assert_eq!(ran.status, Some(1), "{}", ran.whole());
    assert!(ran.stderr.contains("not made by clew"), "{}", ran.whole());
    assert_eq!(std::fs::read_dir(folder.path().join("clew-out")).unwrap().count(), 0);
    let ran = clew_in(folder.path(), &["check", "--no-replay", "p.c"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{}", ran.whole());
}

#[test]
fn an_entry_without_main() {
    let program = "struct pair { int *data; int count; };\n\
                   int limit;\n\
                   int sum(const struct pair *pair, int wanted) {\n\
                   \x20   if (!pair) return 0;\n\
                   \x20   return 100 / (wanted - limit);\n\
                   }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), program).unwrap();
    let asked = clew_in(folder.path(), &["check", "--check", "division-by-zero", "--entry", "sum", "p.c"]);
    assert_eq!(asked.status, Some(1), "{}", asked.whole());
    assert!(asked.stdout.contains("error[division-by-zero]"), "{}", asked.whole());
    assert!(asked.stdout.contains("confirmed by the compiled program"), "{}", asked.whole());
    let witness = kept(folder.path())[0].join("witness.json");
    let replayed = clew_in(folder.path(), &["replay", witness.to_str().unwrap()]);
    assert_eq!(replayed.status, Some(1), "{}", replayed.whole());
    assert!(replayed.stdout.contains("confirmed by the compiled program"), "{}", replayed.whole());
    // Where nobody asks for the entry, its callers may know better.
    let implicit = clew_in(folder.path(), &["check", "--check", "division-by-zero", "p.c"]);
    assert_eq!(implicit.status, Some(0), "{}", implicit.whole());
    assert!(implicit.stdout.contains("callers of `sum` must see to it"), "{}", implicit.whole());
}
