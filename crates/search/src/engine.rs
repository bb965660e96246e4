// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs, what came of them, and the order in which inputs are tried.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clew_base::stack::with_large_stack;
use clew_interpreter::outcome::{Counted, End, Finding};
use clew_interpreter::probe::Wanted;
use clew_interpreter::{Options, Outcome, Session};
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program};
use clew_ir::witness::Witness;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effort::{
    BYTES_A_STEP, FIRST_STEPS, LONGEST_RUN, MEMORY, MOST_FAILING_ALLOCATIONS, MOST_STEPS, RUN_COST,
};
use crate::feedback::{Feedback, Pair, Target};
use crate::strings::Texts;
use crate::tape::{Log, Player, Rest, Tape};
use crate::unfinished::{Unfinished, is_cut};
use crate::values::Values;
use crate::{minimise, witness};

/// What stands in memory that was never written, in runs where it is not zero.
pub(crate) const GARBAGE: u8 = 0xa5;

/// What is looked for, and how hard.
#[derive(Clone)]
pub struct Request {
    /// What is open.
    pub goals: BTreeSet<Key>,
    /// Whether no allocation fails.
    pub malloc_succeeds: bool,
    /// Whether the checks that are off by default are looked at too.
    pub count_all: bool,
    /// Checks that runs go on after, with the machine's value.
    pub goes_on_after: Vec<CheckKind>,
    /// Steps for everything.
    pub budget: u64,
    /// Whether runs that are cut are worth more steps, and more than one of them is worth telling.
    pub is_patient: bool,
    /// Ends the search when it is set.
    pub cancelled: Arc<AtomicBool>,
}

/// What a run may violate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// An obligation.
    Obligation(FuncId, ObligationId),
    /// What the library asks of a call.
    Call(Location, CheckKind),
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is violated.
    pub key: Key,
    /// What happened, as the interpreter says it.
    pub finding: Finding,
    /// The inputs.
    pub witness: Witness,
    /// Functions without a body that answered for themselves.
    pub missing: Vec<FuncId>,
    /// What the same run violated before and went on.
    pub before: Vec<Key>,
}

/// What came of a search.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The violations, in the order in which they were found.
    pub found: Vec<Found>,
    /// Runs that are too long for the search.
    pub unfinished: Vec<Unfinished>,
    /// Runs that were made.
    pub runs: u64,
    /// Steps that were taken.
    pub steps: u64,
}

/// Looks for violations of the goals. Others that it comes across are given too.
pub fn search(program: &Program, request: &Request) -> Searched {
    if request.goals.is_empty() {
        return Searched::default();
    }
    let wanted: Wanted = request.goals.iter().filter_map(|goal| goal.obligation()).collect();
    let work = || {
        let mut engine = Engine::new(program, request, &wanted);
        engine.try_inputs();
        engine.finish()
    };
    with_large_stack(work).unwrap_or_default()
}

impl Key {
    pub(crate) fn obligation(&self) -> Option<(FuncId, ObligationId)> {
        match self {
            Key::Obligation(function, obligation) => Some((*function, *obligation)),
            Key::Call(..) => None,
        }
    }
}

/// A violation with the run that showed it.
pub(crate) struct Raw {
    pub finding: Finding,
    pub tape: Tape,
    pub missing: Vec<FuncId>,
    pub before: Vec<Key>,
    pub steps: u64,
}

/// What is known of one run.
pub(crate) struct Ran {
    pub log: Rc<Log>,
    pub nearest: FxHashMap<Target, f64>,
    pub pairs: FxHashSet<Pair>,
    pub is_new: bool,
}

/// A run to start from.
#[derive(Clone)]
pub(crate) struct Start {
    pub tape: Rc<Tape>,
    pub log: Rc<Log>,
}

pub(crate) struct Engine<'p> {
    pub program: &'p Program,
    pub request: &'p Request,
    pub values: Rc<Values>,
    session: Session<'p>,
    plain: Session<'p>,
    /// For runs where other garbage stands in what was never written.
    strange: Session<'p>,
    pub found: BTreeMap<Key, Raw>,
    order: Vec<Key>,
    reached: FxHashSet<Target>,
    /// The nearest run to each target that no run has hit.
    pub best: BTreeMap<Target, (f64, Start)>,
    /// Runs that did something new, with what they compared.
    pub fresh: VecDeque<(Start, Vec<Pair>)>,
    /// What the first run asked for.
    first: Log,
    /// The same, if it was too long.
    pub first_cut: Option<Log>,
    /// Whether there are other runs than the first.
    pub chooses: bool,
    /// Other runs that were cut.
    pub cut: Vec<Rc<Tape>>,
    /// The most allocations of one of them.
    pub cut_allocations: usize,
    /// Which texts any run asked for.
    pub asked: Texts,
    /// Steps of a run, as long as nothing says that more are worth it.
    each: u64,
    /// Whether some run used what was never written.
    pub reads_unwritten: bool,
    /// What came before the texts that functions write, where they were tried.
    pub begun_texts: BTreeSet<Vec<u128>>,
    /// Bytes of objects of the runs that make inputs simpler.
    pub made: u64,
    spent: u64,
    runs: u64,
}

