// SPDX-License-Identifier: MIT OR Apache-2.0
//! Summaries of procedures: the weight of a call, made once and used again.
//!
//! A summary is a procedure's result over stand-ins for its arguments: numbers with the bounds of the arguments and symbols
//! of their own. A later call whose arguments lie within these bounds puts its own forms in the place of the stand-ins,
//! so what the result owes to an argument is kept, and roundings get symbols of their own, for they are others. Where
//! procedures recurse in several places (`f(n-1)` and `f(n-2)`) a walk without summaries takes exponential time.
//!
//! In a walk of one run arguments are what they are, and a summary is the result for just these.
//!
//! It is for procedures that touch nothing but their arguments, their own locals and constants. What the journal hears
//! of them was said when the summary was made, for all arguments within the bounds. A summary knows less of how
//! arguments hang together than a walk does, so short procedures are walked each time.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::Span;
use clew_ir::syntax::{
    Argument, Callee, ExprKind, FuncId, GlobalId, Linkage, Place, PlaceBase, Program, StatementKind,
};

use crate::algebra::{Algebra, Seen, Substituted};
use crate::call::Passed;
use crate::interval::Interval;
use crate::setup::{Setup, Variable};
use crate::store::{Scalar, Shaped, Store};
use crate::walk::{Walk, Walked};

/// A procedure is walked until the steps it took with like arguments are this many.
const WORTH: u64 = 2_000;

/// Calls of one procedure that are told apart.
const MOST_CASES: usize = 64;

/// How much wider than a call's arguments the bounds of a summary may be.
const SLACK: f64 = 1.0 / 64.0;

/// What is remembered of calls.
pub(crate) struct Summaries<V> {
    cases: BTreeMap<FuncId, Vec<Case<V>>>,
}

/// Calls with arguments of the same bounds.
struct Case<V> {
    arguments: Vec<Scalar<V>>,
    is_muted: bool,
    /// Steps that walks took.
    steps: u64,
    summary: Option<Summary<V>>,
}

/// A result over stand-ins.
#[derive(Clone)]
struct Summary<V> {
    formals: Vec<Scalar<V>>,
    result: Option<Scalar<V>>,
}

impl<V> Summaries<V> {
    pub(crate) fn new() -> Self {
        Summaries { cases: BTreeMap::new() }
    }
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// A call of a procedure: by its summary where there is one, else by a walk.
    pub(crate) fn procedure(
        &mut self,
        callee: FuncId,
        store: &mut Store<A::Value>,
        arguments: Vec<Passed<A::Value>>,
        span: Span,
    ) -> Walked<Option<Passed<A::Value>>> {
        let scalars: Option<Vec<Scalar<A::Value>>> = arguments.iter().map(plain).collect();
        let (Some(scalars), true) = (scalars, self.setup.facts.closed.contains(&callee)) else {
            return self.enter(callee, store, arguments, span);
        };
        let at = self.case(callee, &scalars);
        let known = at.map(|at| &self.summaries.cases[&callee][at]);
        if let Some(summary) = known.and_then(|case| case.summary.clone()) {
            return Ok(self.used(&summary, &scalars));
        }
        if known.is_some_and(|case| case.steps > WORTH)
            && let Some(formals) = self.formals(&scalars)
        {
            let passed = formals.iter().cloned().map(Passed::Scalar).collect();
            let result = match self.enter(callee, store, passed, span)? {
                None => None,
                Some(Passed::Scalar(result)) => Some(result),
                record @ Some(Passed::Record(_)) => return Ok(record),
            };
            let summary = Summary { formals, result };
            let used = self.used(&summary, &scalars);
            if let Some(case) = at.and_then(|at| self.summaries.cases.get_mut(&callee)?.get_mut(at)) {
                case.arguments.clone_from(&scalars);
                case.summary = Some(summary);
            }
            return Ok(used);
        }
        let before = self.steps;
        let result = self.enter(callee, store, arguments, span)?;
        if let (Some(at), Some(Passed::Scalar(_)) | None) = (at, &result)
            && let Some(case) = self.summaries.cases.get_mut(&callee).and_then(|cases| cases.get_mut(at))
        {
            case.steps += before - self.steps;
        }
        Ok(result)
    }

    /// The calls that are like this one; a new case if there are none yet.
    fn case(&mut self, callee: FuncId, arguments: &[Scalar<A::Value>]) -> Option<usize> {
        let is_muted = self.journal.is_muted;
        let algebra = &self.algebra;
        let cases = self.summaries.cases.entry(callee).or_default();
        let is_like = |case: &Case<A::Value>| {
            case.is_muted == is_muted && is_within(algebra, arguments, &case.arguments)
        };
        if let Some(found) = cases.iter().position(is_like) {
            return Some(found);
        }
        if cases.len() >= MOST_CASES {
            return None;
        }
        cases.push(Case { arguments: arguments.to_vec(), is_muted, steps: 0, summary: None });
        Some(cases.len() - 1)
    }

