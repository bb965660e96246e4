// SPDX-License-Identifier: MIT OR Apache-2.0
//! SARIF 2.1.0, as code scanning reads it: exactly one run, rules with their pages, fingerprints that survive edits.
//!
//! GitHub refuses a run of more than 25,000 results and shows a hundred locations of a flow: what is beyond is left out,
//! errors last, and counted in a notification.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::{Place, SourceMap, Span};
use clew_checks::{Check, Group, check};
use clew_ir::obligation::CheckKind;
use serde_json::{Value, json};

use crate::finding::{Finding, in_order};
use crate::model::Report;
use crate::question::{Question, questions};

/// Results that one run may have.
pub const MOST_RESULTS: usize = 25_000;
/// Locations of one flow.
const MOST_LOCATIONS: usize = 100;
/// The name under which our ids are fingerprints.
const FINGERPRINT: &str = "clewObligation/v1";

/// A finding that somebody suppressed, with who said so and why.
#[derive(Clone, Debug)]
pub struct Suppressed<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// Whether it stands in the source, and not in a baseline.
    pub in_source: bool,
    /// Why, where it is said.
    pub reason: Option<&'a str>,
}

/// What a log holds besides the violations that are shown.
#[derive(Clone, Debug, Default)]
pub struct Extras<'a> {
    /// Open questions, as notes.
    pub open: bool,
    /// Suppressed findings.
    pub suppressed: Vec<Suppressed<'a>>,
    /// Which analysis this is, where there are several of one commit.
    pub category: Option<&'a str>,
}

/// The log.
pub fn render(report: &Report, findings: &[Finding], extras: &Extras<'_>) -> String {
    let questions = if extras.open { questions(report) } else { Vec::new() };
    let mut kinds: BTreeSet<CheckKind> = findings.iter().map(|finding| finding.check).collect();
    kinds.extend(extras.suppressed.iter().map(|suppressed| suppressed.finding.check));
    kinds.extend(questions.iter().map(|question| question.rows[0].check));
    let index: BTreeMap<CheckKind, usize> = kinds.iter().enumerate().map(|(at, kind)| (*kind, at)).collect();
    let mut results: Vec<Value> =
        in_order(findings).into_iter().map(|finding| result(finding, &index)).collect();
    results.extend(extras.suppressed.iter().map(|suppressed| suppressed_result(suppressed, &index)));
    results.extend(questions.iter().map(|question| asked(question, &index)));
    let left_out = results.len().saturating_sub(MOST_RESULTS);
    results.truncate(MOST_RESULTS);
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(check(*kind))).collect();
    let weaknesses: BTreeSet<u16> = kinds.iter().map(|kind| check(*kind).cwe).collect();
    let category = extras.category.unwrap_or("clew");
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "clew",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
                "supportedTaxonomies": [{ "name": "CWE", "index": 0 }],
            }},
            "automationDetails": { "id": format!("{category}/") },
            "columnKind": "unicodeCodePoints",
            "taxonomies": [taxonomy(&weaknesses)],
            "invocations": [invocation(report, left_out)],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn rule(check: &Check) -> Value {
    let page = &check.page;
    let id = check.kind.id();
    let is_security = matches!(check.group, Group::Memory | Group::Integer);
    let mut tags = vec![check.group.name().to_owned(), format!("external/cwe/cwe-{:03}", check.cwe)];
    let mut properties = json!({ "precision": "very-high", "problem.severity": "error" });
    if is_security {
        tags.push("security".to_owned());
        properties["security-severity"] = json!(severity(check));
    }
    properties["tags"] = json!(tags);
    let help = format!("{}\n\n{}\n\n{}", page.what, page.why, page.advice);
    let markdown = format!(
        "{}\n\n{}\n\n```c\n{}```\n\nCorrected:\n\n```c\n{}```\n\n{}",
        page.what,
        page.why,
        page.bad_example().trim_start(),
        page.fixed_example().trim_start(),
        page.advice
    );
    json!({
        "id": id,
        "name": name(id),
        "shortDescription": { "text": check.title },
        "fullDescription": { "text": page.what },
        "help": { "text": help, "markdown": markdown },
        "defaultConfiguration": { "level": "error" },
        "properties": properties,
        "relationships": [{
            "target": weakness(check.cwe),
            "kinds": ["superset"],
        }],
    })
}

