// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a scalar against the clock: integers by `clock`, floats by `progression`.

use crate::domain::clock::{Clock, Counter};
use crate::domain::progression::Progression;
use crate::domain::shape::Shape;
use crate::domain::value::{Kind, Value};
use crate::map::{Change, Merge};

/// What is known of a scalar against the clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Timed {
    /// An integer.
    Counter(Counter),
    /// A float.
    Progression(Progression),
}

impl Timed {
    /// What a value says by itself, read in this shape.
    pub(crate) fn of_value(value: &Value, shape: Shape, clock: Clock) -> Option<Timed> {
        match (&value.kind, shape) {
            _ if value.uninit => None,
            (Kind::Number(n), Shape::Int(ty)) => Some(Timed::Counter(Counter::of_range(n, ty, clock))),
            (Kind::Float(f), Shape::Float(format, bytes)) => {
                Progression::of_range(f, format, bytes).map(Timed::Progression)
            }
            _ => None,
        }
    }

    /// How it is read.
    pub fn shape(self) -> Shape {
        match self {
            Timed::Counter(counter) => Shape::Int(counter.ty),
            Timed::Progression(progression) => progression.shape(),
        }
    }

    /// The clock ticks.
    #[must_use]
    pub fn tick(self) -> Timed {
        match self {
            Timed::Counter(counter) => Timed::Counter(counter.tick()),
            Timed::Progression(progression) => Timed::Progression(progression.tick()),
        }
    }

    fn merge(self, here: Clock, other: Timed, there: Clock, widens: bool) -> Option<Timed> {
        match (self, other) {
            _ if self.shape() != other.shape() => None,
            (Timed::Counter(a), Timed::Counter(b)) => Some(Timed::Counter(match widens {
                true => a.widen(here, b, there),
                false => a.join(here, b, there),
            })),
            (Timed::Progression(a), Timed::Progression(b)) => {
                Some(Timed::Progression(if widens { a.widen(b) } else { a.join(b) }))
            }
            _ => None,
        }
    }

    /// Whether this, with this clock, says all that the other says.
    pub(crate) fn is_subset(self, clock: Clock, other: Timed) -> bool {
        match (self, other) {
            (Timed::Counter(a), Timed::Counter(b)) => a.is_subset(clock, b),
            (Timed::Progression(a), Timed::Progression(b)) => a.is_subset(b),
            _ => false,
        }
    }

    /// A value as far as this allows it, if that is less. Where nothing is left no run comes: any value will do.
    pub fn within(self, kind: &Kind, clock: Clock) -> Option<Kind> {
        let within = match (self, kind) {
            (Timed::Counter(counter), Kind::Number(n)) => Kind::Number(counter.within(n, clock)),
            (Timed::Progression(progression), Kind::Float(f)) => Kind::Float(progression.within(f, clock)),
            _ => return None,
        };
        (within != *kind).then_some(within)
    }

    /// In words, of something with a name.
    pub fn text(self, name: &str) -> Vec<String> {
        match self {
            Timed::Counter(counter) => counter.text(name),
            Timed::Progression(progression) => progression.text(name).into_iter().collect(),
        }
    }
}

/// Merges entries; what one side has none of follows from the values there.
pub struct MergeTimed<A, B> {
    /// Whether this widens.
    pub widens: bool,
    /// The two clocks.
    pub clocks: [Clock; 2],
    /// What follows on the left.
    pub here: A,
    /// What follows on the right.
    pub there: B,
}

impl<A, B> Merge<Timed> for MergeTimed<A, B>
where
    A: Fn(u64, Shape) -> Option<Timed>,
    B: Fn(u64, Shape) -> Option<Timed>,
{
    fn both(&mut self, _: u64, a: &Timed, b: &Timed) -> Change<Timed> {
        match a.merge(self.clocks[0], *b, self.clocks[1], self.widens) {
            None => Change::Drop,
            Some(merged) if merged == *a => Change::Keep,
            Some(merged) => Change::To(merged),
        }
    }

    fn left(&mut self, key: u64, a: &Timed) -> Change<Timed> {
        match (self.there)(key, a.shape()) {
            Some(b) => self.both(key, a, &b),
            None => Change::Drop,
        }
    }

    fn right(&mut self, key: u64, b: &Timed) -> Change<Timed> {
        // An entry that widening meets for the first time is as good as one from a join.
        let here = (self.here)(key, b.shape());
        match here.and_then(|a| a.merge(self.clocks[0], *b, self.clocks[1], false)) {
            Some(joined) => Change::To(joined),
            None => Change::Drop,
        }
    }
}
