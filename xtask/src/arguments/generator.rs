// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes programs that do things with what main is given.
//!
//! Most operations fail on some inputs, many are guarded so that they do not, some guards are off by one. A line has one
//! operation that is of interest; where it is evaluated whenever its line is reached the line has a marker.

use fastrand::Rng;

use crate::referee::runs::PRELUDE;

const HEAD: &str = "\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
static int v, n, t[5];
static const char *kept;
static char **all;
static char *mine[] = {\"K0=own\", \"OTHER=\", 0};
";

/// Functions that are written where they are called.
const HELPERS: [(&str, &str); 4] = [
    ("last(", "static int last(int count, char **list) {\n  AT return list[count - 1][0];\n}\n"),
    (
        "length(",
        "static int length(const char *text) {\n  int k = 0;\n  while (text[k]) k++;\n  return k;\n}\n",
    ),
    ("first(", "static int first(void) {\n  AT return all[0][0];\n}\n"),
    ("skip(", "static char **skip(char **list, int count) {\n  return list + count;\n}\n"),
];

struct Writer {
    rng: Rng,
    lines: Vec<String>,
    depth: usize,
    /// What the main has: `argc`, `argv`, and what may be written.
    has: Has,
}

#[derive(Clone, Copy, Default)]
struct Has {
    argc: bool,
    /// `argc` may be changed.
    argc_changes: bool,
    argv: bool,
    /// Elements of `argv` may be changed.
    elements_change: bool,
    /// Bytes of arguments may be changed.
    bytes_change: bool,
    envp: bool,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xa46);
    let (head, has) = main_head(&mut rng);
    let mut writer = Writer { rng, lines: Vec::new(), depth: 1, has };
    if has.argc && !has.argc_changes {
        writer.line("int left = argc;");
    }
    for _ in 0..writer.rng.usize(1..5) {
        writer.statement();
    }
    writer.line("return v & 63;");
    let body = writer.lines.join("\n");
    let called = HELPERS.iter().filter(|(call, _)| body.contains(call));
    let helpers: String = called.map(|(_, definition)| *definition).collect();
    format!("{PRELUDE}{HEAD}{helpers}{head} {{\n{body}\n}}\n")
}

/// A way to declare main.
fn main_head(rng: &mut Rng) -> (String, Has) {
    let none = Has::default();
    let argc = Has { argc: true, argc_changes: true, ..none };
    match rng.u8(..12) {
        0 => return ("int main(void)".into(), none),
        1 if rng.bool() => return ("int main()".into(), none),
        1 => return ("int main(int argc)".into(), argc),
        _ => {}
    }
    let const_count = rng.u8(..6) == 0;
    let count = if const_count { "const int argc" } else { "int argc" };
    let (vector, elements, bytes) = [
        ("char **argv", true, true),
        ("char *argv[]", true, true),
        ("char **argv", true, true),
        ("const char **argv", true, false),
        ("char *const *argv", false, true),
        ("char *const argv[]", false, true),
        ("const char *const argv[]", false, false),
    ][rng.usize(..7)];
    let has = Has {
        argc: true,
        argc_changes: !const_count,
        argv: true,
        elements_change: elements,
        bytes_change: bytes,
        envp: rng.u8(..3) == 0,
    };
    let envp = if !has.envp {
        ""
    } else {
        [", char **envp", ", char *envp[]", ", const char *const *envp"][rng.usize(..3)]
    };
    (format!("int main({count}, {vector}{envp})"), has)
}

impl Writer {
    fn indent(&self) -> String {
        "  ".repeat(self.depth)
    }

    /// A statement that is evaluated as a whole when it is reached.
    fn line(&mut self, text: &str) {
        let line = format!("{}AT {text}", self.indent());
        self.lines.push(line);
    }

    /// One with parts that may be left out; functions of the library have such parts inside.
    fn unmarked(&mut self, text: &str) {
        let line = format!("{}{text}", self.indent());
        self.lines.push(line);
    }

    /// Statements under a condition.
    fn guarded(&mut self, condition: &str, inner: impl FnOnce(&mut Writer)) {
        self.unmarked(&format!("if ({condition}) {{"));
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self.unmarked("}");
    }

