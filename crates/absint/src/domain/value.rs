// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scalar may hold: a number, a float, an address, or any bytes.
//!
//! ```text
//!                 Any            any bytes, any provenance
//!        /         |        \
//!   Number..    Float..   Address    numbers without provenance | objects with offsets | anything that escaped
//! ```
//!
//! A value of integer or pointer type is a `Number` when it surely carries no provenance, else an `Address`: integers
//! may carry pointers (DESIGN.md, Memory). `uninit` says that it may never have been written.

use std::sync::Arc;

use crate::domain::float::Float;
use crate::domain::int::Int;
use crate::program::object::ObjectId;
use crate::program::thresholds::Thresholds;

/// A scalar and whether it may be uninitialised.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// What it may be when it is initialised.
    pub kind: Kind,
    /// Whether it may be uninitialised; it is then any value.
    pub uninit: bool,
}

/// What a scalar may be.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// An integer, boolean or null pointer without provenance.
    Number(Int),
    /// A float.
    Float(Float),
    /// A pointer, or an integer that carries one.
    Address(Arc<Address>),
    /// Any bytes.
    Any,
}

/// The objects that one becomes; none if it stays what it is.
pub type Renaming<'a> = dyn Fn(ObjectId) -> Option<Vec<ObjectId>> + 'a;

/// Where a pointer may point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// The addresses without provenance it may be: 0 is null.
    pub number: Option<Int>,
    /// The objects it may point into, by ascending id, with the offset in bytes.
    pub targets: Vec<(ObjectId, Int)>,
    /// Whether it may point into anything else whose address has escaped.
    pub unknown: bool,
}

impl Address {
    /// Into one object.
    pub fn of(object: ObjectId, offset: Int) -> Address {
        Address { number: None, targets: vec![(object, offset)], unknown: false }
    }

    /// Anywhere.
    pub fn anywhere() -> Address {
        Address { number: Some(Int::range(0, i128::from(u64::MAX))), targets: Vec::new(), unknown: true }
    }

    /// So many bytes further on.
    pub fn further(&self, bytes: u64) -> Address {
        let by = Int::constant(i128::from(bytes));
        Address {
            number: self.number.map(|number| number.add(&by)),
            targets: self.targets.iter().map(|(object, offset)| (*object, offset.add(&by))).collect(),
            unknown: self.unknown,
        }
    }

    /// Whether it stands for no address at all.
    pub fn is_empty(&self) -> bool {
        self.number.is_none() && self.targets.is_empty() && !self.unknown
    }

    /// The value, in its simplest form; none if it is no address at all.
    pub fn into_kind(self) -> Option<Kind> {
        match self.number {
            _ if self.is_empty() => None,
            Some(number) if self.targets.is_empty() && !self.unknown => Some(Kind::Number(number)),
            _ => Some(Kind::Address(Arc::new(self))),
        }
    }

    fn combine(&self, other: &Address, offsets: &mut impl FnMut(&Int, &Int) -> Int) -> Address {
        let number = match (self.number, other.number) {
            (Some(a), Some(b)) => Some(offsets(&a, &b)),
            (a, b) => a.or(b),
        };
        let mut targets = Vec::with_capacity(self.targets.len().max(other.targets.len()));
        let (mut a, mut b) = (self.targets.iter().peekable(), other.targets.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some((x, o)), Some((y, p))) if x == y => {
                    targets.push((*x, offsets(o, p)));
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x.0 < y.0 => targets.extend(a.next().copied()),
                (Some(_), None) => targets.extend(a.next().copied()),
                (_, Some(_)) => targets.extend(b.next().copied()),
                (None, None) => break,
            }
        }
        Address { number, targets, unknown: self.unknown || other.unknown }
    }

    /// Where one or the other may point.
    #[must_use]
    pub fn join(&self, other: &Address) -> Address {
        self.combine(other, &mut |a, b| a.join(b))
    }

    /// With every object renamed; several may become one.
    pub fn rename(&self, to: &Renaming<'_>) -> Address {
        let mut result = Address { number: self.number, targets: Vec::new(), unknown: self.unknown };
        for (object, offset) in &self.targets {
            for new in to(*object).unwrap_or_else(|| vec![*object]) {
                result = result.combine(&Address::of(new, *offset), &mut |a, b| a.join(b));
            }
        }
        result
    }

    fn is_subset(&self, other: &Address) -> bool {
        let number = match (&self.number, &other.number) {
            (None, _) => true,
            (Some(a), Some(b)) => a.is_subset(b),
            (Some(_), None) => false,
        };
        let covered = |(object, offset): &(ObjectId, Int)| {
            other.targets.iter().any(|(o, p)| o == object && offset.is_subset(p))
        };
        number && (!self.unknown || other.unknown) && self.targets.iter().all(covered)
    }
}

impl Kind {
    /// As an address; what is neither number nor address may be anywhere.
    pub fn to_address(&self) -> Address {
        match self {
            Kind::Number(number) => Address { number: Some(*number), ..Address::default() },
            Kind::Address(address) => (**address).clone(),
            Kind::Float(_) | Kind::Any => Address::anywhere(),
        }
    }

    fn combine(&self, other: &Kind, how: &mut impl Combine) -> Kind {
        match (self, other) {
            (Kind::Number(a), Kind::Number(b)) => Kind::Number(how.ints(a, b)),
            (Kind::Float(a), Kind::Float(b)) => Kind::Float(how.floats(a, b)),
            (Kind::Number(_) | Kind::Address(_), Kind::Number(_) | Kind::Address(_)) => {
                let joined = self.to_address().combine(&other.to_address(), &mut |a, b| how.ints(a, b));
                joined.into_kind().unwrap_or(Kind::Any)
            }
            _ => Kind::Any,
        }
    }

