// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decision trees (paper 004, 6.2.4): what a place holds, for each of the values that a few flags have.
//!
//! A flag is a place with few values: a truth that was stored, a state of a machine. The places of such a pack are one
//! to three flags and, last, the place that they decide on. The tree has a leaf for each combination of values that
//! the flags may have together; a combination without a leaf cannot be. That is so since a write to a flag, or to
//! the place, ends the pack: as long as there is one, none of its places has changed.
//!
//! ```text
//!         nothing said (no pack)            zero = 0: -9..9      zero = 1: -9..9   (says nothing: dropped)
//!        /        |          \                     |
//!   one pack for each choice of places      zero = 0: -9..9 but 0     zero = 1: 0
//!                                           zero = 0: 3               (zero is 0, and the place is 3)
//! ```
//!
//! The order is that of functions: fewer combinations and smaller leaves are less. A join has the leaves of both; a side
//! that knows no tree has a leaf with the range of the place for each of the values of its flags, so that a branch in
//! which a flag is 0 leaves the leaf of 1 alone. Widening widens each leaf, and the number of leaves is bounded.
//!
//! A leaf is a value as registers and cells have it. Of pointers it says only whether they are null: the names of objects
//! change, and nothing here is renamed.
//!
//! Without it 41 obligations of `bench synchronous` at 10,000 lines and 122 at 30,000 are open, with it none; on the lists of
//! public suites it closes none.

use std::sync::Arc;

use crate::domain::int::Int;
use crate::domain::place::Place;
use crate::domain::ranges::Ranges;
use crate::domain::shape::Shape;
use crate::domain::value::{Address, Kind, Value, meet};
use crate::effort::decision_tree::{MOST_LEAVES, MOST_VALUES};
use crate::program::thresholds::Thresholds;

/// What a place holds, by the values of flags.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// By ascending combination of the flags' values, in the order of the places.
    leaves: Vec<(Vec<i128>, Value)>,
    /// Whether the place holds a pointer.
    is_pointer: bool,
}

/// Any pointer but null.
fn not_null() -> Kind {
    let number = Some(Int::range(1, i128::from(u64::MAX)));
    Kind::Address(Arc::new(Address { number, targets: Vec::new(), unknown: true }))
}

/// A value as a leaf says it.
fn leaf(value: &Value, is_pointer: bool) -> Value {
    let kind = match &value.kind {
        Kind::Address(address) if is_pointer && address.number.is_none_or(|n| !n.contains(0)) => not_null(),
        Kind::Address(_) => Kind::Any,
        kind => kind.clone(),
    };
    Value { kind, uninit: value.uninit }
}

/// What is in both; none if nothing is.
fn both(a: &Value, b: &Value) -> Option<Value> {
    let uninit = a.uninit && b.uninit;
    match meet(&a.kind, &b.kind) {
        Some(kind) => Some(Value { kind, uninit }),
        None if uninit => Some(a.clone()),
        None => None,
    }
}

/// The values of a number, if they are few.
pub fn few_values(n: &Int) -> Option<Vec<i128>> {
    let few = n.hi().checked_sub(n.lo()).is_some_and(|width| width < 64);
    if !few {
        return None;
    }
    let values: Vec<i128> = (n.lo()..=n.hi()).filter(|v| n.contains(*v)).collect();
    (values.len() <= MOST_VALUES).then_some(values)
}

impl Tree {
    /// A leaf for each value of one flag; none if it says nothing.
    pub fn new(leaves: Vec<(i128, Value)>, is_pointer: bool) -> Option<Tree> {
        let leaves = leaves.into_iter().map(|(value, x)| (vec![value], leaf(&x, is_pointer))).collect();
        Tree { leaves, is_pointer }.normal()
    }

