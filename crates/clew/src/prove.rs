// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asks the abstract interpreter about every entry, and turns its findings into facts about rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use clew_absint::clock::Ticks;
use clew_absint::pruning_plan::{Plan, Useful};
use clew_absint::{Analysis, Finding, Options, Outcome, Site, Subject};
use clew_base::workers::in_order;
use clew_frontend::library::Linked;
use clew_ir::head::Heads;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, Program, Semantics, StatementKind};
use clew_ir::verdict::{Reason, Verdict};
use clew_report::{Effort, Invariant, Row};

use crate::assumed::Arithmetic;
use crate::guard::guarded;
use crate::joined::{Joined, Known, Translation};
use crate::library::{CallRow, call_rows, row_of_call};
use crate::rows;
use crate::settings::Settings;
use crate::slices;
use crate::watch::{self, CANCEL, Watch};

/// The name of the engine in proofs.
const ENGINE: &str = "absint";

/// What is said of an entry on which it broke.
const FAILED: &str = "the analysis failed: a fault of clew";

/// What the engine found out about one program.
pub struct Proved {
    /// The rows, decided where they are.
    pub rows: Vec<Row>,
    /// Whether a limit cut the work short.
    pub truncated: bool,
    /// How far it came from each entry.
    pub efforts: Vec<(String, Effort)>,
    /// What holds at loop heads, if that was asked for.
    pub invariants: Vec<Invariant>,
    /// What holds at them of runs from `main`, for other engines.
    pub heads: Heads,
    /// The assumptions that its proofs rest on.
    pub rests_on: Vec<String>,
    /// Functions with a body that no entry reaches, if the analysis came to its end.
    pub unreached: Option<Vec<String>>,
    /// What of the work was useful, by entry; none if the analysis did not come to its end.
    pub useful: Option<Vec<(String, Useful)>>,
}

/// Analyses a program from each entry.
pub fn prove(linked: &Linked, entries: &[String], settings: &Settings, plan: Option<&Plan>) -> Proved {
    let assumed = &settings.assumed;
    let program = &linked.program;
    let requirements =
        linked.requirements.iter().flat_map(|(function, asked)| asked.keys().map(|id| (*function, *id)));
    let watch = Watch::new();
    let progress = |steps: u64, function: &str| watch.at(steps, function);
    let table = Table::new(linked);
    let asked = settings.slices.as_ref().map(|asked| asked.names(table.open_rows().iter()));
    let wanted = |subject: &Subject| {
        let names = table.names(subject);
        asked.as_ref().is_some_and(|asked| names.iter().any(|name| asked.contains(name)))
    };
    let stops = |check: CheckKind, semantics: Semantics| settings.stops.at(check, semantics);
    let asks_heads = settings.searches && is_small(program);
    let options = Options {
        stops: &stops,
        models: linked.models.iter().copied().collect(),
        requirements: requirements.collect(),
        malloc_succeeds: assumed.holds("malloc-succeeds"),
        parameters_valid: assumed.holds("params-valid-or-null") && assumed.holds("params-not-aliased"),
        parameters_lead_apart: assumed.holds("params-lead-apart"),
        missing_functions_leave_globals: assumed.holds("missing-functions-leave-globals"),
        no_asynchronous_writes: assumed.holds("no-asynchronous-writes"),
        missing_functions_free_nothing: assumed.holds("missing-functions-free-nothing"),
        ticks: ticks(program, settings),
        level: settings.level,
        raised: settings.raised.as_deref(),
        plan,
        invariants: settings.invariants || asks_heads,
        all_invariants: settings.invariants,
        slices: settings.slices.as_ref().map(|_| &wanted as &(dyn Fn(&Subject) -> bool + Sync)),
        share: None,
        deadline: settings.deadline,
        cancel: Some(&CANCEL),
        progress: Some(&progress),
    };
    let functions: Vec<(String, FuncId)> = entries
        .iter()
        .filter_map(|name| {
            let mut found =
                program.functions.iter_enumerated().filter(|(_, f)| *f.name == **name && f.body.is_some());
            found.next().map(|(id, _)| (name.clone(), id))
        })
        .collect();
    let joined = Mutex::new(Joined::new(table.all_names()));
    let heads = Mutex::new(Heads::new());
    let analyses = analyse_all(linked, &options, &functions, settings.threads, |entry, analysis| {
        if asks_heads && *program.functions[entry].name == *"main" {
            *heads.lock().unwrap_or_else(|e| e.into_inner()) = facts(analysis);
        }
        table.note(&mut joined.lock().unwrap_or_else(|e| e.into_inner()), entry, analysis);
    });
    let joined = joined.into_inner().unwrap_or_else(|e| e.into_inner());
    let names: Vec<&str> = functions.iter().map(|(name, _)| name.as_str()).collect();
    let rests_on = assumed.of_proof(&names, &analyses, Arithmetic::of(program));
    let rows = table.rows(&joined, &rests_on, &analyses);
    let reached: BTreeSet<FuncId> = analyses.iter().flat_map(|a| a.reached.iter().copied()).collect();
    let own =
        program.functions.iter_enumerated().filter(|(id, f)| f.body.is_some() && !linked.models.contains(id));
    let whole = analyses.iter().all(|a| !a.truncated && a.failed.is_none() && a.unsupported.is_empty());
    let useful = functions.iter().zip(&analyses).map(|((name, _), a)| (name.clone(), a.useful.clone()));
    let is_done = analyses.iter().all(|a| !a.truncated && a.failed.is_none());
    let unreached = own.filter(|(id, _)| !reached.contains(id)).map(|(_, f)| f.source_name.to_string());
    Proved {
        rows,
        truncated: analyses.iter().any(|a| a.truncated),
        efforts: functions.iter().zip(&analyses).map(|((name, _), a)| (name.clone(), effort(a))).collect(),
        invariants: if settings.invariants { invariants(linked, &functions, &analyses) } else { Vec::new() },
        heads: heads.into_inner().unwrap_or_else(|e| e.into_inner()),
        rests_on,
        unreached: whole.then(|| unreached.collect()),
        useful: is_done.then(|| useful.collect()),
    }
}