/// As in CVSS: writing where one must not is worst, numbers that are wrong are bad enough.
fn severity(check: &Check) -> &'static str {
    match check.kind {
        CheckKind::OutOfBounds | CheckKind::UseAfterFree | CheckKind::DoubleFree | CheckKind::InvalidFree => {
            "8.8"
        }
        CheckKind::MemoryLeak => "4.0",
        _ if check.group == Group::Memory => "7.5",
        _ => "5.5",
    }
}

/// `null-deref` as `NullDeref`.
fn name(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    id.split('-').map(word).collect()
}

fn weakness(cwe: u16) -> Value {
    json!({ "id": format!("CWE-{cwe}"), "toolComponent": { "name": "CWE", "index": 0 } })
}

fn taxonomy(weaknesses: &BTreeSet<u16>) -> Value {
    let taxon = |cwe: &u16| {
        json!({
            "id": format!("CWE-{cwe}"),
            "helpUri": format!("https://cwe.mitre.org/data/definitions/{cwe}.html"),
        })
    };
    json!({
        "name": "CWE",
        "organization": "MITRE",
        "informationUri": "https://cwe.mitre.org/",
        "shortDescription": { "text": "The MITRE Common Weakness Enumeration" },
        "taxa": weaknesses.iter().map(taxon).collect::<Vec<_>>(),
    })
}

fn invocation(report: &Report, left_out: usize) -> Value {
    let mut notifications: Vec<Value> = Vec::new();
    let mut say = |level: &str, text: String| {
        notifications.push(json!({ "level": level, "message": { "text": text } }));
    };
    if left_out > 0 {
        say("warning", format!("{left_out} more results are left out: a run may have {MOST_RESULTS}"));
    }
    for (file, reason) in &report.coverage.rejected {
        say("error", format!("{file}: not analysed: {reason}"));
    }
    for (place, what) in &report.coverage.unsupported {
        say("warning", format!("{place}: not supported: {what}"));
    }
    if report.coverage.truncated {
        say("warning", "a limit cut the work short".to_owned());
    }
    let counts = report.counts();
    json!({
        "executionSuccessful": report.coverage.rejected.is_empty(),
        "toolExecutionNotifications": notifications,
        "properties": {
            "proved": counts.proved + counts.proved_given,
            "violated": counts.violated,
            "open": counts.open,
            "unreachable": counts.unreachable + counts.unreachable_given,
        },
    })
}

fn result(finding: &Finding, index: &BTreeMap<CheckKind, usize>) -> Value {
    let mut text = format!("{}: {}", finding.message.title, finding.said());
    if !finding.inputs.is_empty() {
        text += &format!(". With {}", finding.inputs.join(", "));
    }
    if let Some(command) = finding.reproducer() {
        text += &format!(". Shown again by `{command}`");
    }
    json!({
        "ruleId": finding.check.id(),
        "ruleIndex": index[&finding.check],
        "level": if finding.is_error() { "error" } else { "warning" },
        "message": { "text": text },
        "locations": [location(&finding.sources, finding.message.span)],
        "partialFingerprints": { FINGERPRINT: &*finding.id.0 },
        "codeFlows": [{ "threadFlows": [{ "locations": flow(finding) }] }],
        "taxa": [weakness(check(finding.check).cwe)],
    })
}

fn suppressed_result(suppressed: &Suppressed<'_>, index: &BTreeMap<CheckKind, usize>) -> Value {
    let mut result = result(suppressed.finding, index);
    let mut suppression = json!({ "kind": if suppressed.in_source { "inSource" } else { "external" } });
    if let Some(reason) = suppressed.reason {
        suppression["justification"] = json!(reason);
    }
    result["suppressions"] = json!([suppression]);
    result
}

fn asked(question: &Question<'_>, index: &BTreeMap<CheckKind, usize>) -> Value {
    let first = question.rows[0];
    let reason = question.reason().map_or_else(String::new, ToString::to_string);
    json!({
        "ruleId": first.check.id(),
        "ruleIndex": index[&first.check],
        "level": "note",
        "kind": "open",
        "message": { "text": format!("`{}`: {reason}", question.text()) },
        "locations": [physical(question.place(), None)],
        "partialFingerprints": { FINGERPRINT: &*first.id.0 },
    })
}

