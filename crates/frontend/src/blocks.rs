// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tags and enumerators whose scope rucc does not end.
//!
//! Selection and iteration statements and their parts are blocks, with braces or without (C11 6.8.4p3, 6.8.5p5), and a
//! name that a controlling expression or a part without braces declares (`if (sizeof(enum { K = 8 }))`) ends with
//! them. rucc keeps it to the end of the block around. Nobody writes that on purpose, so it is refused.

use rucc_ast::{Ast, Expr, ExprId, Stmt, StmtId};
use rucc_base::{Idx, Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{PpToken, Punct};

/// The tokens that begin the definition of a tag with a name or of enumerators.
pub(crate) fn definitions(tokens: &[PpToken], names: &Interner) -> Vec<Span> {
    let [list, record, union] = ["enum", "struct", "union"].map(|word| names.find(word));
    let is = |token: &PpToken, word: Option<Symbol>| word.is_some() && token.value == word;
    let begins = |at: usize, token: &PpToken| {
        let is_enum = is(token, list);
        if !is_enum && !is(token, record) && !is(token, union) {
            return false;
        }
        let rest = &tokens[at + 1..];
        // What stands before the brace: a tag, attributes, an underlying type. A parenthesis that was opened before ends it:
        // `(struct t){0}` is a compound literal.
        let mut depth = 0_i32;
        let is_part = |token: &&PpToken| {
            depth += match token.punct() {
                Some(Punct::LParen) => 1,
                Some(Punct::RParen) => -1,
                _ => 0,
            };
            depth >= 0 && (token.value.is_some() || attribute_part(token))
        };
        let before = rest.iter().take_while(is_part).count();
        let brace = rest.get(before).is_some_and(|token| token.punct() == Some(Punct::LBrace));
        brace && (is_enum || before > 0)
    };
    let found = tokens.iter().enumerate().filter(|(at, token)| begins(*at, token));
    found.map(|(_, token)| token.span).collect()
}

fn attribute_part(token: &PpToken) -> bool {
    matches!(token.punct(), Some(Punct::LParen | Punct::RParen | Punct::Comma | Punct::Colon))
}

/// The first of the definitions whose scope would not end where C ends it.
pub(crate) fn endless_scope(ast: &Ast, definitions: &[Span]) -> Option<Span> {
    if definitions.is_empty() {
        return None;
    }
    let counts = ast.counts();
    let inner: Vec<Span> = (0..counts.exprs)
        .map(Idx::<Expr>::from_usize)
        .filter(|id| matches!(ast[*id], Expr::StmtExpr(_)))
        .map(|id| ast.expr_span(id))
        .collect();
    let statements = (0..counts.stmts).map(Idx::<Stmt>::from_usize);
    statements.flat_map(|id| parts(ast, id)).find_map(|part| {
        let first = definitions.partition_point(|at| at.lo < part.lo);
        let inside = definitions[first..].iter().take_while(|at| at.lo < part.hi);
        // A statement expression has braces of its own.
        let hidden = |at: &Span| {
            inner.iter().any(|e| part.lo <= e.lo && e.hi <= part.hi && e.lo <= at.lo && at.lo < e.hi)
        };
        inside.copied().find(|at| !hidden(at))
    })
}

/// The controlling expression of a statement and its parts without braces. `for` is a scope to rucc, too.
fn parts(ast: &Ast, id: StmtId) -> Vec<Span> {
    let (control, bodies): (ExprId, Vec<StmtId>) = match ast[id] {
        Stmt::If { cond, then, otherwise } => (cond, std::iter::once(then).chain(otherwise).collect()),
        Stmt::Switch { scrutinee: cond, body }
        | Stmt::While { cond, body }
        | Stmt::DoWhile { cond, body } => (cond, vec![body]),
        _ => return Vec::new(),
    };
    let plain = bodies.into_iter().filter_map(|body| plain_statement(ast, body));
    plain.chain([ast.expr_span(control)]).collect()
}

/// A statement that is an expression, behind its labels.
fn plain_statement(ast: &Ast, id: StmtId) -> Option<Span> {
    match ast[id] {
        Stmt::Expr(_) | Stmt::Return(..) | Stmt::GotoExpr(_) => Some(ast.stmt_span(id)),
        Stmt::Label { body, .. } | Stmt::Case { body, .. } | Stmt::Default { body } => {
            body.and_then(|body| plain_statement(ast, body))
        }
        _ => None,
    }
}
