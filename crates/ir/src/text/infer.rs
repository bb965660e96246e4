// SPDX-License-Identifier: MIT OR Apache-2.0
//! The type an expression or place has unless the text says otherwise. Printer and parser share this rule, so
//! what one leaves out the other puts back.

use clew_base::index::IndexVec;

use crate::syntax::*;
use crate::types::Types;

/// A type that may not be in the table yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inferred {
    /// That type.
    Type(TypeId),
    /// A pointer to it.
    PointerTo(TypeId),
    /// `int`.
    Int,
    /// A signed integer of pointer size.
    PointerDifference,
    /// `void *`.
    VoidPointer,
}

impl Inferred {
    /// The type, spelled out. `void` is the handle of [`Type::Void`], if there is one.
    pub fn to_type(self, types: Types<'_>, void: Option<TypeId>) -> Option<Type> {
        Some(match self {
            Inferred::Type(ty) => types.get(ty).clone(),
            Inferred::PointerTo(ty) => Type::Pointer(ty),
            Inferred::Int => Type::Int { bits: u16::from(types.target.int_bits), signed: true },
            Inferred::PointerDifference => {
                Type::Int { bits: u16::from(types.target.pointer_bytes) * 8, signed: true }
            }
            Inferred::VoidPointer => Type::Pointer(void?),
        })
    }
}

/// What inference looks at.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Types and records.
    pub types: Types<'a>,
    /// Types of the globals.
    pub globals: &'a IndexVec<GlobalId, Global>,
    /// Types of the functions.
    pub functions: &'a IndexVec<FuncId, Function>,
    /// Locals of the function at hand.
    pub locals: &'a IndexVec<LocalId, Local>,
    /// Its arena as far as it is known.
    pub exprs: &'a IndexVec<ExprId, Expr>,
}

impl Context<'_> {
    fn of(self, expr: ExprId) -> Option<Inferred> {
        self.exprs.get(expr).map(|e| Inferred::Type(e.ty))
    }

    /// The type an expression has by default; `None`: it must be written.
    pub fn expr(self, kind: &ExprKind) -> Option<Inferred> {
        match kind {
            ExprKind::Int(_) | ExprKind::Compare(..) | ExprKind::Overflows { .. } => Some(Inferred::Int),
            ExprKind::Float { .. } | ExprKind::Cast(_) => None,
            ExprKind::Local(local) => self.locals.get(*local).map(|l| Inferred::Type(l.ty)),
            ExprKind::AddressOf(place) => Some(Inferred::PointerTo(place.ty)),
            ExprKind::Function(function) => self.functions.get(*function).map(|f| Inferred::PointerTo(f.ty)),
            ExprKind::Label(_) => Some(Inferred::VoidPointer),
            ExprKind::Unary(_, operand)
            | ExprKind::Binary(_, operand, _)
            | ExprKind::PointerAdd { pointer: operand, .. }
            | ExprKind::Select { then: operand, .. } => self.of(*operand),
            ExprKind::PointerDifference { .. } => Some(Inferred::PointerDifference),
            ExprKind::Builtin(Builtin::Bswap | Builtin::Fabs | Builtin::CopySign, operands) => {
                operands.first().and_then(|o| self.of(*o))
            }
            ExprKind::Builtin(..) => Some(Inferred::Int),
        }
    }

    /// The type a place has by default; `None`: it must be written.
    pub fn place(self, base: PlaceBase, projections: &[Projection]) -> Option<TypeId> {
        let Some((last, before)) = projections.split_last() else {
            return match base {
                PlaceBase::Local(local) => self.locals.get(local).map(|l| l.ty),
                PlaceBase::Global(global) => self.globals.get(global).map(|g| g.ty),
                PlaceBase::Deref(pointer) => self.types.pointee(self.exprs.get(pointer)?.ty),
            };
        };
        match last {
            Projection::Field { record, field } => self.types.field(*record, *field).map(|f| f.ty),
            Projection::Index { .. } => match self.types.get(self.place(base, before)?) {
                Type::Array { element, .. } => Some(*element),
                _ => None,
            },
        }
    }
}
