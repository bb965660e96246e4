// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions as values: the meaning of every node, in terms. The interpreter's `eval.rs` is its twin.

use std::rc::Rc;

use clew_base::float::{Format, Rounding};
use clew_base::index::Idx;
use clew_base::int::{ArithOp, IntType};
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{
    BinaryOp, Body, CompareOp, ExprId, ExprKind, Place, PlaceBase, Projection, Type, TypeId, UnaryOp,
};
use clew_ir::types::Class;
use rustc_hash::FxHashMap;

use crate::exec::context::Exec;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::value::{Base, Pointer, Value};
use crate::term::{FloatBinary, Sort, Term, TermId};

/// How floats round.
pub(crate) const ROUND: Rounding = Rounding::NearestEven;

/// Values of expressions at one moment.
pub(crate) type Evaluated = FxHashMap<ExprId, Value>;

impl Exec<'_> {
    /// The value of an expression of the running call.
    pub fn eval(&mut self, state: &State, expr: ExprId) -> Value {
        self.eval_with(state, &mut Evaluated::default(), expr)
    }

    /// The value of an expression, with what is known already.
    pub fn eval_with(&mut self, state: &State, known: &mut Evaluated, expr: ExprId) -> Value {
        if let Some(value) = known.get(&expr) {
            return value.clone();
        }
        let Some(body) = self.body(state.frame.function) else { return Value::Lost };
        for node in body.expr_nodes(expr) {
            if !known.contains_key(&node) {
                let value = self.node(state, body, known, node);
                known.insert(node, value);
            }
        }
        known.get(&expr).cloned().unwrap_or(Value::Lost)
    }

    fn node(&mut self, state: &State, body: &Body, known: &mut Evaluated, id: ExprId) -> Value {
        let expr = &body.exprs[id];
        let types = self.facts.program.types();
        match &expr.kind {
            ExprKind::Int(value) => match types.class(expr.ty) {
                Class::Pointer => {
                    let address = self.address(*value as u64);
                    Value::pointer(&mut self.terms, Base::Number, address)
                }
                Class::Int(int) => Value::Bits(self.terms.int(int, *value)),
                _ => Value::Lost,
            },
            ExprKind::Float { bits, .. } => match types.float_format(expr.ty) {
                Some(format) => Value::Bits(self.terms.constant(format.bits(), *bits)),
                None => Value::Lost,
            },
            ExprKind::Local(local) => self.local(state, *local, expr.ty),
            ExprKind::AddressOf(place) => self.place(state, known, place),
            ExprKind::Function(function) => {
                let zero = self.address(0);
                let function = self.facts.aliases.functions[*function];
                Value::pointer(&mut self.terms, Base::Function(function), zero)
            }
            ExprKind::Label(_) => Value::Lost,
            ExprKind::Unary(op, a) => self.unary(*op, expr.ty, take(known, *a)),
            ExprKind::Binary(op, a, b) => {
                let count = body.exprs[*b].ty;
                self.binary(*op, expr.ty, take(known, *a), (take(known, *b), count))
            }
            ExprKind::Compare(op, a, b) => {
                let ty = body.exprs[*a].ty;
                let (a, b) = (take(known, *a), take(known, *b));
                match self.compare(state, *op, ty, a, b) {
                    Some(truth) => self.number_of(truth, expr.ty),
                    None => Value::Lost,
                }
            }
            ExprKind::Cast(a) => self.cast(state, take(known, *a), body.exprs[*a].ty, expr.ty),
            ExprKind::PointerAdd { pointer, index, stride } => {
                let distance = self.scaled(take(known, *index), body.exprs[*index].ty, *stride);
                match (take(known, *pointer), distance) {
                    (Value::Pointer(pointer), Some(distance)) => {
                        Value::Pointer(Rc::new(pointer.moved(&mut self.terms, distance)))
                    }
                    _ => Value::Lost,
                }
            }
            ExprKind::PointerDifference { left, right, stride } => {
                self.difference(state, take(known, *left), take(known, *right), *stride)
            }
            ExprKind::Overflows { op, left, right, of } => {
                let sides =
                    [left, right].map(|side| (take(known, *side), types.int_type(body.exprs[*side].ty)));
                match (sides, types.int_type(*of), arith(*op)) {
                    ([(Value::Bits(a), Some(x)), (Value::Bits(b), Some(y))], Some(dest), Some(op)) => {
                        let truth = self.terms.overflows(op, (a, x.signed), (b, y.signed), dest);
                        self.number_of(truth, expr.ty)
                    }
                    _ => Value::Lost,
                }
            }
            ExprKind::Builtin(builtin, operands) => {
                let ty = operands.first().map_or(expr.ty, |operand| body.exprs[*operand].ty);
                let operands: Vec<Value> = operands.iter().map(|operand| take(known, *operand)).collect();
                self.builtin(*builtin, ty, expr.ty, &operands)
            }
            ExprKind::Select { condition, then, otherwise } => {
                match self.truth(state, take(known, *condition)) {
                    Some(truth) => {
                        let (then, otherwise) = (take(known, *then), take(known, *otherwise));
                        Value::choose(&mut self.terms, truth, &then, &otherwise)
                    }
                    None => Value::Lost,
                }
            }
        }
    }

    /// A register's value. One that was never written has some value; the runs in which that is so are not exact.
    fn local(&mut self, state: &State, local: clew_ir::syntax::LocalId, ty: TypeId) -> Value {
        match state.frame.get(local).cloned() {
            Some(local) => {
                let not = self.terms.not(local.written);
                self.cut_if(state, not, Reason::Unwritten);
                local.value
            }
            None => {
                self.cut(state, Reason::Unwritten);
                self.zero(ty)
            }
        }
    }

    /// Zero of a scalar type.
    pub fn zero(&mut self, ty: TypeId) -> Value {
        match self.facts.program.types().class(ty) {
            Class::Pointer => self.null(),
            Class::Int(int) => Value::Bits(self.terms.int(int, 0)),
            Class::Float(format) => Value::Bits(self.terms.constant(format.bits(), 0)),
            _ => Value::Lost,
        }
    }

    /// One bit: whether a value is not zero. None if it is not followed.
    pub fn truth(&mut self, state: &State, value: Value) -> Option<TermId> {
        match value {
            Value::Bits(bits) => Some(self.bit(bits)),
            Value::Pointer(pointer) => {
                self.cut_far(state, &pointer);
                let null = self.is_null(&pointer);
                Some(self.terms.not(null))
            }
            Value::Lost => None,
        }
    }

    /// One bit: whether a number is not zero. C makes numbers of comparisons and comparisons of these numbers.
    fn bit(&mut self, bits: TermId) -> TermId {
        match self.terms.get(bits) {
            _ if self.terms.width(bits) == 1 => bits,
            Term::Zext(of) | Term::Sext(of) => self.bit(of),
            _ => self.terms.nonzero(bits),
        }
    }

    /// 0 or 1 of a type.
    pub fn number_of(&mut self, truth: TermId, ty: TypeId) -> Value {
        match self.facts.program.types().int_type(ty) {
            Some(int) => Value::Bits(self.terms.zext(truth, u32::from(int.bits))),
            None => Value::Lost,
        }
    }

    /// One bit: whether a pointer is null. Objects do not lie at zero, nor does what is near them.
    fn is_null(&mut self, pointer: &Pointer) -> TermId {
        let zero = self.address(0);
        let mut null = self.terms.bool(false);
        for case in pointer.cases.iter().filter(|case| case.base == Base::Number) {
            let here = self.terms.eq(case.offset, zero);
            let here = self.terms.and(case.guard, here);
            null = self.terms.or(null, here);
        }
        null
    }

    /// `index * stride` at the width of an address.
    fn scaled(&mut self, index: Value, ty: TypeId, stride: u64) -> Option<TermId> {
        let (Value::Bits(index), Some(int)) = (index, self.facts.program.types().int_type(ty)) else {
            return None;
        };
        let index = self.terms.resize(index, self.facts.address_bits(), int.signed);
        let stride = self.address(stride);
        Some(self.terms.mul(index, stride))
    }

    /// The pointer to a place.
    pub fn place(&mut self, state: &State, known: &mut Evaluated, place: &Place) -> Value {
        let base = match place.base {
            PlaceBase::Local(local) => {
                state.frame.get(local).map_or(Value::Lost, |local| local.value.clone())
            }
            PlaceBase::Global(global) => {
                let zero = self.address(0);
                let object = self.objects.globals[global.index()];
                Value::pointer(&mut self.terms, Base::Object(object), zero)
            }
            PlaceBase::Deref(pointer) => self.eval_with(state, known, pointer),
        };
        let Value::Pointer(base) = base else { return Value::Lost };
        let Some(body) = self.body(state.frame.function) else { return Value::Lost };
        let mut distance = self.address(0);
        for step in &place.projections {
            let bytes = match *step {
                Projection::Field { record, field } => {
                    let offset = self.facts.program.types().field(record, field).map_or(0, |f| f.offset);
                    self.address(offset)
                }
                Projection::Index { index, stride, .. } => {
                    let value = self.eval_with(state, known, index);
                    match self.scaled(value, body.exprs[index].ty, stride) {
                        Some(bytes) => bytes,
                        None => return Value::Lost,
                    }
                }
            };
            distance = self.terms.add(distance, bytes);
        }
        Value::Pointer(Rc::new(base.moved(&mut self.terms, distance)))
    }

    fn unary(&mut self, op: UnaryOp, ty: TypeId, value: Value) -> Value {
        let Value::Bits(bits) = value else { return Value::Lost };
        Value::Bits(match (op, self.facts.program.types().float_format(ty)) {
            (UnaryOp::Neg, Some(format)) => self.terms.float_neg(format, bits),
            (UnaryOp::Neg, None) => self.terms.neg(bits),
            (UnaryOp::Not, _) => self.terms.not(bits),
        })
    }

    fn binary(&mut self, op: BinaryOp, ty: TypeId, left: Value, (right, count): (Value, TypeId)) -> Value {
        let (Value::Bits(a), Value::Bits(b)) = (left, right) else { return Value::Lost };
        match self.facts.program.types().class(ty) {
            Class::Float(format) => match float_binary(op) {
                Some(op) => Value::Bits(self.terms.float_binary(op, format, ROUND, a, b)),
                None => Value::Lost,
            },
            Class::Int(int) => self.int_binary(op, int, a, (b, count)),
            _ => Value::Lost,
        }
    }

    fn int_binary(&mut self, op: BinaryOp, int: IntType, a: TermId, (b, count): (TermId, TypeId)) -> Value {
        let terms = &mut self.terms;
        Value::Bits(match op {
            BinaryOp::Add => terms.add(a, b),
            BinaryOp::Sub => terms.sub(a, b),
            BinaryOp::Mul => terms.mul(a, b),
            BinaryOp::Div => terms.div(a, b, int.signed),
            BinaryOp::Rem => terms.rem(a, b, int.signed),
            BinaryOp::And => terms.and(a, b),
            BinaryOp::Or => terms.or(a, b),
            BinaryOp::Xor => terms.xor(a, b),
            BinaryOp::Shl | BinaryOp::Shr => {
                let outside = self.count_is_outside(int, b, count);
                let Some(count) = self.count(int, b, count) else { return Value::Lost };
                let shifted = match op {
                    BinaryOp::Shl => self.terms.shl(a, count),
                    _ => self.terms.shr(a, count, int.signed),
                };
                self.unless(outside, CheckKind::ShiftOutOfRange, u32::from(int.bits), shifted)
            }
        })
    }

    /// A value that runs have which do not violate the check. Where others go on they have any: machines and compilers
    /// differ.
    fn unless(&mut self, violated: Option<TermId>, check: CheckKind, bits: u32, value: TermId) -> TermId {
        if (self.facts.options.stops)(check, self.facts.program.semantics) {
            return value;
        }
        let any = self.terms.fresh("machine", Sort::Bits(bits));
        match violated {
            Some(violated) if self.terms.is_false(violated) => value,
            Some(violated) => self.terms.ite(violated, any, value),
            None => any,
        }
    }

    /// A shift's count, modulo the width, at the width. Widths that are no power of two are not followed, unless
    /// the count is known.
    pub fn count(&mut self, int: IntType, count: TermId, ty: TypeId) -> Option<TermId> {
        let from = self.facts.program.types().int_type(ty)?;
        let width = u32::from(int.bits);
        if let Some(value) = self.terms.as_const(count) {
            let value = from.wrap(value as i128).rem_euclid(i128::from(width));
            return Some(self.terms.constant(width, value as u128));
        }
        if !width.is_power_of_two() || width < 8 {
            return None;
        }
        let count = self.terms.resize(count, width, from.signed);
        let most = self.terms.constant(width, u128::from(width - 1));
        Some(self.terms.and(count, most))
    }

    /// One bit: a comparison. None if it is not followed.
    pub fn compare(
        &mut self,
        state: &State,
        op: CompareOp,
        ty: TypeId,
        a: Value,
        b: Value,
    ) -> Option<TermId> {
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) => match self.facts.program.types().class(ty) {
                Class::Float(format) => Some(self.float_compare(op, format, a, b)),
                Class::Int(int) => Some(self.int_compare(op, int.signed, a, b)),
                _ => None,
            },
            (Value::Pointer(a), Value::Pointer(b)) => Some(self.pointer_compare(state, op, &a, &b)),
            _ => None,
        }
    }

    /// One bit: a comparison of two numbers of one width.
    pub fn int_compare(&mut self, op: CompareOp, signed: bool, a: TermId, b: TermId) -> TermId {
        let against_zero = self.terms.as_const(b) == Some(0);
        match op {
            CompareOp::Eq if against_zero => {
                let bit = self.bit(a);
                self.terms.not(bit)
            }
            CompareOp::Ne if against_zero => self.bit(a),
            CompareOp::Eq => self.terms.eq(a, b),
            CompareOp::Ne => self.terms.ne(a, b),
            CompareOp::Lt => self.terms.lt(a, b, signed),
            CompareOp::Le => self.terms.le(a, b, signed),
            CompareOp::Gt => self.terms.lt(b, a, signed),
            CompareOp::Ge => self.terms.le(b, a, signed),
        }
    }

    fn float_compare(&mut self, op: CompareOp, format: Format, a: TermId, b: TermId) -> TermId {
        match op {
            CompareOp::Eq => self.terms.float_eq(format, a, b),
            CompareOp::Ne => {
                let eq = self.terms.float_eq(format, a, b);
                self.terms.not(eq)
            }
            CompareOp::Lt => self.terms.float_lt(format, a, b),
            CompareOp::Le => self.terms.float_le(format, a, b),
            CompareOp::Gt => self.terms.float_lt(format, b, a),
            CompareOp::Ge => self.terms.float_le(format, b, a),
        }
    }

    fn cast(&mut self, state: &State, value: Value, from: TypeId, to: TypeId) -> Value {
        let types = self.facts.program.types();
        if matches!(types.get(to), Type::Bool) {
            let truth = match (&value, types.float_format(from)) {
                (Value::Bits(bits), Some(format)) => {
                    let zero = self.terms.is_zero(format, *bits);
                    Some(self.terms.not(zero))
                }
                _ => self.truth(state, value),
            };
            return truth.map_or(Value::Lost, Value::Bits);
        }
        match (value, types.class(from), types.class(to)) {
            (Value::Bits(bits), Class::Float(from), Class::Float(to)) => {
                Value::Bits(self.terms.float_to_float(from, to, ROUND, bits))
            }
            (Value::Bits(bits), Class::Float(from), Class::Int(to)) => {
                let number = self.terms.float_to_int(from, to, bits);
                let fits = self.terms.float_fits(from, to, bits);
                let outside = Some(self.terms.not(fits));
                Value::Bits(self.unless(outside, CheckKind::FloatToInt, u32::from(to.bits), number))
            }
            (Value::Bits(bits), Class::Int(from), Class::Float(to)) => {
                Value::Bits(self.terms.int_to_float(to, from.signed, ROUND, bits))
            }
            (Value::Bits(bits), Class::Int(from), Class::Int(to)) => {
                Value::Bits(self.terms.resize(bits, u32::from(to.bits), from.signed))
            }
            (value @ Value::Pointer(_), Class::Pointer, Class::Pointer) => value,
            (Value::Pointer(pointer), Class::Pointer, Class::Int(to)) => {
                let address = self.number_at(&pointer);
                Value::Bits(self.terms.resize(address, u32::from(to.bits), false))
            }
            (Value::Bits(bits), Class::Int(from), Class::Pointer) => {
                let address = self.terms.resize(bits, self.facts.address_bits(), from.signed);
                self.pointer_at(state, address)
            }
            _ => Value::Lost,
        }
    }
}

fn take(known: &Evaluated, expr: ExprId) -> Value {
    known.get(&expr).cloned().unwrap_or(Value::Lost)
}

/// The float operation of an operator.
fn float_binary(op: BinaryOp) -> Option<FloatBinary> {
    match op {
        BinaryOp::Add => Some(FloatBinary::Add),
        BinaryOp::Sub => Some(FloatBinary::Sub),
        BinaryOp::Mul => Some(FloatBinary::Mul),
        BinaryOp::Div => Some(FloatBinary::Div),
        _ => None,
    }
}

/// The exact operation of an operator.
pub(crate) fn arith(op: BinaryOp) -> Option<ArithOp> {
    match op {
        BinaryOp::Add => Some(ArithOp::Add),
        BinaryOp::Sub => Some(ArithOp::Sub),
        BinaryOp::Mul => Some(ArithOp::Mul),
        _ => None,
    }
}
