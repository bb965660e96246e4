// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all engines say of a program's obligations. Rows of a report are a view of it.
//!
//! Proofs, questions and violations are told in any order, grouping and number. Of two proofs the stronger counts, of two
//! questions the one that says more. A violation does not take a proof's place but stands beside it: where the run
//! violated before what the proof is conditional on both are right, and the proof stays; else they contradict each
//! other, which is a fault of clew, and the run counts.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::obligation::StableId;
use crate::verdict::{Proof, Reason, Verdict};

/// A run that violates an obligation.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The verdict that it leads to.
    verdict: Verdict,
    /// What it violated before.
    before: Vec<StableId>,
    /// What it rests on.
    assumptions: Vec<String>,
}

impl Violation {
    /// One that leads to this verdict, after violations of others.
    pub fn new(verdict: Verdict, before: Vec<StableId>, assumptions: Vec<String>) -> Violation {
        Violation { verdict, before, assumptions }
    }

    fn is_excused_by(&self, known: &Verdict) -> bool {
        proof_of(known).is_some_and(|proof| self.before.iter().any(|id| proof.given.contains(id)))
    }
}

/// What is known of one obligation.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Of all runs; open if nothing is proved.
    of_all: Verdict,
    /// What that rests on.
    assumptions: Vec<String>,
    /// Runs that violate it.
    violations: Vec<Violation>,
}

/// What telling something changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told<'l> {
    /// The verdict is another one.
    News,
    /// Nothing that counts: as much was known, or the proof that there is says nothing of such runs.
    Nothing,
    /// A run violates what this proof excludes.
    Contradiction(&'l Proof),
}

const OPEN: Verdict = Verdict::Open(Reason::NotAnalysed);

fn proof_of(verdict: &Verdict) -> Option<&Proof> {
    match verdict {
        Verdict::Proved(proof) | Verdict::Unreachable(proof) => Some(proof),
        Verdict::Violated { .. } | Verdict::Open(_) => None,
    }
}

/// How much is said of all runs: a proof more than a question, one with fewer conditions more than one with more.
fn says_more(a: (&Verdict, &[String]), b: (&Verdict, &[String])) -> Ordering {
    match (proof_of(a.0), proof_of(b.0)) {
        (Some(p), Some(q)) => {
            let key = |proof: &Proof| proof.given.len();
            let unreachable = |verdict: &Verdict| matches!(verdict, Verdict::Unreachable(_));
            let by_conditions = key(q).cmp(&key(p)).then(unreachable(a.0).cmp(&unreachable(b.0)));
            // Any order will do, as long as it is one.
            by_conditions.then_with(|| (q, b.1).cmp(&(p, a.1)))
        }
        (p, q) if p.is_some() != q.is_some() => p.is_some().cmp(&q.is_some()),
        _ => match (a.0, b.0) {
            (Verdict::Open(p), Verdict::Open(q)) => (p, a.1).cmp(&(q, b.1)),
            _ => Ordering::Equal,
        },
    }
}

impl Entry {
    fn new() -> Entry {
        Entry { of_all: OPEN, assumptions: Vec::new(), violations: Vec::new() }
    }

    /// The run that counts, if one does.
    fn violation(&self) -> Option<&Violation> {
        self.violations.iter().find(|violation| !violation.is_excused_by(&self.of_all))
    }

    /// What is known.
    pub fn verdict(&self) -> &Verdict {
        self.violation().map_or(&self.of_all, |violation| &violation.verdict)
    }

    /// What that rests on.
    pub fn assumptions(&self) -> &[String] {
        self.violation().map_or(&self.assumptions, |violation| &violation.assumptions)
    }

    /// The proof that a run contradicts.
    pub fn contradicted(&self) -> Option<&Proof> {
        proof_of(&self.of_all).filter(|_| self.violation().is_some())
    }
}

/// What is known of a program's obligations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ledger {
    entries: BTreeMap<StableId, Entry>,
}

impl Ledger {
    /// What is known of an obligation; nothing if nobody said anything.
    pub fn get(&self, id: &StableId) -> Option<&Entry> {
        self.entries.get(id)
    }

    /// The verdict on an obligation: open if nobody said anything.
    pub fn verdict(&self, id: &StableId) -> &Verdict {
        self.get(id).map_or(&OPEN, Entry::verdict)
    }

    /// What an engine says of all runs.
    pub fn claim(&mut self, id: &StableId, of_all: Verdict, assumptions: Vec<String>) {
        let entry = self.entries.entry(id.clone()).or_insert_with(Entry::new);
        if says_more((&of_all, &assumptions), (&entry.of_all, &entry.assumptions)).is_gt() {
            (entry.of_all, entry.assumptions) = (of_all, assumptions);
        }
    }

