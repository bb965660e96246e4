// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions of obligations written out as C, so that the compiled program itself says when one is violated: for what
//! no sanitizer looks at (unsigned wrap, conversions, a part of an object) or the compiler simplifies away.
//!
//! A violated condition calls `clew_violated` with the number of the obligation; whoever links the program defines it.

use std::fmt::Write;

use clew_base::float::Format;

use super::body::FunctionEmitter;
use super::names::int_name;
use super::put;
use crate::obligation::{Condition, Raise};
use crate::syntax::*;
use crate::types::{Class, int_bytes};

/// Whether the condition of an obligation can be said in C.
pub fn can_write(program: &Program, function: FuncId, obligation: ObligationId) -> bool {
    let Some(body) = program.functions.get(function).and_then(|f| f.body.as_ref()) else { return false };
    let Some(obligation) = body.obligations.get(obligation) else { return false };
    match &obligation.condition {
        Condition::Never | Condition::Holds(_) | Condition::NotNull(_) => true,
        Condition::NotRaised(raise, expr) => can_write_raise(program, body, *raise, *expr),
        // A part of an object; what lies outside the whole is for sanitizers, which do not take clew's word for its size.
        Condition::InBounds(place) => place.projections.iter().any(|step| bounded(step).is_some()),
        _ => false,
    }
}

/// Whether the program means the same on a machine whose pointers have another size: no pointer is kept in memory,
/// and nothing asks how the compiler passes arguments.
pub fn is_free_of_pointers(program: &Program) -> bool {
    let is_pointer = |place: &Place| program.types().class(place.ty) == Class::Pointer;
    let statements =
        program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|body| body.blocks.iter());
    let keeps_one = |statement: &Statement| match &statement.kind {
        StatementKind::Load { place, .. } | StatementKind::Store { place, .. } => is_pointer(place),
        StatementKind::Intrinsic(call) => {
            matches!(call.op, Intrinsic::VaStart | Intrinsic::VaArg(_) | Intrinsic::VaEnd | Intrinsic::VaCopy)
        }
        _ => false,
    };
    let mut inits = program.globals.iter().filter_map(|global| global.init.as_ref());
    !statements.flat_map(|block| &block.statements).any(keeps_one)
        && inits.all(|init| init.relocations.is_empty())
}

/// The index and the length of a step into an array whose length is known.
fn bounded(step: &Projection) -> Option<(ExprId, u64)> {
    match step {
        Projection::Index { index, length: Some(length), .. } => Some((*index, *length)),
        _ => None,
    }
}

fn float_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Sub => " - ",
        BinaryOp::Mul => " * ",
        _ => " / ",
    }
}

/// Whether an integer type is one that C has.
fn is_whole(bits: u16) -> bool {
    int_bytes(bits) * 8 == u64::from(bits)
}

fn can_write_raise(program: &Program, body: &Body, raise: Raise, expr: ExprId) -> bool {
    let types = program.types();
    let class = |id: ExprId| types.class(body.exprs[id].ty);
    let is_small = |id: ExprId| matches!(class(id), Class::Int(int) if is_whole(int.bits) && int.bits <= 64);
    // Half precision is computed in a wider type.
    let is_float = |id: ExprId| matches!(class(id), Class::Float(format) if format != Format::F16);
    let is_number = |id: ExprId| is_small(id) || is_float(id);
    match (raise, &body.exprs[expr].kind) {
        (
            Raise::SignedOverflow | Raise::UnsignedWrap | Raise::DivisionByZero | Raise::ShiftRange,
            ExprKind::Binary(_, left, right),
        ) => is_small(expr) && is_small(*left) && is_small(*right),
        (Raise::SignedOverflow | Raise::UnsignedWrap, ExprKind::Unary(UnaryOp::Neg, operand)) => {
            is_small(expr) && is_small(*operand)
        }
        (Raise::LossyConversion, ExprKind::Cast(operand)) => {
            let is_bool = matches!(program.types[body.exprs[expr].ty], Type::Bool);
            !is_bool && is_number(expr) && is_number(*operand)
        }
        (
            Raise::FloatOverflow | Raise::FloatUnderflow | Raise::FloatInvalid | Raise::FloatDivisionByZero,
            ExprKind::Binary(_, left, right),
        ) => is_float(*left) && is_float(*right),
        (Raise::FloatInvalid, ExprKind::Compare(op, left, right)) => {
            !matches!(op, CompareOp::Eq | CompareOp::Ne) && is_float(*left) && is_float(*right)
        }
        (Raise::FloatOverflow | Raise::FloatUnderflow, ExprKind::Cast(operand)) => {
            is_float(expr) && is_float(*operand)
        }
        _ => false,
    }
}

