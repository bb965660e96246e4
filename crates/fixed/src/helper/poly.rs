// SPDX-License-Identifier: MIT OR Apache-2.0
//! Polynomials over integer symbols, with one denominator: what a register of a helper is in terms of its arguments.
//!
//! Coefficients are exact; what does not fit 128 bits has no polynomial. A symbol that is 0 or 1 is its own square.

use std::collections::BTreeMap;

/// An argument, a remainder, a quotient or a choice.
pub(crate) type Symbol = u16;

/// The mark of symbols that are 0 or 1.
pub(crate) const CHOICE: Symbol = 1 << 15;

/// A product of symbols in order; the empty one is 1.
pub(crate) type Monomial = Vec<Symbol>;

/// Monomials and their coefficients, none of which is 0.
pub(crate) type Terms = BTreeMap<Monomial, i128>;

/// `terms / den`, in lowest terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Poly {
    pub terms: Terms,
    pub den: i128,
}

/// The greatest common divisor of two numbers that are not both 0.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

/// The greatest common divisor of all coefficients; 0: there are none.
pub(crate) fn content(terms: &Terms) -> i128 {
    terms.values().fold(0, |all, c| gcd(all, *c))
}

fn times(a: &[Symbol], b: &[Symbol]) -> Monomial {
    let mut all: Monomial = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    let mut product: Monomial = Vec::with_capacity(all.len());
    for symbol in all {
        if symbol & CHOICE == 0 || product.last() != Some(&symbol) {
            product.push(symbol);
        }
    }
    product
}

/// Adds `factor * other` to the terms.
pub(crate) fn add_terms(terms: &mut Terms, other: &Terms, factor: i128) -> Option<()> {
    for (monomial, c) in other {
        let c = c.checked_mul(factor)?;
        let sum = terms.get(monomial).copied().unwrap_or(0).checked_add(c)?;
        if sum == 0 {
            terms.remove(monomial);
        } else {
            terms.insert(monomial.clone(), sum);
        }
    }
    Some(())
}

impl Poly {
    pub(crate) fn constant(value: i128) -> Poly {
        let terms = if value == 0 { Terms::new() } else { Terms::from([(Vec::new(), value)]) };
        Poly { terms, den: 1 }
    }

    pub(crate) fn symbol(symbol: Symbol) -> Poly {
        Poly { terms: Terms::from([(vec![symbol], 1)]), den: 1 }
    }

    /// The number that it is.
    pub(crate) fn known(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 if self.den == 1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    fn reduced(terms: Terms, den: i128) -> Poly {
        let common = gcd(content(&terms), den).max(1);
        if common == 1 {
            return Poly { terms, den };
        }
        Poly { terms: terms.into_iter().map(|(m, c)| (m, c / common)).collect(), den: den / common }
    }

    /// `self + factor * other`
    pub(crate) fn plus(&self, other: &Poly, factor: i128) -> Option<Poly> {
        let common = gcd(self.den, other.den);
        let den = (self.den / common).checked_mul(other.den)?;
        let mut terms = Terms::new();
        add_terms(&mut terms, &self.terms, other.den / common)?;
        add_terms(&mut terms, &other.terms, factor.checked_mul(self.den / common)?)?;
        Some(Poly::reduced(terms, den))
    }

    pub(crate) fn minus(&self, other: &Poly) -> Option<Poly> {
        self.plus(other, -1)
    }

    pub(crate) fn shifted(&self, by: i128) -> Option<Poly> {
        self.plus(&Poly::constant(1), by)
    }

    pub(crate) fn negated(&self) -> Option<Poly> {
        self.scaled(-1, 1)
    }

    /// Times `by / den`.
    pub(crate) fn scaled(&self, by: i128, den: i128) -> Option<Poly> {
        if by == 0 {
            return Some(Poly::constant(0));
        }
        let terms = self.terms.iter().map(|(m, c)| Some((m.clone(), c.checked_mul(by)?)));
        Some(Poly::reduced(terms.collect::<Option<Terms>>()?, self.den.checked_mul(den)?))
    }

    pub(crate) fn times(&self, other: &Poly) -> Option<Poly> {
        const MOST_TERMS: usize = 4_000;
        if self.terms.len() * other.terms.len() > MOST_TERMS * 8 {
            return None;
        }
        let mut terms = Terms::new();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let product = Terms::from([(times(a, b), x.checked_mul(*y)?)]);
                add_terms(&mut terms, &product, 1)?;
            }
        }
        (terms.len() <= MOST_TERMS).then_some(())?;
        Some(Poly::reduced(terms, self.den.checked_mul(other.den)?))
    }

    /// The terms with symbols that the test accepts alone, without the constant, and all others.
    pub(crate) fn parted(&self, is_in: impl Fn(Symbol) -> bool) -> (Poly, Poly) {
        let belongs = |m: &Monomial| !m.is_empty() && m.iter().all(|s| is_in(*s));
        let (a, b): (Terms, Terms) = self.terms.clone().into_iter().partition(|(m, _)| belongs(m));
        (Poly::reduced(a, self.den), Poly::reduced(b, self.den))
    }

    /// The terms that are multiples of `by` whatever the symbols are, and the rest.
    pub(crate) fn multiples(&self, by: i128) -> Option<(Poly, Poly)> {
        let unit = self.den.checked_mul(by)?;
        let (a, b): (Terms, Terms) = self.terms.clone().into_iter().partition(|(_, c)| c % unit == 0);
        Some((Poly::reduced(a, self.den), Poly::reduced(b, self.den)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_a_product_come_together_again() {
        // (a - r) / 2^16 * 2^16 + r is a, and its square cancels.
        let (a, r) = (Poly::symbol(0), Poly::symbol(1));
        let high = a.minus(&r).unwrap().scaled(1, 1 << 16).unwrap();
        let back = high.scaled(1 << 16, 1).unwrap().plus(&r, 1).unwrap();
        assert_eq!(back, a);
        let square = high.times(&high).unwrap().scaled(1 << 32, 1).unwrap();
        let crossed = high.times(&r).unwrap().scaled(2 << 16, 1).unwrap();
        let whole = square.plus(&crossed, 1).unwrap().plus(&r.times(&r).unwrap(), 1).unwrap();
        assert_eq!(whole, a.times(&a).unwrap());
    }

    #[test]
    fn a_choice_is_its_own_square() {
        let c = Poly::symbol(CHOICE);
        assert_eq!(c.times(&c).unwrap(), c);
        assert_eq!(c.minus(&c).unwrap().known(), Some(0));
    }
}
