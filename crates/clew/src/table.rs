// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a program, and how what the abstract interpreter says becomes facts about them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_absint::{Analysis, Finding, Outcome, Site, Subject};
use clew_frontend::library::Linked;
use clew_ir::fact::{Claim, Conditions, Facts, Known, Names, Written};
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, ObligationId, StatementKind};
use clew_ir::verdict::{Reason, Verdict};

use crate::knowledge::{Knowledge, Title};
use crate::library::{CallRow, call_rows, title_of_call};
use crate::rows;
use crate::slices;

/// The name of the engine in proofs.
pub const ENGINE: &str = "absint";

/// The rows of a program and how the engine's subjects map to them.
pub struct Table<'a> {
    /// The names of all rows.
    pub names: Names,
    linked: &'a Linked,
    ids: rows::Ids,
    calls: Vec<CallRow>,
    /// The rows of a model's obligation at a call.
    call_index: BTreeMap<(Site, FuncId, ObligationId), Vec<usize>>,
}

impl<'a> Table<'a> {
    /// Of a program.
    pub fn new(linked: &'a Linked) -> Table<'a> {
        let calls = call_rows(linked);
        let mut call_index: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, call) in calls.iter().enumerate() {
            let site = Site { function: call.function, block: call.block, statement: call.statement };
            let asked = linked.asked.get(&call.callee).and_then(|asked| asked.get(&call.requirement));
            for (function, obligation) in asked.into_iter().flatten() {
                call_index.entry((site, *function, *obligation)).or_default().push(index);
            }
        }
        let ids = stable_ids(&linked.program);
        let own = linked.program.functions.indices().flat_map(|f| ids[f].iter().cloned());
        let names = Names::new(own.chain(calls.iter().map(|call| call.id.clone())).collect());
        Table { names, linked, ids, calls, call_index }
    }

    /// The names of the rows that a subject stands for.
    pub fn names_of(&self, subject: &Subject) -> Vec<StableId> {
        match subject.call {
            None => vec![self.ids[subject.function][subject.obligation].clone()],
            Some(site) => {
                let rows = self.call_index.get(&(site, subject.function, subject.obligation));
                rows.into_iter().flatten().map(|index| self.calls[*index].id.clone()).collect()
            }
        }
    }

    /// The numbers of the rows of some checks.
    pub fn numbers_of(&self, checks: &[CheckKind]) -> BTreeSet<usize> {
        let program = &self.linked.program;
        let bodies = program.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
        let own = bodies.flat_map(|(function, body)| {
            let all = body.obligations.iter_enumerated();
            all.map(move |(id, obligation)| (obligation.check, &self.ids[function][id]))
        });
        let all = own.chain(self.calls.iter().map(|call| (call.requirement.check, &call.id)));
        let wanted = all.filter(|(check, _)| checks.contains(check));
        wanted.filter_map(|(_, id)| self.names.number(id)).collect()
    }

    /// What one analysis says, made with so much effort. Leaves of it what other parts of the report need.
    pub fn facts(&self, start: FuncId, analysis: &mut Analysis, effort: u8) -> Facts {
        let stopped = match (&analysis.failed, analysis.truncated) {
            (Some(what), _) => Some(Reason::Unsupported(what.clone())),
            (None, true) => Some(Reason::Limit(analysis.steps)),
            (None, false) => None,
        };
        let facts = match stopped {
            Some(reason) => self.undecided(&[start], &reason, effort),
            None => self.decided(analysis, effort),
        };
        analysis.findings.retain(|subject, finding| self.is_nameless(subject, finding));
        analysis.unreached_calls.clear();
        analysis.invariants.clear();
        facts
    }

    fn decided(&self, analysis: &Analysis, effort: u8) -> Facts {
        let mut facts = Facts::default();
        let mut told = Told { table: self, analysis, effort, translation: Translation::default() };
        for (function, code) in self.linked.program.functions.iter_enumerated() {
            let Some(body) = code.body.as_ref().filter(|_| !self.linked.models.contains(&function)) else {
                continue;
            };
            for obligation in body.obligations.indices() {
                let subject = Subject { function, obligation, call: None };
                self.add(&mut facts, &self.ids[function][obligation], told.of(&subject));
            }
        }
        for call in &self.calls {
            self.add(&mut facts, &call.id, told.of_call(call));
        }
        facts
    }

    /// What is known of runs from some entries of which nothing is said: what they may come to is open, and they come nowhere else.
    pub fn undecided(&self, starts: &[FuncId], reason: &Reason, effort: u8) -> Facts {
        let reach = clew_absint::may_reach(&self.linked.program, starts);
        let is_own = |function: &&FuncId| !self.linked.models.contains(*function);
        let own = reach.iter().filter(is_own).flat_map(|function| self.ids[*function].iter());
        let calls = self.calls.iter().filter(|call| reach.contains(&call.function)).map(|call| &call.id);
        let mut facts = Facts::default();
        for name in own.chain(calls) {
            self.add(&mut facts, name, Known { effort, claim: Claim::Open(reason.clone()) });
        }
        facts
    }

    fn add(&self, facts: &mut Facts, name: &StableId, known: Known) {
        // Most entries come to few of the functions.
        if !known.is_silent()
            && let Some(number) = self.names.number(name)
        {
            facts.add(number, known);
        }
    }

    /// Whether a finding has no row and needs one.
    fn is_nameless(&self, subject: &Subject, finding: &Finding) -> bool {
        let settled = matches!(finding.outcome, Outcome::Holds | Outcome::Unreached);
        subject.call.is_some() && !settled && self.names_of(subject).is_empty()
    }

