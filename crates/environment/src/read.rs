// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions that people wrote: the part of ACSL, and of paper 001's words, that contracts can say.

use clew_ir::syntax::{FuncId, Linkage, Program, Type, TypeId};

use crate::contract::{Clause, Necessity, Test};
use crate::linear::Linear;
use crate::source::{Kind, Place, Source};

/// Why a condition is not understood, and where in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Bytes from the start of the text.
    pub at: usize,
    /// What is wrong.
    pub what: String,
}

/// The names that a condition may use.
#[derive(Clone)]
pub struct Names<'p> {
    /// The program.
    pub program: &'p Program,
    /// The function.
    pub function: FuncId,
    /// The names of its parameters where the condition stands, if they are others than its own.
    pub parameters: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name(String),
    Number(i128),
    Sign(&'static str),
}

const SIGNS: [&str; 27] = [
    "==>", "->", "..", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "!", "(", ")", "[", "]", "+", "-", "*",
    "/", ",", ";", ".", "&", "?", ":", "=",
];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Complaint> {
    let mut all = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let first = bytes[at];
        if first.is_ascii_whitespace() || first == b'@' {
            at += 1;
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let word = rest[..length].trim_end_matches(['u', 'U', 'l', 'L']);
            let number = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
                Some(digits) => i128::from_str_radix(digits, 16),
                None => word.parse(),
            };
            let number =
                number.map_err(|_| Complaint { at, what: format!("`{}` is no number", &rest[..length]) })?;
            all.push((at, Token::Number(number)));
            at += length;
        } else if first.is_ascii_alphabetic() || first == b'_' || first == b'\\' {
            let length = rest[1..]
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .map_or(rest.len(), |n| n + 1);
            all.push((at, Token::Name(rest[..length].to_owned())));
            at += length;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            all.push((at, Token::Sign(sign)));
            at += sign.len();
        } else {
            let what =
                rest.chars().next().map_or_else(String::new, |c| format!("`{c}` is not understood here"));
            return Err(Complaint { at, what });
        }
    }
    Ok(all)
}

/// A condition as a tree of tests.
enum Formula {
    Test(Test),
    Always(bool),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
}

/// Reads a condition: clauses that must all hold.
pub fn read(text: &str, names: &Names<'_>) -> Result<Vec<Clause>, Complaint> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, end: text.len(), names };
    let formula = reader.implication()?;
    if let Some((at, _)) = reader.tokens.get(reader.at) {
        return Err(Complaint { at: *at, what: "the condition should end here".to_owned() });
    }
    let whole = |what: &str| Complaint { at: 0, what: what.to_owned() };
    let clauses = alternatives(&formula, false).ok_or_else(|| whole("contracts cannot say this"))?;
    let mut read = Vec::new();
    for mut tests in clauses {
        // What is asked comes last; what excuses from it before.
        let is_asked = |test: &Test| matches!(test, Test::Room { .. } | Test::Terminated(_));
        let asked = tests
            .iter()
            .rposition(is_asked)
            .or_else(|| tests.iter().rposition(|t| matches!(t, Test::NotNull(_))));
        let Some(test) = (match asked {
            Some(at) => Some(tests.remove(at)),
            None => tests.pop(),
        }) else {
            return Err(whole("no input is so"));
        };
        match test.truth() {
            Some(true) => {}
            Some(false) if tests.is_empty() => return Err(whole("no input is so")),
            _ => read.push(Clause { unless: tests, test, necessity: Necessity::Given, origins: Vec::new() }),
        }
    }
    Ok(read)
}

