// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses the text form: tables, globals and function headers first, then the bodies, because a body may
//! name a function that comes after it.

use std::fmt;

use clew_base::index::{Idx, IndexVec};
use clew_base::source::{FileId, LineMarker, MacroId, MacroUse, SourceFile};

use super::lex::{Cursor, Token};
use super::parse_body::BodyParser;
use super::{FORMATS, LINKAGES};
use crate::syntax::*;
use crate::types::TypeTable;
use crate::visit::VisitMut;

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The program that a text describes. Not verified.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser {
        cursor: Cursor::new(text)?,
        program: Program::new(Target::x86_64_linux()),
        types: TypeTable::new(),
    };
    let mut bodies = Vec::new();
    let mut listed = Vec::new();
    parser.cursor.expect("clew-ir")?;
    if parser.cursor.number_i128()? != 1 {
        return Err(parser.cursor.error("only version 1 of the text form is known"));
    }
    while parser.cursor.token != Token::End {
        parser.item(&mut bodies, &mut listed)?;
    }
    for (function, offset) in bodies {
        parser.cursor.seek(offset)?;
        BodyParser::parse(&mut parser, function)?;
    }
    parser.finish(listed)
}

pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) program: Program,
    pub(super) types: TypeTable,
}

/// No file: spans of items always name theirs.
const NO_FILE: FileId = FileId(u32::MAX);

