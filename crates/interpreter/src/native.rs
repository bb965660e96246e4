// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a library function sees of the machine: its arguments, checked memory, the host, and a way to call back.
//!
//! A native is `fn(&mut NativeCtx) -> Result<Value, Stop>`. It asks for what it needs and passes every `Stop` on with
//! `?`; a `Stop` is never an error of the library function itself (those are errno and return values). A check that
//! fails inside a native is reported at the user's call, with the argument named. With `--all` the checked accessors
//! return `Ok` after recording: reads then see zero bytes where nothing may be read, and writes there are dropped.

use clew_base::float::{Float, Format};
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, Program, TypeId};
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::host::{Host, InputQuery};
use crate::libc;
use crate::machine::{Machine, Stop, Violation};
use crate::memory::{Fault, Memory};
use crate::outcome::{Options, RunError};
use crate::value::{Pointer, Provenance, Value};

/// A function of the library.
pub type Native = for<'a, 'm, 'p> fn(&'a mut NativeCtx<'m, 'p>) -> Result<Value, Stop>;

/// A call of a library function.
pub struct NativeCtx<'m, 'p> {
    pub(crate) machine: &'m mut Machine<'p>,
    pub(crate) function: FuncId,
    pub(crate) arguments: &'m [Value],
    /// The type of each argument as the caller passed it, after C's conversions.
    pub(crate) types: &'m [TypeId],
    pub(crate) result_place: Option<Pointer>,
    pub(crate) span: Span,
}

