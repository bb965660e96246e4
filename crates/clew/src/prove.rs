// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asks the abstract interpreter about every entry, and turns its findings into facts about rows.

use std::collections::BTreeSet;
use std::time::Instant;

use clew_absint::clock::Ticks;
use clew_absint::level::Level;
use clew_absint::pruning_plan::{Plan, Rounds, Useful};
use clew_absint::{Analysis, Limit, Options, Subject};
use clew_base::workers::in_order;
use clew_frontend::library::Linked;
use clew_ir::fact::Facts;
use clew_ir::head::Heads;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, Function, Program, Semantics};
use clew_report::{Effort, Invariant};

use crate::assumed::Arithmetic;
use crate::guard::guarded;
use crate::knowledge::Knowledge;
use crate::settings::Settings;
use crate::table::{ENGINE, Table};
use crate::watch::{self, CANCEL, Watch, is_cancelled};

/// What is said of an entry on which it broke.
const FAILED: &str = "the analysis failed: a fault of clew";

/// What is said of an entry for which the level that was asked for is too dear.
const OUT_OF_PROPORTION: &str = "more effort than this program is worth by default; --budget gives it more";

/// What the engine found out about one program.
pub struct Proved {
    /// What is known of its obligations.
    pub known: Knowledge,
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

/// Statements that one more attempt may take with care, for each that the lowest level took.
const TIMES: u64 = 10;

/// And so many more: small programs deserve more than their size.
const LEAST: u64 = 600_000;

/// But no more than this for all entries together.
const LEAST_OF_ALL: u64 = 6_000_000;

/// Statements that the lowest level may take for an entry: programs of some thousand lines take a tenth of that, sixteen nested loops never end.
const FIRST: u64 = 2_000_000;

/// And so many more for each statement of the program.
const FIRST_PER_STATEMENT: u64 = 1000;

/// What each further attempt may take against the one before, where there is time for it.
const GROWTH: u64 = 4;

/// Analyses a program from each entry: at the lowest level first, and what that leaves open with more effort.
///
/// What one analysis has proved stays proved, whatever comes of the next: facts are only ever met. Effort is counted in statements
/// and grows with what the lowest level took, so that it does not depend on the machine or the number of threads.
pub fn prove(linked: &Linked, entries: &[String], settings: &Settings, plan: Option<&Plan>) -> Proved {
    let table = Table::new(linked);
    let mut prover = Prover::new(&table, linked, entries, settings);
    prover.prove(plan);
    prover.into_proved()
}

/// One program, and what is known of it so far.
struct Prover<'a> {
    table: &'a Table<'a>,
    linked: &'a Linked,
    settings: &'a Settings,
    watch: Watch,
    asks_heads: bool,
    entries: Vec<Entry>,
}

/// One entry.
struct Entry {
    name: String,
    function: FuncId,
    /// What is known of runs from it.
    facts: Option<Facts>,
    /// What else the last analysis found out that came to its end.
    analysis: Analysis,
    /// What holds at loop heads, if it was asked for.
    heads: Heads,
    /// Statements of the analysis at the lowest level.
    least: u64,
    /// Whether more effort may say more.
    may_gain: bool,
    /// How far the proofs came.
    effort: Effort,
}

/// What one analysis of an entry says.
struct Answer {
    facts: Facts,
    analysis: Analysis,
    heads: Heads,
}

/// How an attempt is made.
struct Attempt<'a> {
    level: Level,
    plan: Option<&'a Plan>,
    /// Statements for an entry; none: as many as it takes.
    limit: Option<&'a (dyn Fn(&Entry) -> Limit + Sync)>,
    deadline: Option<Instant>,
}

impl Entry {
    fn new(name: String, function: FuncId) -> Entry {
        Entry {
            name,
            function,
            facts: None,
            analysis: Analysis { truncated: true, ..Analysis::default() },
            heads: Heads::new(),
            least: 0,
            may_gain: true,
            effort: Effort::default(),
        }
    }

