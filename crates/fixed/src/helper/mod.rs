// SPDX-License-Identifier: MIT OR Apache-2.0
//! Helpers of integer C, understood by what they compute and not by how they are written.
//!
//! A saturating sum that looks at sign bits, a product put together from halves, a division by shifts, a root bit by bit:
//! in the reals none of their steps means anything, but their result does. [`exec`] follows every path through such a
//! function on all arguments of a box, with registers as polynomials in the arguments, remainders and choices; [`meaning`]
//! finds the operation that all results are near to and proves how near. In the walk the call is then that operation, with
//! an error. In single runs of the machine [`run`] executes the function itself.

mod arith;
mod exec;
mod known;
mod meaning;
mod poly;
mod run;
mod state;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use clew_base::exact::{Integer, Rational};
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::syntax::{
    BinaryOp, Body, Builtin, Callee, CompareOp, ExprKind, FuncId, GlobalId, Linkage, LocalId, Program,
    StatementKind, Type, UnaryOp,
};

use crate::algebra::{Algebra, Limits};
use crate::eval::of_integer;
use crate::facts::Facts;
use crate::format::{Grid, Rounding};
use crate::graph::successors;
use crate::interval::Interval;
use crate::journal::Site;
use crate::store::{Scalar, Shaped, constant as number_of, integer};
use crate::walk::{Walk, Walked};
use known::Ends;
use meaning::{Meaning, Op, Question};
use poly::Poly;
use run::Run;

/// How often a helper is looked at, on other ranges of arguments each time.
const MOST_TRIES: usize = 12;

/// Statements of one run.
const LONGEST: u32 = 100_000;

/// What is known of helpers so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    found: Arc<Mutex<BTreeMap<FuncId, Vec<Found>>>>,
}

#[derive(Clone, Debug)]
struct Found {
    ranges: Vec<Ends>,
    meaning: Result<Meaning, &'static str>,
}

fn encloses(outer: &[Ends], inner: &[Ends]) -> bool {
    outer.len() == inner.len() && outer.iter().zip(inner).all(|(a, b)| a.0 <= b.0 && b.1 <= a.1)
}

/// The next powers of two around a range, so that boxes that are cut find what was proved before.
fn around((low, high): Ends, int: IntType) -> Ends {
    let power = |x: i128| 1i128 << (128 - x.leading_zeros()).min(100);
    let below = |x: i128| if x >= 0 { if x == 0 { 0 } else { power(x) / 2 } } else { -power(-x - 1) };
    let above = |x: i128| if x >= 0 { power(x) - 1 } else { -(power(-x) / 2) };
    (below(low).max(int.min()), above(high).min(int.max()))
}

impl Helpers {
    /// What a helper computes on arguments of these ranges.
    fn meaning(&self, question: &Question<'_>, types: &[IntType]) -> Option<Meaning> {
        let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.entry(question.function).or_default();
        let is_good = |f: &&Found| f.meaning.as_ref().is_ok_and(|meaning| !meaning.overflows);
        let known = found.iter().filter(is_good).find(|f| encloses(&f.ranges, question.ranges));
        if let Some(known) = known {
            return known.meaning.clone().ok();
        }
        let wide: Vec<Ends> = question.ranges.iter().zip(types).map(|(r, int)| around(*r, *int)).collect();
        for ranges in [&wide[..], question.ranges] {
            let fails = found.iter().any(|f| !is_good(&f) && encloses(ranges, &f.ranges));
            if fails || found.len() >= MOST_TRIES {
                continue;
            }
            let meaning = Question { ranges, ..*question }.answer();
            // Overflow may be one of the wider ranges alone.
            found.push(Found { ranges: ranges.to_vec(), meaning: meaning.clone() });
            if meaning.as_ref().is_ok_and(|meaning| !meaning.overflows) {
                return meaning.ok();
            }
        }
        let known = found.iter().rfind(|f| f.meaning.is_ok() && encloses(&f.ranges, question.ranges));
        known.and_then(|known| known.meaning.clone().ok())
    }

