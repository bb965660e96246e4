// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every rule and every fact, on all values of the variables.
//!
//! Terms over two words of 1 to 4 bits and one bit are built: all of two levels for the small widths, then random
//! ones on top of those. A term carries its values under all assignments; whatever it is rewritten to must have
//! the same, and the facts must cover them. A rule that never matched fails the test.

use std::collections::BTreeMap;

use clew_base::float::{Format, Rounding};
use clew_base::int::IntType;
use rustc_hash::{FxHashMap, FxHashSet};

use super::*;
use crate::term::evaluate::{ArrayValue, Model, evaluate};
use crate::term::{FloatBinary, FloatRelation};

/// Values of a term under all assignments.
type Column = Vec<u8>;

struct Lab {
    terms: Terms,
    columns: FxHashMap<TermId, Column>,
    /// Terms by width, 1 to 8.
    pool: Vec<Vec<TermId>>,
    pooled: FxHashSet<TermId>,
    matches: BTreeMap<&'static str, usize>,
    assignments: usize,
}

impl Lab {
    fn new(width: u32) -> Lab {
        let mut lab = Lab {
            terms: Terms::new(),
            columns: FxHashMap::default(),
            pool: vec![Vec::new(); 9],
            pooled: FxHashSet::default(),
            matches: BTreeMap::new(),
            assignments: 1 << (2 * width + 1),
        };
        for (name, shift, bits) in [("a", 0, width), ("b", width, width), ("c", 2 * width, 1)] {
            let variable = lab.terms.fresh(name, Sort::Bits(bits));
            let column = (0..lab.assignments).map(|at| (at >> shift) as u8 & mask(bits) as u8).collect();
            lab.columns.insert(variable, column);
            lab.pool[bits as usize].push(variable);
        }
        for bits in [1, width] {
            for value in 0..1 << bits {
                let constant = lab.terms.constant(bits, value);
                lab.column(constant);
                lab.add(constant);
            }
        }
        lab
    }

    fn add(&mut self, term: TermId) {
        let width = self.terms.width(term) as usize;
        if self.pooled.insert(term) {
            self.pool[width].push(term);
        }
    }

    /// The values of a term that may be new, from its operands' values.
    fn column(&mut self, term: TermId) -> Column {
        if let Some(column) = self.columns.get(&term) {
            return column.clone();
        }
        let shape = self.terms.get(term);
        shape.operands().iter().for_each(|&operand| drop(self.column(operand)));
        let column = self.apply(shape, self.terms.sort(term));
        self.check_facts(term, &column);
        self.columns.insert(term, column.clone());
        column
    }

    fn apply(&self, term: Term, sort: Sort) -> Column {
        let operands: Vec<(&Column, Sort)> =
            term.operands().iter().map(|id| (&self.columns[id], self.terms.sort(*id))).collect();
        let value = |at: usize| {
            let values: Vec<(Value, Sort)> =
                operands.iter().map(|(column, sort)| (Value::Bits(column[at].into()), *sort)).collect();
            apply(term, sort, &values).bits() as u8
        };
        (0..self.assignments).map(value).collect()
    }

    fn check_facts(&self, term: TermId, column: &Column) {
        let facts = self.terms.facts(term);
        let signed = IntType::signed(facts.width as u16);
        for &value in column {
            let value = u128::from(value);
            let number = signed.wrap(value as i128);
            assert!(
                (facts.least..=facts.greatest).contains(&value)
                    && (facts.signed_least..=facts.signed_greatest).contains(&number)
                    && value & facts.zeros == 0
                    && !value & facts.ones == 0,
                "{:?}: {value} is not in {facts:?}",
                self.terms.get(term)
            );
        }
    }

    /// Makes a term, and compares it with what it was rewritten to.
    fn make(&mut self, term: Term, sort: Sort) -> Option<TermId> {
        if !matches!(sort, Sort::Bits(1..=8)) {
            return None;
        }
        let result = self.terms.make(term, sort);
        if self.terms.get(result) == term {
            self.column(result);
            return Some(result);
        }
        let expected = self.apply(term, sort);
        assert_eq!(
            self.column(result),
            expected,
            "{term:?} became {:?} in {:?}",
            self.terms.get(result),
            self.terms
        );
        if let Some((rule, result)) = self.terms.rewrite(term, sort) {
            *self.matches.entry(rule).or_default() += 1;
            assert_eq!(self.column(result), expected, "{term:?} by {rule}");
        }
        Some(result)
    }

