// SPDX-License-Identifier: MIT OR Apache-2.0
//! What natives ask of a call beyond [`NativeCtx`]'s own accessors: lengths without copies, errno results, overlap.

use clew_base::int::IntType;
use clew_ir::obligation::CheckKind;

use super::descriptors::Files;
use super::errno::Errno;
use super::state::State;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::outcome::RunError;
use crate::value::{Pointer, Value};

/// What a native returns.
pub type Answer = Result<Value, Stop>;

/// `int`
pub const INT: IntType = IntType::I32;
/// `long`, `ssize_t`, `off_t`, `time_t`
pub const LONG: IntType = IntType::I64;
/// `size_t`
pub const SIZE: IntType = IntType::U64;

/// An integer as a result.
pub fn int(value: impl Into<i128>) -> Answer {
    Ok(Value::Int(value.into()))
}

/// A pointer as a result.
pub fn pointer(value: Pointer) -> Answer {
    Ok(Value::Ptr(value))
}

/// Nothing as a result.
pub fn unit() -> Answer {
    Ok(Value::Unit)
}

/// The null pointer as a result.
pub fn null() -> Answer {
    Ok(Value::NULL)
}

impl NativeCtx<'_, '_> {
    /// An argument as an `int`.
    pub fn i32(&self, index: usize) -> i32 {
        self.int(index) as i32
    }

    /// An argument as a `long`.
    pub fn i64(&self, index: usize) -> i64 {
        self.int(index) as i64
    }

    /// Sets `errno` and returns -1.
    pub fn fail(&mut self, error: Errno) -> Answer {
        self.set_errno(error.0);
        int(-1)
    }

    /// Sets `errno` and returns null.
    pub fn fail_null(&mut self, error: Errno) -> Answer {
        self.set_errno(error.0);
        null()
    }

    /// 0, or -1 and `errno`.
    pub fn status(&mut self, result: Result<(), Errno>) -> Answer {
        match result {
            Ok(()) => int(0),
            Err(error) => self.fail(error),
        }
    }

    /// The library itself finds no memory.
    pub fn out_of_memory(&self) -> Stop {
        Stop::Error(RunError::Limit(format!("`{}` finds no memory within the limit", self.name())))
    }

    /// The library's state and the open files.
    pub fn files<T>(&mut self, work: impl FnOnce(&mut State, &mut dyn crate::host::Host) -> T) -> T {
        let (state, host) = self.state_and_host();
        work(state, host)
    }

