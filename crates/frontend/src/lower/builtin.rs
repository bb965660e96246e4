// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiler builtins that are computed in place.

use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{
    BinaryOp, Builtin, CallResult, CompareOp, ExprId, ExprKind, Intrinsic, IntrinsicCall, StatementKind,
    Terminator, Type, TypeId,
};
use rucc_sema::{BitCount, Classify, ExprKind as C, ExprList, FrameAsk, OverflowOp, Sign};

use super::build::{CExpr, FunctionLowering};
use super::expr::Value;

impl FunctionLowering<'_, '_> {
    pub(super) fn builtin(&mut self, expr: CExpr, span: Span) -> Value {
        let node = self.tast[expr];
        let ty = self.unit.ty(node.ty);
        if matches!(node.kind, C::Classify { .. } | C::FpClassify { .. } | C::Sign { .. }) {
            self.floats_here(span);
        }
        match node.kind {
            C::Classify { op, lhs, rhs } => self.classify(op, lhs, rhs, ty, span),
            C::FpClassify { value, answers } => self.fp_classify(value, answers, ty, span),
            C::Sign { op, lhs, rhs } => {
                let builtin = if op == Sign::Clear { Builtin::Fabs } else { Builtin::CopySign };
                let operands = [Some(lhs), rhs].into_iter().flatten();
                let operands = operands.map(|e| self.scalar(e)).collect();
                Value::Scalar(self.expr(ExprKind::Builtin(builtin, operands), ty, span))
            }
            C::Abs { operand } => {
                let value = self.scalar(operand);
                Value::Scalar(self.magnitude(value, ty, span))
            }
            C::ByteSwap { operand } => {
                let value = self.scalar(operand);
                let value = self.coerce(value, ty, span);
                Value::Scalar(self.expr(ExprKind::Builtin(Builtin::Bswap, vec![value]), ty, span))
            }
            C::BitCount { operand, count } => self.bit_count(operand, count, ty, span),
            C::Overflow { op, args, stores, .. } => self.overflow(op, args, stores, ty, span),
            C::Expect { value, hint, .. } => {
                let value = self.rvalue(value);
                if self.unit.scan.has_effects(hint) {
                    self.effect(hint);
                }
                value
            }
            C::Prefetch { address, .. } => {
                self.effect(address);
                Value::None
            }
            C::Unreachable => {
                // The machine goes on with what stands behind it: what is proved there rests on this.
                self.demand(&Operation::Unreachable, span);
                Value::None
            }
            C::Trap => {
                self.intrinsic(Intrinsic::Trap, Vec::new(), None, span);
                self.terminate(Terminator::Unreachable, span);
                Value::None
            }
            // At -O0 what is not a constant as written is not a constant.
            C::ConstantP { .. } => {
                let answer = self.int_const(0, ty, span);
                let answer = self.as_optimised(answer, ty, span);
                let answer = self.truth(answer, span);
                Value::Scalar(self.coerce(answer, ty, span))
            }
            C::FrameAddress { ask, .. } => {
                let op =
                    if ask == FrameAsk::Frame { Intrinsic::FrameAddress } else { Intrinsic::ReturnAddress };
                Value::Scalar(self.intrinsic_value(op, Vec::new(), ty, span))
            }
            C::ObjectSize { address, kind } => {
                let address = self.scalar(address);
                let kind = self.int_const(i128::from(kind & 3), self.unit.known.int, span);
                let answer = self.intrinsic_value(Intrinsic::ObjectSize, vec![address, kind], ty, span);
                Value::Scalar(self.as_optimised(answer, ty, span))
            }
            C::Alloca { size } => {
                let size = self.scalar(size);
                // Unlike an array, an alloca may have no bytes.
                let one = self.int_const(1, self.type_of(size), span);
                let some = self.expr(ExprKind::Binary(BinaryOp::Or, size, one), self.type_of(size), span);
                self.demand(&Operation::StackObject(some), span);
                Value::Scalar(self.intrinsic_value(Intrinsic::Alloca, vec![size], ty, span))
            }
            C::VaStart { .. } | C::VaEnd { .. } | C::VaCopy { .. } | C::VaArg { .. } => {
                self.variadic(expr, span)
            }
            C::Atomic { op, args, .. } => self.atomic(expr, op, args, ty, span),
            C::Complex { .. } => self.no_value(expr, "complex numbers", span),
            C::Shuffle { .. } | C::ShuffleVector { .. } | C::ConvertVector { .. } | C::Elementwise { .. } => {
                self.no_value(expr, "vector types", span)
            }
            C::Jump { .. } => self.no_value(expr, "`__builtin_setjmp` and `__builtin_longjmp`", span),
            _ => self.no_value(expr, "this compiler builtin", span),
        }
    }

    /// What gcc -O0 answers, or anything where the unit is compiled with more.
    pub(super) fn as_optimised(&mut self, answer: ExprId, ty: TypeId, span: Span) -> ExprId {
        match self.unit.unit.semantics.optimised {
            true => self.intrinsic_value(Intrinsic::Optimised, vec![answer], ty, span),
            false => answer,
        }
    }

    pub(super) fn intrinsic(
        &mut self,
        op: Intrinsic,
        arguments: Vec<ExprId>,
        result: Option<CallResult>,
        span: Span,
    ) {
        self.emit(StatementKind::Intrinsic(Box::new(IntrinsicCall { op, result, arguments })), span);
    }

