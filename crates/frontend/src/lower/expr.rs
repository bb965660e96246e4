// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions as values.

use clew_base::source::Span;
use clew_ir::syntax::{ExprId, ExprKind, StatementKind, Type, TypeId};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Conversion, ExprKind as C, Stmt, StmtId};

use super::build::{CExpr, FunctionLowering};
use super::place::{Lvalue, Object, named};

/// What evaluating an expression gives.
#[derive(Clone)]
pub(super) enum Value {
    /// `void`.
    None,
    /// A scalar: a pure expression.
    Scalar(ExprId),
    /// A record or array: where it stands.
    Object(Object),
}

impl FunctionLowering<'_, '_> {
    /// A full expression evaluated for its effects.
    pub(super) fn full_effect(&mut self, expr: CExpr) {
        let mark = self.temporaries.len();
        self.begin_full(expr);
        self.effect(expr);
        self.effects.clear();
        let span = self.span_of(expr);
        self.end_temporaries(mark, span);
    }

    /// Evaluates for effects only; a call's result is not kept.
    pub(super) fn effect(&mut self, expr: CExpr) {
        match self.tast[expr].kind {
            C::Convert { kind: Conversion::Void, operand } => self.effect(operand),
            C::Cast(operand) if self.is_void(expr) => self.effect(operand),
            C::Call { callee, args } => {
                self.call(expr, callee, args, false);
            }
            C::Comma { lhs, rhs } => {
                self.sequenced_before(expr, lhs);
                self.effect(rhs);
            }
            C::Cond { cond, then, otherwise } => self.effect_of_choice(cond, then, otherwise),
            C::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => {
                let after = self.new_block();
                self.branch(expr, after, after);
                self.switch_to(after);
            }
            C::StmtExpr(stmt) => {
                self.statement_expression(stmt, false);
            }
            _ => {
                self.rvalue(expr);
            }
        }
    }

    fn is_void(&mut self, expr: CExpr) -> bool {
        let ty = self.unit.ty(self.tast[expr].ty);
        matches!(self.ir_type(ty), Type::Void)
    }

    /// A value of scalar type.
    pub(super) fn scalar(&mut self, expr: CExpr) -> ExprId {
        let span = self.span_of(expr);
        match self.rvalue(expr) {
            Value::Scalar(value) => value,
            Value::Object(_) | Value::None => {
                self.unsupported("a value of this type", span);
                self.zero_of(expr)
            }
        }
    }

    /// A zero in place of a value that cannot be computed.
    fn zero_of(&mut self, expr: CExpr) -> ExprId {
        let span = self.span_of(expr);
        let ty = self.unit.ty(self.tast[expr].ty);
        let scalar =
            matches!(self.ir_type(ty), Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Pointer(_));
        let ty = if scalar { ty } else { self.unit.known.int };
        self.zero(ty, span)
    }

    pub(super) fn rvalue(&mut self, expr: CExpr) -> Value {
        if let Some(&value) = self.pinned.get(&expr) {
            return Value::Scalar(value);
        }
        let node = self.tast[expr];
        let span = self.span_of(expr);
        match node.kind {
            C::Const(constant) => self.constant(constant, expr, span),
            C::Convert { kind, operand } => self.convert(expr, kind, operand, span),
            C::Cast(operand) => self.cast(expr, operand, true, span),
            C::Unary { op, operand } => self.unary(expr, op, operand, span),
            C::Binary { op, lhs, rhs } => self.binary(expr, op, lhs, rhs, span),
            C::Assign { op, computation, lhs, rhs } => self.assign(expr, op, computation, lhs, rhs, span),
            C::Cond { cond, then, otherwise } => self.choice(expr, cond, then, otherwise, span),
            C::Comma { lhs, rhs } => {
                self.sequenced_before(expr, lhs);
                self.rvalue(rhs)
            }
            C::Call { callee, args } => self.call(expr, callee, args, true),
            C::StmtExpr(stmt) => self.statement_expression(stmt, true),
            C::Decl(_) | C::Str(_) | C::Member { .. } | C::Subscript { .. } | C::CompoundLiteral(_) => {
                let lvalue = self.lvalue(expr);
                self.read(lvalue, false, span)
            }
            C::LabelAddr(label) => {
                let block = self.label_block(label);
                let landing = self.landing(block);
                let ty = self.unit.ty(node.ty);
                Value::Scalar(self.expr(ExprKind::Label(landing), ty, span))
            }
            _ => self.builtin(expr, span),
        }
    }

    fn convert(&mut self, expr: CExpr, kind: Conversion, operand: CExpr, span: Span) -> Value {
        match kind {
            Conversion::Lvalue => {
                let lvalue = self.lvalue(operand);
                self.read(lvalue, false, span)
            }
            Conversion::ArrayDecay => {
                let object = self.object_of(operand);
                let ty = self.unit.ty(self.tast[expr].ty);
                Value::Scalar(self.address(&object, ty, span))
            }
            Conversion::FunctionDecay => {
                let ty = self.unit.ty(self.tast[expr].ty);
                Value::Scalar(self.function_address(operand, ty, span))
            }
            Conversion::Void => {
                self.effect(operand);
                Value::None
            }
            Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool | Conversion::NullPointer => {
                self.cast(expr, operand, false, span)
            }
            Conversion::Broadcast => self.no_value(expr, "vector types", span),
            Conversion::Hardbool => self.no_value(expr, "`hardbool` types", span),
        }
    }