/// How the run came there: calls and branches, then the fault.
fn flow(finding: &Finding) -> Vec<Value> {
    let step = |place: &Place, text: String| {
        let mut location = physical(place, None);
        location["message"] = json!({ "text": text });
        json!({ "location": location })
    };
    let mut steps: Vec<Value> = finding
        .stack
        .iter()
        .skip(1)
        .rev()
        .map(|frame| step(&frame.place, format!("in `{}`, which calls", frame.function)))
        .collect();
    steps.extend(finding.path.iter().map(|at| step(&at.place, format!("`{}`: {}", at.text, at.values))));
    // The last ones say most.
    steps.drain(..steps.len().saturating_sub(MOST_LOCATIONS - 1));
    let mut fault = location(&finding.sources, finding.message.span);
    fault["message"] = json!({ "text": finding.said() });
    steps.push(json!({ "location": fault }));
    steps
}

/// A span with its exact region, in characters.
fn location(sources: &SourceMap, span: Span) -> Value {
    let place = sources.place(span);
    let Some(file) = sources.files.get(span.file) else { return physical(&place, None) };
    let (line, _) = file.line_column(span.start);
    let (last, last_column) = file.line_column(span.end.max(span.start + 1).min(file.text.len() as u32));
    let column = |line: u32, byte: u32| {
        let text = file.line_text(line);
        String::from_utf8_lossy(&text[..(byte as usize - 1).min(text.len())]).chars().count() + 1
    };
    let start = column(line, file.line_column(span.start).1);
    let region = json!({
        "startLine": place.line,
        "startColumn": start,
        "endLine": place.line + (last - line),
        "endColumn": column(last, last_column),
    });
    physical(&place, Some(region))
}

fn physical(place: &Place, region: Option<Value>) -> Value {
    let region = region
        .unwrap_or_else(|| json!({ "startLine": place.line.max(1), "startColumn": place.column.max(1) }));
    json!({ "physicalLocation": { "artifactLocation": artifact(&place.file), "region": region } })
}

/// Names relative to the folder that clew ran in are relative to the root of the sources.
fn artifact(file: &str) -> Value {
    let uri: String = file.bytes().map(encoded).collect();
    match file.starts_with('/') {
        true => json!({ "uri": format!("file://{uri}") }),
        false => json!({ "uri": uri.strip_prefix("./").unwrap_or(&uri), "uriBaseId": "%SRCROOT%" }),
    }
}

fn encoded(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'+' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Level, Message};
    use crate::model::Program;
    use clew_base::source::SourceFile;
    use clew_ir::obligation::StableId;

    fn finding(number: usize, level: Level, sources: &SourceMap) -> Finding {
        let file = sources.files.iter_enumerated().next().map(|(id, _)| id).unwrap();
        let span = Span { file, start: 4, end: 6, expansion: None };
        Finding {
            id: StableId(format!("{number:016x}").into()),
            check: CheckKind::NullDeref,
            message: Message { span, ..Message::plain(level, "a null pointer is dereferenced") },
            sources: sources.clone(),
            inputs: Vec::new(),
            stack: Vec::new(),
            path: vec![
                Step { place: sources.place(span), text: "p".to_owned(), values: "0".to_owned() };
                300
            ],
            kept: None,
        }
    }
    use crate::finding::Step;

    #[test]
    fn more_than_a_run_may_have_is_counted_and_errors_stay() {
        let mut sources = SourceMap::default();
        sources.files.push(SourceFile::new("ä b.c", "/*é*/*p;\n".as_bytes().into()));
        let mut all: Vec<Finding> = (0..30_000)
            .map(|number| Finding { path: Vec::new(), ..finding(number, Level::Warning, &sources) })
            .collect();
        all.push(finding(30_000, Level::Error, &sources));
        let text = render(&Report::of(Program::default()), &all, &Extras::default());
        assert!(text.len() < 60 << 20);
        let log: Value = serde_json::from_str(&text).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().unwrap().len(), MOST_RESULTS);
        assert_eq!(run["results"][0]["level"], "error");
        let flow = &run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
        assert_eq!(flow.as_array().unwrap().len(), MOST_LOCATIONS);
        let said = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(said, "5001 more results are left out: a run may have 25000");
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "%C3%A4%20b.c");
        assert_eq!(place["region"]["startColumn"], 4);
    }
}
