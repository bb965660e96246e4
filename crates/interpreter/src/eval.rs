// SPDX-License-Identifier: MIT OR Apache-2.0
//! The exact meaning of every expression node, in terms of `base`. Slow paths use it; fast paths must agree with it.

use std::cmp::Ordering;

use clew_base::float::{Class as FloatClass, Flags, Float, Rounding};
use clew_base::int::{ArithOp, IntType, overflows};
use clew_ir::obligation::Raise;
use clew_ir::syntax::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, TypeId, UnaryOp};
use clew_ir::types::{Class, Types};

use crate::memory::Memory;
use crate::value::{Pointer, Value};

/// How floats round. Programs that change it are told so by the library.
const ROUND: Rounding = Rounding::NearestEven;

/// What a node is evaluated in.
pub struct Context<'a> {
    /// Questions about types.
    pub types: Types<'a>,
    /// For casts between pointers and integers.
    pub memory: &'a mut Memory,
}

impl Context<'_> {
    /// The value of a node from those of its operands (in the order of `Expr::operands`) and their types. Leaves and
    /// addresses are not nodes in this sense: they give `Unit`.
    pub fn node(&mut self, expr: &Expr, operands: &[(Value, TypeId)]) -> Value {
        let operand = |i: usize| operands.get(i).map_or(Value::Unit, |(value, _)| *value);
        let operand_type = |i: usize| operands.get(i).map_or(expr.ty, |(_, ty)| *ty);
        match &expr.kind {
            ExprKind::Int(value) if self.types.is_pointer(expr.ty) => {
                Value::Ptr(Pointer { addr: *value as u64, prov: Default::default() })
            }
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float { bits, .. } => match self.types.float_format(expr.ty) {
                Some(format) => Value::Float(Float::from_bits(format, *bits)),
                None => Value::Unit,
            },
            ExprKind::Local(_) | ExprKind::AddressOf(_) | ExprKind::Function(_) | ExprKind::Label(_) => {
                Value::Unit
            }
            ExprKind::Unary(op, _) => self.unary(*op, expr.ty, operand(0)),
            ExprKind::Binary(op, _, _) => {
                self.binary(*op, expr.ty, operand(0), (operand(1), operand_type(1))).0
            }
            ExprKind::Compare(op, _, _) => {
                Value::Int(i128::from(self.compare(*op, operand_type(0), operand(0), operand(1))))
            }
            ExprKind::Cast(_) => self.cast(operand(0), operand_type(0), expr.ty).0,
            ExprKind::PointerAdd { stride, .. } => {
                let bytes = (operand(1).as_int() as u64).wrapping_mul(*stride);
                Value::Ptr(self.wrap_pointer(operand(0).as_ptr().add(bytes)))
            }
            ExprKind::PointerDifference { stride, .. } => {
                let distance = operand(0).as_ptr().addr.wrapping_sub(operand(1).as_ptr().addr) as i64;
                Value::Int(i128::from(distance.wrapping_div((*stride).max(1) as i64)))
            }
            ExprKind::Overflows { op, of, .. } => {
                let side = |i: usize| {
                    (operand(i).as_int(), self.types.int_type(operand_type(i)).unwrap_or(IntType::I64))
                };
                let of = self.types.int_type(*of).unwrap_or(IntType::I64);
                Value::Int(arith(*op).map_or(0, |op| i128::from(overflows(op, side(0), side(1), of).1)))
            }
            ExprKind::Builtin(builtin, _) => self.builtin(*builtin, operand_type(0), operand(0), operand(1)),
            ExprKind::Select { .. } => {
                if operand(0).as_int() != 0 {
                    operand(1)
                } else {
                    operand(2)
                }
            }
        }
    }

    /// Whether a node raises something, given its operands.
    pub fn raises(&mut self, raise: Raise, expr: &Expr, operands: &[(Value, TypeId)]) -> bool {
        let operand = |i: usize| operands.get(i).map_or(Value::Unit, |(value, _)| *value);
        let operand_type = |i: usize| operands.get(i).map_or(expr.ty, |(_, ty)| *ty);
        let raised = match &expr.kind {
            ExprKind::Unary(UnaryOp::Neg, _) => match (self.types.int_type(expr.ty), operand(0)) {
                (Some(int), Value::Int(value)) => Raised { overflow: int.neg(value).1, ..Raised::default() },
                _ => Raised::default(),
            },
            ExprKind::Binary(op, _, _) => {
                self.binary(*op, expr.ty, operand(0), (operand(1), operand_type(1))).1
            }
            ExprKind::Compare(op, _, _) => self.compare_raises(*op, operand(0), operand(1)),
            ExprKind::Cast(_) => self.cast(operand(0), operand_type(0), expr.ty).1,
            _ => Raised::default(),
        };
        match raise {
            Raise::SignedOverflow | Raise::UnsignedWrap => raised.overflow,
            Raise::DivisionByZero => raised.zero,
            Raise::ShiftRange => raised.shift,
            Raise::LossyConversion => raised.lossy,
            Raise::FloatToInt => raised.unfit,
            Raise::FloatOverflow => raised.flags.contains(Flags::OVERFLOW),
            Raise::FloatUnderflow => raised.flags.contains(Flags::TINY),
            Raise::FloatDivisionByZero => raised.flags.contains(Flags::DIV_BY_ZERO),
            // Ordering is what a NaN must not be used for; elsewhere a NaN that comes of a NaN is no fault of this node's.
            Raise::FloatInvalid => {
                let is_nan =
                    |(value, _): &(Value, TypeId)| matches!(value, Value::Float(float) if float.is_nan());
                let orders = matches!(expr.kind, ExprKind::Compare(..));
                raised.flags.contains(Flags::INVALID) && (orders || !operands.iter().any(is_nan))
            }
        }
    }

    /// Addresses wrap at the size of a pointer.
    fn wrap_pointer(&self, pointer: Pointer) -> Pointer {
        let bits = u32::from(self.types.target.pointer_bytes) * 8;
        Pointer { addr: if bits < 64 { pointer.addr & ((1 << bits) - 1) } else { pointer.addr }, ..pointer }
    }

    fn unary(&self, op: UnaryOp, ty: TypeId, value: Value) -> Value {
        match (op, value) {
            (UnaryOp::Neg, Value::Float(float)) => Value::Float(-float),
            (_, value) => {
                let int = self.types.int_type(ty).unwrap_or(IntType::I64);
                Value::Int(match op {
                    UnaryOp::Neg => int.neg(value.as_int()).0,
                    UnaryOp::Not => int.not(value.as_int()),
                })
            }
        }
    }

    fn binary(&self, op: BinaryOp, ty: TypeId, left: Value, right: (Value, TypeId)) -> (Value, Raised) {
        match (self.types.class(ty), left) {
            (Class::Float(format), _) => float_binary(op, left.as_float(format), right.0.as_float(format)),
            (_, left) => {
                let int = self.types.int_type(ty).unwrap_or(IntType::I64);
                // The count of a shift has its own type, whose large values are out of range whatever their sign.
                int_binary(op, int, left.as_int(), right.0.as_int())
            }
        }
    }

    fn compare(&self, op: CompareOp, ty: TypeId, left: Value, right: Value) -> bool {
        let order = match (left, right) {
            (Value::Float(left), Value::Float(right)) => left.compare(right),
            (Value::Ptr(left), Value::Ptr(right)) => Some(left.addr.cmp(&right.addr)),
            (left, right) => {
                let int = self.types.int_type(ty).unwrap_or(IntType::I64);
                Some(int.compare(left.as_int(), right.as_int()))
            }
        };
        match op {
            CompareOp::Eq => order == Some(Ordering::Equal),
            CompareOp::Ne => order != Some(Ordering::Equal),
            CompareOp::Lt => order == Some(Ordering::Less),
            CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            CompareOp::Gt => order == Some(Ordering::Greater),
            CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }

    fn compare_raises(&self, op: CompareOp, left: Value, right: Value) -> Raised {
        let (Value::Float(left), Value::Float(right)) = (left, right) else { return Raised::default() };
        let flags = match op {
            CompareOp::Eq | CompareOp::Ne => left.compare_quiet(right).1,
            _ => left.compare_ordered(right).1,
        };
        Raised { flags, ..Raised::default() }
    }

    fn cast(&mut self, value: Value, from: TypeId, to: TypeId) -> (Value, Raised) {
        let none = Raised::default();
        let to_bool = matches!(self.types.get(to), clew_ir::syntax::Type::Bool);
        match (value, self.types.class(to)) {
            (_, Class::Void) => (Value::Unit, none),
            (Value::Float(float), _) if to_bool => (Value::Int(i128::from(!float.is_zero())), none),
            (value, _) if to_bool => (Value::Int(i128::from(value.as_int() != 0)), none),
            (Value::Float(float), Class::Float(format)) => {
                let (result, flags) = float.convert(format, ROUND);
                let lossy = flags.contains(Flags::INEXACT);
                (Value::Float(result), Raised { flags, lossy, ..none })
            }
            (Value::Float(float), Class::Int(int)) => {
                let (result, unfit) = match float.to_int(int) {
                    Ok(value) => (value, false),
                    Err(_) => (float.to_int_x86(int).0, true),
                };
                (Value::Int(result), Raised { unfit, lossy: unfit || !float.is_integral(), ..none })
            }
            (Value::Float(_), _) => (value, none),
            (Value::Ptr(_), Class::Pointer) => (value, none),
            (Value::Ptr(pointer), Class::Int(int)) => {
                self.memory.expose(pointer.prov);
                (Value::Int(int.wrap(i128::from(pointer.addr))), none)
            }
            (value, Class::Pointer) => {
                let pointer =
                    self.wrap_pointer(Pointer { addr: value.as_int() as u64, prov: Default::default() });
                (Value::Ptr(self.memory.recover(pointer.addr)), none)
            }
            (value, Class::Float(format)) => {
                let from = self.types.int_type(from).unwrap_or(IntType::I64);
                let (result, flags) = Float::from_int(format, value.as_int(), from, ROUND);
                (Value::Float(result), Raised { flags, lossy: flags.contains(Flags::INEXACT), ..none })
            }
            (value, Class::Int(int)) => {
                let from = self.types.int_type(from).unwrap_or(IntType::I128);
                let (result, same) = from.convert(value.as_int(), int);
                (Value::Int(result), Raised { lossy: !same, ..none })
            }
            (value, _) => (value, none),
        }
    }

    fn builtin(&self, builtin: Builtin, ty: TypeId, left: Value, right: Value) -> Value {
        if let (Value::Float(left), right) = (left, right) {
            return float_builtin(builtin, left, right);
        }
        let int = self.types.int_type(ty).unwrap_or(IntType::U64);
        let value = left.as_int();
        Value::Int(match builtin {
            Builtin::Clz => i128::from(int.clz(value)),
            Builtin::Ctz => i128::from(int.ctz(value)),
            Builtin::Popcount => i128::from(int.popcount(value)),
            Builtin::Parity => i128::from(int.parity(value)),
            Builtin::Ffs => i128::from(int.ffs(value)),
            Builtin::Clrsb => i128::from(int.clrsb(value)),
            Builtin::Bswap => int.bswap(value),
            _ => 0,
        })
    }
}