    /// What the ranges of a state say; none if a flag may have many values.
    pub fn of(places: &[Place], state: &dyn Ranges, is_pointer: bool) -> Option<Tree> {
        let (x, flags) = places.split_last()?;
        let x = leaf(&state.place_value(x)?, is_pointer);
        let mut combinations = vec![Vec::new()];
        for flag in flags {
            let Value { kind: Kind::Number(n), uninit: false } = state.place_value(flag)? else {
                return None;
            };
            let values = few_values(&n)?;
            combinations = combinations
                .iter()
                .flat_map(|c: &Vec<i128>| values.iter().map(move |v| c.iter().copied().chain([*v]).collect()))
                .collect();
            if combinations.len() > MOST_LEAVES {
                return None;
            }
        }
        Some(Tree { leaves: combinations.into_iter().map(|c| (c, x.clone())).collect(), is_pointer })
    }

    /// With what the ranges of a state say; none if no run can be in both.
    pub fn within(&self, places: &[Place], state: &dyn Ranges) -> Option<Tree> {
        let (x, flags) = places.split_last()?;
        let x = state.place_value(x).map(|x| leaf(&x, self.is_pointer));
        let values: Vec<Option<Value>> = flags.iter().map(|flag| state.place_value(flag)).collect();
        let met = self.leaves.iter().filter(|(c, _)| may_be(c, &values)).filter_map(|(c, value)| {
            let value = match &x {
                Some(x) => both(value, x)?,
                None => value.clone(),
            };
            Some((c.clone(), value))
        });
        let leaves: Vec<(Vec<i128>, Value)> = met.collect();
        (!leaves.is_empty()).then_some(Tree { leaves, is_pointer: self.is_pointer })
    }

    /// With what another tree says of the same place, whose flags are at these positions among the flags of this.
    #[must_use]
    pub fn refined_by(&self, other: &Tree, at: &[usize]) -> Tree {
        let met = self.leaves.iter().filter_map(|(c, value)| {
            let theirs: Vec<i128> = at.iter().filter_map(|i| c.get(*i).copied()).collect();
            let (_, said) = other.leaves.iter().find(|(d, _)| *d == theirs)?;
            Some((c.clone(), both(value, said)?))
        });
        Tree { leaves: met.collect(), is_pointer: self.is_pointer }
    }

    /// What holds after one or the other; widened if there are thresholds. None if that says nothing.
    pub fn merge(&self, other: &Tree, thresholds: Option<&Thresholds>) -> Option<Tree> {
        let mut leaves = self.leaves.clone();
        for (c, theirs) in &other.leaves {
            match leaves.binary_search_by(|(d, _)| d.cmp(c)) {
                Err(at) => leaves.insert(at, (c.clone(), theirs.clone())),
                Ok(at) => {
                    let mine = &leaves[at].1;
                    let merged = match thresholds {
                        None => mine.join(theirs),
                        Some(thresholds) => mine.widen(theirs, thresholds),
                    };
                    leaves[at].1 = leaf(&merged, self.is_pointer);
                }
            }
        }
        Tree { leaves, is_pointer: self.is_pointer }.normal()
    }

    /// The same; none if it says nothing, or too much.
    fn normal(self) -> Option<Tree> {
        let (_, first) = self.leaves.first()?;
        let says = self.leaves.iter().any(|(_, value)| value != first);
        (says && self.leaves.len() <= MOST_LEAVES).then_some(self)
    }

    /// Whether the other says no more.
    pub fn is_within(&self, other: &Tree) -> bool {
        self.leaves.iter().all(|(c, mine)| {
            let theirs = other.leaves.iter().find(|(d, _)| d == c);
            theirs.is_some_and(|(_, theirs)| mine.is_subset(theirs))
        })
    }

    /// What the place holds by what is known of the flags; none if they cannot be as they are known.
    pub fn decided(&self, places: &[Place], state: &dyn Ranges) -> Option<Value> {
        let (_, flags) = places.split_last()?;
        let values: Vec<Option<Value>> = flags.iter().map(|flag| state.place_value(flag)).collect();
        let possible = self.leaves.iter().filter(|(c, _)| may_be(c, &values)).map(|(_, value)| value);
        let joined = possible.cloned().reduce(|a, b| a.join(&b))?;
        Some(leaf(&joined, self.is_pointer))
    }

    /// The leaves: the values of the flags, and what the place holds then.
    pub fn leaves(&self) -> impl Iterator<Item = (&[i128], &Value)> {
        self.leaves.iter().map(|(c, value)| (&c[..], value))
    }

