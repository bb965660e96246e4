// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program whose integer divisions cannot fail: another number takes the place of a divisor of zero.
//!
//! What comes behind a division by zero depends on what the division gives, and no machine need give anything. A
//! violation that happens with several such substitutes is one whatever the division gives: mending it shows the next.

use clew_base::index::Idx as _;
use clew_base::int::IntType;
use clew_base::source::Span;

use crate::syntax::{BinaryOp, Body, CompareOp, Expr, ExprId, ExprKind, Program, Type, TypeId};

/// Divisors in the place of zero. The quotients of a number by them differ: itself, its opposite, and hardly
/// anything.
pub const SUBSTITUTES: [i128; 3] = [1, -1, 97];

/// The program with such divisions.
pub fn with_total_division(program: &Program, substitute: i128) -> Program {
    let mut program = program.clone();
    let truth = Type::Int { bits: u16::from(program.target.int_bits), signed: true };
    let truth = program.types.iter_enumerated().find(|(_, ty)| **ty == truth).map(|(id, _)| id);
    let Some(truth) = truth else { return program };
    let substitute = |ty: &Type| match *ty {
        Type::Int { bits, signed } => Some(IntType { bits, signed }.wrap(substitute)),
        _ => None,
    };
    let substitutes: Vec<Option<i128>> = program.types.iter().map(substitute).collect();
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        mend(body, truth, &substitutes);
    }
    program
}

fn mend(body: &mut Body, truth: TypeId, substitutes: &[Option<i128>]) {
    let divisions: Vec<(ExprId, BinaryOp, ExprId, ExprId)> = body
        .exprs
        .iter_enumerated()
        .filter_map(|(id, expr)| match expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), left, right) => {
                Some((id, op, left, right))
            }
            _ => None,
        })
        .collect();
    for (id, op, left, right) in divisions {
        let (ty, span) = (body.exprs[right].ty, body.exprs[right].span);
        // Floats divide by zero without an end.
        let Some(substitute) = substitutes[ty.index()] else { continue };
        let zero = constant(body, 0, ty, span);
        let condition =
            body.exprs.push(Expr { kind: ExprKind::Compare(CompareOp::Eq, right, zero), ty: truth, span });
        let then = constant(body, substitute, ty, span);
        let kind = ExprKind::Select { condition, then, otherwise: right };
        let divisor = body.exprs.push(Expr { kind, ty, span });
        body.exprs[id].kind = ExprKind::Binary(op, left, divisor);
    }
}

fn constant(body: &mut Body, value: i128, ty: TypeId, span: Span) -> ExprId {
    body.exprs.push(Expr { kind: ExprKind::Int(value), ty, span })
}
