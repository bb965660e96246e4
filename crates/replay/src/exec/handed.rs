// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a function without a body writes through its arguments: inputs, as [`clew_ir::handed`] says.

use clew_base::int::IntType;
use clew_ir::handed::{Handed, Leaf, handed};
use clew_ir::syntax::Function;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::host::Question;
use crate::machine::Machine;
use crate::value::{Pointer, Value};

/// How many elements are written is a number of this type.
const COUNT: IntType = IntType::U16;

impl Machine<'_> {
    /// Writes what the host says.
    pub(super) fn write_handed(&mut self, function: &Function, arguments: &[Value]) {
        for handed in handed(self.program, function) {
            let Some(Value::Ptr(pointer)) = arguments.get(handed.parameter) else { continue };
            // The stand-in in a compiled test sees no more than this of a pointer.
            if !pointer.is_null() {
                self.write_through(function, &handed, *pointer);
            }
        }
    }

    fn write_through(&mut self, function: &Function, handed: &Handed, pointer: Pointer) {
        let name = format!("{}({})", function.source_name, handed.parameter + 1);
        let most = u128::from(self.room(handed, pointer) / handed.bytes).min(COUNT.max() as u128);
        let range = Some((most.min(1) as i128, most as i128));
        let count = self.ask_written(&name, Class::Int(COUNT), range) as u64;
        let mut element = Vec::new();
        let mut next = 0;
        for index in Handed::asked(count) {
            let at = |index: u64| Pointer { addr: pointer.addr + index * handed.bytes, ..pointer };
            for between in next..index {
                self.write_element(handed, at(between), &element);
            }
            let numbers = handed.leaves.iter();
            element = numbers
                .map(|leaf| self.ask_written(&format!("{name}[{index}]{}", leaf.path), leaf.class, None))
                .collect();
            self.write_element(handed, at(index), &element);
            next = index + 1;
        }
    }

    /// Bytes that may be written at a pointer: up to the end of its object. Plain numbers are not written over pointers;
    /// the numbers of a record have places of their own.
    fn room(&self, handed: &Handed, pointer: Pointer) -> u64 {
        let remaining = self.memory.remaining(pointer).unwrap_or(0);
        match self.memory.judge(pointer, remaining, true) {
            Ok(()) if handed.is_plain() => self.memory.before_pointers(pointer, remaining),
            Ok(()) => remaining,
            Err(_) => 0,
        }
    }

    fn ask_written(&mut self, name: &str, class: Class, range: Option<(i128, i128)>) -> u128 {
        let question = Question { kind: InputKind::Written, name, class, range };
        question.fitting(self.host.answer(&question).unwrap_or(0))
    }

    fn write_element(&mut self, handed: &Handed, at: Pointer, numbers: &[u128]) {
        for (Leaf { offset, class, .. }, bits) in handed.leaves.iter().zip(numbers) {
            let bytes = match class {
                Class::Int(int) => usize::from(int.bits.div_ceil(8)),
                Class::Float(format) => format.bits().div_ceil(8) as usize,
                _ => 0,
            };
            let place = Pointer { addr: at.addr + offset, ..at };
            self.memory.write(place, &bits.to_le_bytes()[..bytes.min(16)]);
        }
    }
}
