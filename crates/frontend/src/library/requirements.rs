// SPDX-License-Identifier: MIT OR Apache-2.0
//! What models ask of those who call them.
//!
//! A requirement is an obligation in a model that `__clew_require` wrote, by itself or in a macro. It may stand deep
//! inside: in a helper, or in another function of the library that the model calls. The caller is charged with
//! all of them, each with the argument of *its* call that the obligation speaks of, followed through the calls.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{
    Argument, Body, Callee, ExprId, ExprKind, FuncId, ObligationId, Program, StatementKind,
};

/// One thing that a library function asks of its caller.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Requirement {
    /// The check that a violation belongs to.
    pub check: CheckKind,
    /// The argument it speaks of, from 0, where it speaks of one.
    pub argument: Option<u32>,
}

/// What a library function asks of its caller: each requirement, with the obligations that must hold for it to be
/// met. One obligation may stand for several, where a model is called in several ways.
pub type Asked = BTreeMap<Requirement, BTreeSet<(FuncId, ObligationId)>>;

/// What a function asks of its caller.
pub(super) fn asked(program: &Program, function: FuncId) -> Asked {
    let arguments = program.functions[function].body.as_ref().map_or(0, |body| body.parameters);
    let mut search = Search { program, asked: Asked::new(), seen: BTreeSet::new(), open: Vec::new() };
    search.visit(function, (0..arguments).map(Some).collect());
    while let Some((function, given)) = search.open.pop() {
        search.body(function, &given);
    }
    search.asked
}

/// The obligations of a function that are requirements, each with the parameter of that function it speaks of.
pub(super) fn own(program: &Program, function: FuncId) -> Vec<(ObligationId, Requirement)> {
    let Some(body) = &program.functions[function].body else { return Vec::new() };
    let statements = body.blocks.iter().flat_map(|block| &block.statements);
    // Other checks belong to the model's own code, which no caller can do anything about.
    let checks = statements.filter_map(|statement| match statement.kind {
        StatementKind::Check { first, count } if is_requirement(program, statement.span) => {
            Some(first.0..first.0 + count)
        }
        _ => None,
    });
    let requirement = |id| {
        let obligation = &body.obligations[ObligationId(id)];
        let argument = argument(body, &obligation.condition);
        (ObligationId(id), Requirement { check: obligation.check, argument })
    };
    checks.flatten().map(requirement).collect()
}

/// For each parameter of a model, the argument of the program's call that it is.
type Given = Vec<Option<u32>>;

struct Search<'a> {
    program: &'a Program,
    asked: Asked,
    seen: BTreeSet<(FuncId, Given)>,
    open: Vec<(FuncId, Given)>,
}

impl Search<'_> {
    fn visit(&mut self, function: FuncId, given: Given) {
        let state = (function, given);
        if !self.seen.contains(&state) {
            self.seen.insert(state.clone());
            self.open.push(state);
        }
    }

    fn body(&mut self, function: FuncId, given: &Given) {
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return };
        let origin =
            |parameter: Option<u32>| parameter.and_then(|p| given.get(p as usize).copied().flatten());
        for (id, requirement) in own(program, function) {
            let requirement = Requirement { argument: origin(requirement.argument), ..requirement };
            self.asked.entry(requirement).or_default().insert((function, id));
        }
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            let StatementKind::Call(call) = &statement.kind else { continue };
            let Callee::Direct(callee) = call.callee else { continue };
            let passed = call.arguments.iter().map(|argument| match argument {
                Argument::Value(value) => origin(parameter(body, *value)),
                Argument::Object(_) => None,
            });
            self.visit(callee, passed.collect());
        }
    }
}

/// A macro may hold other code beside its requirements; what counts is what is spelled.
fn is_requirement(program: &Program, span: Span) -> bool {
    let spelled = program.sources.macro_use(span).map_or(span, |used| used.spelling);
    program.sources.text(spelled).starts_with(b"__clew_require")
}

/// The parameter that a condition speaks of first.
fn argument(body: &Body, condition: &Condition) -> Option<u32> {
    match condition {
        Condition::Holds(e)
        | Condition::NotNull(e)
        | Condition::Live(e)
        | Condition::AllocBase(e)
        | Condition::Valid(e)
        | Condition::Handle(e)
        | Condition::Lasting(e)
        | Condition::Callable(e)
        | Condition::NulWithin(e)
        | Condition::WrittenText(e)
        | Condition::WrittenRange(e, _)
        | Condition::ReadableRange(e, _)
        | Condition::WritableRange(e, _)
        | Condition::SameObject(e, _) => parameter(body, *e),
        _ => None,
    }
}

fn parameter(body: &Body, expr: ExprId) -> Option<u32> {
    match &body.exprs[expr].kind {
        ExprKind::Local(local) => (local.0 < body.parameters).then_some(local.0),
        ExprKind::Cast(inner) | ExprKind::Unary(_, inner) => parameter(body, *inner),
        ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
            parameter(body, *left).or_else(|| parameter(body, *right))
        }
        ExprKind::PointerAdd { pointer, .. } => parameter(body, *pointer),
        _ => None,
    }
}
