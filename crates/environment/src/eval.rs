// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions, places and tests in terms of what the function found.

use clew_base::int::IntType;
use clew_ir::syntax::{
    BinaryOp, Body, CompareOp, ExprId, ExprKind, Place, PlaceBase, Program, Projection, Type, TypeId, UnaryOp,
};
use clew_ir::types::Class;

use crate::contract::Test;
use crate::linear::{Linear, limits};
use crate::source::{self, Source};
use crate::state::{Base, Exact, State, Value};

/// A function whose expressions are evaluated.
#[derive(Clone, Copy)]
pub struct Scope<'p> {
    /// The program.
    pub program: &'p Program,
    /// The function's body.
    pub body: &'p Body,
}

/// A test that decides a branch, and what it is given.
#[derive(Clone, Debug)]
pub struct Decided {
    /// All of these hold.
    pub tests: Vec<Test>,
    /// It is also given that nothing wraps around.
    pub is_bounded: bool,
}

impl Scope<'_> {
    fn int(&self, ty: TypeId) -> Option<IntType> {
        match self.program.types().class(ty) {
            Class::Int(int) if int.bits <= 64 => Some(int),
            _ => None,
        }
    }

    /// The value of an expression.
    pub fn eval(&self, state: &State, expr: ExprId) -> Value {
        let node = &self.body.exprs[expr];
        let is_pointer = self.program.types().is_pointer(node.ty);
        match &node.kind {
            ExprKind::Int(0) if is_pointer => Value::Pointer(Base::Null, Exact::default()),
            ExprKind::Int(number) if !is_pointer => Value::Number(Exact::constant(*number)),
            ExprKind::Local(local) => state.register(*local),
            ExprKind::AddressOf(place) => self
                .address(state, place)
                .map_or(Value::Unknown, |(base, offset)| Value::Pointer(base, offset)),
            ExprKind::PointerAdd { pointer, index, stride } => {
                let (Value::Pointer(base, offset), Value::Number(index)) =
                    (self.eval(state, *pointer), self.eval(state, *index))
                else {
                    return Value::Unknown;
                };
                match offset.plus(i128::from(*stride), &index) {
                    Some(offset) if base != Base::Null => Value::Pointer(base, offset),
                    _ => Value::Unknown,
                }
            }
            ExprKind::Cast(inner) => self.cast(state, *inner, node.ty),
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let exact = self.number(state, *inner).and_then(|exact| Exact::default().plus(-1, &exact));
                self.fitted(exact, node.ty)
            }
            ExprKind::Binary(op, left, right) => self.binary(state, *op, (*left, *right), node.ty),
            _ => Value::Unknown,
        }
    }

    /// The integer that an expression is.
    pub fn number(&self, state: &State, expr: ExprId) -> Option<Exact> {
        match self.eval(state, expr) {
            Value::Number(exact) => Some(exact),
            _ => None,
        }
    }

    /// The pointer that an expression is.
    pub fn pointer(&self, state: &State, expr: ExprId) -> Option<(Base, Exact)> {
        match self.eval(state, expr) {
            Value::Pointer(base, offset) => Some((base, offset)),
            _ => None,
        }
    }

    fn binary(&self, state: &State, op: BinaryOp, (left, right): (ExprId, ExprId), ty: TypeId) -> Value {
        let (Some(a), Some(b)) = (self.number(state, left), self.number(state, right)) else {
            return Value::Unknown;
        };
        let exact = match (op, a.sum.as_constant(), b.sum.as_constant()) {
            (BinaryOp::Add, ..) => a.plus(1, &b),
            (BinaryOp::Sub, ..) => a.plus(-1, &b),
            (BinaryOp::Mul, _, Some(factor)) => Exact::default().plus(factor, &a),
            (BinaryOp::Mul, Some(factor), _) => Exact::default().plus(factor, &b),
            (BinaryOp::Shl, _, Some(count @ 0..=40)) => Exact::default().plus(1 << count, &a),
            (BinaryOp::Div, Some(a), Some(b)) if b != 0 => Some(Exact::constant(a / b)),
            _ => None,
        };
        self.fitted(exact, ty)
    }

    /// A result as its type holds it. One that overflows fails where signed numbers are added; one that wraps around is given
    /// not to.
    fn fitted(&self, exact: Option<Exact>, ty: TypeId) -> Value {
        let (Some(mut exact), Some(int)) = (exact, self.int(ty)) else { return Value::Unknown };
        let known = exact.clone();
        let (low, high) = exact.sum.range(&|source| known.at_least(source));
        let (least, most) = limits(int);
        let fits = least <= low && high <= most;
        if fits || (int.signed && !self.program.semantics.wrapv && int.bits >= 32) {
            return Value::Number(exact);
        }
        if int.signed {
            return Value::Unknown;
        }
        if low < least {
            // least - sum <= 0
            let Some(lower) = Linear::constant(least).plus(-1, &exact.sum) else { return Value::Unknown };
            exact.given.insert(Test::AtMostZero(lower));
        }
        exact.is_bounded |= high > most;
        Value::Number(exact)
    }

    fn cast(&self, state: &State, inner: ExprId, ty: TypeId) -> Value {
        let value = self.eval(state, inner);
        let types = self.program.types();
        match (value, types.get(ty)) {
            (value @ Value::Pointer(..), Type::Pointer(_)) => value,
            (Value::Number(exact), Type::Int { .. }) => {
                let Some(int) = self.int(ty) else { return Value::Unknown };
                // A value that its own type holds.
                let own = self.int(self.body.exprs[inner].ty).map(limits);
                if own.is_some_and(|(low, high)| limits(int).0 <= low && high <= limits(int).1) {
                    return Value::Number(exact);
                }
                let known = exact.clone();
                // What does not fit a signed type is the machine's affair, not an overflow.
                if int.signed && !exact.sum.fits(int, &|source| known.at_least(source)) {
                    return Value::Unknown;
                }
                self.fitted(Some(exact), ty)
            }
            _ => Value::Unknown,
        }
    }

    /// Where a place is.
    pub fn address(&self, state: &State, place: &Place) -> Option<(Base, Exact)> {
        let (base, mut offset) = match place.base {
            PlaceBase::Local(local) => (Base::Local(local), Exact::default()),
            PlaceBase::Global(global) => (Base::Global(global), Exact::default()),
            PlaceBase::Deref(pointer) => self.pointer(state, pointer)?,
        };
        for step in &place.projections {
            offset = match step {
                Projection::Field { record, field } => {
                    let at = self.program.types().field(*record, *field)?.offset;
                    offset.plus(1, &Exact::constant(i128::from(at)))?
                }
                Projection::Index { index, stride, .. } => {
                    offset.plus(i128::from(*stride), &self.number(state, *index)?)?
                }
            };
        }
        Some((base, offset))
    }

    /// What stands in memory there.
    pub fn load(&self, state: &State, place: &Place) -> Value {
        if self.program.types().bit_range(place).is_some() {
            return Value::Unknown;
        }
        let Some((base, offset)) = self.address(state, place) else { return Value::Unknown };
        let Some(at) = offset.sum.as_constant().and_then(|at| i64::try_from(at).ok()) else {
            return Value::Unknown;
        };
        if !offset.given.is_empty() || offset.is_bounded {
            return Value::Unknown;
        }
        self.read(state, &base, at, place.ty)
    }

    /// What stands at an offset of an object.
    pub fn read(&self, state: &State, base: &Base, at: i64, ty: TypeId) -> Value {
        let bytes = self.program.types().size_of(ty);
        if let Some(value) = state.cells.get(&(base.clone(), at, bytes)) {
            return value.clone();
        }
        let end = at + bytes as i64;
        let overlaps =
            |(other, from, size): &(Base, i64, u64)| other == base && *from < end && at < from + *size as i64;
        if state.cells.keys().any(overlaps) || !state.is_untouched(base) {
            return Value::Unknown;
        }
        let place = match base {
            Base::Source(source) => source::Place::Behind(Box::new(source.clone()), at),
            Base::Global(global) => source::Place::Global(*global, at),
            _ => return Value::Unknown,
        };
        match Source::new(self.program, place, ty) {
            Some(source) => of_source(source),
            None => Value::Unknown,
        }
    }

    /// The tests that say that an expression is not zero, or that it is.
    pub fn decide(&self, state: &State, expr: ExprId, truth: bool) -> Option<Decided> {
        let node = &self.body.exprs[expr];
        match &node.kind {
            ExprKind::Compare(op, left, right) => self.compare(state, *op, (*left, *right), truth),
            ExprKind::Cast(inner)
                if self.is_truth(*inner) || self.program.types().class(node.ty).is_scalar() =>
            {
                match self.is_truth(*inner) || self.int(node.ty).is_some_and(|int| int.bits == 1) {
                    true => self.decide(state, *inner, truth),
                    false => self.decide_value(state, expr, truth),
                }
            }
            _ => self.decide_value(state, expr, truth),
        }
    }

    fn is_truth(&self, expr: ExprId) -> bool {
        matches!(self.body.exprs[expr].kind, ExprKind::Compare(..))
    }

    fn decide_value(&self, state: &State, expr: ExprId, truth: bool) -> Option<Decided> {
        match self.eval(state, expr) {
            Value::Number(exact) => {
                let test =
                    if truth { Test::NotZero(exact.sum.clone()) } else { Test::Zero(exact.sum.clone()) };
                Some(decided(test, &[&exact]))
            }
            Value::Pointer(base, offset) => nullness(base, &offset, !truth),
            Value::Unknown => None,
        }
    }

    fn compare(
        &self,
        state: &State,
        op: CompareOp,
        (left, right): (ExprId, ExprId),
        truth: bool,
    ) -> Option<Decided> {
        let op = if truth { op } else { opposite(op) };
        match (self.eval(state, left), self.eval(state, right)) {
            (Value::Number(a), Value::Number(b)) => {
                let sum = a.sum.plus(-1, &b.sum)?;
                let one = Linear::constant(1);
                let test = match op {
                    CompareOp::Eq => Test::Zero(sum),
                    CompareOp::Ne => Test::NotZero(sum),
                    CompareOp::Le => Test::AtMostZero(sum),
                    CompareOp::Lt => Test::AtMostZero(sum.plus(1, &one)?),
                    CompareOp::Ge => Test::AtMostZero(sum.times(-1)?),
                    CompareOp::Gt => Test::AtMostZero(one.plus(-1, &sum)?),
                };
                Some(decided(test, &[&a, &b]))
            }
            (Value::Pointer(base, offset), Value::Pointer(Base::Null, _))
            | (Value::Pointer(Base::Null, _), Value::Pointer(base, offset)) => match op {
                CompareOp::Eq => nullness(base, &offset, true),
                CompareOp::Ne => nullness(base, &offset, false),
                _ => None,
            },
            // Two pointers into one object.
            (Value::Pointer(a, at), Value::Pointer(b, other)) if a == b => {
                let sum = at.sum.plus(-1, &other.sum)?;
                let one = Linear::constant(1);
                let test = match op {
                    CompareOp::Eq => Test::Zero(sum),
                    CompareOp::Ne => Test::NotZero(sum),
                    CompareOp::Le => Test::AtMostZero(sum),
                    CompareOp::Lt => Test::AtMostZero(sum.plus(1, &one)?),
                    CompareOp::Ge => Test::AtMostZero(sum.times(-1)?),
                    CompareOp::Gt => Test::AtMostZero(one.plus(-1, &sum)?),
                };
                Some(decided(test, &[&at, &other]))
            }
            _ => None,
        }
    }
}

