// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a program to its first statement: objects for globals, start values, `main` with its arguments.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::{Address, FuncId, Global, GlobalKind, Init, Local, LocalId, Relocation, Storage};

use crate::exec::context::Exec;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::{Evaluator, Running};
use crate::exec::context::objects::{Kind, Meta};
use crate::exec::record::event::Reason;
use crate::exec::state::contents::{Cell, Fill};
use crate::exec::state::path::Path;
use crate::exec::state::value::{Base, ObjectId, Pointer, Value};
use crate::exec::state::{Frame, Memory, State};

impl Encoder<'_> {
    fn place_globals(&mut self, state: &mut State) {
        let globals = &self.facts.program.globals;
        self.objects.globals = globals.iter().map(|global| self.place_global(state, global)).collect();
        for (id, target) in self.facts.aliases.globals.iter_enumerated() {
            self.objects.globals[id.index()] = self.objects.globals[target.index()];
        }
        for (id, global) in globals.iter_enumerated() {
            for relocation in global.init.iter().flat_map(|init| &init.relocations) {
                let object = self.objects.globals[id.index()];
                self.relocate(state, object, relocation);
            }
        }
    }

    fn place_global(&mut self, state: &mut State, global: &Global) -> ObjectId {
        let is_literal = global.kind == GlobalKind::StringLiteral;
        let meta = Meta {
            kind: if is_literal { Kind::Literal } else { Kind::Static },
            size: self.address(global.size),
            align: global.align,
            writable: !is_literal && !global.is_const,
            partly_const: self.partly_const(global.ty),
            whole: None,
        };
        let fill = match &global.init {
            Some(Init { bytes, .. }) if !global.is_handle() => Fill::Bytes(Rc::from(bytes.as_slice())),
            _ => Fill::Lost,
        };
        self.allocate(state, meta, fill)
    }

    fn relocate(&mut self, state: &mut State, object: ObjectId, relocation: &Relocation) {
        let addend = self.address(relocation.addend as u64);
        let whole = relocation.bytes == self.facts.program.target.pointer_bytes && relocation.minus.is_none();
        let value = match relocation.target {
            Address::Global(global) if whole => {
                Value::pointer(&mut self.terms, Base::Object(self.objects.globals[global.index()]), addend)
            }
            Address::Function(function) if whole => Value::pointer(
                &mut self.terms,
                Base::Function(self.facts.aliases.functions[function]),
                addend,
            ),
            _ => Value::Lost,
        };
        let cell = Cell::written(&mut self.terms, u32::from(relocation.bytes), value);
        let offset = self.address(relocation.offset);
        let place = Pointer::one(&mut self.terms, Base::Object(object), offset);
        self.write(state, &place, &cell);
    }
}

impl Evaluator<'_> {
    /// A run ends: what the program does after that, if it does anything, is not followed.
    pub fn end(&mut self, state: &State, has_handlers: bool) {
        self.judge_leaks(state);
        let mut functions = self.encoder.facts.program.functions.iter();
        if has_handlers || functions.any(|f| f.attributes.destructor.is_some() && f.body.is_some()) {
            self.cut(state, Reason::Operation);
        }
    }

    pub(crate) fn parameter(&mut self, state: &mut State, local: LocalId, declared: &Local, value: Value) {
        match declared.storage {
            Storage::Register => self.encoder.set(state, local, value),
            Storage::Memory { align, is_const } => {
                let place = self.declared_object(state, declared.ty, align, !is_const);
                self.encoder.set(state, local, place.clone());
                if let (Value::Pointer(place), Some(cell)) = (place, self.encoder.cell_of(value, declared.ty))
                {
                    self.encoder.write(state, &place, &cell);
                }
            }
        }
    }
}

impl Exec<'_> {
    /// Executes from `main`, as the interpreter runs it without arguments.
    pub fn execute(&mut self, main: FuncId) {
        let function = self.eval.encoder.facts.aliases.functions[main];
        let Some(body) = self.eval.encoder.body(function) else { return };
        let frame = Frame::new(function, body.locals.len(), true);
        let mut state = State { path: Path::default(), frame, memory: Memory::default() };
        self.eval.encoder.place_globals(&mut state);
        self.eval.note_private_globals();
        if self
            .eval
            .encoder
            .facts
            .program
            .functions
            .iter()
            .any(|f| f.attributes.constructor.is_some() && f.body.is_some())
        {
            self.eval.cut(&state, Reason::Operation);
            return;
        }
        self.eval.main_inputs(&mut state, body);
        let guard = self.eval.encoder.terms.bool(true);
        self.eval.position.calls.push(Running { function, site: None, guard });
        if let Some(returned) = self.run(state, body) {
            self.eval.end(&returned, self.eval.record.has_handlers);
        }
        self.eval.position.calls.pop();
    }
}
