// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run of a helper, on integers: what the machine computes, bit by bit.

use std::collections::BTreeMap;

use clew_ir::syntax::{
    Argument, BinaryOp, BlockId, Body, Builtin, CallResult, Callee, CompareOp, ExprId, ExprKind, FuncId,
    LocalId, Place, PlaceBase, Program, Projection, StatementKind, Storage, Terminator, Type, TypeId,
    UnaryOp,
};

use super::constant;
use crate::facts::Facts;

/// Calls inside calls.
const MOST_CALLS: u32 = 40;

/// A run; none of its results: it does what a helper does not, or does not end.
pub(crate) struct Run<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// Statements that are left.
    pub steps: u32,
    pub calls: u32,
}

struct Frame {
    registers: Vec<i128>,
    cells: BTreeMap<(LocalId, u64), (u64, i128)>,
}

impl<'a> Run<'a> {
    pub(crate) fn call(&mut self, function: FuncId, arguments: &[i128]) -> Option<i128> {
        let body = self.program.functions[function].body.as_ref()?;
        self.calls = self.calls.checked_add(1).filter(|calls| *calls < MOST_CALLS)?;
        let mut frame = Frame { registers: vec![0; body.locals.len()], cells: BTreeMap::new() };
        for (index, argument) in arguments.iter().enumerate() {
            let local = LocalId(index as u32);
            match body.locals[local].storage {
                Storage::Register => frame.registers[index] = *argument,
                Storage::Memory { .. } => {
                    let size = self.program.size_of(body.locals[local].ty);
                    frame.cells.insert((local, 0), (size, *argument));
                }
            }
        }
        let mut at = BlockId(0);
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let block = &body.blocks[at];
            for statement in &block.statements {
                self.steps = self.steps.checked_sub(1)?;
                self.statement(body, &mut frame, &statement.kind)?;
            }
            at = match &block.terminator {
                Terminator::Goto(to) => *to,
                Terminator::Branch { condition, then, otherwise } => {
                    if self.eval(body, &frame, *condition)? != 0 { *then } else { *otherwise }
                }
                Terminator::Switch { value, cases, default } => {
                    let value = self.eval(body, &frame, *value)?;
                    cases
                        .iter()
                        .find(|(a, b, _)| (*a..=*b).contains(&value))
                        .map_or(*default, |(_, _, to)| *to)
                }
                Terminator::Return(Some(Argument::Value(value))) => {
                    self.calls -= 1;
                    return self.eval(body, &frame, *value);
                }
                _ => return None,
            };
        }
    }

    fn statement(&mut self, body: &'a Body, frame: &mut Frame, kind: &StatementKind) -> Option<()> {
        match kind {
            StatementKind::Check { .. }
            | StatementKind::StorageDead { .. }
            | StatementKind::StorageLive { bytes: None, .. }
            | StatementKind::Unordered { .. }
            | StatementKind::Assume { .. } => {}
            StatementKind::Assign { local, value } => {
                frame.registers[local.0 as usize] = self.eval(body, frame, *value)?;
            }
            StatementKind::Load { local, place, .. } => {
                let size = self.program.size_of(place.ty);
                let bits = match self.spot(body, frame, place)? {
                    (PlaceBase::Local(of), at) => frame.cells.get(&(of, at)).filter(|cell| cell.0 == size)?.1,
                    (PlaceBase::Global(id), at) => constant(self.program, self.facts, id, at, size)?,
                    _ => return None,
                };
                frame.registers[local.0 as usize] = self.wrap(place.ty, bits)?;
            }
            StatementKind::Store { place, value, .. } => {
                let value = self.eval(body, frame, *value)?;
                let (PlaceBase::Local(of), at) = self.spot(body, frame, place)? else { return None };
                frame.cells.insert((of, at), (self.program.size_of(place.ty), value));
            }
            StatementKind::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return None };
                let value = |argument: &Argument| match argument {
                    Argument::Value(value) => self.eval(body, frame, *value),
                    Argument::Object(_) => None,
                };
                let arguments: Option<Vec<i128>> = call.arguments.iter().map(value).collect();
                let result = self.call(callee, &arguments?)?;
                match &call.result {
                    Some(CallResult::Local(local)) => frame.registers[local.0 as usize] = result,
                    Some(CallResult::Place(_)) => return None,
                    None => {}
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn spot(&self, body: &Body, frame: &Frame, place: &Place) -> Option<(PlaceBase, u64)> {
        let (base, mut at) = match place.base {
            PlaceBase::Deref(pointer) => match &body.exprs[pointer].kind {
                ExprKind::AddressOf(inner) => self.spot(body, frame, inner)?,
                _ => return None,
            },
            base => (base, 0),
        };
        for projection in &place.projections {
            let Projection::Index { index, stride, .. } = projection else { return None };
            let index = u64::try_from(self.eval(body, frame, *index)?).ok()?;
            at += index.checked_mul(*stride)?;
        }
        Some((base, at))
    }

    fn wrap(&self, ty: TypeId, value: i128) -> Option<i128> {
        match self.program.types[ty] {
            Type::Bool => Some(i128::from(value != 0)),
            _ => self.program.types().int_type(ty).map(|int| int.wrap(value)),
        }
    }

    fn eval(&self, body: &Body, frame: &Frame, id: ExprId) -> Option<i128> {
        let expr = &body.exprs[id];
        let int = || self.program.types().int_type(expr.ty);
        let of = |id: ExprId| self.eval(body, frame, id);
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Local(local) => Some(frame.registers[local.0 as usize]),
            ExprKind::Unary(UnaryOp::Neg, a) => Some(int()?.neg(of(*a)?).0),
            ExprKind::Unary(UnaryOp::Not, a) => Some(int()?.not(of(*a)?)),
            ExprKind::Binary(op, a, b) => {
                let (int, a, b) = (int()?, of(*a)?, of(*b)?);
                match op {
                    BinaryOp::Add => Some(int.add(a, b).0),
                    BinaryOp::Sub => Some(int.sub(a, b).0),
                    BinaryOp::Mul => Some(int.mul(a, b).0),
                    BinaryOp::Div => int.div(a, b).ok(),
                    BinaryOp::Rem => int.rem(a, b).ok(),
                    BinaryOp::Shl => int.shl(a, b).ok().map(|shifted| shifted.value),
                    BinaryOp::Shr => int.shr(a, b).ok(),
                    BinaryOp::And => Some(int.and(a, b)),
                    BinaryOp::Or => Some(int.or(a, b)),
                    BinaryOp::Xor => Some(int.xor(a, b)),
                }
            }
            ExprKind::Compare(op, a, b) => {
                let order = of(*a)?.cmp(&of(*b)?);
                Some(i128::from(match op {
                    CompareOp::Eq => order.is_eq(),
                    CompareOp::Ne => order.is_ne(),
                    CompareOp::Lt => order.is_lt(),
                    CompareOp::Le => order.is_le(),
                    CompareOp::Gt => order.is_gt(),
                    CompareOp::Ge => order.is_ge(),
                }))
            }
            ExprKind::Cast(a) => self.wrap(expr.ty, of(*a)?),
            ExprKind::Overflows { op, left, right, of: ty } => {
                let (a, b) = (of(*left)?, of(*right)?);
                let exact = match op {
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    BinaryOp::Mul => a.checked_mul(b)?,
                    _ => return None,
                };
                let int = self.program.types().int_type(*ty)?;
                Some(i128::from(!int.is_canonical(exact)))
            }
            ExprKind::Builtin(Builtin::Clz, arguments) => {
                let int = self.program.types().int_type(body.exprs[arguments[0]].ty)?;
                let a = int.to_bits(of(arguments[0])?);
                Some(i128::from(u32::from(int.bits)) - i128::from(128 - a.leading_zeros()))
            }
            ExprKind::Select { condition, then, otherwise } => {
                if of(*condition)? != 0 {
                    of(*then)
                } else {
                    of(*otherwise)
                }
            }
            _ => None,
        }
    }
}
