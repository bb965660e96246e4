// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which integers of the source stand for numbers: those that are given a format, and all that is computed from them.
//!
//! It is asked of variables, not of values. A saturating helper returns `32767` on one path and a product on another, and a
//! shift of either divides in the reals; so the constant has to count as a number too, also in a walk that takes its path
//! only. Pointers are in the set if what they point to is. The answer does not depend on the order of statements.

use std::collections::BTreeSet;

use clew_ir::syntax::{
    Argument, BinaryOp, Body, CallResult, Callee, ExprId, ExprKind, FuncId, LocalId, Place, PlaceBase,
    Program, StatementKind, Terminator, Type, TypeId,
};

use crate::setup::{Kept, Setup, Variable};

/// Variables and functions whose integers are numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    variables: BTreeSet<Variable>,
    /// What these return.
    functions: BTreeSet<FuncId>,
    /// Whether any integer is given a format.
    pub is_integer_c: bool,
}

impl Numbers {
    /// Follows assignments, calls and stores until nothing is new.
    pub(crate) fn of(program: &Program, setup: &Setup) -> Numbers {
        let is_quantity = |kept: &Kept| matches!(kept, Kept::Quantity { .. });
        let seeds = setup.kept.iter().filter(|(_, kept)| is_quantity(kept)).map(|(variable, _)| *variable);
        let mut numbers = Numbers { variables: seeds.collect(), ..Numbers::default() };
        numbers.is_integer_c = !numbers.variables.is_empty();
        while numbers.is_integer_c {
            let before = numbers.variables.len() + numbers.functions.len();
            for (id, function) in program.functions.iter_enumerated() {
                if let Some(body) = &function.body {
                    numbers.follow(program, id, body);
                }
            }
            if numbers.variables.len() + numbers.functions.len() == before {
                break;
            }
        }
        numbers
    }

    /// Whether the integers of a variable are numbers.
    pub(crate) fn holds(&self, variable: Variable) -> bool {
        self.variables.contains(&variable)
    }

    /// Whether what a function returns is a number.
    pub(crate) fn returns(&self, function: FuncId) -> bool {
        self.functions.contains(&function)
    }

    fn follow(&mut self, program: &Program, function: FuncId, body: &Body) {
        let here = |local: LocalId| Variable::Local(function, local);
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Assign { local, value } => {
                    self.link(program, function, body, here(*local), *value);
                }
                StatementKind::Load { local, place, .. } => {
                    if self.is_place(function, body, place) {
                        self.variables.insert(here(*local));
                    } else if is_pointer(program, place.ty) && self.holds(here(*local)) {
                        self.mark_place(function, body, place);
                    }
                }
                StatementKind::Store { place, value, .. } if self.is_number(function, body, *value) => {
                    self.mark_place(function, body, place);
                }
                StatementKind::Copy { to, from, .. } if self.is_place(function, body, from) => {
                    self.mark_place(function, body, to);
                }
                StatementKind::Call(call) => {
                    let Callee::Direct(callee) = call.callee else { continue };
                    for (index, argument) in call.arguments.iter().enumerate() {
                        let parameter = Variable::Local(callee, LocalId(index as u32));
                        match argument {
                            Argument::Value(value) => self.link(program, function, body, parameter, *value),
                            Argument::Object(place) if self.is_place(function, body, place) => {
                                self.variables.insert(parameter);
                            }
                            Argument::Object(_) => {}
                        }
                    }
                    match &call.result {
                        Some(CallResult::Local(local)) if self.returns(callee) => {
                            self.variables.insert(here(*local));
                        }
                        Some(CallResult::Place(place)) if self.returns(callee) => {
                            self.mark_place(function, body, place);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for block in body.blocks.iter() {
            let is_number = match &block.terminator {
                Terminator::Return(Some(Argument::Value(value))) => self.is_number(function, body, *value),
                Terminator::Return(Some(Argument::Object(place))) => self.is_place(function, body, place),
                _ => false,
            };
            if is_number {
                self.functions.insert(function);
            }
        }
    }

    /// An assignment. What a pointer points to is the same under both names.
    fn link(&mut self, program: &Program, function: FuncId, body: &Body, to: Variable, value: ExprId) {
        if self.is_number(function, body, value) {
            self.variables.insert(to);
        } else if is_pointer(program, body.exprs[value].ty) && self.holds(to) {
            self.mark(function, body, value);
        }
    }

    fn base(&self, function: FuncId, place: &Place) -> Option<Variable> {
        match place.base {
            PlaceBase::Global(global) => Some(Variable::Global(global)),
            PlaceBase::Local(local) => Some(Variable::Local(function, local)),
            PlaceBase::Deref(_) => None,
        }
    }

    fn is_place(&self, function: FuncId, body: &Body, place: &Place) -> bool {
        match place.base {
            PlaceBase::Deref(pointer) => self.is_number(function, body, pointer),
            _ => self.base(function, place).is_some_and(|base| self.holds(base)),
        }
    }

    fn mark_place(&mut self, function: FuncId, body: &Body, place: &Place) {
        match place.base {
            PlaceBase::Deref(pointer) => self.mark(function, body, pointer),
            _ => self.variables.extend(self.base(function, place)),
        }
    }

    /// The variables that a pointer is made of.
    fn mark(&mut self, function: FuncId, body: &Body, id: ExprId) {
        match &body.exprs[id].kind {
            ExprKind::Local(local) => {
                self.variables.insert(Variable::Local(function, *local));
            }
            ExprKind::AddressOf(place) => self.mark_place(function, body, place),
            ExprKind::Cast(inner) | ExprKind::PointerAdd { pointer: inner, .. } => {
                self.mark(function, body, *inner);
            }
            ExprKind::Select { then, otherwise, .. } => {
                self.mark(function, body, *then);
                self.mark(function, body, *otherwise);
            }
            _ => {}
        }
    }

    /// Whether an expression is a number, or a pointer to some.
    fn is_number(&self, function: FuncId, body: &Body, id: ExprId) -> bool {
        match &body.exprs[id].kind {
            ExprKind::Local(local) => self.holds(Variable::Local(function, *local)),
            ExprKind::AddressOf(place) => self.is_place(function, body, place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.is_number(function, body, *a),
            ExprKind::PointerAdd { pointer, .. } => self.is_number(function, body, *pointer),
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => self.is_number(function, body, *a),
            ExprKind::Binary(_, a, b) => {
                self.is_number(function, body, *a) || self.is_number(function, body, *b)
            }
            ExprKind::Select { then, otherwise, .. } => {
                self.is_number(function, body, *then) || self.is_number(function, body, *otherwise)
            }
            _ => false,
        }
    }
}

fn is_pointer(program: &Program, ty: TypeId) -> bool {
    matches!(program.types[ty], Type::Pointer(_))
}
