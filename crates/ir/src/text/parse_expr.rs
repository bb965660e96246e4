// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses expressions and places.

use std::sync::Arc;

use super::infer::{Context, Inferred};
use super::lex::Token;
use super::parse_body::{BodyParser, Result};
use super::{BINARY, BUILTINS, COMPARE, UNARY};
use crate::syntax::*;

/// How deep expressions and places may nest in the text. The printer stays below; a hostile text must not
/// exhaust the stack.
const MAX_NESTING: u32 = 200;

impl BodyParser<'_, '_> {
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_NESTING {
            return self.error("this is nested too deeply");
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    pub(super) fn expr(&mut self) -> Result<ExprId> {
        self.nested(Self::expr_node)
    }

    fn expr_node(&mut self) -> Result<ExprId> {
        if let Token::Word(word) = self.parser.cursor.token
            && let Some(Ok(name)) = word.strip_prefix('e').map(str::parse::<u32>)
        {
            let Some(value) = self.names.get(&name).copied() else {
                return self.error(format!("e{name} has no value yet"));
            };
            self.parser.cursor.advance()?;
            return Ok(value);
        }
        let (kind, mut ty) = self.kind()?;
        if self.parser.cursor.eat_punct(":")? {
            ty = Some(self.parser.ty()?);
        } else if ty.is_none() {
            ty = self.inferred(&kind);
        }
        let Some(ty) = ty else {
            return self.error("the type of the expression before this must be written");
        };
        let span = self.parser.cursor.take_span(true, self.file)?;
        Ok(self.body.exprs.push(Expr { kind, ty, span }))
    }

    fn inferred(&mut self, kind: &ExprKind) -> Option<TypeId> {
        let inferred = self.context().expr(kind)?;
        if let Inferred::Type(ty) = inferred {
            return Some(ty);
        }
        let void = self.parser.types.void();
        let ty = inferred.to_type(self.parser.types.view(&self.parser.program.target), Some(void))?;
        Some(self.parser.types.intern(ty))
    }

    fn context(&self) -> Context<'_> {
        Context {
            types: self.parser.types.view(&self.parser.program.target),
            globals: &self.parser.program.globals,
            functions: &self.parser.program.functions,
            locals: &self.body.locals,
            exprs: &self.body.exprs,
        }
    }

    /// A node, and its type where the text of the node itself says it.
    fn kind(&mut self) -> Result<(ExprKind, Option<TypeId>)> {
        match self.parser.cursor.token {
            Token::Number(value) => {
                self.parser.cursor.advance()?;
                Ok((ExprKind::Int(value), None))
            }
            Token::Local(_) => Ok((ExprKind::Local(self.local()?), None)),
            Token::Function(number) => {
                self.parser.cursor.advance()?;
                Ok((ExprKind::Function(FuncId(number)), None))
            }
            Token::Punct("&") => {
                self.parser.cursor.advance()?;
                Ok((ExprKind::AddressOf(Box::new(self.place()?)), None))
            }
            Token::Punct("&&") => {
                self.parser.cursor.advance()?;
                Ok((ExprKind::Label(self.block()?), None))
            }
            Token::Punct("(") => {
                self.parser.cursor.advance()?;
                self.parenthesised()
            }
            Token::Word(word) => {
                self.parser.cursor.advance()?;
                self.application(word)
            }
            _ => self.error("an expression was expected"),
        }
    }

    fn parenthesised(&mut self) -> Result<(ExprKind, Option<TypeId>)> {
        if let Token::Punct(punct) = self.parser.cursor.token
            && let Some(op) = UNARY.find(punct)
        {
            self.parser.cursor.advance()?;
            let operand = self.expr()?;
            self.punct(")")?;
            return Ok((ExprKind::Unary(op, operand), None));
        }
        let left = self.expr()?;
        if self.eat("as")? {
            let ty = self.parser.ty()?;
            self.punct(")")?;
            return Ok((ExprKind::Cast(left), Some(ty)));
        }
        let Token::Punct(punct) = self.parser.cursor.token else {
            return self.error("an operator was expected");
        };
        self.parser.cursor.advance()?;
        let right = self.expr()?;
        self.punct(")")?;
        match (BINARY.find(punct), COMPARE.find(punct)) {
            (Some(op), _) => Ok((ExprKind::Binary(op, left, right), None)),
            (_, Some(op)) => Ok((ExprKind::Compare(op, left, right), None)),
            _ => self.error(format!("`{punct}` before this is no operator")),
        }
    }

