// SPDX-License-Identifier: MIT OR Apache-2.0
//! Weighted pushdown systems: procedures that recurse or repeat (Reps, Schwoon, Jha and Melski).
//!
//! A rule rewrites the top of the stack: to nothing (a return), to one symbol (a step) or to two (a call, with where to go
//! on). `post*` saturates an automaton with all configurations that are reached, and each of its edges gets the weight of
//! all ways to get there. The paper names the construction and uses it for systems without a stack only.
//!
//! Here it tells which procedures an entry reaches, how deep they nest at least, and which of them can return at all:
//! recursion without an end is named before a walk goes down it. Stores themselves are not saturated: their chains are
//! infinite, and the walk unfolds a recursion whose depth known integers decide.

use std::collections::{BTreeMap, VecDeque};

use clew_ir::syntax::{Callee, FuncId, Program, StatementKind};

use crate::semiring::{Semiring, Shortest};

/// A stack symbol.
pub type Symbol = u32;

/// What becomes of the top of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Top {
    /// It is taken off.
    Return,
    /// It becomes another.
    Step(Symbol),
    /// A call: the first comes on top of the second.
    Call(Symbol, Symbol),
}

/// A rule with its weight.
#[derive(Clone, Debug)]
pub struct Rule<W> {
    /// The top of the stack before.
    pub from: Symbol,
    /// And after.
    pub to: Top,
    /// What it does.
    pub weight: W,
}

/// What reaches a symbol on top of the stack, and a summary for each procedure's first symbol: from there to its return.
#[derive(Clone, Debug)]
pub struct Reached<W> {
    /// By symbol, the sum of the weights from the start to a stack with it on top.
    pub tops: BTreeMap<Symbol, W>,
    /// By a procedure's first symbol, the sum over all its runs.
    pub summaries: BTreeMap<Symbol, W>,
}

/// Saturates: all that is reached from a stack with the start symbol alone. Terminates for semirings without infinite
/// ascending chains.
pub fn post_star<S: Semiring>(semiring: &S, rules: &[Rule<S::Weight>], start: Symbol) -> Reached<S::Weight> {
    let mut saturation = Saturation {
        semiring,
        within: BTreeMap::new(),
        callers: BTreeMap::new(),
        summaries: BTreeMap::new(),
        open: VecDeque::new(),
    };
    saturation.reach(start, start, semiring.one());
    while let Some((procedure, symbol)) = saturation.open.pop_front() {
        for rule in rules.iter().filter(|rule| rule.from == symbol) {
            saturation.fire(procedure, symbol, rule);
        }
    }
    saturation.ended(start)
}

/// Calls of a procedure: who makes it, at which symbol, and where that goes on; with the weight of the call.
type Calls<W> = BTreeMap<(Symbol, Symbol, Symbol), W>;

/// Edges of the automaton: procedures are known by their first symbol.
struct Saturation<'a, S: Semiring> {
    semiring: &'a S,
    /// From a procedure's first symbol to a symbol of the same call.
    within: BTreeMap<(Symbol, Symbol), S::Weight>,
    /// For a procedure: who calls it, and where that goes on.
    callers: BTreeMap<Symbol, Calls<S::Weight>>,
    summaries: BTreeMap<Symbol, S::Weight>,
    open: VecDeque<(Symbol, Symbol)>,
}

