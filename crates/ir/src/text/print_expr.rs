// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints expressions and places.

use std::fmt::Write;

use super::infer::Inferred;
use super::print::{Decoration, Quoted, put};
use super::print_body::{BodyPrinter, Naming};
use super::{BINARY, BUILTINS, COMPARE, FORMATS, UNARY};
use crate::syntax::*;

impl BodyPrinter<'_, '_> {
    pub(super) fn local(&mut self, id: LocalId) {
        let name = self.body.locals.get(id).and_then(|l| l.name.as_deref());
        put!(self.printer.text, "{id}{}", Decoration(name));
    }

    pub(super) fn expr(&mut self, id: ExprId) {
        match self.naming.get(id) {
            Some(Naming::Named(name)) => put!(self.printer.text, "e{name}"),
            Some(_) => self.node(id),
            None => put!(self.printer.text, "?{id}"),
        }
    }

    /// A node itself, whether named or not, with its type where that is not the inferred one, and its span.
    pub(super) fn node(&mut self, id: ExprId) {
        let expr = &self.body.exprs[id];
        self.kind(expr);
        let context = self.context();
        let written = match (&expr.kind, context.expr(&expr.kind)) {
            (ExprKind::Cast(_) | ExprKind::Float { .. }, _) => false,
            (_, Some(Inferred::Type(ty))) => ty != expr.ty,
            (_, Some(other)) => {
                other.to_type(context.types, self.void).as_ref() != context.types.types.get(expr.ty)
            }
            (_, None) => true,
        };
        if written {
            put!(self.printer.text, ":{}", self.printer.spelled(expr.ty));
        }
        self.printer.marked_span("!", expr.span);
    }

    fn kind(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(value) => put!(self.printer.text, "{value}"),
            ExprKind::Float { bits, text } => {
                let format = self.context().types.float_format(expr.ty).map_or("?", |f| FORMATS.name(f));
                put!(self.printer.text, "fp({format} {bits:#x}");
                if let Some(text) = text {
                    put!(self.printer.text, " {}", Quoted(text.as_bytes()));
                }
                self.word(")");
            }
            ExprKind::Local(local) => self.local(*local),
            ExprKind::AddressOf(place) => {
                self.word("&");
                self.place(place);
            }
            ExprKind::Function(function) => self.printer.function_name(*function),
            ExprKind::Label(block) => put!(self.printer.text, "&&{block}"),
            ExprKind::Unary(op, operand) => {
                put!(self.printer.text, "({} ", UNARY.name(*op));
                self.expr(*operand);
                self.word(")");
            }
            ExprKind::Binary(op, left, right) => self.infix(BINARY.name(*op), *left, *right),
            ExprKind::Compare(op, left, right) => self.infix(COMPARE.name(*op), *left, *right),
            ExprKind::Cast(operand) => {
                self.word("(");
                self.expr(*operand);
                put!(self.printer.text, " as {})", self.printer.spelled(expr.ty));
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                self.strided("ptradd", *pointer, *index, *stride)
            }
            ExprKind::PointerDifference { left, right, stride } => {
                self.strided("ptrdiff", *left, *right, *stride);
            }
            ExprKind::Overflows { op, left, right, of } => {
                put!(self.printer.text, "overflows({} ", BINARY.name(*op));
                self.list(&[*left, *right], |p, e| p.expr(*e));
                put!(self.printer.text, ", {})", self.printer.spelled(*of));
            }
            ExprKind::Builtin(builtin, operands) => {
                put!(self.printer.text, "{}(", BUILTINS.name(*builtin));
                self.list(operands, |p, e| p.expr(*e));
                self.word(")");
            }
            ExprKind::Select { condition, then, otherwise } => {
                self.word("select(");
                self.list(&[*condition, *then, *otherwise], |p, e| p.expr(*e));
                self.word(")");
            }
        }
    }

    fn infix(&mut self, op: &str, left: ExprId, right: ExprId) {
        self.word("(");
        self.expr(left);
        put!(self.printer.text, " {op} ");
        self.expr(right);
        self.word(")");
    }

    fn strided(&mut self, name: &str, left: ExprId, right: ExprId, stride: u64) {
        put!(self.printer.text, "{name}(");
        self.list(&[left, right], |p, e| p.expr(*e));
        put!(self.printer.text, ", {stride})");
    }

    pub(super) fn place(&mut self, place: &Place) {
        match place.base {
            PlaceBase::Local(local) => self.local(local),
            PlaceBase::Global(global) => self.printer.global_name(global),
            PlaceBase::Deref(pointer) => {
                self.word("*");
                self.expr(pointer);
            }
        }
        for step in &place.projections {
            match step {
                Projection::Field { record, field } => {
                    let name = self.context().types.field(*record, *field).and_then(|f| f.name.as_deref());
                    put!(self.printer.text, "/{record}.{field}{}", Decoration(name));
                }
                Projection::Index { index, stride, length } => {
                    self.word("[");
                    self.expr(*index);
                    put!(self.printer.text, " by {stride}");
                    if let Some(length) = length {
                        put!(self.printer.text, " of {length}");
                    }
                    self.word("]");
                }
            }
        }
        if self.context().place(place.base, &place.projections) != Some(place.ty) {
            put!(self.printer.text, "{{{}}}", self.printer.spelled(place.ty));
        }
    }
}
