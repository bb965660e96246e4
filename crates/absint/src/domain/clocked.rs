// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a scalar against the clock: integers by `clock`, floats by `progression`.

use crate::domain::clock::{Clock, Counter};
use crate::domain::progression::Progression;
use crate::domain::shape::Shape;
use crate::domain::value::{Kind, Value};
use crate::map::{Change, Merge};

/// What is known of a scalar against the clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clocked {
    /// An integer.
    Counter(Counter),
    /// A float.
    Progression(Progression),
}

impl Clocked {
    /// What a value says by itself, read in this shape.
    pub(crate) fn of_value(value: &Value, shape: Shape, clock: Clock) -> Option<Clocked> {
        match (&value.kind, shape) {
            _ if value.uninit => None,
            (Kind::Number(n), Shape::Int(ty)) => Some(Clocked::Counter(Counter::of_range(n, ty, clock))),
            (Kind::Float(f), Shape::Float(format, bytes)) => {
                Progression::of_range(f, format, bytes).map(Clocked::Progression)
            }
            _ => None,
        }
    }

    /// How it is read.
    pub fn shape(self) -> Shape {
        match self {
            Clocked::Counter(counter) => Shape::Int(counter.ty),
            Clocked::Progression(progression) => progression.shape(),
        }
    }

    /// The clock ticks.
    #[must_use]
    pub fn tick(self) -> Clocked {
        match self {
            Clocked::Counter(counter) => Clocked::Counter(counter.tick()),
            Clocked::Progression(progression) => Clocked::Progression(progression.tick()),
        }
    }

    fn merge(self, here: Clock, other: Clocked, there: Clock, widens: bool) -> Option<Clocked> {
        match (self, other) {
            _ if self.shape() != other.shape() => None,
            (Clocked::Counter(a), Clocked::Counter(b)) => Some(Clocked::Counter(match widens {
                true => a.widen(here, b, there),
                false => a.join(here, b, there),
            })),
            (Clocked::Progression(a), Clocked::Progression(b)) => {
                Some(Clocked::Progression(if widens { a.widen(b) } else { a.join(b) }))
            }
            _ => None,
        }
    }

    /// Whether this, with this clock, says all that the other says.
    pub(crate) fn is_subset(self, clock: Clock, other: Clocked) -> bool {
        match (self, other) {
            (Clocked::Counter(a), Clocked::Counter(b)) => a.is_subset(clock, b),
            (Clocked::Progression(a), Clocked::Progression(b)) => a.is_subset(b),
            _ => false,
        }
    }

    /// A value as far as this allows it, if that is less. Where nothing is left no run comes: any value will do.
    pub fn within(self, kind: &Kind, clock: Clock) -> Option<Kind> {
        let within = match (self, kind) {
            (Clocked::Counter(counter), Kind::Number(n)) => Kind::Number(counter.within(n, clock)),
            (Clocked::Progression(progression), Kind::Float(f)) => Kind::Float(progression.within(f, clock)),
            _ => return None,
        };
        (within != *kind).then_some(within)
    }

    /// In words, of something with a name.
    pub fn text(self, name: &str) -> Vec<String> {
        match self {
            Clocked::Counter(counter) => counter.text(name),
            Clocked::Progression(progression) => progression.text(name).into_iter().collect(),
        }
    }
}

/// Merges entries; what one side has none of follows from the values there.
pub struct MergeClocked<A, B> {
    /// Whether this widens.
    pub widens: bool,
    /// The two clocks.
    pub clocks: [Clock; 2],
    /// What follows on the left.
    pub here: A,
    /// What follows on the right.
    pub there: B,
}

impl<K: Copy, A, B> Merge<K, Clocked> for MergeClocked<A, B>
where
    A: Fn(K, Shape) -> Option<Clocked>,
    B: Fn(K, Shape) -> Option<Clocked>,
{
    fn both(&mut self, _: K, a: &Clocked, b: &Clocked) -> Change<Clocked> {
        match a.merge(self.clocks[0], *b, self.clocks[1], self.widens) {
            None => Change::Drop,
            Some(merged) if merged == *a => Change::Keep,
            Some(merged) => Change::To(merged),
        }
    }

    fn left(&mut self, key: K, a: &Clocked) -> Change<Clocked> {
        match (self.there)(key, a.shape()) {
            Some(b) => self.both(key, a, &b),
            None => Change::Drop,
        }
    }

    fn right(&mut self, key: K, b: &Clocked) -> Change<Clocked> {
        // An entry that widening meets for the first time is as good as one from a join.
        let here = (self.here)(key, b.shape());
        match here.and_then(|a| a.merge(self.clocks[0], *b, self.clocks[1], false)) {
            Some(joined) => Change::To(joined),
            None => Change::Drop,
        }
    }
}