impl Parser<'_> {
    fn item(
        &mut self,
        bodies: &mut Vec<(FuncId, usize)>,
        listed: &mut Vec<TypeId>,
    ) -> Result<(), ParseError> {
        match self.cursor.word_token()? {
            "target" => self.target(),
            "unsupported" => {
                let what = self.cursor.string()?;
                let span = self.cursor.take_span(false, NO_FILE)?;
                self.program.unsupported.push(Unsupported { span, what });
                Ok(())
            }
            "record" => self.record(),
            "global" => self.global(),
            "function" => self.function(bodies),
            "type" => self.type_line(listed),
            "file" => self.file(),
            "macro" => self.macro_use(),
            other => Err(self.cursor.error(format!("`{other}` starts nothing"))),
        }
    }

    fn target(&mut self) -> Result<(), ParseError> {
        let cursor = &mut self.cursor;
        let triple = cursor.string()?;
        cursor.expect("pointer")?;
        let pointer_bytes = cursor.number_as()?;
        cursor.expect("char")?;
        let char_signed = cursor.word_token()? == "signed";
        cursor.expect("int")?;
        let int_bits = cursor.number_as()?;
        cursor.expect("long")?;
        let long_bits = cursor.number_as()?;
        cursor.expect("long_double")?;
        let at = cursor.offset();
        let format = FORMATS.find(cursor.word_token()?);
        let long_double = format.ok_or_else(|| cursor.error_at(at, "a float format was expected"))?;
        self.program.target = Target { triple, pointer_bytes, char_signed, int_bits, long_bits, long_double };
        self.program.semantics.wrapv = cursor.eat("wrapv")?;
        self.program.semantics.fast_math = cursor.eat("fast_math")?;
        self.program.semantics.no_math_errno = cursor.eat("no_math_errno")?;
        Ok(())
    }

    /// Checks that a table's entries come in order.
    fn in_order(&self, found: u32, expected: usize, what: &str) -> Result<(), ParseError> {
        if found as usize == expected {
            return Ok(());
        }
        Err(self.cursor.error(format!("{what} number {expected} was expected here")))
    }

    fn record(&mut self) -> Result<(), ParseError> {
        let number = self.cursor.numbered("r")?;
        self.in_order(number, self.types.records().len(), "record")?;
        let is_union = match self.cursor.word_token()? {
            "struct" => false,
            "union" => true,
            _ => return Err(self.cursor.error("`struct` or `union` was expected")),
        };
        let name = self.cursor.optional_string()?;
        self.cursor.expect("size")?;
        let size = self.cursor.number_as()?;
        self.cursor.expect("align")?;
        let align = self.cursor.number_as()?;
        let incomplete = self.cursor.eat("incomplete")?;
        self.cursor.expect_punct("{")?;
        let mut fields = Vec::new();
        while self.cursor.eat("at")? {
            fields.push(self.field()?);
        }
        self.cursor.expect_punct("}")?;
        self.types.add_record(Record { name, is_union, fields, size, align, incomplete });
        Ok(())
    }

    fn field(&mut self) -> Result<Field, ParseError> {
        let offset = self.cursor.number_as()?;
        let bits = self.bit_range()?;
        let is_const = self.cursor.eat("const")?;
        let name = self.cursor.optional_string()?;
        self.cursor.expect_punct(":")?;
        Ok(Field { name, ty: self.ty()?, offset, bits, is_const })
    }

    pub(super) fn bit_range(&mut self) -> Result<Option<BitRange>, ParseError> {
        if !self.cursor.eat("bits")? {
            return Ok(None);
        }
        Ok(Some(BitRange { start: self.cursor.number_as()?, width: self.cursor.number_as()? }))
    }

    pub(super) fn ty(&mut self) -> Result<TypeId, ParseError> {
        let ty = if self.cursor.eat_punct("*")? {
            Type::Pointer(self.ty()?)
        } else if self.cursor.eat_punct("[")? {
            let length = if self.cursor.eat_punct("?")? { None } else { Some(self.cursor.number_as()?) };
            let element = self.ty()?;
            self.cursor.expect_punct("]")?;
            Type::Array { element, length }
        } else {
            self.named_type()?
        };
        Ok(self.types.intern(ty))
    }

    fn named_type(&mut self) -> Result<Type, ParseError> {
        let at = self.cursor.offset();
        let word = self.cursor.word_token()?;
        match word {
            "void" => return Ok(Type::Void),
            "bool" => return Ok(Type::Bool),
            "fn" => return self.function_type(),
            "opaque" => {
                self.cursor.expect_punct("(")?;
                let bytes = self.cursor.number_as()?;
                self.cursor.expect_punct(",")?;
                let align = self.cursor.number_as()?;
                self.cursor.expect_punct(",")?;
                let what = self.cursor.string()?;
                self.cursor.expect_punct(")")?;
                return Ok(Type::Opaque { bytes, align, what });
            }
            _ => {}
        }
        if let Some(format) = FORMATS.find(word) {
            return Ok(Type::Float(format));
        }
        let number = |prefix: &str| word.strip_prefix(prefix).and_then(|d| d.parse::<u32>().ok());
        if let Some(record) = number("r") {
            if self.cursor.eat_punct(".")? {
                self.cursor.word_token()?;
            }
            return Ok(Type::Record(RecordId(record)));
        }
        let (bits, signed) = match (number("i"), number("u")) {
            (Some(bits), _) => (bits, true),
            (_, Some(bits)) => (bits, false),
            _ => return Err(self.cursor.error_at(at, "a type was expected")),
        };
        if !(1..=128).contains(&bits) {
            return Err(self.cursor.error_at(at, "an integer has 1 to 128 bits"));
        }
        Ok(Type::Int { bits: bits as u16, signed })
    }

    fn function_type(&mut self) -> Result<Type, ParseError> {
        let prototyped = !self.cursor.eat_punct("?")?;
        self.cursor.expect_punct("(")?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.cursor.eat_punct(")")? {
            if self.cursor.eat_punct("...")? {
                variadic = true;
            } else {
                parameters.push(self.ty()?);
            }
            if !self.cursor.eat_punct(",")? {
                self.cursor.expect_punct(")")?;
                break;
            }
        }
        self.cursor.expect_punct("->")?;
        let result = self.ty()?;
        Ok(Type::Function { result, parameters, variadic, prototyped })
    }

    fn linkage(&mut self) -> Result<Linkage, ParseError> {
        let at = self.cursor.offset();
        let linkage = LINKAGES.find(self.cursor.word_token()?);
        linkage.ok_or_else(|| self.cursor.error_at(at, "a linkage was expected"))
    }

    fn alias(&mut self) -> Result<Option<std::sync::Arc<str>>, ParseError> {
        if self.cursor.eat("alias")? { self.cursor.string().map(Some) } else { Ok(None) }
    }

    fn global(&mut self) -> Result<(), ParseError> {
        let Token::Global(number) = self.cursor.token else {
            return Err(self.cursor.error("a global was expected"));
        };
        self.in_order(number, self.program.globals.len(), "global")?;
        self.cursor.advance()?;
        let name = self.cursor.string()?;
        let source_name = self.cursor.string()?;
        self.cursor.expect_punct(":")?;
        let ty = self.ty()?;
        self.cursor.expect("size")?;
        let size = self.cursor.number_as()?;
        self.cursor.expect("align")?;
        let align = self.cursor.number_as()?;
        let linkage = self.linkage()?;
        let kind = self.global_kind()?;
        let is_const = self.cursor.eat("const")?;
        let thread_local = self.cursor.eat("thread_local")?;
        let alias = self.alias()?;
        let span = self.cursor.take_span(false, NO_FILE)?;
        let init = self.init()?;
        self.program.globals.push(Global {
            name,
            source_name,
            ty,
            size,
            align,
            linkage,
            kind,
            is_const,
            thread_local,
            init,
            alias,
            span,
        });
        Ok(())
    }

    fn init(&mut self) -> Result<Option<Init>, ParseError> {
        let tentative = self.cursor.eat("tentative")?;
        if !tentative && !self.cursor.eat_punct("=")? {
            return Ok(None);
        }
        let mut init = Init { bytes: self.cursor.bytes()?, relocations: Vec::new(), tentative };
        while matches!(self.cursor.token, Token::Text(_)) {
            init.bytes.extend(self.cursor.bytes()?);
        }
        if self.cursor.eat_punct("{")? {
            while self.cursor.eat("at")? {
                init.relocations.push(self.relocation()?);
            }
            self.cursor.expect_punct("}")?;
        }
        Ok(Some(init))
    }

    fn relocation(&mut self) -> Result<Relocation, ParseError> {
        let offset = self.cursor.number_as()?;
        self.cursor.expect("bytes")?;
        let bytes = self.cursor.number_as()?;
        self.cursor.expect_punct(":")?;
        let target = self.address()?;
        let addend = if self.cursor.eat("plus")? { self.cursor.number_as()? } else { 0 };
        let minus = if self.cursor.eat("minus")? { Some(self.address()?) } else { None };
        Ok(Relocation { offset, bytes, target, addend, minus })
    }

    fn address(&mut self) -> Result<Address, ParseError> {
        match self.cursor.advance()? {
            Token::Global(global) => Ok(Address::Global(GlobalId(global))),
            Token::Function(function) => match self.cursor.token {
                Token::Word(word) if word.starts_with('b') && word != "bytes" => {
                    Ok(Address::Label(FuncId(function), BlockId(self.cursor.numbered("b")?)))
                }
                _ => Ok(Address::Function(FuncId(function))),
            },
            _ => Err(self.cursor.error("a global or function was expected before this")),
        }
    }

    fn function(&mut self, bodies: &mut Vec<(FuncId, usize)>) -> Result<(), ParseError> {
        let Token::Function(number) = self.cursor.token else {
            return Err(self.cursor.error("a function was expected"));
        };
        self.in_order(number, self.program.functions.len(), "function")?;
        self.cursor.advance()?;
        let name = self.cursor.string()?;
        let source_name = self.cursor.string()?;
        self.cursor.expect_punct(":")?;
        let ty = self.ty()?;
        let linkage = self.linkage()?;
        let attributes = self.attributes()?;
        let alias = self.alias()?;
        let span = self.cursor.take_span(false, NO_FILE)?;
        let bodiless = self.cursor.eat("contract")?;
        let body = (matches!(self.cursor.token, Token::Punct("{")) && !bodiless).then(Body::default);
        let contract = Contract::default();
        let function = Function { name, source_name, ty, linkage, attributes, alias, contract, body, span };
        let id = self.program.functions.push(function);
        if matches!(self.cursor.token, Token::Punct("{")) {
            bodies.push((id, self.cursor.offset()));
            self.skip_braces()?;
        }
        Ok(())
    }

    fn global_kind(&mut self) -> Result<GlobalKind, ParseError> {
        if self.cursor.eat("string")? {
            return Ok(GlobalKind::StringLiteral);
        }
        if !self.cursor.eat("register")? {
            return Ok(GlobalKind::Variable);
        }
        let range = match self.cursor.eat("between")? {
            true => Some((self.cursor.number_as()?, self.cursor.number_as()?)),
            false => None,
        };
        Ok(GlobalKind::Register { range })
    }

    fn attributes(&mut self) -> Result<Attributes, ParseError> {
        let mut attributes = Attributes {
            noreturn: self.cursor.eat("noreturn")?,
            returns_twice: self.cursor.eat("returns_twice")?,
            implicit: self.cursor.eat("implicit")?,
            inline: self.cursor.eat("inline")?,
            interrupt: self.cursor.eat("interrupt")?,
            demanding: self.cursor.eat("demanding")?,
            ..Attributes::default()
        };
        if self.cursor.eat("nonnull")? {
            attributes.nonnull = self.cursor.number_as()?;
        }
        if self.cursor.eat("elements")? {
            attributes.elements = self.cursor.number_as()?;
        }
        if self.cursor.eat("reads_only")? {
            attributes.reads_only = self.cursor.number_as()?;
        }
        if self.cursor.eat("constructor")? {
            attributes.constructor = Some(self.cursor.number_as()?);
        }
        if self.cursor.eat("destructor")? {
            attributes.destructor = Some(self.cursor.number_as()?);
        }
        Ok(attributes)
    }

    fn skip_braces(&mut self) -> Result<(), ParseError> {
        let mut depth = 0usize;
        loop {
            match self.cursor.token {
                Token::Punct("{") => depth += 1,
                Token::Punct("}") => depth = depth.saturating_sub(1),
                Token::End => return Err(self.cursor.error("`}` is missing")),
                _ => {}
            }
            self.cursor.advance()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn type_line(&mut self, listed: &mut Vec<TypeId>) -> Result<(), ParseError> {
        let number = self.cursor.numbered("t")?;
        self.in_order(number, listed.len(), "type")?;
        self.cursor.expect_punct("=")?;
        let ty = self.ty()?;
        listed.push(ty);
        Ok(())
    }

    fn file(&mut self) -> Result<(), ParseError> {
        let number = self.cursor.number_as()?;
        self.in_order(number, self.program.sources.files.len(), "file")?;
        let mut file = SourceFile::new(self.cursor.string()?, Vec::new().into());
        while self.cursor.eat("line")? {
            let offset = self.cursor.number_as()?;
            let name = self.cursor.string()?;
            file.markers.push(LineMarker { offset, name, line: self.cursor.number_as()? });
        }
        self.program.sources.files.push(file);
        Ok(())
    }

    fn macro_use(&mut self) -> Result<(), ParseError> {
        let number = self.cursor.number_as()?;
        self.in_order(number, self.program.sources.macros.len(), "macro")?;
        let name = self.cursor.string()?;
        let parent = if self.cursor.eat("parent")? { Some(MacroId(self.cursor.number_as()?)) } else { None };
        let spelling = self.cursor.take_span(false, NO_FILE)?;
        self.program.sources.macros.push(MacroUse { name, spelling, parent });
        Ok(())
    }

    /// Renumbers the types as the text lists them; types that it does not list come behind.
    fn finish(self, listed: Vec<TypeId>) -> Result<Program, ParseError> {
        let Parser { cursor, mut program, types } = self;
        let (types, records) = types.into_parts();
        let mut new_ids: IndexVec<TypeId, Option<TypeId>> = types.iter().map(|_| None).collect();
        let mut order: IndexVec<TypeId, TypeId> = IndexVec::new();
        for ty in listed {
            if new_ids[ty].replace(order.push(ty)).is_some() {
                return Err(cursor.error("a type is listed twice"));
            }
        }
        for ty in types.indices() {
            if new_ids[ty].is_none() {
                new_ids[ty] = Some(order.push(ty));
            }
        }
        program.types = order.iter().map(|old| types[*old].clone()).collect();
        program.records = records;
        Renumber(new_ids).program(&mut program);
        Ok(program)
    }
}

struct Renumber(IndexVec<TypeId, Option<TypeId>>);

impl VisitMut for Renumber {
    fn ty(&mut self, ty: &mut TypeId) {
        if let Some(Some(new)) = self.0.get(*ty) {
            *ty = *new;
        }
    }
}

impl Renumber {
    fn program(&mut self, program: &mut Program) {
        if self.0.iter_enumerated().all(|(old, new)| new.is_some_and(|new| new.index() == old.index())) {
            return;
        }
        program.types.iter_mut().for_each(|ty| self.walk_type(ty));
        program.records.iter_mut().for_each(|record| self.walk_record(record));
        program.globals.iter_mut().for_each(|global| self.walk_global(global));
        program.functions.iter_mut().for_each(|function| self.walk_function(function));
    }
}