    /// What it computes in a single run, once that has been proved: of these arguments, else of all that
    /// were looked at.
    fn of_run(&self, function: FuncId, ranges: &[Ends]) -> Option<Meaning> {
        let all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.get(&function)?;
        let proved = || found.iter().filter(|found| found.meaning.is_ok());
        let of_these = proved().rev().find(|found| encloses(&found.ranges, ranges));
        if let Some(found) = of_these {
            return found.meaning.clone().ok();
        }
        let mut all = proved().filter_map(|found| found.meaning.clone().ok());
        let first = all.next()?;
        all.all(|other| (&other.op, other.least, other.most) == (&first.op, first.least, first.most))
            .then_some(first)
    }

    /// Whether something is proved of a function.
    pub(crate) fn is_proved(&self, function: FuncId) -> bool {
        let all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&function).is_some_and(|found| found.iter().any(|found| found.meaning.is_ok()))
    }

    /// Why nothing is proved of a function that was looked at.
    pub(crate) fn why(&self, function: FuncId) -> Option<&'static str> {
        let all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.get(&function)?;
        found.iter().all(|found| found.meaning.is_err()).then_some(())?;
        found.last()?.meaning.as_ref().err().copied()
    }
}

/// A scalar of a static object that nothing writes.
fn constant(program: &Program, facts: &Facts, id: GlobalId, offset: u64, size: u64) -> Option<i128> {
    let global = &program.globals[id];
    let is_fixed = global.is_const || global.linkage == Linkage::Internal && !facts.written.contains(&id);
    let init = global.init.as_ref().filter(|init| is_fixed && init.relocations.is_empty())?;
    (offset.checked_add(size)? <= global.size).then_some(())?;
    let byte = |i: u64| init.bytes.get((offset + i) as usize).copied().unwrap_or(0);
    Some((0..size).fold(0i128, |bits, i| bits | i128::from(byte(i)) << (8 * i)))
}