/// A formula, or its opposite, as alternatives that must all hold; none if there would be too many.
fn alternatives(formula: &Formula, negated: bool) -> Option<Vec<Vec<Test>>> {
    match (formula, negated) {
        (Formula::Test(test), false) => Some(vec![vec![test.clone()]]),
        (Formula::Test(test), true) => Some(vec![vec![test.negated()?]]),
        (Formula::Always(truth), _) => Some(if *truth != negated { Vec::new() } else { vec![Vec::new()] }),
        (Formula::Not(inner), _) => alternatives(inner, !negated),
        (Formula::All(parts), false) | (Formula::Any(parts), true) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| alternatives(part, negated)).collect();
            Some(parts?.concat())
        }
        (Formula::Any(parts), false) | (Formula::All(parts), true) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let part = alternatives(part, negated)?;
                all = all
                    .iter()
                    .flat_map(|known: &Vec<Test>| {
                        part.iter().map(move |more| [&known[..], &more[..]].concat())
                    })
                    .collect();
                if all.len() > 16 {
                    return None;
                }
            }
            Some(all)
        }
    }
}

struct Reader<'r, 'p> {
    tokens: Vec<(usize, Token)>,
    at: usize,
    end: usize,
    names: &'r Names<'p>,
}

/// What a term is.
enum Term {
    Number(Linear),
    Pointer(Source, Linear),
    Null,
    Room(Source),
}

