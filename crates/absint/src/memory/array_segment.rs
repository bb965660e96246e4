// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds of all elements of a segment of an array, the ends of the segment being told by registers.

use clew_ir::syntax::LocalId;

use crate::domain::int::Int;
use crate::domain::shape::Shape;
use crate::domain::value::{Kind, Value};
use crate::effort::array_segment::{LARGEST_PLUS, LARGEST_TIMES, MOST_FACTS};
use crate::map::Change;
use crate::program::object::ObjectId;

/// `times * register + plus`, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The register.
    pub local: Option<LocalId>,
    /// How many times; 0 for constants.
    pub times: i128,
    /// What is added.
    pub plus: i128,
}

impl Bound {
    /// A number.
    pub fn constant(plus: i128) -> Bound {
        Bound { local: None, times: 0, plus }
    }

    /// A multiple of a register and a number, if they are not too large to be followed.
    pub fn new(local: LocalId, times: i128, plus: i128) -> Option<Bound> {
        let small = times != 0 && times.abs() <= LARGEST_TIMES && plus.abs() <= LARGEST_PLUS;
        small.then_some(Bound { local: Some(local), times, plus })
    }

    /// So much more.
    #[must_use]
    pub fn plus(self, more: i128) -> Bound {
        Bound { plus: self.plus.saturating_add(more), ..self }
    }

    fn shift(&mut self, local: LocalId, by: i128) {
        if self.local == Some(local) {
            self.plus = self.plus.saturating_sub(self.times.saturating_mul(by));
        }
    }

    fn is_followed(&self) -> bool {
        self.plus.abs() <= LARGEST_PLUS
    }
}

/// The indices `from .. to`, `stride` bytes apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Bytes from one to the next.
    pub stride: u64,
    /// The first.
    pub from: Bound,
    /// One past the last.
    pub to: Bound,
}

/// What an element is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// The index in the last span.
    Index,
    /// A register.
    Register(LocalId),
    /// The element of the same shape at the same indices of another object, from a base on.
    Element(ObjectId, u64),
}

/// What is claimed of each element.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// It is in this.
    pub value: Value,
    /// It differs from these terms by these amounts, as integers.
    pub terms: Vec<(Term, Int)>,
}

impl Claim {
    /// Whether this says at least what the other says.
    pub fn is_subset(&self, other: &Claim) -> bool {
        self.value.is_subset(&other.value)
            && other
                .terms
                .iter()
                .all(|(term, theirs)| self.terms.iter().any(|(t, mine)| t == term && mine.is_subset(theirs)))
    }

    /// What both say.
    #[must_use]
    pub fn merge(&self, other: &Claim, values: &mut impl FnMut(&Value, &Value) -> Value) -> Claim {
        let mut terms = Vec::new();
        for (term, mine) in &self.terms {
            let Some((_, theirs)) = other.terms.iter().find(|(t, _)| t == term) else { continue };
            if let Kind::Number(merged) = values(&Value::number(*mine), &Value::number(*theirs)).kind {
                terms.push((*term, merged));
            }
        }
        Claim { value: values(&self.value, &other.value), terms }
    }
}

/// A claim about all elements of a part of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct SegmentFact {
    /// Where the element with all indices 0 begins.
    pub base: u64,
    /// How elements are read.
    pub shape: Shape,
    /// The indices, largest stride first.
    pub spans: Vec<Span>,
    /// What holds of each.
    pub claim: Claim,
}

impl SegmentFact {
    /// Whether the two are about elements of the same grid.
    pub fn is_alike(&self, other: &SegmentFact) -> bool {
        let strides = self.spans.iter().zip(&other.spans).all(|(a, b)| a.stride == b.stride);
        (self.base, self.shape) == (other.base, other.shape)
            && self.spans.len() == other.spans.len()
            && strides
    }

    pub(crate) fn mentions(&self, wanted: &dyn Fn(LocalId) -> bool) -> bool {
        let bound = |b: &Bound| b.local.is_some_and(wanted);
        self.spans.iter().any(|s| bound(&s.from) || bound(&s.to))
            || self.claim.terms.iter().any(|(t, _)| matches!(t, Term::Register(r) if wanted(*r)))
    }

    /// The registers it is told by.
    pub fn registers(&self) -> impl Iterator<Item = LocalId> + '_ {
        let bounds = self.spans.iter().flat_map(|s| [s.from.local, s.to.local]);
        let terms = self.claim.terms.iter().map(|(t, _)| match t {
            Term::Register(r) => Some(*r),
            Term::Index | Term::Element(..) => None,
        });
        bounds.chain(terms).flatten()
    }

    /// A register grows by a constant.
    fn shift(&mut self, local: LocalId, by: i128) {
        for span in &mut self.spans {
            span.from.shift(local, by);
            span.to.shift(local, by);
        }
        for (term, difference) in &mut self.claim.terms {
            if *term == Term::Register(local) {
                *difference = difference.add(&Int::constant(-by));
            }
        }
    }

    pub(crate) fn is_followed(&self) -> bool {
        self.spans.iter().all(|s| s.from.is_followed() && s.to.is_followed())
    }

    /// Elements begin at multiples of this from the base on. The smallest stride need not divide the others: structs
    /// may lie in structs.
    pub fn grid(&self) -> u64 {
        let common = |a: u64, b: u64| {
            let (mut a, mut b) = (a, b);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        self.spans.iter().fold(0, |grid, span| common(grid, span.stride))
    }
}

/// The facts of one object.
pub type SegmentFacts = Vec<SegmentFact>;

/// Adds a fact; where there are too many the oldest goes.
pub fn add(facts: &mut SegmentFacts, fact: SegmentFact) {
    if facts.len() >= MOST_FACTS {
        facts.remove(0);
    }
    facts.push(fact);
}

/// A register grows by a constant.
pub fn shift(facts: &SegmentFacts, local: LocalId, by: i128) -> Change<SegmentFacts> {
    if !facts.iter().any(|f| f.mentions(&|l| l == local)) {
        return Change::Keep;
    }
    let mut new = facts.clone();
    new.iter_mut().for_each(|f| f.shift(local, by));
    new.retain(SegmentFact::is_followed);
    if new.is_empty() { Change::Drop } else { Change::To(new) }
}

/// What an object says of another one is over: it changed.
pub fn without_source(facts: &SegmentFacts, changed: &dyn Fn(ObjectId) -> bool) -> Change<SegmentFacts> {
    let stale = |t: &Term| matches!(t, Term::Element(o, _) if changed(*o));
    if !facts.iter().any(|f| f.claim.terms.iter().any(|(t, _)| stale(t))) {
        return Change::Keep;
    }
    let mut new = facts.clone();
    new.iter_mut().for_each(|f| f.claim.terms.retain(|(t, _)| !stale(t)));
    Change::To(new)
}

/// Whether an end of a part stays where it is while the other grows.
pub fn is_anchor(end: &Bound, other: &Bound) -> bool {
    end.local.is_none() || end.local != other.local
}