    /// An unsupported construct: said at its place, with a value to go on with.
    pub(super) fn no_value(&mut self, expr: CExpr, what: &str, span: Span) -> Value {
        self.unsupported(what, span);
        let ty = self.unit.ty(self.tast[expr].ty);
        match self.ir_type(ty) {
            Type::Void | Type::Function { .. } => Value::None,
            Type::Record(_) | Type::Array { .. } | Type::Opaque { .. } => {
                Value::Object(named(self.memory_temporary(ty, span)))
            }
            _ => Value::Scalar(self.zero(ty, span)),
        }
    }

    fn cast(&mut self, expr: CExpr, operand: CExpr, explicit: bool, span: Span) -> Value {
        if explicit {
            self.variable_lengths(self.tast[expr].ty);
        }
        let ty = self.unit.ty(self.tast[expr].ty);
        match *self.ir_type(ty) {
            Type::Void => {
                self.effect(operand);
                Value::None
            }
            Type::Record(_) | Type::Array { .. } => Value::Object(self.object_of(operand)),
            Type::Opaque { ref what, .. } => {
                let what = what.clone();
                self.effect(operand);
                self.no_value(expr, &what, span)
            }
            _ => {
                self.note_narrowing(expr, operand, explicit);
                let value = match self.rvalue(operand) {
                    Value::Scalar(value) => value,
                    Value::Object(object) => match self.ir_type(object.place.ty).clone() {
                        Type::Opaque { what, .. } => return self.no_value(expr, &what, span),
                        _ => return self.no_value(expr, "a conversion of this type", span),
                    },
                    Value::None => return self.no_value(expr, "a conversion of void", span),
                };
                Value::Scalar(self.convert_value(value, ty, explicit, span))
            }
        }
    }

    fn unary(&mut self, expr: CExpr, op: UnaryOp, operand: CExpr, span: Span) -> Value {
        match op {
            UnaryOp::Plus => self.rvalue(operand),
            UnaryOp::Minus | UnaryOp::BitNot => self.negate(expr, op, operand, span),
            UnaryOp::Not => Value::Scalar(self.logical_not(operand, span)),
            UnaryOp::Deref => {
                let lvalue = self.lvalue(expr);
                self.read(lvalue, false, span)
            }
            UnaryOp::AddrOf => Value::Scalar(self.address_of(expr, operand, span)),
            UnaryOp::PreInc => self.increment(operand, 1, false, span),
            UnaryOp::PreDec => self.increment(operand, -1, false, span),
            UnaryOp::PostInc => self.increment(operand, 1, true, span),
            UnaryOp::PostDec => self.increment(operand, -1, true, span),
            UnaryOp::Real | UnaryOp::Imag => self.no_value(expr, "complex numbers", span),
        }
    }

