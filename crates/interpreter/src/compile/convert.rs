// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversions. Many need no operation: the value already stands in its register as the other type has it.

use clew_base::float::Format;
use clew_base::int::IntType;
use clew_ir::syntax::{ExprId, ObligationId, Type};

use super::Compiler;
use crate::code::{Op, Reg, Rep};

impl Compiler<'_, '_> {
    pub(super) fn cast(&mut self, expr: ExprId, operand: ExprId, obligations: Vec<ObligationId>) -> Reg {
        if !obligations.is_empty() && self.asks_for_loss(&obligations) {
            return self.generic(expr, obligations);
        }
        let to_bool = matches!(self.types.get(self.body.exprs[expr].ty), Type::Bool);
        match (self.rep(operand), self.rep(expr)) {
            (Rep::Int(_) | Rep::Pointer, _) if to_bool => {
                let a = self.value(operand);
                self.finish(expr, |d| Op::NeI { d, a, x: 0 })
            }
            _ if to_bool => self.generic(expr, obligations),
            (Rep::Int(from), Rep::Int(to)) => self.int_to_int(expr, operand, from, to),
            (Rep::Pointer, Rep::Pointer) => self.alias(expr, operand),
            (Rep::Pointer, Rep::Int(to)) => {
                let a = self.value(operand);
                if to.bits == 64 {
                    return self.finish(expr, |d| Op::PtrToInt { d, a });
                }
                let exposed = self.slots(1);
                self.emit(Op::PtrToInt { d: exposed, a });
                let x = 64 - u32::from(to.bits);
                self.finish(expr, |d| extend(d, exposed, x, to.signed))
            }
            (Rep::Int(_), Rep::Pointer) if self.types.target.pointer_bytes == 8 => {
                let a = self.value(operand);
                self.finish(expr, |d| Op::IntToPtr { d, a })
            }
            (Rep::Int(from), Rep::Float(format @ (Format::F32 | Format::F64))) => {
                let a = self.value(operand);
                let unsigned = !from.signed && from.bits == 64;
                self.finish(expr, |d| match (format, unsigned) {
                    (Format::F64, false) => Op::I64F64 { d, a },
                    (Format::F64, true) => Op::U64F64 { d, a },
                    (_, false) => Op::I64F32 { d, a },
                    (_, true) => Op::U64F32 { d, a },
                })
            }
            (Rep::Float(from @ (Format::F32 | Format::F64)), Rep::Int(to)) => {
                let mut a = self.value(operand);
                if from == Format::F32 {
                    let wide = self.slots(1);
                    self.emit(Op::F32F64 { d: wide, a });
                    a = wide;
                }
                let x = u32::from(to.bits);
                self.finish_at_site(expr, obligations, |d| {
                    if to.signed { Op::F64I { d, a, x } } else { Op::F64U { d, a, x } }
                })
            }
            (Rep::Float(Format::F32), Rep::Float(Format::F64)) => {
                let a = self.value(operand);
                self.finish_at_site(expr, obligations, |d| Op::F32F64 { d, a })
            }
            (Rep::Float(Format::F64), Rep::Float(Format::F32)) => {
                let a = self.value(operand);
                self.finish_at_site(expr, obligations, |d| Op::F64F32 { d, a })
            }
            (Rep::Float(from), Rep::Float(to)) if from == to => self.alias(expr, operand),
            _ => self.generic(expr, obligations),
        }
    }

    /// Obligations about loss are judged exactly, or not at all.
    fn asks_for_loss(&self, obligations: &[ObligationId]) -> bool {
        use clew_ir::obligation::{Condition, Raise};
        obligations.iter().any(|o| {
            matches!(
                self.body.obligations[*o].condition,
                Condition::NotRaised(Raise::LossyConversion | Raise::FloatUnderflow, _)
            )
        })
    }

    /// The operand's register holds the result, too.
    fn alias(&mut self, expr: ExprId, operand: ExprId) -> Reg {
        let reg = self.value(operand);
        self.cache.insert(self.body, expr, reg, None);
        reg
    }

    fn int_to_int(&mut self, expr: ExprId, operand: ExprId, from: IntType, to: IntType) -> Reg {
        let same_bits = from.bits == to.bits && from.signed == to.signed;
        let wider = to.bits > from.bits && (!from.signed || to.signed);
        if same_bits || wider || to.bits == 64 {
            return self.alias(expr, operand);
        }
        let a = self.value(operand);
        let x = 64 - u32::from(to.bits);
        self.finish(expr, |d| extend(d, a, x, to.signed))
    }
}

fn extend(d: Reg, a: Reg, x: u32, signed: bool) -> Op {
    if signed { Op::SExt { d, a, x } } else { Op::ZExt { d, a, x } }
}
