// SPDX-License-Identifier: MIT OR Apache-2.0
//! Abstract stores (Definition 19): what is known of every variable at a point, memory included.
//!
//! Objects are shared until written, so a store that a branch copies costs the objects that the branch changes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clew_base::exact::Rational;
use clew_ir::syntax::{FuncId, GlobalId, LocalId, TypeId};

use crate::algebra::Algebra;
use crate::format::{Format, Grid};
use crate::setup::Variable;

/// An object in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectId {
    /// With static storage.
    Global(GlobalId),
    /// A local of the frame of that depth.
    Local(usize, LocalId),
    /// What a pointer parameter of the entry points to.
    Pointee(LocalId),
}

/// A number with what is known of its shape.
#[derive(Clone, Debug)]
pub struct Shaped<V> {
    /// The pair.
    pub value: V,
    /// The format it is in; constants and integers have none.
    pub format: Option<Format>,
    /// Where the machine's number lies.
    pub grid: Option<Grid>,
    /// A constant that has not met a format: exact in both.
    pub constant: Option<Arc<Rational>>,
    /// The constant that was added to make a later shift round (`acc = 1 << 14`, then sums, then `acc >> 15`); 0: none.
    pub bias: i128,
    /// Which computation it is the result of: copies are equal in every run, whatever is known of each.
    pub id: u64,
}

impl<V> Shaped<V> {
    /// A new number.
    pub fn new(value: V, format: Option<Format>, grid: Option<Grid>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Shaped { value, format, grid, constant: None, bias: 0, id: NEXT.fetch_add(1, Ordering::Relaxed) }
    }
}

impl<V> Shaped<V> {
    /// What may be a constant for rounding in it: one that was added, or itself, if it is a power of two.
    pub fn bias(&self) -> i128 {
        let own = || self.constant.as_deref().and_then(crate::exact::small_integer);
        match self.bias {
            0 => own().filter(|n| *n > 0 && n & (n - 1) == 0).unwrap_or(0),
            bias => bias,
        }
    }
}

/// A scalar.
#[derive(Clone, Debug)]
pub enum Scalar<V> {
    /// Never written.
    Undefined,
    /// An integer that rounding has no part in, from the one to the other.
    Int(i128, i128),
    /// A number of the real computation.
    Number(Shaped<V>),
    /// An address.
    Pointer(ObjectId, i128),
    /// A function's address.
    Function(FuncId),
    /// Nothing is known, and why.
    Unclear(Arc<str>),
}

/// Cells by byte offset.
#[derive(Clone, Debug)]
pub struct Object<V> {
    /// The variable that says how numbers are kept here.
    pub variable: Option<Variable>,
    /// Its type; for what a pointer points to, the type of an element.
    pub ty: TypeId,
    /// Bytes.
    pub size: u64,
    /// Scalars by offset.
    pub cells: BTreeMap<u64, Scalar<V>>,
}

/// The locals of a call that are no objects.
#[derive(Clone, Debug)]
pub struct Frame<V> {
    /// The function.
    pub function: FuncId,
    /// By local.
    pub registers: Vec<Scalar<V>>,
    /// Where a register's value was last loaded from.
    pub origins: Vec<Option<(ObjectId, u64)>>,
    /// What it returned, once it has.
    pub result: Scalar<V>,
    /// The same of a record: its scalars.
    pub record: Cells<V>,
}

/// The scalars of a record or array that is passed, returned or copied, by offset.
pub type Cells<V> = Vec<(u64, Scalar<V>)>;

impl<V> Frame<V> {
    /// A frame with nothing in it yet.
    pub fn new(function: FuncId, locals: usize) -> Self {
        Frame {
            function,
            registers: (0..locals).map(|_| Scalar::Undefined).collect(),
            origins: vec![None; locals],
            result: Scalar::Undefined,
            record: Vec::new(),
        }
    }
}

/// What is known at a point.
#[derive(Clone, Debug)]
pub struct Store<V> {
    /// Calls, outermost first.
    pub frames: Vec<Frame<V>>,
    /// Memory.
    pub objects: BTreeMap<ObjectId, Arc<Object<V>>>,
}

impl<V> Scalar<V> {
    /// With a reason.
    pub fn unclear(why: impl Into<Arc<str>>) -> Self {
        Scalar::Unclear(why.into())
    }

    /// One integer.
    pub fn int(value: i128) -> Self {
        Scalar::Int(value, value)
    }
}

impl<V: Clone> Store<V> {
    /// The innermost call.
    pub fn frame(&mut self) -> &mut Frame<V> {
        self.frames.last_mut().expect("a call is under way")
    }

    /// An object, to be written.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object<V>> {
        self.objects.get_mut(&id).map(Arc::make_mut)
    }
}

/// How two stores become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// Either store may be the one.
    Either,
    /// The reals are in the first, the machine is in the second.
    Parted,
}

