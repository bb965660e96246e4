// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions of a helper: the machine's integers as polynomials, wrapped where the type wraps them.
//!
//! Bits are remainders: `x & 0xffff` is what is left of `x` modulo 2^16, `x >> 16` the rest divided. Where two values are
//! combined bit by bit (`a ^ b`), the result is kept as it is until a mask or a sign asks for few of its bits.

use std::rc::Rc;

use clew_base::int::IntType;
use clew_ir::syntax::{BinaryOp, Body, Builtin, CompareOp, ExprId, ExprKind, Type, UnaryOp};

use super::exec::Exec;
use super::poly::Poly;
use super::state::{Done, Halt, State, Value, fits};

/// The outcome of a test.
pub(crate) enum Truth {
    /// It is known.
    Known(bool),
    /// True where this is at least 0, else false.
    Where(Poly),
}

/// What values of other kinds than numbers are.
const NOT_A_NUMBER: Halt = Halt::Fail("bits of two numbers combined, and more asked than a few of them");

impl Exec<'_> {
    pub(crate) fn int_of(&self, ty: clew_ir::syntax::TypeId) -> Done<IntType> {
        let int = match self.program.types[ty] {
            Type::Bool => Some(IntType::unsigned(8)),
            _ => self.program.types().int_type(ty),
        };
        int.filter(|int| int.bits <= 64).ok_or(Halt::Fail("a value that is no integer of at most 64 bits"))
    }

    /// A value that has to be a number.
    pub(crate) fn number(&mut self, body: &Body, state: &mut State, id: ExprId) -> Done<Poly> {
        match self.eval(body, state, id)? {
            Value::Poly(poly) => Ok(poly),
            Value::Undefined => Err(Halt::Fail("a variable without a value")),
            Value::Bits(..) => Err(NOT_A_NUMBER),
        }
    }

    pub(crate) fn eval(&mut self, body: &Body, state: &mut State, id: ExprId) -> Done<Value> {
        let expr = &body.exprs[id];
        let poly = match &expr.kind {
            ExprKind::Int(value) => Poly::constant(*value),
            ExprKind::Local(local) => return Ok(state.frame().registers[local.0 as usize].clone()),
            ExprKind::Unary(op, a) => {
                let int = self.int_of(expr.ty)?;
                match (op, self.eval(body, state, *a)?) {
                    (UnaryOp::Neg, Value::Poly(a)) => {
                        state.wrapped(fits(a.negated())?, int, &mut self.symbols)?
                    }
                    (UnaryOp::Not, Value::Poly(a)) => complement(&a, int)?,
                    (UnaryOp::Not, bits @ Value::Bits(..)) => {
                        let ones = Value::Poly(Poly::constant(int.wrap(-1)));
                        return Ok(Value::Bits(BinaryOp::Xor, Rc::new((bits, ones)), int));
                    }
                    _ => return Err(NOT_A_NUMBER),
                }
            }
            ExprKind::Binary(op, a, b) => return self.binary(body, state, (*op, *a, *b), expr.ty),
            ExprKind::Compare(..) => match self.truth(body, state, id)? {
                Truth::Known(outcome) => Poly::constant(outcome.into()),
                Truth::Where(poly) => return Err(Halt::Split(poly)),
            },
            ExprKind::Cast(a) => {
                if matches!(self.program.types[expr.ty], Type::Bool) {
                    let a = self.eval(body, state, *a)?;
                    return match self.is_not_zero(state, &a)? {
                        Truth::Known(outcome) => Ok(Value::Poly(Poly::constant(outcome.into()))),
                        Truth::Where(poly) => Err(Halt::Split(poly)),
                    };
                }
                let (to, from) = (self.int_of(expr.ty)?, self.int_of(body.exprs[*a].ty)?);
                match self.eval(body, state, *a)? {
                    Value::Poly(a) => state.wrapped(a, to, &mut self.symbols)?,
                    // The same bits under another sign.
                    Value::Bits(op, both, _) if to.bits == from.bits => return Ok(Value::Bits(op, both, to)),
                    _ => return Err(NOT_A_NUMBER),
                }
            }
            ExprKind::Overflows { op, left, right, of } => {
                let (a, b) = (self.number(body, state, *left)?, self.number(body, state, *right)?);
                let exact = exactly(*op, &a, &b)?;
                let int = self.int_of(*of)?;
                let (low, high) = state.ends(&exact).ok_or(Halt::Fail("numbers without a bound"))?;
                if high < int.min() || low > int.max() {
                    Poly::constant(1)
                } else if low < int.min() {
                    return Err(Halt::Split(fits(exact.shifted(-int.min()))?));
                } else if high > int.max() {
                    return Err(Halt::Split(fits(exact.shifted(-int.max() - 1))?));
                } else {
                    Poly::constant(0)
                }
            }
            ExprKind::Builtin(Builtin::Clz, arguments) => {
                let int = self.int_of(body.exprs[arguments[0]].ty)?;
                let a = self.number(body, state, arguments[0])?;
                leading_zeros(state, &a, int)?
            }
            ExprKind::Select { condition, then, otherwise } => match self.truth(body, state, *condition)? {
                Truth::Known(true) => return self.eval(body, state, *then),
                Truth::Known(false) => return self.eval(body, state, *otherwise),
                Truth::Where(poly) => return Err(Halt::Split(poly)),
            },
            _ => return Err(Halt::Fail("an operation that is none on integers")),
        };
        Ok(Value::Poly(poly))
    }

    fn binary(
        &mut self,
        body: &Body,
        state: &mut State,
        (op, left, right): (BinaryOp, ExprId, ExprId),
        ty: clew_ir::syntax::TypeId,
    ) -> Done<Value> {
        let int = self.int_of(ty)?;
        let (a, b) = (self.eval(body, state, left)?, self.eval(body, state, right)?);
        if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            return self.bits(state, op, a, b, int);
        }
        let Value::Poly(b) = b else { return Err(NOT_A_NUMBER) };
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let Some(count) = state.one_of_few(&b, 65)? else {
                return Err(Halt::Fail("a shift by a count that is not known"));
            };
            if !(0..i128::from(int.bits)).contains(&count) {
                return Err(Halt::Fail("a shift by more than the bits there are"));
            }
            return self.shifted(state, op, &a, count as u32, int).map(Value::Poly);
        }
        let Value::Poly(a) = a else { return Err(NOT_A_NUMBER) };
        let exact = match op {
            BinaryOp::Div => state.divided_by(&a, &b, &mut self.symbols)?.0,
            BinaryOp::Rem => state.divided_by(&a, &b, &mut self.symbols)?.1,
            _ => exactly(op, &a, &b)?,
        };
        Ok(Value::Poly(state.wrapped(exact, int, &mut self.symbols)?))
    }

    fn shifted(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        a: &Value,
        count: u32,
        int: IntType,
    ) -> Done<Poly> {
        match (op, a) {
            (BinaryOp::Shl, Value::Poly(a)) => {
                state.wrapped(fits(a.scaled(1 << count, 1))?, int, &mut self.symbols)
            }
            (BinaryOp::Shr, Value::Poly(a)) => {
                let (quotient, _) = state.divided(a, 1 << count, &mut self.symbols)?;
                // A sign, or another single bit: paths are told apart by it.
                Ok(state.one_of_few(&quotient, 2)?.map_or(quotient, Poly::constant))
            }
            (BinaryOp::Shr, Value::Bits(..)) => {
                let mask = int.wrap(-1 << count);
                let high = self.masked(state, a, mask, int)?;
                let (quotient, _) = state.divided(&high, 1 << count, &mut self.symbols)?;
                Ok(quotient)
            }
            _ => Err(NOT_A_NUMBER),
        }
    }

    /// `&`, `|` and `^`.
    fn bits(&mut self, state: &mut State, op: BinaryOp, a: Value, b: Value, int: IntType) -> Done<Value> {
        let few = |value: &Value| match value {
            Value::Poly(poly) => state.one_of_few(poly, 2),
            _ => Ok(None),
        };
        let (x, y) = (few(&a)?, few(&b)?);
        if let (Some(x), Some(y)) = (x, y) {
            let value = match op {
                BinaryOp::And => int.and(x, y),
                BinaryOp::Or => int.or(x, y),
                _ => int.xor(x, y),
            };
            return Ok(Value::Poly(Poly::constant(value)));
        }
        let ones = int.wrap(-1);
        let (value, known) = match (x, y) {
            (Some(x), None) => (&b, Some(x)),
            (None, Some(y)) => (&a, Some(y)),
            _ => (&a, None),
        };
        match (op, known) {
            (BinaryOp::And, Some(mask)) => return self.masked(state, value, mask, int).map(Value::Poly),
            (BinaryOp::Or | BinaryOp::Xor, Some(0)) => return Ok(value.clone()),
            (BinaryOp::Or, Some(all)) if all == ones => return Ok(Value::Poly(Poly::constant(ones))),
            (BinaryOp::Xor, Some(all)) if all == ones => {
                if let Value::Poly(poly) = value {
                    return complement(poly, int).map(Value::Poly);
                }
            }
            _ => {}
        }
        if let (Value::Poly(a), Value::Poly(b)) = (&a, &b) {
            if a == b {
                let same = if op == BinaryOp::Xor { Poly::constant(0) } else { a.clone() };
                return Ok(Value::Poly(same));
            }
            if op != BinaryOp::And && (is_above(state, a, b)? || is_above(state, b, a)?) {
                return Ok(Value::Poly(fits(a.plus(b, 1))?));
            }
        }
        Ok(Value::Bits(op, Rc::new((a, b)), int))
    }

    /// Some bits of a value, the others 0.
    pub(crate) fn masked(&mut self, state: &mut State, a: &Value, mask: i128, int: IntType) -> Done<Poly> {
        match a {
            Value::Undefined => Err(Halt::Fail("a variable without a value")),
            Value::Poly(a) => self.fields(state, a, mask, int),
            Value::Bits(op, both, _) => {
                let (x, y) =
                    (self.masked(state, &both.0, mask, int)?, self.masked(state, &both.1, mask, int)?);
                let (Some(x), Some(y)) = (state.one_of_few(&x, 2)?, state.one_of_few(&y, 2)?) else {
                    return Err(NOT_A_NUMBER);
                };
                Ok(Poly::constant(match op {
                    BinaryOp::And => int.and(int.wrap(x), int.wrap(y)),
                    BinaryOp::Or => int.or(int.wrap(x), int.wrap(y)),
                    _ => int.xor(int.wrap(x), int.wrap(y)),
                }))
            }
        }
    }

    /// The runs of ones in a mask, each a difference of two remainders.
    fn fields(&mut self, state: &mut State, a: &Poly, mask: i128, int: IntType) -> Done<Poly> {
        let mut bits = int.to_bits(mask);
        let mut sum = Poly::constant(0);
        while bits != 0 {
            let from = bits.trailing_zeros();
            let to = from + (bits >> from).trailing_ones();
            let (_, below) = state.divided(a, 1 << from, &mut self.symbols)?;
            let upto = if to >= u32::from(int.bits) {
                a.clone()
            } else {
                state.divided(a, 1 << to, &mut self.symbols)?.1
            };
            let field = fits(upto.minus(&below))?;
            // One bit: paths are told apart by it.
            let field = match to - from {
                1 => {
                    let (bit, _) = state.divided(&field, 1 << from, &mut self.symbols)?;
                    match state.one_of_few(&bit, 2)? {
                        Some(bit) => Poly::constant(bit << from),
                        None => field,
                    }
                }
                _ => field,
            };
            sum = fits(sum.plus(&field, 1))?;
            bits &= !(((1u128 << (to - from)) - 1) << from);
        }
        Ok(sum)
    }

    /// The outcome of a condition.
    pub(crate) fn truth(&mut self, body: &Body, state: &mut State, id: ExprId) -> Done<Truth> {
        let ExprKind::Compare(op, a, b) = &body.exprs[id].kind else {
            let value = self.eval(body, state, id)?;
            return self.is_not_zero(state, &value);
        };
        let int = self.int_of(body.exprs[*a].ty)?;
        let (a, b) = (self.eval(body, state, *a)?, self.eval(body, state, *b)?);
        match (&a, &b) {
            (Value::Poly(a), Value::Poly(b)) => of_difference(state, *op, &fits(a.minus(b))?),
            // The sign of bits.
            (Value::Bits(..), Value::Poly(b)) if b.known() == Some(0) && int.signed => {
                match op {
                    CompareOp::Lt | CompareOp::Ge => {}
                    _ => return Err(NOT_A_NUMBER),
                }
                let sign = self.masked(state, &a, int.min(), int)?;
                of_difference(state, *op, &sign)
            }
            _ => Err(NOT_A_NUMBER),
        }
    }

    fn is_not_zero(&mut self, state: &mut State, value: &Value) -> Done<Truth> {
        match value {
            Value::Poly(poly) => of_difference(state, CompareOp::Ne, poly),
            Value::Bits(BinaryOp::Xor, both, _) => match &**both {
                (Value::Poly(a), Value::Poly(b)) => of_difference(state, CompareOp::Ne, &fits(a.minus(b))?),
                _ => Err(NOT_A_NUMBER),
            },
            _ => Err(NOT_A_NUMBER),
        }
    }
}

