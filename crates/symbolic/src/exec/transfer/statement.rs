// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a statement does to a state. `false`: no run of it goes on.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::location::ObligationRef;
use clew_ir::obligation::Condition;
use clew_ir::stack::piles_up;
use clew_ir::syntax::{
    AccessFlags, Body, CallResult, ExprId, HavocTarget, Intrinsic, IntrinsicCall, LocalId, ObligationId,
    Place, Statement, StatementKind, Storage, TypeId,
};
use clew_ir::types::Class;
use clew_ir::volatile_inputs::{input_kind, whole_global};
use clew_ir::witness::InputKind;

use crate::exec::context::Exec;
use crate::exec::context::objects::{Kind, Meta};
use crate::exec::record::event::{Event, EventKind, Reason, Shows};
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::contents::{Cell, Contents, Fill};
use crate::exec::state::value::{Base, ObjectId, Pointer, Value};
use crate::exec::state::{Local, Object, State};
use crate::exec::transfer::arithmetic::ROUND;
use crate::exec::transfer::bulk::Filling;
use crate::exec::transfer::expression::Evaluated;
use crate::exec::transfer::external_text::ExternalText;
use crate::term::{FloatBinary, FloatUnary, Sort, TermId};

impl Exec<'_> {
    /// One statement of the running call.
    #[must_use]
    pub fn statement(&mut self, state: &mut State, body: &Body, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Check { first, count } => self.checks(state, body, *first, *count),
            StatementKind::Assign { local, value } => {
                let value = self.eval(state, *value);
                self.set(state, *local, value);
                true
            }
            StatementKind::Load { local, place, flags } if self.is_volatile_input(place, *flags) => {
                let value = self.read_volatile_input(state, place);
                self.set(state, *local, value);
                true
            }
            StatementKind::Load { local, place, flags } => match self.load(state, place) {
                Some((value, written)) => {
                    self.volatile(state, *flags);
                    let not = self.terms.not(written);
                    self.cut_if(state, not, Reason::Unwritten);
                    state.frame.set(*local, Some(Local { value, written: self.terms.bool(true) }));
                    true
                }
                None => {
                    self.cut(state, Reason::Value);
                    false
                }
            },
            StatementKind::Store { place, value, .. } => {
                let value = self.eval(state, *value);
                let stored = self.store(state, place, value);
                self.follows(state, stored, Reason::Value)
            }
            StatementKind::Copy { to, from, flags } => {
                self.volatile(state, *flags);
                let ty = to.ty;
                let bytes = self.facts.program.size_of(to.ty);
                let bytes = self.address(bytes);
                let known = &mut Evaluated::default();
                let (to, from) = (self.place(state, known, to), self.place(state, known, from));
                let copied = match (to, from) {
                    (Value::Pointer(to), Value::Pointer(from)) => {
                        self.copy(state, &to, &from, bytes) && self.lose_padding(state, &to, ty)
                    }
                    _ => false,
                };
                self.follows(state, copied, Reason::Value)
            }
            StatementKind::Zero { place } => {
                let bytes = self.facts.program.size_of(place.ty);
                let bytes = self.address(bytes);
                let zero = self.terms.constant(8, 0);
                let filled = match self.place(state, &mut Evaluated::default(), place) {
                    Value::Pointer(to) => {
                        self.fill(state, &to, Filling::Byte(zero), bytes)
                            && self.lose_padding(state, &to, place.ty)
                    }
                    _ => false,
                };
                self.follows(state, filled, Reason::Value)
            }
            StatementKind::StorageLive { local, bytes } => self.storage_live(state, body, *local, *bytes),
            StatementKind::StorageDead { local } => {
                if let Some(Value::Pointer(pointer)) =
                    state.frame.get(*local).map(|local| local.value.clone())
                    && matches!(body.locals[*local].storage, Storage::Memory { .. })
                {
                    self.kill_cases(state, &pointer);
                }
                // A dead register has no value; a dead object still has its place.
                if body.locals[*local].storage == Storage::Register {
                    state.frame.set(*local, None);
                }
                true
            }
            StatementKind::Assume { condition } => {
                let value = self.eval(state, *condition);
                match self.truth(state, value) {
                    Some(truth) => self.assume(state, truth),
                    None => self.follows(state, false, Reason::Value),
                }
            }
            StatementKind::Havoc { target } => match target {
                HavocTarget::Local(local) => {
                    let value = self.any(state, body.locals[*local].ty, "havoc");
                    self.set(state, *local, value);
                    true
                }
                HavocTarget::Place(_) => self.follows(state, false, Reason::Operation),
            },
            StatementKind::Call(_) if self.step_over_call(state, body) => true,
            StatementKind::Call(call) => self.call(state, call),
            StatementKind::Intrinsic(call) => self.intrinsic(state, body, call),
            StatementKind::Unordered { obligation, .. } => {
                let check = body.obligations[*obligation].check;
                self.unjudged(
                    state,
                    *obligation,
                    (self.facts.options.stops)(check, self.facts.program.semantics),
                );
                true
            }
            StatementKind::Assembler { .. } | StatementKind::Unsupported { .. } => {
                self.follows(state, false, Reason::Operation)
            }
        }
    }

    /// Passes the answer on, and notes the runs that end here because of it.
    fn follows(&mut self, state: &State, goes_on: bool, why: Reason) -> bool {
        if !goes_on {
            self.cut(state, why);
        }
        goes_on
    }

    /// Whether a load reads what comes from outside.
    fn is_volatile_input(&mut self, place: &Place, flags: AccessFlags) -> bool {
        let global = whole_global(place).filter(|_| flags.volatile);
        global.is_some_and(|global| self.facts.is_volatile_input(global))
    }

    /// What it reads: anything.
    fn read_volatile_input(&mut self, state: &State, place: &Place) -> Value {
        let (bits, shape) = match self.facts.program.types().class(place.ty) {
            Class::Float(format) => (format.bits(), Shape::Float(format)),
            Class::Int(int) => (u32::from(int.bits), Shape::Int(int)),
            _ => return Value::Lost,
        };
        let global = whole_global(place).map(|global| &self.facts.program.globals[global]);
        let kind = global.map_or(InputKind::Volatile, input_kind);
        let name = global.map(|global| global.source_name.to_string()).unwrap_or_default();
        let value = self.terms.fresh(&name, Sort::Bits(bits));
        let guard = state.guard(&mut self.terms);
        self.record.inputs.push(Read { guard, kind, terms: vec![value], shape, name });
        Value::Bits(value)
    }

    /// Something volatile is memory here, as for the interpreter, and anything for proofs.
    fn volatile(&mut self, state: &State, flags: AccessFlags) {
        if flags.volatile {
            self.cut(state, Reason::Volatile);
        }
    }

    /// A register gets a value.
    pub fn set(&mut self, state: &mut State, local: LocalId, value: Value) {
        let written = self.terms.bool(true);
        state.frame.set(local, Some(Local { value, written }));
    }

    fn checks(&mut self, state: &mut State, body: &Body, first: ObligationId, count: u32) -> bool {
        let function = state.frame.function;
        for index in first.index()..first.index() + count as usize {
            let id = ObligationId::new(index);
            let obligation = &body.obligations[id];
            let stops = (self.facts.options.stops)(obligation.check, self.facts.program.semantics);
            let is_open = self.facts.options.open.contains(&(function, id));
            if self.facts.options.proved.contains(&(function, id)) {
                self.prune(state, body, obligation);
                continue;
            }
            if !(stops || is_open) {
                continue;
            }
            if obligation.condition == Condition::NotLeaked && self.plan.induction.is_none() {
                continue;
            }
            // How much of the stack is in use is not counted.
            let is_uncounted = matches!(obligation.condition, Condition::StackFits(_))
                && piles_up(self.facts.program, function, id);
            let holds = match is_uncounted {
                true => None,
                false => self.condition(state, &obligation.condition, obligation.check),
            };
            let Some(holds) = holds else {
                self.unjudged(state, id, stops);
                continue;
            };
            let guard = state.guard(&mut self.terms);
            let not = self.terms.not(holds);
            let happens = self.terms.and(guard, not);
            if self.position.trusting > 0 {
                // Nothing was violated in this iteration that ends runs.
                if stops && !self.assume(state, holds) {
                    return false;
                }
                if stops {
                    self.prune(state, body, obligation);
                }
                continue;
            }
            if !self.terms.is_false(happens) {
                let call = self.library_call();
                let is_silent = (self.facts.options.is_silent)(obligation.check);
                let shows = if is_silent { Shows::Never } else { Shows::Always };
                let kind = EventKind::Check {
                    subject: ObligationRef { function, obligation: id, call },
                    stops,
                    is_open,
                    shows,
                };
                self.record.events.push(Event { happens, kind });
            }
            if stops && self.terms.is_false(holds) {
                return false;
            }
            if stops {
                self.prune(state, body, obligation);
            }
        }
        true
    }

    /// A condition that is not understood. Runs that violate it go on, and are not told from the others.
    fn unjudged(&mut self, state: &State, id: ObligationId, stops: bool) {
        let id = (state.frame.function, id);
        if self.facts.options.proved.contains(&id) {
            return;
        }
        self.record.unjudged.insert(id);
        if stops {
            self.loosen(state);
        }
    }

    /// An object that a model makes: nothing was written to it yet.
    fn library_object(&mut self, state: &mut State, kind: Kind, size: TermId, writable: bool) -> Value {
        let meta = Meta { kind, size, align: 16, writable, partly_const: None, whole: None };
        let name = self.allocator().to_owned();
        let fill = self.unwritten(state, size, name);
        let object = self.allocate(state, meta, fill);
        self.born(object);
        let zero = self.address(0);
        Value::pointer(&mut self.terms, Base::Object(object), zero)
    }

    /// Any value of a type. In the program's own code the interpreter reads it from the witness.
    pub fn any(&mut self, state: &State, ty: TypeId, name: &str) -> Value {
        let types = self.facts.program.types();
        let (bits, shape) = match types.class(ty) {
            Class::Float(format) => (format.bits(), Shape::Float(format)),
            _ => match types.int_type(ty) {
                Some(int) => (u32::from(int.bits), Shape::Int(int)),
                None => return Value::Lost,
            },
        };
        let value = self.terms.fresh(name, Sort::Bits(bits));
        let function = state.frame.function;
        // Most of what the library leaves open the interpreter decides: nothing that a witness can say.
        let kind = match &*self.facts.program.functions[function].name {
            _ if !self.facts.options.models.contains(&function) => Some(InputKind::Call),
            "rand" => Some(InputKind::Random),
            "time" => Some(InputKind::Time),
            _ => None,
        };
        if kind.is_none() {
            self.loosen(state);
        }
        if let Some(kind) = kind {
            let guard = state.guard(&mut self.terms);
            let name =
                if kind == InputKind::Call { name } else { &*self.facts.program.functions[function].name };
            self.record.inputs.push(Read { guard, kind, terms: vec![value], shape, name: name.to_owned() });
        }
        match types.class(ty) {
            Class::Pointer => {
                // The number may be the address of something, for the interpreter.
                self.loosen(state);
                self.pointer_at(state, value)
            }
            _ => Value::Bits(value),
        }
    }

    fn storage_live(
        &mut self,
        state: &mut State,
        body: &Body,
        local: LocalId,
        bytes: Option<ExprId>,
    ) -> bool {
        let declared = &body.locals[local];
        let Storage::Memory { align, is_const } = declared.storage else {
            let unwritten = self.unwritten_register(state, body, local, declared.ty);
            state.frame.set(local, unwritten);
            return true;
        };
        if let Some(Value::Pointer(old)) = state.frame.get(local).map(|local| local.value.clone()) {
            if bytes.is_none() && self.forget(state, body, local, &old) {
                return true;
            }
            // In some runs it may still be the same object, in others not.
            if bytes.is_none() && !self.is_dead(state, &old) {
                return self.follows(state, false, Reason::Value);
            }
            self.kill_cases(state, &old);
        }
        let size = match bytes {
            Some(expr) => self.size(state, &mut Evaluated::default(), expr),
            None => Some(self.address(self.facts.program.size_of(declared.ty))),
        };
        let Some(size) = size else { return self.follows(state, false, Reason::Value) };
        let name = self.facts.local_name(state.frame.function, body, local);
        let fill = self.unwritten(state, size, name);
        let pointer = self.stack_object_with(state, size, align, !is_const, fill);
        self.newest_is_of(declared.ty);
        if self.is_private(state.frame.function, local) {
            self.objects
                .private
                .extend(self.objects.metas.len().checked_sub(1).map(|last| ObjectId(last as u32)));
        }
        self.set(state, local, pointer);
        true
    }

    /// Whether none of the objects lives that a pointer may lead to.
    fn is_dead(&self, state: &State, pointer: &Pointer) -> bool {
        pointer.cases.iter().all(|case| match case.base {
            Base::Object(object) => state.memory.get(object).is_none_or(|now| self.terms.is_false(now.alive)),
            _ => true,
        })
    }

    /// A jump back inside the scope of an object: it stays the same one, without a value.
    fn forget(&mut self, state: &mut State, body: &Body, local: LocalId, pointer: &Pointer) -> bool {
        let [case] = pointer.cases.as_slice() else { return false };
        let Base::Object(object) = case.base else { return false };
        let is_alive = state.memory.get(object).is_some_and(|now| self.terms.is_true(now.alive));
        if !is_alive {
            return false;
        }
        let (size, name) = (
            self.objects.metas[object.0 as usize].size,
            self.facts.local_name(state.frame.function, body, local),
        );
        let fill = self.unwritten(state, size, name);
        let Some(now) = state.memory.get_mut(object) else { return false };
        now.contents = Rc::new(Contents::new(fill));
        true
    }

    /// A new object of the running call.
    pub fn stack_object(&mut self, state: &mut State, size: TermId, align: u32, writable: bool) -> Value {
        let fill = if self.plan.stays { self.unwritten(state, size, String::new()) } else { Fill::Unwritten };
        self.stack_object_with(state, size, align, writable, fill)
    }

    /// A new object of the running call, of a type.
    pub fn declared_object(&mut self, state: &mut State, ty: TypeId, align: u32, writable: bool) -> Value {
        let size = self.address(self.facts.program.size_of(ty));
        let object = self.stack_object(state, size, align, writable);
        self.newest_is_of(ty);
        object
    }

    /// The object that was made last was declared with a type.
    fn newest_is_of(&mut self, ty: TypeId) {
        let partly_const = self.partly_const(ty);
        if let Some(meta) = self.objects.metas.last_mut() {
            meta.partly_const = partly_const;
        }
    }

    /// A type, if it has const members.
    pub fn partly_const(&self, ty: TypeId) -> Option<TypeId> {
        self.facts.program.types().touches_const(ty, 0, i128::MAX).then_some(ty)
    }

    fn stack_object_with(
        &mut self,
        state: &mut State,
        size: TermId,
        align: u32,
        writable: bool,
        fill: Fill,
    ) -> Value {
        let meta = Meta {
            kind: Kind::Stack,
            size,
            align: align.next_power_of_two(),
            writable,
            partly_const: None,
            whole: None,
        };
        let object = self.allocate(state, meta, fill);
        state.frame.owned.push(object);
        let zero = self.address(0);
        Value::pointer(&mut self.terms, Base::Object(object), zero)
    }

    /// An object's life ends.
    pub fn kill(&mut self, state: &mut State, object: ObjectId) {
        let dead = self.terms.bool(false);
        if let Some(object) = state.memory.get_mut(object) {
            // Nobody may look at what it held.
            *object = Object { alive: dead, contents: self.objects.nothing.clone() };
        }
    }

    /// The life of what a pointer points into ends.
    pub fn kill_cases(&mut self, state: &mut State, pointer: &Pointer) {
        for (case, chosen) in pointer.choices(&mut self.terms) {
            let Base::Object(object) = case.base else { continue };
            let spared = self.terms.not(chosen);
            let Some(now) = state.memory.get_mut(object) else { continue };
            now.alive = self.terms.and(now.alive, spared);
        }
    }

    /// A function of floats that has a circuit.
    fn float_function(&mut self, state: &State, body: &Body, call: &IntrinsicCall) -> Option<Value> {
        let format = self.facts.program.types().float_format(body.exprs[*call.arguments.first()?].ty)?;
        let mut operands = Vec::with_capacity(3);
        for argument in &call.arguments {
            let Value::Bits(bits) = self.eval(state, *argument) else { return None };
            operands.push(bits);
        }
        let terms = &mut self.terms;
        let result = match (call.op, operands.as_slice()) {
            (Intrinsic::SquareRoot, [x]) => terms.float_unary(FloatUnary::Sqrt, format, ROUND, *x),
            (Intrinsic::FloatRemainder, [x, y]) => {
                terms.float_binary(FloatBinary::Rem, format, ROUND, *x, *y)
            }
            (Intrinsic::MultiplyAdd, [x, y, z]) => terms.fma(format, ROUND, *x, *y, *z),
            _ => return None,
        };
        Some(Value::Bits(result))
    }

    fn intrinsic(&mut self, state: &mut State, body: &Body, call: &IntrinsicCall) -> bool {
        let known = &mut Evaluated::default();
        let pointer = |exec: &mut Self, known: &mut Evaluated, i: usize| match call.arguments.get(i) {
            Some(expr) => match exec.eval_with(state, known, *expr) {
                Value::Pointer(pointer) => Some(pointer),
                _ => None,
            },
            None => None,
        };
        let size = |exec: &mut Self, known: &mut Evaluated, i: usize| {
            call.arguments.get(i).and_then(|expr| exec.size(state, known, *expr))
        };
        let result = match call.op {
            Intrinsic::CopyBytes => {
                let (to, from, n) = (pointer(self, known, 0), pointer(self, known, 1), size(self, known, 2));
                let copied = match (to, from, n) {
                    (Some(to), Some(from), Some(n)) => self.copy(state, &to, &from, n),
                    _ => false,
                };
                return self.follows(state, copied, Reason::Value);
            }
            Intrinsic::FillBytes => {
                let (to, byte, n) = (pointer(self, known, 0), size(self, known, 1), size(self, known, 2));
                let filled = match (to, byte, n) {
                    (Some(to), Some(byte), Some(n)) => {
                        let byte = self.terms.extract(byte, 0, 8);
                        self.fill(state, &to, Filling::Byte(byte), n)
                    }
                    _ => false,
                };
                return self.follows(state, filled, Reason::Value);
            }
            Intrinsic::HavocBytes => {
                let (to, n) = (pointer(self, known, 0), size(self, known, 1));
                let filled = match (to, n) {
                    (Some(to), Some(n)) => self.fill(state, &to, Filling::Any, n),
                    _ => false,
                };
                return self.follows(state, filled, Reason::Value);
            }
            Intrinsic::Likely => {
                let truth = call.arguments.first().map(|expr| self.eval_with(state, known, *expr));
                if let Some(truth) = truth.and_then(|value| self.truth(state, value)) {
                    let guard = state.guard(&mut self.terms);
                    self.record.wish(&mut self.terms, guard, truth);
                }
                return true;
            }
            Intrinsic::Came => {
                let how = size(self, known, 0).and_then(|how| self.terms.as_const(how));
                let (from, bytes) = (pointer(self, known, 1), pointer(self, known, 3));
                let (descriptor, n) = (size(self, known, 2), size(self, known, 4));
                if let (Some(how), Some(descriptor), Some(n)) = (how, descriptor, n) {
                    self.note_external_text(
                        state,
                        &ExternalText { how: how as u8, from, descriptor, bytes, n },
                    );
                }
                return true;
            }
            Intrinsic::SquareRoot | Intrinsic::FloatRemainder | Intrinsic::MultiplyAdd => {
                self.float_function(state, body, call)
            }
            Intrinsic::NulPosition => match pointer(self, known, 0) {
                Some(from) => self.nul_position(state, &from).map(Value::Bits),
                None => None,
            },
            Intrinsic::Allocate => {
                size(self, known, 0).map(|size| self.library_object(state, Kind::Heap, size, true))
            }
            Intrinsic::Own => {
                let shared = size(self, known, 1).and_then(|shared| self.terms.as_const(shared)) != Some(0);
                let kind = Kind::Library { shared };
                size(self, known, 0).map(|size| self.library_object(state, kind, size, false))
            }
            Intrinsic::Alloca => size(self, known, 0).map(|size| self.stack_object(state, size, 16, true)),
            Intrinsic::Release => {
                let Some(object) = pointer(self, known, 0) else {
                    return self.follows(state, false, Reason::Value);
                };
                self.kill_cases(state, &object);
                return true;
            }
            Intrinsic::SizeOfObject => pointer(self, known, 0).map(|pointer| {
                let mut found = self.address(0);
                for case in &pointer.cases {
                    if let Base::Object(object) = case.base {
                        let size = self.objects.metas[object.0 as usize].size;
                        found = self.terms.ite(case.guard, size, found);
                    }
                }
                Value::Bits(found)
            }),
            Intrinsic::ObjectSize => {
                let kind = size(self, known, 1).and_then(|kind| self.terms.as_const(kind));
                let answer = if kind.is_some_and(|kind| kind & 2 != 0) { 0 } else { u128::MAX };
                Some(Value::Bits(self.terms.constant(self.facts.address_bits(), answer)))
            }
            Intrinsic::Trap => return false,
            Intrinsic::VaStart => {
                let list = pointer(self, known, 0);
                return self.va_start(state, list);
            }
            Intrinsic::VaEnd => return true,
            Intrinsic::VaCopy => {
                let (to, from) = (pointer(self, known, 0), pointer(self, known, 1));
                let bytes = self.address(if self.facts.program.target.pointer_bytes == 8 { 24 } else { 4 });
                let copied = match (to, from) {
                    (Some(to), Some(from)) => self.copy(state, &to, &from, bytes),
                    _ => false,
                };
                return self.follows(state, copied, Reason::Value);
            }
            Intrinsic::VaArg(ty) => {
                let list = pointer(self, known, 0);
                list.and_then(|list| self.va_arg(state, &list, ty))
            }
            Intrinsic::FrameAddress | Intrinsic::ReturnAddress => None,
        };
        match (result, &call.result) {
            (Some(value), Some(CallResult::Local(local))) => {
                let value = self.fitted(value, body.locals[*local].ty);
                self.set(state, *local, value);
                true
            }
            (Some(_), None) => true,
            _ => self.follows(state, false, Reason::Operation),
        }
    }

    /// A number at the width of its register.
    fn fitted(&mut self, value: Value, ty: TypeId) -> Value {
        match (value, self.facts.program.types().class(ty)) {
            (Value::Bits(bits), Class::Int(int)) => {
                Value::Bits(self.terms.resize(bits, u32::from(int.bits), int.signed))
            }
            (value, _) => value,
        }
    }

    /// Where the pointer to the unnamed arguments stands in a `va_list`.
    fn va_area(&mut self, list: &Pointer) -> Pointer {
        let offset = self.address(if self.facts.program.target.pointer_bytes == 8 { 8 } else { 0 });
        list.moved(&mut self.terms, offset)
    }

    fn va_start(&mut self, state: &mut State, list: Option<Rc<Pointer>>) -> bool {
        let (Some(list), Some(area)) = (list, state.frame.unnamed) else {
            return self.follows(state, false, Reason::Operation);
        };
        let zero = self.address(0);
        let value = Value::pointer(&mut self.terms, Base::Object(area), zero);
        let place = self.va_area(&list);
        let cell = Cell::written(&mut self.terms, u32::from(self.facts.program.target.pointer_bytes), value);
        self.write(state, &place, &cell);
        true
    }

    fn va_arg(&mut self, state: &mut State, list: &Pointer, ty: TypeId) -> Option<Value> {
        let word = self.facts.program.target.pointer_bytes;
        if !self.facts.options.models.contains(&state.frame.function) {
            // Whether there is an argument of that type is not asked: what follows is not all that may happen.
            self.cut(state, Reason::Value);
        }
        let place = self.va_area(list);
        let Value::Pointer(at) = self.read(state, &place, u32::from(word))?.value else { return None };
        let bytes = self.stored_bytes(ty)?;
        let cell = self.read(state, &at, bytes)?;
        let value = self.value_of(state, &cell, ty);
        let step = self.facts.program.size_of(ty).next_multiple_of(u64::from(word));
        let step = self.address(step);
        let next = Value::Pointer(Rc::new(at.moved(&mut self.terms, step)));
        let cell = Cell::written(&mut self.terms, u32::from(word), next);
        self.write(state, &place, &cell);
        Some(value)
    }
}
