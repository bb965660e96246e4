// SPDX-License-Identifier: MIT OR Apache-2.0
//! How blocks end, and where jumps lead.

use clew_base::index::Idx;
use clew_base::int::IntType;
use clew_ir::syntax::{Argument, BlockId, CompareOp, ExprId, ExprKind, Terminator, Type};

use super::Compiler;
use super::expr::is_full_unsigned;
use crate::code::{Action, Cases, Op, Rep, SwitchTable};
use crate::effort::SPARSEST_TABLE;

impl Compiler<'_, '_> {
    pub(super) fn terminator(&mut self, terminator: &Terminator, next: BlockId) {
        match terminator {
            Terminator::Goto(target) => self.jump(*target, next),
            Terminator::Branch { condition, then, otherwise } => {
                self.branch(*condition, *then, *otherwise, next);
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, *default),
            Terminator::Return(None) => {
                self.emit(Op::Return { a: 0, b: 0 });
            }
            Terminator::Return(Some(Argument::Value(value))) => {
                let a = self.value(*value);
                let b = self.rep(*value).slots();
                self.emit(Op::Return { a, b });
            }
            Terminator::Return(Some(Argument::Object(place))) => {
                let from = self.plain_address(place);
                let bytes = self.types.size_of(place.ty);
                self.slow(Vec::new(), Action::ReturnObject { from, bytes });
            }
            Terminator::Unreachable => self.slow(Vec::new(), Action::Unreachable),
            Terminator::ComputedGoto { address, targets } => {
                let a = self.value(*address);
                let targets = targets.iter().map(|target| (*target, 0)).collect();
                self.goto_fixups.push(self.code.ops.len() as u32);
                self.slow(Vec::new(), Action::ComputedGoto { a, targets });
            }
        }
    }

    fn jump(&mut self, target: BlockId, next: BlockId) {
        if target != next {
            let pc = self.emit(Op::Jump { x: 0 });
            self.fixups.push((pc, target));
        }
    }

    fn branch(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId, next: BlockId) {
        let (condition, negated) = self.truth(condition);
        self.show_branch(self.position.0, condition);
        let (then, otherwise) = if negated { (otherwise, then) } else { (then, otherwise) };
        // Jump on the condition, or on its opposite if that lets the other way fall through.
        let (when, target, rest) =
            if then == next { (false, otherwise, then) } else { (true, then, otherwise) };
        let op = self.fused(condition, when).unwrap_or_else(|| {
            let a = match self.rep(condition) {
                Rep::Int(_) | Rep::Pointer => self.value(condition),
                _ => self.truth_register(condition),
            };
            if when { Op::JumpNonZero { a, x: 0 } } else { Op::JumpZero { a, x: 0 } }
        });
        let pc = self.emit(op);
        self.fixups.push((pc, target));
        self.jump(rest, next);
    }

    /// Whether a wide value is not zero: both halves together.
    fn truth_register(&mut self, condition: ExprId) -> crate::code::Reg {
        let a = self.value(condition);
        let d = self.slots(1);
        self.emit(Op::Or { d, a, b: a + self.rep(condition).slots() - 1 });
        d
    }

