// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls: of functions with a body, of the library, through pointers, and from the library back.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_base::source::Span;
use clew_ir::declared::is_library;
use clew_ir::nondet::is_nondet_call;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, Function, Type, TypeId};
use clew_ir::types::Class;

use super::Flow;
use crate::code::{ArgumentSite, CallSite, CalleeSite, Code, Rep, Target};
use crate::compile::{Environment, compile};
use crate::effort::{MOST_CALL_BACKS, MOST_REGISTERS};
use crate::libc;
use crate::machine::{Frame, Machine, Stop, Violation};
use crate::native::NativeCtx;
use crate::outcome::RunError;
use crate::value::{Pointer, Provenance, Value};

impl Machine<'_> {
    /// The compiled form of a function.
    pub(super) fn code(&mut self, function: FuncId) -> Result<Rc<Code>, Stop> {
        if let Some(code) = &self.codes[function.index()] {
            return Ok(code.clone());
        }
        let environment = Environment {
            policy: &self.policy,
            globals: &self.globals,
            functions: &self.functions,
            resolved: &self.aliases.functions,
            volatile_inputs: &self.volatile_inputs,
            watched: self.watch.as_ref().map(|watch| watch.blocks),
            wanted: self.probing.as_ref().map(|probing| probing.wanted),
            garbage: self.options.garbage,
        };
        let span = self.program.functions[function].span;
        let code = compile(environment, self.program, function)
            .map_err(|what| Stop::Error(RunError::Unsupported { what, span }))?;
        let code = Rc::new(code);
        self.codes[function.index()] = Some(code.clone());
        Ok(code)
    }

    /// A call operation.
    pub(super) fn call(&mut self, site: u32) -> Result<Flow, Stop> {
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let code = frame.code.clone();
        let call = &code.calls[site as usize];
        match call.callee {
            CalleeSite::Body(function) => self.enter(function, call),
            CalleeSite::Native(function) => self.native(function, call),
            CalleeSite::Indirect(reg) => {
                let pointer = self.pointer(reg);
                let found = self.function_at(pointer);
                let fits = found.is_some_and(|f| self.program.functions[f].ty == call.signature);
                if !fits {
                    self.judge_site()?;
                }
                match found {
                    Some(function) if self.program.functions[function].body.is_some() => {
                        self.enter(function, call)
                    }
                    Some(function) => self.native(function, call),
                    None if pointer.is_null() || self.options.all => self.skip_call(call),
                    None => Err(self.no_function(pointer)),
                }
            }
        }
    }

    /// A call that cannot be made, in a run that goes on after findings: its result is zero.
    fn skip_call(&mut self, call: &CallSite) -> Result<Flow, Stop> {
        if let Target::Register(reg, rep) = call.result {
            self.set_slots(reg, rep.slots(), [0; 2]);
        }
        Ok(Flow::Next)
    }

    fn no_function(&self, pointer: Pointer) -> Stop {
        let violation = Violation {
            check: CheckKind::BadCall,
            obligation: None,
            argument: None,
            span: self.current_span(),
            message: format!("the pointer {:#x} points to no function", pointer.addr),
            object: pointer.prov,
        };
        Stop::Finding(Box::new(self.finding(violation)))
    }

    /// Enters a function with a body, from a call of the innermost frame.
    fn enter(&mut self, function: FuncId, call: &CallSite) -> Result<Flow, Stop> {
        let code = self.code(function)?;
        let caller_base = self.base();
        let result_place = match call.result {
            Target::Place(address, _) => Some(self.locate(address)),
            _ => None,
        };
        let result_used = !matches!(call.result, Target::None);
        let base = self.push_frame(function, code.clone(), result_place, result_used)?;
        for (parameter, argument) in code.parameters.iter().zip(&call.arguments) {
            let from = caller_base + usize::from(argument.a);
            let to = base + usize::from(parameter.d);
            if parameter.rep == argument.rep {
                self.registers[to] = self.registers[from];
                if argument.rep.is_none_or(|rep| rep.slots() == 2) {
                    self.registers[to + 1] = self.registers[from + 1];
                }
            } else {
                self.convert_argument(
                    [self.registers[from], self.registers[from + 1]],
                    argument,
                    to,
                    parameter.rep,
                );
            }
        }
        let missing = code.parameters.iter().skip(call.arguments.len());
        for parameter in missing {
            let to = base + usize::from(parameter.d);
            self.registers[to] = 0;
            self.registers[to + 1] = 0;
        }
        if code.variadic && call.arguments.len() > code.parameters.len() {
            self.pass_unnamed(&call.arguments[code.parameters.len()..], caller_base)?;
        }
        Ok(Flow::Frame)
    }

    /// An argument that does not have its parameter's form: what a call without a prototype may do.
    fn convert_argument(&mut self, slots: [u64; 2], argument: &ArgumentSite, to: usize, wanted: Option<Rep>) {
        let slots = match (argument.rep, wanted) {
            (Some(given), Some(wanted)) => {
                let value = match (given.read(slots), wanted) {
                    (Value::Int(addr), Rep::Pointer) => Value::Ptr(self.memory.recover(addr as u64)),
                    (value, _) => value,
                };
                wanted.write(value)
            }
            _ => slots,
        };
        self.registers[to] = slots[0];
        if wanted.is_none_or(|rep| rep.slots() == 2) {
            self.registers[to + 1] = slots[1];
        }
    }

    /// A new innermost frame; says where its registers start.
    pub(super) fn push_frame(
        &mut self,
        function: FuncId,
        code: Rc<Code>,
        result_place: Option<Pointer>,
        result_used: bool,
    ) -> Result<usize, Stop> {
        let base = self.frames.last().map_or(0, |frame| frame.base + frame.code.slots as usize + 2);
        let stack_before = self.stack_used;
        self.stack_used = self.stack_used.saturating_add(code.stack_bytes);
        if self.stack_used > self.options.stack_limit || base > MOST_REGISTERS {
            return Err(self.stack_exhausted(function));
        }
        self.reserve(base);
        self.frames.push(Frame {
            function,
            code,
            pc: 0,
            base,
            objects: self.stack_objects.len(),
            stack_before,
            unnamed: Pointer::NULL,
            result_place,
            result_used,
        });
        Ok(base)
    }

    fn stack_exhausted(&self, function: FuncId) -> Stop {
        let name = &self.program.functions[function].source_name;
        let violation = Violation {
            check: CheckKind::StackExhausted,
            obligation: None,
            argument: None,
            span: self.current_span(),
            message: format!(
                "the call of `{name}`, {} calls deep, needs more than the {} KiB of the stack",
                self.frames.len() + 1,
                self.options.stack_limit >> 10
            ),
            object: Provenance::NONE,
        };
        // No run can go on without a stack, not even one that records its findings.
        Stop::Finding(Box::new(self.finding(violation)))
    }

    /// Writes a callee's value where the caller wants it.
    pub(super) fn deliver(&mut self, value: [u64; 2], given: Option<Rep>) {
        let Some(frame) = self.frames.last() else { return };
        let crate::code::Op::Call { x } = frame.code.ops[frame.pc as usize] else { return };
        let Target::Register(reg, rep) = frame.code.calls[x as usize].result else { return };
        let value = match given {
            Some(given) if given != rep => rep.write(given.read(value)),
            _ => value,
        };
        self.set_slots(reg, rep.slots(), value);
    }

    /// Calls a function of the library.
    fn native(&mut self, function: FuncId, call: &CallSite) -> Result<Flow, Stop> {
        let objects = call.arguments.iter().map(|a| match a.rep {
            Some(rep) => self.value(a.a, rep),
            None => Value::Ptr(self.pointer(a.a)),
        });
        let arguments: Vec<Value> = objects.collect();
        let types: Vec<TypeId> = call.arguments.iter().map(|a| a.ty).collect();
        let place = match call.result {
            Target::Place(address, _) => Some(self.locate(address)),
            _ => None,
        };
        // A function found in the library before is none of those that the machine runs itself.
        let known = self.natives[function.index()].is_some();
        if !known && let Some(value) = self.set_jump(function, &arguments)? {
            if let Target::Register(reg, rep) = call.result {
                self.set(reg, rep, value);
            }
            return Ok(Flow::Next);
        }
        let value = self.run_native(function, &arguments, &types, place)?;
        if let Target::Register(reg, rep) = call.result {
            self.set(reg, rep, value);
        }
        Ok(Flow::Next)
    }

    pub(super) fn run_native(
        &mut self,
        function: FuncId,
        arguments: &[Value],
        types: &[TypeId],
        result_place: Option<Pointer>,
    ) -> Result<Value, Stop> {
        let span = self.current_span();
        let native = match self.natives[function.index()] {
            Some(native) => native,
            None => {
                if let Some(result) = self.verifier_function(function, arguments, types) {
                    return result;
                }
                let name = &self.program.functions[function].name;
                let found =
                    if self.host.is_closed() { libc::lookup_closed(name) } else { libc::lookup(name) };
                let Some(native) = found else {
                    if let Some(value) = self.missing_function(function, arguments) {
                        return Ok(value);
                    }
                    let what = format!(
                        "`{name}` has no body here, and the interpreter's library has no such function"
                    );
                    return Err(Stop::Error(RunError::Unsupported { what, span }));
                };
                self.natives[function.index()] = Some(native);
                native
            }
        };
        native(&mut NativeCtx { machine: self, function, arguments, types, result_place, span })
    }

    /// Calls a function through a pointer from the library, and runs it to its end.
    pub(crate) fn call_back(
        &mut self,
        pointer: Pointer,
        arguments: &[Value],
        span: Span,
    ) -> Result<Value, Stop> {
        let Some(function) = self.function_at(pointer) else {
            let (check, message) = if pointer.is_null() {
                (CheckKind::NullCall, "the library is to call a null pointer".to_owned())
            } else {
                (
                    CheckKind::BadCall,
                    format!("the library is to call {:#x}, which is no function", pointer.addr),
                )
            };
            self.violate(Violation {
                check,
                obligation: None,
                argument: None,
                span,
                message,
                object: pointer.prov,
            })?;
            return Ok(Value::Int(0));
        };
        self.call_function(function, arguments)
    }

    /// Calls a function and runs it to its end, in a loop of its own.
    pub(super) fn call_function(&mut self, function: FuncId, arguments: &[Value]) -> Result<Value, Stop> {
        if self.program.functions[function].body.is_none() {
            let types: Vec<TypeId> = self.parameter_types(function).to_vec();
            return self.run_native(function, arguments, &types, None);
        }
        if self.call_back_depth >= MOST_CALL_BACKS {
            let message = format!("library functions call back more than {MOST_CALL_BACKS} deep");
            return Err(Stop::Error(RunError::Limit(message)));
        }
        let code = self.code(function)?;
        let floor = self.frames.len();
        let base = self.push_frame(function, code.clone(), None, true)?;
        for (index, parameter) in code.parameters.iter().enumerate() {
            let value = arguments.get(index).copied().unwrap_or(Value::Int(0));
            let slots = parameter.rep.unwrap_or(Rep::Pointer).write(value);
            let to = base + usize::from(parameter.d);
            self.registers[to] = slots[0];
            if parameter.rep.is_none_or(|rep| rep.slots() == 2) {
                self.registers[to + 1] = slots[1];
            }
        }
        self.call_back_depth += 1;
        let result = self.run_frames(floor);
        self.call_back_depth -= 1;
        let slots = result?;
        Ok(code.result.map_or(Value::Unit, |rep| rep.read(slots)))
    }

    pub(super) fn parameter_types(&self, function: FuncId) -> &[TypeId] {
        match self.program.types().get(self.program.functions[function].ty) {
            Type::Function { parameters, .. } => parameters,
            _ => &[],
        }
    }

    /// The functions of verification benchmarks that only an interpreter can answer.
    fn verifier_function(
        &mut self,
        function: FuncId,
        arguments: &[Value],
        types: &[TypeId],
    ) -> Option<Result<Value, Stop>> {
        let function = &self.program.functions[function];
        let name: &str = &function.name;
        if is_nondet_call(self.program, function, types.iter().copied()) {
            return Some(Ok(self.nondeterministic(function)));
        }
        match name {
            "__VERIFIER_assume" | "__CPROVER_assume" => {
                let holds = arguments.first().is_none_or(|value| value.as_int() != 0);
                Some(if holds { Ok(Value::Unit) } else { Err(Stop::Assumed) })
            }
            // Declared by hand, without the header that makes it a builtin.
            "alloca" => {
                let bytes = arguments.first().map_or(0, |value| value.as_int() as u64);
                Some(self.alloca(bytes).map(Value::Ptr))
            }
            "__VERIFIER_error" | "reach_error" => Some(Err(Stop::Signal(6))),
            "__CPROVER_assert" => Some(Ok(Value::Unit)),
            "__clew_stable" => Some(Ok(Value::Int(1))),
            // Without its header, where it is no macro.
            "assert" => Some(self.assert_function(arguments)),
            _ => None,
        }
    }

    fn assert_function(&mut self, arguments: &[Value]) -> Result<Value, Stop> {
        if arguments.first().is_none_or(|value| value.as_int() != 0) {
            return Ok(Value::Int(0));
        }
        self.violate(Violation {
            check: CheckKind::Assertion,
            obligation: None,
            argument: Some(0),
            span: self.current_span(),
            message: "the assertion fails".to_owned(),
            object: Provenance::NONE,
        })?;
        Err(Stop::Signal(6))
    }

    /// What a function that nobody defines returns, if the host answers for it: anything of its type. It leaves
    /// globals alone, but may have written what it was given. A pointer or a record it cannot be made to return. A
    /// library's function does not return just anything.
    fn missing_function(&mut self, function: FuncId, arguments: &[Value]) -> Option<Value> {
        if !self.host.is_closed() {
            return None;
        }
        let types = self.program.types();
        let callee = &self.program.functions[function];
        if is_library(self.program, callee) {
            return None;
        }
        let Type::Function { result, .. } = types.get(callee.ty) else { return None };
        if matches!(types.class(*result), Class::Pointer | Class::Aggregate | Class::Function) {
            return None;
        }
        for pointer in arguments.iter().filter(|value| matches!(value, Value::Ptr(_))) {
            self.memory.count_as_written(pointer.as_ptr().prov);
        }
        self.write_out_parameters(callee, arguments);
        if !self.missing.contains(&function) {
            self.missing.push(function);
        }
        Some(self.nondeterministic(callee))
    }

    /// The next input as a value of a function's result type.
    fn nondeterministic(&mut self, function: &Function) -> Value {
        let types = self.program.types();
        let Type::Function { result, .. } = types.get(function.ty) else { return Value::Unit };
        let class = types.class(*result);
        let Some(rep) = Rep::of(class) else { return Value::Unit };
        let bits = self.next_input(&function.source_name, class);
        match rep {
            Rep::Pointer => Value::Ptr(self.memory.recover(bits as u64)),
            Rep::Int(int) | Rep::Wide(int) => Value::Int(int.wrap(bits as i128)),
            rep => rep.read([bits as u64, (bits >> 64) as u64]),
        }
    }
}
