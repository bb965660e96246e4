// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inline assembler: what it may write becomes unknown.

use clew_base::source::Span;
use clew_ir::syntax::StatementKind;
use rucc_sema::{AsmId, AsmOperand};

use super::build::FunctionLowering;
use super::place::Lvalue;

impl FunctionLowering<'_, '_> {
    pub(super) fn assembler(&mut self, id: AsmId, span: Span) {
        let asm = self.tast[id];
        if !self.tast[asm.labels].is_empty() {
            return self.unsupported("`asm goto`", span);
        }
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
    }
}