impl<'p> Engine<'p> {
    /// An engine that has not run anything.
    pub fn new(program: &'p Program, request: &'p Request, wanted: &'p Wanted) -> Engine<'p> {
        Engine {
            program,
            request,
            values: Rc::new(Values::of(program)),
            session: Session::new(program, Some(wanted)),
            plain: Session::new(program, None),
            strange: Session::new(program, None),
            found: BTreeMap::new(),
            order: Vec::new(),
            reached: FxHashSet::default(),
            best: BTreeMap::new(),
            fresh: VecDeque::new(),
            first: Log::default(),
            first_cut: None,
            chooses: false,
            cut: Vec::new(),
            cut_allocations: 0,
            asked: Texts::default(),
            each: FIRST_STEPS,
            reads_unwritten: false,
            begun_texts: BTreeSet::new(),
            made: 0,
            spent: 0,
            runs: 0,
        }
    }

    /// Nothing is left to try with runs this long: longer ones may see more. Says whether they may be longer.
    pub fn run_longer(&mut self) -> bool {
        self.each = (self.each * 4).min(MOST_STEPS);
        self.each < MOST_STEPS
    }

    fn try_inputs(&mut self) {
        let first = self.run_plain(&Tape::default());
        let takes = self.takes_arguments() || self.sees_environment();
        self.chooses = first.asks_anything() || takes || self.reads_unwritten;
        if self.is_done() || !self.chooses {
            return;
        }
        self.first = first;
        self.obvious();
        self.guided();
        self.unusual_starts();
    }

    /// Whether `main` looks at its arguments.
    pub fn takes_arguments(&self) -> bool {
        let main = self.program.functions.iter().find(|f| &*f.name == "main");
        main.and_then(|f| f.body.as_ref()).is_some_and(|body| body.parameters > 0)
    }

    /// Whether there is nothing more to do.
    pub fn is_done(&self) -> bool {
        self.spent >= self.request.budget || self.request.cancelled.load(Ordering::Relaxed) || self.has_all()
    }

    /// Whether everything was found that is looked for.
    pub fn has_all(&self) -> bool {
        self.request.goals.iter().all(|goal| self.found.contains_key(goal))
    }

    /// Where work on one start must end, so that others have their turn.
    pub fn share(&self) -> u64 {
        self.spent + self.request.budget.saturating_sub(self.spent) / 8
    }

    /// Whether there is nothing more to do, or a share is used up.
    pub fn is_spent(&self, share: u64) -> bool {
        self.spent >= share || self.is_done()
    }

    /// What anybody would try first.
    pub fn obvious(&mut self) {
        let first = &std::mem::take(&mut self.first);
        self.run(&Tape::default());
        let rests = (0..16).map(Rest::Special).chain((1..9).map(Rest::Noise));
        for rest in rests {
            for is_random in [false, true] {
                if is_random && !first.random || self.is_done() {
                    break;
                }
                self.run(&Tape { rest, is_random, ..Tape::default() });
            }
        }
        self.failing_allocations(first);
        self.texts();
        self.unwritten();
        self.first = first.clone();
    }

    /// One allocation fails, and all others succeed.
    fn failing_allocations(&mut self, first: &Log) {
        if self.request.malloc_succeeds {
            return;
        }
        for number in (0..first.allocations.len() as u64).take(MOST_FAILING_ALLOCATIONS as usize) {
            if self.is_done() {
                return;
            }
            self.run(&Tape { failing: Some(number), ..Tape::default() });
        }
    }

    fn options(&self, tape: &Tape, steps: u64) -> Options {
        Options {
            args: tape.all_arguments(),
            environment: tape.all_variables(),
            count_all: self.request.count_all,
            goes_on_after: self.request.goes_on_after.clone(),
            step_limit: Some(steps),
            cancelled: Some(self.request.cancelled.clone()),
            memory_limit: MEMORY,
            counts_once: true,
            ..Options::default()
        }
    }

    /// The first run, as long as any.
    fn run_plain(&mut self, tape: &Tape) -> Log {
        let (log, outcome) = self.run_unseen(tape, LONGEST_RUN, self.request.count_all);
        if is_cut(&outcome, LONGEST_RUN) {
            self.first_cut = Some(log.clone());
        }
        log
    }

    /// A run that nobody looks at: quick, so it may be long. Counting what is off by default makes it slow.
    pub fn run_unseen(&mut self, tape: &Tape, steps: u64, count_all: bool) -> (Log, Outcome) {
        let values = self.values.clone();
        let mut player = Player::new(tape, &values);
        let options = Options { count_all, ..self.options(tape, steps) };
        let outcome = self.plain.run(&options, &mut player, &mut Feedback::new(self.program));
        // Steps that are not looked at cost a tenth.
        self.spent += outcome.steps / 10 + beside(&outcome);
        self.runs += 1;
        self.asked.add(&player.log);
        self.collect(tape, &outcome);
        (player.log, outcome)
    }

    /// Runs a tape, and remembers what was new about it.
    pub fn run(&mut self, tape: &Tape) -> Ran {
        self.run_for(tape, self.each)
    }

    /// The same, for so many steps.
    pub fn run_for(&mut self, tape: &Tape, steps: u64) -> Ran {
        let values = self.values.clone();
        let mut player = Player::new(tape, &values);
        let mut feedback = Feedback::new(self.program);
        let options = self.options(tape, steps);
        let outcome = self.session.run(&options, &mut player, &mut feedback);
        self.spent += outcome.steps + beside(&outcome);
        self.runs += 1;
        self.asked.add(&player.log);
        self.collect(tape, &outcome);
        let Feedback { nearest, pairs, .. } = feedback;
        let mut ran = Ran { log: Rc::new(player.log), nearest, pairs, is_new: false };
        self.remember(tape, &mut ran);
        if is_cut(&outcome, steps) {
            self.remember_cut(tape, &ran.log);
        }
        ran
    }

    fn remember(&mut self, tape: &Tape, ran: &mut Ran) {
        let mut start: Option<Start> = None;
        let mut this = || {
            start.get_or_insert_with(|| Start { tape: Rc::new(tape.clone()), log: ran.log.clone() }).clone()
        };
        let mut is_new = false;
        for (target, distance) in &ran.nearest {
            if *distance == 0.0 {
                if self.reached.insert(*target) {
                    self.best.remove(target);
                    is_new = true;
                }
            } else if !self.is_hit(target) && self.best.get(target).is_none_or(|(known, _)| distance < known)
            {
                self.best.insert(*target, (*distance, this()));
            }
        }
        ran.is_new = is_new;
        if is_new {
            let mut pairs: Vec<Pair> = ran.pairs.iter().copied().collect();
            pairs.sort();
            self.fresh.push_back((this(), pairs));
        }
    }

    /// Whether some run did it.
    pub fn is_hit(&self, target: &Target) -> bool {
        match target {
            Target::Violation(function, obligation) => {
                self.found.contains_key(&Key::Obligation(*function, *obligation))
            }
            other => self.reached.contains(other),
        }
    }

    /// Keeps what a run violated.
    fn collect(&mut self, tape: &Tape, outcome: &Outcome) {
        let mut before = Vec::new();
        for finding in self.counting(tape, outcome) {
            let Some(key) = key_of(&finding) else { continue };
            if !self.found.contains_key(&key) {
                self.order.push(key);
                let (tape, missing) = (tape.clone(), outcome.missing.clone());
                let raw = Raw { finding, tape, missing, before: before.clone(), steps: outcome.steps };
                self.found.insert(key, raw);
            }
            before.push(key);
        }
    }

    /// The violations of a run that count, in their order. What follows a read of uninitialised memory may need the very
    /// value that the interpreter has there: it counts if it happens with another one too.
    fn counting(&mut self, tape: &Tape, outcome: &Outcome) -> Vec<Finding> {
        let all = violations(outcome);
        self.reads_unwritten |= all.iter().any(|finding| finding.check == CheckKind::UninitialisedRead);
        let garbage = all.iter().position(|finding| finding.check == CheckKind::UninitialisedRead);
        let Some(first) = garbage.filter(|first| first + 1 < all.len()) else { return all };
        let news = all[first..].iter().filter_map(key_of).any(|key| !self.found.contains_key(&key));
        let others = if news { self.with_other_garbage(tape, outcome.steps) } else { Vec::new() };
        let settled = |index: usize, finding: &Finding| {
            index <= first || key_of(finding).is_some_and(|key| others.contains(&key))
        };
        let all = all.into_iter().enumerate().filter(|(index, finding)| settled(*index, finding));
        all.map(|(_, finding)| finding).collect()
    }

    fn with_other_garbage(&mut self, tape: &Tape, steps: u64) -> Vec<Key> {
        let values = self.values.clone();
        let mut player = Player::new(tape, &values);
        let options = Options { garbage: GARBAGE, ..self.options(tape, steps.saturating_mul(2) + 1000) };
        let outcome = self.strange.run(&options, &mut player, &mut Feedback::new(self.program));
        self.spent += outcome.steps / 10 + beside(&outcome);
        self.runs += 1;
        violations(&outcome).iter().filter_map(key_of).collect()
    }

    /// Whether the work was ended from outside.
    pub fn is_cancelled(&self) -> bool {
        self.request.cancelled.load(Ordering::Relaxed)
    }

    fn finish(mut self) -> Searched {
        let is_over = self.has_all() || self.is_cancelled();
        let unfinished = if is_over { Vec::new() } else { self.unfinished() };
        let mut found = Vec::new();
        for key in std::mem::take(&mut self.order) {
            let Some(raw) = self.found.remove(&key) else { continue };
            // Minimising makes runs, which may come across more: those are not counted any more.
            let simpler = minimise::minimise(&mut self, key, raw);
            let Some((tape, log, raw)) = simpler.filter(|(_, log, _)| !log.is_cut) else { continue };
            found.push(Found {
                key,
                finding: raw.finding,
                witness: Witness {
                    goes_on_after: passed(self.program, &self.request.goes_on_after, &raw.before),
                    ..witness::witness(&tape, &log)
                },
                missing: raw.missing,
                before: raw.before,
            });
        }
        Searched { found, unfinished, runs: self.runs, steps: self.spent }
    }

    /// Runs a tape for its violation only.
    pub fn again(&mut self, tape: &Tape, key: Key, steps: u64) -> Option<(Log, Raw)> {
        let values = self.values.clone();
        let mut player = Player::new(tape, &values);
        let options = self.options(tape, steps);
        let outcome = self.plain.run(&options, &mut player, &mut Feedback::new(self.program));
        self.runs += 1;
        self.made += outcome.bytes;
        let mut before = Vec::new();
        for finding in self.counting(tape, &outcome) {
            let Some(this) = key_of(&finding) else { continue };
            if this == key {
                let (tape, missing) = (tape.clone(), outcome.missing.clone());
                return Some((player.log, Raw { finding, tape, missing, before, steps: outcome.steps }));
            }
            before.push(this);
        }
        None
    }
}

/// The checks that a run violated before something and stops at, unless it is to go on after them.
pub fn passed(program: &Program, goes_on_after: &[CheckKind], before: &[Key]) -> Vec<CheckKind> {
    let is_among = |check: &&CheckKind| before.iter().any(|key| check_of(program, key) == Some(**check));
    goes_on_after.iter().filter(is_among).copied().collect()
}

/// The check of what was violated.
pub fn check_of(program: &Program, key: &Key) -> Option<CheckKind> {
    match key {
        Key::Obligation(function, id) => {
            program.functions[*function].body.as_ref().map(|body| body.obligations[*id].check)
        }
        Key::Call(_, check) => Some(*check),
    }
}

/// What a run costs beside its steps.
fn beside(outcome: &Outcome) -> u64 {
    RUN_COST + outcome.bytes / BYTES_A_STEP
}

pub(crate) fn key_of(finding: &Finding) -> Option<Key> {
    match (finding.obligation, finding.call) {
        (Some((function, obligation)), _) => Some(Key::Obligation(function, obligation)),
        (None, Some(call)) => Some(Key::Call(call, finding.check)),
        (None, None) => None,
    }
}

/// The violations of a run in their order. A function that nobody defines may keep what it is given, so that nothing is
/// lost; that the stack suffices is always assumed; a run whose assumptions do not hold says nothing.
pub(crate) fn violations(outcome: &Outcome) -> Vec<Finding> {
    if outcome.end == End::Assumed {
        return Vec::new();
    }
    let counted = outcome.counted.iter().map(Counted::first_finding);
    let all = counted.chain(outcome.findings.iter().cloned());
    let is_escaped =
        |finding: &Finding| finding.check == CheckKind::MemoryLeak && !outcome.missing.is_empty();
    all.filter(|finding| finding.check != CheckKind::StackExhausted && !is_escaped(finding)).collect()
}
