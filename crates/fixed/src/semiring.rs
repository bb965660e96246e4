// SPDX-License-Identifier: MIT OR Apache-2.0
//! Idempotent semirings (Definition 16): what weights of a transition system obey.
//!
//! `combine` puts together what two paths lead to, `extend` goes one path after the other, `zero` is no path, `one` is a
//! path that changes nothing. Weights of the ORE problem are transformers of stores (Definition 20). Kept as sets of paths
//! these have all the laws, and the tests say so. The walk joins stores where paths meet: that is a sum taken early, and
//! `(a + b) c` is then only *above* `ac + bc`, since a join forgets which path a number came from. It is sound, and it is
//! where the paper's Definition 16, which asks for equality, is not quite met by its own weights.

use crate::interval::Interval;

/// An idempotent semiring.
pub trait Semiring {
    /// A weight.
    type Weight: Clone + PartialEq + std::fmt::Debug;
    /// No path.
    fn zero(&self) -> Self::Weight;
    /// The path that changes nothing.
    fn one(&self) -> Self::Weight;
    /// What either leads to: associative, commutative, idempotent, with `zero` for unit.
    fn combine(&self, a: &Self::Weight, b: &Self::Weight) -> Self::Weight;
    /// The first, then the second: associative, with `one` for unit, and `zero` swallows.
    fn extend(&self, a: &Self::Weight, b: &Self::Weight) -> Self::Weight;

    /// Whether the second holds all that the first holds.
    fn is_below(&self, a: &Self::Weight, b: &Self::Weight) -> bool {
        self.combine(a, b) == *b
    }
}

/// Paths by their length: the least number of steps, which tells how deep procedures nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shortest;

impl Semiring for Shortest {
    type Weight = Option<u32>;

    fn zero(&self) -> Option<u32> {
        None
    }

    fn one(&self) -> Option<u32> {
        Some(0)
    }

    fn combine(&self, a: &Option<u32>, b: &Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => Some(*a.min(b)),
            (one, other) => one.or(*other),
        }
    }

    fn extend(&self, a: &Option<u32>, b: &Option<u32>) -> Option<u32> {
        Some(a.as_ref()?.saturating_add(*b.as_ref()?))
    }
}

/// Sets of stores as weights made on the fly (Definition 21, with `(W, w)` identified with `(W, w(W))`): from one fixed
/// initial store, what a path leads each variable to. A path is a list of assignments `x = slope * y + offset`, and its
/// weight is the function that it computes on intervals.
#[derive(Clone, Debug)]
pub struct Assignments {
    /// The stores on which transformers are compared.
    pub probes: Vec<Vec<Interval>>,
}

/// A transformer of interval stores: a join of paths, none for no path.
#[derive(Clone, Debug)]
pub struct Transformer {
    paths: Vec<Vec<Step>>,
    /// Its values on the probes, by which transformers are compared.
    outcome: Option<Vec<Vec<Interval>>>,
}

/// `target = slope * source + offset`
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Which variable changes.
    pub target: usize,
    /// By which.
    pub source: usize,
    /// Times this.
    pub slope: Interval,
    /// Plus this.
    pub offset: Interval,
}

impl PartialEq for Transformer {
    fn eq(&self, other: &Transformer) -> bool {
        self.outcome == other.outcome
    }
}

impl Assignments {
    /// The weight of one path.
    pub fn path(&self, steps: Vec<Step>) -> Transformer {
        self.made(vec![steps])
    }

    fn made(&self, paths: Vec<Vec<Step>>) -> Transformer {
        let outcome = self.probes.iter().map(|probe| self.apply(&paths, probe)).collect();
        Transformer { paths, outcome }
    }

    fn apply(&self, paths: &[Vec<Step>], store: &[Interval]) -> Option<Vec<Interval>> {
        let ends = paths.iter().map(|steps| {
            let mut store = store.to_vec();
            for step in steps {
                store[step.target] = store[step.source] * step.slope + step.offset;
            }
            store
        });
        ends.reduce(|a, b| a.iter().zip(&b).map(|(x, y)| x.hull(*y)).collect())
    }
}

impl Semiring for Assignments {
    type Weight = Transformer;

    fn zero(&self) -> Transformer {
        self.made(Vec::new())
    }

    fn one(&self) -> Transformer {
        self.made(vec![Vec::new()])
    }

    fn combine(&self, a: &Transformer, b: &Transformer) -> Transformer {
        self.made(a.paths.iter().chain(&b.paths).cloned().collect())
    }

    fn extend(&self, a: &Transformer, b: &Transformer) -> Transformer {
        let all = a.paths.iter().flat_map(|first| {
            b.paths.iter().map(move |second| first.iter().chain(second).copied().collect())
        });
        self.made(all.collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn semiring() -> Assignments {
        let store =
            |a: f64, b: f64| vec![Interval::new(a, b), Interval::new(-b, a.max(-b)), Interval::point(a)];
        Assignments { probes: vec![store(0.0, 1.0), store(-2.0, 0.5), store(3.0, 3.0)] }
    }

    fn step() -> impl Strategy<Value = Step> {
        (0..3usize, 0..3usize, -4i8..5, -8i8..9, 0u8..3).prop_map(|(target, source, slope, offset, width)| {
            Step {
                target,
                source,
                slope: Interval::point(f64::from(slope) / 2.0),
                offset: Interval::new(f64::from(offset) / 4.0, f64::from(offset) / 4.0 + f64::from(width)),
            }
        })
    }

    fn weight() -> impl Strategy<Value = Transformer> {
        let paths = prop::collection::vec(prop::collection::vec(step(), 0..4), 0..4);
        paths.prop_map(|paths| semiring().made(paths))
    }

    proptest! {
        #[test]
        fn transformers_are_an_idempotent_semiring(a in weight(), b in weight(), c in weight()) {
            laws(&semiring(), &a, &b, &c)?;
        }

        #[test]
        fn lengths_are_an_idempotent_semiring(a: Option<u16>, b: Option<u16>, c: Option<u16>) {
            let [a, b, c] = [a, b, c].map(|x| x.map(u32::from));
            laws(&Shortest, &a, &b, &c)?;
        }
    }

    fn laws<S: Semiring>(s: &S, a: &S::Weight, b: &S::Weight, c: &S::Weight) -> Result<(), TestCaseError> {
        let (zero, one) = (s.zero(), s.one());
        prop_assert_eq!(s.combine(a, b), s.combine(b, a));
        prop_assert_eq!(s.combine(&s.combine(a, b), c), s.combine(a, &s.combine(b, c)));
        prop_assert_eq!(&s.combine(a, a), a);
        prop_assert_eq!(&s.combine(a, &zero), a);
        prop_assert_eq!(s.extend(&s.extend(a, b), c), s.extend(a, &s.extend(b, c)));
        prop_assert_eq!(&s.extend(a, &one), a);
        prop_assert_eq!(&s.extend(&one, a), a);
        prop_assert_eq!(&s.extend(a, &zero), &zero);
        prop_assert_eq!(&s.extend(&zero, a), &zero);
        // Kept as sets of paths, transformers distribute on both sides.
        prop_assert_eq!(s.extend(a, &s.combine(b, c)), s.combine(&s.extend(a, b), &s.extend(a, c)));
        prop_assert_eq!(s.extend(&s.combine(a, b), c), s.combine(&s.extend(a, c), &s.extend(b, c)));
        prop_assert!(s.is_below(a, &s.combine(a, b)));
        Ok(())
    }
}