    /// Takes in what one more analysis says. One that did not come to its end says nothing of what is known already.
    fn take(&mut self, answer: Answer, was_limited: bool) {
        let Answer { facts, analysis, heads } = answer;
        let (had_ended, has_ended) = (has_ended(&self.analysis), has_ended(&analysis));
        self.may_gain = analysis.truncated || analysis.is_spent;
        self.effort = match effort(&analysis) {
            Effort::CutShort if was_limited && !is_cancelled() => {
                Effort::GaveUp(OUT_OF_PROPORTION.to_owned())
            }
            effort => effort,
        };
        match &mut self.facts {
            Some(known) if had_ended && has_ended => known.meet(facts),
            Some(_) if had_ended => return,
            known => *known = Some(facts),
        }
        let before = std::mem::replace(&mut self.analysis, analysis);
        if had_ended {
            self.analysis.missing.extend(before.missing);
            self.analysis.calls_unknown |= before.calls_unknown;
            self.analysis.reached.retain(|function| before.reached.contains(function));
            self.analysis.findings.retain(|subject, _| before.findings.contains_key(subject));
        }
        self.heads = heads;
    }

    fn is_settled(&self) -> bool {
        has_ended(&self.analysis) && self.facts.as_ref().is_some_and(Facts::is_settled)
    }
}

/// Whether an analysis says something.
fn has_ended(analysis: &Analysis) -> bool {
    !analysis.truncated && analysis.failed.is_none()
}