    /// A run violates an obligation.
    pub fn violate(&mut self, id: &StableId, violation: Violation) -> Told<'_> {
        let entry = self.entries.entry(id.clone()).or_insert_with(Entry::new);
        let was_violated = entry.violation().is_some();
        if !entry.violations.contains(&violation) {
            entry.violations.push(violation);
            entry.violations.sort_by_cached_key(|violation| match &violation.verdict {
                Verdict::Violated { confirmed, .. } => (Some(confirmed.clone()), format!("{violation:?}")),
                _ => (None, String::new()),
            });
        }
        match (was_violated, entry.violation()) {
            (true, _) | (_, None) => Told::Nothing,
            (false, Some(_)) => entry.contradicted().map_or(Told::News, Told::Contradiction),
        }
    }

    /// What is known of it is what another ledger says: of other runs, as the caller vouches.
    pub fn take(&mut self, other: &Ledger, id: &StableId) {
        match other.get(id) {
            Some(entry) => drop(self.entries.insert(id.clone(), entry.clone())),
            None => self.reopen(id),
        }
    }

    /// Nothing is known of it any more.
    pub fn reopen(&mut self, id: &StableId) {
        self.entries.remove(id);
    }

    /// Leaves of what each proof is given only what counts.
    pub fn settle(&mut self) {
        let verdicts = self.entries.iter_mut().map(|(id, entry)| {
            let is_violated = entry.violation().is_some();
            (id, &mut entry.of_all, is_violated)
        });
        settle(verdicts.collect());
    }
}

/// Leaves of what each proof is given only what counts: obligations that are not proved, and those proved given such.
/// With each goes whether a run violates it all the same.
///
/// Proofs that are given each other hold, too. Take a run and the first obligation of such a group that it violates:
/// its proof is about runs that have violated none of the others before.
pub fn settle(verdicts: Vec<(&StableId, &mut Verdict, bool)>) {
    let mut numbers: HashMap<&StableId, usize> = HashMap::new();
    for (id, ..) in &verdicts {
        let next = numbers.len();
        numbers.entry(id).or_insert(next);
    }
    let unsettled = unsettled(&verdicts, &numbers);
    let left = |given: &Given| {
        let counts = |id: &&StableId| numbers.get(*id).is_none_or(|given| unsettled[*given]);
        given.iter().filter(counts).cloned().collect::<Given>()
    };
    // By address, with the list itself, so that no other gets its address.
    let mut known: HashMap<*const StableId, (Given, Given)> = HashMap::new();
    for (_, verdict, _) in verdicts {
        if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = verdict {
            let entry = known.entry(proof.given.as_ptr());
            proof.given = entry.or_insert_with(|| (proof.given.clone(), left(&proof.given))).1.clone();
        }
    }
}

/// What proofs rest on.
type Given = Arc<[StableId]>;

/// A list of obligations that some proofs rest on.
struct Shared<'v> {
    ids: &'v [StableId],
    /// What is proved given these.
    proved: Vec<usize>,
}

/// The obligations that are not proved, and all whose proofs lead there.
fn unsettled(verdicts: &[(&StableId, &mut Verdict, bool)], numbers: &HashMap<&StableId, usize>) -> Vec<bool> {
    let mut unsettled = vec![false; numbers.len()];
    let mut queue = Vec::new();
    let mut lists: HashMap<*const StableId, Shared<'_>> = HashMap::new();
    for (id, verdict, is_violated) in verdicts {
        let own = numbers[id];
        let Some(proof) = proof_of(verdict).filter(|_| !is_violated) else {
            queue.push(own);
            continue;
        };
        let new = || Shared { ids: &proof.given, proved: Vec::new() };
        lists.entry(proof.given.as_ptr()).or_insert_with(new).proved.push(own);
    }
    let mut lists: Vec<Shared<'_>> = lists.into_values().collect();
    let mut resting: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    for (at, list) in lists.iter().enumerate() {
        for id in list.ids {
            match numbers.get(id) {
                Some(given) => resting[*given].push(at),
                // Nobody lists it, so nobody says that it holds.
                None => queue.extend(&list.proved),
            }
        }
    }
    while let Some(next) = queue.pop() {
        if !std::mem::replace(&mut unsettled[next], true) {
            for at in std::mem::take(&mut resting[next]) {
                queue.append(&mut lists[at].proved);
            }
        }
    }
    unsettled
}