impl<S: Semiring> Saturation<'_, S> {
    fn reach(&mut self, procedure: Symbol, symbol: Symbol, weight: S::Weight) {
        let old = self.within.get(&(procedure, symbol)).cloned();
        let known = old.clone().unwrap_or_else(|| self.semiring.zero());
        let new = self.semiring.combine(&known, &weight);
        if old.is_none() || new != known {
            self.within.insert((procedure, symbol), new);
            self.open.push_back((procedure, symbol));
        }
    }

    fn fire(&mut self, procedure: Symbol, symbol: Symbol, rule: &Rule<S::Weight>) {
        let so_far = self.within[&(procedure, symbol)].clone();
        let weight = self.semiring.extend(&so_far, &rule.weight);
        match rule.to {
            Top::Step(to) => self.reach(procedure, to, weight),
            Top::Call(callee, after) => {
                let call = (procedure, symbol, after);
                self.callers.entry(callee).or_default().insert(call, rule.weight.clone());
                self.reach(callee, callee, self.semiring.one());
                if let Some(summary) = self.summaries.get(&callee).cloned() {
                    let through = self.semiring.extend(&weight, &summary);
                    self.reach(procedure, after, through);
                }
            }
            Top::Return => {
                let old = self.summaries.get(&procedure).cloned().unwrap_or_else(|| self.semiring.zero());
                let new = self.semiring.combine(&old, &weight);
                if new != old {
                    self.summaries.insert(procedure, new);
                    // The calls of it are looked at again: they fire with the summary.
                    let callers = self.callers.get(&procedure).cloned().unwrap_or_default();
                    self.open.extend(callers.keys().map(|(caller, at, _)| (*caller, *at)));
                }
            }
        }
    }

    /// Weights from the start, through the calls that are still open.
    fn ended(self, start: Symbol) -> Reached<S::Weight> {
        let semiring = self.semiring;
        let mut entries: BTreeMap<Symbol, S::Weight> = BTreeMap::from([(start, semiring.one())]);
        let mut open = VecDeque::from([start]);
        while let Some(procedure) = open.pop_front() {
            let so_far = entries[&procedure].clone();
            for (callee, callers) in &self.callers {
                for ((_, at, _), call) in callers.iter().filter(|((caller, ..), _)| *caller == procedure) {
                    let before = semiring.extend(&so_far, &self.within[&(procedure, *at)]);
                    let weight = semiring.extend(&before, call);
                    let known = entries.get(callee).cloned();
                    let old = known.clone().unwrap_or_else(|| semiring.zero());
                    let new = semiring.combine(&old, &weight);
                    if known.is_none() || new != old {
                        entries.insert(*callee, new);
                        open.push_back(*callee);
                    }
                }
            }
        }
        let mut tops: BTreeMap<Symbol, S::Weight> = BTreeMap::new();
        for ((procedure, symbol), weight) in &self.within {
            let Some(entry) = entries.get(procedure) else { continue };
            let weight = semiring.extend(entry, weight);
            let old = tops.get(symbol).cloned().unwrap_or_else(|| semiring.zero());
            tops.insert(*symbol, semiring.combine(&old, &weight));
        }
        Reached { tops, summaries: self.summaries }
    }
}

/// The procedures that an entry reaches, and a summary for each that may return; calls that branches may skip count as
/// skipped, so one without a summary calls itself on every path.
pub fn procedures(program: &Program, entry: FuncId) -> Reached<Option<u32>> {
    let mut rules = Vec::new();
    // One symbol a function and one a call in it; the call's own symbol is where it goes on.
    let mut next = program.functions.len() as Symbol;
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        let mut last = id.0;
        let always = graph_always(body);
        for (index, statement) in
            body.blocks.iter().enumerate().flat_map(|(i, block)| block.statements.iter().map(move |s| (i, s)))
        {
            let StatementKind::Call(call) = &statement.kind else { continue };
            let Callee::Direct(callee) = call.callee else { continue };
            if program.functions[callee].body.is_none() {
                continue;
            }
            if !always[index] {
                rules.push(Rule { from: last, to: Top::Step(next), weight: Some(0) });
            }
            rules.push(Rule { from: last, to: Top::Call(callee.0, next), weight: Some(1) });
            last = next;
            next += 1;
        }
        rules.push(Rule { from: last, to: Top::Return, weight: Some(0) });
    }
    post_star(&Shortest, &rules, entry.0)
}

/// Which blocks every run of a function passes: the chain of meeting points from the first.
fn graph_always(body: &clew_ir::syntax::Body) -> Vec<bool> {
    let meeting = crate::graph::meeting_points(body);
    let mut always = vec![false; body.blocks.len()];
    let mut at = Some(clew_ir::syntax::BlockId(0));
    while let Some(block) = at {
        let index = block.0 as usize;
        if std::mem::replace(&mut always[index], true) {
            break;
        }
        at = meeting[index];
    }
    always
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(from: Symbol, to: Top, weight: u32) -> Rule<Option<u32>> {
        Rule { from, to, weight: Some(weight) }
    }

    /// `main` is 0, 1 after the call; `f` is 10, which calls itself (11 after that) or returns.
    #[test]
    fn recursion_saturates() {
        let rules = [
            rule(0, Top::Call(10, 1), 1),
            rule(1, Top::Return, 0),
            rule(10, Top::Call(10, 11), 5),
            rule(10, Top::Return, 2),
            rule(11, Top::Return, 1),
        ];
        let reached = post_star(&Shortest, &rules, 0);
        assert_eq!(reached.summaries[&10], Some(2));
        assert_eq!(reached.tops[&1], Some(3));
        assert_eq!(reached.tops[&11], Some(1 + 5 + 2));
        assert_eq!(reached.summaries[&0], Some(3));
    }

    #[test]
    fn a_procedure_that_never_returns_has_no_summary() {
        let rules = [rule(0, Top::Call(10, 1), 1), rule(10, Top::Call(10, 11), 1), rule(1, Top::Return, 0)];
        let reached = post_star(&Shortest, &rules, 0);
        assert!(!reached.summaries.contains_key(&10));
        assert!(!reached.tops.contains_key(&1));
        assert!(reached.tops.contains_key(&10));
    }
}