impl Reader<'_, '_> {
    fn complain<T>(&self, what: impl Into<String>) -> Result<T, Complaint> {
        let at = self.tokens.get(self.at).map_or(self.end, |(at, _)| *at);
        Err(Complaint { at, what: what.into() })
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.get(self.at), Some((_, Token::Sign(found))) if *found == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Result<(), Complaint> {
        if self.take(sign) { Ok(()) } else { self.complain(format!("`{sign}` should stand here")) }
    }

    fn implication(&mut self) -> Result<Formula, Complaint> {
        let left = self.disjunction()?;
        if self.take("==>") {
            let right = self.implication()?;
            return Ok(Formula::Any(vec![Formula::Not(Box::new(left)), right]));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Formula, Complaint> {
        let mut parts = vec![self.conjunction()?];
        while self.take("||") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::Any(parts) })
    }

    fn conjunction(&mut self) -> Result<Formula, Complaint> {
        let mut parts = vec![self.negation()?];
        while self.take("&&") {
            parts.push(self.negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::All(parts) })
    }

    fn negation(&mut self) -> Result<Formula, Complaint> {
        if self.take("!") {
            return Ok(Formula::Not(Box::new(self.negation()?)));
        }
        if self.is("(") {
            // A formula in brackets, or a term that begins with one.
            let start = self.at;
            self.at += 1;
            if let Ok(inner) = self.implication()
                && self.take(")")
                && !["<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "->"].iter().any(|sign| self.is(sign))
            {
                return Ok(inner);
            }
            self.at = start;
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Formula, Complaint> {
        if let Some((_, Token::Name(name))) = self.tokens.get(self.at).cloned() {
            match &*name {
                "\\true" | "\\false" => {
                    self.at += 1;
                    return Ok(Formula::Always(name == "\\true"));
                }
                "\\valid" | "\\valid_read" => {
                    self.at += 1;
                    return self.valid(name == "\\valid");
                }
                "nullTerm" | "valid_read_string" | "valid_string" => {
                    self.at += 1;
                    let pointer = self.pointer_in_brackets()?;
                    return Ok(Formula::All(vec![
                        Formula::Test(Test::NotNull(pointer.clone())),
                        Formula::Test(Test::Terminated(pointer)),
                    ]));
                }
                name if name.starts_with('\\') && name != "\\null" => {
                    return self.complain(format!("`{name}` is not among the words that contracts know"));
                }
                _ => {}
            }
        }
        let mut left = self.term()?;
        let mut tests = Vec::new();
        loop {
            let ops = ["<=", ">=", "==", "!=", "<", ">"];
            let Some(op) = ops.iter().find(|op| self.is(op)) else { break };
            let at = self.at;
            self.at += 1;
            let right = self.term()?;
            let test = compared(self.names.program, &left, op, &right);
            let Some(test) = test else {
                self.at = at;
                return self.complain("these two cannot be compared in a contract");
            };
            tests.push(Formula::Test(test));
            left = right;
        }
        match (tests.len(), left) {
            (0, Term::Number(sum)) => Ok(Formula::Test(Test::NotZero(sum))),
            (0, Term::Pointer(pointer, offset)) if offset.as_constant() == Some(0) => {
                Ok(Formula::Test(Test::NotNull(pointer)))
            }
            (0, _) => self.complain("a comparison should stand here"),
            (1, _) => Ok(tests.remove(0)),
            _ => Ok(Formula::All(tests)),
        }
    }

    fn pointer_in_brackets(&mut self) -> Result<Source, Complaint> {
        self.expect("(")?;
        let at = self.at;
        let Term::Pointer(pointer, offset) = self.term()? else {
            self.at = at;
            return self.complain("a pointer should stand here");
        };
        if offset.as_constant() != Some(0) {
            self.at = at;
            return self.complain("contracts speak of a pointer here, not of a place behind it");
        }
        self.expect(")")?;
        Ok(pointer)
    }

    /// `\valid(p)`, `\valid(p + (0 .. n - 1))`.
    fn valid(&mut self, writes: bool) -> Result<Formula, Complaint> {
        self.expect("(")?;
        let at = self.at;
        let Term::Pointer(pointer, start) = self.product()? else {
            self.at = at;
            return self.complain("a pointer should stand here");
        };
        let mut last = Linear::constant(0);
        if self.take("+") {
            let bracket = self.take("(");
            let at = self.at;
            let first = self.number()?;
            if self.take("..") {
                last = self.number()?;
                if first.as_constant() != Some(0) {
                    self.at = at;
                    return self.complain("ranges of contracts begin at 0");
                }
            } else {
                last = first;
            }
            if bracket {
                self.expect(")")?;
            }
        }
        self.expect(")")?;
        let size = pointer.element_bytes(self.names.program);
        let count = last.plus(1, &Linear::constant(1)).and_then(|count| count.plus(1, &start));
        let Some(bytes) = count.and_then(|count| count.times(size)) else {
            return self.complain("the numbers are too large");
        };
        let room = Formula::Test(Test::Room { pointer: pointer.clone(), bytes: bytes.clone(), writes });
        // Nothing is asked of a pointer to no bytes.
        let there = Formula::Test(Test::NotNull(pointer));
        let there = match bytes.as_constant() {
            Some(_) => there,
            None => Formula::Any(vec![Formula::Test(Test::AtMostZero(bytes)), there]),
        };
        Ok(Formula::All(vec![there, room]))
    }

    fn number(&mut self) -> Result<Linear, Complaint> {
        let at = self.at;
        match self.term()? {
            Term::Number(sum) => Ok(sum),
            _ => {
                self.at = at;
                self.complain("a number should stand here")
            }
        }
    }

    fn term(&mut self) -> Result<Term, Complaint> {
        let mut left = self.product()?;
        loop {
            let factor = match () {
                () if self.is("+") => 1,
                () if self.is("-") => -1,
                () => return Ok(left),
            };
            let at = self.at;
            self.at += 1;
            let right = self.product()?;
            let sum = match (&left, &right) {
                (Term::Number(a), Term::Number(b)) => a.plus(factor, b).map(Term::Number),
                (Term::Pointer(p, a), Term::Number(b)) => {
                    a.plus(factor, b).map(|sum| Term::Pointer(p.clone(), sum))
                }
                _ => None,
            };
            left = match sum {
                Some(sum) => sum,
                None => {
                    self.at = at;
                    return self.complain("contracts cannot add these");
                }
            };
        }
    }

    fn product(&mut self) -> Result<Term, Complaint> {
        let mut left = self.unary()?;
        while self.is("*") {
            let at = self.at;
            self.at += 1;
            let right = self.unary()?;
            let product = match (&left, &right) {
                (Term::Number(a), Term::Number(b)) => match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.times(factor),
                    (_, Some(factor)) => a.times(factor),
                    _ => None,
                },
                _ => None,
            };
            match product {
                Some(product) => left = Term::Number(product),
                None => {
                    self.at = at;
                    return self.complain("contracts multiply by numbers only");
                }
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Term, Complaint> {
        if self.take("-") {
            let at = self.at;
            return match self.unary()? {
                Term::Number(sum) => Ok(Term::Number(sum.times(-1).unwrap_or_default())),
                _ => {
                    self.at = at;
                    self.complain("a number should stand here")
                }
            };
        }
        if self.take("*") {
            let at = self.at;
            let inner = self.unary()?;
            return self.loaded(inner, 0, None, at);
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Result<Term, Complaint> {
        let start = self.at;
        let mut term = self.primary()?;
        loop {
            if self.take("->") {
                let name = self.name()?;
                let Term::Pointer(pointer, offset) = term else {
                    self.at = start;
                    return self.complain("a pointer should stand here");
                };
                term = self.field(&pointer, &offset, &name, start)?;
            } else if self.take("[") {
                let index = self.number()?;
                self.expect("]")?;
                let Some(index) = index.as_constant() else {
                    self.at = start;
                    return self.complain("contracts speak of single elements by their number");
                };
                term = self.loaded(term, index, None, start)?;
            } else {
                return Ok(term);
            }
        }
    }

    fn name(&mut self) -> Result<String, Complaint> {
        match self.tokens.get(self.at).cloned() {
            Some((_, Token::Name(name))) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.complain("a name should stand here"),
        }
    }

    /// What stands at an element of what a pointer leads to.
    fn loaded(&self, term: Term, index: i128, ty: Option<TypeId>, at: usize) -> Result<Term, Complaint> {
        let complaint = |what: &str| {
            let at = self.tokens.get(at).map_or(self.end, |(at, _)| *at);
            Err(Complaint { at, what: what.to_owned() })
        };
        let Term::Pointer(pointer, offset) = term else { return complaint("a pointer should stand here") };
        let Kind::Pointer(pointee) = pointer.kind else { return complaint("a pointer should stand here") };
        let element = offset.as_constant().map(|offset| offset + index);
        let bytes = element
            .and_then(|element| i64::try_from(element * pointer.element_bytes(self.names.program)).ok());
        let Some(bytes) = bytes else {
            return complaint("contracts speak of single elements by their number");
        };
        let place = Place::Behind(Box::new(pointer.clone()), bytes);
        match Source::new(self.names.program, place, ty.unwrap_or(pointee)) {
            Some(source) => Ok(of_source(source)),
            None => complaint("contracts speak of integers and pointers only"),
        }
    }

    fn field(&self, pointer: &Source, offset: &Linear, name: &str, at: usize) -> Result<Term, Complaint> {
        let complaint = |what: String| {
            let at = self.tokens.get(at).map_or(self.end, |(at, _)| *at);
            Err(Complaint { at, what })
        };
        let types = self.names.program.types();
        let Kind::Pointer(pointee) = pointer.kind else {
            return complaint("a pointer should stand here".to_owned());
        };
        let Type::Record(record) = types.get(pointee) else {
            return complaint("a pointer to a record should stand here".to_owned());
        };
        let found = types.records[*record]
            .fields
            .iter()
            .find(|f| f.name.as_deref() == Some(name) && f.bits.is_none());
        let Some(field) = found else { return complaint(format!("the record has no member `{name}`")) };
        if offset.as_constant() != Some(0) {
            return complaint("contracts speak of members of one record".to_owned());
        }
        let place = Place::Behind(Box::new(pointer.clone()), field.offset as i64);
        match Source::new(self.names.program, place, field.ty) {
            Some(source) => Ok(of_source(source)),
            None => complaint(format!("`{name}` is neither an integer nor a pointer")),
        }
    }

    fn primary(&mut self) -> Result<Term, Complaint> {
        let Some((_, token)) = self.tokens.get(self.at).cloned() else {
            return self.complain("the condition ends too early");
        };
        match token {
            Token::Number(number) => {
                self.at += 1;
                Ok(Term::Number(Linear::constant(number)))
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.term()?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Name(name) if name == "NULL" || name == "\\null" => {
                self.at += 1;
                Ok(Term::Null)
            }
            Token::Name(name) if name == "fwdBnds" => {
                self.at += 1;
                Ok(Term::Room(self.pointer_in_brackets()?))
            }
            Token::Name(name) => match self.named(&name) {
                Some(Some(source)) => {
                    self.at += 1;
                    Ok(of_source(source))
                }
                Some(None) => self.complain(format!("`{name}` is neither an integer nor a pointer")),
                None => {
                    let function = &self.names.program.functions[self.names.function].source_name;
                    self.complain(format!("`{name}` is no parameter of `{function}` and no global"))
                }
            },
            Token::Sign(sign) => self.complain(format!("`{sign}` should not stand here")),
        }
    }

    /// The parameter or global of a name.
    fn named(&self, name: &str) -> Option<Option<Source>> {
        let program = self.names.program;
        let function = &program.functions[self.names.function];
        if let Type::Function { parameters, .. } = program.types().get(function.ty) {
            let own = |number: usize| {
                let local = function.body.as_ref().and_then(|body| body.locals.iter().nth(number));
                local.and_then(|local| local.name.as_deref())
            };
            for (number, ty) in parameters.iter().enumerate() {
                let given = self.names.parameters.get(number).map(String::as_str);
                if given.or_else(|| own(number)) == Some(name) {
                    return Some(Source::new(program, Place::Parameter(number as u32), *ty));
                }
            }
        }
        let mut globals = program.globals.iter_enumerated();
        let found = globals.find(|(_, g)| *g.source_name == *name && g.linkage != Linkage::Internal);
        found.map(|(id, global)| Source::new(program, Place::Global(id, 0), global.ty))
    }
}

fn of_source(source: Source) -> Term {
    match source.kind {
        Kind::Number { .. } => Term::Number(Linear::of(source)),
        Kind::Pointer(_) => Term::Pointer(source, Linear::constant(0)),
    }
}

fn compared(program: &Program, left: &Term, op: &str, right: &Term) -> Option<Test> {
    let one = Linear::constant(1);
    Some(match (left, right) {
        (Term::Number(a), Term::Number(b)) => {
            let sum = a.plus(-1, b)?;
            match op {
                "==" => Test::Zero(sum),
                "!=" => Test::NotZero(sum),
                "<=" => Test::AtMostZero(sum),
                "<" => Test::AtMostZero(sum.plus(1, &one)?),
                ">=" => Test::AtMostZero(sum.times(-1)?),
                _ => Test::AtMostZero(one.plus(-1, &sum)?),
            }
        }
        (Term::Pointer(pointer, offset), Term::Null | Term::Number(_))
        | (Term::Null | Term::Number(_), Term::Pointer(pointer, offset))
            if offset.as_constant() == Some(0) =>
        {
            let is_null = |term: &Term| match term {
                Term::Number(sum) => sum.as_constant() == Some(0),
                _ => true,
            };
            match op {
                _ if !is_null(left) && !is_null(right) => return None,
                "==" => Test::Null(pointer.clone()),
                "!=" => Test::NotNull(pointer.clone()),
                _ => return None,
            }
        }
        (Term::Room(pointer), Term::Number(count)) if matches!(op, ">=" | ">") => {
            room(program, pointer, count, op == ">")?
        }
        (Term::Number(count), Term::Room(pointer)) if matches!(op, "<=" | "<") => {
            room(program, pointer, count, op == "<")?
        }
        _ => return None,
    })
}

/// `fwdBnds(pointer) >= count`, in bytes.
fn room(program: &Program, pointer: &Source, count: &Linear, more: bool) -> Option<Test> {
    let count = if more { count.plus(1, &Linear::constant(1))? } else { count.clone() };
    let bytes = count.times(pointer.element_bytes(program))?;
    Some(Test::Room { pointer: pointer.clone(), bytes, writes: false })
}
