// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the repository says about clew is what clew does. `CLEW_BLESS=1` writes the generated parts anew.

mod common;

use std::fs;

use common::{clew, root};
use serde_json::Value;

#[test]
fn the_manual_of_the_checks_is_generated() {
    let file = root().join("docs/checks.md");
    let written = clew_report::page::markdown();
    if std::env::var_os("CLEW_BLESS").is_some() {
        fs::write(&file, &written).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == written, "docs/checks.md is out of date: run `cargo xtask bless`");
}

#[test]
fn reports_follow_the_schema() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(root().join("docs/report.schema.json")).unwrap()).unwrap();
    let nothing = clew(&["check", "--format", "json", "--check", "assertion", "examples/words.c"]);
    let much = clew(&["check", "--format", "json", "--check", "all", "examples/words.c", "examples/list.c"]);
    let project = clew(&["check", "--format", "json", "-p", "tests/cli/project"]);
    let slices = clew(&["check", "--format", "json", "--slices", "tests/cli/slices.c"]);
    let many = clew(&["check", "--no-search", "--format", "json", "tests/cli/many_open.c"]);
    let run = clew(&["run", "--format", "json", "--inputs", "examples/nondet.json", "examples/nondet.c"]);
    for text in [nothing.stdout, much.stdout, project.stdout, slices.stdout, many.stdout, run.stderr] {
        let report: Value = serde_json::from_str(&text).unwrap();
        let faults = validate(&schema, &schema, &report, "report");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

/// A number in `given` is that of a list, whose numbers are those of lists before it; ids are those of obligations.
#[test]
fn lists_of_what_proofs_rest_on_lead_to_obligations() {
    let ran = clew(&["check", "--no-search", "--format", "json", "tests/cli/many_open.c"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = report["obligations"].as_array().unwrap();
    let lists = report["given_lists"].as_array().unwrap();
    let parts = |of: &Value| of.as_array().unwrap().clone();
    let given = rows.iter().flat_map(|row| parts(&row["given"])).map(|part| (part, lists.len()));
    let within =
        lists.iter().enumerate().flat_map(|(at, list)| parts(list).into_iter().map(move |p| (p, at)));
    for (part, before) in given.chain(within) {
        match part.as_u64() {
            Some(number) => assert!((number as usize) < before, "list {number} before list {before}"),
            None => assert!(rows.iter().any(|row| row["id"] == part), "{part} is no obligation"),
        }
    }
    assert!(rows.iter().any(|row| parts(&row["given"]).iter().any(Value::is_u64)), "{}", ran.stdout);
}

/// Reports of `clew fixed` have a part of the schema to themselves.
#[test]
fn reports_of_fixed_point_follow_the_schema() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(root().join("docs/report.schema.json")).unwrap()).unwrap();
    let json = ["fixed", "--format", "json"];
    let commands: [&[&str]; 5] = [
        &["--within", "0.01", "tests/fixed/figure1.c"],
        &["--function", "entry", "tests/fixed/parting.c"],
        &["--function", "first", "tests/fixed/endless.c"],
        &["--fit", "0.01", "examples/fixed_polynomial.c"],
        &["--fit", "0.001", "--function", "control", "examples/fixed_pid.c"],
    ];
    for command in commands {
        let ran = clew(&[&json[..], command].concat());
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let faults = validate(&schema, &schema["$defs"]["fixed"], &report, "report");
        assert!(faults.is_empty(), "{command:?}: {}", faults.join("\n"));
    }
}

#[test]
fn reports_of_precision_follow_the_schema() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(root().join("docs/report.schema.json")).unwrap()).unwrap();
    let cases: [&[&str]; 6] = [
        &["tests/precision/quotient.c", "--range", "t=0..999"],
        &["tests/precision/turns.c", "--function", "turns"],
        &["tests/precision/unstable.c"],
        &["tests/precision/paper0/ctrltest.c", "--function", "main"],
        &["tests/precision/whole.c", "--find"],
        &["tests/precision/requires.c"],
    ];
    for case in cases {
        let text = clew(&[&["precision", "--format", "json"], case].concat()).stdout;
        let report: Value = serde_json::from_str(&text).unwrap();
        let faults = validate(&schema, &schema["$defs"]["precision"], &report, case[0]);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn the_sessions_of_the_documents_are_real() {
    for (file, least) in [("README.md", 3), ("docs/slices.md", 1)] {
        sessions_are_real(file, least);
    }
}

/// What follows `$ clew` in a document is what clew prints.
fn sessions_are_real(name: &str, least: usize) {
    let file = root().join(name);
    let document = fs::read_to_string(&file).unwrap();
    let mut real = String::new();
    let mut sessions = 0;
    let mut lines = document.lines().peekable();
    while let Some(line) = lines.next() {
        real += &format!("{line}\n");
        let Some(command) = line.strip_prefix("    $ clew ") else { continue };
        // Output is indented; a blank line belongs to it if what follows is indented too.
        let is_output = |l: &str| (l.starts_with("    ") && !l.starts_with("    $ ")) || l.is_empty();
        let mut blank_after = false;
        while let Some(next) = lines.next_if(|l| is_output(l)) {
            blank_after = next.is_empty();
        }
        let ran = clew(&command.split(' ').collect::<Vec<_>>());
        for line in (ran.stdout + &ran.stderr).trim_end().lines() {
            real += format!("    {line}").trim_end();
            real.push('\n');
        }
        real += if blank_after { "\n" } else { "" };
        sessions += 1;
    }
    if std::env::var_os("CLEW_BLESS").is_some() {
        fs::write(&file, &real).unwrap();
    }
    assert!(sessions >= least, "{name} shows {sessions} sessions");
    let found = fs::read_to_string(&file).unwrap();
    assert!(found == real, "{name} shows what clew does not print: run `cargo xtask bless`\n{real}");
}

/// The part of JSON Schema that ours uses.
fn validate(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(target) = schema["$ref"].as_str() {
        let target = root.pointer(target.trim_start_matches('#')).expect("a reference leads somewhere");
        return validate(root, target, value, at);
    }
    let mut faults = Vec::new();
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => panic!("{at}: the schema has no type"),
    };
    if !types.iter().any(|name| has_type(value, name)) {
        faults.push(format!("{at}: {value} is not {types:?}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        faults.push(format!("{at}: {value} is not among {allowed:?}"));
    }
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        faults.extend(validate(root, &schema["items"], item, &format!("{at}[{i}]")));
    }
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.is_object() && value.get(required).is_none() {
            faults.push(format!("{at}: `{required}` is missing"));
        }
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(property), _) => faults.extend(validate(root, property, field, &at)),
            (None, Value::Object(other)) => {
                faults.extend(validate(root, &Value::Object(other.clone()), field, &at));
            }
            (None, _) => faults.push(format!("{at}: the schema does not know it")),
        }
    }
    faults
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}
