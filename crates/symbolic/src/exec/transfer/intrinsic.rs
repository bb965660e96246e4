// SPDX-License-Identifier: MIT OR Apache-2.0
//! Intrinsics: operations on the machine that are not functions.

use std::rc::Rc;

use clew_ir::syntax::{Body, CallResult, Intrinsic, IntrinsicCall, TypeId};
use clew_ir::types::Class;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::objects::Kind;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::contents::Cell;
use crate::exec::state::value::{Base, Pointer, Value};
use crate::exec::transfer::arithmetic::ROUND;
use crate::exec::transfer::bulk::Filling;
use crate::exec::transfer::expression::Evaluated;
use crate::exec::transfer::external_text::ExternalText;
use crate::term::{FloatBinary, FloatUnary};

impl Encoder<'_> {
    /// A number at the width of its register.
    pub fn fitted(&mut self, value: Value, ty: TypeId) -> Value {
        match (value, self.facts.program.types().class(ty)) {
            (Value::Bits(bits), Class::Int(int)) => {
                Value::Bits(self.terms.resize(bits, u32::from(int.bits), int.signed))
            }
            (value, _) => value,
        }
    }

    /// Where the pointer to the unnamed arguments stands in a `va_list`.
    pub fn va_area(&mut self, list: &Pointer) -> Pointer {
        let offset = self.address(if self.facts.program.target.pointer_bytes == 8 { 8 } else { 0 });
        list.moved(&mut self.terms, offset)
    }
}