/// What an operation raised.
#[derive(Clone, Copy, Default)]
struct Raised {
    overflow: bool,
    zero: bool,
    shift: bool,
    lossy: bool,
    unfit: bool,
    flags: Flags,
}

fn arith(op: BinaryOp) -> Option<ArithOp> {
    match op {
        BinaryOp::Add => Some(ArithOp::Add),
        BinaryOp::Sub => Some(ArithOp::Sub),
        BinaryOp::Mul => Some(ArithOp::Mul),
        _ => None,
    }
}

fn int_binary(op: BinaryOp, int: IntType, left: i128, right: i128) -> (Value, Raised) {
    let mut raised = Raised::default();
    let mut take = |(value, overflow): (i128, bool)| {
        raised.overflow = overflow;
        value
    };
    let value = match op {
        BinaryOp::Add => take(int.add(left, right)),
        BinaryOp::Sub => take(int.sub(left, right)),
        BinaryOp::Mul => take(int.mul(left, right)),
        // Where division has no value the machine traps; a run that goes on anyway sees 0, or the wrapped quotient.
        BinaryOp::Div => int.div(left, right).unwrap_or_else(|error| raised.division(error, int.min())),
        BinaryOp::Rem => int.rem(left, right).unwrap_or_else(|error| raised.division(error, 0)),
        BinaryOp::Shl => match int.shl(left, right) {
            Ok(shl) => {
                raised.shift = int.signed && (shl.negative || shl.lost);
                shl.value
            }
            Err(_) => {
                raised.shift = true;
                int.shl(left, right.rem_euclid(i128::from(int.bits))).map_or(0, |shl| shl.value)
            }
        },
        BinaryOp::Shr => int.shr(left, right).unwrap_or_else(|_| {
            raised.shift = true;
            int.shr(left, right.rem_euclid(i128::from(int.bits))).unwrap_or(0)
        }),
        BinaryOp::And => int.and(left, right),
        BinaryOp::Or => int.or(left, right),
        BinaryOp::Xor => int.xor(left, right),
    };
    (Value::Int(value), raised)
}