/// What is known where the proofs failed: the obligations. What others prove of them may rest on all that is assumed.
pub fn unproved(linked: &Linked, entries: &[String], settings: &Settings) -> Proved {
    Proved {
        rows: Table::new(linked).open_rows(),
        truncated: false,
        efforts: entries.iter().map(|name| (name.clone(), Effort::Failed)).collect(),
        invariants: Vec::new(),
        heads: Heads::new(),
        rests_on: settings.assumed.names(),
        unreached: None,
        useful: None,
    }
}

/// How far an analysis came.
fn effort(analysis: &Analysis) -> Effort {
    match &analysis.failed {
        Some(what) if what == FAILED => Effort::Failed,
        Some(what) => Effort::GaveUp(what.clone()),
        // What comes behind it is not followed.
        None if !analysis.truncated && !analysis.unsupported.is_empty() => {
            Effort::GaveUp(analysis.unsupported.iter().cloned().collect::<Vec<_>>().join(", "))
        }
        None if !analysis.truncated => Effort::Done,
        None if watch::has_run_out() => Effort::GaveUp(watch::RUN_OUT.to_owned()),
        None => Effort::CutShort,
    }
}

/// Larger programs are not looked at by the engines that use what holds at loop heads: to keep it takes memory.
const SMALL: usize = 20_000;

fn is_small(program: &Program) -> bool {
    let blocks = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|body| body.blocks.iter());
    blocks.map(|block| block.statements.len()).sum::<usize>() < SMALL
}

/// What an analysis that came to its end knows of loop heads, in all its rounds.
fn facts(analysis: &Analysis) -> Heads {
    let mut heads = Heads::new();
    if analysis.truncated || analysis.failed.is_some() {
        return heads;
    }
    for invariants in &analysis.invariants {
        for (head, facts) in invariants.facts() {
            heads.entry(head).or_default().extend(facts);
        }
    }
    heads
}

/// The functions that wait for the clock.
pub fn waiting<'a>(program: &'a Program, clock: &'a str) -> impl Iterator<Item = FuncId> + 'a {
    let functions = program.functions.iter_enumerated();
    functions.filter(move |(_, f)| *f.source_name == *clock || *f.name == *clock).map(|(id, _)| id)
}

fn ticks(program: &Program, settings: &Settings) -> Option<Ticks> {
    let functions = waiting(program, &settings.clock).collect();
    settings.assumed.max_clock().map(|most| Ticks { functions, most })
}

/// What holds at the loop heads of the program's own functions.
fn invariants(linked: &Linked, entries: &[(String, FuncId)], analyses: &[Analysis]) -> Vec<Invariant> {
    let program = &linked.program;
    let mut list = Vec::new();
    for ((entry, _), analysis) in entries.iter().zip(analyses) {
        for shown in analysis.shown.iter().filter(|s| !linked.models.contains(&s.function)) {
            let function = &program.functions[shown.function];
            let Some(block) = function.body.as_ref().map(|b| &b.blocks[shown.block]) else { continue };
            list.push(Invariant {
                entry: entry.clone(),
                function: function.source_name.clone(),
                place: program.sources.place(block.span),
                facts: shown.facts.clone(),
            });
        }
    }
    list
}

