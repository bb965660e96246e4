// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses the body of a function.

use clew_base::index::{Idx, IndexVec};
use clew_base::source::{FileId, Span};
use rustc_hash::FxHashMap;

use super::lex::Token;
use super::parse::{ParseError, Parser};
use super::{INTRINSICS, RAISES};
use crate::obligation::{CheckKind, Condition, Obligation};
use crate::syntax::*;

pub(super) struct BodyParser<'p, 't> {
    pub(super) parser: &'p mut Parser<'t>,
    pub(super) body: Body,
    contract: Contract,
    obligations: Vec<Option<Obligation>>,
    pub(super) names: FxHashMap<u32, ExprId>,
    pub(super) file: FileId,
    pub(super) depth: u32,
}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

impl<'p, 't> BodyParser<'p, 't> {
    /// Parses what stands between the braces of a function.
    pub(super) fn parse(parser: &'p mut Parser<'t>, function: FuncId) -> Result<()> {
        let file = parser.program.functions[function].span.file;
        let has_body = parser.program.functions[function].body.is_some();
        let mut this = BodyParser {
            parser,
            body: Body::default(),
            contract: Contract::default(),
            obligations: Vec::new(),
            names: FxHashMap::default(),
            file,
            depth: 0,
        };
        this.parser.cursor.expect_punct("{")?;
        this.locals()?;
        this.blocks()?;
        let mut obligations = IndexVec::new();
        for obligation in std::mem::take(&mut this.obligations) {
            let Some(obligation) = obligation else {
                return this.error(format!("obligation o{} is missing", obligations.len()));
            };
            obligations.push(obligation);
        }
        this.body.obligations = obligations;
        this.parser.cursor.expect_punct("}")?;
        let (body, contract) = (this.body, this.contract);
        if !has_body && body != Body::default() {
            return Err(this.parser.cursor.error("a function without a body has code before this"));
        }
        let target = &mut this.parser.program.functions[function];
        target.contract = contract;
        target.body = has_body.then_some(body);
        Ok(())
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(self.parser.cursor.error(message))
    }

    pub(super) fn punct(&mut self, punct: &str) -> Result<()> {
        self.parser.cursor.expect_punct(punct)
    }

    pub(super) fn eat(&mut self, word: &str) -> Result<bool> {
        self.parser.cursor.eat(word)
    }

    fn span(&mut self) -> Result<Span> {
        self.parser.cursor.take_span(false, self.file)
    }

    fn locals(&mut self) -> Result<()> {
        while let Token::Local(number) = self.parser.cursor.token {
            if number as usize != self.body.locals.len() {
                return self.error(format!("local %{} was expected here", self.body.locals.len()));
            }
            self.parser.cursor.advance()?;
            let name = self.parser.cursor.optional_string()?;
            self.punct(":")?;
            let ty = self.parser.ty()?;
            let storage = if self.eat("register")? {
                Storage::Register
            } else {
                self.parser.cursor.expect("memory")?;
                self.parser.cursor.expect("align")?;
                let align = self.parser.cursor.number_as()?;
                Storage::Memory { align, is_const: self.eat("const")? }
            };
            let span = self.span()?;
            self.body.locals.push(Local { name, ty, storage, span });
        }
        if self.eat("parameters")? {
            self.body.parameters = self.parser.cursor.number_as()?;
        }
        Ok(())
    }

    /// Blocks, and the named expressions, contract and orphans that may stand before and after them.
    fn blocks(&mut self) -> Result<()> {
        let mut statements = Vec::new();
        let mut open = false;
        loop {
            let Token::Word(word) = self.parser.cursor.token else {
                if matches!(self.parser.cursor.token, Token::Punct("}")) && !open {
                    return Ok(());
                }
                statements.push(self.statement()?);
                continue;
            };
            match word {
                "requires" | "ensures" | "assigns" if !open => self.contract_line()?,
                "orphan" if !open => {
                    self.parser.cursor.advance()?;
                    self.obligation()?;
                }
                "goto" | "branch" | "switch" | "return" | "unreachable" if open => {
                    let terminator = self.terminator()?;
                    let span = self.span()?;
                    let statements = std::mem::take(&mut statements);
                    self.body.blocks.push(Block { statements, terminator, span });
                    open = false;
                }
                _ if self.name_line()? => {}
                _ if !open => {
                    let number = self.parser.cursor.numbered("b")?;
                    if number as usize != self.body.blocks.len() {
                        return self.error(format!("block b{} was expected here", self.body.blocks.len()));
                    }
                    self.punct(":")?;
                    open = true;
                }
                _ => statements.push(self.statement()?),
            }
        }
    }