    /// Whether every value of this is one of the other.
    pub fn is_subset(&self, other: &Kind) -> bool {
        match (self, other) {
            (_, Kind::Any) => true,
            (Kind::Number(a), Kind::Number(b)) => a.is_subset(b),
            (Kind::Float(a), Kind::Float(b)) => a.is_subset(b),
            (Kind::Number(_) | Kind::Address(_), Kind::Number(_) | Kind::Address(_)) => {
                self.to_address().is_subset(&other.to_address())
            }
            _ => false,
        }
    }

    /// A number, if it is one value.
    pub fn as_constant(&self) -> Option<i128> {
        match self {
            Kind::Number(n) => n.as_constant(),
            _ => None,
        }
    }
}

trait Combine {
    fn ints(&mut self, a: &Int, b: &Int) -> Int;
    fn floats(&mut self, a: &Float, b: &Float) -> Float;
}

struct Join;
impl Combine for Join {
    fn ints(&mut self, a: &Int, b: &Int) -> Int {
        a.join(b)
    }
    fn floats(&mut self, a: &Float, b: &Float) -> Float {
        a.join(b)
    }
}

struct Widen<'a>(&'a Thresholds);
impl Combine for Widen<'_> {
    fn ints(&mut self, a: &Int, b: &Int) -> Int {
        a.widen(b, &self.0.ints)
    }
    fn floats(&mut self, a: &Float, b: &Float) -> Float {
        a.widen(b, &self.0.floats)
    }
}

struct Narrow;
impl Combine for Narrow {
    fn ints(&mut self, a: &Int, b: &Int) -> Int {
        a.narrow(b)
    }
    fn floats(&mut self, a: &Float, b: &Float) -> Float {
        a.narrow(b)
    }
}

impl Value {
    /// An initialised value.
    pub fn new(kind: Kind) -> Value {
        Value { kind, uninit: false }
    }

    /// A number.
    pub fn number(number: Int) -> Value {
        Value::new(Kind::Number(number))
    }

    /// A constant.
    pub fn constant(value: i128) -> Value {
        Value::number(Int::constant(value))
    }

    /// Into one object.
    pub fn pointer(object: ObjectId, offset: i128) -> Value {
        Value::new(Kind::Address(Arc::new(Address::of(object, Int::constant(offset)))))
    }

    /// Never written.
    pub fn uninitialised() -> Value {
        Value { kind: Kind::Any, uninit: true }
    }

    /// Any bytes.
    pub fn any() -> Value {
        Value::new(Kind::Any)
    }

    /// What one or the other may be.
    pub fn join(&self, other: &Value) -> Value {
        Value { kind: self.kind.combine(&other.kind, &mut Join), uninit: self.uninit || other.uninit }
    }

    /// The join, or more, so that no chain of these goes on for ever.
    pub fn widen(&self, next: &Value, thresholds: &Thresholds) -> Value {
        let kind = self.kind.combine(&next.kind, &mut Widen(thresholds));
        Value { kind, uninit: self.uninit || next.uninit }
    }

    /// Between this and `next`, which is smaller: what widening threw away comes back.
    pub fn narrow(&self, next: &Value) -> Value {
        let kind = match (&self.kind, &next.kind) {
            (Kind::Any, kind) => kind.clone(),
            (a, b) if b.is_subset(a) => match (a, b) {
                (Kind::Address(_), _) => b.clone(),
                _ => a.combine(b, &mut Narrow),
            },
            (a, _) => a.clone(),
        };
        Value { kind, uninit: self.uninit && next.uninit }
    }

    /// Whether every value of this is one of the other.
    pub fn is_subset(&self, other: &Value) -> bool {
        (!self.uninit || other.uninit) && self.kind.is_subset(&other.kind)
    }
}

/// What is in both; none if nothing is.
pub(crate) fn meet(a: &Kind, b: &Kind) -> Option<Kind> {
    match (a, b) {
        (kind, Kind::Any) | (Kind::Any, kind) => Some(kind.clone()),
        (Kind::Number(a), Kind::Number(b)) => a.meet(b).map(Kind::Number),
        (Kind::Float(a), Kind::Float(b)) => a.meet(b).map(Kind::Float),
        // Which numbers addresses are is not known, but for null.
        (Kind::Address(address), Kind::Number(n))
            if n.as_constant() != Some(0) && (address.unknown || !address.targets.is_empty()) =>
        {
            Some(a.clone())
        }
        (Kind::Number(_) | Kind::Address(_), Kind::Number(_) | Kind::Address(_)) => {
            meet_addresses(&a.to_address(), &b.to_address()).into_kind()
        }
        _ => Some(a.clone()),
    }
}

fn meet_addresses(a: &Address, b: &Address) -> Address {
    let number = match (&a.number, &b.number) {
        (Some(x), Some(y)) => x.meet(y),
        _ => None,
    };
    let mut targets: Vec<_> = Vec::new();
    for (object, offset) in &a.targets {
        match b.targets.iter().find(|(o, _)| o == object) {
            Some((_, other)) => targets.extend(offset.meet(other).map(|o| (*object, o))),
            None if b.unknown => targets.push((*object, *offset)),
            None => {}
        }
    }
    if a.unknown {
        targets.extend(b.targets.iter().filter(|(o, _)| a.targets.iter().all(|(p, _)| p != o)));
        targets.sort_by_key(|(o, _)| *o);
    }
    Address { number, targets, unknown: a.unknown && b.unknown }
}

/// The one object an address points into.
pub(crate) fn single(address: &Address) -> Option<(ObjectId, Int)> {
    (address.targets.len() == 1 && !address.unknown && address.number.is_none()).then(|| address.targets[0])
}
