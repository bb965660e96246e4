// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a segment of the program may do to what the rest of it sees. Slices rest on this: what is listed here is forgotten
//! where an execution steps over the segment, and everything else stays as it was.
//!
//! A segment that does more than compute, read, write and draw inputs is *barred*, and never stepped over: one that
//! allocates or frees, calls through pointers or calls what is not known, reads texts from outside. To end the program is
//! nothing that the rest sees: a run that does so is followed further than it goes.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::nondet::is_nondet_call;
use clew_ir::syntax::{
    Argument, Body, Call, CallResult, Callee, ExprId, ExprKind, FuncId, HavocTarget, Intrinsic,
    IntrinsicCall, LocalId, Place, PlaceBase, StatementKind, Terminator,
};

use super::survey::Survey;
use crate::exec::context::slice::Var;

/// What a segment may do.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Effects {
    /// What it may write.
    pub writes: BTreeSet<Var>,
    /// What decides whether runs go on: nothing is written, but something is learned.
    pub restricts: BTreeSet<Var>,
    /// Local objects whose life begins or ends.
    pub lives: BTreeSet<LocalId>,
    /// It may do something else.
    pub is_barred: bool,
}

impl Effects {
    /// One segment, then another.
    pub fn add(&mut self, other: Effects) {
        self.writes.extend(other.writes);
        self.restricts.extend(other.restricts);
        self.lives.extend(other.lives);
        self.is_barred |= other.is_barred;
    }

    /// What callers see of a function's: its own locals are gone when it returns.
    fn outside(self) -> Effects {
        let is_seen = |var: &Var| !matches!(var, Var::Local(..));
        let writes = self.writes.into_iter().filter(is_seen).collect();
        // Which arguments it looked at is not known any more; a caller takes it to be all.
        Effects { writes, restricts: self.restricts, lives: BTreeSet::new(), is_barred: self.is_barred }
    }
}

/// What a function without a body does that everybody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownEffect {
    /// It draws its value.
    Draws,
    /// Runs go on only if its argument is not zero.
    Assumes,
    /// The run ends.
    Ends,
}

impl KnownEffect {
    /// By its name. What `exit` does beyond that is asked for by programs that are not sliced.
    pub fn of(survey: &Survey<'_>, function: FuncId) -> Option<KnownEffect> {
        let declared = &survey.program.functions[function];
        let is_model = survey.models.contains(&function);
        match (&*declared.name, declared.body.is_some()) {
            ("exit", true) if is_model => Some(KnownEffect::Ends),
            // Executions know it by its name, whoever defines it.
            ("__clew_allocation_fails", _) => Some(KnownEffect::Draws),
            (_, true) => None,
            ("_exit" | "__VERIFIER_error" | "reach_error", false) => Some(KnownEffect::Ends),
            ("__VERIFIER_assume" | "__CPROVER_assume", false) => Some(KnownEffect::Assumes),
            _ => None,
        }
    }

    /// What a call does that everybody knows.
    pub fn of_call(survey: &Survey<'_>, body: &Body, callee: FuncId, call: &Call) -> Option<KnownEffect> {
        let declared = &survey.program.functions[callee];
        let passed = call.arguments.iter().map(|argument| match argument {
            Argument::Value(expr) => body.exprs[*expr].ty,
            Argument::Object(place) => place.ty,
        });
        let draws = declared.body.is_none() && is_nondet_call(survey.program, declared, passed);
        if draws { Some(KnownEffect::Draws) } else { KnownEffect::of(survey, callee) }
    }
}

/// What each function may do to its callers.
pub(crate) fn of_functions(survey: &Survey<'_>) -> BTreeMap<FuncId, Effects> {
    let mut all: BTreeMap<FuncId, Effects> =
        survey.functions.iter().map(|function| (*function, Effects::default())).collect();
    loop {
        let mut is_stable = true;
        for function in &survey.functions {
            let Some(body) = survey.body(*function) else { continue };
            let mut effects = Effects::default();
            for block in body.blocks.iter() {
                for statement in &block.statements {
                    effects.add(of_statement(survey, &all, (*function, body), &statement.kind));
                }
                effects.add(of_terminator(survey, *function, &block.terminator));
            }
            let effects = effects.outside();
            is_stable &= all.get(function) == Some(&effects);
            all.insert(*function, effects);
        }
        if is_stable {
            return all;
        }
    }
}

/// What a statement may do.
pub(crate) fn of_statement(
    survey: &Survey<'_>,
    all: &BTreeMap<FuncId, Effects>,
    (function, body): (FuncId, &Body),
    statement: &StatementKind,
) -> Effects {
    let mut effects = Effects::default();
    let local = |local: LocalId| Var::Local(function, local);
    match statement {
        // What is asked does nothing; nor do the marks around calls.
        StatementKind::Check { .. } | StatementKind::Unordered { .. } => {}
        StatementKind::Assign { local: to, .. }
        | StatementKind::Load { local: to, .. }
        | StatementKind::Havoc { target: HavocTarget::Local(to) } => drop(effects.writes.insert(local(*to))),
        StatementKind::Store { place, .. }
        | StatementKind::Zero { place }
        | StatementKind::Copy { to: place, .. } => {
            effects.writes.insert(written(function, body, place));
        }
        StatementKind::Havoc { target: HavocTarget::Place(place) } => {
            effects.writes.insert(written(function, body, place));
        }
        StatementKind::StorageLive { local: of, .. } | StatementKind::StorageDead { local: of } => {
            effects.lives.insert(*of);
        }
        StatementKind::Assume { condition } => {
            effects.restricts.extend(survey.locals(function, *condition).map(local));
        }
        StatementKind::Call(call) => effects = of_call(survey, all, (function, body), call),
        StatementKind::Intrinsic(call) => effects = of_intrinsic(survey, (function, body), call),
        StatementKind::Assembler { .. } | StatementKind::Unsupported { .. } => effects.is_barred = true,
    }
    effects
}