/// Follows a result; what follows it says whether the result is not exact where it is zero.
const TINY: &str = "; result ? result < smallest && result > -smallest : ";

impl FunctionEmitter<'_, '_> {
    /// Obligations of a check statement that are written out, with their numbers.
    pub(super) fn written(&self, first: ObligationId, count: u32) -> Vec<(usize, ObligationId)> {
        let is_here = |(function, id): &(FuncId, ObligationId)| {
            *function == self.id && (first.0..first.0 + count).contains(&id.0)
        };
        let all = self.emitter.written.iter().enumerate();
        all.filter(|(_, one)| is_here(one)).map(|(number, (_, id))| (number, *id)).collect()
    }

    /// `if (...) clew_violated(number);`
    pub(super) fn write_out(&mut self, number: usize, id: ObligationId) {
        let body = self.body;
        self.word("if (");
        match &body.obligations[id].condition {
            Condition::Never => self.word("1"),
            Condition::Holds(expr) | Condition::NotNull(expr) => {
                self.word("!");
                self.expr(*expr);
            }
            Condition::NotRaised(raise, expr) => self.raised(*raise, *expr),
            Condition::InBounds(place) => self.outside(place),
            _ => self.word("0"),
        }
        put!(self.emitter.out, ") clew_violated({number}); ");
    }

    fn raised(&mut self, raise: Raise, expr: ExprId) {
        let body = self.body;
        let result = body.exprs[expr].ty;
        match (raise, &body.exprs[expr].kind) {
            (Raise::SignedOverflow | Raise::UnsignedWrap, ExprKind::Binary(op, left, right)) => {
                self.unfit(result, *op, *left, *right);
            }
            (Raise::SignedOverflow | Raise::UnsignedWrap, ExprKind::Unary(_, operand)) => {
                let ty = self.emitter.c_type(result);
                put!(self.emitter.out, "__builtin_sub_overflow_p(({ty})0, ");
                self.expr(*operand);
                put!(self.emitter.out, ", ({ty})0)");
            }
            (Raise::DivisionByZero, ExprKind::Binary(_, _, right)) => {
                self.word("!");
                self.expr(*right);
            }
            (Raise::ShiftRange, ExprKind::Binary(op, left, right)) => self.unshiftable(*op, *left, *right),
            (Raise::LossyConversion, ExprKind::Cast(operand)) => self.changed(result, *operand),
            (_, ExprKind::Compare(_, left, right)) => {
                self.around("__builtin_isunordered(", *left, ", ", *right, ")")
            }
            (Raise::FloatUnderflow, ExprKind::Binary(op, left, right)) => {
                self.tiny(result, *op, *left, *right);
            }
            (Raise::FloatUnderflow, ExprKind::Cast(operand)) => self.tiny_cast(result, *operand),
            (_, ExprKind::Binary(op, left, right)) => self.float_raised(raise, *op, *left, *right),
            (_, ExprKind::Cast(operand)) => {
                let ty = self.emitter.c_type(result);
                put!(self.emitter.out, "__builtin_isinf(({ty})");
                self.expr(*operand);
                self.word(") && __builtin_isfinite(");
                self.expr(*operand);
                self.word(")");
            }
            _ => self.word("0"),
        }
    }

    fn around(&mut self, before: &str, left: ExprId, between: &str, right: ExprId, after: &str) {
        self.word(before);
        self.expr(left);
        self.word(between);
        self.expr(right);
        self.word(after);
    }