    fn choose<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.usize(..list.len())]
    }

    fn statement(&mut self) {
        if self.has.argv {
            match self.rng.u8(..12) {
                10 => self.passed_on(),
                11 => self.changed_environment(),
                0 | 1 => self.count(),
                2..=4 => self.element(),
                5 => self.change(),
                6 => self.walk(),
                7 => self.words(),
                _ => self.environment(),
            }
        } else if self.has.argc && self.rng.bool() {
            self.count();
        } else if self.rng.u8(..4) == 0 {
            self.changed_environment();
        } else {
            self.environment();
        }
    }

    /// Leads somewhere else: another function, another turn of main, another pointer.
    fn passed_on(&mut self) {
        match self.rng.u8(..5) {
            0 => {
                self.line("all = (char **)argv;");
                if self.rng.bool() {
                    self.line("all++;");
                }
                let guard = self.choose(&["argc > 0", "argc > 1", "all[0] != 0"]);
                self.guarded(guard, |w| w.line("v = first();"));
            }
            1 if !self.has.envp => {
                let less = self.choose(&["argc > 1", "argc > 2", "argc > 0"]);
                self.unmarked(&format!("if ({less}) return main(argc - 1, argv + 1);"));
                let test = self.choose(&["argc <= 1", "argc == 1", "argv[argc] == 0"]);
                self.line(&format!("assert({test});"));
            }
            2 => self.guarded("argc > 1", |w| {
                w.line("kept = argv[1] + 1;");
                w.line("v = *kept;");
                w.line("assert(kept[-1] != 'q');");
            }),
            3 => self.guarded("argc > 2", |w| {
                w.line("all = (char **)&argv[1];");
                w.line("assert(all[1] == argv[2]);");
                w.line("v = all[2][0];");
            }),
            _ => {
                self.line("all = (char **)argv + argc;");
                let at = self.choose(&["*all == 0", "all[-1] != 0", "all - (char **)argv == argc"]);
                self.line(&format!("assert({at});"));
            }
        }
    }

    /// Sets and unsets variables.
    fn changed_environment(&mut self) {
        let what = self.choose(&[
            "environ = mine;",
            "putenv(\"K0=put\");",
            "setenv(\"K0\", \"set\", 1);",
            "setenv(\"K0\", \"weak\", 0);",
            "unsetenv(\"K0\");",
        ]);
        self.unmarked(what);
        self.unmarked("kept = getenv(\"K0\");");
        let after = self.choose(&[
            "assert(kept != 0);",
            "assert(kept == 0 || kept[0] != 'w');",
            "v = kept[0];",
            "v = kept ? kept[2] : 0;",
            "assert(environ[0] != 0);",
        ]);
        self.line(after);
    }

    /// Something with `argc` alone.
    fn count(&mut self) {
        let k = self.rng.i32(0..5);
        match self.rng.u8(..8) {
            0 => {
                let test = self.choose(&["> 0", ">= 0", "!= 3", "< 4", "!= 0", "<= 2147483646"]);
                self.line(&format!("assert(argc {test});"));
            }
            1 => self.line(&format!("t[argc - {k}] = 1;")),
            2 => self.line(&format!("v = 100 / (argc - {k});")),
            3 => {
                let limit = self.rng.i32(3..8);
                self.guarded(&format!("argc < {limit}"), |w| w.line("t[argc] = 2;"));
            }
            4 => self.guarded(&format!("argc != {k}"), |w| w.line(&format!("v = 7 % (argc - {k});"))),
            5 => self.line(&format!("v = 1 << (argc + {});", 28 + k)),
            6 if self.has.argc_changes => {
                self.unmarked(&format!("argc = argc > {k} ? {k} : argc;"));
                self.line("t[argc] = 3;");
            }
            _ => {
                self.unmarked(&format!("for (int i = {}; i < argc; i++) {{", k % 2));
                self.line("  n++;");
                self.unmarked("}");
                let test = self.choose(&["n < 3", "n <= argc", "n >= argc - 1", "n >= 0"]);
                self.line(&format!("assert({test});"));
            }
        }
    }

    /// Looks at an argument.
    fn element(&mut self) {
        let k = self.rng.i32(0..4);
        match self.rng.u8(..11) {
            0 => self.line(&format!("v = argv[{k}][0];")),
            1 => {
                let test = self.choose(&[">", ">", ">="]);
                self.guarded(&format!("argc {test} {k}"), |w| w.line(&format!("v = argv[{k}][0];")));
            }
            2 => self.line("assert(argv[argc] == 0);"),
            3 => self.line("assert(argv[0] != 0);"),
            4 => self.line("v = argv[argc - 1][0];"),
            5 => {
                let index = self.choose(&["1", "2", "argc - 1"]);
                self.guarded("argc > 1", |w| w.line(&format!("v = argv[{index}][1];")));
            }
            6 => self.guarded(&format!("argc > {k}"), |w| {
                w.line(&format!("n = length(argv[{k}]);"));
                let what = w.choose(&["t[n] = 1;", "assert(n < 6);", "v = 10 / (n - 2);", "assert(n >= 0);"]);
                w.line(what);
            }),
            7 => {
                let guard = self.choose(&["argc > 0", "argc > 1", "argc >= 0"]);
                self.guarded(guard, |w| w.line("v = last(argc, (char **)argv);"));
            }
            8 => {
                self.line(&format!("kept = argv[argc > {k} ? {k} : argc];"));
                self.line("v = kept[0];");
            }
            9 => self.guarded(&format!("argc == {k}"), |w| {
                w.line(&format!("v = *skip((char **)argv, {})[0];", (k - 1).max(0)));
                w.line(&format!("assert(argv[{k}] == 0);"));
            }),
            _ => {
                let letter = self.choose(&["a", "q", "-", "z"]);
                self.guarded(&format!("argc > {} && argv[{k}][0] == '{letter}'", k - 1), |w| {
                    w.line("v = 100 / (argc - 3);");
                    w.line(&format!("assert(argv[{k}][1] == 0);"));
                });
            }
        }
    }

    /// Changes what it was given, and relies on it.
    fn change(&mut self) {
        let k = self.rng.i32(0..3);
        let left = if self.has.argc_changes { "argc" } else { "left" };
        match self.rng.u8(..6) {
            0 => {
                self.line(&format!("{left}--;"));
                self.line("argv++;");
                match self.rng.u8(..4) {
                    0 => self.line(&format!("assert(argv[{left}] == 0);")),
                    1 => self.guarded(&format!("{left} > 0"), |w| w.line("v = argv[0][0];")),
                    2 => self.line("v = argv[-1][0];"),
                    _ => self.line("v = argv[0] == 0 ? 1 : 2;"),
                }
            }
            1 if self.has.elements_change => {
                self.guarded(&format!("{left} > {k}"), |w| {
                    w.line(&format!("argv[{k}] = \"own\";"));
                    let test = w.choose(&["[0] == 'o'", "[3] == 0", "[1] != 'w'"]);
                    w.line(&format!("assert(argv[{k}]{test});"));
                });
                self.line("v = argv[0][2];");
            }
            2 if self.has.elements_change => {
                self.guarded("argc > 1", |w| {
                    w.line("kept = argv[0];");
                    w.line("argv[0] = argv[1];");
                    w.line("argv[1] = (char *)kept;");
                    let test = w.choose(&["argv[0] != 0", "argv[1][0] != 'q'", "argv[1] == kept"]);
                    w.line(&format!("assert({test});"));
                });
            }
            3 if self.has.elements_change => {
                let at = self.choose(&["argc - 1", "0", "argc"]);
                self.line(&format!("argv[{at}] = 0;"));
                self.line("v = argv[0] == 0;");
                self.guarded("argc > 1", |w| w.line("v = argv[1][0];"));
            }
            4 | 5 if self.has.bytes_change => self.guarded(&format!("{left} > {k}"), |w| {
                if w.rng.bool() {
                    w.line(&format!("argv[{k}][0] = 'c';"));
                    let test = w.choose(&["[0] == 'c'", "[1] == 0", "[0] != 0"]);
                    w.line(&format!("assert(argv[{k}]{test});"));
                } else {
                    let bytes = w.choose(&["0", "1", "length(argv[0])"]);
                    w.line(&format!("argv[0][{bytes}] = 'd';"));
                    w.line("v = argv[0][0] == 'd';");
                }
            }),
            _ => self.line(&format!("v = {left} + {k};")),
        }
    }

    /// Walks along the vector.
    fn walk(&mut self) {
        match self.rng.u8(..4) {
            0 => {
                self.unmarked("n = 0;");
                self.unmarked("while (argv[n]) {");
                self.line("  n++;");
                self.unmarked("}");
                let test = self.choose(&["n == argc", "n <= 3", "n >= 1"]);
                self.line(&format!("assert({test});"));
            }
            1 => {
                let last = self.choose(&["i < argc", "i < argc", "i <= argc"]);
                self.unmarked(&format!("n = 0; for (int i = 1; {last}; i++) {{"));
                self.line("  v = argv[i][0];");
                self.unmarked("  if (v == '-') n++;");
                self.unmarked("}");
                let what = self.choose(&["assert(n < 2);", "v = 6 / (n - 1);", "t[n] = 4;"]);
                self.line(what);
            }
            2 => {
                self.unmarked("n = 0; for (; *argv; argv++) {");
                self.line("  n += argv[0][0] == 'q';");
                self.unmarked("}");
                self.line("assert(n != 1);");
                self.line("assert(*argv == 0);");
            }
            _ => {
                self.unmarked("for (n = argc - 1; n > 0; n--) {");
                self.line("  v = argv[n][0];");
                self.unmarked("}");
                self.line("assert(n <= 0);");
                self.line("v = 5 / (n + 1);");
            }
        }
    }

    /// Asks the library about an argument.
    fn words(&mut self) {
        let k = self.rng.i32(0..3);
        let guard = if self.rng.u8(..4) == 0 { k - 1 } else { k };
        self.guarded(&format!("argc > {guard}"), |w| match w.rng.u8(..5) {
            0 => {
                w.unmarked(&format!("n = (int)strlen(argv[{k}]);"));
                let what = w.choose(&["t[n] = 1;", "v = 1 / n;", "assert(n != 4);"]);
                w.line(what);
            }
            1 => {
                w.unmarked(&format!("n = strcmp(argv[{k}], \"go\");"));
                w.line("v = 4 / n;");
            }
            2 => {
                w.unmarked(&format!("n = strtol(argv[{k}], 0, 10) > 5;"));
                w.line("assert(n == 0);");
            }
            3 => {
                let letter = w.choose(&["=", "o", "-"]);
                w.unmarked(&format!("kept = strchr(argv[{k}], '{letter}');"));
                let what = w.choose(&["v = kept[0];", "assert(kept == 0);", "v = kept ? kept[1] : 0;"]);
                w.line(what);
            }
            _ => {
                let size = w.rng.i32(3..9);
                w.unmarked(&format!("char copy[{size}];"));
                w.unmarked(&format!("strcpy(copy, argv[{k}]);"));
            }
        });
    }

    /// Something with the environment.
    fn environment(&mut self) {
        let key = self.choose(&["K0", "K1"]);
        let list = if self.has.envp && self.rng.bool() { "envp" } else { "environ" };
        match self.rng.u8(..9) {
            0 => {
                self.unmarked(&format!("kept = getenv(\"{key}\");"));
                self.line("v = kept[0];");
            }
            1 => {
                self.unmarked(&format!("kept = getenv(\"{key}\");"));
                self.guarded("kept != 0", |w| {
                    let what = w.choose(&[
                        "v = kept[0];",
                        "v = kept[1];",
                        "assert(kept[0] != 0);",
                        "v = 8 / (kept[0] - 'a');",
                        "t[length(kept)] = 1;",
                    ]);
                    w.line(what);
                });
            }
            2 => {
                self.unmarked(&format!("kept = getenv(\"{key}\");"));
                let test = self.choose(&["kept == 0", "kept != 0"]);
                self.line(&format!("assert({test});"));
            }
            3 => {
                self.unmarked("n = 0;");
                self.unmarked(&format!("while ({list}[n]) {{"));
                self.line("  n++;");
                self.unmarked("}");
                let what = self.choose(&["t[n] = 1;", "assert(n > 0);", "assert(n < 3);", "assert(n >= 0);"]);
                self.line(what);
            }
            4 => {
                self.line(&format!("assert({list}[0] != 0);"));
            }
            5 => {
                let letter = self.choose(&["K", "O", "="]);
                self.guarded(&format!("{list}[0] != 0"), |w| {
                    w.line(&format!("assert({list}[0][0] != '{letter}');"));
                    w.line(&format!("v = {list}[0][1];"));
                });
            }
            6 => {
                self.unmarked(&format!("if (getenv(\"{key}\") == 0) {{"));
                self.line("  assert(v != 0);");
                self.unmarked("} else {");
                self.unmarked(&format!("  v = getenv(\"{key}\")[0];"));
                self.unmarked("}");
            }
            7 => {
                let at = self.rng.i32(1..3);
                self.line(&format!("kept = {list}[0] ? {list}[{at}] : 0;"));
                self.line("v = kept[0];");
            }
            _ => {
                self.unmarked("kept = getenv(\"K0\");");
                self.unmarked("n = getenv(\"K1\") != 0;");
                let k = self.rng.i32(0..2);
                self.line(&format!("assert(kept == 0 || n == {k});"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_program() {
        assert_eq!(program(5), program(5));
        assert_ne!(program(5), program(6));
    }

    #[test]
    fn mains_of_all_kinds_are_written() {
        let programs: Vec<String> = (0..200).map(program).collect();
        let heads = ["main(void)", "main()", "(int argc)", "const int argc", "char *const", "envp"];
        for head in heads {
            assert!(programs.iter().any(|text| text.contains(head)), "{head}");
        }
    }
}