/// Functions of integers alone that look at bits, wrap on purpose or loop, in themselves or in what they call.
pub(crate) fn candidates(program: &Program) -> std::collections::BTreeSet<FuncId> {
    let mut found = std::collections::BTreeSet::new();
    loop {
        let before = found.len();
        for (id, function) in program.functions.iter_enumerated() {
            let Some(body) = &function.body else { continue };
            if types_of(program, body).is_some() && (is_of_bits(program, body) || calls(body, &found)) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn calls(body: &Body, found: &std::collections::BTreeSet<FuncId>) -> bool {
    body.blocks.iter().flat_map(|block| &block.statements).any(|statement| match &statement.kind {
        StatementKind::Call(call) => matches!(call.callee, Callee::Direct(callee) if found.contains(&callee)),
        _ => false,
    })
}

fn is_of_bits(program: &Program, body: &Body) -> bool {
    let int = |ty| program.types().int_type(ty);
    let is_bits = |expr: &clew_ir::syntax::Expr| match &expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..)
        | ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Builtin(Builtin::Clz, _)
        | ExprKind::Overflows { .. } => true,
        ExprKind::Cast(a) => {
            let (from, to) = (int(body.exprs[*a].ty), int(expr.ty));
            from.zip(to).is_some_and(|(from, to)| from.signed && !to.signed && to.bits >= 32)
                && !matches!(body.exprs[*a].kind, ExprKind::Int(_))
        }
        _ => false,
    };
    let loops = || {
        body.blocks
            .iter_enumerated()
            .any(|(id, block)| successors(&block.terminator).iter().any(|to| to.0 <= id.0))
    };
    body.exprs.iter().any(is_bits) || loops()
}

/// The types of the parameters; none: they are not all integers.
fn types_of(program: &Program, body: &Body) -> Option<Vec<IntType>> {
    let of = |index: u32| {
        let int = program.types().int_type(body.locals[LocalId(index)].ty)?;
        (int.bits <= 64).then_some(int)
    };
    (0..body.parameters).map(of).collect::<Option<Vec<_>>>().filter(|types| !types.is_empty())
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// A call of a helper, as the operation that it stands for. None: it has to be walked.
    pub(crate) fn helper(
        &mut self,
        callee: FuncId,
        arguments: &[Scalar<A::Value>],
        span: Span,
    ) -> Walked<Option<Scalar<A::Value>>> {
        let setup = self.setup;
        let facts = &setup.facts;
        if !facts.numbers.is_integer_c || !facts.candidates.contains(&callee) {
            return Ok(None);
        }
        let function = &self.program.functions[callee];
        let Type::Function { result, .. } = &self.program.types[function.ty] else { return Ok(None) };
        let (Some(int), Some(body)) = (self.program.types().int_type(*result), &function.body) else {
            return Ok(None);
        };
        let Some(types) = types_of(self.program, body) else { return Ok(None) };
        let is_number =
            |scalar: &Scalar<A::Value>| matches!(scalar, Scalar::Number(n) if n.constant.is_none());
        if types.len() != arguments.len() || !arguments.iter().any(is_number) {
            return Ok(None);
        }
        let Some(numbers) = self.as_numbers(arguments, span)? else { return Ok(None) };
        let range = |(number, int): (&Shaped<A::Value>, IntType)| {
            let machine = self.algebra.seen(&number.value).machine;
            let (low, high) = (machine.lo.floor() as i128, machine.hi.ceil() as i128);
            let (low, high) = (low.max(int.min()), high.min(int.max()));
            (low <= high).then_some((low, high))
        };
        let ranges: Option<Vec<Ends>> = numbers.iter().zip(types.iter().copied()).map(range).collect();
        let Some(ranges) = ranges else { return Ok(None) };
        if self.algebra.is_run() {
            let Some(meaning) = facts.helpers.of_run(callee, &ranges) else { return Ok(None) };
            let integers: Option<Vec<i128>> =
                numbers.iter().map(|number| self.algebra.integer(&number.value)).collect();
            return match integers {
                Some(integers) => Ok(self.run_helper(callee, &meaning, &integers, int, span)),
                None => self.operation(&meaning, &numbers, int, span).map(Some),
            };
        }
        let question = Question { program: self.program, facts, function: callee, ranges: &ranges, int };
        let Some(meaning) = facts.helpers.meaning(&question, &types) else { return Ok(None) };
        self.journal.called.insert(function.source_name.clone());
        self.operation(&meaning, &numbers, int, span).map(Some)
    }

    fn as_numbers(
        &mut self,
        arguments: &[Scalar<A::Value>],
        span: Span,
    ) -> Walked<Option<Vec<Shaped<A::Value>>>> {
        let mut numbers = Vec::new();
        for argument in arguments {
            numbers.push(match argument {
                Scalar::Number(number) => number.clone(),
                Scalar::Int(low, high) => self.integral(*low, *high, span)?,
                _ => return Ok(None),
            });
        }
        Ok(Some(numbers))
    }

    /// The function itself, on integers.
    fn run_helper(
        &mut self,
        callee: FuncId,
        meaning: &Meaning,
        arguments: &[i128],
        int: IntType,
        span: Span,
    ) -> Option<Scalar<A::Value>> {
        let facts = &*self.setup.facts;
        let result =
            Run { program: self.program, facts, steps: LONGEST, calls: 0 }.call(callee, arguments)?;
        let exact = approximately(&meaning.op, arguments);
        let is_out = exact > int.max() as f64 + 0.5 || exact < int.min() as f64 - 0.5;
        if meaning.overflows && is_out && self.first_overflow.is_none() {
            self.first_overflow = Some((span, Interval::point(exact)));
        }
        let whole = Rational::from(Integer::from(result));
        let value = self.algebra.known(&whole, &whole);
        let format = of_integer(int, Rounding::Truncate);
        Some(Scalar::Number(Shaped::new(value, Some(format), Some(Grid::INTEGERS))))
    }

    /// The operation on numbers, and what the machine's result is off by.
    fn operation(
        &mut self,
        meaning: &Meaning,
        arguments: &[Shaped<A::Value>],
        int: IntType,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let fine = Grid { base: 2, digits: 60 };
        let exact = match &meaning.op {
            Op::Poly(poly) => self.polynomial(poly, arguments, span)?.value,
            Op::Abs(poly) => {
                let inner = self.polynomial(poly, arguments, span)?;
                let value = self.algebra.abs(&inner.value);
                self.computed(value, span)?
            }
            Op::Quotient(top, by) => {
                let (top, by) =
                    (self.polynomial(top, arguments, span)?, self.polynomial(by, arguments, span)?);
                let value = self.algebra.div(&top.value, &by.value, fine, Rounding::HalfUp);
                self.computed(value, span)?
            }
            Op::Root(of) => {
                let of = self.polynomial(of, arguments, span)?;
                let value = self.algebra.sqrt(&of.value, fine, Rounding::HalfUp);
                self.computed(value, span)?
            }
        };
        let mut number = Shaped::new(exact, None, None);
        for (end, op) in [(meaning.most, CompareOp::Gt), (meaning.least, CompareOp::Lt)] {
            if let Some(end) = end {
                number = self.clamped(number, end, op, span)?;
            }
        }
        let value = self.algebra.moved(&number.value, -meaning.error);
        let value = self.computed(value, span)?;
        let format = of_integer(int, Rounding::Truncate);
        let result = self.fit(Shaped::new(value, None, Some(Grid::INTEGERS)), &format, span)?;
        if meaning.overflows && !self.algebra.is_run() {
            let before = self.algebra.seen(&result.value);
            let variable = self.target.clone();
            self.journal.site(span, Site { format: format.to_string(), variable, may: true, before });
        }
        Ok(Scalar::Number(result))
    }

    /// A number, or the end where it is beyond that: in the machine and in the reals.
    fn clamped(
        &mut self,
        whole: Shaped<A::Value>,
        end: i128,
        beyond: CompareOp,
        span: Span,
    ) -> Walked<Shaped<A::Value>> {
        let end = integer(&mut self.algebra, end);
        let verdict = self.algebra.compare(beyond, &whole.value, &end.value);
        let verdict = self.computed(verdict, span)?;
        if let Some(outcome) = verdict.decided() {
            return Ok(if outcome { end } else { whole });
        }
        let at = self.algebra.seen(&end.value).real.lo;
        let (inside, outside) = match beyond {
            CompareOp::Gt => (Interval::new(f64::NEG_INFINITY, at), Interval::new(at, f64::INFINITY)),
            _ => (Interval::new(at, f64::INFINITY), Interval::new(f64::NEG_INFINITY, at)),
        };
        let mut cases: Vec<A::Value> = Vec::new();
        if verdict.both {
            cases.push(end.value.clone());
        }
        let sides = [
            (verdict.neither, inside, inside),
            (verdict.machine_only, outside, inside),
            (verdict.real_only, inside, outside),
        ];
        for (_, machine, real) in sides.into_iter().filter(|side| side.0) {
            let Some(part) = self.algebra.restrict(&whole.value, Limits { machine, real }) else { continue };
            cases.push(match (machine == inside, real == inside) {
                (true, true) => part,
                (false, _) => self.algebra.cross(&part, &end.value),
                (_, false) => self.algebra.cross(&end.value, &part),
            });
        }
        let joined = cases.into_iter().reduce(|a, b| self.algebra.join(&a, &b));
        Ok(joined.map_or(whole, |value| Shaped::new(value, None, None)))
    }

    fn polynomial(
        &mut self,
        poly: &Poly,
        arguments: &[Shaped<A::Value>],
        span: Span,
    ) -> Walked<Shaped<A::Value>> {
        let ratio = |c: i128| Rational::from_parts_signed(Integer::from(c), Integer::from(poly.den));
        let mut sum: Option<A::Value> = None;
        for (monomial, c) in &poly.terms {
            let mut product = number_of(&mut self.algebra, ratio(*c)).value;
            for symbol in monomial {
                let factor = &arguments[usize::from(*symbol)].value;
                let value = self.algebra.mul(&product, factor);
                product = self.computed(value, span)?;
            }
            sum = Some(match sum {
                None => product,
                Some(sum) => {
                    let value = self.algebra.add(&sum, &product);
                    self.computed(value, span)?
                }
            });
        }
        match sum {
            Some(value) => Ok(Shaped::new(value, None, None)),
            None => Ok(integer(&mut self.algebra, 0)),
        }
    }
}

/// The operation on integers, in floats.
fn approximately(op: &Op, arguments: &[i128]) -> f64 {
    let of = |poly: &Poly| {
        let term = |(monomial, c): (&poly::Monomial, &i128)| {
            monomial.iter().fold(*c as f64, |product, s| product * arguments[usize::from(*s)] as f64)
        };
        poly.terms.iter().map(term).sum::<f64>() / poly.den as f64
    };
    match op {
        Op::Poly(poly) => of(poly),
        Op::Abs(poly) => of(poly).abs(),
        Op::Quotient(top, by) => of(top) / of(by),
        Op::Root(poly) => of(poly).sqrt(),
    }
}