/// The analyses of the entries, in their order, several at once. Each is put to `note` when it is done, which takes
/// out what is large.
fn analyse_all(
    linked: &Linked,
    options: &Options<'_>,
    entries: &[(String, FuncId)],
    threads: usize,
    note: impl Fn(FuncId, &mut Analysis) + Sync,
) -> Vec<Analysis> {
    in_order(threads, entries, |_, (_, entry)| {
        let analysis = guarded(ENGINE, || clew_absint::analyse(&linked.program, options, *entry));
        let mut analysis =
            analysis.unwrap_or_else(|| Analysis { failed: Some(FAILED.to_owned()), ..Analysis::default() });
        note(*entry, &mut analysis);
        analysis
    })
}

/// The rows of a program and how the engine's subjects map to them.
struct Table<'a> {
    linked: &'a Linked,
    ids: rows::Ids,
    calls: Vec<CallRow>,
    /// The rows of a model's obligation at a call.
    call_index: BTreeMap<(Site, FuncId, clew_ir::syntax::ObligationId), Vec<usize>>,
}

impl<'a> Table<'a> {
    fn new(linked: &'a Linked) -> Table<'a> {
        let calls = call_rows(linked);
        let mut call_index: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, call) in calls.iter().enumerate() {
            let site = Site { function: call.function, block: call.block, statement: call.statement };
            let asked = linked.asked.get(&call.callee).and_then(|asked| asked.get(&call.requirement));
            for (function, obligation) in asked.into_iter().flatten() {
                call_index.entry((site, *function, *obligation)).or_default().push(index);
            }
        }
        Table { linked, ids: stable_ids(&linked.program), calls, call_index }
    }

    /// The names of the rows that a subject stands for.
    fn names(&self, subject: &Subject) -> Vec<StableId> {
        match subject.call {
            None => vec![self.ids[subject.function][subject.obligation].clone()],
            Some(site) => {
                let rows = self.call_index.get(&(site, subject.function, subject.obligation));
                rows.into_iter().flatten().map(|index| self.calls[*index].id.clone()).collect()
            }
        }
    }

    /// The names of all rows.
    fn all_names(&self) -> Vec<StableId> {
        let own = self.linked.program.functions.indices().flat_map(|f| self.ids[f].iter().cloned());
        own.chain(self.calls.iter().map(|call| call.id.clone())).collect()
    }

    /// Adds what one analysis says, and leaves of it what other parts of the report need.
    fn note(&self, joined: &mut Joined, start: FuncId, analysis: &mut Analysis) {
        let stopped = match (&analysis.failed, analysis.truncated) {
            (Some(what), _) => Some(Reason::Unsupported(what.clone())),
            (None, true) => Some(Reason::Limit(analysis.steps)),
            (None, false) => None,
        };
        // An analysis that came to nothing says nothing of what its runs may come to; they come nowhere else.
        let stopped = stopped.map(|reason| (reason, clew_absint::may_reach(&self.linked.program, start)));
        joined.ask();
        let mut told = Told { table: self, analysis, translation: Translation::default() };
        for (function, code) in self.linked.program.functions.iter_enumerated() {
            let Some(body) = code.body.as_ref().filter(|_| !self.linked.models.contains(&function)) else {
                continue;
            };
            for obligation in body.obligations.indices() {
                let subject = Subject { function, obligation, call: None };
                let known = match &stopped {
                    Some((reason, reach)) if reach.contains(&function) => Known::Open(reason.clone()),
                    Some(_) => Known::Unreachable(Default::default()),
                    None => told.of(joined, &subject),
                };
                // Most entries come to few of the functions.
                if !known.is_silent()
                    && let Some(number) = joined.number(&self.ids[function][obligation])
                {
                    joined.add(number, known);
                }
            }
        }
        for call in &self.calls {
            let known = match &stopped {
                Some((reason, reach)) if reach.contains(&call.function) => Known::Open(reason.clone()),
                Some(_) => Known::Unreachable(Default::default()),
                None => told.of_call(joined, call),
            };
            if !known.is_silent()
                && let Some(number) = joined.number(&call.id)
            {
                joined.add(number, known);
            }
        }
        analysis.findings.retain(|subject, finding| self.is_nameless(subject, finding));
        analysis.unreached_calls.clear();
        analysis.invariants.clear();
    }

    /// Whether a finding has no row and needs one.
    fn is_nameless(&self, subject: &Subject, finding: &Finding) -> bool {
        let settled = matches!(finding.outcome, Outcome::Holds | Outcome::Unreached);
        subject.call.is_some() && !settled && self.names(subject).is_empty()
    }

