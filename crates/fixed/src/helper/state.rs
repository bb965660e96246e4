// SPDX-License-Identifier: MIT OR Apache-2.0
//! A path through a helper: what its registers are, and what is known; arithmetic of the machine on polynomials.
//!
//! What is not decided on a path splits it: [`Halt::Split`] names a polynomial, and the statement is done again on the two
//! paths where that is at least 0 and where it is less.

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_base::int::IntType;
use clew_ir::syntax::{BinaryOp, FuncId, LocalId};

use super::known::Known;
use super::poly::{CHOICE, Poly, Symbol};

/// Why evaluation stops.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// Whether this is at least 0 has to be known.
    Split(Poly),
    /// Nothing is proved of this helper, and why.
    Fail(&'static str),
}

pub(crate) type Done<T> = Result<T, Halt>;

/// Too large for exact integers.
pub(crate) fn fits<T>(value: Option<T>) -> Done<T> {
    value.ok_or(Halt::Fail("numbers too large to compute with"))
}

/// What a register is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// A number, as the type has it.
    Poly(Poly),
    /// An operation on the bits of two values of a type, for tests of some of the bits.
    Bits(BinaryOp, Rc<(Value, Value)>, IntType),
    /// Not written.
    Undefined,
}

/// A call under way.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub function: FuncId,
    pub registers: Vec<Value>,
    /// Scalars of locals in memory, by offset, with their size.
    pub cells: BTreeMap<(LocalId, u64), (u64, Value)>,
    pub result: Option<Value>,
}

/// A path.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub known: Known,
    pub frames: Vec<Frame>,
    /// Remainders that have a symbol: of what, modulo what.
    remainders: Rc<BTreeMap<(Poly, i128), Symbol>>,
    /// Quotients that have one: of what, by what.
    quotients: Rc<BTreeMap<(Poly, Poly), Symbol>>,
}

/// How many values a range may have that paths are split for.
const FEW: i128 = 2;

impl State {
    pub(crate) fn new() -> State {
        let remainders = Rc::default();
        State { known: Known::new(), frames: Vec::new(), remainders, quotients: Rc::default() }
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is under way")
    }

    /// Least and greatest value.
    pub(crate) fn ends(&self, poly: &Poly) -> Option<(i128, i128)> {
        if let Some(known) = poly.known() {
            return Some((known, known));
        }
        Some((self.known.least(poly)?, self.known.most(poly)?))
    }

    /// The number, splitting the path if it is one of few.
    pub(crate) fn one_of_few(&self, poly: &Poly, few: i128) -> Done<Option<i128>> {
        if let Some(known) = poly.known() {
            return Ok(Some(known));
        }
        match self.ends(poly) {
            Some((low, high)) if low == high => Ok(Some(low)),
            Some((low, high)) if high - low < few => {
                Err(Halt::Split(fits(poly.shifted(-(low + 1 + (high - low) / 2)))?))
            }
            _ => Ok(None),
        }
    }

    /// What a type makes of a result: itself, or what is left of it modulo the type's size.
    pub(crate) fn wrapped(&mut self, poly: Poly, int: IntType, symbols: &mut u16) -> Done<Poly> {
        let Some((low, high)) = self.ends(&poly) else { return Err(Halt::Fail("numbers without a bound")) };
        if int.min() <= low && high <= int.max() {
            return Ok(poly);
        }
        let size = 1i128.checked_shl(u32::from(int.bits)).filter(|size| *size > 0);
        let size = fits(size)?;
        let (first, last) = ((low - int.min()).div_euclid(size), (high - int.min()).div_euclid(size));
        if first == last {
            return fits(poly.shifted(fits(first.checked_mul(-size))?));
        }
        if last - first <= 3 {
            let middle = first + 1 + (last - first - 1) / 2;
            let bound = fits(middle.checked_mul(size))? + int.min();
            return Err(Halt::Split(fits(poly.shifted(-bound))?));
        }
        let times = self.symbol((first, last), symbols)?;
        let wrapped = fits(poly.plus(&Poly::symbol(times), -size))?;
        self.known.note(&wrapped, int.min());
        self.known.note(&fits(wrapped.negated())?, -int.max());
        Ok(wrapped)
    }

