// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of objects in terms of registers: how long they are, and how far they are filled.
//!
//! An [`Extent`] says `size = scale * register + plus`: what `malloc(n * sizeof(T))` made. A [`Prefix`] says that the
//! elements below `register + ahead` all are in one value: what a loop that fills an array has done so far. Both
//! follow their register through `i = i + 1`, move to another register that is known to equal or be below it when
//! theirs ends, and are kept by joins where both sides say the same, or one side says nothing because nothing is
//! filled yet.

use clew_ir::syntax::LocalId;

use crate::domain::int::Int;
use crate::map::{Change, Map, Merge};
use crate::state::State;
use crate::value::{Kind, Value};

/// The size of an object in bytes: `scale * register + plus`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The register.
    pub local: LocalId,
    /// Bytes for each unit of it.
    pub scale: i128,
    /// Bytes more.
    pub plus: i128,
}

/// The elements `0 .. register + ahead`, from byte `base` on, are all in `value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Prefix {
    /// The register.
    pub local: LocalId,
    /// How many elements more.
    pub ahead: i128,
    /// The first byte.
    pub base: u64,
    /// Bytes of an element.
    pub stride: u64,
    /// What each of them holds.
    pub value: Value,
}

/// What is known of objects in terms of registers, by object.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Symbolic {
    /// Sizes.
    pub extents: Map<Extent>,
    /// Filled parts.
    pub prefixes: Map<Prefix>,
}

/// Keeps extents that both sides state.
struct Same;
impl Merge<Extent> for Same {
    fn both(&mut self, _: u64, a: &Extent, b: &Extent) -> Change<Extent> {
        if a == b { Change::Keep } else { Change::Drop }
    }
    // An object that one side has not made is not there to have another size. Callers make sure of that.
    fn left(&mut self, _: u64, _: &Extent) -> Change<Extent> {
        Change::Drop
    }
    fn right(&mut self, _: u64, _: &Extent) -> Change<Extent> {
        Change::Drop
    }
}

/// Whether nothing is claimed: the prefix ends at or before its first element in every run of the state.
fn is_empty(prefix: &Prefix, state: &State) -> bool {
    range(state, prefix.local).is_some_and(|n| n.hi() != i128::MAX && n.hi() + prefix.ahead <= 0)
}

fn range(state: &State, local: LocalId) -> Option<Int> {
    match state.registers.get(u64::from(local.0)) {
        Some(Value { kind: Kind::Number(n), uninit: false }) => Some(*n),
        _ => None,
    }
}

struct Prefixes<'a, F> {
    here: &'a State,
    there: &'a State,
    values: &'a mut F,
}

impl<F: FnMut(&Value, &Value) -> Value> Merge<Prefix> for Prefixes<'_, F> {
    fn both(&mut self, _: u64, a: &Prefix, b: &Prefix) -> Change<Prefix> {
        let alike = (a.local, a.base, a.stride) == (b.local, b.base, b.stride);
        if !alike {
            return match () {
                () if is_empty(b, self.there) && is_empty(a, self.there) => Change::Keep,
                () if is_empty(a, self.here) && is_empty(b, self.here) => Change::To(b.clone()),
                () => Change::Drop,
            };
        }
        let value = (self.values)(&a.value, &b.value);
        let ahead = a.ahead.min(b.ahead);
        if value == a.value && ahead == a.ahead {
            Change::Keep
        } else {
            Change::To(Prefix { value, ahead, ..a.clone() })
        }
    }
    fn left(&mut self, _: u64, a: &Prefix) -> Change<Prefix> {
        if is_empty(a, self.there) { Change::Keep } else { Change::Drop }
    }
    fn right(&mut self, _: u64, b: &Prefix) -> Change<Prefix> {
        if is_empty(b, self.here) { Change::Keep } else { Change::Drop }
    }
}

impl Symbolic {
    /// What holds after one or the other, values merged as said.
    #[must_use]
    pub fn merge(
        &self,
        other: &Symbolic,
        here: &State,
        there: &State,
        values: &mut impl FnMut(&Value, &Value) -> Value,
    ) -> Symbolic {
        Symbolic {
            extents: self.extents.merge(&other.extents, &mut Same),
            prefixes: self.prefixes.merge(&other.prefixes, &mut Prefixes { here, there, values }),
        }
    }