impl Evaluator<'_> {
    /// A function of floats that has a circuit.
    pub fn float_function(&mut self, state: &State, body: &Body, call: &IntrinsicCall) -> Option<Value> {
        let format =
            self.encoder.facts.program.types().float_format(body.exprs[*call.arguments.first()?].ty)?;
        let mut operands = Vec::with_capacity(3);
        for argument in &call.arguments {
            let Value::Bits(bits) = self.eval(state, *argument) else { return None };
            operands.push(bits);
        }
        let terms = &mut self.encoder.terms;
        let result = match (call.op, operands.as_slice()) {
            (Intrinsic::SquareRoot, [x]) => terms.float_unary(FloatUnary::Sqrt, format, ROUND, *x),
            (Intrinsic::FloatRemainder, [x, y]) => {
                terms.float_binary(FloatBinary::Rem, format, ROUND, *x, *y)
            }
            (Intrinsic::MultiplyAdd, [x, y, z]) => terms.fma(format, ROUND, *x, *y, *z),
            _ => return None,
        };
        Some(Value::Bits(result))
    }

    pub fn intrinsic(&mut self, state: &mut State, body: &Body, call: &IntrinsicCall) -> bool {
        let known = &mut Evaluated::default();
        let pointer = |exec: &mut Self, known: &mut Evaluated, i: usize| match call.arguments.get(i) {
            Some(expr) => match exec.eval_with(state, known, *expr) {
                Value::Pointer(pointer) => Some(pointer),
                _ => None,
            },
            None => None,
        };
        let size = |exec: &mut Self, known: &mut Evaluated, i: usize| {
            call.arguments.get(i).and_then(|expr| exec.size(state, known, *expr))
        };
        let result = match call.op {
            Intrinsic::CopyBytes => {
                let (to, from, n) = (pointer(self, known, 0), pointer(self, known, 1), size(self, known, 2));
                let copied = match (to, from, n) {
                    (Some(to), Some(from), Some(n)) => self.copy(state, &to, &from, n),
                    _ => false,
                };
                return self.follows(state, copied, Reason::Value);
            }
            Intrinsic::FillBytes => {
                let (to, byte, n) = (pointer(self, known, 0), size(self, known, 1), size(self, known, 2));
                let filled = match (to, byte, n) {
                    (Some(to), Some(byte), Some(n)) => {
                        let byte = self.encoder.terms.extract(byte, 0, 8);
                        self.fill(state, &to, Filling::Byte(byte), n)
                    }
                    _ => false,
                };
                return self.follows(state, filled, Reason::Value);
            }
            Intrinsic::HavocBytes => {
                let (to, n) = (pointer(self, known, 0), size(self, known, 1));
                let filled = match (to, n) {
                    (Some(to), Some(n)) => self.fill(state, &to, Filling::Any, n),
                    _ => false,
                };
                return self.follows(state, filled, Reason::Value);
            }
            Intrinsic::Likely => {
                let truth = call.arguments.first().map(|expr| self.eval_with(state, known, *expr));
                if let Some(truth) = truth.and_then(|value| self.truth(state, value)) {
                    let guard = state.guard(&mut self.encoder.terms);
                    self.record.wish(&mut self.encoder.terms, guard, truth);
                }
                return true;
            }
            Intrinsic::Came => {
                let how = size(self, known, 0).and_then(|how| self.encoder.terms.as_const(how));
                let (from, bytes) = (pointer(self, known, 1), pointer(self, known, 3));
                let (descriptor, n) = (size(self, known, 2), size(self, known, 4));
                if let (Some(how), Some(descriptor), Some(n)) = (how, descriptor, n) {
                    self.note_external_text(
                        state,
                        &ExternalText { how: how as u8, from, descriptor, bytes, n },
                    );
                }
                return true;
            }
            Intrinsic::SquareRoot | Intrinsic::FloatRemainder | Intrinsic::MultiplyAdd => {
                self.float_function(state, body, call)
            }
            Intrinsic::NulPosition => match pointer(self, known, 0) {
                Some(from) => self.nul_position(state, &from).map(Value::Bits),
                None => None,
            },
            Intrinsic::Allocate => {
                size(self, known, 0).map(|size| self.library_object(state, Kind::Heap, size, true))
            }
            Intrinsic::Own => {
                let shared =
                    size(self, known, 1).and_then(|shared| self.encoder.terms.as_const(shared)) != Some(0);
                let kind = Kind::Library { shared };
                size(self, known, 0).map(|size| self.library_object(state, kind, size, false))
            }
            Intrinsic::Alloca => size(self, known, 0).map(|size| self.stack_object(state, size, 16, true)),
            Intrinsic::Release => {
                let Some(object) = pointer(self, known, 0) else {
                    return self.follows(state, false, Reason::Value);
                };
                self.encoder.kill_cases(state, &object);
                return true;
            }
            Intrinsic::SizeOfObject => pointer(self, known, 0).map(|pointer| {
                let mut found = self.encoder.address(0);
                for case in &pointer.cases {
                    if let Base::Object(object) = case.base {
                        let size = self.encoder.objects.metas[object.0 as usize].size;
                        found = self.encoder.terms.ite(case.guard, size, found);
                    }
                }
                Value::Bits(found)
            }),
            Intrinsic::ObjectSize => {
                let kind = size(self, known, 1).and_then(|kind| self.encoder.terms.as_const(kind));
                let answer = if kind.is_some_and(|kind| kind & 2 != 0) { 0 } else { u128::MAX };
                Some(Value::Bits(self.encoder.terms.constant(self.encoder.facts.address_bits(), answer)))
            }
            Intrinsic::Optimised => match &call.result {
                Some(CallResult::Local(local)) => Some(self.any(state, body.locals[*local].ty, "optimised")),
                _ => None,
            },
            Intrinsic::Trap => return false,
            Intrinsic::VaStart => {
                let list = pointer(self, known, 0);
                return self.va_start(state, list);
            }
            Intrinsic::VaEnd => return true,
            Intrinsic::VaCopy => {
                let (to, from) = (pointer(self, known, 0), pointer(self, known, 1));
                let bytes = self.encoder.address(if self.encoder.facts.program.target.pointer_bytes == 8 {
                    24
                } else {
                    4
                });
                let copied = match (to, from) {
                    (Some(to), Some(from)) => self.copy(state, &to, &from, bytes),
                    _ => false,
                };
                return self.follows(state, copied, Reason::Value);
            }
            Intrinsic::VaArg(ty) => {
                let list = pointer(self, known, 0);
                list.and_then(|list| self.va_arg(state, &list, ty))
            }
            Intrinsic::FrameAddress | Intrinsic::ReturnAddress => None,
        };
        match (result, &call.result) {
            (Some(value), Some(CallResult::Local(local))) => {
                let value = self.encoder.fitted(value, body.locals[*local].ty);
                self.encoder.set(state, *local, value);
                true
            }
            (Some(_), None) => true,
            _ => self.follows(state, false, Reason::Operation),
        }
    }

    pub fn va_start(&mut self, state: &mut State, list: Option<Rc<Pointer>>) -> bool {
        let (Some(list), Some(area)) = (list, state.frame.unnamed) else {
            return self.follows(state, false, Reason::Operation);
        };
        let zero = self.encoder.address(0);
        let value = Value::pointer(&mut self.encoder.terms, Base::Object(area), zero);
        let place = self.encoder.va_area(&list);
        let cell = Cell::written(
            &mut self.encoder.terms,
            u32::from(self.encoder.facts.program.target.pointer_bytes),
            value,
        );
        self.encoder.write(state, &place, &cell);
        true
    }

    pub fn va_arg(&mut self, state: &mut State, list: &Pointer, ty: TypeId) -> Option<Value> {
        let word = self.encoder.facts.program.target.pointer_bytes;
        if !self.encoder.facts.options.models.contains(&state.frame.function) {
            // Whether there is an argument of that type is not asked: what follows is not all that may happen.
            self.cut(state, Reason::Value);
        }
        let place = self.encoder.va_area(list);
        let Value::Pointer(at) = self.read(state, &place, u32::from(word))?.value else { return None };
        let bytes = self.encoder.stored_bytes(ty)?;
        let cell = self.read(state, &at, bytes)?;
        let value = self.value_of(state, &cell, ty);
        let step = self.encoder.facts.program.size_of(ty).next_multiple_of(u64::from(word));
        let step = self.encoder.address(step);
        let next = Value::Pointer(Rc::new(at.moved(&mut self.encoder.terms, step)));
        let cell = Cell::written(&mut self.encoder.terms, u32::from(word), next);
        self.encoder.write(state, &place, &cell);
        Some(value)
    }
}