impl<'p> NativeCtx<'_, 'p> {
    /// The function's name.
    pub fn name(&self) -> &'p str {
        let function = &self.machine.program.functions[self.function];
        &function.source_name
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.machine.program
    }

    /// How the run was asked for: arguments, environment, limits.
    pub fn options(&self) -> &'p Options {
        self.machine.options
    }

    /// What the library keeps between calls.
    pub fn state(&mut self) -> &mut libc::State {
        &mut self.machine.libc
    }

    /// The standard streams.
    pub fn host(&mut self) -> &mut dyn Host {
        self.machine.host
    }

    /// The library's state and the standard streams at once.
    pub fn state_and_host(&mut self) -> (&mut libc::State, &mut dyn Host) {
        (&mut self.machine.libc, self.machine.host)
    }

    /// Raw memory: no checks, no findings.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.machine.memory
    }

    /// Says something the reader of the result must know.
    pub fn note(&mut self, note: impl Into<String>) {
        self.machine.notes.push(note.into());
    }

    // Arguments.

    /// How many arguments the call has.
    pub fn arg_count(&self) -> usize {
        self.arguments.len()
    }

    /// An argument; `Unit` if the call has fewer.
    pub fn arg(&self, index: usize) -> Value {
        self.arguments.get(index).copied().unwrap_or(Value::Unit)
    }

    /// An argument's type as passed.
    pub fn arg_class(&self, index: usize) -> Option<Class> {
        self.types.get(index).map(|ty| self.machine.program.types().class(*ty))
    }

    /// An argument as an integer.
    pub fn int(&self, index: usize) -> i128 {
        self.arg(index).as_int()
    }

    /// An argument as a `size_t`.
    pub fn size(&self, index: usize) -> u64 {
        self.int(index) as u64
    }

    /// An argument as a `double`.
    pub fn f64(&self, index: usize) -> f64 {
        self.arg(index).as_f64()
    }

    /// An argument as a pointer.
    pub fn ptr(&self, index: usize) -> Pointer {
        self.arg(index).as_ptr()
    }

    /// The unnamed arguments of a variadic call, from this one on.
    pub fn unnamed(&self, first: usize) -> VaSource {
        VaSource::Arguments { next: first }
    }

    /// The arguments that a `va_list` (an argument that points to one, as `vprintf` gets it) still has.
    pub fn va_list(&self, index: usize) -> VaSource {
        VaSource::List { list: self.ptr(index), argument: index }
    }

    /// Where the caller wants a record result (`div`).
    pub fn result_place(&self) -> Option<Pointer> {
        self.result_place
    }

    // Findings and ends.

    /// Reports a violated check at the call. `Ok` when the run goes on.
    pub fn violate(&mut self, check: CheckKind, message: impl Into<String>) -> Result<(), Stop> {
        self.violate_about(check, None, message, Provenance::NONE)
    }

    /// Reports a violated check at the call, about an object, and an argument from 0 on.
    pub fn violate_about(
        &mut self,
        check: CheckKind,
        argument: Option<usize>,
        message: impl Into<String>,
        object: Provenance,
    ) -> Result<(), Stop> {
        let argument = argument.and_then(|index| u32::try_from(index).ok());
        let (span, message) = (self.span, message.into());
        let violation = Violation { check, obligation: None, argument, span, message, object };
        self.machine.violate(violation)
    }

    /// Reports a `bad-argument`: `` argument 2 of `f`: message ``. Arguments count from 0 here.
    pub fn bad_argument(&mut self, index: usize, message: &str) -> Result<(), Stop> {
        let text = format!("argument {} of `{}`: {message}", index + 1, self.name());
        self.violate_about(CheckKind::BadArgument, Some(index), text, Provenance::NONE)
    }

    /// For what the library does not do: ends the run, naming it.
    pub fn unsupported(&self, what: impl Into<String>) -> Stop {
        Stop::Error(RunError::Unsupported { what: what.into(), span: self.span })
    }

    /// An object as a message names it.
    pub fn describe(&self, prov: Provenance) -> String {
        self.machine.describe(prov)
    }

    // Checked memory. `argument` is the index of the argument that is to blame, from 0.

    /// Checks that `bytes` bytes may be read. `false`: they may not, and the run goes on (`--all`).
    pub fn check_read(&mut self, pointer: Pointer, bytes: u64, argument: usize) -> Result<bool, Stop> {
        self.check(pointer, bytes, argument, false)
    }

    /// Checks that `bytes` bytes may be written.
    pub fn check_write(&mut self, pointer: Pointer, bytes: u64, argument: usize) -> Result<bool, Stop> {
        self.check(pointer, bytes, argument, true)
    }

    fn check(&mut self, pointer: Pointer, bytes: u64, argument: usize, writes: bool) -> Result<bool, Stop> {
        // C allows no invalid pointer even for zero bytes; the access itself would touch nothing, a const object included.
        let Err(fault) = self.machine.memory.judge(pointer, bytes, writes && bytes > 0) else {
            return Ok(true);
        };
        let (check, what) = self.machine.explain(fault, pointer, bytes, writes);
        let message = format!("argument {} of `{}`: {what}", argument + 1, self.name());
        self.violate_about(check, Some(argument), message, pointer.prov)?;
        Ok(false)
    }

    /// Reads bytes; all of them must have been written (else `uninitialised-read` is counted).
    pub fn read(&mut self, pointer: Pointer, bytes: u64, argument: usize) -> Result<Vec<u8>, Stop> {
        let copy = self.read_any(pointer, bytes, argument)?;
        self.check_initialised(pointer, bytes, argument)?;
        Ok(copy)
    }

    /// Reads bytes, written or not (what `memcpy` or `fwrite` may do with padding).
    pub fn read_any(&mut self, pointer: Pointer, bytes: u64, argument: usize) -> Result<Vec<u8>, Stop> {
        if !self.check_read(pointer, bytes, argument)? {
            return Ok(self.readable_part(pointer, bytes));
        }
        self.machine.touch(pointer, bytes, false);
        self.machine.memory.expose_words(pointer.addr, pointer.prov, bytes as usize);
        Ok(self.machine.memory.bytes(pointer, bytes).unwrap_or(&[]).to_vec())
    }

    /// What a recorded bad read sees: the bytes that exist, then zeroes (at most a page of them).
    fn readable_part(&self, pointer: Pointer, bytes: u64) -> Vec<u8> {
        let mut found = self.machine.memory.tail(pointer).unwrap_or(&[]).to_vec();
        let wanted = usize::try_from(bytes).unwrap_or(usize::MAX).min(found.len() + 4096);
        found.resize(wanted, 0);
        found
    }

    /// Reports bytes that were never written. The range must be readable.
    pub fn check_initialised(&mut self, pointer: Pointer, bytes: u64, argument: usize) -> Result<(), Stop> {
        if self.machine.memory.is_initialised(pointer, bytes, None) {
            return Ok(());
        }
        let object = self.describe(pointer.prov);
        let message = format!(
            "argument {} of `{}`: reads bytes of {object} that were never written",
            argument + 1,
            self.name()
        );
        self.violate_about(CheckKind::UninitialisedRead, Some(argument), message, pointer.prov)
    }

    /// Writes bytes.
    pub fn write(&mut self, pointer: Pointer, bytes: &[u8], argument: usize) -> Result<(), Stop> {
        if self.check_write(pointer, bytes.len() as u64, argument)? {
            self.machine.touch(pointer, bytes.len() as u64, true);
            self.machine.memory.write(pointer, bytes);
        }
        Ok(())
    }

    /// Fills bytes.
    pub fn fill(&mut self, pointer: Pointer, byte: u8, bytes: u64, argument: usize) -> Result<(), Stop> {
        if self.check_write(pointer, bytes, argument)? {
            self.machine.touch(pointer, bytes, true);
            self.machine.memory.fill(pointer, byte, bytes);
        }
        Ok(())
    }

    /// Copies bytes as `memmove` does, uninitialised bits and pointers included. `to` and `from` are
    /// `(pointer, argument)`.
    pub fn copy(&mut self, to: (Pointer, usize), from: (Pointer, usize), bytes: u64) -> Result<(), Stop> {
        let readable = self.check_read(from.0, bytes, from.1)?;
        let writable = self.check_write(to.0, bytes, to.1)?;
        if readable && writable {
            self.machine.touch(from.0, bytes, false);
            self.machine.touch(to.0, bytes, true);
            self.machine.memory.copy(to.0, from.0, bytes);
        }
        Ok(())
    }

    /// The bytes of a string, without its NUL. A missing NUL is `string-not-terminated`.
    pub fn c_string(&mut self, pointer: Pointer, argument: usize) -> Result<Vec<u8>, Stop> {
        self.c_string_n(pointer, u64::MAX, argument)
    }

    /// The bytes of a string up to its NUL or to `most` bytes, whichever is first (`strncpy`, `%.5s`).
    pub fn c_string_n(&mut self, pointer: Pointer, most: u64, argument: usize) -> Result<Vec<u8>, Stop> {
        if most == 0 || !self.check_read(pointer, 1, argument)? {
            return Ok(Vec::new());
        }
        let tail = self.machine.memory.tail(pointer).unwrap_or(&[]);
        let window = &tail[..tail.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let nul = window.iter().position(|b| *b == 0);
        let bytes = window[..nul.unwrap_or(window.len())].to_vec();
        if nul.is_none() && (window.len() as u64) < most {
            let object = self.describe(pointer.prov);
            let message =
                format!("argument {} of `{}`: no NUL before the end of {object}", argument + 1, self.name());
            self.violate_about(CheckKind::StringNotTerminated, Some(argument), message, pointer.prov)?;
        }
        let length = bytes.len() as u64 + u64::from(nul.is_some());
        self.machine.touch(pointer, length, false);
        self.check_initialised(pointer, length, argument)?;
        self.machine.memory.expose_words(pointer.addr, pointer.prov, length as usize);
        Ok(bytes)
    }

    /// Writes a string and its NUL.
    pub fn write_c_string(&mut self, pointer: Pointer, text: &[u8], argument: usize) -> Result<(), Stop> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        self.write(pointer, &bytes, argument)
    }

    /// Reads an integer of memory.
    pub fn read_int(&mut self, pointer: Pointer, ty: IntType, argument: usize) -> Result<i128, Stop> {
        let bytes = self.read(pointer, clew_ir::types::int_bytes(ty.bits), argument)?;
        let mut raw = [0; 16];
        raw[..bytes.len()].copy_from_slice(&bytes);
        Ok(ty.wrap(i128::from_le_bytes(raw)))
    }

    /// Writes an integer to memory.
    pub fn write_int(
        &mut self,
        pointer: Pointer,
        ty: IntType,
        value: i128,
        argument: usize,
    ) -> Result<(), Stop> {
        let raw = value.to_le_bytes();
        self.write(pointer, &raw[..clew_ir::types::int_bytes(ty.bits) as usize], argument)
    }

    /// Reads a float of memory.
    pub fn read_float(&mut self, pointer: Pointer, format: Format, argument: usize) -> Result<Float, Stop> {
        let stored = u64::from(format.bits() / 8);
        let bytes = self.read(pointer, stored, argument)?;
        let mut raw = [0; 16];
        raw[..bytes.len()].copy_from_slice(&bytes);
        Ok(Float::from_bits(format, u128::from_le_bytes(raw)))
    }

    /// Writes a float to memory (an x87 one without its padding).
    pub fn write_float(&mut self, pointer: Pointer, value: Float, argument: usize) -> Result<(), Stop> {
        let raw = value.to_bits().to_le_bytes();
        self.write(pointer, &raw[..value.format().bits() as usize / 8], argument)
    }

    /// Reads a pointer of memory.
    pub fn read_ptr(&mut self, pointer: Pointer, argument: usize) -> Result<Pointer, Stop> {
        let bytes = self.machine.memory.pointer_bytes();
        if !self.check_read(pointer, bytes, argument)? {
            return Ok(Pointer::NULL);
        }
        self.check_initialised(pointer, bytes, argument)?;
        self.machine.touch(pointer, bytes, false);
        Ok(self.machine.memory.read_pointer(pointer))
    }

    /// Writes a pointer to memory.
    pub fn write_ptr(&mut self, pointer: Pointer, value: Pointer, argument: usize) -> Result<(), Stop> {
        let bytes = self.machine.memory.pointer_bytes();
        if self.check_write(pointer, bytes, argument)? {
            self.machine.touch(pointer, bytes, true);
            self.machine.memory.write_pointer(pointer, value);
        }
        Ok(())
    }

    // Allocation.

    /// A heap object as from `malloc` (`zeroed`: `calloc`); null when memory is exhausted.
    pub fn alloc(&mut self, size: u64, align: u64, zeroed: bool) -> Pointer {
        self.machine.heap_object(size, align, zeroed)
    }

    /// An object of the library's own that lives on (a static buffer, a `FILE`). It counts as written.
    pub fn alloc_static(&mut self, size: u64, name: &'static str) -> Pointer {
        self.machine.alloc_library(size, name)
    }

    /// Judges a pointer given to `free` or `realloc`: `true` if it is the start of a live heap object.
    pub fn check_free(&mut self, pointer: Pointer, argument: usize) -> Result<bool, Stop> {
        let Some((check, what)) = self.machine.judge_free(pointer) else { return Ok(true) };
        let message = format!("argument {} of `{}`: {what}", argument + 1, self.name());
        self.violate_about(check, Some(argument), message, pointer.prov)?;
        Ok(false)
    }

    /// Frees a heap object; null is fine.
    pub fn free(&mut self, pointer: Pointer, argument: usize) -> Result<(), Stop> {
        if !pointer.is_null() && self.check_free(pointer, argument)? {
            self.machine.touch(pointer, 1, true);
            let died = self.machine.trace();
            self.machine.memory.kill(pointer.prov, died);
        }
        Ok(())
    }

    /// Size of the object that a pointer was derived from.
    pub fn object_size(&self, pointer: Pointer) -> Option<u64> {
        self.machine.memory.live(pointer.prov).map(|o| o.size)
    }

    // Errno, calls, ends.

    /// Where `errno` is.
    pub fn errno_location(&mut self) -> Pointer {
        self.machine.errno_location()
    }

    /// Sets `errno`.
    pub fn set_errno(&mut self, value: i32) {
        let place = self.machine.errno_location();
        self.machine.memory.write(place, &value.to_le_bytes());
    }

    /// Reads `errno`.
    pub fn errno(&mut self) -> i32 {
        let place = self.machine.errno_location();
        let bytes = self.machine.memory.bytes(place, 4).and_then(|b| b.first_chunk::<4>().copied());
        i32::from_le_bytes(bytes.unwrap_or_default())
    }

    /// Calls a function of the program (or the library) through a pointer and runs it to its end. The pointer is
    /// judged as an indirect call would be.
    pub fn call_back(&mut self, function: Pointer, arguments: &[Value]) -> Result<Value, Stop> {
        self.machine.call_back(function, arguments, self.span)
    }

    /// Registers a function for `exit` to call (`atexit`; `on_exit` and `__cxa_atexit` give it an argument).
    pub fn at_exit(&mut self, function: Pointer, argument: Option<Value>) {
        self.machine.exits.push(function, argument);
    }

    /// `exit`: runs the registered functions and destructors, flushes, and ends the program. Return its `Stop`.
    pub fn exit(&mut self, status: i32) -> Stop {
        self.machine.exit(status)
    }

    /// `_Exit`: ends the program at once.
    pub fn exit_now(&mut self, status: i32) -> Stop {
        Stop::Exit(status & 0xff)
    }

    /// The program is killed by a signal (`abort` is 6).
    pub fn kill(&mut self, signal: i32) -> Stop {
        Stop::Signal(signal)
    }

    /// What the host says to a query of this function, if it cares.
    pub fn ask(&mut self, kind: InputKind, class: Class) -> Option<u128> {
        let name = self.name();
        self.machine.host.answer(&InputQuery { kind, name, class, range: None })
    }

    /// The same for an integer of which only these make sense.
    pub fn ask_within(&mut self, kind: InputKind, int: IntType, range: (i128, i128)) -> Option<i128> {
        let (name, class) = (self.name(), Class::Int(int));
        let answer = self.machine.host.answer(&InputQuery { kind, name, class, range: Some(range) });
        answer.map(|bits| int.wrap(bits as i128))
    }

    /// What a new object of this function holds before anything is written there, if the host has a say in it.
    pub fn unwritten(&mut self, size: u64) -> Option<Vec<u8>> {
        let name = self.name();
        self.machine.host.unwritten(name, size)
    }
}