/// What a block's end may do, apart from where it leads: one side of a branch that only ends the run tells something.
pub(crate) fn of_terminator(survey: &Survey<'_>, function: FuncId, terminator: &Terminator) -> Effects {
    let is_barred = matches!(terminator, Terminator::ComputedGoto { .. });
    let mut effects = Effects { is_barred, ..Effects::default() };
    if survey.has_dead_end(function, terminator) {
        terminator.exprs(|expr| {
            let locals = survey.locals(function, expr);
            effects.restricts.extend(locals.map(|local| Var::Local(function, local)));
        });
    }
    effects
}

fn of_call(
    survey: &Survey<'_>,
    all: &BTreeMap<FuncId, Effects>,
    (function, body): (FuncId, &Body),
    call: &Call,
) -> Effects {
    let barred = Effects { is_barred: true, ..Effects::default() };
    let Callee::Direct(callee) = call.callee else { return barred };
    let mut effects = Effects::default();
    match KnownEffect::of_call(survey, body, callee, call) {
        Some(KnownEffect::Draws | KnownEffect::Ends) => {}
        Some(KnownEffect::Assumes) => effects.restricts.extend(arguments(survey, function, body, call)),
        None => match all.get(&callee) {
            Some(known) if fits(survey, callee, body, call) => {
                effects = known.clone();
                if !effects.restricts.is_empty() {
                    effects.restricts.retain(|var| !matches!(var, Var::Local(..)));
                    effects.restricts.extend(arguments(survey, function, body, call));
                }
            }
            _ => return barred,
        },
    }
    effects.writes.extend(result(function, body, call.result.as_ref()));
    effects
}

/// What the arguments of a call are made of.
fn arguments(survey: &Survey<'_>, function: FuncId, body: &Body, call: &Call) -> Vec<Var> {
    let mut found = Vec::new();
    for argument in &call.arguments {
        match argument {
            Argument::Value(expr) => {
                found.extend(survey.locals(function, *expr).map(|local| Var::Local(function, local)));
            }
            Argument::Object(place) => found.push(written(function, body, place)),
        }
    }
    found
}

/// Whether a call has the arguments that the function wants: executions do not follow others.
fn fits(survey: &Survey<'_>, callee: FuncId, body: &Body, call: &Call) -> bool {
    let types = survey.program.types();
    let Some(called) = survey.body(callee) else { return false };
    let parameters = called.locals.iter().take(called.parameters as usize);
    let passed = call.arguments.iter().map(|argument| match argument {
        Argument::Value(expr) => (body.exprs[*expr].ty, false),
        Argument::Object(place) => (place.ty, true),
    });
    call.arguments.len() >= called.parameters as usize
        && parameters.zip(passed).all(|(parameter, (ty, is_object))| {
            types.class(parameter.ty) == types.class(ty) && is_object != types.is_scalar(ty)
        })
}

fn of_intrinsic(survey: &Survey<'_>, (function, body): (FuncId, &Body), call: &IntrinsicCall) -> Effects {
    let mut effects = Effects::default();
    let is_model = survey.models.contains(&function);
    let target = || call.arguments.first().map_or(Var::Memory, |to| pointed(function, body, *to));
    match call.op {
        Intrinsic::CopyBytes | Intrinsic::FillBytes | Intrinsic::HavocBytes => {
            effects.writes.insert(target());
        }
        // Whether there is an argument of that type is asked of nobody: only our own code is known to be right.
        Intrinsic::VaStart | Intrinsic::VaArg(_) | Intrinsic::VaCopy if is_model => {
            effects.writes.insert(target());
        }
        Intrinsic::VaEnd if is_model => {}
        Intrinsic::NulPosition
        | Intrinsic::SizeOfObject
        | Intrinsic::SquareRoot
        | Intrinsic::FloatRemainder
        | Intrinsic::MultiplyAdd
        | Intrinsic::ObjectSize
        | Intrinsic::Optimised
        | Intrinsic::Likely
        | Intrinsic::Trap => {}
        _ => effects.is_barred = true,
    }
    effects.writes.extend(result(function, body, call.result.as_ref()));
    effects
}

fn result(function: FuncId, body: &Body, result: Option<&CallResult>) -> Option<Var> {
    result.map(|result| match result {
        CallResult::Local(local) => Var::Local(function, *local),
        CallResult::Place(place) => written(function, body, place),
    })
}

/// What holds a place. An access stays in the object that it starts from, or is the last thing that a run does.
pub(crate) fn written(function: FuncId, body: &Body, place: &Place) -> Var {
    match place.base {
        PlaceBase::Local(local) => Var::Local(function, local),
        PlaceBase::Global(global) => Var::Global(global),
        PlaceBase::Deref(pointer) => pointed(function, body, pointer),
    }
}

/// What a pointer leads to.
pub(crate) fn pointed(function: FuncId, body: &Body, pointer: ExprId) -> Var {
    match &body.exprs[pointer].kind {
        ExprKind::AddressOf(place) => written(function, body, place),
        ExprKind::PointerAdd { pointer, .. } => pointed(function, body, *pointer),
        _ => Var::Memory,
    }
}
