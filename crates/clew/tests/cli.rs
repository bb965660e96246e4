// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole runs of the command line: standard output, standard error and status, as snapshots in `tests/cli`.

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{clew, command, root};

/// Runs clew at the root of the repository and compares everything it leaves with the snapshot of that name.
fn snapshot(name: &str, arguments: &[&str]) {
    let ran = clew(arguments).whole();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../tests/cli/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description(format!("clew {}", arguments.join(" ")));
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, ran));
}

#[test]
fn explain() {
    snapshot("explain_check", &["explain", "signed-overflow"]);
    snapshot("explain_list", &["explain", "list"]);
    snapshot("explain_unknown", &["explain", "nul-deref"]);
    snapshot("assumptions", &["assumptions"]);
}

#[test]
fn reports_do_not_depend_on_threads() {
    let report = |threads| {
        let arguments = ["check", "--format", "json", "--check", "all", "--threads", threads];
        clew(&[&arguments[..], &["tests/prove/loops.c", "tests/prove/numbers.c"]].concat()).whole()
    };
    assert_eq!(report("1"), report("2"));
}

#[test]
fn flags() {
    snapshot("no_command", &[]);
    snapshot("help", &["--help"]);
    snapshot("help_run", &["run", "-h"]);
    snapshot("help_check", &["check", "-h"]);
    snapshot("help_check_long", &["check", "--help"]);
    snapshot("unknown_flag", &["check", "--frobnicate", "examples/list.c"]);
    snapshot("unknown_check", &["check", "--check", "bounds", "examples/list.c"]);
    snapshot("unknown_compiler_flag", &["check", "examples/list.c", "--", "--frobnicate"]);
    snapshot("nothing_to_check", &["check"]);
    snapshot("nothing_to_run", &["run", "--all", "argument"]);
}

/// What selects nothing or cannot be told is no all-clear.
#[test]
fn nothing_is_no_all_clear() {
    for flags in [["--check", ""], ["--check", ","], ["--check", "memory,-memory"], ["--threads", "0"]] {
        let ran = clew(&[&["check"], &flags[..], &["examples/list.c"]].concat());
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{flags:?}");
        assert!(ran.stderr.starts_with("error: "), "{flags:?}: {}", ran.stderr);
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("compile_commands.json"), "[]").expect("a file");
    let project = folder.path().to_str().expect("a plain path");
    assert_eq!(clew(&["check", "-p", project]).status, Some(2));
    for arguments in [&["check", "examples/words.c"][..], &["explain", "list"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let ran = command(root()).args(arguments).stdout(full).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
    }
}

/// A violation behind another one says so.
#[test]
fn what_came_before_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let keep = folder.path().to_str().expect("a plain path");
    let ran = clew(&["check", "--keep", keep, "tests/cli/after.c"]);
    let said = "after shift-out-of-range at tests/cli/after.c:6:17, from where the run goes on with the machine's value";
    assert!(ran.stdout.contains(said), "{}", ran.whole());
}

