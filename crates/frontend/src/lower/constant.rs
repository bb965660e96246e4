// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constants that rucc has folded, as expressions.

use std::sync::Arc;

use clew_base::source::Span;
use clew_ir::syntax::{BlockId, ExprId, ExprKind, Type, TypeId};
use rucc_sema::{Address, Base, Const, ConstId};

use super::build::{CExpr, FunctionLowering};
use super::entity::Entity;
use super::expr::Value;

const OBJECT_SIZE: &[u8] = b"_object_size";

impl FunctionLowering<'_, '_> {
    pub(super) fn constant(&mut self, constant: ConstId, expr: CExpr, span: Span) -> Value {
        let ty = self.unit.ty(self.tast[expr].ty);
        let kind = match (self.tast[constant], self.ir_type(ty)) {
            (Const::Int(value), Type::Bool | Type::Int { .. } | Type::Pointer(_)) => {
                ExprKind::Int(self.canonical(value, ty))
            }
            (Const::Float(value), Type::Float(_)) => {
                ExprKind::Float { bits: value.to_bits(), text: self.literal_text(span) }
            }
            (Const::Address(address), Type::Pointer(_)) => {
                return Value::Scalar(self.address_constant(address, ty, span));
            }
            (Const::Apart { to, from }, _) => {
                let (to, from) = (self.label_block(to), self.label_block(from));
                return Value::Scalar(self.label_distance(to, from, ty, span));
            }
            _ => return self.no_value(expr, "complex numbers", span),
        };
        let folded = self.expr(kind, ty, span);
        // An optimising compiler may know the size that rucc does not.
        let text = self.unit.unit.spelled_text(span);
        let asks_size = || text.windows(OBJECT_SIZE.len()).any(|part| part == OBJECT_SIZE);
        Value::Scalar(match self.unit.unit.semantics.optimised && asks_size() {
            true => self.as_optimised(folded, ty, span),
            false => folded,
        })
    }

    fn canonical(&self, value: i128, ty: TypeId) -> i128 {
        let view = self.unit.types.table.view(&self.unit.target);
        view.int_type(ty).map_or(value, |int| int.wrap(value))
    }

    /// The spelling of a float literal, where the source has one at this place.
    fn literal_text(&self, span: Span) -> Option<Arc<str>> {
        let text = self.unit.unit.spelled_text(span);
        let literal = text.first().is_some_and(|b| b.is_ascii_digit() || *b == b'.') && text.len() < 200;
        literal.then(|| String::from_utf8_lossy(text).into())
    }

    fn address_constant(&mut self, address: Address, ty: TypeId, span: Span) -> ExprId {
        let base = match address.base {
            Base::Decl(decl) => match self.unit.entity(decl) {
                Entity::Global(global) => {
                    let object = self.global_object(global);
                    self.address(&object, ty, span)
                }
                Entity::Function(function) => self.expr(ExprKind::Function(function), ty, span),
            },
            Base::Str(string) => {
                let global = self.unit.string_global(string, span);
                let object = self.global_object(global);
                self.address(&object, ty, span)
            }
            Base::Label(label) => {
                let block = self.label_block(label);
                let landing = self.landing(block);
                self.expr(ExprKind::Label(landing), ty, span)
            }
            Base::Absolute => return self.int_const(self.canonical(address.offset, ty), ty, span),
        };
        if address.offset == 0 {
            return base;
        }
        let index = self.int_const(address.offset, self.unit.known.ptrdiff, span);
        self.expr(ExprKind::PointerAdd { pointer: base, index, stride: 1 }, ty, span)
    }

    fn label_distance(&mut self, to: BlockId, from: BlockId, ty: TypeId, span: Span) -> ExprId {
        let (to, from) = (self.landing(to), self.landing(from));
        let pointer = self.unit.known.void_pointer;
        let left = self.expr(ExprKind::Label(to), pointer, span);
        let right = self.expr(ExprKind::Label(from), pointer, span);
        let distance =
            self.expr(ExprKind::PointerDifference { left, right, stride: 1 }, self.unit.known.ptrdiff, span);
        self.coerce(distance, ty, span)
    }
}
