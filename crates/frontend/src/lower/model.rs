// SPDX-License-Identifier: MIT OR Apache-2.0
//! The intrinsics that library models are written in (`models/libc/clew.h`).
//!
//! `__clew_require("out-of-bounds", __clew_writable(to, n))` is an obligation of that check whose condition is in the
//! closed vocabulary; any other second argument must simply not be zero. The rest become IR intrinsics, so that no
//! engine walks byte loops.

use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, Condition, Obligation};
use clew_ir::syntax::{ExprId, HavocTarget, Intrinsic, StatementKind, TypeId};
use rucc_sema::{Conversion, ExprKind as C};

use super::build::{CExpr, FunctionLowering};
use super::expr::Value;

impl FunctionLowering<'_, '_> {
    /// A call of a model intrinsic, if it is one.
    pub(super) fn model_call(
        &mut self,
        callee: CExpr,
        args: &[CExpr],
        ty: TypeId,
        span: Span,
    ) -> Option<Value> {
        let name = self.intrinsic_name(callee)?;
        match (&*name, args) {
            ("__clew_require", [check, condition]) => self.require(*check, *condition, span),
            ("__clew_assume", [condition]) => {
                let value = self.scalar(*condition);
                let condition = self.truth(value, span);
                self.emit(StatementKind::Assume { condition }, span);
                Some(Value::None)
            }
            ("__clew_copy", [_, _, _]) => self.model_effect(Intrinsic::CopyBytes, args, span),
            ("__clew_fill", [_, _, _]) => self.model_effect(Intrinsic::FillBytes, args, span),
            ("__clew_havoc", [_, _]) => self.model_effect(Intrinsic::HavocBytes, args, span),
            ("__clew_came", [_, _, _, _, _]) => self.model_effect(Intrinsic::Came, args, span),
            ("__clew_likely", [_]) => self.model_effect(Intrinsic::Likely, args, span),
            ("__clew_release", [_]) => self.model_effect(Intrinsic::Release, args, span),
            ("__clew_nul_position", [_]) => self.model_value(Intrinsic::NulPosition, args, ty, span),
            ("__clew_object_size", [_]) => self.model_value(Intrinsic::SizeOfObject, args, ty, span),
            ("__clew_sqrt" | "__clew_sqrtf" | "__clew_sqrtl", [_]) => {
                self.model_value(Intrinsic::SquareRoot, args, ty, span)
            }
            ("__clew_fmod" | "__clew_fmodf" | "__clew_fmodl", [_, _]) => {
                self.model_value(Intrinsic::FloatRemainder, args, ty, span)
            }
            ("__clew_fma" | "__clew_fmaf" | "__clew_fmal", [_, _, _]) => {
                self.model_value(Intrinsic::MultiplyAdd, args, ty, span)
            }
            ("__clew_allocate", [_]) => self.model_value(Intrinsic::Allocate, args, ty, span),
            ("__clew_own", [_, _]) => self.model_value(Intrinsic::Own, args, ty, span),
            (nondet, []) if nondet.starts_with("__clew_nondet_") => {
                let local = self.temporary(ty, span);
                self.emit(StatementKind::Havoc { target: HavocTarget::Local(local) }, span);
                Some(Value::Scalar(self.local_value(local, span)))
            }
            _ => None,
        }
    }

    fn intrinsic_name(&self, callee: CExpr) -> Option<std::sync::Arc<str>> {
        match self.tast[callee].kind {
            C::Convert { kind: Conversion::FunctionDecay, operand } => self.intrinsic_name(operand),
            C::Decl(decl) => {
                let name = self.unit.unit.name(self.tast[decl].name?);
                name.starts_with("__clew_").then(|| name.into())
            }
            _ => None,
        }
    }

    fn model_effect(&mut self, op: Intrinsic, args: &[CExpr], span: Span) -> Option<Value> {
        let arguments = args.iter().map(|a| self.scalar(*a)).collect();
        self.intrinsic(op, arguments, None, span);
        Some(Value::None)
    }

    fn model_value(&mut self, op: Intrinsic, args: &[CExpr], ty: TypeId, span: Span) -> Option<Value> {
        let arguments = args.iter().map(|a| self.scalar(*a)).collect();
        Some(Value::Scalar(self.intrinsic_value(op, arguments, ty, span)))
    }

    fn require(&mut self, check: CExpr, condition: CExpr, span: Span) -> Option<Value> {
        let check = CheckKind::from_id(&self.string_text(check)?)?;
        let condition = match self.predicate(condition) {
            Some(condition) => condition,
            None => {
                let value = self.scalar(condition);
                Condition::Holds(self.truth(value, span))
            }
        };
        let first = self.body.obligations.push(Obligation { check, condition, span });
        self.emit(StatementKind::Check { first, count: 1 }, span);
        Some(Value::None)
    }

    /// A condition of the closed vocabulary, written as a call.
    fn predicate(&mut self, expr: CExpr) -> Option<Condition> {
        let mut inner = expr;
        while let C::Convert { operand, .. } | C::Cast(operand) = self.tast[inner].kind {
            inner = operand;
        }
        let C::Call { callee, args } = self.tast[inner].kind else { return None };
        let name = self.intrinsic_name(callee)?;
        let arguments: Vec<CExpr> = self.tast[args].to_vec();
        let arity = match &*name {
            "__clew_readable" | "__clew_writable" | "__clew_written" | "__clew_same_object" => 2,
            "__clew_disjoint" => 4,
            "__clew_not_null"
            | "__clew_nul_within"
            | "__clew_written_text"
            | "__clew_alloc_base"
            | "__clew_live"
            | "__clew_valid"
            | "__clew_handle"
            | "__clew_lasting"
            | "__clew_callable" => 1,
            _ => return None,
        };
        if arguments.len() != arity {
            return None;
        }
        let values: Vec<ExprId> = arguments.iter().map(|a| self.scalar(*a)).collect();
        match (&*name, values.as_slice()) {
            ("__clew_readable", &[p, n]) => Some(Condition::ReadableRange(p, n)),
            ("__clew_writable", &[p, n]) => Some(Condition::WritableRange(p, n)),
            ("__clew_same_object", &[p, q]) => Some(Condition::SameObject(p, q)),
            ("__clew_disjoint", &[p, n, q, m]) => Some(Condition::Disjoint { p, n, q, m }),
            ("__clew_written", &[p, n]) => Some(Condition::WrittenRange(p, n)),
            ("__clew_written_text", &[p]) => Some(Condition::WrittenText(p)),
            ("__clew_not_null", &[p]) => Some(Condition::NotNull(p)),
            ("__clew_nul_within", &[p]) => Some(Condition::NulWithin(p)),
            ("__clew_alloc_base", &[p]) => Some(Condition::AllocBase(p)),
            ("__clew_live", &[p]) => Some(Condition::Live(p)),
            ("__clew_valid", &[p]) => Some(Condition::Valid(p)),
            ("__clew_handle", &[p]) => Some(Condition::Handle(p)),
            ("__clew_lasting", &[p]) => Some(Condition::Lasting(p)),
            ("__clew_callable", &[p]) => Some(Condition::Callable(p)),
            _ => None,
        }
    }

    fn string_text(&self, expr: CExpr) -> Option<String> {
        match self.tast[expr].kind {
            C::Str(string) => Some(self.unit.text(string).to_string()),
            C::Convert { operand, .. } | C::Cast(operand) => self.string_text(operand),
            _ => None,
        }
    }
}
