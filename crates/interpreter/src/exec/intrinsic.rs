// SPDX-License-Identifier: MIT OR Apache-2.0
//! Intrinsics: operations on the machine that are not functions.

use clew_base::float::Rounding;
use clew_ir::syntax::{Intrinsic, IntrinsicCall};

use crate::code::{Reg, Rep, Target};
use crate::machine::{Machine, Stop};
use crate::memory::Name;
use crate::outcome::RunError;
use crate::value::{Pointer, Provenance, Value};

/// The signal of an instruction that does not exist, as `__builtin_trap` makes.
const SIGILL: i32 = 4;

impl Machine<'_> {
    pub(super) fn intrinsic(
        &mut self,
        call: &IntrinsicCall,
        operands: &[(Reg, Rep)],
        result: Target,
    ) -> Result<(), Stop> {
        let operand = |machine: &Self, i: usize| {
            operands.get(i).map_or(Value::Unit, |(reg, rep)| machine.value(*reg, *rep))
        };
        let pointer = |machine: &Self, i: usize| operand(machine, i).as_ptr();
        let size = |machine: &Self, i: usize| operand(machine, i).as_int() as u64;
        let value = match call.op {
            Intrinsic::VaStart => return self.va_start(pointer(self, 0)),
            Intrinsic::VaArg(ty) => return self.va_arg(pointer(self, 0), ty, result),
            Intrinsic::VaEnd | Intrinsic::Came | Intrinsic::Likely => return Ok(()),
            Intrinsic::VaCopy => return self.va_copy(pointer(self, 0), pointer(self, 1)),
            Intrinsic::Alloca => Value::Ptr(self.alloca(size(self, 0))?),
            // Only its being non-null is promised: the address of the frame's registers, as a number.
            Intrinsic::FrameAddress | Intrinsic::ReturnAddress => {
                let addr = 0x7ffe_0000_0000 - 64 * self.frames.len() as u64;
                Value::Ptr(Pointer { addr, prov: Provenance::NONE })
            }
            Intrinsic::ObjectSize => Value::Int(if size(self, 1) & 2 == 0 { -1 } else { 0 }),
            Intrinsic::Optimised => operand(self, 0),
            Intrinsic::Trap => return Err(Stop::Signal(SIGILL)),
            Intrinsic::CopyBytes => {
                self.copy_object(pointer(self, 0), pointer(self, 1), size(self, 2));
                return Ok(());
            }
            Intrinsic::FillBytes => {
                self.memory.fill(pointer(self, 0), size(self, 1) as u8, size(self, 2));
                return Ok(());
            }
            Intrinsic::HavocBytes => {
                self.memory.fill(pointer(self, 0), 0, size(self, 1));
                return Ok(());
            }
            Intrinsic::NulPosition => {
                let tail = self.memory.tail(pointer(self, 0)).unwrap_or(&[]);
                Value::Int(tail.iter().position(|byte| *byte == 0).unwrap_or(tail.len()) as i128)
            }
            Intrinsic::Allocate => {
                let pointer = self.heap_object(size(self, 0), 16, false);
                if pointer.is_null() {
                    return Err(Stop::Error(RunError::Limit("memory is exhausted".into())));
                }
                Value::Ptr(pointer)
            }
            Intrinsic::Own => {
                let pointer = self.alloc_library(size(self, 0), "an object of the library");
                if pointer.is_null() {
                    return Err(Stop::Error(RunError::Limit("memory is exhausted".into())));
                }
                self.memory.make_read_only(pointer.prov);
                Value::Ptr(pointer)
            }
            Intrinsic::Release => {
                let died = self.trace();
                self.memory.kill(pointer(self, 0).prov, died);
                return Ok(());
            }
            Intrinsic::SquareRoot | Intrinsic::FloatRemainder | Intrinsic::MultiplyAdd => {
                let Value::Float(x) = operand(self, 0) else { return Ok(()) };
                let other = |i: usize| operand(self, i).as_float(x.format());
                let (result, _) = match call.op {
                    Intrinsic::SquareRoot => x.sqrt(Rounding::NearestEven),
                    Intrinsic::FloatRemainder => x.fmod(other(1)),
                    _ => x.fma(other(1), other(2), Rounding::NearestEven),
                };
                Value::Float(result)
            }
            Intrinsic::SizeOfObject => {
                Value::Int(self.memory.live(pointer(self, 0).prov).map_or(0, |o| i128::from(o.size)))
            }
        };
        if let Target::Register(reg, rep) = result {
            self.set(reg, rep, value);
        }
        Ok(())
    }

    pub(super) fn alloca(&mut self, bytes: u64) -> Result<Pointer, Stop> {
        self.stack_used = self.stack_used.saturating_add(bytes);
        let pointer = self.stack_object(bytes, 16, Name::Unnamed("the result of alloca"), true)?;
        self.note_birth(pointer.prov);
        Ok(pointer)
    }
}