    fn logical_not(&mut self, operand: CExpr, span: Span) -> ExprId {
        let mut inner = operand;
        while let C::Convert { kind: Conversion::Bool, operand } = self.tast[inner].kind {
            inner = operand;
        }
        let logical =
            matches!(self.tast[inner].kind, C::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. });
        let value = if logical { self.logical_value(inner) } else { self.scalar(inner) };
        self.compare_with_zero(clew_ir::syntax::CompareOp::Eq, value, span)
    }

    fn address_of(&mut self, expr: CExpr, operand: CExpr, span: Span) -> ExprId {
        let ty = self.unit.ty(self.tast[expr].ty);
        match self.tast[operand].kind {
            // `&*p` is p and reads nothing.
            C::Unary { op: UnaryOp::Deref, operand: pointer } => {
                let value = self.scalar(pointer);
                self.coerce(value, ty, span)
            }
            C::Subscript { base, index } => {
                let object = self.subscript(base, index, true, span);
                self.address(&object, ty, span)
            }
            C::Decl(_) if self.is_function(operand) => self.function_address(operand, ty, span),
            _ => match self.lvalue(operand) {
                Lvalue::Memory(object) => self.address(&object, ty, span),
                Lvalue::Register(_) => {
                    self.unsupported("the address of a register", span);
                    self.zero(ty, span)
                }
            },
        }
    }

    fn is_function(&mut self, expr: CExpr) -> bool {
        rucc_types::is_function(&self.unit.unit.types, self.tast[expr].ty)
    }

    fn effect_of_choice(&mut self, cond: CExpr, then: CExpr, otherwise: CExpr) {
        let span = self.span_of(cond);
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.choose(cond, then, yes, no);
        for (block, arm) in [(yes, then), (no, otherwise)] {
            self.switch_to(block);
            self.effect(arm);
            self.goto(after, span);
        }
        self.switch_to(after);
    }

    /// Branches on the condition; GNU's `a ?: b` evaluates `a` once for both uses.
    fn choose(
        &mut self,
        cond: CExpr,
        then: CExpr,
        yes: clew_ir::syntax::BlockId,
        no: clew_ir::syntax::BlockId,
    ) {
        let mark = self.effects.mark();
        if let Some(shared) = self.shared_operand(cond, then) {
            let span = self.span_of(shared);
            let value = self.scalar(shared);
            let value = self.keep(value, span);
            self.pinned.insert(shared, value);
            let condition = self.truth(value, span);
            let terminator = clew_ir::syntax::Terminator::Branch { condition, then: yes, otherwise: no };
            self.terminate(terminator, span);
        } else {
            self.branch(cond, yes, no);
        }
        self.effects.settle(mark);
    }

    /// The node that condition and first arm share, if they do.
    fn shared_operand(&self, cond: CExpr, then: CExpr) -> Option<CExpr> {
        let strip = |mut expr: CExpr| {
            while let C::Convert { kind: Conversion::Bool, operand } = self.tast[expr].kind {
                expr = operand;
            }
            expr
        };
        let shared = strip(cond);
        let mut arm = then;
        loop {
            if arm == shared || arm == cond {
                return Some(arm);
            }
            match self.tast[arm].kind {
                C::Convert { operand, .. } | C::Cast(operand) => arm = operand,
                _ => return None,
            }
        }
    }

    fn choice(&mut self, expr: CExpr, cond: CExpr, then: CExpr, otherwise: CExpr, span: Span) -> Value {
        let ty = self.unit.ty(self.tast[expr].ty);
        if matches!(self.ir_type(ty), Type::Void) {
            self.effect_of_choice(cond, then, otherwise);
            return Value::None;
        }
        let aggregate = self.unit.is_aggregate(ty);
        let place = aggregate.then(|| self.memory_temporary(ty, span));
        let local = (!aggregate).then(|| self.temporary(ty, span));
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.choose(cond, then, yes, no);
        for (block, arm) in [(yes, then), (no, otherwise)] {
            self.switch_to(block);
            let at = self.span_of(arm);
            match (&place, local) {
                (Some(place), _) => {
                    let from = self.object_of(arm);
                    self.copy_object(named(place.clone()), from, at);
                }
                (None, Some(local)) => {
                    let value = self.scalar(arm);
                    let value = self.coerce(value, ty, at);
                    self.emit(StatementKind::Assign { local, value }, at);
                }
                (None, None) => {}
            }
            self.goto(after, span);
        }
        self.switch_to(after);
        match (place, local) {
            (Some(place), _) => Value::Object(named(place)),
            (None, Some(local)) => Value::Scalar(self.local_value(local, span)),
            (None, None) => Value::None,
        }
    }

    /// `({ ... })`: its value is copied out before its objects die.
    fn statement_expression(&mut self, stmt: StmtId, wanted: bool) -> Value {
        let span = self.unit.unit.span(self.tast.stmt_span(stmt));
        let Stmt::Block(list) = self.tast[stmt] else {
            self.stmt(stmt);
            return Value::None;
        };
        let outer = self.scope;
        let log = std::mem::take(&mut self.effects);
        let value = self.in_scope(span, |f| {
            let statements = &f.tast[list];
            f.declare_ahead(statements);
            let Some((&last, before)) = statements.split_last() else { return Value::None };
            before.iter().for_each(|s| f.stmt(*s));
            match wanted.then(|| f.labelled_expression(last)).flatten() {
                Some(expr) => f.copy_out(expr, outer),
                None => {
                    f.stmt(last);
                    Value::None
                }
            }
        });
        self.effects = log;
        value
    }

    /// The expression of a last statement, with the labels before it put in place.
    fn labelled_expression(&mut self, stmt: StmtId) -> Option<CExpr> {
        match self.tast[stmt] {
            Stmt::Expr(expr) => Some(expr),
            Stmt::Label { label, body } if self.ends_in_expression(body) => {
                let block = self.label_block(label);
                let span = self.unit.unit.span(self.tast.stmt_span(stmt));
                self.label_here(block, span);
                self.labelled_expression(body)
            }
            _ => None,
        }
    }

    fn ends_in_expression(&self, stmt: StmtId) -> bool {
        match self.tast[stmt] {
            Stmt::Expr(_) => true,
            Stmt::Label { body, .. } => self.ends_in_expression(body),
            _ => false,
        }
    }

    fn copy_out(&mut self, expr: CExpr, outer: super::scope::ScopeId) -> Value {
        let span = self.span_of(expr);
        match self.rvalue(expr) {
            Value::None => Value::None,
            Value::Scalar(value) => Value::Scalar(self.keep(value, span)),
            Value::Object(object) => {
                let inner = std::mem::replace(&mut self.scope, outer);
                let place = self.memory_temporary(object.place.ty, span);
                self.scope = inner;
                self.copy_object(named(place.clone()), object, span);
                Value::Object(named(place))
            }
        }
    }

    /// The value in another scalar type without any obligation: for types that differ in name only.
    pub(super) fn coerce(&mut self, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        if self.type_of(value) == ty { value } else { self.expr(ExprKind::Cast(value), ty, span) }
    }
}
