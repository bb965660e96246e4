// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one JSON schema of all commands. `docs/json.md` describes it and `docs/report.schema.json` defines it.

use std::collections::{BTreeMap, HashMap};

use clew_base::source::Place;
use clew_ir::verdict::Verdict;
use clew_ir::witness::Witness;
use serde::Serialize;

use crate::finding::{Finding, Frame};
use crate::given_lists::{Lists, Part};
use crate::model::{Counts, Coverage, Effort, Invariant, Level, Report, Row, Slice, SliceLine, Tried, count};
use crate::question::{Question, count_places, questions};

/// The version of the schema. It grows when a reader of the old one would go wrong.
pub const VERSION: u32 = 2;

/// The report as JSON, with a line end after it. The same report gives the same bytes.
pub fn to_json(report: &Report, findings: &[Finding]) -> String {
    // Only maps with keys that are no strings and values that refuse to serialise fail: there are none here.
    let json = serde_json::to_string_pretty(&json_report(report, findings)).unwrap_or_default();
    json + "\n"
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    program: JsonProgram<'a>,
    obligations: Vec<JsonObligation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    questions: Vec<JsonQuestion<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rests_on: Vec<JsonObligation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given_lists: Vec<Vec<Part<'a>>>,
    assumptions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<JsonLevel<'a>>,
    coverage: JsonCoverage<'a>,
    summary: JsonSummary,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<JsonInvariant<'a>>,
}

#[derive(Serialize)]
struct JsonLevel<'a> {
    number: u8,
    name: &'a str,
    without: &'a [String],
}

#[derive(Serialize)]
struct JsonInvariant<'a> {
    entry: &'a str,
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    facts: &'a [String],
}

#[derive(Serialize)]
struct JsonProgram<'a> {
    files: &'a [String],
    target: &'a str,
    entries: &'a [String],
}

#[derive(Serialize)]
struct JsonObligation<'a> {
    id: &'a str,
    check: &'static str,
    cwe: u16,
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    expression: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<JsonFrame<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<JsonSuppression<'a>>,
    confirmed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_native: Option<&'a str>,
    given: Vec<Part<'a>>,
    reason: Option<String>,
    assumptions: &'a [String],
    witness: Option<&'a Witness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<JsonSlice<'a>>,
}

#[derive(Serialize)]
struct JsonSuppression<'a> {
    by: &'static str,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonFrame<'a> {
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonSlice<'a> {
    lines: Vec<JsonSliceLine<'a>>,
    cut: bool,
}

#[derive(Serialize)]
struct JsonSliceLine<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
    values: Vec<JsonValue<'a>>,
    lost: &'a [String],
}

#[derive(Serialize)]
struct JsonValue<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct JsonCoverage<'a> {
    functions: u64,
    unreached: &'a [String],
    missing: &'a [String],
    unsupported: Vec<JsonPlace<'a>>,
    rejected: Vec<JsonRejected<'a>>,
    truncated: bool,
    entries: Vec<JsonTried<'a>>,
}

#[derive(Serialize)]
struct JsonTried<'a> {
    entry: &'a str,
    proofs: JsonEffort<'a>,
    search: JsonEffort<'a>,
    solver: JsonEffort<'a>,
}

#[derive(Serialize)]
struct JsonEffort<'a> {
    state: &'static str,
    why: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    what: &'a str,
}

#[derive(Serialize)]
struct JsonRejected<'a> {
    file: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct JsonSummary {
    #[serde(flatten)]
    all: JsonCounts,
    places: JsonPlaces,
    hidden: u64,
    by_check: BTreeMap<&'static str, JsonCounts>,
}

/// The same by place: of what is known of a place, the worst counts.
#[derive(Serialize)]
struct JsonPlaces {
    total: u64,
    proved: u64,
    proved_given: u64,
    violated: u64,
    unreachable: u64,
    unreachable_given: u64,
    open: u64,
}

#[derive(Serialize)]
struct JsonQuestion<'a> {
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
    obligations: Vec<&'a str>,
    settles: usize,
}

#[derive(Serialize)]
struct JsonCounts {
    obligations: u64,
    proved: u64,
    proved_given: u64,
    violated: u64,
    unreachable: u64,
    unreachable_given: u64,
    open: u64,
}

fn json_report<'a>(report: &'a Report, findings: &'a [Finding]) -> JsonReport<'a> {
    let found: HashMap<&str, &Finding> = findings.iter().map(|finding| (&*finding.id.0, finding)).collect();
    let mut lists = Lists::new(report.rows.iter().chain(&report.rests_on));
    let mut told = |row: &'a Row| {
        let mut json = JsonObligation::of(row, &mut lists);
        json.suppressed = report.suppressed.get(&row.id).map(|suppression| JsonSuppression {
            by: if suppression.in_source { "comment" } else { "baseline" },
            reason: suppression.reason.as_deref(),
        });
        match found.get(&*row.id.0).filter(|_| json.verdict == "violated") {
            Some(finding) => json.told(finding),
            None => json,
        }
    };
    let by_check = report.by_check().into_iter().map(|(kind, rows)| (kind.id(), count(rows).into()));
    let obligations = report.rows.iter().map(&mut told).collect();
    let rests_on = report.rests_on.iter().map(|row| JsonObligation::of(row, &mut lists)).collect();
    JsonReport {
        version: VERSION,
        program: JsonProgram {
            files: &report.program.files,
            target: &report.program.target,
            entries: &report.program.entries,
        },
        obligations,
        questions: questions(report).iter().map(JsonQuestion::from).collect(),
        rests_on,
        given_lists: lists.into_written(),
        assumptions: &report.assumptions,
        level: report.level.as_ref().map(JsonLevel::from),
        coverage: JsonCoverage::from(&report.coverage),
        summary: JsonSummary {
            all: report.counts().into(),
            places: count_places(&report.rows).into(),
            hidden: report.hidden,
            by_check: by_check.collect(),
        },
        invariants: report.invariants.iter().map(JsonInvariant::from).collect(),
    }
}

