// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions and places. Every result is cast to its type, so that C's promotions do not show.

use std::fmt::Write;

use clew_base::float::Format;

use super::body::FunctionEmitter;
use super::names::int_name;
use super::put;
use crate::syntax::*;
use crate::types::{Class, int_bytes};

impl FunctionEmitter<'_, '_> {
    fn class_of(&self, id: ExprId) -> Class {
        self.emitter.program.types().class(self.body.exprs[id].ty)
    }

    /// The C type of an expression.
    fn type_of(&self, id: ExprId) -> String {
        self.emitter.c_type(self.body.exprs[id].ty)
    }

    pub(super) fn word(&mut self, text: &str) {
        self.emitter.out.push_str(text);
    }

    /// An expression, or the temporary that holds it.
    pub(super) fn expr(&mut self, id: ExprId) {
        if self.is_temporary(id) {
            put!(self.emitter.out, "t{}", id.0);
        } else {
            self.node(id);
        }
    }

    /// An expression in parentheses, with something before it.
    fn wrapped(&mut self, before: &str, id: ExprId) {
        self.word("(");
        self.word(before);
        self.expr(id);
        self.word(")");
    }

    pub(super) fn node(&mut self, id: ExprId) {
        let expr = &self.body.exprs[id];
        match &expr.kind {
            ExprKind::Int(value) => self.int_constant(expr.ty, *value),
            ExprKind::Float { bits, .. } => self.float_constant(expr.ty, *bits),
            ExprKind::Local(local) => put!(self.emitter.out, "l{}", local.0),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Function(function) => {
                put!(self.emitter.out, "((ptr){})", self.emitter.names.functions[*function]);
            }
            ExprKind::Label(block) => put!(self.emitter.out, "((ptr)&&{block})"),
            ExprKind::Unary(op, operand) => {
                let sign = if *op == UnaryOp::Neg { "-" } else { "~" };
                self.result(expr.ty, |this| this.wrapped(sign, *operand));
            }
            ExprKind::Binary(op, left, right) => {
                self.result(expr.ty, |this| this.binary(*op, *left, *right));
            }
            ExprKind::Compare(op, left, right) => self.compare(*op, *left, *right),
            ExprKind::Cast(operand) => self.cast(expr.ty, *operand),
            ExprKind::PointerAdd { pointer, index, stride } => {
                self.word("((ptr)((uptr)");
                self.expr(*pointer);
                self.word(" + (uptr)");
                self.expr(*index);
                put!(self.emitter.out, " * {stride}ULL))");
            }
            ExprKind::PointerDifference { left, right, stride } => {
                self.word("((i64)((iptr)((uptr)");
                self.expr(*left);
                self.word(" - (uptr)");
                self.expr(*right);
                put!(self.emitter.out, ") / {stride}LL))");
            }
            ExprKind::Overflows { op, left, right, of } => self.overflows(expr.ty, *op, *left, *right, *of),
            ExprKind::Builtin(builtin, operands) => {
                self.result(expr.ty, |this| this.builtin(*builtin, operands));
            }
            ExprKind::Select { condition, then, otherwise } => {
                self.word("(");
                self.expr(*condition);
                self.word(" ? ");
                self.expr(*then);
                self.word(" : ");
                self.expr(*otherwise);
                self.word(")");
            }
        }
    }

    /// Casts what the callback emits to a type, and cuts it to the type's bits where C has no such type.
    fn result(&mut self, ty: TypeId, emit: impl FnOnce(&mut Self)) {
        let c_type = self.emitter.c_type(ty);
        let cut = match self.emitter.program.types[ty] {
            Type::Int { bits, signed } => {
                Some((bits, signed)).filter(|(b, _)| int_bytes(*b) * 8 != u64::from(*b))
            }
            _ => None,
        };
        let Some((bits, signed)) = cut else {
            put!(self.emitter.out, "(({c_type})");
            emit(self);
            return self.word(")");
        };
        let slack = int_bytes(bits) * 8 - u64::from(bits);
        let unsigned = int_name(bits, false);
        let shifted = int_name(bits, signed);
        put!(self.emitter.out, "(({c_type})(({shifted})({unsigned})(({unsigned})");
        emit(self);
        put!(self.emitter.out, " << {slack}) >> {slack}))");
    }

    fn int_constant(&mut self, ty: TypeId, value: i128) {
        let c_type = self.emitter.c_type(ty);
        let bits = value as u128;
        if value.unsigned_abs() < 1 << 31 {
            put!(self.emitter.out, "(({c_type}){value})");
        } else if self.emitter.program.size_of(ty) <= 8 {
            put!(self.emitter.out, "(({c_type}){:#x}ULL)", bits as u64);
        } else {
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            put!(self.emitter.out, "(({c_type})((u128){high:#x}ULL << 64 | {low:#x}ULL))");
        }
    }

