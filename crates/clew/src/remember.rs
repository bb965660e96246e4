// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--remember`: what one run learned about its own work, so that the next run on the same program is cheaper.
//!
//! Kept are, for each function, a hash of what it says and what was useful there; for each entry, the rounds
//! of the analysis that were needed; and how much was left open. The next run plans by it ([`Memory::plan`]): a function that is new or
//! has changed has everything. A plan only leaves out work, so whatever the file says, what is proved is proved; and where it leaves
//! more open than was left then ([`Memory::is_worse`]), the work is done again with everything.

mod file;

use std::collections::{BTreeMap, BTreeSet};

use clew_absint::pruning_plan::{Parts, Plan, Rounds, Useful};
use clew_frontend::library::Linked;
use clew_ir::stable::Stable;
use clew_ir::syntax::FuncId;
use clew_ir::verdict::Verdict;

use crate::knowledge::Knowledge;
use crate::level;
use crate::settings::Settings;

pub use file::{load, save};

/// What is remembered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Flags that decide what an analysis says: under others nothing of this is of use.
    settings: String,
    /// The programs, in their order.
    programs: Vec<Remembered>,
    /// Whether some analysis did not come to its end: nothing is learned from that.
    pub is_cut_off: bool,
}

/// What is remembered of one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Remembered {
    /// By the name of an entry.
    entries: BTreeMap<String, Rounds>,
    /// By the name that the linker sees.
    functions: BTreeMap<String, Known>,
    /// By the name in the source: what was not proved, or only if something else holds.
    left: BTreeMap<String, Left>,
}

/// What is remembered of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    /// A hash of what it says.
    content: u64,
    /// What was useful in it, if it was ever entered.
    parts: Option<Parts>,
}

/// Obligations that were not settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Left {
    open: u64,
    given: u64,
}

/// What a run found out about one program.
pub struct Learned<'a> {
    /// The program.
    pub linked: &'a Linked,
    /// What was useful, by entry.
    pub useful: &'a [(String, Useful)],
    /// What is known of it.
    pub known: &'a Knowledge,
    /// The plan that the run had, if it had one.
    pub plan: Option<&'a Plan>,
}

impl Memory {
    /// Nothing, under these settings.
    pub fn new(settings: String) -> Memory {
        Memory { settings, ..Memory::default() }
    }

    /// The same, unless it was made under other settings.
    #[must_use]
    pub fn under(self, settings: String) -> Memory {
        if self.settings == settings { self } else { Memory::new(settings) }
    }

    /// What the analysis of a program may go without; none if nothing is known of it.
    pub fn plan(&self, number: usize, linked: &Linked, entries: &[String]) -> Option<Plan> {
        let remembered = self.programs.get(number)?;
        let program = &linked.program;
        let mut plan = Plan::default();
        let mut is_same = true;
        for (id, content) in contents(linked) {
            match remembered.functions.get(&*program.functions[id].name) {
                Some(known) if known.content == content => {
                    plan.functions.extend(known.parts.clone().map(|parts| (id, parts)));
                }
                _ => is_same &= linked.models.contains(&id),
            }
        }
        // What a round is good for depends on all functions.
        for (id, function) in program.functions.iter_enumerated().filter(|_| is_same) {
            if let Some(rounds) = remembered
                .entries
                .get(&*function.name)
                .filter(|_| entries.iter().any(|e| **e == *function.name))
            {
                plan.rounds.insert(id, *rounds);
            }
        }
        Some(plan)
    }

    /// Whether less is settled than was settled then, in functions that have not changed.
    pub fn is_worse(&self, number: usize, linked: &Linked, now: &Knowledge) -> bool {
        let Some(remembered) = self.programs.get(number) else { return false };
        let functions = &linked.program.functions;
        let changed: BTreeSet<&str> = contents(linked)
            .filter(|(id, content)| {
                remembered.functions.get(&*functions[*id].name).is_none_or(|known| known.content != *content)
            })
            .map(|(id, _)| &*functions[id].source_name)
            .collect();
        left(now).iter().filter(|(name, _)| !changed.contains(name.as_str())).any(|(name, now)| {
            let then = remembered.left.get(name).copied().unwrap_or_default();
            now.open > then.open || now.open + now.given > then.open + then.given
        })
    }

    /// Takes in what a run found out.
    pub fn learn(&mut self, number: usize, learned: &Learned<'_>) {
        let Learned { linked, useful, known: found, plan } = learned;
        let mut all = Useful::default();
        useful.iter().for_each(|(_, useful)| all.add(useful.clone()));
        // What was left out was not asked whether it is useful.
        all.functions.extend(plan.iter().flat_map(|plan| plan.functions.clone()));
        let functions = &linked.program.functions;
        let is_wanted = |id: &FuncId| !linked.models.contains(id) || all.functions.contains_key(id);
        let known = contents(linked).filter(|(id, _)| is_wanted(id)).map(|(id, content)| {
            (functions[id].name.to_string(), Known { content, parts: all.functions.get(&id).cloned() })
        });
        let rounds = |name: &String, new: Rounds| {
            let old =
                plan.and_then(|plan| plan.rounds.iter().find(|(id, _)| *functions[**id].name == **name));
            old.map_or(new, |(_, rounds)| *rounds)
        };
        let entries = useful.iter().map(|(name, useful)| (name.clone(), rounds(name, useful.rounds)));
        let remembered =
            Remembered { entries: entries.collect(), functions: known.collect(), left: left(found) };
        self.programs.truncate(number);
        self.programs.push(remembered);
    }
}

/// What decides what an analysis says, beside the program and its entries.
pub fn settings(settings: &Settings) -> String {
    let (level, assumed) = (level::shown(settings.level), &settings.assumed);
    let without = level.without.iter().map(|name| format!(" without {name}")).collect::<String>();
    let clock = assumed.max_clock().map(|_| format!(", clock {}", settings.clock)).unwrap_or_default();
    format!("{}{without}{clock}, assuming {}", level.name, assumed.names().join(" "))
}

/// The functions with a body, and a hash of what they say.
fn contents(linked: &Linked) -> impl Iterator<Item = (FuncId, u64)> + '_ {
    let stable = Stable::new(&linked.program);
    let functions =
        linked.program.functions.iter_enumerated().filter(|(_, function)| function.body.is_some());
    functions.map(move |(id, _)| (id, stable.content(id) as u64))
}

/// What is not settled, by function.
fn left(known: &Knowledge) -> BTreeMap<String, Left> {
    let mut all: BTreeMap<String, Left> = BTreeMap::new();
    for (title, verdict) in known.verdicts() {
        let (open, given) = match verdict {
            Verdict::Open(_) => (1, 0),
            Verdict::Proved(proof) | Verdict::Unreachable(proof) if !proof.given.is_empty() => (0, 1),
            _ => continue,
        };
        let left = all.entry(title.function.to_string()).or_default();
        *left = Left { open: left.open + open, given: left.given + given };
    }
    all
}
