// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a function without a body writes through its arguments, as [`clew_ir::out_parameters`] says: its numbers are
//! terms. How many elements it writes is settled here, as many as can be told apart, which leaves out some of what it
//! may do; nothing is proved behind such a call.

use clew_base::int::IntType;
use clew_ir::out_parameters::{FIRST_ELEMENTS, OutParameter, out_parameters};
use clew_ir::syntax::FuncId;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::State;
use crate::exec::state::contents::Cell;
use crate::exec::state::value::{Base, Pointer, Value};
use crate::exec::transfer::call::Passed;
use crate::term::{Sort, TermId};

impl Encoder<'_> {
    /// How many elements are written: none is known of a pointer that may lead to several objects, or nowhere.
    fn elements(&self, pointer: &Pointer, out: &OutParameter) -> Option<u64> {
        let [case] = &pointer.cases[..] else { return None };
        let Base::Object(object) = case.base else { return None };
        let size = self.terms.as_const(self.objects.metas[object.0 as usize].size)? as u64;
        let offset = self.terms.as_const(case.offset)? as u64;
        let room = size.checked_sub(offset)? / out.bytes;
        (room > 0 && self.objects.metas[object.0 as usize].writable).then_some(room.min(FIRST_ELEMENTS))
    }
}

impl Evaluator<'_> {
    /// Writes anything.
    pub fn write_out_parameters(&mut self, state: &mut State, function: FuncId, arguments: &[Passed]) {
        let declared = &self.encoder.facts.program.functions[function];
        for out in out_parameters(self.encoder.facts.program, declared) {
            let passed = arguments.get(out.parameter).map(|passed| passed.value.clone());
            let Some(Value::Pointer(pointer)) = passed else { return self.loosen(state) };
            let Some(count) = self.encoder.elements(&pointer, &out) else { return self.loosen(state) };
            let name = format!("{}({})", declared.source_name, out.parameter + 1);
            self.write_elements(state, &out, &pointer, count, &name);
        }
    }

    fn write_elements(
        &mut self,
        state: &mut State,
        out: &OutParameter,
        pointer: &Pointer,
        count: u64,
        name: &str,
    ) {
        let elements = self.encoder.terms.constant(16, u128::from(count));
        self.written_input(state, elements, Shape::Int(IntType::U16), name.to_owned());
        for index in 0..count {
            for leaf in &out.leaves {
                let (bits, shape) = match leaf.class {
                    Class::Int(int) => (u32::from(int.bits), Shape::Int(int)),
                    Class::Float(format) => (format.bits(), Shape::Float(format)),
                    _ => continue,
                };
                let value = self.encoder.terms.fresh(name, Sort::Bits(bits));
                self.written_input(state, value, shape, format!("{name}[{index}]{}", leaf.path));
                let place = self.encoder.moved(pointer, index * out.bytes + leaf.offset);
                let cell = Cell::written(&mut self.encoder.terms, bits / 8, Value::Bits(value));
                self.encoder.write(state, &place, &cell);
            }
        }
    }

    fn written_input(&mut self, state: &State, term: TermId, shape: Shape, name: String) {
        let guard = state.guard(&mut self.encoder.terms);
        self.record.inputs.push(Read { guard, kind: InputKind::Written, terms: vec![term], shape, name });
    }
}