/// A sum, difference or product without ends.
pub(crate) fn exactly(op: BinaryOp, a: &Poly, b: &Poly) -> Done<Poly> {
    match op {
        BinaryOp::Add => fits(a.plus(b, 1)),
        BinaryOp::Sub => fits(a.minus(b)),
        BinaryOp::Mul => fits(a.times(b)),
        _ => Err(Halt::Fail("an operation that is none on integers")),
    }
}

/// `~x`
fn complement(a: &Poly, int: IntType) -> Done<Poly> {
    fits(fits(a.negated())?.shifted(int.wrap(-1)))
}

/// Whether the one has no bits below those of the other.
fn is_above(state: &State, above: &Poly, below: &Poly) -> Done<bool> {
    let Some((low, high)) = state.ends(below) else { return Ok(false) };
    if low < 0 {
        return Ok(false);
    }
    let unit = 1i128 << (128 - (high.leading_zeros())).min(100);
    Ok(fits(above.multiples(unit))?.1.terms.is_empty())
}

fn leading_zeros(state: &State, a: &Poly, int: IntType) -> Done<Poly> {
    let (low, high) = state.ends(a).ok_or(Halt::Fail("numbers without a bound"))?;
    let length = |x: i128| i128::from(128 - x.leading_zeros());
    if low < 0 {
        return Err(Halt::Fail("leading zeros of a negative number"));
    }
    if high == 0 {
        return Err(Halt::Fail("leading zeros of 0"));
    }
    if length(low) == length(high) {
        return Ok(Poly::constant(i128::from(int.bits) - length(low)));
    }
    Err(Halt::Split(fits(a.shifted(-(1i128 << (length(high) - 1))))?))
}

