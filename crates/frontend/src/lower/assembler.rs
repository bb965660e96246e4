// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inline assembler: what it may write becomes unknown.

use clew_base::source::Span;
use clew_ir::syntax::{CompareOp, ExprKind, HavocTarget, StatementKind, Terminator};
use rucc_sema::{AsmId, AsmOperand, LabelId};

use super::build::FunctionLowering;
use super::place::Lvalue;

impl FunctionLowering<'_, '_> {
    pub(super) fn assembler(&mut self, id: AsmId, span: Span) {
        let asm = self.tast[id];
        let text = self.unit.text(asm.template);
        let clobbers = self.tast[asm.clobbers].to_vec();
        let mut memory = clobbers.iter().any(|c| &*self.unit.text(*c) == "memory");
        let operands: Vec<AsmOperand> = self.tast[asm.outputs].to_vec();
        let (mut outputs, mut registers, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for operand in operands {
            match self.lvalue(operand.value) {
                Lvalue::Register(local) => registers.push(local),
                Lvalue::Memory(object) => {
                    self.demand_write(&object, span);
                    outputs.push(object.place);
                }
            }
        }
        for operand in self.tast[asm.inputs].iter().copied() {
            if operand.memory {
                // The assembler gets an address; what it does there is its own business.
                memory = true;
                self.lvalue(operand.value);
            } else {
                inputs.push(self.scalar(operand.value));
            }
        }
        self.effects.clear();
        self.emit(StatementKind::Assembler { text, outputs, registers, inputs, memory }, span);
        let labels = self.tast[asm.labels].to_vec();
        if !labels.is_empty() {
            self.any_of_labels(&labels, span);
        }
    }

    /// `asm goto` goes on behind it or at one of its labels.
    fn any_of_labels(&mut self, labels: &[LabelId], span: Span) {
        let int = self.unit.known.int;
        let choice = self.temporary(int, span);
        self.emit(StatementKind::Havoc { target: HavocTarget::Local(choice) }, span);
        for (number, label) in labels.iter().enumerate() {
            let (there, further) = (self.new_block(), self.new_block());
            let value = self.local_value(choice, span);
            let which = self.int_const(number as i128, int, span);
            let condition = self.expr(ExprKind::Compare(CompareOp::Eq, value, which), int, span);
            self.terminate(Terminator::Branch { condition, then: there, otherwise: further }, span);
            self.switch_to(there);
            self.goto_label(*label, span);
            self.switch_to(further);
        }
    }
}
