// SPDX-License-Identifier: MIT OR Apache-2.0
//! One walk over all expressions of a unit before lowering: which objects have their address taken, and which
//! expressions contain calls or other effects. An operand stands before its user in the arena, so one pass does it.

use rucc_ast::UnaryOp;
use rucc_sema::{AtomicOp, DeclId, ExprId, ExprKind, Tast};
use rustc_hash::FxHashSet;

/// What the walk found.
pub(super) struct Scan {
    addressed: FxHashSet<DeclId>,
    facts: Vec<Facts>,
}

#[derive(Clone, Copy, Default)]
struct Facts {
    calls: bool,
    /// A call of a function that has not promised to change nothing (`pure`, `const`).
    impure: bool,
    effects: bool,
    /// Some operand has effects, so that order inside the expression may matter.
    nested: bool,
    /// A statement expression.
    statements: bool,
    /// A sequence `a, b` whose `a` has effects.
    sequences: bool,
}

impl Scan {
    pub(super) fn new(tast: &Tast) -> Scan {
        let count = tast.counts().exprs;
        let mut scan = Scan { addressed: FxHashSet::default(), facts: vec![Facts::default(); count] };
        for index in 0..count {
            let id = ExprId::from_usize(index);
            scan.visit(tast, id);
        }
        scan
    }

    /// Whether `&x` occurs, or something else that needs the object in memory.
    pub(super) fn is_addressed(&self, decl: DeclId) -> bool {
        self.addressed.contains(&decl)
    }

    /// Marks an object as needing memory.
    pub(super) fn mark_addressed(&mut self, decl: DeclId) {
        self.addressed.insert(decl);
    }

    /// Whether evaluating the expression calls a function.
    pub(super) fn has_calls(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].calls
    }

    /// Whether evaluating the expression calls a function that may change something.
    pub(super) fn has_impure_calls(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].impure
    }

    /// Whether evaluating the expression changes anything.
    pub(super) fn has_effects(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].effects
    }

    /// Whether an operand of the expression changes something, so that C's rules about order matter.
    pub(super) fn has_nested_effects(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].nested
    }

    /// Whether the expression has a statement expression in it.
    pub(super) fn has_statements(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].statements
    }

    /// Whether the expression has a sequence in it whose first part changes something.
    pub(super) fn has_sequences(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].sequences
    }

    fn visit(&mut self, tast: &Tast, id: ExprId) {
        let mut facts = Facts::default();
        match tast[id].kind {
            ExprKind::Unary { op: UnaryOp::AddrOf | UnaryOp::Real | UnaryOp::Imag, operand } => {
                self.address_of(tast, operand);
            }
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                ..
            }
            | ExprKind::Assign { .. }
            | ExprKind::VaArg { .. }
            | ExprKind::Overflow { .. } => facts.effects = true,
            ExprKind::Atomic { op, .. } => facts.effects = op != AtomicOp::Load,
            ExprKind::Call { callee, .. } => {
                let impure = !is_pure(tast, callee);
                facts = Facts { calls: true, impure, effects: true, ..Facts::default() };
            }
            ExprKind::StmtExpr(_) => {
                facts =
                    Facts { calls: true, impure: true, effects: true, statements: true, ..Facts::default() }
            }
            _ => {}
        }
        for_each_operand(tast, id, |operand| {
            let of = self.facts[operand.index()];
            facts.calls |= of.calls;
            facts.impure |= of.impure;
            facts.effects |= of.effects;
            facts.nested |= of.effects;
            facts.statements |= of.statements;
            facts.sequences |= of.sequences;
        });
        if let ExprKind::Comma { lhs, .. } = tast[id].kind {
            facts.sequences |= self.facts[lhs.index()].effects;
        }
        self.facts[id.index()] = facts;
    }

    fn address_of(&mut self, tast: &Tast, expr: ExprId) {
        match tast[expr].kind {
            ExprKind::Decl(decl) | ExprKind::CompoundLiteral(decl) => self.mark_addressed(decl),
            ExprKind::Member { base, .. } => self.address_of(tast, base),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => self.address_of(tast, operand),
            _ => {}
        }
    }
}

/// Whether the callee is a function declared to change nothing.
fn is_pure(tast: &Tast, callee: ExprId) -> bool {
    match tast[callee].kind {
        ExprKind::Decl(decl) => tast[decl].effects.promised(),
        ExprKind::Convert { operand, .. } => is_pure(tast, operand),
        _ => false,
    }
}

/// Calls `visit` for each direct operand of an expression.
pub(super) fn for_each_operand(tast: &Tast, id: ExprId, mut visit: impl FnMut(ExprId)) {
    match tast[id].kind {
        ExprKind::Member { base: a, .. }
        | ExprKind::Unary { operand: a, .. }
        | ExprKind::Cast(a)
        | ExprKind::Convert { operand: a, .. }
        | ExprKind::VaArg { list: a }
        | ExprKind::VaStart { list: a }
        | ExprKind::VaEnd { list: a }
        | ExprKind::Abs { operand: a }
        | ExprKind::ByteSwap { operand: a }
        | ExprKind::BitCount { operand: a, .. }
        | ExprKind::ObjectSize { address: a, .. }
        | ExprKind::Prefetch { address: a, .. }
        | ExprKind::Alloca { size: a }
        | ExprKind::ConvertVector { operand: a } => visit(a),
        ExprKind::Subscript { base: a, index: b }
        | ExprKind::Binary { lhs: a, rhs: b, .. }
        | ExprKind::Assign { lhs: a, rhs: b, .. }
        | ExprKind::Comma { lhs: a, rhs: b }
        | ExprKind::VaCopy { dst: a, src: b }
        | ExprKind::Expect { value: a, hint: b, .. }
        | ExprKind::Complex { real: a, imag: b } => {
            visit(a);
            visit(b);
        }
        ExprKind::Cond { cond, then, otherwise } => {
            visit(cond);
            visit(then);
            visit(otherwise);
        }
        ExprKind::Classify { lhs, rhs, .. }
        | ExprKind::Sign { lhs, rhs, .. }
        | ExprKind::Elementwise { lhs, rhs, .. } => {
            visit(lhs);
            rhs.into_iter().for_each(visit);
        }
        ExprKind::Call { callee, args } => {
            visit(callee);
            tast[args].iter().copied().for_each(visit);
        }
        ExprKind::FpClassify { value, answers } => {
            visit(value);
            tast[answers].iter().copied().for_each(visit);
        }
        ExprKind::CompoundLiteral(decl) => {
            crate::tree::initialiser_values(tast, decl).for_each(visit);
        }
        ExprKind::Overflow { args, .. } | ExprKind::Atomic { args, .. } => {
            tast[args].iter().copied().for_each(visit)
        }
        _ => {}
    }
}