    /// A new symbol.
    pub(crate) fn symbol(&mut self, ends: (i128, i128), symbols: &mut u16) -> Done<Symbol> {
        if *symbols >= CHOICE - 1 {
            return Err(Halt::Fail("too many cases"));
        }
        let symbol = *symbols;
        *symbols += 1;
        self.known.range(symbol, ends);
        Ok(symbol)
    }

    /// `poly = by * quotient + remainder` with the remainder from 0 to `by - 1`.
    pub(crate) fn divided(&mut self, poly: &Poly, by: i128, symbols: &mut u16) -> Done<(Poly, Poly)> {
        let (whole, rest) = fits(poly.multiples(by))?;
        let remainder = self.remainder(&rest, by, symbols)?;
        let quotient = fits(fits(rest.minus(&remainder))?.plus(&whole, 1))?;
        Ok((fits(quotient.scaled(1, by))?, remainder))
    }

    fn remainder(&mut self, rest: &Poly, by: i128, symbols: &mut u16) -> Done<Poly> {
        if rest.terms.is_empty() {
            return Ok(Poly::constant(0));
        }
        if let Some((low, high)) = self.ends(rest) {
            let (first, last) = (low.div_euclid(by), high.div_euclid(by));
            if first == last {
                return fits(rest.shifted(fits(first.checked_mul(-by))?));
            }
            if last - first < FEW {
                return Err(Halt::Split(fits(rest.shifted(fits(last.checked_mul(-by))?))?));
            }
        }
        if let Some(symbol) = self.remainders.get(&(rest.clone(), by)) {
            return Ok(Poly::symbol(*symbol));
        }
        // What is left of a larger remainder of the same is left of the whole.
        let coarser = self.remainders.iter().find(|((of, m), _)| of == rest && *m > by && m % by == 0);
        if let Some((_, symbol)) = coarser {
            let symbol = Poly::symbol(*symbol);
            return self.remainder(&symbol, by, symbols);
        }
        let symbol = self.symbol((0, by - 1), symbols)?;
        Rc::make_mut(&mut self.remainders).insert((rest.clone(), by), symbol);
        Ok(Poly::symbol(symbol))
    }

    /// C's quotient and remainder by what is no known number: both must have a sign.
    pub(crate) fn divided_by(&mut self, top: &Poly, by: &Poly, symbols: &mut u16) -> Done<(Poly, Poly)> {
        let (low, high) = self.ends(by).ok_or(Halt::Fail("numbers without a bound"))?;
        if low <= 0 && high >= 0 {
            let is_sure = low == 0 && high == 0;
            let at = if low == 0 || is_sure { -1 } else { 0 };
            return if is_sure {
                Err(Halt::Fail("a division by zero"))
            } else {
                Err(Halt::Split(fits(by.shifted(at))?))
            };
        }
        let (least, most) = self.ends(top).ok_or(Halt::Fail("numbers without a bound"))?;
        if least < 0 && most >= 0 {
            return Err(Halt::Split(top.clone()));
        }
        // Towards zero: of the sizes, with the signs put back.
        let size =
            |poly: &Poly, negative: bool| if negative { fits(poly.negated()) } else { Ok(poly.clone()) };
        let (a, b) = (size(top, most < 0)?, size(by, high < 0)?);
        let (quotient, remainder) = match b.known() {
            Some(b) => self.divided(&a, b, symbols)?,
            None => self.quotient(&a, &b, symbols)?,
        };
        Ok((size(&quotient, (most < 0) != (high < 0))?, size(&remainder, most < 0)?))
    }