/// The value that a source holds.
pub fn of_source(source: Source) -> Value {
    match source.kind {
        source::Kind::Number { .. } => Value::Number(Exact::of(Linear::of(source))),
        source::Kind::Pointer(_) => Value::Pointer(Base::Source(source), Exact::default()),
    }
}

fn decided(test: Test, exacts: &[&Exact]) -> Decided {
    let given = exacts.iter().flat_map(|exact| exact.given.iter().cloned());
    Decided { tests: given.chain([test]).collect(), is_bounded: exacts.iter().any(|exact| exact.is_bounded) }
}

/// Whether a pointer is null, as a test.
fn nullness(base: Base, offset: &Exact, wants_null: bool) -> Option<Decided> {
    let always = |truth: bool| {
        let sum = Linear::constant(i128::from(!truth));
        Decided { tests: vec![Test::Zero(sum)], is_bounded: false }
    };
    match base {
        Base::Null => Some(always(wants_null)),
        Base::Local(_) | Base::Global(_) => Some(always(!wants_null)),
        // A pointer that was moved is not null.
        Base::Source(source) if offset.sum.as_constant() == Some(0) => {
            let test = if wants_null { Test::Null(source) } else { Test::NotNull(source) };
            Some(Decided { tests: vec![test], is_bounded: false })
        }
        Base::Source(_) | Base::Fresh(..) => None,
    }
}

fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Ge => CompareOp::Lt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Le => CompareOp::Gt,
    }
}