    /// The exact result of an integer operation does not fit.
    fn unfit(&mut self, ty: TypeId, op: BinaryOp, left: ExprId, right: ExprId) {
        let ty = self.emitter.c_type(ty);
        let name = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            _ => {
                put!(self.emitter.out, "__builtin_sub_overflow_p(({ty})0, ");
                return self.around("", left, &format!(", ({ty})0) && "), right, " == -1");
            }
        };
        self.around(&format!("__builtin_{name}_overflow_p("), left, ", ", right, &format!(", ({ty})0)"));
    }

    /// A shift is out of range, or a signed one to the left loses something.
    fn unshiftable(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let Class::Int(int) = self.emitter.program.types().class(self.body.exprs[left].ty) else {
            return self.word("0");
        };
        self.word("(i128)");
        self.around("", right, " < 0 || (i128)", right, &format!(" >= {}", int.bits));
        if op == BinaryOp::Shl && int.signed {
            let largest = int_name(int.bits, true);
            self.word(" || ");
            self.expr(left);
            self.around(" < 0 || (i128)", left, " << (u32)", right, &format!(" != ({largest})((i128)"));
            self.around("", left, " << (u32)", right, ")");
        }
    }

    /// A conversion changes the value.
    fn changed(&mut self, ty: TypeId, operand: ExprId) {
        let types = self.emitter.program.types();
        let (from, to) = (types.class(self.body.exprs[operand].ty), types.class(ty));
        let (source, target) = (self.emitter.c_type(self.body.exprs[operand].ty), self.emitter.c_type(ty));
        match (from, to) {
            (Class::Float(_), Class::Float(_)) => {
                self.around("", operand, " == ", operand, &format!(" && ({source})({target})"));
                self.around("", operand, " != ", operand, "");
            }
            (Class::Float(_), _) => {
                // Beyond 2^100 no integer type of C but the widest has the value.
                self.around("!(", operand, " > -0x1p100 && ", operand, " < 0x1p100 && ");
                self.around(&format!("({source})(i128)"), operand, " == ", operand, " && ");
                self.around(&format!("(i128)({target})(i128)"), operand, " == (i128)", operand, ")");
            }
            _ => self.around(&format!("(i128)({target})"), operand, " != (i128)", operand, ""),
        }
    }

    fn float_raised(&mut self, raise: Raise, op: BinaryOp, left: ExprId, right: ExprId) {
        let symbol = float_symbol(op);
        let finite = |this: &mut Self| {
            this.around(" && __builtin_isfinite(", left, ") && __builtin_isfinite(", right, ")");
        };
        match raise {
            Raise::FloatDivisionByZero => {
                self.around("", right, " == 0 && ", left, " != 0");
                finite(self);
            }
            Raise::FloatInvalid => {
                self.around("__builtin_isnan(", left, symbol, right, ") && !__builtin_isnan(");
                self.around("", left, ") && !__builtin_isnan(", right, ")");
            }
            _ => {
                self.around("__builtin_isinf(", left, symbol, right, ")");
                finite(self);
                if op == BinaryOp::Div {
                    self.word(" && ");
                    self.expr(right);
                    self.word(" != 0");
                }
            }
        }
    }

    /// The result is smaller than every normal number, and not because it is exactly zero.
    fn tiny(&mut self, result: TypeId, op: BinaryOp, left: ExprId, right: ExprId) {
        self.smallest(result);
        self.around("", left, float_symbol(op), right, TINY);
        match op {
            BinaryOp::Mul => self.around("", left, " != 0 && ", right, " != 0; })"),
            BinaryOp::Div => self.around("", left, " != 0 && __builtin_isfinite(", right, "); })"),
            // A sum that rounds to zero is zero.
            _ => self.word("0; })"),
        }
    }

    fn tiny_cast(&mut self, result: TypeId, operand: ExprId) {
        self.smallest(result);
        self.expr(operand);
        self.word(TINY);
        self.expr(operand);
        self.word(" != 0; })");
    }

    /// `({ const TYPE smallest = ...; const TYPE result = `
    fn smallest(&mut self, ty: TypeId) {
        let smallest = match self.emitter.program.types().class(ty) {
            Class::Float(Format::F32) => "__FLT_MIN__",
            Class::Float(Format::F64) => "__DBL_MIN__",
            Class::Float(Format::X87) => "__LDBL_MIN__",
            Class::Float(Format::F128) => "__FLT128_MIN__",
            _ => "0",
        };
        let ty = self.emitter.c_type(ty);
        put!(self.emitter.out, "({{ const {ty} smallest = {smallest}; const {ty} result = ");
    }

    /// The place reaches outside one of the arrays on its way.
    fn outside(&mut self, place: &Place) {
        self.word("0");
        for (index, length) in place.projections.iter().filter_map(bounded) {
            self.around(" || (i128)", index, " < 0 || (i128)", index, &format!(" >= {length}"));
        }
    }
}
