// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values, operations and types as messages write them.

use clew_base::float::{Float, Format};
use clew_ir::syntax::{BinaryOp, CompareOp, ExprKind, Type, TypeId, UnaryOp};

use crate::machine::Machine;
use crate::value::Value;

impl Machine<'_> {
    /// What is wrong with a shift.
    pub(super) fn shift_message(&self, operation: &str, ty: &str, operands: &[(Value, TypeId)]) -> String {
        let left = operands.first().map_or(0, |(value, _)| value.as_int());
        let count = operands.get(1).map_or(0, |(value, _)| value.as_int());
        let bits =
            operands.first().and_then(|(_, t)| self.program.types().int_type(*t)).map_or(0, |int| int.bits);
        if !(0..i128::from(bits)).contains(&count) {
            format!("{operation}: the count is not between 0 and {}", bits.saturating_sub(1))
        } else if left < 0 {
            format!("{operation}: the left operand is negative")
        } else {
            format!("{operation} does not fit {ty}")
        }
    }

    /// An operation with the values of its operands: `2147483647 + 1`.
    pub(super) fn operation_text(&self, kind: &ExprKind, operands: &[(Value, TypeId)]) -> String {
        let operand = |i: usize| operands.get(i).map_or(String::new(), |(value, ty)| self.show(*value, *ty));
        match kind {
            ExprKind::Unary(UnaryOp::Neg, _) => format!("-({})", operand(0)),
            ExprKind::Binary(op, ..) => format!("{} {} {}", operand(0), binary_sign(*op), operand(1)),
            ExprKind::Compare(op, ..) => format!("{} {} {}", operand(0), compare_sign(*op), operand(1)),
            _ => operand(0),
        }
    }

    /// A value as a message shows it.
    fn show(&self, value: Value, ty: TypeId) -> String {
        match value {
            Value::Unit => "nothing".into(),
            Value::Int(value) => match self.program.types().int_type(ty) {
                Some(int) => int.display(value).to_string(),
                None => value.to_string(),
            },
            Value::Float(float) => show_float(float),
            Value::Ptr(pointer) => format!("{:#x}", pointer.addr),
        }
    }

    /// A type as C writes it.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        let target = &self.program.target;
        match self.program.types().get(ty) {
            Type::Bool => "_Bool".into(),
            Type::Int { bits, signed } => {
                let name = match *bits {
                    8 => "char",
                    16 => "short",
                    bits if bits == u16::from(target.int_bits) => "int",
                    bits if bits == u16::from(target.long_bits) => "long",
                    64 => "long long",
                    128 => "__int128",
                    bits => return format!("{}_BitInt({bits})", if *signed { "" } else { "unsigned " }),
                };
                match (signed, bits) {
                    (true, 8) => "signed char".into(),
                    (true, _) => name.into(),
                    (false, _) => format!("unsigned {name}"),
                }
            }
            Type::Float(Format::F16) => "_Float16".into(),
            Type::Float(Format::F32) => "float".into(),
            Type::Float(Format::F64) => "double".into(),
            Type::Float(format) if *format == target.long_double => "long double".into(),
            Type::Float(_) => "_Float128".into(),
            Type::Pointer(_) => "a pointer".into(),
            Type::Record(record) => {
                let record = &self.program.records[*record];
                let kind = if record.is_union { "union" } else { "struct" };
                record.name.as_ref().map_or(format!("a {kind}"), |name| format!("{kind} {name}"))
            }
            _ => "the type".into(),
        }
    }
}

fn show_float(float: Float) -> String {
    let value = float.to_f64();
    if value != 0.0 && value.is_finite() && !(1e-5..1e17).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        format!("{value:?}")
    }
}

fn binary_sign(op: BinaryOp) -> &'static str {
    match op {
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
    }
}

fn compare_sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