    fn operation(&mut self, kind: usize, a: TermId, b: TermId, c: TermId, number: u32) -> Option<TermId> {
        let (wide_a, wide_b) = (self.terms.width(a), self.terms.width(b));
        let term = match kind {
            0 => Term::Not(a),
            1 => Term::Ite(c, a, b),
            2 => Term::Zext(a),
            3 => Term::Sext(a),
            4 => Term::Extract { of: a, low: number % wide_a },
            kind => Term::Binary(BINARY[kind - 5], a, b),
        };
        let sort = match term {
            Term::Zext(_) | Term::Sext(_) => Sort::Bits(wide_a + 1 + number % 3),
            Term::Extract { low, .. }
                if wide_a == 1 || (low == 0 && (number / wide_a).is_multiple_of(wide_a)) =>
            {
                return None;
            }
            Term::Extract { low, .. } => Sort::Bits((number / wide_a % (wide_a - low)).max(1)),
            Term::Binary(BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt, ..) => Sort::BOOL,
            Term::Binary(BinaryOp::Concat, ..) => Sort::Bits(wide_a + wide_b),
            _ => Sort::Bits(wide_a),
        };
        let same_width = !matches!(term, Term::Binary(BinaryOp::Concat, ..));
        if same_width && wide_a != wide_b {
            return None;
        }
        self.make(term, sort)
    }

    /// All operations on all pairs of these terms.
    fn all(&mut self, left: &[TermId], right: &[TermId], conditions: &[TermId]) -> Vec<TermId> {
        let mut made = Vec::new();
        for &a in left {
            for &b in right {
                for kind in 0..KINDS {
                    for number in 0..if (2..5).contains(&kind) { 8 } else { 1 } {
                        made.extend(self.operation(kind, a, b, conditions[0], number));
                        made.extend(self.operation(kind, b, a, conditions[0], number));
                    }
                }
            }
        }
        made.sort_unstable();
        made.dedup();
        made.retain(|&term| self.terms.width(term) <= 8);
        made
    }

    fn random(&mut self, random: &mut fastrand::Rng, count: usize) {
        for _ in 0..count {
            let a = self.pick(random);
            let width = self.terms.width(a);
            let b = match random.u8(..4) {
                0 => self.pick(random),
                1 => self.pick_of(random, width),
                _ => self.relative(random, a),
            };
            let c = match random.u8(..4) {
                0 if self.terms.width(b) == width => self.make(Term::Binary(BinaryOp::Eq, a, b), Sort::BOOL),
                _ => Some(self.pick_of(random, 1)),
            };
            let (kind, number) = (random.usize(..KINDS), random.u32(..1000));
            if let Some(term) = c.and_then(|c| self.operation(kind, a, b, c, number)) {
                self.add(term);
            }
        }
    }

    /// A term that shares something with `a`: a part of it, or that part in another operation.
    fn relative(&mut self, random: &mut fastrand::Rng, a: TermId) -> TermId {
        let mut term = a;
        for _ in 0..random.u8(1..=3) {
            let operands = self.terms.get(term).operands();
            if operands.is_empty() {
                break;
            }
            term = operands[random.usize(..operands.len())];
        }
        for _ in 0..random.u8(..3) {
            let other = match random.u8(..2) {
                0 => self.pick_of(random, self.terms.width(term)),
                _ => term,
            };
            let c = self.pick_of(random, 1);
            let kind = [0, 5, 6, 7, 8, 9, 10][random.usize(..7)];
            term = self.operation(kind, term, other, c, 0).unwrap_or(term);
        }
        term
    }

    /// Matches that chance would take long to find.
    fn directed(&mut self, random: &mut fastrand::Rng, count: usize) {
        for _ in 0..count {
            let a = self.pick(random);
            let width = self.terms.width(a);
            let (b, c) = (self.pick_of(random, width), self.pick_of(random, width));
            let sort = Sort::Bits(width);
            let not_b = self.make(Term::Not(b), sort);
            let mut binary = |op, a, b| self.make(Term::Binary(op, a?, b?), sort);
            let (both, only) =
                (binary(BinaryOp::And, Some(a), Some(b)), binary(BinaryOp::And, Some(a), not_b));
            binary(BinaryOp::Or, both, only);
            for operands in [both, only] {
                let negated = operands.and_then(|term| self.make(Term::Not(term), sort));
                for operand in [Some(a), Some(b), not_b] {
                    negated
                        .zip(operand)
                        .and_then(|(x, y)| self.make(Term::Binary(BinaryOp::And, x, y), sort));
                }
            }
            let mut binary = |op, a, b| self.make(Term::Binary(op, a?, b?), sort);
            let (left, right) =
                (binary(BinaryOp::Add, Some(a), Some(b)), binary(BinaryOp::Add, Some(a), Some(c)));
            binary(BinaryOp::Sub, left, right);
            let (one, other) = (self.pick_of(random, 1), self.pick_of(random, 1));
            if let Some(inner) = self.make(Term::Ite(one, a, b), sort) {
                self.make(Term::Ite(other, a, inner), sort);
                self.make(Term::Ite(other, inner, b), sort);
            }
        }
    }