    fn application(&mut self, word: &str) -> Result<(ExprKind, Option<TypeId>)> {
        let kind = match word {
            "fp" => return self.float(),
            "ptradd" => {
                let (pointer, index, stride) = self.strided()?;
                ExprKind::PointerAdd { pointer, index, stride }
            }
            "ptrdiff" => {
                let (left, right, stride) = self.strided()?;
                ExprKind::PointerDifference { left, right, stride }
            }
            "overflows" => self.overflows()?,
            "select" => {
                let operands = self.list(Self::expr)?;
                let [condition, then, otherwise] = operands[..] else {
                    return self.error("`select` before this has three operands");
                };
                ExprKind::Select { condition, then, otherwise }
            }
            _ => match BUILTINS.find(word) {
                Some(builtin) => ExprKind::Builtin(builtin, self.list(Self::expr)?),
                None => return self.error(format!("`{word}` before this is no operation")),
            },
        };
        Ok((kind, None))
    }

    fn strided(&mut self) -> Result<(ExprId, ExprId, u64)> {
        self.punct("(")?;
        let left = self.expr()?;
        self.punct(",")?;
        let right = self.expr()?;
        self.punct(",")?;
        let stride = self.parser.cursor.number_as()?;
        self.punct(")")?;
        Ok((left, right, stride))
    }

    fn overflows(&mut self) -> Result<ExprKind> {
        self.punct("(")?;
        let op = match self.parser.cursor.advance()? {
            Token::Punct(punct) => BINARY.find(punct),
            _ => None,
        };
        let Some(op) = op else { return self.error("an operator was expected before this") };
        let left = self.expr()?;
        self.punct(",")?;
        let right = self.expr()?;
        self.punct(",")?;
        let of = self.parser.ty()?;
        self.punct(")")?;
        Ok(ExprKind::Overflows { op, left, right, of })
    }

    fn float(&mut self) -> Result<(ExprKind, Option<TypeId>)> {
        self.punct("(")?;
        let ty = self.parser.ty()?;
        let bits = self.parser.cursor.number_i128()? as u128;
        let text: Option<Arc<str>> = self.parser.cursor.optional_string()?;
        self.punct(")")?;
        Ok((ExprKind::Float { bits, text }, Some(ty)))
    }

    pub(super) fn place(&mut self) -> Result<Place> {
        self.nested(Self::place_node)
    }

    fn place_node(&mut self) -> Result<Place> {
        let base = match self.parser.cursor.token {
            Token::Local(_) => PlaceBase::Local(self.local()?),
            Token::Global(number) => {
                self.parser.cursor.advance()?;
                PlaceBase::Global(GlobalId(number))
            }
            Token::Punct("*") => {
                self.parser.cursor.advance()?;
                PlaceBase::Deref(self.expr()?)
            }
            _ => return self.error("a place was expected"),
        };
        let mut projections = Vec::new();
        loop {
            if self.parser.cursor.eat_punct("/")? {
                projections.push(self.field_step()?);
            } else if self.parser.cursor.eat_punct("[")? {
                projections.push(self.index_step()?);
            } else {
                break;
            }
        }
        if self.parser.cursor.eat_punct("{")? {
            let ty = self.parser.ty()?;
            self.punct("}")?;
            return Ok(Place { base, projections, ty });
        }
        match self.context().place(base, &projections) {
            Some(ty) => Ok(Place { base, projections, ty }),
            None => self.error("the type of the place before this must be written"),
        }
    }

    fn field_step(&mut self) -> Result<Projection> {
        let record = RecordId(self.parser.cursor.numbered("r")?);
        self.punct(".")?;
        let field = self.parser.cursor.number_as()?;
        if self.parser.cursor.eat_punct(".")? {
            self.parser.cursor.word_token()?;
        }
        Ok(Projection::Field { record, field })
    }

    fn index_step(&mut self) -> Result<Projection> {
        let index = self.expr()?;
        self.parser.cursor.expect("by")?;
        let stride = self.parser.cursor.number_as()?;
        let length = if self.eat("of")? { Some(self.parser.cursor.number_as()?) } else { None };
        self.punct("]")?;
        Ok(Projection::Index { index, stride, length })
    }
}