    /// What the facts say of all obligations; no facts: nobody has been asked.
    pub fn knowledge(&self, facts: Option<&Facts>, rests_on: &[String], analyses: &[Analysis]) -> Knowledge {
        let program = &self.linked.program;
        let mut slices = self.slices(analyses);
        let mut known = Knowledge::open(self.titles());
        let mut written = Written::default();
        for title in &mut known.titles {
            let verdict = self.names.verdict(facts, &title.id, ENGINE, &mut written);
            let assumptions = match &verdict {
                Verdict::Proved(_) | Verdict::Unreachable(_) => rests_on.to_vec(),
                Verdict::Open(_) | Verdict::Violated { .. } => {
                    let slice = slices.remove(&title.id);
                    title.slice = slice.map(|slice| slices::shown(program, slice, &title.place));
                    Vec::new()
                }
            };
            known.ledger.claim(&title.id, verdict, assumptions);
        }
        for (title, reason) in self.indirect(analyses) {
            known.ledger.claim(&title.id, Verdict::Open(reason), Vec::new());
            known.titles.push(title);
        }
        known
    }

    /// All obligations.
    pub fn titles(&self) -> Vec<Title> {
        let mut all = rows::titles(&self.linked.program, &self.ids, &self.linked.models);
        all.extend(self.calls.iter().map(|call| title_of_call(self.linked, call)));
        all
    }

    /// The slices by row, of the first entry that has one.
    fn slices<'s>(&self, analyses: &'s [Analysis]) -> BTreeMap<StableId, &'s clew_absint::Slice> {
        let mut slices = BTreeMap::new();
        for (subject, slice) in analyses.iter().flat_map(|analysis| &analysis.slices) {
            for name in self.names_of(subject) {
                slices.entry(name).or_insert(slice);
            }
        }
        slices
    }

    /// Calls of library functions through pointers have no rows of their own: what may go wrong there gets one.
    fn indirect(&self, analyses: &[Analysis]) -> Vec<(Title, Reason)> {
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
                let reason = match &finding.outcome {
                    Outcome::Open(question) => Reason::Imprecise(question.clone()),
                    Outcome::Unsupported(what) => Reason::Unsupported(what.clone()),
                    Outcome::Holds | Outcome::Unreached => continue,
                };
                let title = Title {
                    id: id.clone(),
                    check: finding.check,
                    function: program.functions[site.function].source_name.clone(),
                    place,
                    text: rows::excerpt(program.sources.text(statement.span)),
                    slice: None,
                };
                rows.entry(id).or_insert((title, reason));
            }
        }
        rows.into_values().collect()
    }
}

/// What one analysis says of the rows.
struct Told<'a> {
    table: &'a Table<'a>,
    analysis: &'a Analysis,
    effort: u8,
    translation: Translation,
}

impl Told<'_> {
    fn known(&self, claim: Claim) -> Known {
        Known { effort: self.effort, claim }
    }

    fn nowhere(&self) -> Known {
        self.known(Claim::Unreachable(Default::default()))
    }

    fn open(&self, reason: Reason) -> Known {
        self.known(Claim::Open(reason))
    }

    fn of(&mut self, subject: &Subject) -> Known {
        let unreached = || subject.call.and_then(|site| self.analysis.unreached_calls.get(&site));
        let found = self.analysis.findings.get(subject).map(|finding| (&finding.outcome, &finding.given));
        let Some((outcome, given)) = found.or_else(|| unreached().map(|(outcome, given)| (outcome, given)))
        else {
            return self.nowhere();
        };
        let claim = match outcome {
            Outcome::Holds => Claim::Proved(self.translation.conditions(self.table, given)),
            Outcome::Unreached => Claim::Unreachable(self.translation.conditions(self.table, given)),
            Outcome::Open(question) => Claim::Open(Reason::Imprecise(question.clone())),
            Outcome::Unsupported(what) => Claim::Open(Reason::Unsupported(what.clone())),
        };
        self.known(claim)
    }

    /// What is known of a requirement at a call: of all obligations that must hold for it.
    fn of_call(&mut self, call: &CallRow) -> Known {
        let table = self.table;
        let site = Site { function: call.function, block: call.block, statement: call.statement };
        if table.linked.program.functions[call.callee].body.is_none() {
            let question = format!("`{}` has no model that fits", call.name);
            return self.open(Reason::Imprecise(Some(question)));
        }
        let asked = table.linked.asked.get(&call.callee).and_then(|asked| asked.get(&call.requirement));
        let known = asked.into_iter().flatten().map(|(function, obligation)| {
            let subject = Subject { function: *function, obligation: *obligation, call: Some(site) };
            self.of(&subject)
        });
        let known = known.reduce(Known::join);
        known.unwrap_or_else(|| self.open(Reason::NotAnalysed))
    }
}

/// Turns what findings rest on into numbers.
#[derive(Default)]
struct Translation {
    numbers: BTreeMap<Subject, Vec<usize>>,
    /// Neighbours often rest on the same.
    last: Option<(Arc<[Subject]>, Arc<Conditions>)>,
}

impl Translation {
    fn conditions(&mut self, table: &Table<'_>, given: &Arc<[Subject]>) -> Arc<Conditions> {
        if let Some((last, conditions)) = &self.last
            && Arc::ptr_eq(last, given)
        {
            return conditions.clone();
        }
        let numbers = |cut: &Subject| {
            let names = table.names_of(cut);
            names.iter().filter_map(|name| table.names.number(name)).collect()
        };
        let mut conditions = Conditions::default();
        for subject in given.iter() {
            let numbers = self.numbers.entry(*subject).or_insert_with(|| numbers(subject));
            numbers.iter().for_each(|number| conditions.insert(*number));
        }
        let conditions = Arc::new(conditions);
        self.last = Some((given.clone(), conditions.clone()));
        conditions
    }
}