    fn pick(&self, random: &mut fastrand::Rng) -> TermId {
        let widths: Vec<u32> = (1..=8).filter(|&width| !self.pool[width as usize].is_empty()).collect();
        let width = widths[random.usize(..widths.len())];
        self.pick_of(random, width)
    }

    /// Early terms more often: they share more.
    fn pick_of(&self, random: &mut fastrand::Rng, width: u32) -> TermId {
        let pool = &self.pool[width as usize];
        let bound = random.usize(1..=pool.len());
        pool[random.usize(..bound)]
    }
}

const BINARY: [BinaryOp; 17] = [
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Udiv,
    BinaryOp::Urem,
    BinaryOp::Sdiv,
    BinaryOp::Srem,
    BinaryOp::Shl,
    BinaryOp::Lshr,
    BinaryOp::Ashr,
    BinaryOp::Eq,
    BinaryOp::Ult,
    BinaryOp::Slt,
    BinaryOp::Concat,
];
const KINDS: usize = 5 + BINARY.len();

/// The texts of all rules on bit-vectors.
fn texts() -> Vec<&'static str> {
    fn of<R>(rules: &[(&'static str, R)]) -> Vec<&'static str> {
        rules.iter().map(|(text, _)| *text).collect()
    }
    let mut texts: Vec<_> = BINARY.iter().flat_map(|&op| of(binary_rules(op))).collect();
    texts.extend(of(logic::NOT));
    texts.extend(of(logic::ITE));
    texts.extend(of(slice::ZEXT));
    texts.extend(of(slice::SEXT));
    texts.extend(of(slice::EXTRACT));
    texts.push(DISTRIBUTE);
    texts
}

#[test]
fn rules_and_facts_at_small_widths() {
    let mut matches: BTreeMap<&'static str, usize> = BTreeMap::new();
    for width in 1..=4 {
        let mut lab = Lab::new(width);
        let ground = lab.pool[width as usize].clone();
        let conditions = lab.pool[1].clone();
        let first = lab.all(&ground, &ground, &conditions);
        if width <= 2 {
            lab.all(&first, &ground, &conditions);
        }
        first.into_iter().for_each(|term| lab.add(term));
        let mut random = fastrand::Rng::with_seed(u64::from(width));
        lab.random(&mut random, 30_000);
        lab.directed(&mut random, 300);
        for (rule, count) in lab.matches {
            *matches.entry(rule).or_default() += count;
        }
    }
    let missing: Vec<_> = texts().into_iter().filter(|text| !matches.contains_key(text)).collect();
    assert!(missing.is_empty(), "rules that never matched: {missing:#?}");
}

/// The same construction with and without simplification, and its values under random models.
pub(super) struct Twins {
    pub simple: Terms,
    pub plain: Terms,
}

impl Twins {
    pub fn new() -> Twins {
        Twins { simple: Terms::new(), plain: Terms::without_simplification() }
    }

    pub fn both(&mut self, make: impl Fn(&mut Terms, bool) -> TermId) -> (TermId, TermId) {
        (make(&mut self.simple, true), make(&mut self.plain, false))
    }

    pub fn assert_equal(&self, (simple, plain): (TermId, TermId), model: &Model) {
        let values = (evaluate(&self.simple, model, &[simple]), evaluate(&self.plain, model, &[plain]));
        assert_eq!(values.0, values.1, "{:?} in {:?}", self.plain.get(plain), self.plain);
    }
}

#[test]
fn reads_and_writes() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let mut twins = Twins::new();
        let sort = Sort::Array { index: 2, element: 2 };
        let mut arrays = vec![twins.both(|t, _| t.fresh("m", sort))];
        let mut words = vec![
            twins.both(|t, _| t.fresh("i", Sort::Bits(2))),
            twins.both(|t, _| t.fresh("j", Sort::Bits(2))),
        ];
        words.extend((0..4).map(|value| twins.both(|t, _| t.constant(2, value))));
        for _ in 0..30 {
            let (a, b) = (arrays[random.usize(..arrays.len())], arrays[random.usize(..arrays.len())]);
            let (x, y) = (words[random.usize(..words.len())], words[random.usize(..words.len())]);
            let of = |simple: bool, pair: (TermId, TermId)| if simple { pair.0 } else { pair.1 };
            match random.u8(..6) {
                0 | 1 => arrays.push(twins.both(|t, s| t.store(of(s, a), of(s, x), of(s, y)))),
                2 => arrays.push(twins.both(|t, s| {
                    let condition = t.eq(of(s, x), of(s, y));
                    t.ite(condition, of(s, a), of(s, b))
                })),
                3 => words.push(twins.both(|t, s| t.add(of(s, x), of(s, y)))),
                4 => arrays.push(twins.both(|t, s| t.const_array(2, of(s, x)))),
                _ => words.push(twins.both(|t, s| t.select(of(s, a), of(s, x)))),
            }
        }
        for assignment in 0..16u128 {
            let mut model = Model::default();
            let entries = (0..4).map(|index| (index, u128::from(random.u8(..4)))).collect();
            let (_, array) = twins.simple.variables().next().map(|(id, v)| (v.term, id)).expect("the array");
            model.set(array, Value::Array(std::sync::Arc::new(ArrayValue { default: 0, entries })));
            let mut bits = twins.simple.variables().skip(1).map(|(id, _)| id);
            let (i, j) = (bits.next().expect("i"), bits.next().expect("j"));
            model.set(i, Value::Bits(assignment & 3));
            model.set(j, Value::Bits(assignment >> 2));
            words.iter().for_each(|&pair| twins.assert_equal(pair, &model));
        }
    }
}