/// Puts two stores of one point together: the semiring's sum on stores.
pub fn meet<A: Algebra>(
    algebra: &mut A,
    how: Meeting,
    mut first: Store<A::Value>,
    second: &Store<A::Value>,
) -> Store<A::Value> {
    for (frame, other) in first.frames.iter_mut().zip(&second.frames) {
        for (register, right) in frame.registers.iter_mut().zip(&other.registers) {
            *register = scalar(algebra, how, register, right);
        }
        for (origin, right) in frame.origins.iter_mut().zip(&other.origins) {
            if origin != right {
                *origin = None;
            }
        }
        frame.result = scalar(algebra, how, &frame.result, &other.result);
        frame.record = cells(algebra, how, std::mem::take(&mut frame.record), &other.record);
    }
    for (id, right) in &second.objects {
        let Some(left) = first.objects.get_mut(id) else {
            first.objects.insert(*id, right.clone());
            continue;
        };
        if Arc::ptr_eq(left, right) {
            continue;
        }
        let left = Arc::make_mut(left);
        for (offset, cell) in &right.cells {
            let met = match left.cells.get(offset) {
                Some(mine) => scalar(algebra, how, mine, cell),
                None => cell.clone(),
            };
            left.cells.insert(*offset, met);
        }
    }
    first
}

/// Puts the scalars of two records together; one that has not returned yet has none.
fn cells<A: Algebra>(
    algebra: &mut A,
    how: Meeting,
    first: Cells<A::Value>,
    second: &Cells<A::Value>,
) -> Cells<A::Value> {
    if first.is_empty() || second.is_empty() {
        return if first.is_empty() { second.clone() } else { first };
    }
    let unwritten = Scalar::unclear("a part of a record that has a value on one path only");
    let offsets: std::collections::BTreeSet<u64> = first.iter().chain(second).map(|(at, _)| *at).collect();
    let find = |cells: &Cells<A::Value>, at: u64| {
        let found = cells.iter().find(|(offset, _)| *offset == at);
        found.map_or(unwritten.clone(), |(_, cell)| cell.clone())
    };
    let met = |at: u64| (at, scalar(algebra, how, &find(&first, at), &find(second, at)));
    offsets.into_iter().map(met).collect()
}

/// Puts two scalars together. Where the reals and the machine have parted, an integer that differs between them is of no
/// use to either.
pub fn scalar<A: Algebra>(
    algebra: &mut A,
    how: Meeting,
    a: &Scalar<A::Value>,
    b: &Scalar<A::Value>,
) -> Scalar<A::Value> {
    match (a, b) {
        (Scalar::Undefined, other) | (other, Scalar::Undefined) => other.clone(),
        (Scalar::Int(a, b), Scalar::Int(c, d)) if how == Meeting::Either => Scalar::Int(*a.min(c), *b.max(d)),
        (Scalar::Int(a, b), Scalar::Int(c, d)) if (a, b) == (c, d) && a == b => Scalar::Int(*a, *b),
        (Scalar::Int(..), Scalar::Int(..)) => {
            Scalar::unclear("an integer that depends on a comparison which rounding may turn")
        }
        (Scalar::Number(a), Scalar::Number(b)) => Scalar::Number(number(algebra, how, a, b)),
        (Scalar::Number(a), Scalar::Int(c, d)) if c == d => {
            let b = integer(algebra, *c);
            Scalar::Number(number(algebra, how, a, &b))
        }
        (Scalar::Int(c, d), Scalar::Number(b)) if c == d => {
            let a = integer(algebra, *c);
            Scalar::Number(number(algebra, how, &a, b))
        }
        (Scalar::Pointer(a, x), Scalar::Pointer(b, y)) if (a, x) == (b, y) => Scalar::Pointer(*a, *x),
        (Scalar::Function(a), Scalar::Function(b)) if a == b => Scalar::Function(*a),
        (Scalar::Unclear(why), _) | (_, Scalar::Unclear(why)) => Scalar::Unclear(why.clone()),
        _ => Scalar::unclear("a value that is of one kind on one path and of another kind on another"),
    }
}

/// An integer as a number.
pub fn integer<A: Algebra>(algebra: &mut A, value: i128) -> Shaped<A::Value> {
    constant(algebra, Rational::from(clew_base::exact::Integer::from(value)))
}

/// A constant as a number.
pub fn constant<A: Algebra>(algebra: &mut A, value: Rational) -> Shaped<A::Value> {
    let shaped = Shaped::new(algebra.known(&value, &value), None, crate::exact::grid_of(&value));
    Shaped { constant: Some(Arc::new(value)), ..shaped }
}

fn number<A: Algebra>(
    algebra: &mut A,
    how: Meeting,
    a: &Shaped<A::Value>,
    b: &Shaped<A::Value>,
) -> Shaped<A::Value> {
    if let (Some(x), Some(y)) = (&a.constant, &b.constant)
        && x == y
    {
        return a.clone();
    }
    if a.id == b.id && how == Meeting::Parted {
        return a.clone();
    }
    let value = match how {
        Meeting::Either => algebra.join(&a.value, &b.value),
        Meeting::Parted => algebra.cross(&a.value, &b.value),
    };
    let format = match (a.format, b.format) {
        (Some(a), Some(b)) => Some(a.join(&b)),
        (one, other) => one.or(other),
    };
    let grid = a.grid.zip(b.grid).map(|(a, b)| a.join(b));
    let bias = if a.bias() == b.bias() { a.bias() } else { 0 };
    let met = Shaped { bias, ..Shaped::new(value, format, grid) };
    if a.id == b.id { Shaped { id: a.id, ..met } } else { met }
}