    /// Works with the descriptors.
    pub fn with_files<T>(&mut self, work: impl FnOnce(&mut Files<'_>) -> T) -> T {
        let (state, host) = self.state_and_host();
        let table = state.descriptors(host);
        work(&mut Files { table, host })
    }

    /// The length of a string, checked as a read up to and with its NUL.
    pub fn string_length(&mut self, pointer: Pointer, argument: usize) -> Result<u64, Stop> {
        self.string_length_n(pointer, u64::MAX, argument)
    }

    /// The length of a string of which at most `most` bytes are looked at.
    pub fn string_length_n(&mut self, pointer: Pointer, most: u64, argument: usize) -> Result<u64, Stop> {
        // C allows no invalid pointer even for zero bytes.
        if !self.check_read(pointer, most.min(1), argument)? || most == 0 {
            return Ok(0);
        }
        let tail = self.machine.memory.tail(pointer).unwrap_or(&[]);
        let window = &tail[..tail.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let nul = find_byte(window, 0);
        let length = nul.unwrap_or(window.len()) as u64;
        if nul.is_none() && length < most {
            let object = self.describe(pointer.prov);
            let message =
                format!("argument {} of `{}`: no NUL before the end of {object}", argument + 1, self.name());
            self.violate_about(CheckKind::StringNotTerminated, Some(argument), message, pointer.prov)?;
            return Ok(length);
        }
        let read = length + u64::from(nul.is_some());
        self.check_initialised(pointer, read, argument)?;
        self.machine.touch(pointer, read, false);
        Ok(length)
    }

    /// The bytes of a range that was checked before.
    pub fn view(&self, pointer: Pointer, bytes: u64) -> &[u8] {
        self.machine.memory.bytes(pointer, bytes).unwrap_or(&[])
    }

    /// The bytes of a string in place, without its NUL.
    pub fn string_view(&mut self, pointer: Pointer, argument: usize) -> Result<&[u8], Stop> {
        let length = self.string_length(pointer, argument)?;
        Ok(self.view(pointer, length))
    }

    /// Reports `overlap` if two ranges share a byte. Arguments count from 0.
    pub fn check_disjoint(
        &mut self,
        (a, a_bytes, a_argument): (Pointer, u64, usize),
        (b, b_bytes, b_argument): (Pointer, u64, usize),
    ) -> Result<(), Stop> {
        let shares = a.prov == b.prov
            && a_bytes > 0
            && b_bytes > 0
            && a.addr < b.addr.wrapping_add(b_bytes)
            && b.addr < a.addr.wrapping_add(a_bytes);
        if !shares {
            return Ok(());
        }
        let distance = a.addr.abs_diff(b.addr);
        let object = self.describe(a.prov);
        let message = format!(
            "arguments {} and {} of `{}` overlap: {a_bytes} and {b_bytes} bytes of {object} that start {distance} \
             bytes apart",
            a_argument + 1,
            b_argument + 1,
            self.name()
        );
        self.violate_about(CheckKind::Overlap, None, message, a.prov)
    }

    /// A string that the library owns, the same one for the same name each time; its text is replaced.
    pub fn static_text(&mut self, name: &'static str, text: &[u8]) -> Pointer {
        let size = text.len() as u64 + 1;
        let known = self.state().statics.get(name).copied();
        let place = match known.filter(|p| self.object_size(*p).is_some_and(|s| s >= size)) {
            Some(place) => place,
            None => {
                let place = self.alloc_static(size.max(64), name);
                self.state().statics.insert(name, place);
                place
            }
        };
        let memory = self.memory();
        memory.write(place, text);
        memory.write(place.add(size - 1), &[0]);
        place
    }

    /// The text for an error number, the same object each time.
    pub fn static_message(&mut self, number: i32, text: &str) -> Pointer {
        if let Some(place) = self.state().messages.get(&number) {
            return *place;
        }
        let place = self.alloc_static(text.len() as u64 + 1, "the text of an error");
        self.memory().write(place, text.as_bytes());
        self.memory().make_read_only(place.prov);
        self.state().messages.insert(number, place);
        place
    }

    /// A zeroed object that the library owns, made at its first use.
    pub fn static_object(&mut self, name: &'static str, size: u64) -> Pointer {
        if let Some(place) = self.state().statics.get(name) {
            return *place;
        }
        let place = self.alloc_static(size, name);
        self.state().statics.insert(name, place);
        place
    }

    /// A fresh heap string (`strdup`, `asprintf`); null when memory is exhausted.
    pub fn heap_string(&mut self, text: &[u8]) -> Pointer {
        let place = self.alloc(text.len() as u64 + 1, 16, false);
        if place.is_null() {
            self.set_errno(Errno::ENOMEM.0);
            return place;
        }
        let memory = self.memory();
        memory.write(place, text);
        memory.write(place.add(text.len() as u64), &[0]);
        place
    }
}

/// Where a byte stands.
pub fn find_byte(bytes: &[u8], wanted: u8) -> Option<usize> {
    // Blocks first: the compiler turns the inner test into vector code.
    const BLOCK: usize = 32;
    let mut start = 0;
    for block in bytes.chunks_exact(BLOCK) {
        if block.iter().fold(false, |found, b| found | (*b == wanted)) {
            break;
        }
        start += BLOCK;
    }
    bytes[start..].iter().position(|b| *b == wanted).map(|i| start + i)
}