#[test]
fn levels() {
    let check = ["check", "--entry", "below", "tests/prove/level_light.c"];
    let with = |more: &[&'static str]| [&check[..], more].concat();
    snapshot("check_usual", &with(&[]));
    snapshot("check_quick", &with(&["--level", "quick"]));
    snapshot("check_without", &with(&["--without", "differences,sums"]));
    snapshot("no_such_level", &with(&["--level", "4"]));
    snapshot("no_such_domain", &with(&["--without", "sums,polyhedra"]));
    let report = clew(&with(&["--level", "3", "--without", "bits", "--format", "json"])).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
    let level = serde_json::json!({ "number": 3, "name": "thorough", "without": ["bits"] });
    assert_eq!(report["level"], level);
}

/// The lowest level comes first, and what it proves stays proved; the number of threads changes nothing.
#[test]
fn more_effort_loses_nothing() {
    for file in ["tests/prove/level_light.c", "tests/prove/loops.c", "tests/prove/given.c", "examples/list.c"]
    {
        let check = ["check", "--format", "json", "--no-replay", file];
        let report = |more: &[&'static str]| clew(&[&check[..], more].concat()).stdout;
        let usual = report(&["--threads", "1"]);
        assert_eq!(report(&["--threads", "2"]), usual, "{file}");
        assert_eq!(report(&["--budget", "600"]), usual, "{file}");
        let proved = |report: &str| -> std::collections::BTreeSet<String> {
            let report: serde_json::Value = serde_json::from_str(report).expect("a report");
            let rows = report["obligations"].as_array().expect("a list").iter();
            let is_proved = |row: &&serde_json::Value| {
                row["verdict"] == "proved" && row["given"] == serde_json::json!([])
            };
            rows.filter(is_proved).map(|row| row["id"].to_string()).collect()
        };
        let quick = report(&["--level", "quick", "--no-search"]);
        assert!(proved(&quick).is_subset(&proved(&usual)), "{file}");
    }
}

/// A file in the folder for such things, which is not there yet.
fn fresh_file(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn remembered() {
    let file = fresh_file("remembered");
    let check = |more: &[&str]| {
        clew(
            &[&["check", "--check", "division-by-zero", "--remember", &file, "tests/prove/octagons.c"], more]
                .concat(),
        )
    };
    let read = || std::fs::read_to_string(&file).expect("it was written");
    let (first, learned) = (check(&[]), read());
    assert_eq!((first.stderr.as_str(), first.status), ("", Some(0)));
    assert!(learned.starts_with("clew remembered 1\n") && learned.contains("\nentry first,second limited\n"));
    assert_eq!(check(&[]).whole(), first.whole());
    assert_eq!(read(), learned);
    // Without octagons that are of use more is open: the work is done again.
    let is_pack = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let without = |line: &str| match line.split(' ').collect::<Vec<&str>>()[..] {
        ["function", content, packs, name] if is_pack(packs) => format!("function {content} none {name}\n"),
        _ => format!("{line}\n"),
    };
    let poorer: String = learned.lines().map(without).collect();
    assert_ne!(poorer, learned);
    std::fs::write(&file, poorer).expect("it can be written");
    let again = check(&[]);
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(
        again.stderr,
        "note: more is open than in the run that is remembered: again, with everything\n"
    );
    assert_eq!(read(), learned);
    // Nothing of it is of use to a run with other settings, or is lost by one that was cut short.
    let quick = clew(&["check", "--budget", "0", "--remember", &file, "tests/prove/octagons.c"]);
    assert!(quick.stdout.contains("open") && read() == learned);
    check(&["--level", "quick"]);
    assert!(read().contains("settings quick,"));
}

#[test]
fn remembered_in_another_form() {
    let file = fresh_file("remembered_by_another");
    for (text, why) in [
        ("", "not a file that clew wrote"),
        ("clew remembered 99\nend\n", "written by another clew, form 99 where this one writes 1"),
        ("clew remembered 1\nprogram\nentry both main\nend\n", "line 3 is broken"),
        ("clew remembered 1\nprogram\nentry first main\n", "its end is missing"),
    ] {
        std::fs::write(&file, text).expect("it can be written");
        let ran = clew(&["check", "--remember", &file, "examples/list.c"]);
        let said = format!("error: --remember: {file}: {why}; the file is left as it is\n");
        assert_eq!((ran.stderr, ran.stdout.as_str(), ran.status), (said, "", Some(2)));
        assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), Some(text));
    }
    snapshot("remember_foreign", &["check", "--remember", "Cargo.toml", "examples/list.c"]);
    snapshot("remember_folder", &["check", "--remember", "crates", "examples/list.c"]);
    snapshot("remember_nowhere", &["check", "--remember", "nowhere/file", "examples/list.c"]);
}

#[test]
fn clock() {
    let file = "tests/cli/clock.c";
    let check = ["check", "--max-clock", "3600000", "--clock"];
    snapshot("check_clock", &[&check[..], &["wait_for_tick", "--invariants", file]].concat());
    snapshot("no_such_clock", &[&check[..], &["wait", file]].concat());
    snapshot("no_clock", &["check", "--max-clock", "10", file]);
    snapshot("clock_without_number", &["check", "--clock", "wait_for_tick", file]);
    snapshot("max_clock_without_number", &["check", "--assume", "max-clock", file]);
    let report = clew(&[&check[..], &["wait_for_tick", "--format", "json", file]].concat()).stdout;
    assert!(report.contains("\"max-clock=3600000\""));
}

#[test]
fn bad_input() {
    snapshot("missing_file", &["run", "examples/nowhere.c"]);
    snapshot("a_folder", &["check", "examples"]);
    snapshot("type_errors", &["check", "tests/cli/errors.c"]);
    snapshot("no_main", &["run", "tests/cli/project/part.c", "--", "-DSTEP=1"]);
    snapshot("no_such_entry", &["check", "--entry", "start", "examples/list.c"]);
    snapshot("two_mains", &["run", "examples/list.c", "examples/words.c"]);
    snapshot(
        "bad_witness",
        &["run", "--inputs", "tests/cli/project/compile_commands.json", "examples/nondet.c"],
    );
}

#[test]
fn check() {
    snapshot(
        "check_invariants",
        &["check", "--check", "out-of-bounds", "--invariants", "tests/prove/loops.c"],
    );
    snapshot("check_text", &["check", "--check", "memory", "--limit", "2", "tests/c/checks/null-deref.c"]);
    snapshot("check_json", &["check", "--format", "json", "--check", "division-by-zero", "examples/mean.c"]);
    snapshot(
        "check_fail_on_open",
        &["check", "--check", "division-by-zero", "--fail-on", "open", "examples/mean.c"],
    );
    snapshot("check_entry", &["check", "--check", "assert", "--entry", "push", "examples/list.c"]);
    snapshot("check_project", &["check", "-p", "tests/cli/project"]);
    snapshot("check_two_programs", &["check", "--check", "division-by-zero", "-p", "tests/cli/two_programs"]);
    snapshot("check_old_style", &["check", "tests/cli/old.c"]);
}

#[test]
fn slices() {
    let file = "tests/cli/slices.c";
    snapshot("check_slice", &["check", "--slice", "slices.c:27", file]);
    snapshot(
        "check_slices",
        &[
            "check",
            "--no-search",
            "--slices",
            "--check",
            "division-by-zero,out-of-bounds",
            "--limit",
            "1",
            file,
        ],
    );
    snapshot("check_slice_hint", &["check", "--no-search", "--check", "division-by-zero", file]);
    snapshot("check_found", &["check", "--check", "division-by-zero", file]);
    snapshot("no_obligation_at_slice", &["check", "--slice", "slices.c:30", file]);
    snapshot("nothing_open_at_slice", &["check", "--slice", "slices.c:55", file]);
    snapshot("no_such_slice", &["check", "--slice", "0123456789abcdef", file]);
    snapshot("slice_of_another_file", &["check", "--slice", "other.c:3", file]);
}

/// The lines of a slice, from the JSON report.
fn lines_of(file: &str, slice: &str) -> Vec<u64> {
    let report = clew(&["check", "--format", "json", "--slice", slice, file]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
    let rows = report["obligations"].as_array().expect("rows").iter();
    let slices: Vec<_> = rows.filter_map(|row| row.get("slice")).collect();
    assert_eq!(slices.len(), 1, "{slice}");
    let lines = slices[0]["lines"].as_array().expect("lines").iter();
    lines.map(|line| line["line"].as_u64().expect("a number")).collect()
}

#[test]
fn slices_hold_what_matters_and_nothing_else() {
    let file = "tests/cli/slices.c";
    // The multiplication that fills the table is not why its index is out of bounds.
    assert_eq!(lines_of(file, "slices.c:27:9"), [23, 26, 27]);
    // Into the callee and out of it, through the global; not what else the function writes.
    assert_eq!(lines_of(file, "slices.c:37:12"), [14, 15, 16, 33, 34, 35, 37]);
    assert_eq!(lines_of(file, "slices.c:47:12"), [44, 46, 47]);
    // A member of a record that is passed by value: the other member does not matter.
    assert_eq!(lines_of(file, "slices.c:19:48"), [19, 54, 56]);
}

#[test]
fn slices_change_nothing_else_and_are_the_same_each_time() {
    let report = |more: &[&str]| {
        let arguments = ["check", "--no-search", "--format", "json", "--check", "all"];
        clew(&[&arguments[..], more, &["tests/cli/slices.c", "tests/prove/loops.c"]].concat()).stdout
    };
    let with = report(&["--slices"]);
    assert_eq!(with, report(&["--slices", "--threads", "1"]));
    let mut json: serde_json::Value = serde_json::from_str(&with).expect("a report");
    let rows = json["obligations"].as_array_mut().expect("rows");
    assert!(rows.iter().any(|row| row.get("slice").is_some()));
    rows.iter_mut().for_each(|row| drop(row.as_object_mut().expect("a row").remove("slice")));
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(&report(&[])).expect("a report"));
}

#[test]
fn ir() {
    snapshot("ir_text", &["ir", "--function", "next", "examples/order.c"]);
    snapshot("ir_unknown_function", &["ir", "--function", "nowhere", "examples/order.c"]);
}

#[test]
fn run() {
    snapshot("run_clean", &["run", "examples/mean.c", "4", "5", "6"]);
    snapshot("run_finding", &["run", "examples/words.c"]);
    snapshot("run_use_after_free", &["run", "examples/list.c"]);
    snapshot("run_callback", &["run", "examples/sort.c"]);
    snapshot("run_goes_on", &["run", "examples/quadratic.c"]);
    snapshot("run_quiet", &["run", "--quiet", "examples/quadratic.c"]);
    snapshot("run_stop_on", &["run", "--stop-on", "float-overflow", "examples/quadratic.c"]);
    snapshot("run_witness", &["run", "--inputs", "examples/nondet.json", "examples/nondet.c"]);
    snapshot("run_macro", &["run", "tests/cli/macro.c"]);
    snapshot(
        "run_linked",
        &["run", "tests/cli/project/main.c", "tests/cli/project/part.c", "--", "-DSTEP=3"],
    );
    snapshot("run_json", &["run", "--format", "json", "examples/mean.c"]);
    snapshot("run_stdin", &["run", "--stdin", "examples/nondet.json", "tests/cli/count.c"]);
    snapshot("run_steps", &["run", "--steps", "1000", "tests/cli/forever.c"]);
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut child = command(root())
        .args(["check", "--limit", "0", "--check", "all", "examples/list.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(1), ""));
}

#[test]
fn the_same_report_twice() {
    let report =
        || clew(&["check", "--format", "json", "--check", "all", "examples/list.c", "examples/sort.c"]);
    assert_eq!(report().stdout, report().stdout);
}

/// The ids of a program's obligations, in order.
fn ids(program: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), program).unwrap();
    let ran = common::clew_in(folder.path(), &["check", "--check", "all", "--format", "json", "a.c"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = report["obligations"].as_array().unwrap();
    rows.iter().filter(|row| row["function"] != "unrelated").map(|row| row["id"].to_string()).collect()
}

#[test]
fn ids_survive_blank_lines_and_unrelated_functions() {
    let before = std::fs::read_to_string(root().join("examples/list.c")).unwrap();
    let unrelated = "static int unrelated(int *p, int n) { return n > 0 ? p[n] / n : 0; }\n";
    let after = before.replace("static void clear", &format!("{unrelated}\n\nstatic void clear"));
    let after = after.replace("    return node;", "\n\n    return node;\n");
    let (mut before, mut after) = (ids(&before), ids(&after));
    assert!(before.len() > 20, "{before:?}");
    before.sort();
    after.sort();
    assert_eq!(before, after);
}

#[test]
fn every_obligation_has_an_id_of_its_own() {
    for file in common::c_files(&root().join("examples")) {
        let ids = ids(&std::fs::read_to_string(&file).unwrap());
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{}", file.display());
    }
}

/// An example promises a finding (`// finds: CHECK`), or a text in the report (`// shows: TEXT`), of the commands it names.
#[test]
fn examples_show_what_they_promise() {
    for file in common::c_files(&root().join("examples")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let promise = |mark: &str| text.lines().find_map(|line| line.strip_prefix(mark));
        let wanted = match (promise("// finds: "), promise("// shows: ")) {
            (Some(finds), _) => format!("[{}]", finds.split([',', ' ']).next().unwrap()),
            (None, shows) => shows.expect("an example promises").to_owned(),
        };
        let commands = text.lines().filter_map(|line| line.strip_prefix("//     clew "));
        let shown = commands.map(|line| {
            // What stands after two spaces says what the command does.
            let words = line.split("  ").next().unwrap_or(line).split(' ').collect::<Vec<_>>();
            let ran = clew(&words);
            ran.stderr + &ran.stdout
        });
        let shown: String = shown.collect();
        assert!(shown.contains(&wanted), "{}: no {wanted} in\n{shown}", file.display());
    }
}

/// A new folder with these files.
fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_unit_of_two_programs_is_as_bad_as_the_worse_of_them() {
    let folder = folder_with(&[
        ("d.h", "static inline int d(int x) { return 10 / x; }\n"),
        ("good.c", "#include \"d.h\"\nint main(void) { return d(1); }\n"),
        ("bad.c", "#include \"d.h\"\nint main(void) { return d(0); }\n"),
    ]);
    for files in [["good.c", "bad.c"], ["bad.c", "good.c"]] {
        let ran =
            common::clew_in(folder.path(), &["check", "--check", "division-by-zero", files[0], files[1]]);
        assert_eq!(ran.status, Some(1), "{}", ran.whole());
        assert!(ran.stdout.contains("1 obligation, 1 place: 1 violated"), "{}", ran.whole());
    }
}

#[test]
fn what_a_file_declares_too_large_is_not_supported() {
    let folder = folder_with(&[
        ("use.c", "extern int a[10];\nint main(void) { return a[7]; }\n"),
        ("four.c", "int a[4] = { 1 };\n"),
        ("ten.c", "int a[10] = { 1 };\n"),
    ]);
    let ran = common::clew_in(folder.path(), &["check", "use.c", "four.c"]);
    let said = "`a` is declared with 40 bytes here and has 16 where it is defined";
    assert!(ran.stdout.contains(said), "{}", ran.whole());
    let ran = common::clew_in(folder.path(), &["check", "use.c", "ten.c"]);
    assert!(!ran.whole().contains("declared with"), "{}", ran.whole());
}