/// Where the unnamed arguments of a `printf`-like function come from. Each `next_*` takes one and moves on.
#[derive(Clone, Copy, Debug)]
pub enum VaSource {
    /// The call's own arguments.
    Arguments {
        /// Index of the next one.
        next: usize,
    },
    /// A `va_list` of the program.
    List {
        /// Where the list is.
        list: Pointer,
        /// The argument that gave it, for messages.
        argument: usize,
    },
}

impl VaSource {
    /// The next argument as an integer of a type.
    pub fn next_int(&mut self, ctx: &mut NativeCtx<'_, '_>, ty: IntType) -> Result<i128, Stop> {
        match *self {
            VaSource::Arguments { .. } => Ok(ty.wrap(self.take(ctx)?.as_int())),
            VaSource::List { list, argument } => {
                let slot = ctx.next_slot(list, argument, 8, 8)?;
                ctx.read_int(slot, ty, argument)
            }
        }
    }

    /// The next argument as a pointer.
    pub fn next_ptr(&mut self, ctx: &mut NativeCtx<'_, '_>) -> Result<Pointer, Stop> {
        match *self {
            VaSource::Arguments { .. } => {
                let value = self.take(ctx)?;
                Ok(match value {
                    Value::Int(value) => ctx.machine.memory.recover(value as u64),
                    value => value.as_ptr(),
                })
            }
            VaSource::List { list, argument } => {
                let slot = ctx.next_slot(list, argument, 8, 8)?;
                ctx.read_ptr(slot, argument)
            }
        }
    }

