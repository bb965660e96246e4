// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a function without a body writes through its arguments: inputs, as [`clew_ir::out_parameters`] says.

use clew_base::int::IntType;
use clew_ir::out_parameters::{Leaf, OutParameter, out_parameters};
use clew_ir::syntax::Function;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::host::InputQuery;
use crate::machine::Machine;
use crate::value::{Pointer, Value};

/// How many elements are written is a number of this type.
const COUNT: IntType = IntType::U16;

impl Machine<'_> {
    /// Writes what the host says.
    pub(super) fn write_out_parameters(&mut self, function: &Function, arguments: &[Value]) {
        for out in out_parameters(self.program, function) {
            let Some(Value::Ptr(pointer)) = arguments.get(out.parameter) else { continue };
            // The stub in a compiled test sees no more than this of a pointer.
            if !pointer.is_null() {
                self.write_through(function, &out, *pointer);
            }
        }
    }

    fn write_through(&mut self, function: &Function, out: &OutParameter, pointer: Pointer) {
        let name = format!("{}({})", function.source_name, out.parameter + 1);
        let most = u128::from(self.room(out, pointer) / out.bytes).min(COUNT.max() as u128);
        let range = Some((most.min(1) as i128, most as i128));
        let count = self.ask_written(&name, Class::Int(COUNT), range) as u64;
        let mut element = Vec::new();
        let mut next = 0;
        for index in OutParameter::input_elements(count) {
            let at = |index: u64| Pointer { addr: pointer.addr + index * out.bytes, ..pointer };
            for between in next..index {
                self.write_element(out, at(between), &element);
            }
            let numbers = out.leaves.iter();
            element = numbers
                .map(|leaf| self.ask_written(&format!("{name}[{index}]{}", leaf.path), leaf.class, None))
                .collect();
            self.write_element(out, at(index), &element);
            next = index + 1;
        }
    }

    /// Bytes that may be written at a pointer: up to the end of its object. Plain numbers are not written over pointers;
    /// the numbers of a record have places of their own.
    fn room(&self, out: &OutParameter, pointer: Pointer) -> u64 {
        let remaining = self.memory.remaining(pointer).unwrap_or(0);
        match self.memory.judge(pointer, remaining, true) {
            Ok(()) if out.is_plain() => self.memory.before_pointers(pointer, remaining),
            Ok(()) => remaining,
            Err(_) => 0,
        }
    }

    fn ask_written(&mut self, name: &str, class: Class, range: Option<(i128, i128)>) -> u128 {
        let query = InputQuery { kind: InputKind::Written, name, class, range };
        query.fitting(self.host.answer(&query).unwrap_or(0))
    }

    fn write_element(&mut self, out: &OutParameter, at: Pointer, numbers: &[u128]) {
        for (Leaf { offset, class, .. }, bits) in out.leaves.iter().zip(numbers) {
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
