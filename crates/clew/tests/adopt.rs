// SPDX-License-Identifier: MIT OR Apache-2.0
//! What projects need to adopt clew: a configuration, comments that allow, a baseline, changed lines, forms for tools.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Ran, clew_in};
use tempfile::TempDir;

/// A division by zero at every run without arguments.
const HALF: &str = "int half(int a, int b) { return a / b; }\n";
const MAIN: &str = "int main(int argc, char **argv) { (void)argv; return half(8, argc - 1); }\n";

struct Project(TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().expect("a folder"));
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    fn check(&self, arguments: &[&str]) -> Ran {
        clew_in(self.path(), &[&["check", "--no-replay"], arguments].concat())
    }
}

fn faulty() -> Project {
    Project::new(&[("a.c", &format!("{HALF}{MAIN}"))])
}

#[test]
fn a_file_alone_means_check() {
    let project = faulty();
    let ran = clew_in(project.path(), &["a.c", "--no-replay"]);
    assert_eq!(ran.status, Some(1), "{}", ran.whole());
    assert!(ran.stdout.contains("error[division-by-zero]"), "{}", ran.whole());
    let other = clew_in(project.path(), &["--no-replay", "a.c"]);
    assert_eq!(other.stdout, ran.stdout);
    assert_eq!(clew_in(project.path(), &["chek", "a.c"]).status, Some(2));
}

#[test]
fn one_line_a_finding_for_tools() {
    let project = faulty();
    let ran = project.check(&["--format", "gcc", "a.c"]);
    assert_eq!(ran.stdout, "a.c:1:33: error: 8 / 0: the divisor is 0 [division-by-zero]\n");
    let quality = project.check(&["--format", "codeclimate", "a.c"]).stdout;
    let issues: serde_json::Value = serde_json::from_str(&quality).expect("JSON");
    assert_eq!(issues[0]["location"]["lines"]["begin"], 1);
    assert!(issues[0]["fingerprint"].is_string() && issues[0]["severity"] == "critical");
}

/// As CMake calls clang-tidy: the whole compile command follows.
#[test]
fn a_compile_command_after_the_dashes_is_understood() {
    let project = Project::new(&[("a.c", &format!("#if X != 2\n#error no\n#endif\n{HALF}{MAIN}"))]);
    let cmake = [
        "--extra-arg-before=--driver-mode=gcc",
        "a.c",
        "--",
        "/usr/bin/gcc",
        "-DX=2",
        "-o",
        "a.o",
        "-c",
        "a.c",
    ];
    assert_eq!(project.check(&cmake).status, Some(1));
}

#[test]
fn files_of_a_project_have_its_flags() {
    let commands = r#"[{"directory": ".", "file": "a.c", "command": "gcc -DX=2 -c a.c"},
        {"directory": ".", "file": "b.c", "command": "gcc -c b.c"}]"#;
    let text = format!("#if X != 2\n#error no\n#endif\n{HALF}{MAIN}");
    let project = Project::new(&[("a.c", &text), ("b.c", "broken"), ("compile_commands.json", commands)]);
    assert_eq!(project.check(&["-p", ".", "a.c"]).status, Some(1));
    let other = project.check(&["-p", ".", "c.c"]);
    assert_eq!(other.status, Some(2));
    assert!(other.stderr.contains("c.c: the project . does not compile it"), "{}", other.stderr);
    assert_eq!(project.check(&["-p", ".", "--exclude", "b*"]).status, Some(1));
    project.write("compile_commands.json", "[{\"file\": \"a.c\",\n");
    let cut = project.check(&["-p", "."]);
    assert_eq!(cut.status, Some(2));
    assert!(cut.stderr.contains("./compile_commands.json:2:"), "{}", cut.stderr);
}