#[test]
fn float_rules() {
    let mut random = fastrand::Rng::with_seed(1);
    for (narrow, wide) in [(Format::F16, Format::F32), (Format::F32, Format::F64)] {
        for op in [FloatBinary::Add, FloatBinary::Sub, FloatBinary::Mul, FloatBinary::Div] {
            let mut twins = Twins::new();
            let nearest = Rounding::NearestEven;
            let a = twins.both(|t, _| t.fresh("a", Sort::Bits(narrow.bits())));
            let b = twins.both(|t, _| t.fresh("b", Sort::Bits(narrow.bits())));
            let sum = twins.both(|t, s| {
                let (a, b) = if s { (a.0, b.0) } else { (a.1, b.1) };
                let (a, b) =
                    (t.float_to_float(narrow, wide, nearest, a), t.float_to_float(narrow, wide, nearest, b));
                let sum = t.float_binary(op, wide, nearest, a, b);
                t.float_to_float(wide, narrow, nearest, sum)
            });
            assert!(matches!(twins.simple.get(sum.0), Term::FloatBinary(..)));
            let variables: Vec<_> = twins.simple.variables().map(|(id, _)| id).collect();
            for _ in 0..20_000 {
                let mut model = Model::default();
                for &variable in &variables {
                    let bits = crate::blast::tests::random_float(&mut random, narrow);
                    model.set(variable, Value::Bits(bits));
                }
                twins.assert_equal(sum, &model);
            }
        }
        for relation in [FloatRelation::Eq, FloatRelation::Lt, FloatRelation::Le] {
            let mut twins = Twins::new();
            let a = twins.both(|t, _| t.fresh("a", Sort::Bits(narrow.bits())));
            let variable = twins.simple.variables().map(|(id, _)| id).next().expect("a");
            let compare =
                |t: &mut Terms, a, b| t.make(Term::FloatCompare(relation, narrow, a, b), Sort::BOOL);
            let same = twins.both(|t, s| compare(t, if s { a.0 } else { a.1 }, if s { a.0 } else { a.1 }));
            let constants = [0, 1 << (narrow.bits() - 1), mask(narrow.bits() - 1)];
            let mut pairs = vec![same];
            for constant in constants {
                pairs.push(twins.both(|t, s| {
                    let k = t.constant(narrow.bits(), constant);
                    compare(t, if s { a.0 } else { a.1 }, k)
                }));
                pairs.push(twins.both(|t, s| {
                    let k = t.constant(narrow.bits(), constant);
                    compare(t, k, if s { a.0 } else { a.1 })
                }));
            }
            for _ in 0..1000 {
                let mut model = Model::default();
                model.set(variable, Value::Bits(crate::blast::tests::random_float(&mut random, narrow)));
                pairs.iter().for_each(|&pair| twins.assert_equal(pair, &model));
            }
        }
    }
}