    /// Stand-ins; equal arguments have one. None: there are no summaries with these arguments.
    fn formals(&mut self, arguments: &[Scalar<A::Value>]) -> Option<Vec<Scalar<A::Value>>> {
        let mut made: Vec<Scalar<A::Value>> = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let formal = match argument {
                Scalar::Number(number) if number.constant.is_none() => {
                    let same = (0..index).find(|i| is_same(&arguments[*i], number));
                    match same {
                        Some(same) => made[same].clone(),
                        None => {
                            let value = self.algebra.formal(&number.value)?;
                            let bias = number.bias;
                            let shaped = Shaped::new(value, number.format, number.grid);
                            Scalar::Number(Shaped { bias, ..shaped })
                        }
                    }
                }
                other => other.clone(),
            };
            made.push(formal);
        }
        Some(made)
    }

    /// The result for these arguments.
    fn used(
        &mut self,
        summary: &Summary<A::Value>,
        arguments: &[Scalar<A::Value>],
    ) -> Option<Passed<A::Value>> {
        let pairs: Vec<Substituted<'_, A::Value>> = summary
            .formals
            .iter()
            .zip(arguments)
            .filter_map(|(formal, actual)| match (formal, actual) {
                (Scalar::Number(f), Scalar::Number(a)) if f.constant.is_none() => Some((&f.value, &a.value)),
                _ => None,
            })
            .collect();
        summary.result.as_ref().map(|result| {
            Passed::Scalar(match result {
                Scalar::Number(number) if number.constant.is_none() => {
                    let value = self.algebra.instance(&number.value, &pairs);
                    let shaped = Shaped::new(value, number.format, number.grid);
                    Scalar::Number(Shaped { bias: number.bias, ..shaped })
                }
                other => other.clone(),
            })
        })
    }
}

/// An argument that a summary can do with: numbers and integers.
fn plain<V: Clone>(passed: &Passed<V>) -> Option<Scalar<V>> {
    match passed {
        Passed::Scalar(scalar @ (Scalar::Int(..) | Scalar::Number(_))) => Some(scalar.clone()),
        _ => None,
    }
}

fn is_same<V>(one: &Scalar<V>, other: &Shaped<V>) -> bool {
    matches!(one, Scalar::Number(one) if one.id == other.id && one.constant.is_none())
}

/// Whether arguments lie within those of a case, which are not much wider and equal where they are equal.
fn is_within<A: Algebra>(algebra: &A, mine: &[Scalar<A::Value>], case: &[Scalar<A::Value>]) -> bool {
    let equals = |arguments: &[Scalar<A::Value>], i: usize, j: usize| match &arguments[j] {
        Scalar::Number(number) => is_same(&arguments[i], number),
        _ => false,
    };
    let pattern = (0..mine.len()).all(|j| (0..j).all(|i| equals(mine, i, j) == equals(case, i, j)));
    pattern
        && mine.len() == case.len()
        && mine.iter().zip(case).all(|(mine, case)| match (mine, case) {
            (Scalar::Int(a, b), Scalar::Int(c, d)) => (a, b) == (c, d),
            (Scalar::Number(a), Scalar::Number(b)) => {
                a.format == b.format
                    && a.grid == b.grid
                    && a.bias == b.bias
                    && a.constant == b.constant
                    && is_near(algebra.seen(&a.value), algebra.seen(&b.value))
            }
            _ => false,
        })
}

fn is_near(mine: Seen, case: Seen) -> bool {
    let near = |a: Interval, b: Interval| b.encloses(a) && b.width() <= a.width() * (1.0 + SLACK);
    near(mine.real, case.real) && near(mine.machine, case.machine) && near(mine.error, case.error)
}

/// The procedures that touch nothing but arguments, locals and constants, and call only such.
pub(crate) fn closed(program: &Program, setup: &Setup, written: &BTreeSet<GlobalId>) -> BTreeSet<FuncId> {
    let is_constant = |id: GlobalId| {
        let global = &program.globals[id];
        let is_input = setup.inputs.iter().any(|input| input.variable == Variable::Global(id));
        !is_input && (global.is_const || global.linkage == Linkage::Internal && !written.contains(&id))
    };
    let is_own = |place: &Place| match place.base {
        PlaceBase::Local(_) => true,
        PlaceBase::Global(id) => is_constant(id),
        PlaceBase::Deref(_) => false,
    };
    let mut calls: BTreeMap<FuncId, BTreeSet<FuncId>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        let statements = || body.blocks.iter().flat_map(|block| &block.statements);
        let is_plain = statements().all(|statement| match &statement.kind {
            StatementKind::Load { place, .. }
            | StatementKind::Store { place, .. }
            | StatementKind::Zero { place } => is_own(place),
            StatementKind::Copy { to, from, .. } => is_own(to) && is_own(from),
            StatementKind::Call(call) => {
                let is_value = |argument: &Argument| matches!(argument, Argument::Value(_));
                matches!(call.callee, Callee::Direct(_)) && call.arguments.iter().all(is_value)
            }
            _ => true,
        });
        let has_address = body.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::AddressOf(_)));
        if is_plain && !has_address {
            found.insert(id);
        }
        let callees = statements().filter_map(|statement| match &statement.kind {
            StatementKind::Call(call) => match call.callee {
                Callee::Direct(callee) if program.functions[callee].body.is_some() => Some(callee),
                _ => None,
            },
            _ => None,
        });
        calls.insert(id, callees.collect());
    }
    loop {
        let is_open = |id: &FuncId| calls[id].iter().any(|callee| !found.contains(callee));
        let Some(open) = found.iter().copied().find(is_open) else { return found };
        found.remove(&open);
    }
}
