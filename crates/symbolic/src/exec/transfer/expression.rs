// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions as values: the meaning of every node, in terms. The interpreter's `eval.rs` is its twin.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{Body, CompareOp, ExprId, ExprKind, Place, PlaceBase, Projection, Type, TypeId};
use clew_ir::types::Class;
use rustc_hash::FxHashMap;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::value::{Base, Pointer, Value};
use crate::exec::transfer::arithmetic::{ROUND, exact_operation};
use crate::term::TermId;

/// Values of expressions at one moment.
pub(crate) type Evaluated = FxHashMap<ExprId, Value>;

impl Encoder<'_> {
    /// Zero of a scalar type.
    pub fn zero(&mut self, ty: TypeId) -> Value {
        match self.facts.program.types().class(ty) {
            Class::Pointer => self.null(),
            Class::Int(int) => Value::Bits(self.terms.int(int, 0)),
            Class::Float(format) => Value::Bits(self.terms.constant(format.bits(), 0)),
            _ => Value::Lost,
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
}

impl Evaluator<'_> {
    /// The value of an expression of the running call.
    pub fn eval(&mut self, state: &State, expr: ExprId) -> Value {
        self.eval_with(state, &mut Evaluated::default(), expr)
    }

    /// The value of an expression, with what is known already.
    pub fn eval_with(&mut self, state: &State, known: &mut Evaluated, expr: ExprId) -> Value {
        if let Some(value) = known.get(&expr) {
            return value.clone();
        }
        let Some(body) = self.encoder.body(state.frame.function) else { return Value::Lost };
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
        let types = self.encoder.facts.program.types();
        match &expr.kind {
            ExprKind::Int(value) => match types.class(expr.ty) {
                Class::Pointer => {
                    let address = self.encoder.address(*value as u64);
                    Value::pointer(&mut self.encoder.terms, Base::Number, address)
                }
                Class::Int(int) => Value::Bits(self.encoder.terms.int(int, *value)),
                _ => Value::Lost,
            },
            ExprKind::Float { bits, .. } => match types.float_format(expr.ty) {
                Some(format) => Value::Bits(self.encoder.terms.constant(format.bits(), *bits)),
                None => Value::Lost,
            },
            ExprKind::Local(local) => self.local(state, *local, expr.ty),
            ExprKind::AddressOf(place) => self.place(state, known, place),
            ExprKind::Function(function) => {
                let zero = self.encoder.address(0);
                let function = self.encoder.facts.aliases.functions[*function];
                Value::pointer(&mut self.encoder.terms, Base::Function(function), zero)
            }
            ExprKind::Label(_) => Value::Lost,
            ExprKind::Unary(op, a) => self.encoder.arithmetic().unary(*op, expr.ty, take(known, *a)),
            ExprKind::Binary(op, a, b) => {
                let count = body.exprs[*b].ty;
                self.encoder.arithmetic().binary(*op, expr.ty, take(known, *a), (take(known, *b), count))
            }
            ExprKind::Compare(op, a, b) => {
                let ty = body.exprs[*a].ty;
                let (a, b) = (take(known, *a), take(known, *b));
                match self.compare(state, *op, ty, a, b) {
                    Some(truth) => self.encoder.arithmetic().number_of(truth, expr.ty),
                    None => Value::Lost,
                }
            }
            ExprKind::Cast(a) => self.cast(state, take(known, *a), body.exprs[*a].ty, expr.ty),
            ExprKind::PointerAdd { pointer, index, stride } => {
                let distance = self.encoder.scaled(take(known, *index), body.exprs[*index].ty, *stride);
                match (take(known, *pointer), distance) {
                    (Value::Pointer(pointer), Some(distance)) => {
                        Value::Pointer(Rc::new(pointer.moved(&mut self.encoder.terms, distance)))
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
                match (sides, types.int_type(*of), exact_operation(*op)) {
                    ([(Value::Bits(a), Some(x)), (Value::Bits(b), Some(y))], Some(dest), Some(op)) => {
                        let truth = self.encoder.terms.overflows(op, (a, x.signed), (b, y.signed), dest);
                        self.encoder.arithmetic().number_of(truth, expr.ty)
                    }
                    _ => Value::Lost,
                }
            }
            ExprKind::Builtin(builtin, operands) => {
                let ty = operands.first().map_or(expr.ty, |operand| body.exprs[*operand].ty);
                let operands: Vec<Value> = operands.iter().map(|operand| take(known, *operand)).collect();
                self.encoder.arithmetic().builtin(*builtin, ty, expr.ty, &operands)
            }
            ExprKind::Select { condition, then, otherwise } => {
                match self.truth(state, take(known, *condition)) {
                    Some(truth) => {
                        let (then, otherwise) = (take(known, *then), take(known, *otherwise));
                        Value::choose(&mut self.encoder.terms, truth, &then, &otherwise)
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
                let not = self.encoder.terms.not(local.written);
                self.cut_if(state, not, Reason::Unwritten);
                local.value
            }
            None => {
                self.cut(state, Reason::Unwritten);
                self.encoder.zero(ty)
            }
        }
    }

    /// One bit: whether a value is not zero. None if it is not followed.
    pub fn truth(&mut self, state: &State, value: Value) -> Option<TermId> {
        match value {
            Value::Bits(bits) => Some(self.encoder.arithmetic().bit(bits)),
            Value::Pointer(pointer) => {
                self.cut_far(state, &pointer);
                let null = self.encoder.is_null(&pointer);
                Some(self.encoder.terms.not(null))
            }
            Value::Lost => None,
        }
    }

    /// The pointer to a place.
    pub fn place(&mut self, state: &State, known: &mut Evaluated, place: &Place) -> Value {
        let base = match place.base {
            PlaceBase::Local(local) => {
                state.frame.get(local).map_or(Value::Lost, |local| local.value.clone())
            }
            PlaceBase::Global(global) => {
                let zero = self.encoder.address(0);
                let object = self.encoder.objects.globals[global.index()];
                Value::pointer(&mut self.encoder.terms, Base::Object(object), zero)
            }
            PlaceBase::Deref(pointer) => self.eval_with(state, known, pointer),
        };
        let Value::Pointer(base) = base else { return Value::Lost };
        let Some(body) = self.encoder.body(state.frame.function) else { return Value::Lost };
        let mut distance = self.encoder.address(0);
        for step in &place.projections {
            let bytes = match *step {
                Projection::Field { record, field } => {
                    let offset =
                        self.encoder.facts.program.types().field(record, field).map_or(0, |f| f.offset);
                    self.encoder.address(offset)
                }
                Projection::Index { index, stride, .. } => {
                    let value = self.eval_with(state, known, index);
                    match self.encoder.scaled(value, body.exprs[index].ty, stride) {
                        Some(bytes) => bytes,
                        None => return Value::Lost,
                    }
                }
            };
            distance = self.encoder.terms.add(distance, bytes);
        }
        Value::Pointer(Rc::new(base.moved(&mut self.encoder.terms, distance)))
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
            (Value::Bits(a), Value::Bits(b)) => match self.encoder.facts.program.types().class(ty) {
                Class::Float(format) => Some(self.encoder.arithmetic().float_compare(op, format, a, b)),
                Class::Int(int) => Some(self.encoder.arithmetic().int_compare(op, int.signed, a, b)),
                _ => None,
            },
            (Value::Pointer(a), Value::Pointer(b)) => Some(self.pointer_compare(state, op, &a, &b)),
            _ => None,
        }
    }

    fn cast(&mut self, state: &State, value: Value, from: TypeId, to: TypeId) -> Value {
        let types = self.encoder.facts.program.types();
        if matches!(types.get(to), Type::Bool) {
            let truth = match (&value, types.float_format(from)) {
                (Value::Bits(bits), Some(format)) => {
                    let zero = self.encoder.terms.is_zero(format, *bits);
                    Some(self.encoder.terms.not(zero))
                }
                _ => self.truth(state, value),
            };
            return truth.map_or(Value::Lost, Value::Bits);
        }
        match (value, types.class(from), types.class(to)) {
            (Value::Bits(bits), Class::Float(from), Class::Float(to)) => {
                Value::Bits(self.encoder.terms.float_to_float(from, to, ROUND, bits))
            }
            (Value::Bits(bits), Class::Float(from), Class::Int(to)) => {
                let number = self.encoder.terms.float_to_int(from, to, bits);
                let fits = self.encoder.terms.float_fits(from, to, bits);
                let outside = Some(self.encoder.terms.not(fits));
                Value::Bits(self.encoder.arithmetic().unless(
                    outside,
                    CheckKind::FloatToInt,
                    u32::from(to.bits),
                    number,
                ))
            }
            (Value::Bits(bits), Class::Int(from), Class::Float(to)) => {
                Value::Bits(self.encoder.terms.int_to_float(to, from.signed, ROUND, bits))
            }
            (Value::Bits(bits), Class::Int(from), Class::Int(to)) => {
                Value::Bits(self.encoder.terms.resize(bits, u32::from(to.bits), from.signed))
            }
            (value @ Value::Pointer(_), Class::Pointer, Class::Pointer) => value,
            (Value::Pointer(pointer), Class::Pointer, Class::Int(to)) => {
                let address = self.encoder.number_at(&pointer);
                Value::Bits(self.encoder.terms.resize(address, u32::from(to.bits), false))
            }
            (Value::Bits(bits), Class::Int(from), Class::Pointer) => {
                let address = self.encoder.terms.resize(bits, self.encoder.facts.address_bits(), from.signed);
                self.pointer_at(state, address)
            }
            _ => Value::Lost,
        }
    }
}

fn take(known: &Evaluated, expr: ExprId) -> Value {
    known.get(&expr).cloned().unwrap_or(Value::Lost)
}
