// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions evaluated as trees, for obligations and messages: exact, and not fast.

use clew_base::index::Idx;
use clew_ir::syntax::{Body, ExprId, ExprKind, Place, PlaceBase, Projection, TypeId};
use rustc_hash::FxHashMap;

use crate::code::label_address;
use crate::eval::Context;
use crate::machine::Machine;
use crate::value::{Pointer, Provenance, Value};

/// Values of expressions at one moment.
#[derive(Default)]
pub(super) struct Evaluated(FxHashMap<ExprId, Value>);

impl<'p> Machine<'p> {
    /// The body of the innermost frame's function.
    pub(super) fn body(&self) -> Option<&'p Body> {
        let frame = self.frames.last()?;
        self.program.functions[frame.function].body.as_ref()
    }

    /// The value of an expression in the innermost frame.
    pub(super) fn evaluate_with(&mut self, known: &mut Evaluated, expr: ExprId) -> Value {
        let Some(body) = self.body() else { return Value::Unit };
        if let Some(value) = known.0.get(&expr) {
            return *value;
        }
        // Operands come before their users, so one pass over what is needed, in order, finds everything.
        for needed in body.expr_nodes(expr) {
            let value = self.evaluate_node(known, body, needed);
            known.0.insert(needed, value);
        }
        known.0.get(&expr).copied().unwrap_or(Value::Unit)
    }

    fn evaluate_node(&mut self, known: &mut Evaluated, body: &'p Body, expr: ExprId) -> Value {
        let node = &body.exprs[expr];
        match &node.kind {
            ExprKind::Local(local) => {
                let home = self.frames.last().and_then(|frame| frame.code.locals[local.index()]);
                home.map_or(Value::Unit, |(reg, rep)| self.value(reg, rep))
            }
            ExprKind::AddressOf(place) => Value::Ptr(self.place_pointer(known, place)),
            ExprKind::Function(function) => Value::Ptr(self.function_pointer(*function)),
            ExprKind::Label(block) => {
                let function = self.frames.last().map(|frame| frame.function);
                let addr = function.map_or(0, |function| label_address(function, *block));
                Value::Ptr(Pointer { addr, prov: Provenance::NONE })
            }
            _ => {
                let operands = operands_of(known, body, expr);
                Context { types: self.program.types(), memory: &mut self.memory }.node(node, &operands)
            }
        }
    }

    /// The values of a node's operands, with their types.
    pub(super) fn operands(&mut self, known: &mut Evaluated, expr: ExprId) -> Vec<(Value, TypeId)> {
        let Some(body) = self.body() else { return Vec::new() };
        self.evaluate_with(known, expr);
        operands_of(known, body, expr)
    }

    /// The pointer to a place in the innermost frame, with the provenance of its base.
    pub(super) fn place_pointer(&mut self, known: &mut Evaluated, place: &Place) -> Pointer {
        let mut pointer = self.base_pointer(known, place);
        for step in &place.projections {
            let bytes = match *step {
                Projection::Field { record, field } => {
                    self.program.types().field(record, field).map_or(0, |f| f.offset)
                }
                Projection::Index { index, stride, .. } => {
                    (self.evaluate_with(known, index).as_int() as u64).wrapping_mul(stride)
                }
            };
            pointer = pointer.add(bytes);
        }
        pointer
    }

    /// What a place starts from.
    pub(super) fn base_pointer(&mut self, known: &mut Evaluated, place: &Place) -> Pointer {
        match place.base {
            PlaceBase::Local(local) => {
                let home = self.frames.last().and_then(|frame| frame.code.memory_locals[local.index()]);
                home.map_or(Pointer::NULL, |reg| self.pointer(reg))
            }
            PlaceBase::Global(global) => self.globals[global.index()],
            PlaceBase::Deref(pointer) => self.evaluate_with(known, pointer).as_ptr(),
        }
    }
}

fn operands_of(known: &Evaluated, body: &Body, expr: ExprId) -> Vec<(Value, TypeId)> {
    let mut operands = Vec::new();
    body.exprs[expr].operands(|operand| {
        let value = known.0.get(&operand).copied().unwrap_or(Value::Unit);
        operands.push((value, body.exprs[operand].ty));
    });
    operands
}