impl Raised {
    fn division(&mut self, error: clew_base::int::DivError, wrapped: i128) -> i128 {
        match error {
            clew_base::int::DivError::DivisionByZero => {
                self.zero = true;
                0
            }
            clew_base::int::DivError::Overflow => {
                self.overflow = true;
                wrapped
            }
        }
    }
}

fn float_binary(op: BinaryOp, left: Float, right: Float) -> (Value, Raised) {
    let (value, flags) = match op {
        BinaryOp::Add => left.add(right, ROUND),
        BinaryOp::Sub => left.sub(right, ROUND),
        BinaryOp::Mul => left.mul(right, ROUND),
        BinaryOp::Div => left.div(right, ROUND),
        _ => (left, Flags::NONE),
    };
    (Value::Float(value), Raised { flags, ..Raised::default() })
}

fn float_builtin(builtin: Builtin, left: Float, right: Value) -> Value {
    let right = right.as_float(left.format());
    let truth = |condition: bool| Value::Int(i128::from(condition));
    match builtin {
        Builtin::IsNan => truth(left.is_nan()),
        Builtin::IsInf => truth(left.is_infinite()),
        Builtin::IsInfSign => {
            let sign = if left.is_negative() { -1 } else { 1 };
            Value::Int(if left.is_infinite() { sign } else { 0 })
        }
        Builtin::IsFinite => truth(left.is_finite()),
        Builtin::IsNormal => truth(left.classify() == FloatClass::Normal),
        // gcc's signbit gives the bit itself for the formats it keeps in integer registers, 0 or 1 is enough here.
        Builtin::SignBit => truth(left.is_negative()),
        Builtin::IsUnordered => truth(left.compare(right).is_none()),
        Builtin::IsLessGreater => {
            truth(matches!(left.compare(right), Some(Ordering::Less | Ordering::Greater)))
        }
        Builtin::Fabs => Value::Float(left.abs()),
        Builtin::CopySign => Value::Float(left.copysign(right)),
        _ => Value::Unit,
    }
}

/// The bits of a scalar as it lies in memory or registers.
pub fn to_bits(value: Value) -> u128 {
    match value {
        Value::Unit => 0,
        Value::Int(value) => value as u128,
        Value::Float(float) => float.to_bits(),
        Value::Ptr(pointer) => u128::from(pointer.addr),
    }
}