    /// Peels `x != 0`, `x == 0` and conversions that keep the truth; says whether the rest is negated.
    fn truth(&self, mut condition: ExprId) -> (ExprId, bool) {
        let mut negated = false;
        loop {
            if self.cache.find(self.body, condition).is_some() {
                return (condition, negated);
            }
            match self.body.exprs[condition].kind {
                ExprKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), left, right)
                    if self.constant_value(right) == Some(0) && matches!(self.rep(left), Rep::Int(_)) =>
                {
                    negated ^= op == CompareOp::Eq;
                    condition = left;
                }
                ExprKind::Cast(operand) => {
                    let to_bool = matches!(self.types.get(self.body.exprs[condition].ty), Type::Bool);
                    match (self.rep(operand), self.rep(condition)) {
                        (Rep::Int(from), Rep::Int(to)) if to_bool || to.bits >= from.bits => {
                            condition = operand
                        }
                        _ => return (condition, negated),
                    }
                }
                _ => return (condition, negated),
            }
        }
    }

    /// A comparison and a jump in one.
    fn fused(&mut self, condition: ExprId, when: bool) -> Option<Op> {
        let ExprKind::Compare(op, left, right) = self.body.exprs[condition].kind else { return None };
        if self.cache.find(self.body, condition).is_some() {
            return None;
        }
        let int = match self.rep(left) {
            Rep::Int(int) => int,
            Rep::Pointer => IntType::U64,
            _ => return None,
        };
        let op = if when { op } else { op.negated() };
        let unsigned = is_full_unsigned(int);
        let (mut a, x) = (self.value(left), 0);
        let immediate = self.constant_value(right).and_then(|v| i16::try_from(v as i64).ok());
        if let Some(b) = immediate
            && (!unsigned || matches!(op, CompareOp::Eq | CompareOp::Ne))
        {
            return Some(match op {
                CompareOp::Eq => Op::JumpEqI { a, b, x },
                CompareOp::Ne => Op::JumpNeI { a, b, x },
                CompareOp::Lt => Op::JumpLtSI { a, b, x },
                CompareOp::Le => Op::JumpLeSI { a, b, x },
                CompareOp::Gt => Op::JumpGtSI { a, b, x },
                CompareOp::Ge => Op::JumpGeSI { a, b, x },
            });
        }
        let mut b = self.value(right);
        if matches!(op, CompareOp::Gt | CompareOp::Ge) {
            std::mem::swap(&mut a, &mut b);
        }
        Some(match (op, unsigned) {
            (CompareOp::Eq, _) => Op::JumpEq { a, b, x },
            (CompareOp::Ne, _) => Op::JumpNe { a, b, x },
            (CompareOp::Lt | CompareOp::Gt, false) => Op::JumpLtS { a, b, x },
            (CompareOp::Le | CompareOp::Ge, false) => Op::JumpLeS { a, b, x },
            (CompareOp::Lt | CompareOp::Gt, true) => Op::JumpLtU { a, b, x },
            (CompareOp::Le | CompareOp::Ge, true) => Op::JumpLeU { a, b, x },
        })
    }

    fn switch(&mut self, value: ExprId, cases: &[(i128, i128, BlockId)], default: BlockId) {
        let Rep::Int(int) = self.rep(value) else {
            let what = "switch on an integer wider than 64 bits".to_owned();
            self.slow(Vec::new(), Action::Unsupported { what });
            return;
        };
        self.show_switch(self.position.0, value);
        let a = self.value(value);
        let flip = if is_full_unsigned(int) { 1 << 63 } else { 0 };
        let key = |v: i128| (v as u64 ^ flip) as i64;
        let cases = cases.iter().filter(|(low, high, _)| low <= high);
        let mut ranges: Vec<(i64, i64, BlockId)> =
            cases.map(|(lo, hi, b)| (key(*lo), key(*hi), *b)).collect();
        ranges.sort_unstable_by_key(|range| range.0);
        let targets: Vec<BlockId> = ranges.iter().map(|range| range.2).collect();
        let cases = dense(&ranges).unwrap_or_else(|| {
            Cases::Sparse(ranges.iter().enumerate().map(|(i, range)| (range.0, range.1, i as u32)).collect())
        });
        let x = self.switch_table(SwitchTable { flip, default: 0, cases });
        self.emit(Op::Switch { a, x });
        self.switch_fixups.push((x as usize, targets, default));
    }

    /// Now that every block has its place, jumps get theirs.
    pub(super) fn fix_up(&mut self) {
        let start = |block: BlockId| self.block_starts.get(block.index()).copied().unwrap_or(0);
        for (pc, block) in &self.fixups {
            if let Some(x) = self.code.ops[*pc].target() {
                *x = start(*block);
            }
        }
        for (index, targets, default) in &self.switch_fixups {
            let table = &mut self.code.switches[*index];
            table.default = start(*default);
            let resolve = |number: &mut u32| match targets.get(*number as usize) {
                Some(block) => *number = start(*block),
                None => *number = start(*default),
            };
            match &mut table.cases {
                Cases::Dense { targets, .. } => targets.iter_mut().for_each(resolve),
                Cases::Sparse(ranges) => ranges.iter_mut().map(|range| &mut range.2).for_each(resolve),
            }
        }
        for pc in &self.goto_fixups {
            if let Some(site) = self.code.sites.get_mut(pc)
                && let Action::ComputedGoto { targets, .. } = &mut site.action
            {
                targets.iter_mut().for_each(|(block, pc)| *pc = start(*block));
            }
        }
    }
}

/// A table from values to the numbers of cases, if it is not too sparse.
fn dense(ranges: &[(i64, i64, BlockId)]) -> Option<Cases> {
    let (first, last) = (ranges.first()?.0, ranges.last()?.1);
    let span = (i128::from(last) - i128::from(first)) as u128 + 1;
    if span > SPARSEST_TABLE * ranges.len() as u128 + 16 {
        return None;
    }
    let mut targets = vec![u32::MAX; span as usize];
    for (number, (low, high, _)) in ranges.iter().enumerate() {
        let (low, high) = (low.wrapping_sub(first) as usize, high.wrapping_sub(first) as usize);
        targets[low..=high].fill(number as u32);
    }
    Some(Cases::Dense { first, targets })
}
