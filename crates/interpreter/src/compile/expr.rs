// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions: the operation for each node.

use clew_base::float::Format;
use clew_base::index::Idx;
use clew_base::int::IntType;
use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{BinaryOp, CompareOp, ExprId, ExprKind, ObligationId, UnaryOp};

use super::Compiler;
use crate::code::{Action, Op, Reg, Rep, label_address};

/// A constant operand as the immediate of an operation.
fn short(value: i128) -> Option<i32> {
    i32::try_from(value as i64).ok()
}

impl Compiler<'_, '_> {
    /// How an expression's value stands in registers. Expressions are scalars.
    pub(super) fn rep(&self, expr: ExprId) -> Rep {
        Rep::of(self.types.class(self.body.exprs[expr].ty)).unwrap_or(Rep::Int(IntType::I64))
    }

    /// The register that holds the value of an expression.
    pub(super) fn value(&mut self, expr: ExprId) -> Reg {
        if let ExprKind::Local(local) = self.body.exprs[expr].kind {
            return self.code.locals[local.index()].map_or(0, |(reg, _)| reg);
        }
        if let Some(cached) = self.cache.find(self.body, expr) {
            return cached.reg;
        }
        self.compute(expr, Vec::new())
    }

    /// Computes an expression whose operation must not raise what the obligations say.
    pub(super) fn checked(&mut self, expr: ExprId, obligations: Vec<ObligationId>) {
        if let Some(cached) = self.cache.find(self.body, expr)
            && let Some(pc) = cached.pc
            && pc + 1 == self.code.ops.len()
            && let Some(site) = self.code.sites.get(&(pc as u32))
            && matches!(self.code.ops[pc], Op::Slow)
            && matches!(site.action, Action::Node { .. })
        {
            if let Some(site) = self.code.sites.get_mut(&(pc as u32)) {
                site.obligations.extend(obligations);
            }
            return;
        }
        self.compute(expr, obligations);
    }

