// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unnamed arguments as the printf and scanf engines see them, checked against the directives that ask for them.

use clew_base::int::IntType;
use clew_ir::obligation::CheckKind;
use clew_ir::types::Class;

use super::errno;
use super::format::print::{ArgKind, ArgSource, Argument, PrintError, Text};
use crate::machine::Stop;
use crate::native::{NativeCtx, VaSource};
use crate::value::Pointer;

/// Why printing ends early.
pub enum Failure {
    /// The run ends.
    Stop(Stop),
    /// The call fails.
    Print(PrintError),
}

impl From<PrintError> for Failure {
    fn from(error: PrintError) -> Self {
        Failure::Print(error)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Stop(stop)
    }
}

/// The unnamed arguments of a call.
pub struct Unnamed<'a, 'm, 'p> {
    /// The call.
    pub ctx: &'a mut NativeCtx<'m, 'p>,
    /// Where they come from.
    pub source: VaSource,
}

/// The class in words.
fn class_name(class: Class) -> String {
    match class {
        Class::Int(ty) => format!("an integer of {} bits", ty.bits),
        Class::Float(format) => format!("a float of {} bits", format.bits()),
        Class::Pointer => "a pointer".into(),
        Class::Void | Class::Aggregate | Class::Function => "no scalar".into(),
    }
}

/// What a directive wants in words.
fn kind_name(kind: ArgKind) -> String {
    match kind {
        ArgKind::Int { bits, .. } => format!("an integer of {bits} bits"),
        ArgKind::Double => "a double".into(),
        ArgKind::LongDouble => "a long double".into(),
        ArgKind::String => "a pointer to a string".into(),
        ArgKind::WideString => "a pointer to a wide string".into(),
        ArgKind::Address => "a pointer".into(),
        ArgKind::Count { bits } => format!("a pointer to an integer of {bits} bits"),
    }
}

impl Unnamed<'_, '_, '_> {
    /// The index of the argument that comes next, for messages: of the list itself where there is one.
    fn index(&self) -> usize {
        match self.source {
            VaSource::Arguments { next } => next,
            VaSource::List { argument, .. } => argument,
        }
    }

    /// The index of the argument taken last.
    pub fn last_index(&self) -> usize {
        match self.source {
            VaSource::Arguments { next } => next.saturating_sub(1),
            VaSource::List { argument, .. } => argument,
        }
    }

    /// Reports an argument whose type is not what the directive reads.
    fn check_class(&mut self, kind: ArgKind, directive: Text<'_>) -> Result<(), Stop> {
        let Some(class) = self.source.peek_class(self.ctx) else { return Ok(()) };
        let long_double = self.ctx.program().target.long_double;
        let fits = match (kind, class) {
            (ArgKind::Int { bits, .. }, Class::Int(ty)) => u32::from(ty.bits).max(32) == bits,
            (ArgKind::Double, Class::Float(format)) => format.bits() == 64,
            (ArgKind::LongDouble, Class::Float(format)) => format == long_double,
            (
                ArgKind::String | ArgKind::WideString | ArgKind::Address | ArgKind::Count { .. },
                Class::Pointer,
            ) => true,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let message = format!(
            "`{}` wants {} and gets {}",
            directive.escape_ascii(),
            kind_name(kind),
            class_name(class)
        );
        let index = self.index();
        self.ctx.bad_argument(index, &message)
    }

    /// The next argument as a pointer, checked to be one.
    pub fn next_pointer(&mut self, kind: ArgKind, directive: Text<'_>) -> Result<Pointer, Stop> {
        self.check_class(kind, directive)?;
        self.source.next_ptr(self.ctx)
    }
}

impl ArgSource for Unnamed<'_, '_, '_> {
    type Pointer = Pointer;
    type Error = Failure;

    fn long_bits(&self) -> u32 {
        u32::from(self.ctx.program().target.pointer_bytes) * 8
    }

    fn next(&mut self, kind: ArgKind, directive: Text<'_>) -> Result<Argument<Pointer>, Failure> {
        self.check_class(kind, directive)?;
        let long_double = self.ctx.program().target.long_double;
        Ok(match kind {
            ArgKind::Int { bits, signed } => {
                let ty = IntType { bits: bits as u16, signed };
                Argument::Int(self.source.next_int(self.ctx, ty)?)
            }
            ArgKind::Double => {
                Argument::Float(self.source.next_float(self.ctx, clew_base::float::Format::F64)?)
            }
            ArgKind::LongDouble => Argument::Float(self.source.next_float(self.ctx, long_double)?),
            _ => Argument::Pointer(self.source.next_ptr(self.ctx)?),
        })
    }

    fn string(
        &mut self,
        pointer: Pointer,
        limit: Option<usize>,
        _directive: Text<'_>,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let index = self.last_index();
        if pointer.is_null() {
            let name = self.ctx.name();
            let message =
                format!("argument {} of `{name}`: a null pointer is printed as a string", index + 1);
            self.ctx.violate(CheckKind::NullDeref, message)?;
            return Ok(None);
        }
        let most = limit.map_or(u64::MAX, |limit| limit as u64);
        Ok(Some(self.ctx.c_string_n(pointer, most, index)?))
    }

    fn wide_string(
        &mut self,
        pointer: Pointer,
        limit: Option<usize>,
        _directive: Text<'_>,
    ) -> Result<Option<Vec<u32>>, Failure> {
        let index = self.last_index();
        let mut wide = Vec::new();
        let mut at = pointer;
        while limit.is_none_or(|limit| wide.len() < limit) {
            match self.ctx.read_int(at, IntType::U32, index)? as u32 {
                0 => break,
                c => wide.push(c),
            }
            at = at.add(4);
        }
        Ok(Some(wide))
    }

    fn address(&self, pointer: Pointer) -> u64 {
        pointer.addr
    }

    fn store_count(
        &mut self,
        pointer: Pointer,
        bits: u32,
        count: usize,
        _directive: Text<'_>,
    ) -> Result<(), Failure> {
        let index = self.last_index();
        let ty = IntType { bits: bits as u16, signed: true };
        Ok(self.ctx.write_int(pointer, ty, count as i128, index)?)
    }

    fn error_message(&mut self) -> String {
        errno::message(self.ctx.errno())
    }
}