/// The outcome of comparing a difference with 0.
fn of_difference(state: &State, op: CompareOp, poly: &Poly) -> Done<Truth> {
    let (low, high) = match state.ends(poly) {
        Some((low, high)) => (low, high),
        None => return Err(Halt::Fail("numbers without a bound")),
    };
    let minus = |by: i128| fits(fits(poly.negated())?.shifted(by)).map(Truth::Where);
    let known = |yes: bool| Ok(Truth::Known(yes));
    match op {
        CompareOp::Ge if low >= 0 => known(true),
        CompareOp::Ge if high < 0 => known(false),
        CompareOp::Ge => Ok(Truth::Where(poly.clone())),
        CompareOp::Gt if low > 0 => known(true),
        CompareOp::Gt if high <= 0 => known(false),
        CompareOp::Gt => Ok(Truth::Where(fits(poly.shifted(-1))?)),
        CompareOp::Le if high <= 0 => known(true),
        CompareOp::Le if low > 0 => known(false),
        CompareOp::Le => minus(0),
        CompareOp::Lt if high < 0 => known(true),
        CompareOp::Lt if low >= 0 => known(false),
        CompareOp::Lt => minus(-1),
        CompareOp::Eq | CompareOp::Ne if low > 0 || high < 0 => known(op == CompareOp::Ne),
        CompareOp::Eq | CompareOp::Ne if low == 0 && high == 0 => known(op == CompareOp::Eq),
        CompareOp::Eq if low == 0 => minus(0),
        CompareOp::Eq if high == 0 => Ok(Truth::Where(poly.clone())),
        CompareOp::Ne if low == 0 => Ok(Truth::Where(fits(poly.shifted(-1))?)),
        CompareOp::Ne if high == 0 => minus(-1),
        CompareOp::Eq | CompareOp::Ne => Err(Halt::Split(poly.clone())),
    }
}
