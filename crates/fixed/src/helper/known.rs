// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known on one path through a helper: ranges of symbols, and polynomials that are at least something.
//!
//! [`Known::least`] proves lower bounds: by ranges, by adding up facts so that the largest monomial cancels, and by putting
//! the bound of one factor in the place of the factor. All values are integers, all arithmetic is checked.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::poly::{Monomial, Poly, Symbol, Terms, add_terms, content};

/// Least and greatest value.
pub(crate) type Ends = (i128, i128);

/// How many facts may be added up in one proof.
const DEPTH: u32 = 4;

/// Forms that one proof may look at, and all proofs of a helper together.
const PROOF: u64 = 60;
const ALL_PROOFS: u64 = 400_000;

/// How many facts are tried for one monomial.
const MOST_FACTS: usize = 6;

/// Ranges and facts.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// What proofs may still cost: of all paths, and of the one under way.
    fuel: Rc<Cell<u64>>,
    proof: Rc<Cell<u64>>,
    ranges: Rc<BTreeMap<Symbol, Ends>>,
    /// Integer polynomials without a constant, in lowest terms, and what they are at least.
    facts: Rc<BTreeMap<Terms, i128>>,
}

fn floor(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

fn ceil(a: i128, b: i128) -> Option<i128> {
    Some(-(a.checked_neg()?.div_euclid(b)))
}

fn negated(terms: &Terms) -> Option<Terms> {
    terms.iter().map(|(m, c)| Some((m.clone(), c.checked_neg()?))).collect()
}

/// A form without its constant, and the constant.
fn split(terms: &Terms) -> (Terms, i128) {
    let mut rest = terms.clone();
    let constant = rest.remove(&Vec::new()).unwrap_or(0);
    (rest, constant)
}

impl Known {
    pub(crate) fn new() -> Known {
        let fuel = Rc::new(Cell::new(ALL_PROOFS));
        Known { fuel, proof: Rc::default(), ranges: Rc::default(), facts: Rc::default() }
    }

    /// Whether nothing more is tried: bounds are those of ranges then.
    pub(crate) fn is_tired(&self) -> bool {
        self.fuel.get() == 0
    }

    /// With numbers in the place of symbols that are known.
    fn settled(&self, terms: &Terms) -> Option<Terms> {
        let known = |symbol: &Symbol| {
            let (low, high) = self.ends(*symbol);
            (low == high).then_some(low)
        };
        if !terms.keys().flatten().any(|symbol| known(symbol).is_some()) {
            return Some(terms.clone());
        }
        let mut settled = Terms::new();
        for (monomial, c) in terms {
            let factor = monomial.iter().filter_map(known).try_fold(*c, i128::checked_mul)?;
            let open: Monomial = monomial.iter().filter(|symbol| known(symbol).is_none()).copied().collect();
            add_terms(&mut settled, &Terms::from([(open, factor)]), 1)?;
        }
        settled.retain(|_, c| *c != 0);
        Some(settled)
    }

    /// A new symbol's range.
    pub(crate) fn range(&mut self, symbol: Symbol, ends: Ends) {
        Rc::make_mut(&mut self.ranges).insert(symbol, ends);
    }

    pub(crate) fn ends(&self, symbol: Symbol) -> Ends {
        self.ranges.get(&symbol).copied().unwrap_or((0, 1))
    }

    /// The values of a product.
    fn of_monomial(&self, monomial: &[Symbol]) -> Option<Ends> {
        let mut all = (1i128, 1i128);
        let mut at = 0;
        while at < monomial.len() {
            let symbol = monomial[at];
            let power = monomial[at..].iter().take_while(|s| **s == symbol).count();
            at += power;
            let (low, high) = self.ends(symbol);
            let raised = |x: i128| x.checked_pow(u32::try_from(power).ok()?);
            let (a, b) = (raised(low)?, raised(high)?);
            let (mut least, most) = (a.min(b), a.max(b));
            if power % 2 == 0 && low <= 0 && high >= 0 {
                least = 0;
            }
            let corners = [
                all.0.checked_mul(least)?,
                all.0.checked_mul(most)?,
                all.1.checked_mul(least)?,
                all.1.checked_mul(most)?,
            ];
            all = (*corners.iter().min()?, *corners.iter().max()?);
        }
        Some(all)
    }

    /// A lower bound by ranges alone.
    fn by_ranges(&self, terms: &Terms) -> Option<i128> {
        let mut sum = 0i128;
        for (monomial, c) in terms {
            let (low, high) = self.of_monomial(monomial)?;
            sum = sum.checked_add(c.checked_mul(if *c > 0 { low } else { high })?)?;
        }
        Some(sum)
    }

    /// The best lower bound that is found.
    fn least_of(&self, terms: &Terms, depth: u32) -> Option<i128> {
        let (form, constant) = split(&self.settled(terms)?);
        if form.is_empty() {
            return Some(constant);
        }
        let unit = content(&form);
        let form: Terms = form.into_iter().map(|(m, c)| (m, c / unit)).collect();
        let found = self.least_form(&form, depth)?;
        unit.checked_mul(found)?.checked_add(constant)
    }

    fn least_form(&self, form: &Terms, depth: u32) -> Option<i128> {
        let mut best = self.by_ranges(form);
        best = best.max(self.facts.get(form).copied());
        let left = self.proof.get().min(self.fuel.get());
        if depth == 0 || left == 0 || self.facts.is_empty() && form.len() < 2 {
            return best;
        }
        self.proof.set(self.proof.get() - 1);
        self.fuel.set(self.fuel.get() - 1);
        let Some(worst) = self.loosest(form) else { return best };
        let c = form[&worst];
        let mut with: Vec<(Terms, i128)> = Vec::new();
        for (fact, least) in self.facts.iter() {
            let Some(fact) = self.settled(fact) else { continue };
            let (fact, constant) = split(&fact);
            if fact.get(&worst).is_some_and(|f| (*f > 0) == (c > 0))
                && let Some(least) = least.checked_sub(constant)
            {
                with.push((fact, least));
            }
        }
        // Those first that bring least that is new.
        with.sort_by_key(|(fact, _)| fact.keys().filter(|m| !form.contains_key(*m)).count());
        for (fact, least) in with.iter().take(MOST_FACTS) {
            best = best.max(self.less_fact(form, c, fact, fact[&worst], *least, depth));
        }
        if worst.len() > 1 {
            for index in 0..worst.len() {
                best = best.max(self.less_factor(form, &worst, index, depth));
            }
        }
        best
    }

    /// `v * form = u * fact + rest` with `u, v > 0`, such that the monomial is not in the rest.
    fn less_fact(
        &self,
        form: &Terms,
        c: i128,
        fact: &Terms,
        f: i128,
        least: i128,
        depth: u32,
    ) -> Option<i128> {
        let common = super::poly::gcd(c, f);
        let (u, v) = ((c / common).abs(), (f / common).abs());
        let mut rest = Terms::new();
        add_terms(&mut rest, form, v)?;
        add_terms(&mut rest, fact, u.checked_neg()?)?;
        let rest = self.least_of(&rest, depth - 1)?;
        ceil(u.checked_mul(least)?.checked_add(rest)?, v)
    }

    /// With a bound of one factor in its place; the others must have a sign.
    fn less_factor(&self, form: &Terms, monomial: &Monomial, index: usize, depth: u32) -> Option<i128> {
        let mut others = monomial.clone();
        let factor = others.remove(index);
        let (low, high) = self.of_monomial(&others)?;
        let c = form[monomial];
        let ends = self.ends(factor);
        let bound = match (low >= 0, high <= 0) {
            (true, _) => {
                if c > 0 {
                    ends.0
                } else {
                    ends.1
                }
            }
            (_, true) => {
                if c > 0 {
                    ends.1
                } else {
                    ends.0
                }
            }
            _ => return None,
        };
        let mut rest = form.clone();
        rest.remove(monomial);
        add_terms(&mut rest, &Terms::from([(others, 1)]), c.checked_mul(bound)?)?;
        self.least_of(&rest, depth - 1)
    }

    /// The monomial whose range counts for most.
    fn loosest(&self, form: &Terms) -> Option<Monomial> {
        let width = |(monomial, c): (&Monomial, &i128)| {
            self.of_monomial(monomial)
                .map_or(f64::INFINITY, |(low, high)| (high as f64 - low as f64) * (*c as f64).abs())
        };
        let widest = form.iter().map(|term| (width(term), term.0)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (widest.0 > 0.0).then(|| widest.1.clone())
    }

    /// The least value of a polynomial whose values are integers.
    pub(crate) fn least(&self, poly: &Poly) -> Option<i128> {
        self.proof.set(PROOF);
        ceil(self.least_of(&poly.terms, DEPTH)?, poly.den)
    }

    /// The greatest.
    pub(crate) fn most(&self, poly: &Poly) -> Option<i128> {
        self.least(&poly.negated()?)?.checked_neg()
    }

    /// The least value of a polynomial times its denominator: for those that are no integers.
    pub(crate) fn least_times_den(&self, poly: &Poly) -> Option<i128> {
        self.proof.set(PROOF * 4);
        self.least_of(&poly.terms, DEPTH)
    }

    /// Notes that a polynomial is at least 0. False: that cannot be.
    pub(crate) fn assume(&mut self, poly: &Poly) -> bool {
        let (form, constant) = split(&poly.terms);
        if form.is_empty() {
            return constant >= 0;
        }
        let unit = content(&form);
        let form: Terms = form.into_iter().map(|(m, c)| (m, c / unit)).collect();
        let Some(least) = constant.checked_neg().and_then(|c| ceil(c, unit)) else { return true };
        self.proof.set(PROOF);
        if let Some(minus) = negated(&form)
            && let Some(below) = self.least_of(&minus, DEPTH)
            && below.checked_neg().is_some_and(|most| most < least)
        {
            return false;
        }
        if !self.tighten(&form, least) {
            return false;
        }
        if form.len() > 1 || form.keys().any(|m| m.len() > 1) {
            let entry = Rc::make_mut(&mut self.facts).entry(form).or_insert(least);
            *entry = least.max(*entry);
        }
        true
    }

    /// Ranges of symbols that stand alone in a fact. False: one is empty.
    fn tighten(&mut self, form: &Terms, least: i128) -> bool {
        for (monomial, c) in form {
            let [symbol] = monomial[..] else { continue };
            let mut rest = form.clone();
            rest.remove(monomial);
            let most = negated(&rest).and_then(|rest| self.by_ranges(&rest)).and_then(i128::checked_neg);
            let Some(bound) = most.and_then(|most| least.checked_sub(most)) else { continue };
            // c * symbol >= bound
            let (mut low, mut high) = self.ends(symbol);
            if *c > 0 {
                low = ceil(bound, *c).map_or(low, |b| b.max(low));
            } else if let (Some(bound), Some(c)) = (bound.checked_neg(), c.checked_neg()) {
                high = high.min(floor(bound, c));
            }
            if low > high {
                return false;
            }
            if (low, high) != self.ends(symbol) {
                self.range(symbol, (low, high));
            }
        }
        true
    }

    /// What holds on either of two paths.
    pub(crate) fn joined(&self, other: &Known) -> Known {
        let mut ranges = (*self.ranges).clone();
        for (symbol, ends) in other.ranges.iter() {
            let hull = |mine: &Ends| (mine.0.min(ends.0), mine.1.max(ends.1));
            let joined = ranges.get(symbol).map_or(*ends, hull);
            ranges.insert(*symbol, joined);
        }
        let both = self.facts.iter().filter_map(|(fact, mine)| {
            let yours = other.facts.get(fact)?;
            Some((fact.clone(), *mine.min(yours)))
        });
        let facts = both.collect();
        Known { ranges: Rc::new(ranges), facts: Rc::new(facts), ..self.clone() }
    }

    /// Notes a bound that was proved of either path, unless ranges say as much.
    pub(crate) fn note(&mut self, poly: &Poly, least: i128) {
        let Some(bounded) = poly.shifted(least.saturating_neg()) else { return };
        if self.by_ranges(&bounded.terms).is_none_or(|found| found < 0) {
            self.assume(&bounded);
        }
    }
}
