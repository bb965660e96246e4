// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a program to its first statement: objects for globals, start values, `main` with its arguments.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::{Address, Body, FuncId, Global, GlobalKind, Init, Local, LocalId, Relocation, Storage};
use clew_ir::witness::InputKind;
use rustc_hash::FxHashMap;

use super::engine::{Exec, Kind, Meta, Read, Reason, Running, Shape};
use super::object::{Cell, Fill};
use super::path::Path;
use super::state::{Frame, Memory, State};
use super::value::{Base, ObjectId, Pointer, Value};
use crate::term::{Sort, TermId};

/// How many arguments `main` gets at most, behind the program's name.
const MOST_ARGUMENTS: u32 = 3;

/// How long each is at most.
const MOST_LENGTH: u32 = 512;

impl Exec<'_> {
    /// Walks from `main`, as the interpreter runs it without arguments.
    pub fn walk(&mut self, main: FuncId) {
        self.resolve();
        let function = self.resolved[main.index()];
        let Some(body) = self.body(function) else { return };
        let frame = Frame::new(function, body.locals.len(), true);
        let mut state = State { path: Path::default(), frame, memory: Memory::default() };
        self.place_globals(&mut state);
        self.note_private_globals();
        if self.program.functions.iter().any(|f| f.attributes.constructor.is_some() && f.body.is_some()) {
            self.cut(&state, Reason::Operation);
            return;
        }
        self.main_arguments(&mut state, body);
        let guard = self.terms.bool(true);
        self.calls.push(Running { function, site: None, guard });
        if let Some(returned) = self.run(state, body) {
            self.end(&returned, self.has_handlers);
        }
        self.calls.pop();
    }

    /// A run ends: what the program does after that, if it does anything, is not followed.
    pub fn end(&mut self, state: &State, has_handlers: bool) {
        self.judge_leaks(state);
        let mut functions = self.program.functions.iter();
        if has_handlers || functions.any(|f| f.attributes.destructor.is_some() && f.body.is_some()) {
            self.cut(state, Reason::Operation);
        }
    }

    fn resolve(&mut self) {
        let functions = &self.program.functions;
        let names: FxHashMap<&str, FuncId> =
            functions.iter_enumerated().map(|(id, f)| (&*f.name, id)).collect();
        let target = |id: FuncId| functions[id].alias.as_ref().and_then(|name| names.get(&**name).copied());
        // An alias may name an alias; more steps than functions would be a circle.
        let resolve = |id: FuncId| {
            let chain = std::iter::successors(Some(id), |id| target(*id));
            chain.take(functions.len() + 1).last().unwrap_or(id)
        };
        self.resolved = functions.indices().map(resolve).collect();
    }

    fn place_globals(&mut self, state: &mut State) {
        let globals = &self.program.globals;
        self.globals = globals.iter().map(|global| self.place_global(state, global)).collect();
        let names: FxHashMap<&str, usize> =
            globals.iter_enumerated().map(|(id, global)| (&*global.name, id.index())).collect();
        for (id, global) in globals.iter_enumerated() {
            if let Some(target) = global.alias.as_ref().and_then(|name| names.get(&**name)) {
                self.globals[id.index()] = self.globals[*target];
            }
        }
        for (id, global) in globals.iter_enumerated() {
            for relocation in global.init.iter().flat_map(|init| &init.relocations) {
                let object = self.globals[id.index()];
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
            whole: None,
        };
        let fill = match &global.init {
            Some(Init { bytes, .. }) => Fill::Bytes(Rc::from(bytes.as_slice())),
            None => Fill::Lost,
        };
        self.allocate(state, meta, fill)
    }

    fn relocate(&mut self, state: &mut State, object: ObjectId, relocation: &Relocation) {
        let addend = self.address(relocation.addend as u64);
        let whole = relocation.bytes == self.program.target.pointer_bytes && relocation.minus.is_none();
        let value = match relocation.target {
            Address::Global(global) if whole => {
                Value::pointer(&mut self.terms, Base::Object(self.globals[global.index()]), addend)
            }
            Address::Function(function) if whole => {
                Value::pointer(&mut self.terms, Base::Function(self.resolved[function.index()]), addend)
            }
            _ => Value::Lost,
        };
        let cell = Cell::written(&mut self.terms, u32::from(relocation.bytes), value);
        let offset = self.address(relocation.offset);
        let place = Pointer::one(&mut self.terms, Base::Object(object), offset);
        self.write(state, &place, &cell);
    }

    /// The arguments of `main`: any texts, as many and as long as the depth allows.
    fn main_arguments(&mut self, state: &mut State, body: &Body) {
        if body.parameters == 0 {
            return;
        }
        let word = u64::from(self.program.target.pointer_bytes);
        let bits = u32::from(self.program.target.int_bits);
        let count = self.terms.fresh("argc", Sort::Bits(bits));
        let zero = self.terms.constant(bits, 0);
        let some = self.terms.lt(zero, count, true);
        let _ = self.assume(state, some);
        let list = self.argument_list(state, count);
        let name = self.given_object(state, Rc::from(*b"program\0"), 8);
        let always = self.terms.bool(true);
        self.argument(state, &list, 0, always, name);
        for index in 1..=MOST_ARGUMENTS {
            let before = self.terms.constant(bits, u128::from(index));
            let is_there = self.terms.lt(before, count, true);
            let text = self.any_text(state, is_there, index);
            self.argument(state, &list, u64::from(index), is_there, text);
        }
        let empty = self.given_object(state, Rc::from([]), word);
        for (index, (local, declared)) in
            body.locals.iter_enumerated().take(body.parameters as usize).enumerate()
        {
            let value = match (index, self.program.types().int_type(declared.ty)) {
                (0, Some(int)) => Value::Bits(self.terms.resize(count, u32::from(int.bits), false)),
                (1, _) => Value::Pointer(Rc::new(list.clone())),
                (2, _) => Value::Pointer(Rc::new(empty.clone())),
                _ => Value::Lost,
            };
            self.parameter(state, local, declared, value);
        }
    }

    /// The list of the arguments, with a null pointer behind them. What is behind the first few is lost.
    fn argument_list(&mut self, state: &mut State, count: TermId) -> Pointer {
        let word = self.address(u64::from(self.program.target.pointer_bytes));
        let count = self.terms.resize(count, self.address_bits(), false);
        let one = self.address(1);
        let length = self.terms.add(count, one);
        let size = self.terms.mul(length, word);
        let meta = Meta { kind: Kind::Static, size, align: 16, writable: true, whole: None };
        let object = self.allocate(state, meta, Fill::Lost);
        let zero = self.address(0);
        Pointer::one(&mut self.terms, Base::Object(object), zero)
    }

    /// An argument in the list where it is there, else null.
    fn argument(&mut self, state: &mut State, list: &Pointer, index: u64, is_there: TermId, text: Pointer) {
        let word = u64::from(self.program.target.pointer_bytes);
        let distance = self.address(index * word);
        let place = list.moved(&mut self.terms, distance);
        let null = self.null();
        let value = Value::choose(&mut self.terms, is_there, &Value::Pointer(Rc::new(text)), &null);
        let cell = Cell::written(&mut self.terms, word as u32, value);
        self.write(state, &place, &cell);
    }

    /// An object that is just as long as the text in it.
    fn any_text(&mut self, state: &mut State, is_there: TermId, index: u32) -> Pointer {
        let most = (8 * self.depth).min(MOST_LENGTH);
        let length = self.terms.fresh("length", Sort::Bits(self.address_bits()));
        let one = self.address(1);
        let size = self.terms.add(length, one);
        let limit = self.address(u64::from(most));
        let whole = Some(self.terms.le(length, limit, false));
        let meta = Meta { kind: Kind::Static, size, align: 1, writable: true, whole };
        let object = self.allocate(state, meta, Fill::Bytes(Rc::from([])));
        let zero = self.address(0);
        let text = Pointer::one(&mut self.terms, Base::Object(object), zero);
        let far = self.address(1 << 30);
        let mut proper = self.terms.lt(length, far, false);
        let mut terms = vec![length];
        for at in 0..most {
            let byte = self.terms.fresh("byte", Sort::Bits(8));
            terms.push(byte);
            let at = self.address(u64::from(at));
            let inside = self.terms.lt(at, length, false);
            let nonzero = self.terms.nonzero(byte);
            let agrees = self.terms.eq(inside, nonzero);
            proper = self.terms.and(proper, agrees);
            let place = text.moved(&mut self.terms, at);
            let cell = Cell::written(&mut self.terms, 1, Value::Bits(byte));
            self.write(state, &place, &cell);
        }
        let _ = self.assume(state, proper);
        let name = format!("argv[{index}]");
        self.inputs.push(Read {
            guard: is_there,
            kind: InputKind::Argument,
            terms,
            shape: Shape::Text,
            name,
        });
        text
    }

    fn parameter(&mut self, state: &mut State, local: LocalId, declared: &Local, value: Value) {
        match declared.storage {
            Storage::Register => self.set(state, local, value),
            Storage::Memory { align, is_const } => {
                let size = self.address(self.program.size_of(declared.ty));
                let place = self.stack_object(state, size, align, !is_const);
                self.set(state, local, place.clone());
                if let (Value::Pointer(place), Some(cell)) = (place, self.cell_of(value, declared.ty)) {
                    self.write(state, &place, &cell);
                }
            }
        }
    }
}
