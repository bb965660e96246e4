// SPDX-License-Identifier: MIT OR Apache-2.0
//! `_Generic` selects by the type of a value, which has no qualifiers (C17 6.5.4p5). rucc keeps those of casts and of the
//! results of calls, and may select another branch than gcc.

use rucc_ast::{Ast, Expr};
use rucc_base::Idx;
use rucc_diag::Span;
use rucc_sema::{ExprKind, Tast};
use rucc_types::{Qualifiers, Types};
use rustc_hash::FxHashSet;

/// The first selection by a value whose type rucc takes to be qualified.
pub(crate) fn qualified_controls(ast: &Ast, tast: &Tast, types: &Types) -> Option<Span> {
    let controls: FxHashSet<Span> = (0..ast.counts().exprs)
        .filter_map(|number| match ast[Idx::<Expr>::from_usize(number)] {
            Expr::Generic { control, .. } => Some(ast.expr_span(control)),
            _ => None,
        })
        .collect();
    if controls.is_empty() {
        return None;
    }
    (0..tast.counts().exprs).map(Idx::from_usize).find_map(|id| {
        let at = tast.expr_span(id);
        let is_value = matches!(
            tast[id].kind,
            ExprKind::Cast(_)
                | ExprKind::Call { .. }
                | ExprKind::Cond { .. }
                | ExprKind::Comma { .. }
                | ExprKind::Assign { .. }
                | ExprKind::StmtExpr(_)
        );
        let ty = tast[id].ty;
        let is_qualified = [Qualifiers::CONST, Qualifiers::VOLATILE].into_iter().any(|qualifier| {
            types.quals(ty).has(qualifier) || types.quals(types.canonical(ty)).has(qualifier)
        });
        (is_value && is_qualified && controls.contains(&at)).then_some(at)
    })
}