    pub(super) fn intrinsic_value(
        &mut self,
        op: Intrinsic,
        arguments: Vec<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let local = self.temporary(ty, span);
        self.intrinsic(op, arguments, Some(CallResult::Local(local)), span);
        self.local_value(local, span)
    }

    fn classify(&mut self, op: Classify, lhs: CExpr, rhs: Option<CExpr>, ty: TypeId, span: Span) -> Value {
        let builtin = match op {
            Classify::Unordered => Builtin::IsUnordered,
            Classify::LessGreater => Builtin::IsLessGreater,
            Classify::Nan => Builtin::IsNan,
            Classify::Infinite => Builtin::IsInf,
            Classify::Finite => Builtin::IsFinite,
            Classify::Normal => Builtin::IsNormal,
            Classify::SignBit => Builtin::SignBit,
            Classify::InfiniteSign => Builtin::IsInfSign,
        };
        let mut operands = vec![self.scalar(lhs)];
        if let Some(rhs) = rhs {
            operands.push(self.scalar(rhs));
        }
        Value::Scalar(self.expr(ExprKind::Builtin(builtin, operands), ty, span))
    }

    fn fp_classify(&mut self, value: CExpr, answers: ExprList, ty: TypeId, span: Span) -> Value {
        let value = self.scalar(value);
        let value = self.keep(value, span);
        let answers: Vec<ExprId> = self.tast[answers].iter().copied().map(|a| self.scalar(a)).collect();
        let &[nan, infinite, normal, subnormal, zero] = answers.as_slice() else {
            return Value::Scalar(self.zero(ty, span));
        };
        let int = self.unit.known.int;
        let zero_value = self.zero(self.type_of(value), span);
        let is_zero = self.expr(ExprKind::Compare(CompareOp::Eq, value, zero_value), int, span);
        let mut answer = self.select(is_zero, zero, subnormal, ty, span);
        for (test, yes) in [(Builtin::IsNormal, normal), (Builtin::IsInf, infinite), (Builtin::IsNan, nan)] {
            let holds = self.expr(ExprKind::Builtin(test, vec![value]), int, span);
            answer = self.select(holds, yes, answer, ty, span);
        }
        Value::Scalar(answer)
    }

    fn select(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let then = self.coerce(then, ty, span);
        let otherwise = self.coerce(otherwise, ty, span);
        self.expr(ExprKind::Select { condition, then, otherwise }, ty, span)
    }

    /// `abs`: the most negative value has none.
    fn magnitude(&mut self, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        let value = self.coerce(value, ty, span);
        let zero = self.zero(ty, span);
        let negative = self.expr(ExprKind::Compare(CompareOp::Lt, value, zero), self.unit.known.int, span);
        let negated = self.negate_value(value, span);
        self.select(negative, negated, value, ty, span)
    }

    fn bit_count(&mut self, operand: CExpr, count: BitCount, ty: TypeId, span: Span) -> Value {
        let value = self.scalar(operand);
        let builtin = match count {
            BitCount::Leading => Builtin::Clz,
            BitCount::Trailing => Builtin::Ctz,
            BitCount::Ones => Builtin::Popcount,
            BitCount::Parity => Builtin::Parity,
            BitCount::FirstSet => Builtin::Ffs,
            BitCount::RedundantSign => Builtin::Clrsb,
        };
        if matches!(builtin, Builtin::Clz | Builtin::Ctz) {
            let zero = self.zero(self.type_of(value), span);
            let not_zero =
                self.expr(ExprKind::Compare(CompareOp::Ne, value, zero), self.unit.known.int, span);
            self.demand(&Operation::CountZero(not_zero), span);
        }
        Value::Scalar(self.expr(ExprKind::Builtin(builtin, vec![value]), ty, span))
    }

    fn overflow(&mut self, op: OverflowOp, args: ExprList, stores: bool, ty: TypeId, span: Span) -> Value {
        let &[left, right, third] = &self.tast[args] else { return Value::Scalar(self.zero(ty, span)) };
        let op = match op {
            OverflowOp::Add => BinaryOp::Add,
            OverflowOp::Sub => BinaryOp::Sub,
            OverflowOp::Mul => BinaryOp::Mul,
        };
        let left = self.scalar(left);
        let right = self.scalar(right);
        let (of, pointer) = if stores {
            let pointer = self.scalar(third);
            match *self.ir_type(self.type_of(pointer)) {
                Type::Pointer(to) => (to, Some(pointer)),
                _ => (self.unit.known.int, None),
            }
        } else {
            (self.unit.ty(self.tast[third].ty), None)
        };
        let int = self.unit.known.int;
        let flag = self.expr(ExprKind::Overflows { op, left, right, of }, int, span);
        let flag = self.keep(flag, span);
        if let Some(pointer) = pointer {
            // The stored value is the exact one wrapped: the same as operating in the wrapped type.
            let left = self.coerce(left, of, span);
            let right = self.coerce(right, of, span);
            let wrapped = self.expr(ExprKind::Binary(op, left, right), of, span);
            let wrapped = self.keep(wrapped, span);
            self.store_through(pointer, wrapped, span);
        }
        Value::Scalar(self.coerce(flag, ty, span))
    }
}
