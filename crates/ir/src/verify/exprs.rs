// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules 9, 11, 12 and 14 for expressions and places.

use clew_base::float::Format;
use clew_base::int::IntType;

use super::Faults;
use crate::syntax::*;
use crate::types::{Class, Types};

/// What expression rules look at.
#[derive(Clone, Copy)]
pub(super) struct Typing<'a> {
    pub(super) program: &'a Program,
    pub(super) types: Types<'a>,
    pub(super) body: &'a Body,
}

/// Why something is ill-typed; static so that the good path formats nothing.
pub(super) type Check = Result<(), &'static str>;

pub(super) fn ensure(condition: bool, message: &'static str) -> Check {
    if condition { Ok(()) } else { Err(message) }
}

impl Typing<'_> {
    /// Whether a value of one type can stand where the other is asked for.
    pub(super) fn fits(self, a: TypeId, b: TypeId) -> bool {
        a == b || (self.types.is_pointer(a) && self.types.is_pointer(b))
    }

    pub(super) fn class(self, expr: ExprId) -> Class {
        self.types.class(self.body.exprs[expr].ty)
    }

    pub(super) fn is_int(self, expr: ExprId) -> bool {
        matches!(self.class(expr), Class::Int(_))
    }

    pub(super) fn is_float(self, expr: ExprId) -> bool {
        matches!(self.class(expr), Class::Float(_))
    }

    pub(super) fn is_pointer(self, expr: ExprId) -> bool {
        self.class(expr) == Class::Pointer
    }

    fn same(self, a: ExprId, b: ExprId) -> bool {
        self.fits(self.body.exprs[a].ty, self.body.exprs[b].ty)
    }

    pub(super) fn is_register(self, local: LocalId) -> bool {
        self.body.locals[local].storage == Storage::Register
    }

    pub(super) fn exprs(self, faults: &mut Faults) {
        for (id, expr) in self.body.exprs.iter_enumerated() {
            if let Err(message) = self.expr(expr) {
                faults.add(id, message);
            }
        }
    }

    fn expr(self, expr: &Expr) -> Check {
        let result = self.types.class(expr.ty);
        ensure(result.is_scalar(), "the type is no scalar")?;
        let is_int_result =
            matches!(result, Class::Int(t) if t.signed && t.bits == u16::from(self.types.target.int_bits));
        match &expr.kind {
            ExprKind::Int(value) => {
                let int = self.types.int_type(expr.ty);
                ensure(int.is_some(), "an integer constant of a float type")?;
                ensure(int.is_some_and(|t| t.is_canonical(*value)), "the constant is not canonical")
            }
            ExprKind::Float { bits, .. } => match result {
                Class::Float(format) => ensure(fits_format(*bits, format), "the bits do not fit the format"),
                _ => Err("a float constant of another type"),
            },
            ExprKind::Local(local) => {
                ensure(self.is_register(*local), "reads a memory local")?;
                ensure(self.fits(self.body.locals[*local].ty, expr.ty), "not the type of the local")
            }
            ExprKind::AddressOf(place) => {
                ensure(result == Class::Pointer, "an address that is no pointer")?;
                ensure(self.types.bit_range(place).is_none(), "the address of a bit-field")?;
                self.place(place)
            }
            ExprKind::Function(_) | ExprKind::Label(_) => {
                ensure(result == Class::Pointer, "an address that is no pointer")
            }
            ExprKind::Unary(op, operand) => {
                ensure(self.fits(self.body.exprs[*operand].ty, expr.ty), "operand and result differ")?;
                match (op, result) {
                    (_, Class::Int(_)) | (UnaryOp::Neg, Class::Float(_)) => Ok(()),
                    _ => Err("an operand that the operator does not take"),
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, expr.ty),
            ExprKind::Compare(_, left, right) => {
                ensure(is_int_result, "the result of a comparison is `int`")?;
                ensure(self.same(*left, *right), "compares values of two types")
            }
            ExprKind::Cast(operand) => match (self.class(*operand), result) {
                (Class::Float(_), Class::Pointer) | (Class::Pointer, Class::Float(_)) => {
                    Err("a cast between float and pointer")
                }
                _ => Ok(()),
            },
            ExprKind::PointerAdd { pointer, index, .. } => {
                ensure(result == Class::Pointer && self.is_pointer(*pointer), "adds to what is no pointer")?;
                ensure(self.is_int(*index), "the index is no integer")
            }
            ExprKind::PointerDifference { left, right, stride } => {
                ensure(self.is_pointer(*left) && self.is_pointer(*right), "subtracts what is no pointer")?;
                ensure(*stride > 0, "the stride is zero")?;
                let wanted = IntType::signed(u16::from(self.types.target.pointer_bytes) * 8);
                ensure(result == Class::Int(wanted), "the result is no signed integer of pointer size")
            }
            ExprKind::Overflows { op, left, right, of } => {
                ensure(
                    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
                    "an operator without overflow",
                )?;
                ensure(self.is_int(*left) && self.is_int(*right), "an operand is no integer")?;
                ensure(
                    matches!(self.types.class(*of), Class::Int(_)),
                    "overflow of what is no integer type",
                )?;
                ensure(matches!(result, Class::Int(_)), "the result is no integer")
            }
            ExprKind::Builtin(builtin, operands) => self.builtin(*builtin, operands, expr.ty),
            ExprKind::Select { condition, then, otherwise } => {
                ensure(self.is_int(*condition), "the condition is no integer")?;
                let then_fits = self.fits(self.body.exprs[*then].ty, expr.ty);
                ensure(then_fits && self.same(*then, *otherwise), "the branches differ in type")
            }
        }
    }

    fn binary(self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> Check {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        ensure(self.body.exprs[left].ty == ty, "the left operand has another type than the result")?;
        ensure(
            shift || self.body.exprs[right].ty == ty,
            "the right operand has another type than the result",
        )?;
        match self.types.class(ty) {
            Class::Int(_) => ensure(self.is_int(right), "the right operand is no integer"),
            Class::Float(_) => ensure(
                matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div),
                "an operator that floats do not have",
            ),
            _ => Err("an operator on pointers"),
        }
    }

    fn builtin(self, builtin: Builtin, operands: &[ExprId], ty: TypeId) -> Check {
        let two = matches!(builtin, Builtin::IsUnordered | Builtin::IsLessGreater | Builtin::CopySign);
        ensure(operands.len() == if two { 2 } else { 1 }, "a wrong number of operands")?;
        ensure(!two || self.same(operands[0], operands[1]), "the operands differ in type")?;
        let of_bits = matches!(
            builtin,
            Builtin::Clz
                | Builtin::Ctz
                | Builtin::Popcount
                | Builtin::Parity
                | Builtin::Ffs
                | Builtin::Clrsb
                | Builtin::Bswap
        );
        match self.class(operands[0]) {
            Class::Int(_) => ensure(of_bits, "a function of floats gets an integer")?,
            Class::Float(_) => ensure(!of_bits, "a function of integers gets a float")?,
            _ => return Err("a builtin gets a pointer"),
        }
        if matches!(builtin, Builtin::Bswap | Builtin::Fabs | Builtin::CopySign) {
            ensure(self.body.exprs[operands[0]].ty == ty, "the result has another type than the operand")
        } else {
            ensure(matches!(self.types.class(ty), Class::Int(_)), "the result is no integer")
        }
    }

    pub(super) fn place(self, place: &Place) -> Check {
        // The size of the object stepped into; `None` where only a pointer is known.
        let mut whole = match place.base {
            PlaceBase::Local(local) => {
                ensure(!self.is_register(local), "a place in a register local")?;
                Some(self.body.locals[local].ty)
            }
            PlaceBase::Global(global) => Some(self.program.globals[global].ty),
            PlaceBase::Deref(pointer) => {
                ensure(self.is_pointer(pointer), "the base is no pointer")?;
                None
            }
        };
        let mut ended = false;
        for step in &place.projections {
            ensure(!ended, "a step after a bit-field")?;
            whole = match step {
                Projection::Field { record, field } => {
                    if let Some(whole) = whole
                        && self.types.is_complete(whole)
                        && matches!(self.types.get(whole), Type::Record(r) if r != record)
                    {
                        return Err("a member of another record than stands there");
                    }
                    let Some(field) = self.types.field(*record, *field) else {
                        return Err("the record has no such member");
                    };
                    ended = field.bits.is_some();
                    Some(field.ty)
                }
                Projection::Index { index, stride, .. } => {
                    ensure(self.is_int(*index), "an index that is no integer")?;
                    match whole.map(|whole| self.types.get(whole)) {
                        Some(Type::Array { element, length }) => {
                            let size = self.types.size_of(*element);
                            let known = length.is_some() && self.types.is_complete(*element);
                            ensure(!known || size == *stride, "the stride is not the size of an element")?;
                            Some(*element)
                        }
                        _ => None,
                    }
                }
            };
        }
        if ended {
            return ensure(whole == Some(place.ty), "the place has another type than the bit-field");
        }
        Ok(())
    }
}

fn fits_format(bits: u128, format: Format) -> bool {
    let width = match format {
        Format::F16 => 16,
        Format::F32 => 32,
        Format::F64 => 64,
        Format::X87 => 80,
        Format::F128 => return true,
    };
    bits >> width == 0
}