    /// The next argument as a float: `F64`, or the target's `long double`.
    pub fn next_float(&mut self, ctx: &mut NativeCtx<'_, '_>, format: Format) -> Result<Float, Stop> {
        match *self {
            VaSource::Arguments { .. } => Ok(self.take(ctx)?.as_float(format)),
            VaSource::List { list, argument } => {
                let bytes = ctx.machine.program.types().float_bytes(format);
                let slot = ctx.next_slot(list, argument, bytes, bytes)?;
                ctx.read_float(slot, format, argument)
            }
        }
    }

    /// The class of the next argument as it was passed, where that is known.
    pub fn peek_class(&self, ctx: &NativeCtx<'_, '_>) -> Option<Class> {
        match *self {
            VaSource::Arguments { next } => ctx.arg_class(next),
            VaSource::List { list, .. } => {
                let ty = ctx.machine.next_unnamed_type(list)?;
                Some(ctx.machine.program.types().class(ty))
            }
        }
    }

    fn take(&mut self, ctx: &mut NativeCtx<'_, '_>) -> Result<Value, Stop> {
        let VaSource::Arguments { next } = self else { return Ok(Value::Int(0)) };
        let index = *next;
        *next += 1;
        if index >= ctx.arg_count() {
            let message =
                format!("`{}` needs more arguments than the {} it got", ctx.name(), ctx.arg_count());
            ctx.violate(CheckKind::BadArgument, message)?;
            return Ok(Value::Int(0));
        }
        Ok(ctx.arg(index))
    }
}

impl NativeCtx<'_, '_> {
    /// The next slot of a `va_list`'s memory arguments, and moves the list on. See `exec::varargs` for its form.
    fn next_slot(&mut self, list: Pointer, argument: usize, bytes: u64, align: u64) -> Result<Pointer, Stop> {
        let area_field = list.add(self.machine.va_area_offset());
        let area = self.read_ptr(area_field, argument)?;
        let addr = area.addr.checked_next_multiple_of(align.max(8)).unwrap_or(area.addr);
        let slot = Pointer { addr, prov: area.prov };
        let inside = self.machine.memory.judge(slot, bytes, false);
        if matches!(inside, Err(Fault::OutOfBounds)) {
            let message =
                format!("argument {} of `{}`: the list has no argument left", argument + 1, self.name());
            self.violate_about(CheckKind::BadArgument, Some(argument), message, slot.prov)?;
        }
        self.write_ptr(area_field, slot.add(bytes.next_multiple_of(8)), argument)?;
        Ok(slot)
    }
}