    /// Whether the other says all that this says. `state` is the other's.
    pub fn is_implied_by(&self, other: &Symbolic, state: &State) -> bool {
        let extents = self.extents.iter().all(|(id, e)| other.extents.get(id) == Some(e));
        extents
            && self.prefixes.iter().all(|(id, mine)| {
                let stated = other.prefixes.get(id).is_some_and(|p| {
                    (p.local, p.base, p.stride) == (mine.local, mine.base, mine.stride)
                        && p.ahead >= mine.ahead
                        && p.value.is_subset(&mine.value)
                });
                stated || is_empty(mine, state)
            })
    }

    /// An object is made anew, or nothing is known of it any more.
    pub fn forget_object(&mut self, object: u64) {
        self.extents.remove(object);
        self.prefixes.remove(object);
    }

    /// The contents of an object change in a way that is not followed.
    pub fn forget_contents(&mut self, object: Option<u64>) {
        match object {
            Some(object) => self.prefixes.remove(object),
            None => self.prefixes = Map::default(),
        }
    }

    /// A register grows by a constant.
    pub fn shift(&mut self, local: LocalId, by: i128) {
        if !self.extents.is_empty() {
            self.extents = self.extents.filter_map(&mut |_, e| {
                if e.local == local {
                    Change::To(Extent { plus: e.plus - e.scale * by, ..*e })
                } else {
                    Change::Keep
                }
            });
        }
        if !self.prefixes.is_empty() {
            self.prefixes = self.prefixes.filter_map(&mut |_, p| {
                if p.local == local {
                    Change::To(Prefix { ahead: p.ahead - by, ..p.clone() })
                } else {
                    Change::Keep
                }
            });
        }
    }
}

impl State {
    /// Registers end or get other values: what was said in terms of them is said in terms of others, or of numbers.
    pub fn end_registers(&mut self, ends: &dyn Fn(LocalId) -> bool) {
        if self.symbolic.extents.iter().any(|(_, e)| ends(e.local)) {
            let extents = self.symbolic.extents.filter_map(&mut |_, e| {
                if !ends(e.local) {
                    return Change::Keep;
                }
                // Another register at a fixed distance: `y = x + d`.
                let equal = self.relations.iter().find_map(|(a, b, d)| {
                    let exact = self.relations.bound(b, a) == Some(-d);
                    (b == e.local && exact && !ends(a)).then_some((a, d))
                });
                match equal {
                    Some((y, d)) => Change::To(Extent { local: y, plus: e.plus - e.scale * d, ..*e }),
                    None => Change::Drop,
                }
            });
            self.symbolic.extents = extents;
        }
        let ending: Vec<(u64, Prefix)> = self
            .symbolic
            .prefixes
            .iter()
            .filter(|(_, p)| ends(p.local))
            .map(|(id, p)| (id, p.clone()))
            .collect();
        for (object, prefix) in ending {
            self.end_prefix(object, prefix, ends);
        }
    }

    fn end_prefix(&mut self, object: u64, prefix: Prefix, ends: &dyn Fn(LocalId) -> bool) {
        // A register at a fixed distance: `y = x + d` takes it over as it is.
        let equal = self
            .relations
            .iter()
            .find(|(a, b, d)| *b == prefix.local && !ends(*a) && self.relations.bound(*b, *a) == Some(-d));
        if let Some((y, _, d)) = equal {
            let moved = Prefix { local: y, ahead: prefix.ahead - d, ..prefix };
            self.symbolic.prefixes.insert(object, moved);
            return;
        }
        self.symbolic.prefixes.remove(object);
        if let Some(n) = range(self, prefix.local)
            && n.lo() != i128::MIN
            && let Ok(count) = u64::try_from(n.lo() + prefix.ahead)
            && count > 0
            && let Some(obj) = self.memory.get(object)
        {
            let mut new = (**obj).clone();
            new.contents.set_run(prefix.base, count, prefix.stride, &prefix.value);
            self.memory.insert(object, std::sync::Arc::new(new));
            self.forget_cells(Some(crate::object::ObjectId(object as u32)), 0, u64::MAX);
        }
        // A register that is known not to be above the one that ends carries the claim on.
        let below = self.relations.iter().find(|(a, b, _)| *b == prefix.local && !ends(*a));
        if let Some((y, _, d)) = below {
            let moved = Prefix { local: y, ahead: prefix.ahead - d, ..prefix };
            self.symbolic.prefixes.insert(object, moved);
        }
    }
}