    /// `e3 = ...`, if that stands here.
    fn name_line(&mut self) -> Result<bool> {
        let Token::Word(word) = self.parser.cursor.token else { return Ok(false) };
        if word.strip_prefix('e').and_then(|d| d.parse::<u32>().ok()).is_none() {
            return Ok(false);
        }
        let name = self.parser.cursor.numbered("e")?;
        self.punct("=")?;
        let value = self.expr()?;
        if self.names.insert(name, value).is_some() {
            return self.error(format!("e{name} has a value already"));
        }
        Ok(true)
    }

    fn contract_line(&mut self) -> Result<()> {
        match self.parser.cursor.word_token()? {
            "requires" => {
                let condition = self.expr()?;
                self.contract.requires.push(condition);
            }
            "ensures" => {
                let condition = self.expr()?;
                self.contract.ensures.push(condition);
            }
            _ => self.contract.assigns = Some(self.list(Self::place)?),
        }
        Ok(())
    }

    /// `(a, b, c)`.
    pub(super) fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.punct("(")?;
        let mut items = Vec::new();
        if self.parser.cursor.eat_punct(")")? {
            return Ok(items);
        }
        loop {
            items.push(each(self)?);
            if !self.parser.cursor.eat_punct(",")? {
                self.punct(")")?;
                return Ok(items);
            }
        }
    }

    pub(super) fn local(&mut self) -> Result<LocalId> {
        match self.parser.cursor.token {
            Token::Local(number) if (number as usize) < self.body.locals.len() => {
                self.parser.cursor.advance()?;
                Ok(LocalId(number))
            }
            _ => self.error("a local of this function was expected"),
        }
    }

    pub(super) fn block(&mut self) -> Result<BlockId> {
        self.parser.cursor.numbered("b").map(BlockId)
    }

    fn flags(&mut self) -> Result<AccessFlags> {
        Ok(AccessFlags {
            volatile: self.eat("volatile")?,
            atomic: self.eat("atomic")?,
            copies: self.eat("copies")?,
        })
    }

    fn statement(&mut self) -> Result<Statement> {
        if matches!(self.parser.cursor.token, Token::Local(_)) {
            let local = self.local()?;
            self.punct("=")?;
            let kind = if self.eat("load")? {
                let flags = self.flags()?;
                StatementKind::Load { local, place: Box::new(self.place()?), flags }
            } else {
                StatementKind::Assign { local, value: self.expr()? }
            };
            return Ok(Statement { kind, span: self.span()? });
        }
        let word = self.parser.cursor.word_token()?;
        if word == "check" {
            let span = self.span()?;
            return Ok(Statement { kind: self.check()?, span });
        }
        let kind = self.statement_kind(word)?;
        Ok(Statement { kind, span: self.span()? })
    }

    fn statement_kind(&mut self, word: &str) -> Result<StatementKind> {
        Ok(match word {
            "store" => {
                let flags = self.flags()?;
                let place = Box::new(self.place()?);
                self.punct("=")?;
                StatementKind::Store { place, value: self.expr()?, flags }
            }
            "copy" => {
                let flags = self.flags()?;
                let to = Box::new(self.place()?);
                self.punct("=")?;
                StatementKind::Copy { to, from: Box::new(self.place()?), flags }
            }
            "zero" => StatementKind::Zero { place: Box::new(self.place()?) },
            "live" => {
                let local = self.local()?;
                let bytes = if self.eat("bytes")? { Some(self.expr()?) } else { None };
                StatementKind::StorageLive { local, bytes }
            }
            "dead" => StatementKind::StorageDead { local: self.local()? },
            "assume" => StatementKind::Assume { condition: self.expr()? },
            "havoc" => {
                let target = match self.parser.cursor.word_token()? {
                    "local" => HavocTarget::Local(self.local()?),
                    "place" => HavocTarget::Place(self.place()?),
                    _ => return self.error("`local` or `place` was expected before this"),
                };
                StatementKind::Havoc { target }
            }
            "call" => StatementKind::Call(Box::new(self.call()?)),
            "intrinsic" => StatementKind::Intrinsic(Box::new(self.intrinsic()?)),
            "asm" => StatementKind::Assembler {
                text: self.parser.cursor.string()?,
                outputs: self.list(Self::place)?,
                registers: self.list(Self::local)?,
                inputs: self.list(Self::expr)?,
                memory: self.eat("memory")?,
            },
            "unordered" => self.unordered()?,
            "unsupported" => StatementKind::Unsupported { what: self.parser.cursor.string()? },
            _ => return self.error(format!("`{word}` before this starts no statement")),
        })
    }

    fn check(&mut self) -> Result<StatementKind> {
        let mut first = None;
        let mut count = 0;
        while matches!(self.parser.cursor.token, Token::Word(w) if is_numbered(w, "o")) {
            let id = self.obligation()?;
            let first = *first.get_or_insert(id);
            if id.0 != first.0 + count {
                return self.error("the obligations of a check are numbered one after the other");
            }
            count += 1;
        }
        match first {
            Some(first) => Ok(StatementKind::Check { first, count }),
            None => self.error("a check without obligations"),
        }
    }

    fn obligation(&mut self) -> Result<ObligationId> {
        let number = self.parser.cursor.numbered("o")?;
        let Some(check) = CheckKind::from_id(self.parser.cursor.word_token()?) else {
            return self.error("the name of a check was expected before this");
        };
        self.punct(":")?;
        let condition = self.condition()?;
        let span = self.span()?;
        let index = number as usize;
        // The limit keeps a mistyped number from taking all memory.
        if index >= self.obligations.len() + 1_000_000 {
            return self.error("an obligation's number is far from the others");
        }
        if index >= self.obligations.len() {
            self.obligations.resize(index + 1, None);
        }
        if self.obligations[index].replace(Obligation { check, condition, span }).is_some() {
            return self.error(format!("obligation o{number} comes twice"));
        }
        Ok(ObligationId::new(index))
    }

    fn condition(&mut self) -> Result<Condition> {
        let word = self.parser.cursor.word_token()?;
        Ok(match word {
            "never" => Condition::Never,
            "not_leaked" => Condition::NotLeaked,
            "result_unused" => Condition::ResultUnused,
            "commutes" => Condition::Commutes,
            "holds" => Condition::Holds(self.expr()?),
            "not_raised" => {
                let Some(raise) = RAISES.find(self.parser.cursor.word_token()?) else {
                    return self.error("the name of an exception was expected before this");
                };
                Condition::NotRaised(raise, self.expr()?)
            }
            "initialised_local" => Condition::InitialisedLocal(self.local()?),
            "not_null" => Condition::NotNull(self.expr()?),
            "valid" => Condition::Valid(self.expr()?),
            "live" => Condition::Live(self.expr()?),
            "alloc_base" => Condition::AllocBase(self.expr()?),
            "handle" => Condition::Handle(self.expr()?),
            "lasting" => Condition::Lasting(self.expr()?),
            "written_text" => Condition::WrittenText(self.expr()?),
            "nul_within" => Condition::NulWithin(self.expr()?),
            "callable" => Condition::Callable(self.expr()?),
            "unnamed" => {
                let ty = self.parser.ty()?;
                Condition::Unnamed(self.expr()?, ty)
            }
            "stack_fits" => Condition::StackFits(self.expr()?),
            "same_object" => {
                let (p, q) = self.pair()?;
                Condition::SameObject(p, q)
            }
            "readable" => {
                let (p, n) = self.pair()?;
                Condition::ReadableRange(p, n)
            }
            "written_range" => {
                let (p, n) = self.pair()?;
                Condition::WrittenRange(p, n)
            }
            "writable_range" => {
                let (p, n) = self.pair()?;
                Condition::WritableRange(p, n)
            }
            "disjoint" => {
                let (p, n) = self.pair()?;
                self.punct(",")?;
                let (q, m) = self.pair()?;
                Condition::Disjoint { p, n, q, m }
            }
            "same_or_disjoint" => {
                let (p, q) = self.pair()?;
                self.punct(",")?;
                Condition::SameOrDisjoint { p, q, n: self.expr()? }
            }
            "in_bounds" => Condition::InBounds(Box::new(self.place()?)),
            "writable" => Condition::Writable(Box::new(self.place()?)),
            "aligned" => {
                let align = self.parser.cursor.number_as()?;
                Condition::Aligned(Box::new(self.place()?), align)
            }
            "initialised" => {
                let bits = self.parser.bit_range()?;
                Condition::Initialised(Box::new(self.place()?), bits)
            }
            _ => return self.error(format!("`{word}` before this is no condition")),
        })
    }

    fn pair(&mut self) -> Result<(ExprId, ExprId)> {
        let left = self.expr()?;
        self.punct(",")?;
        Ok((left, self.expr()?))
    }

    fn unordered(&mut self) -> Result<StatementKind> {
        let (marker, obligation) = match self.parser.cursor.word_token()? {
            "begin" => {
                let obligation = self.obligation()?;
                self.punct(",")?;
                (UnorderedMarker::Begin, obligation)
            }
            "next" => (UnorderedMarker::Next, ObligationId(self.parser.cursor.numbered("o")?)),
            "back" => (UnorderedMarker::Back, ObligationId(self.parser.cursor.numbered("o")?)),
            "end" => (UnorderedMarker::End, ObligationId(self.parser.cursor.numbered("o")?)),
            _ => return self.error("`begin`, `next` or `end` was expected before this"),
        };
        Ok(StatementKind::Unordered { marker, obligation })
    }

    fn result(&mut self) -> Result<Option<CallResult>> {
        let result = if self.eat("local")? {
            CallResult::Local(self.local()?)
        } else if self.eat("place")? {
            CallResult::Place(self.place()?)
        } else {
            return Ok(None);
        };
        self.punct("=")?;
        Ok(Some(result))
    }

    fn argument(&mut self) -> Result<Argument> {
        if self.eat("object")? {
            self.place().map(Argument::Object)
        } else {
            self.expr().map(Argument::Value)
        }
    }

    fn call(&mut self) -> Result<Call> {
        let result = self.result()?;
        let (callee, declared) = match self.parser.cursor.token {
            Token::Function(number) => {
                self.parser.cursor.advance()?;
                let id = FuncId(number);
                (Callee::Direct(id), self.parser.program.functions.get(id).map(|f| f.ty))
            }
            Token::Punct("*") => {
                self.parser.cursor.advance()?;
                (Callee::Indirect(self.expr()?), None)
            }
            _ => return self.error("a function or `*` was expected"),
        };
        let arguments = self.list(Self::argument)?;
        let written = if self.parser.cursor.eat_punct(":")? { Some(self.parser.ty()?) } else { None };
        match written.or(declared) {
            Some(signature) => Ok(Call { result, callee, arguments, signature }),
            None => self.error("the type of the call before this must be written"),
        }
    }

    fn intrinsic(&mut self) -> Result<IntrinsicCall> {
        let result = self.result()?;
        let word = self.parser.cursor.word_token()?;
        let op = match word {
            "va_arg" => Some(Intrinsic::VaArg(self.parser.ty()?)),
            _ => INTRINSICS.find(word),
        };
        let Some(op) = op else { return self.error(format!("`{word}` before this is no intrinsic")) };
        Ok(IntrinsicCall { op, result, arguments: self.list(Self::expr)? })
    }

    fn terminator(&mut self) -> Result<Terminator> {
        Ok(match self.parser.cursor.word_token()? {
            "goto" => {
                if !self.parser.cursor.eat_punct("*")? {
                    return Ok(Terminator::Goto(self.block()?));
                }
                let address = self.expr()?;
                Terminator::ComputedGoto { address, targets: self.list(Self::block)? }
            }
            "branch" => {
                let condition = self.expr()?;
                self.punct("?")?;
                let then = self.block()?;
                self.punct(":")?;
                Terminator::Branch { condition, then, otherwise: self.block()? }
            }
            "switch" => self.switch()?,
            "return" => self.return_value()?,
            _ => Terminator::Unreachable,
        })
    }

    fn switch(&mut self) -> Result<Terminator> {
        let value = self.expr()?;
        self.punct("{")?;
        let mut cases = Vec::new();
        while !self.parser.cursor.eat_punct("}")? {
            let low = self.parser.cursor.number_i128()?;
            let high =
                if self.parser.cursor.eat_punct("..")? { self.parser.cursor.number_i128()? } else { low };
            self.punct(":")?;
            cases.push((low, high, self.block()?));
            self.parser.cursor.eat_punct(",")?;
        }
        self.parser.cursor.expect("default")?;
        Ok(Terminator::Switch { value, cases, default: self.block()? })
    }

    /// A returned value, unless the next thing ends the block: a span, a block label or the brace.
    fn return_value(&mut self) -> Result<Terminator> {
        let ends = match self.parser.cursor.token {
            Token::Span { of_expr: false, .. } | Token::Punct("}") | Token::End => true,
            Token::Word(word) => word == "orphan" || is_numbered(word, "b"),
            _ => false,
        };
        Ok(Terminator::Return(if ends { None } else { Some(self.argument()?) }))
    }
}

fn is_numbered(word: &str, prefix: &str) -> bool {
    word.strip_prefix(prefix).is_some_and(|digits| digits.parse::<u32>().is_ok())
}