    fn quotient(&mut self, a: &Poly, b: &Poly, symbols: &mut u16) -> Done<(Poly, Poly)> {
        let key = (a.clone(), b.clone());
        let symbol = match self.quotients.get(&key) {
            Some(symbol) => *symbol,
            None => {
                let (_, most) = fits(self.ends(a))?;
                let (least, _) = fits(self.ends(b))?;
                let symbol = self.symbol((0, most / least.max(1)), symbols)?;
                Rc::make_mut(&mut self.quotients).insert(key, symbol);
                symbol
            }
        };
        let quotient = Poly::symbol(symbol);
        let remainder = fits(a.minus(&fits(quotient.times(b))?))?;
        let below = fits(fits(b.minus(&remainder))?.shifted(-1))?;
        self.known.assume(&remainder);
        self.known.assume(&below);
        Ok((quotient, remainder))
    }

    /// Two paths as one, by a choice: 1 is the first. None: they do not go together.
    pub(crate) fn merged(
        yes: &State,
        no: &State,
        choice: Symbol,
        is_named: impl Fn(FuncId, usize) -> bool,
    ) -> Option<State> {
        let chosen = Poly::symbol(choice);
        let mut known = yes.known.joined(&no.known);
        known.range(choice, (0, 1));
        let mut frames = Vec::new();
        let mut changed: Vec<(Poly, Poly, Poly)> = Vec::new();
        let mut same: Vec<Poly> = Vec::new();
        let mut one = |a: &Value, b: &Value, is_named: bool| -> Option<Value> {
            match (a, b) {
                (Value::Poly(a), Value::Poly(b)) if a != b => {
                    let merged = b.plus(&a.minus(b)?.times(&chosen)?, 1)?;
                    if is_named {
                        changed.push((a.clone(), b.clone(), merged.clone()));
                    }
                    Some(Value::Poly(merged))
                }
                (Value::Poly(a), Value::Poly(_)) => {
                    if is_named && a.known().is_none() {
                        same.push(a.clone());
                    }
                    Some(Value::Poly(a.clone()))
                }
                (a, b) if a == b => Some(a.clone()),
                // A variable of one side alone is dead behind it.
                (Value::Undefined, _) | (_, Value::Undefined) => Some(Value::Undefined),
                _ => None,
            }
        };
        for (a, b) in yes.frames.iter().zip(&no.frames) {
            let pairs = a.registers.iter().zip(&b.registers).enumerate();
            let registers: Option<Vec<Value>> =
                pairs.map(|(at, (x, y))| one(x, y, is_named(a.function, at))).collect();
            let mut cells = BTreeMap::new();
            for (at, (size, value)) in &a.cells {
                let (other, with) = b.cells.get(at)?;
                (other == size).then_some(())?;
                cells.insert(*at, (*size, one(value, with, true)?));
            }
            frames.push(Frame { function: a.function, registers: registers?, cells, result: None });
        }
        changed.dedup();
        same.sort();
        same.dedup();
        for (index, (a, b, merged)) in changed.iter().enumerate() {
            let others =
                changed.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, all)| all.clone());
            let others = others.chain(same.iter().map(|p| (p.clone(), p.clone(), p.clone())));
            let mut hold = |x: Option<Poly>, y: Option<Poly>, met: Option<Poly>| -> Option<()> {
                let least = yes.known.least(&x?)?.min(no.known.least(&y?)?);
                known.note(&met?, least);
                Some(())
            };
            hold(Some(a.clone()), Some(b.clone()), Some(merged.clone()));
            hold(a.negated(), b.negated(), merged.negated());
            for (x, y, met) in others {
                for times in [1, 2] {
                    let less = |w: &Poly, v: &Poly| w.scaled(times, 1)?.minus(v);
                    hold(less(&x, a), less(&y, b), less(&met, merged));
                }
            }
        }
        let remainders = common(&yes.remainders, &no.remainders);
        let quotients = common(&yes.quotients, &no.quotients);
        Some(State { known, frames, remainders: Rc::new(remainders), quotients: Rc::new(quotients) })
    }
}

fn common<K: Ord + Clone>(a: &BTreeMap<K, Symbol>, b: &BTreeMap<K, Symbol>) -> BTreeMap<K, Symbol> {
    let in_both = |(key, symbol): (&K, &Symbol)| (b.get(key) == Some(symbol)).then(|| (key.clone(), *symbol));
    a.iter().filter_map(in_both).collect()
}