    /// Whether it is about a pointer.
    pub fn is_pointer(&self) -> bool {
        self.is_pointer
    }
}

/// Whether flags may have these values, by what is known of them.
fn may_be(combination: &[i128], known: &[Option<Value>]) -> bool {
    combination.iter().zip(known).all(|(v, known)| match known {
        Some(Value { kind: Kind::Number(n), uninit: false }) => n.contains(*v),
        _ => true,
    })
}

/// Whether a scalar in memory holds a pointer.
pub fn holds_pointer(shape: Shape) -> bool {
    matches!(shape, Shape::Pointer(_))
}

#[cfg(test)]
mod tests {
    use clew_ir::syntax::LocalId;

    use super::*;
    use crate::domain::float::Float;

    /// What three registers hold.
    #[derive(Debug)]
    struct Registers([Value; 3]);

    impl Ranges for Registers {
        fn assigned(&self, local: LocalId) -> Option<&Value> {
            self.0.get(local.0 as usize)
        }

        fn var_range(&self, _: crate::domain::var::Var) -> Option<Int> {
            None
        }

        fn place_value(&self, place: &Place) -> Option<Value> {
            match place {
                Place::Register(local) => self.assigned(*local).cloned(),
                Place::Cell(_) => None,
            }
        }
    }

    /// Small pseudo-random numbers.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, most: u64) -> i128 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from((self.0 >> 33) % most)
        }

        fn range(&mut self) -> Int {
            let lo = self.below(9) - 4;
            Int::range(lo, lo + self.below(5))
        }

        fn flag(&mut self) -> Int {
            let lo = self.below(2);
            Int::range(lo, lo + self.below(2))
        }

        /// Values of two flags and a place, each from what a state says of it.
        fn state(&mut self) -> Registers {
            let (f, g) = (Value::number(self.flag()), Value::number(self.flag()));
            Registers([f, g, Value { uninit: self.below(8) == 0, ..Value::number(self.range()) }])
        }

        fn tree(&mut self) -> (Registers, Tree) {
            let state = self.state();
            let mut tree = Tree::of(&places(), &state, false).expect("flags with few values");
            for (_, value) in &mut tree.leaves {
                let smaller = both(value, &Value::number(self.range()));
                *value = smaller.unwrap_or_else(|| value.clone());
            }
            (state, tree)
        }
    }

    fn places() -> Vec<Place> {
        (0..3).map(|local| Place::Register(LocalId(local))).collect()
    }

    /// Whether a value may be this; none is one that was never written.
    fn may_hold(value: &Value, x: Option<i128>) -> bool {
        match (x, &value.kind) {
            (None, _) => value.uninit,
            (Some(x), Kind::Number(n)) => n.contains(x),
            _ => false,
        }
    }

    /// Whether a tree allows values, told apart from how it is merged.
    fn admits(tree: &Tree, flags: [i128; 2], x: Option<i128>) -> bool {
        tree.leaves().any(|(c, value)| c == flags && may_hold(value, x))
    }

    fn in_state(state: &Registers, (f, g, x): (i128, i128, Option<i128>)) -> bool {
        let holds = |at: usize, x: Option<i128>| may_hold(&state.0[at], x);
        holds(0, Some(f)) && holds(1, Some(g)) && holds(2, x)
    }

    fn all_values() -> impl Iterator<Item = (i128, i128, Option<i128>)> {
        let of_place = || (-8..9).map(Some).chain([None]);
        (0..4).flat_map(move |a| (0..4).flat_map(move |b| of_place().map(move |x| (a, b, x))))
    }

    #[test]
    fn a_join_and_a_widening_hold_both_and_no_side_is_forgotten() {
        let mut numbers = Numbers(7);
        let thresholds = Thresholds { ints: vec![-100, 0, 100], floats: Vec::new() };
        for _ in 0..3_000 {
            let ((_, a), (there, b)) = (numbers.tree(), numbers.tree());
            for merged in [a.merge(&b, None), a.merge(&b, Some(&thresholds))] {
                // No tree says nothing.
                let Some(merged) = merged else { continue };
                for (f, g, x) in all_values() {
                    let is_one = admits(&a, [f, g], x) || admits(&b, [f, g], x);
                    assert!(!is_one || admits(&merged, [f, g], x), "{a:?} {b:?} {merged:?} {f} {g} {x:?}");
                }
                assert!(a.is_within(&merged) && b.is_within(&merged));
            }
            // A side without a tree says what its ranges do.
            if let Some(merged) = Tree::of(&places(), &there, false).and_then(|known| a.merge(&known, None)) {
                for values @ (f, g, x) in all_values() {
                    assert!(!in_state(&there, values) || admits(&merged, [f, g], x));
                }
            }
        }
    }

    #[test]
    fn what_a_tree_says_with_ranges_holds_all_that_both_hold() {
        let mut numbers = Numbers(11);
        for _ in 0..3_000 {
            let ((_, tree), other) = (numbers.tree(), numbers.state());
            let within = tree.within(&places(), &other);
            let decided = tree.decided(&places(), &other);
            for values @ (f, g, x) in all_values() {
                if !in_state(&other, values) || !admits(&tree, [f, g], x) {
                    continue;
                }
                let within = within.as_ref().expect("some run is in both");
                assert!(admits(within, [f, g], x), "{tree:?} {other:?} {within:?}");
                assert!(within.is_within(&tree));
                assert!(may_hold(decided.as_ref().expect("the flags can be so"), x));
            }
        }
    }

    #[test]
    fn two_trees_of_one_place_hold_together() {
        let mut numbers = Numbers(23);
        for _ in 0..2_000 {
            let ((_, a), (_, b)) = (numbers.tree(), numbers.tree());
            // The other tree has its flags the other way round.
            let refined = a.refined_by(&b, &[1, 0]);
            for (f, g, x) in all_values() {
                let is_both = admits(&a, [f, g], x) && admits(&b, [g, f], x);
                assert!(!is_both || admits(&refined, [f, g], x), "{a:?} {b:?} {refined:?}");
            }
        }
    }

    #[test]
    fn widening_comes_to_an_end() {
        let mut numbers = Numbers(5);
        let thresholds = Thresholds { ints: vec![-100, 0, 100], floats: Vec::new() };
        for _ in 0..200 {
            let (_, mut tree) = numbers.tree();
            let mut changes = 0;
            for _ in 0..200 {
                let (_, next) = numbers.tree();
                let Some(wider) = tree.merge(&next, Some(&thresholds)) else { break };
                changes += usize::from(wider != tree);
                tree = wider;
            }
            assert!(changes <= 80, "{changes} changes");
        }
    }

    #[test]
    fn pointers_are_null_or_not_and_floats_may_be_nan() {
        use crate::program::object::ObjectId;
        let pointer = Value::pointer(ObjectId(3), 0);
        let tree = Tree::new(vec![(0, Value::constant(0)), (1, pointer.clone())], true);
        let tree = tree.expect("it says something");
        let said: Vec<Kind> = tree.leaves().map(|(_, value)| value.kind.clone()).collect();
        assert_eq!(said, [Kind::Number(Int::constant(0)), not_null()]);
        assert!(tree.leaves().all(|(_, value)| !format!("{value:?}").contains("ObjectId")));
        // An integer that carries a pointer is no truth.
        assert_eq!(Tree::new(vec![(0, pointer.clone()), (1, pointer)], false), None);
        let nan = Value::new(Kind::Float(Float::nan()));
        let one = Value::new(Kind::Float(Float::range(1.0, 1.0)));
        let a = Tree::new(vec![(0, nan.clone()), (1, one.clone())], false).expect("two leaves");
        let b =
            Tree::new(vec![(0, one.clone()), (1, Value::new(Kind::Float(Float::range(2.0, 2.0))))], false);
        let joined = a.merge(&b.expect("two leaves"), None).expect("two leaves");
        let first = joined.leaves().next().map(|(_, value)| value.clone()).expect("a leaf");
        assert!(nan.is_subset(&first) && one.is_subset(&first));
    }
}