    /// A finite float as an exact hexadecimal literal, anything else by its bits.
    fn float_constant(&mut self, ty: TypeId, bits: u128) {
        let Some(format) = self.emitter.program.types().float_format(ty) else { return };
        let out = &mut self.emitter.out;
        let (mantissa_bits, exponent_bits, hidden) = match format {
            Format::F16 => (10, 5, true),
            Format::F32 => (23, 8, true),
            Format::F64 => (52, 11, true),
            Format::X87 => (63, 15, false),
            Format::F128 => (112, 15, true),
        };
        // The x87 format writes its leading bit; then it is part of the mantissa field.
        let field = if hidden { mantissa_bits } else { mantissa_bits + 1 };
        let mantissa = bits & ((1u128 << field) - 1);
        let exponent = (bits >> field) & ((1 << exponent_bits) - 1);
        let negative = (bits >> (field + exponent_bits)) & 1 == 1;
        let leading = mantissa >> 63 == 1;
        let usual = exponent != (1 << exponent_bits) - 1 && (hidden || leading == (exponent != 0));
        if usual && format != Format::F16 {
            let bias = (1i64 << (exponent_bits - 1)) - 1;
            let mantissa = if hidden && exponent != 0 { mantissa | 1 << field } else { mantissa };
            let exponent = (exponent as i64).max(1) - bias - i64::from(mantissa_bits);
            let suffix = match format {
                Format::F32 => "f",
                Format::X87 => "L",
                Format::F128 => "f128",
                _ => "",
            };
            let sign = if negative { "-" } else { "" };
            return put!(out, "({sign}{mantissa:#x}p{exponent}{suffix})");
        }
        let (high, low) = ((bits >> 64) as u64, bits as u64);
        match format {
            Format::F16 => put!(out, "clew_f16({low:#x})"),
            Format::F32 => put!(out, "clew_f32({low:#x}u)"),
            Format::F64 => put!(out, "clew_f64({low:#x}ull)"),
            Format::X87 => put!(out, "clew_x87({high:#x}, {low:#x}ull)"),
            Format::F128 => put!(out, "clew_f128({high:#x}ull, {low:#x}ull)"),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let symbol = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
        };
        let (Class::Int(int), BinaryOp::Shl | BinaryOp::Shr) = (self.class_of(left), op) else {
            self.word("(");
            self.expr(left);
            put!(self.emitter.out, " {symbol} ");
            self.expr(right);
            return self.word(")");
        };
        self.word("(");
        if op == BinaryOp::Shl {
            put!(self.emitter.out, "({})", int_name(int.bits, false));
        }
        self.expr(left);
        put!(self.emitter.out, " {symbol} ((u32)");
        self.expr(right);
        put!(self.emitter.out, " % {}))", int.bits);
    }

    fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId) {
        let symbol = match op {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        };
        let cast = if self.class_of(left) == Class::Pointer { "(uptr)" } else { "" };
        put!(self.emitter.out, "({cast}");
        self.expr(left);
        put!(self.emitter.out, " {symbol} {cast}");
        self.expr(right);
        self.word(")");
    }

    fn cast(&mut self, to: TypeId, operand: ExprId) {
        let from = self.class_of(operand);
        let to_class = self.emitter.program.types().class(to);
        let is_bool = matches!(self.emitter.program.types[to], Type::Bool);
        // Between pointers and integers, by way of an integer of pointer size.
        let step = match (from, to_class) {
            (Class::Pointer, Class::Int(_)) if !is_bool => "(uptr)",
            (Class::Int(_), Class::Pointer) => "(uptr)",
            _ => "",
        };
        self.result(to, |this| this.wrapped(step, operand));
    }

    fn overflows(&mut self, ty: TypeId, op: BinaryOp, left: ExprId, right: ExprId, of: TypeId) {
        let function = match op {
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            _ => "add",
        };
        let of = self.emitter.c_type(of);
        put!(self.emitter.out, "(({})__builtin_{function}_overflow_p(", self.emitter.c_type(ty));
        self.expr(left);
        self.word(", ");
        self.expr(right);
        put!(self.emitter.out, ", ({of})0))");
    }

    /// What stands behind the name of a function of floats for the type of this one.
    pub(super) fn float_suffix(&self, expr: ExprId) -> &'static str {
        match self.class_of(expr) {
            Class::Float(Format::F32 | Format::F16) => "f",
            Class::Float(Format::X87) => "l",
            Class::Float(Format::F128) => "f128",
            _ => "",
        }
    }

    fn builtin(&mut self, builtin: Builtin, operands: &[ExprId]) {
        let [first, rest @ ..] = operands else { return };
        if let Class::Int(int) = self.class_of(*first) {
            return self.bit_builtin(builtin, *first, int.bits);
        }
        let suffix = self.float_suffix(*first);
        let (name, suffix, truth) = match builtin {
            Builtin::IsNan => ("isnan", "", true),
            Builtin::IsInf => ("isinf", "", true),
            Builtin::IsInfSign => ("isinf_sign", "", false),
            Builtin::IsFinite => ("isfinite", "", true),
            Builtin::IsNormal => ("isnormal", "", true),
            Builtin::SignBit => ("signbit", "", true),
            Builtin::IsUnordered => ("isunordered", "", true),
            Builtin::IsLessGreater => ("islessgreater", "", true),
            Builtin::Fabs => ("fabs", suffix, false),
            _ => ("copysign", suffix, false),
        };
        put!(self.emitter.out, "(__builtin_{name}{suffix}(");
        self.expr(*first);
        for operand in rest {
            self.word(", ");
            self.expr(*operand);
        }
        self.word(if truth { ") != 0)" } else { "))" });
    }

    fn bit_builtin(&mut self, builtin: Builtin, operand: ExprId, bits: u16) {
        let unsigned = int_name(bits, false);
        // The operand without its sign: only its own bits.
        let plain = |this: &mut Self| {
            put!(this.emitter.out, "({unsigned})");
            this.expr(operand);
        };
        match builtin {
            Builtin::Clz | Builtin::Ctz => {
                self.word(if builtin == Builtin::Clz { "clew_clz(" } else { "clew_ctz(" });
                plain(self);
                put!(self.emitter.out, ", {bits})");
            }
            Builtin::Popcount => {
                self.word("clew_popcount(");
                plain(self);
                self.word(")");
            }
            Builtin::Parity => {
                self.word("(clew_popcount(");
                plain(self);
                self.word(") & 1)");
            }
            Builtin::Ffs => {
                self.word("(");
                self.expr(operand);
                self.word(" ? clew_ctz(");
                plain(self);
                put!(self.emitter.out, ", {bits}) + 1 : 0)");
            }
            Builtin::Clrsb => {
                put!(self.emitter.out, "clew_clrsb(({})", int_name(bits, true));
                self.expr(operand);
                put!(self.emitter.out, ", {bits})");
            }
            _ => {
                let name = match bits {
                    16 => "__builtin_bswap16(",
                    32 => "__builtin_bswap32(",
                    64 => "__builtin_bswap64(",
                    128 => "clew_bswap128(",
                    _ => "(",
                };
                self.word(name);
                plain(self);
                self.word(")");
            }
        }
    }

    /// The address of a place, of type `ptr`.
    pub(super) fn address(&mut self, place: &Place) {
        let steps = !place.projections.is_empty();
        if steps {
            self.word("((ptr)((uptr)");
        }
        match place.base {
            PlaceBase::Local(local) => {
                let name = self.memory_name(local);
                self.word(&name);
            }
            PlaceBase::Global(global) => {
                put!(self.emitter.out, "((ptr)&{})", self.emitter.names.globals[global]);
            }
            PlaceBase::Deref(pointer) => self.expr(pointer),
        }
        let mut constant = 0u64;
        for step in &place.projections {
            match step {
                Projection::Field { record, field } => {
                    let offset = self.emitter.program.records[*record].fields[*field as usize].offset;
                    constant = constant.wrapping_add(offset);
                }
                Projection::Index { index, stride, .. } => {
                    if let ExprKind::Int(value) = self.body.exprs[*index].kind {
                        constant = constant.wrapping_add((value as u64).wrapping_mul(*stride));
                        continue;
                    }
                    self.word(" + (uptr)");
                    self.expr(*index);
                    put!(self.emitter.out, " * {stride}ULL");
                }
            }
        }
        if constant != 0 {
            put!(self.emitter.out, " + {constant}ULL");
        }
        if steps {
            self.word("))");
        }
    }

    /// A scalar in memory as an lvalue.
    pub(super) fn lvalue(&mut self, place: &Place, flags: AccessFlags) {
        let access = self.emitter.access_type(place.ty);
        let volatile = if flags.volatile { "volatile " } else { "" };
        put!(self.emitter.out, "*({volatile}{access} *)");
        self.address(place);
    }

    /// A record in memory as an lvalue.
    pub(super) fn object(&mut self, place: &Place) {
        put!(self.emitter.out, "*({} *)", self.emitter.c_type(place.ty));
        self.address(place);
    }

    /// What a load reads.
    pub(super) fn load(&mut self, place: &Place, flags: AccessFlags) {
        let Some(bits) = self.emitter.program.types().bit_range(place) else {
            return self.lvalue(place, flags);
        };
        let signed = self.emitter.program.types().int_type(place.ty).is_some_and(|t| t.signed);
        let name = if signed { "clew_get_signed_bits" } else { "clew_get_bits" };
        put!(self.emitter.out, "({}){name}(", self.emitter.c_type(place.ty));
        self.address(place);
        put!(self.emitter.out, ", {}, {})", bits.start, bits.width);
    }

    /// Declares a temporary for an expression.
    pub(super) fn temporary(&mut self, id: ExprId) {
        put!(self.emitter.out, "{} t{} = ", self.type_of(id), id.0);
        self.node(id);
        self.word("; ");
    }
}