    fn compute(&mut self, expr: ExprId, obligations: Vec<ObligationId>) -> Reg {
        let node = &self.body.exprs[expr];
        match &node.kind {
            ExprKind::Int(value) => self.int_constant(expr, *value),
            ExprKind::Float { bits, .. } => match self.rep(expr) {
                Rep::WideFloat(_) => self.pair((*bits as u64, (*bits >> 64) as u64)),
                _ => self.constant(*bits as u64),
            },
            ExprKind::Local(_) => self.value(expr),
            ExprKind::AddressOf(place) => {
                let reg = self.pointer_to(place);
                self.cache.insert(self.body, expr, reg, None);
                reg
            }
            ExprKind::Function(function) => {
                let pointer = self.environment.functions[function.index()];
                self.pair((pointer.addr, pointer.prov.0))
            }
            ExprKind::Label(block) => self.pair((label_address(self.function, *block), 0)),
            ExprKind::Unary(op, operand) => self.unary(expr, *op, *operand, obligations),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, *left, *right, obligations),
            ExprKind::Compare(op, left, right) => self.compare(expr, *op, *left, *right, obligations),
            ExprKind::Cast(operand) => self.cast(expr, *operand, obligations),
            ExprKind::PointerAdd { pointer, index, stride } => {
                let (pointer, index, stride) = (*pointer, *index, *stride);
                let reg = self.pointer_add(pointer, index, stride);
                self.cache.insert(self.body, expr, reg, Some(self.code.ops.len() - 1));
                reg
            }
            ExprKind::PointerDifference { left, right, stride } => match u32::try_from(*stride) {
                Ok(x) => {
                    let (a, b) = (self.value(*left), self.value(*right));
                    self.finish(expr, |d| Op::PtrDiff { d, a, b, x: x.max(1) })
                }
                Err(_) => self.generic(expr, obligations),
            },
            ExprKind::Select { condition, then, otherwise } => {
                let (a, b) = (self.value(*condition), self.value(*then));
                let x = u32::from(self.value(*otherwise));
                match (self.rep(*condition), self.rep(expr).slots()) {
                    (Rep::Int(_), 1) => self.finish(expr, |d| Op::Select { d, a, b, x }),
                    (Rep::Int(_), _) => self.finish(expr, |d| Op::Select2 { d, a, b, x }),
                    _ => self.generic(expr, obligations),
                }
            }
            ExprKind::Overflows { .. } | ExprKind::Builtin(..) => self.generic(expr, obligations),
        }
    }

    /// Emits an operation into a new register and remembers the expression there.
    pub(super) fn finish(&mut self, expr: ExprId, op: impl FnOnce(Reg) -> Op) -> Reg {
        let d = self.slots(self.rep(expr).slots());
        let pc = self.emit(op(d));
        self.cache.insert(self.body, expr, d, Some(pc));
        d
    }

    /// The same for an operation that may leave the fast path.
    pub(super) fn finish_at_site(
        &mut self,
        expr: ExprId,
        obligations: Vec<ObligationId>,
        op: impl FnOnce(Reg) -> Op,
    ) -> Reg {
        let d = self.slots(self.rep(expr).slots());
        let action = Action::Node { d, expr, operands: self.operand_registers(expr) };
        let pc = self.emit_at_site(op(d), obligations, action);
        self.cache.insert(self.body, expr, d, Some(pc));
        d
    }

    /// A node that the slow path computes.
    pub(super) fn generic(&mut self, expr: ExprId, obligations: Vec<ObligationId>) -> Reg {
        let mut operands = Vec::new();
        self.body.exprs[expr].operands(|operand| operands.push(operand));
        for operand in operands {
            self.value(operand);
        }
        self.finish_at_site(expr, obligations, |_| Op::Slow)
    }

    /// The registers of a node's operands, which stand in them by now. A constant that became an immediate has none:
    /// the slow path reads it from the expression.
    fn operand_registers(&mut self, expr: ExprId) -> Vec<Reg> {
        let mut operands = Vec::new();
        self.body.exprs[expr].operands(|operand| operands.push(operand));
        let is_constant =
            |e: ExprId| matches!(self.body.exprs[e].kind, ExprKind::Int(_) | ExprKind::Float { .. });
        let constants: Vec<bool> = operands.iter().map(|e| is_constant(*e)).collect();
        operands
            .iter()
            .zip(constants)
            .map(|(e, constant)| if constant { 0 } else { self.value(*e) })
            .collect()
    }

    fn int_constant(&mut self, expr: ExprId, value: i128) -> Reg {
        match self.rep(expr) {
            Rep::Pointer => self.pair((value as u64, 0)),
            Rep::Wide(_) => self.pair((value as u64, (value >> 64) as u64)),
            _ => self.constant(value as u64),
        }
    }

    /// The register that holds a constant.
    pub(super) fn constant(&mut self, value: u64) -> Reg {
        if let Some(reg) = self.cache.constant(value) {
            return reg;
        }
        let d = self.slots(1);
        match i32::try_from(value as i64) {
            Ok(x) => self.emit(Op::Const { d, x }),
            Err(_) => {
                let x = self.code.pool.len() as u32;
                self.code.pool.push(value);
                self.emit(Op::ConstLong { d, x })
            }
        };
        self.cache.insert_constant(value, d);
        d
    }

    /// The registers that hold two constants.
    pub(super) fn pair(&mut self, value: (u64, u64)) -> Reg {
        if let Some(reg) = self.cache.pair(value) {
            return reg;
        }
        let d = self.slots(2);
        let x = self.code.pool.len() as u32;
        self.code.pool.extend([value.0, value.1]);
        self.emit(Op::ConstPair { d, x });
        self.cache.insert_pair(value, d);
        d
    }

    /// The value of an integer constant.
    pub(super) fn constant_value(&self, expr: ExprId) -> Option<i128> {
        match self.body.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId, obligations: Vec<ObligationId>) -> Reg {
        match (self.rep(expr), op) {
            (Rep::Int(int), UnaryOp::Not) => {
                let a = self.value(operand);
                if int.signed {
                    return self.finish(expr, |d| Op::XorI { d, a, x: -1 });
                }
                let b = self.constant(u64::MAX >> (64 - int.bits));
                self.finish(expr, |d| Op::Xor { d, a, b })
            }
            (Rep::Int(int), UnaryOp::Neg) if int.bits == 32 || int.bits == 64 => {
                let b = self.value(operand);
                let a = self.constant(0);
                self.subtract(expr, int, a, b, obligations)
            }
            (Rep::Float(format @ (Format::F32 | Format::F64)), UnaryOp::Neg) => {
                let a = self.value(operand);
                let b = self.constant(1 << (format.bits() - 1));
                self.finish(expr, |d| Op::Xor { d, a, b })
            }
            _ => self.generic(expr, obligations),
        }
    }

    fn subtract(
        &mut self,
        expr: ExprId,
        int: IntType,
        a: Reg,
        b: Reg,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        match (int.bits, int.signed, obligations.is_empty()) {
            (32, true, true) => self.finish(expr, |d| Op::Sub32 { d, a, b }),
            (32, false, true) => self.finish(expr, |d| Op::Sub32u { d, a, b }),
            (_, _, true) => self.finish(expr, |d| Op::Sub64 { d, a, b }),
            (32, true, false) => self.finish_at_site(expr, obligations, |d| Op::SubC32 { d, a, b }),
            (64, true, false) => self.finish_at_site(expr, obligations, |d| Op::SubC64 { d, a, b }),
            _ => self.generic(expr, obligations),
        }
    }

    /// Whether the fast operations notice everything that these obligations ask.
    fn fast_enough(&self, obligations: &[ObligationId]) -> bool {
        obligations.iter().all(|o| {
            let obligation = &self.body.obligations[*o];
            !matches!(
                obligation.condition,
                Condition::NotRaised(Raise::UnsignedWrap | Raise::LossyConversion | Raise::FloatUnderflow, _)
            )
        })
    }

    fn binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        if !self.fast_enough(&obligations) {
            return self.generic(expr, obligations);
        }
        match self.rep(expr) {
            Rep::Int(int) => self.int_binary(expr, int, op, left, right, obligations),
            Rep::Float(format @ (Format::F32 | Format::F64)) => {
                self.float_binary(expr, format, op, left, right, obligations)
            }
            _ => self.generic(expr, obligations),
        }
    }

    fn int_binary(
        &mut self,
        expr: ExprId,
        int: IntType,
        op: BinaryOp,
        mut left: ExprId,
        mut right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            if self.constant_value(left).is_some() {
                std::mem::swap(&mut left, &mut right);
            }
            return self.bitwise(expr, op, left, right);
        }
        if int.bits != 32 && int.bits != 64 || !matches!(self.rep(right), Rep::Int(_)) {
            return self.generic(expr, obligations);
        }
        match op {
            BinaryOp::Add | BinaryOp::Mul => {
                if self.constant_value(left).is_some() {
                    std::mem::swap(&mut left, &mut right);
                }
                self.add_or_multiply(expr, int, op, left, right, obligations)
            }
            BinaryOp::Sub => {
                // Without overflow, and with it, `a - c` is `a + -c`.
                let negated = self.constant_value(right).and_then(short).and_then(i32::checked_neg);
                match negated {
                    Some(x) if int.signed => {
                        let a = self.value(left);
                        self.add_immediate(expr, int, a, x, obligations)
                    }
                    _ => {
                        let (a, b) = (self.value(left), self.value(right));
                        self.subtract(expr, int, a, b, obligations)
                    }
                }
            }
            BinaryOp::Div | BinaryOp::Rem => self.divide(expr, int, op, left, right, obligations),
            _ => self.shift(expr, int, op, left, right, obligations),
        }
    }

    fn bitwise(&mut self, expr: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Reg {
        let a = self.value(left);
        if let Some(x) = self.constant_value(right).and_then(short) {
            return match op {
                BinaryOp::And => self.finish(expr, |d| Op::AndI { d, a, x }),
                BinaryOp::Or => self.finish(expr, |d| Op::OrI { d, a, x }),
                _ => self.finish(expr, |d| Op::XorI { d, a, x }),
            };
        }
        let b = self.value(right);
        match op {
            BinaryOp::And => self.finish(expr, |d| Op::And { d, a, b }),
            BinaryOp::Or => self.finish(expr, |d| Op::Or { d, a, b }),
            _ => self.finish(expr, |d| Op::Xor { d, a, b }),
        }
    }

    fn add_immediate(
        &mut self,
        expr: ExprId,
        int: IntType,
        a: Reg,
        x: i32,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        match (int.bits, int.signed, obligations.is_empty()) {
            (32, true, true) => self.finish(expr, |d| Op::Add32I { d, a, x }),
            (32, false, true) => self.finish(expr, |d| Op::Add32uI { d, a, x }),
            (_, _, true) => self.finish(expr, |d| Op::Add64I { d, a, x }),
            (32, true, false) => self.finish_at_site(expr, obligations, |d| Op::AddC32I { d, a, x }),
            (64, true, false) => self.finish_at_site(expr, obligations, |d| Op::AddC64I { d, a, x }),
            _ => self.generic(expr, obligations),
        }
    }

    fn add_or_multiply(
        &mut self,
        expr: ExprId,
        int: IntType,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        let a = self.value(left);
        if let Some(x) = self.constant_value(right).and_then(short) {
            if op == BinaryOp::Add {
                return self.add_immediate(expr, int, a, x, obligations);
            }
            return match (int.bits, int.signed, obligations.is_empty()) {
                (32, true, true) => self.finish(expr, |d| Op::Mul32I { d, a, x }),
                (32, false, true) => self.finish(expr, |d| Op::Mul32uI { d, a, x }),
                (_, _, true) => self.finish(expr, |d| Op::Mul64I { d, a, x }),
                (32, true, false) => self.finish_at_site(expr, obligations, |d| Op::MulC32I { d, a, x }),
                (64, true, false) => self.finish_at_site(expr, obligations, |d| Op::MulC64I { d, a, x }),
                _ => self.generic(expr, obligations),
            };
        }
        let b = self.value(right);
        match (op, int.bits, int.signed, obligations.is_empty()) {
            (BinaryOp::Add, 32, true, true) => self.finish(expr, |d| Op::Add32 { d, a, b }),
            (BinaryOp::Add, 32, false, true) => self.finish(expr, |d| Op::Add32u { d, a, b }),
            (BinaryOp::Add, _, _, true) => self.finish(expr, |d| Op::Add64 { d, a, b }),
            (BinaryOp::Add, 32, true, false) => {
                self.finish_at_site(expr, obligations, |d| Op::AddC32 { d, a, b })
            }
            (BinaryOp::Add, 64, true, false) => {
                self.finish_at_site(expr, obligations, |d| Op::AddC64 { d, a, b })
            }
            (_, 32, true, true) => self.finish(expr, |d| Op::Mul32 { d, a, b }),
            (_, 32, false, true) => self.finish(expr, |d| Op::Mul32u { d, a, b }),
            (_, _, _, true) => self.finish(expr, |d| Op::Mul64 { d, a, b }),
            (BinaryOp::Mul, 32, true, false) => {
                self.finish_at_site(expr, obligations, |d| Op::MulC32 { d, a, b })
            }
            (BinaryOp::Mul, 64, true, false) => {
                self.finish_at_site(expr, obligations, |d| Op::MulC64 { d, a, b })
            }
            _ => self.generic(expr, obligations),
        }
    }

    fn divide(
        &mut self,
        expr: ExprId,
        int: IntType,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        let a = self.value(left);
        let is_div = op == BinaryOp::Div;
        // The divisor as a number: a large unsigned one is not the negative one that it looks like in a register.
        match self.constant_value(right).filter(|v| *v > 0).and_then(|v| i32::try_from(v).ok()) {
            Some(x) if int.signed && is_div => return self.finish(expr, |d| Op::DivI { d, a, x }),
            Some(x) if int.signed => return self.finish(expr, |d| Op::RemI { d, a, x }),
            Some(x) if is_div => return self.finish(expr, |d| Op::DivUI { d, a, x: x as u32 }),
            Some(x) => return self.finish(expr, |d| Op::RemUI { d, a, x: x as u32 }),
            None => {}
        }
        let b = self.value(right);
        self.finish_at_site(expr, obligations, |d| match (is_div, int.signed, int.bits) {
            (true, true, 32) => Op::Div32 { d, a, b },
            (true, true, _) => Op::Div64 { d, a, b },
            (true, false, _) => Op::DivU { d, a, b },
            (false, true, 32) => Op::Rem32 { d, a, b },
            (false, true, _) => Op::Rem64 { d, a, b },
            (false, false, _) => Op::RemU { d, a, b },
        })
    }

    fn shift(
        &mut self,
        expr: ExprId,
        int: IntType,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        let a = self.value(left);
        let left_shift = op == BinaryOp::Shl;
        let count = self.constant_value(right).filter(|c| (0..i128::from(int.bits)).contains(c));
        if let Some(count) = count {
            let x = count as u32;
            return match (left_shift, int.signed, int.bits) {
                (true, true, 32) => self.finish_at_site(expr, obligations, |d| Op::Shl32I { d, a, x }),
                (true, true, _) => self.finish_at_site(expr, obligations, |d| Op::Shl64I { d, a, x }),
                (true, false, 32) => self.finish(expr, |d| Op::Shl32uI { d, a, x }),
                (true, false, _) => self.finish(expr, |d| Op::Shl64uI { d, a, x }),
                (false, true, _) => self.finish(expr, |d| Op::ShrI { d, a, x }),
                (false, false, _) => self.finish(expr, |d| Op::ShrUI { d, a, x }),
            };
        }
        let b = self.value(right);
        self.finish_at_site(expr, obligations, |d| match (left_shift, int.signed, int.bits) {
            (true, true, 32) => Op::Shl32 { d, a, b },
            (true, true, _) => Op::Shl64 { d, a, b },
            (true, false, 32) => Op::Shl32u { d, a, b },
            (true, false, _) => Op::Shl64u { d, a, b },
            (false, true, 32) => Op::Shr32 { d, a, b },
            (false, true, _) => Op::Shr64 { d, a, b },
            (false, false, 32) => Op::Shr32u { d, a, b },
            (false, false, _) => Op::Shr64u { d, a, b },
        })
    }

    fn float_binary(
        &mut self,
        expr: ExprId,
        format: Format,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        let (a, b) = (self.value(left), self.value(right));
        let double = format == Format::F64;
        self.finish_at_site(expr, obligations, |d| match (op, double) {
            (BinaryOp::Add, true) => Op::AddF64 { d, a, b },
            (BinaryOp::Sub, true) => Op::SubF64 { d, a, b },
            (BinaryOp::Mul, true) => Op::MulF64 { d, a, b },
            (BinaryOp::Div, true) => Op::DivF64 { d, a, b },
            (BinaryOp::Add, false) => Op::AddF32 { d, a, b },
            (BinaryOp::Sub, false) => Op::SubF32 { d, a, b },
            (BinaryOp::Mul, false) => Op::MulF32 { d, a, b },
            (BinaryOp::Div, false) => Op::DivF32 { d, a, b },
            _ => Op::Slow,
        })
    }

    fn compare(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        obligations: Vec<ObligationId>,
    ) -> Reg {
        match self.rep(left) {
            Rep::Int(int) => self.int_compare(expr, int, op, left, right),
            Rep::Pointer => self.int_compare(expr, IntType::U64, op, left, right),
            Rep::Float(format @ (Format::F32 | Format::F64)) => {
                let (mut a, mut b) = (self.value(left), self.value(right));
                if matches!(op, CompareOp::Gt | CompareOp::Ge) {
                    std::mem::swap(&mut a, &mut b);
                }
                let double = format == Format::F64;
                self.finish_at_site(expr, obligations, |d| match (op, double) {
                    (CompareOp::Eq, true) => Op::EqF64 { d, a, b },
                    (CompareOp::Ne, true) => Op::NeF64 { d, a, b },
                    (CompareOp::Lt | CompareOp::Gt, true) => Op::LtF64 { d, a, b },
                    (CompareOp::Le | CompareOp::Ge, true) => Op::LeF64 { d, a, b },
                    (CompareOp::Eq, false) => Op::EqF32 { d, a, b },
                    (CompareOp::Ne, false) => Op::NeF32 { d, a, b },
                    (CompareOp::Lt | CompareOp::Gt, false) => Op::LtF32 { d, a, b },
                    (CompareOp::Le | CompareOp::Ge, false) => Op::LeF32 { d, a, b },
                })
            }
            _ => self.generic(expr, obligations),
        }
    }

    fn int_compare(&mut self, expr: ExprId, int: IntType, op: CompareOp, left: ExprId, right: ExprId) -> Reg {
        let unsigned = is_full_unsigned(int);
        let mut a = self.value(left);
        if let Some(x) = self.constant_value(right).and_then(short) {
            let plain = matches!(op, CompareOp::Eq | CompareOp::Ne);
            if plain || !unsigned {
                return self.finish(expr, |d| match op {
                    CompareOp::Eq => Op::EqI { d, a, x },
                    CompareOp::Ne => Op::NeI { d, a, x },
                    CompareOp::Lt => Op::LtSI { d, a, x },
                    CompareOp::Le => Op::LeSI { d, a, x },
                    CompareOp::Gt => Op::GtSI { d, a, x },
                    CompareOp::Ge => Op::GeSI { d, a, x },
                });
            }
        }
        let mut b = self.value(right);
        if matches!(op, CompareOp::Gt | CompareOp::Ge) {
            std::mem::swap(&mut a, &mut b);
        }
        self.finish(expr, |d| match (op, unsigned) {
            (CompareOp::Eq, _) => Op::Eq { d, a, b },
            (CompareOp::Ne, _) => Op::Ne { d, a, b },
            (CompareOp::Lt | CompareOp::Gt, false) => Op::LtS { d, a, b },
            (CompareOp::Le | CompareOp::Ge, false) => Op::LeS { d, a, b },
            (CompareOp::Lt | CompareOp::Gt, true) => Op::LtU { d, a, b },
            (CompareOp::Le | CompareOp::Ge, true) => Op::LeU { d, a, b },
        })
    }
}

/// Whether the order of a type's values in registers is that of unsigned numbers.
pub(super) fn is_full_unsigned(int: IntType) -> bool {
    !int.signed && int.bits == 64
}