impl<'a> Prover<'a> {
    fn new(
        table: &'a Table<'a>,
        linked: &'a Linked,
        entries: &[String],
        settings: &'a Settings,
    ) -> Prover<'a> {
        let program = &linked.program;
        let defined = |name: &String| {
            let functions = program.functions.iter_enumerated();
            let mut found = functions.filter(|(_, f)| *f.name == **name && f.body.is_some());
            found.next().map(|(function, _)| Entry::new(name.clone(), function))
        };
        let entries = entries.iter().filter_map(defined).collect();
        let asks_heads = settings.searches && is_small(program);
        Prover { table, linked, settings, watch: Watch::new(), asks_heads, entries }
    }

    /// The lowest level for all entries; then the level that was asked for where something is unsettled.
    fn prove(&mut self, plan: Option<&Plan>) {
        let (level, deadline) = (self.settings.level, self.settings.deadline);
        if level.number == Level::QUICK.number {
            let all = self.chosen(|_| true);
            return self.attempt(&all, &Attempt { level, plan, limit: None, deadline });
        }
        self.look();
        let mut factor = if level.number > Level::USUAL.number { TIMES } else { 1 };
        loop {
            // Who wants to see invariants wants to see those of that level.
            let unsettled =
                self.chosen(|entry| entry.may_gain && (self.settings.invariants || !entry.is_settled()));
            if unsettled.is_empty() || self.is_over() {
                break;
            }
            let share = LEAST.min(LEAST_OF_ALL / unsettled.len() as u64);
            let limit = |entry: &Entry| {
                // Where the lowest level did not come to its end, ten times as much would not either.
                let times = if has_ended(&entry.analysis) { TIMES } else { 1 };
                let careful = (share + entry.least * times).saturating_mul(factor);
                Limit { careful, most: careful.saturating_mul(2) }
            };
            self.attempt(&unsettled, &Attempt { level, plan, limit: Some(&limit), deadline });
            if deadline.is_none() {
                break;
            }
            factor = factor.saturating_mul(GROWTH);
        }
        self.look_again();
    }

    /// The lowest level, and no more than one round: the first answer. All that there is of the time is for it.
    fn look(&mut self) {
        let all = self.chosen(|_| true);
        let first = self.only(Rounds { first: true, pieces: false, second: false });
        let most = FIRST + FIRST_PER_STATEMENT * statements(&self.linked.program) as u64;
        let limit = move |_: &Entry| Limit { careful: most, most };
        let deadline = self.settings.end;
        let how = Attempt { level: Level::QUICK, plan: Some(&first), limit: Some(&limit), deadline };
        self.attempt(&all, &how);
        for entry in &mut self.entries {
            entry.least = entry.analysis.steps;
            entry.may_gain = true;
            // Of what this level goes without nobody knows whether it is useful.
            entry.analysis.useful = Useful::default();
        }
        let unsettled =
            self.entries.iter().filter_map(|entry| entry.facts.as_ref()).flat_map(Facts::unsettled);
        let unsettled = unsettled.collect::<BTreeSet<usize>>().len();
        self.watch.know(&format!("{unsettled} of {} to settle", self.table.names.len()));
    }

    /// Where more effort came to nothing: what the first answer rests on may be less.
    fn look_again(&mut self) {
        let given_up =
            self.chosen(|entry| matches!(entry.effort, Effort::GaveUp(_)) && has_ended(&entry.analysis));
        if given_up.is_empty() || self.is_over() {
            return;
        }
        let second = self.only(Rounds { first: false, pieces: false, second: true });
        let most = |entry: &Entry| {
            let most = LEAST + entry.least * TIMES;
            Limit { careful: most, most }
        };
        let deadline = self.settings.deadline;
        let efforts: Vec<Effort> = given_up.iter().map(|at| self.entries[*at].effort.clone()).collect();
        let how = Attempt { level: Level::QUICK, plan: Some(&second), limit: Some(&most), deadline };
        self.attempt(&given_up, &how);
        for (at, effort) in given_up.into_iter().zip(efforts) {
            self.entries[at].effort = effort;
        }
    }

    /// A plan of some rounds only, for all entries.
    fn only(&self, rounds: Rounds) -> Plan {
        let rounds = self.entries.iter().map(|entry| (entry.function, rounds)).collect();
        Plan { rounds, ..Plan::default() }
    }

    fn chosen(&self, is_chosen: impl Fn(&Entry) -> bool) -> Vec<usize> {
        (0..self.entries.len()).filter(|at| is_chosen(&self.entries[*at])).collect()
    }

    fn is_over(&self) -> bool {
        is_cancelled() || self.settings.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Analyses some entries, several at once.
    fn attempt(&mut self, chosen: &[usize], how: &Attempt<'_>) {
        let answers = in_order(self.settings.threads, chosen, |_, at| self.analyse(&self.entries[*at], how));
        for (at, answer) in chosen.iter().zip(answers) {
            self.entries[*at].take(answer, how.limit.is_some());
        }
    }

    fn analyse(&self, entry: &Entry, how: &Attempt<'_>) -> Answer {
        let Prover { table, linked, settings, .. } = self;
        let (assumed, program) = (&settings.assumed, &linked.program);
        let requirements =
            linked.requirements.iter().flat_map(|(function, asked)| asked.keys().map(|id| (*function, *id)));
        let progress = |steps: u64, function: &str| self.watch.at(steps, function);
        let asked = settings.slices.as_ref().map(|asked| asked.names(&table.titles()));
        let wanted = |subject: &Subject| {
            let names = table.names_of(subject);
            asked.as_ref().is_some_and(|asked| names.iter().any(|name| asked.contains(name)))
        };
        let stops = |check: CheckKind, semantics: Semantics| settings.stops.at(check, semantics);
        let options = Options {
            stops: &stops,
            models: linked.models.iter().copied().collect(),
            requirements: requirements.collect(),
            malloc_succeeds: assumed.holds("malloc-succeeds"),
            parameters_valid: assumed.holds("params-valid-or-null") && assumed.holds("params-not-aliased"),
            parameters_lead_apart: assumed.holds("params-lead-apart"),
            promises: settings.contracts.promises(program, &entry.name),
            missing_functions_leave_globals: assumed.holds("missing-functions-leave-globals"),
            no_asynchronous_writes: assumed.holds("no-asynchronous-writes"),
            missing_functions_free_nothing: assumed.holds("missing-functions-free-nothing"),
            ticks: ticks(program, settings),
            level: how.level,
            raised: None,
            plan: how.plan,
            invariants: settings.invariants || self.asks_heads,
            all_invariants: settings.invariants,
            slices: settings.slices.as_ref().map(|_| &wanted as &(dyn Fn(&Subject) -> bool + Sync)),
            share: None,
            limit: how.limit.map(|limit| limit(entry)),
            deadline: how.deadline,
            cancel: Some(&CANCEL),
            progress: Some(&progress),
        };
        let analysis = guarded(ENGINE, || clew_absint::analyse(program, &options, entry.function));
        let mut analysis =
            analysis.unwrap_or_else(|| Analysis { failed: Some(FAILED.to_owned()), ..Analysis::default() });
        let heads = match self.asks_heads && entry.name == "main" {
            true => heads_of(&analysis),
            false => Heads::new(),
        };
        let facts = table.facts(entry.function, &mut analysis, how.level.number);
        Answer { facts, analysis, heads }
    }

    /// All that is known.
    fn into_proved(self) -> Proved {
        let Prover { table, linked, settings, entries, .. } = self;
        let program = &linked.program;
        let mut facts: Option<Facts> = None;
        let mut heads = Heads::new();
        let (mut names, mut analyses, mut efforts) = (Vec::new(), Vec::new(), Vec::new());
        for entry in entries {
            entry.facts.into_iter().for_each(|known| facts.get_or_insert_default().join(known));
            heads.extend(entry.heads);
            efforts.push((entry.name.clone(), entry.effort));
            names.push((entry.name, entry.function));
            analyses.push(entry.analysis);
        }
        let shown: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        let contracts = settings.contracts.names(shown.iter().copied());
        let mut rests_on = settings.assumed.of_proof(&shown, &analyses, Arithmetic::of(program));
        rests_on.extend(contracts);
        let known = table.knowledge(facts.as_ref(), &rests_on, &analyses);
        let reached: BTreeSet<FuncId> = analyses.iter().flat_map(|a| a.reached.iter().copied()).collect();
        let has_body = |(id, f): &(FuncId, &Function)| f.body.is_some() && !linked.models.contains(id);
        let own = program.functions.iter_enumerated().filter(has_body);
        let whole = analyses.iter().all(|a| has_ended(a) && a.unsupported.is_empty());
        let useful = names.iter().zip(&analyses).map(|((name, _), a)| (name.clone(), a.useful.clone()));
        let is_done = analyses.iter().all(has_ended);
        let unreached = own.filter(|(id, _)| !reached.contains(id)).map(|(_, f)| f.source_name.to_string());
        Proved {
            known,
            truncated: efforts.iter().any(|(_, effort)| is_cut(effort)),
            invariants: if settings.invariants { invariants(linked, &names, &analyses) } else { Vec::new() },
            heads,
            rests_on,
            unreached: whole.then(|| unreached.collect()),
            useful: is_done.then(|| useful.collect()),
            efforts,
        }
    }
}

/// Whether the time or the memory ended the proofs.
fn is_cut(effort: &Effort) -> bool {
    matches!(effort, Effort::CutShort) || effort.why() == Some(watch::RUN_OUT)
}

/// What is known where the proofs failed: the obligations. What others prove of them may rest on all that is assumed.
pub fn unproved(linked: &Linked, entries: &[String], settings: &Settings) -> Proved {
    Proved {
        known: Knowledge::open(Table::new(linked).titles()),
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
    statements(program) < SMALL
}

fn statements(program: &Program) -> usize {
    let blocks = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|body| body.blocks.iter());
    blocks.map(|block| block.statements.len()).sum()
}

/// What an analysis that came to its end knows of loop heads, in all its rounds.
fn heads_of(analysis: &Analysis) -> Heads {
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
