// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running compiled code.

use clew_base::source::Span;

use crate::machine::{Machine, Stop};
use crate::outcome::RunError;
use crate::value::{Pointer, Value};

/// Where a `longjmp` leads.
#[derive(Debug)]
pub struct Jump {}

/// Functions that `exit` calls.
#[derive(Debug, Default)]
pub struct Exits {
    registered: Vec<(Pointer, Option<Value>)>,
}

impl Exits {
    /// Registers a function.
    pub fn push(&mut self, function: Pointer, argument: Option<Value>) {
        self.registered.push((function, argument));
    }
}

/// Open regions of unordered calls.
#[derive(Debug, Default)]
pub struct Regions {}

impl Machine<'_> {
    /// Notes that bytes were touched, for regions of unordered calls.
    pub(crate) fn touch(&mut self, _pointer: Pointer, _bytes: u64, _writes: bool) {}

    /// Offset of the pointer to the arguments in memory inside a `va_list`.
    pub(crate) fn va_area_offset(&self) -> u64 {
        if self.memory.pointer_bytes() == 8 { 8 } else { 0 }
    }

    pub(crate) fn call_back(
        &mut self,
        _function: Pointer,
        _arguments: &[Value],
        span: Span,
    ) -> Result<Value, Stop> {
        Err(Stop::Error(RunError::Unsupported { what: "calls from the library".into(), span }))
    }

    pub(crate) fn exit(&mut self, status: i32) -> Stop {
        Stop::Exit(status & 0xff)
    }
}