    fn rows(&self, joined: &Joined, rests_on: &[String], analyses: &[Analysis]) -> Vec<Row> {
        let program = &self.linked.program;
        let mut slices = self.slices(analyses);
        let mut all = self.open_rows();
        for row in &mut all {
            row.verdict = joined.verdict(&row.id, ENGINE);
            if matches!(row.verdict, Verdict::Open(_)) {
                row.slice = slices.remove(&row.id).map(|slice| slices::shown(program, slice, &row.place));
            }
            if matches!(row.verdict, Verdict::Proved(_) | Verdict::Unreachable(_)) {
                row.assumptions = rests_on.to_vec();
            }
        }
        all.extend(self.indirect(analyses));
        all
    }

    /// All rows, not decided yet.
    fn open_rows(&self) -> Vec<Row> {
        let mut all = rows::open_rows(&self.linked.program, &self.ids, &self.linked.models);
        all.extend(self.calls.iter().map(|call| row_of_call(self.linked, call)));
        all
    }

    /// The slices by row, of the first entry that has one.
    fn slices<'s>(&self, analyses: &'s [Analysis]) -> BTreeMap<StableId, &'s clew_absint::Slice> {
        let mut slices = BTreeMap::new();
        for (subject, slice) in analyses.iter().flat_map(|analysis| &analysis.slices) {
            for name in self.names(subject) {
                slices.entry(name).or_insert(slice);
            }
        }
        slices
    }

    /// Calls of library functions through pointers have no rows of their own: what may go wrong there gets one.
    fn indirect(&self, analyses: &[Analysis]) -> Vec<Row> {
        let program = &self.linked.program;
        let mut rows = BTreeMap::new();
        for analysis in analyses {
            for (subject, finding) in &analysis.findings {
                let Some(site) = subject.call.filter(|_| self.is_nameless(subject, finding)) else {
                    continue;
                };
                let block = program.functions[site.function].body.as_ref().map(|b| &b.blocks[site.block]);
                let statement = block.and_then(|b| b.statements.get(site.statement as usize));
                let Some(statement) = statement.filter(|s| matches!(s.kind, StatementKind::Call(_))) else {
                    continue;
                };
                let place = program.sources.place(statement.span);
                let id = rows::library_id(program, finding.check, statement.span);
                let verdict = Verdict::Open(match &finding.outcome {
                    Outcome::Open(question) => Reason::Imprecise(question.clone()),
                    Outcome::Unsupported(what) => Reason::Unsupported(what.clone()),
                    Outcome::Holds | Outcome::Unreached => continue,
                });
                rows.entry(id.clone()).or_insert_with(|| Row {
                    id,
                    check: finding.check,
                    function: program.functions[site.function].source_name.clone(),
                    place,
                    text: rows::excerpt(program.sources.text(statement.span)),
                    verdict,
                    assumptions: Vec::new(),
                    slice: None,
                });
            }
        }
        rows.into_values().collect()
    }
}

/// What one analysis says of the rows.
struct Told<'a> {
    table: &'a Table<'a>,
    analysis: &'a Analysis,
    translation: Translation,
}

impl Told<'_> {
    fn of(&mut self, joined: &Joined, subject: &Subject) -> Known {
        let unreached = || subject.call.and_then(|site| self.analysis.unreached_calls.get(&site));
        let found = self.analysis.findings.get(subject).map(|finding| (&finding.outcome, &finding.given));
        let Some((outcome, given)) = found.or_else(|| unreached().map(|(outcome, given)| (outcome, given)))
        else {
            return Known::Unreachable(Default::default());
        };
        let table = self.table;
        let numbers = |cut: &Subject| {
            let names = table.names(cut);
            names.iter().filter_map(|name| joined.number(name)).collect()
        };
        match outcome {
            Outcome::Holds => Known::Proved(self.translation.bits(given, numbers)),
            Outcome::Unreached => Known::Unreachable(self.translation.bits(given, numbers)),
            Outcome::Open(question) => Known::Open(Reason::Imprecise(question.clone())),
            Outcome::Unsupported(what) => Known::Open(Reason::Unsupported(what.clone())),
        }
    }

    /// What is known of a requirement at a call: of all obligations that must hold for it.
    fn of_call(&mut self, joined: &Joined, call: &CallRow) -> Known {
        let table = self.table;
        let site = Site { function: call.function, block: call.block, statement: call.statement };
        if table.linked.program.functions[call.callee].body.is_none() {
            let question = format!("`{}` has no model that fits", call.name);
            return Known::Open(Reason::Imprecise(Some(question)));
        }
        let asked = table.linked.asked.get(&call.callee).and_then(|asked| asked.get(&call.requirement));
        let known = asked.into_iter().flatten().map(|(function, obligation)| {
            let subject = Subject { function: *function, obligation: *obligation, call: Some(site) };
            self.of(joined, &subject)
        });
        known.reduce(Known::join).unwrap_or(Known::Open(Reason::NotAnalysed))
    }
}