impl<'a> JsonObligation<'a> {
    /// With what was said of the violation.
    fn told(self, finding: &'a Finding) -> JsonObligation<'a> {
        let frame = |frame: &'a Frame| JsonFrame {
            function: &frame.function,
            file: &frame.place.file,
            line: frame.place.line,
            column: frame.place.column,
        };
        JsonObligation {
            message: Some(finding.said()),
            stack: finding.stack.iter().map(frame).collect(),
            test: finding.kept.as_deref(),
            ..self
        }
    }
}

impl<'a> From<&'a Level> for JsonLevel<'a> {
    fn from(level: &'a Level) -> Self {
        JsonLevel { number: level.number, name: &level.name, without: &level.without }
    }
}

impl<'a> From<&'a Invariant> for JsonInvariant<'a> {
    fn from(invariant: &'a Invariant) -> Self {
        JsonInvariant {
            entry: &invariant.entry,
            function: &invariant.function,
            file: &invariant.place.file,
            line: invariant.place.line,
            column: invariant.place.column,
            facts: &invariant.facts,
        }
    }
}

impl<'a> JsonObligation<'a> {
    fn of(row: &'a Row, lists: &mut Lists<'a>) -> Self {
        let mut json = JsonObligation {
            id: &row.id.0,
            check: row.check.id(),
            cwe: row.cwe(),
            function: &row.function,
            file: &row.place.file,
            line: row.place.line,
            column: row.place.column,
            expression: &row.text,
            verdict: "",
            message: None,
            stack: Vec::new(),
            test: None,
            suppressed: None,
            confirmed: None,
            not_native: None,
            given: Vec::new(),
            reason: None,
            assumptions: &row.assumptions,
            witness: None,
            slice: row.slice.as_ref().map(JsonSlice::from),
        };
        match &row.verdict {
            Verdict::Proved(proof) => {
                json.verdict = "proved";
                json.given = lists.of(&proof.given);
            }
            Verdict::Unreachable(proof) => {
                json.verdict = "unreachable";
                json.given = lists.of(&proof.given);
            }
            Verdict::Violated { witness, confirmed } => {
                json.verdict = "violated";
                json.confirmed = Some(confirmed.name());
                json.not_native = confirmed.why_not_native();
                json.witness = witness.as_ref();
            }
            Verdict::Open(reason) => {
                json.verdict = "open";
                json.reason = Some(reason.to_string());
            }
        }
        json
    }
}

impl<'a> From<&'a Slice> for JsonSlice<'a> {
    fn from(slice: &'a Slice) -> Self {
        let line = |line: &'a SliceLine| JsonSliceLine {
            file: &line.place.file,
            line: line.place.line,
            column: line.place.column,
            text: &line.text,
            values: line.values.iter().map(|(name, value)| JsonValue { name, value }).collect(),
            lost: &line.lost,
        };
        JsonSlice { lines: slice.lines.iter().map(line).collect(), cut: slice.is_cut }
    }
}

impl<'a> From<&'a Coverage> for JsonCoverage<'a> {
    fn from(coverage: &'a Coverage) -> Self {
        let place = |(place, what): &'a (Place, String)| JsonPlace {
            file: &place.file,
            line: place.line,
            column: place.column,
            what,
        };
        JsonCoverage {
            functions: coverage.functions,
            unreached: &coverage.unreached,
            missing: &coverage.missing,
            unsupported: coverage.unsupported.iter().map(place).collect(),
            rejected: coverage.rejected.iter().map(|(file, reason)| JsonRejected { file, reason }).collect(),
            truncated: coverage.truncated,
            entries: coverage.tried.iter().map(JsonTried::from).collect(),
        }
    }
}

impl<'a> From<&'a Tried> for JsonTried<'a> {
    fn from(tried: &'a Tried) -> Self {
        let effort = |effort: &'a Effort| JsonEffort { state: effort.name(), why: effort.why() };
        JsonTried {
            entry: &tried.entry,
            proofs: effort(&tried.proofs),
            search: effort(&tried.search),
            solver: effort(&tried.solver),
        }
    }
}

impl<'a> From<&Question<'a>> for JsonQuestion<'a> {
    fn from(question: &Question<'a>) -> Self {
        let place = question.place();
        JsonQuestion {
            function: question.function(),
            file: &place.file,
            line: place.line,
            column: place.column,
            text: question.text(),
            obligations: question.rows.iter().map(|row| &*row.id.0).collect(),
            settles: question.settles,
        }
    }
}

impl From<Counts> for JsonPlaces {
    fn from(counts: Counts) -> Self {
        JsonPlaces {
            total: counts.total(),
            proved: counts.proved,
            proved_given: counts.proved_given,
            violated: counts.violated,
            unreachable: counts.unreachable,
            unreachable_given: counts.unreachable_given,
            open: counts.open,
        }
    }
}

impl From<Counts> for JsonCounts {
    fn from(counts: Counts) -> Self {
        JsonCounts {
            obligations: counts.total(),
            proved: counts.proved,
            proved_given: counts.proved_given,
            violated: counts.violated,
            unreachable: counts.unreachable,
            unreachable_given: counts.unreachable_given,
            open: counts.open,
        }
    }
}