#[test]
fn a_report_that_cannot_be_written_is_said_first() {
    let project = faulty();
    let ran = project.check(&["-o", "no/such/folder/report", "a.c"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
    assert_eq!(project.check(&["-o", "report", "missing.c"]).status, Some(2));
    let ran = project.check(&["--format", "json", "-o", "report", "a.c"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(1), ""));
    assert!(project.path().join("report").is_file());
}

#[test]
fn keys_of_the_configuration_are_flags() {
    let project = faulty();
    project.write("clew.toml", "check = [\"memory\"]\n");
    assert_eq!(project.check(&["a.c"]).status, Some(0));
    assert_eq!(project.check(&["--check", "integer", "a.c"]).status, Some(1), "flags outweigh the file");
    assert_eq!(project.check(&["--no-config", "a.c"]).status, Some(1));
    project.write("sub/b.c", &format!("{HALF}{MAIN}"));
    assert_eq!(project.check(&["sub/b.c"]).status, Some(0), "it is found upwards");
    let shown = clew_in(project.path(), &["config", "--level", "quick", "a.c"]).stdout;
    assert!(shown.contains("= [\"memory\"]    # clew.toml:1\n"), "{shown}");
    assert!(shown.contains("= quick    # the command line\n"), "{shown}");
}

#[test]
fn wrong_configurations_are_told_with_their_place() {
    let project = faulty();
    let cases = [
        ("\nchekc = [\"memory\"]\n", "clew.toml:2:1: there is no key `chekc`; did you mean `check`?"),
        ("level = [1, 2]\n", "clew.toml:1:9: `level` takes one value, not a list"),
        ("proved = 3\n", "clew.toml:1:10: `proved` takes true or false"),
        ("level = \"usual\"\nlevel = 1\n", "clew.toml:2:1: "),
        ("check = [\n", "clew.toml:1:10: unclosed array"),
        ("extends = \"clew.toml\"\n", "clew.toml:1:11: these files extend each other in a circle"),
        ("extends = \"nowhere.toml\"\n", "nowhere.toml: "),
    ];
    for (text, expected) in cases {
        project.write("clew.toml", text);
        let ran = project.check(&["a.c"]);
        assert_eq!(ran.status, Some(2), "{text}: {}", ran.whole());
        assert!(ran.stderr.contains(expected), "{text}: {}", ran.stderr);
    }
    project.write("clew.toml", "extends = \"other.toml\"\n");
    project.write("other.toml", "extends = \"clew.toml\"\n");
    assert!(project.check(&["a.c"]).stderr.contains("other.toml:1:11: these files extend each other"));
}

#[test]
fn init_writes_a_configuration_that_works_and_overwrites_none() {
    let project = faulty();
    assert_eq!(clew_in(project.path(), &["init"]).status, Some(0));
    assert_eq!(project.check(&["a.c"]).status, Some(1));
    assert_eq!(clew_in(project.path(), &["init"]).status, Some(2));
}

#[test]
fn comments_allow_with_a_reason() {
    let with = |before: &str, after: &str| {
        let text = format!("{before}int half(int a, int b) {{ return a / b; }} {after}\n{MAIN}");
        Project::new(&[("a.c", &text)]).check(&["a.c"])
    };
    let allow = "/* clew: allow(division-by-zero) because callers see to it */";
    for ran in [
        with("", allow),
        with(&format!("{allow}\n"), ""),
        with(&format!("{allow}\nstatic inline\n"), ""),
        with("", "// NOLINT(clew-division-by-zero)"),
        with("// NOLINTNEXTLINE(clew-*)\n", ""),
        with("// NOLINTBEGIN(clew-division-by-zero)\n\n", "// NOLINTEND(clew-division-by-zero)"),
    ] {
        assert_eq!(ran.status, Some(0), "{}", ran.whole());
        assert!(ran.stdout.contains("; 1 suppressed"), "{}", ran.whole());
    }
    assert_eq!(with("", "// NOLINT(bugprone-x)").status, Some(1));
    let wrong = [
        ("/* clew: allow(division-by-zero) */", "a reason is missing"),
        ("/* clew: allow(division-by-zer) because x */", "did you mean `division-by-zero`?"),
        ("/* clew: allow division-by-zero */", "write `clew: allow(check) because ...`"),
    ];
    for (comment, expected) in wrong {
        let ran = with(comment, "");
        assert_eq!(ran.status, Some(2), "{}", ran.whole());
        assert!(ran.stderr.contains(expected) && ran.stderr.contains("a.c:1:1: "), "{}", ran.stderr);
    }
    let stale = with("", "/* clew: allow(null-deref) because */");
    assert_eq!(stale.status, Some(2), "a reason is more than the word");
    let stale = with("", "/* clew: allow(null-deref) because of nothing */");
    assert_eq!(stale.status, Some(1));
    assert!(stale.stderr.contains("a.c:1:42: this allows nothing any more"), "{}", stale.stderr);
}

#[test]
fn a_baseline_hides_what_is_known_and_nothing_new() {
    let project = faulty();
    let base = ["--baseline", "known.json"];
    let missing = project.check(&[&base[..], &["a.c"]].concat());
    assert_eq!(missing.status, Some(2));
    let update = project.check(&[&base[..], &["--update-baseline", "a.c"]].concat());
    assert_eq!(update.status, Some(0), "{}", update.whole());
    // Lines move, the function moves, the file has another name.
    project.write("b.c", &format!("int half(int, int);\n\n{MAIN}\n\n/* moved */ {HALF}"));
    let again = project.check(&[&base[..], &["b.c"]].concat());
    assert_eq!(again.status, Some(0), "{}", again.whole());
    project.write("b.c", &format!("{HALF}int rest(int a, int b) {{ return a % b; }}\nint main(int argc, char **argv) {{ (void)argv; return argc > 1 ? rest(8, argc - 2) : half(8, argc - 1); }}\n"));
    let planted = project.check(&[&base[..], &["b.c"]].concat());
    assert_eq!(planted.status, Some(1));
    assert!(
        planted.stdout.contains("in `rest`") && !planted.stdout.contains("in `half`"),
        "{}",
        planted.stdout
    );
    project.write("b.c", "int main(void) { return 0; }\n");
    let stale = project.check(&[&base[..], &["b.c"]].concat());
    assert!(stale.stderr.contains("known.json: 1 entry is stale"), "{}", stale.whole());
    project.write("known.json", "{\n  \"version\": 1,\n");
    let broken = project.check(&[&base[..], &["b.c"]].concat());
    assert_eq!(broken.status, Some(2));
    assert!(broken.stderr.contains("known.json:3:"), "{}", broken.stderr);
}

#[test]
fn only_what_touches_changed_lines_counts() {
    let project = faulty();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        let ran = Command::new("git").args(identity).args(arguments).current_dir(project.path()).output();
        assert!(ran.expect("git is there").status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let since = ["--changed-since", "HEAD", "a.c"];
    let before = project.check(&since);
    assert_eq!(before.status, Some(0), "{}", before.whole());
    assert!(before.stdout.contains("1 violated that touch no changed line"), "{}", before.stdout);
    project
        .write("a.c", &format!("{HALF}/* the call is what changes */\n{MAIN}").replace("half(8", "half(9"));
    assert_eq!(project.check(&since).status, Some(1), "a call that leads there is changed");
    let unknown = project.check(&["--changed-since", "nowhere", "a.c"]);
    assert_eq!(unknown.status, Some(2), "{}", unknown.whole());
}

#[test]
fn what_clew_keeps_can_be_taken_away() {
    let project = faulty();
    assert_eq!(clew_in(project.path(), &["check", "a.c"]).status, Some(1));
    assert!(project.path().join("clew-out").is_dir());
    let cleaned = clew_in(project.path(), &["clean"]);
    assert_eq!((cleaned.status, &*cleaned.stdout), (Some(0), "clew-out: 1 test removed\n"));
    assert!(!project.path().join("clew-out").exists());
    project.write("mine/file", "x");
    assert_eq!(clew_in(project.path(), &["clean", "mine"]).status, Some(2));
    assert!(project.path().join("mine/file").is_file());
}
