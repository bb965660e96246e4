// SPDX-License-Identifier: MIT OR Apache-2.0
//! `setjmp` and `longjmp`: a mark in the buffer, and the frames that were there when it was made.

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::FuncId;

use crate::code::{Op, Target, is_setjmp};
use crate::effort::MOST_MARKS;
use crate::machine::{Machine, Stop, Violation};
use crate::value::{Pointer, Value};

/// Where a `longjmp` leads, and the value that `setjmp` gives there.
#[derive(Debug)]
pub struct Jump {
    /// How many frames are left: the last is the one that called `setjmp`.
    pub depth: usize,
    pc: u32,
    value: i32,
}

/// Marks that `setjmp` made, by number.
#[derive(Debug, Default)]
pub struct Jumps {
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    depth: usize,
    pc: u32,
    function: FuncId,
    base: usize,
    /// The C stack in use tells a frame from a later one in its place, most of the time.
    stack_before: u64,
}

/// What the first word of a buffer holds beside the number of its mark.
const MAGIC: u64 = 0x636c_6577_0000_0000;

impl Machine<'_> {
    /// Runs `setjmp` and `longjmp`, if the function is one of them.
    pub(super) fn set_jump(&mut self, function: FuncId, arguments: &[Value]) -> Result<Option<Value>, Stop> {
        let name: &str = &self.program.functions[function].name;
        let buffer = arguments.first().map_or(Pointer::NULL, |value| value.as_ptr());
        match name {
            name if is_setjmp(name) => {
                self.mark(buffer)?;
                Ok(Some(Value::Int(0)))
            }
            "longjmp" | "_longjmp" | "siglongjmp" | "__builtin_longjmp" => {
                let value = arguments.get(1).map_or(1, |value| value.as_int()) as i32;
                self.long_jump(buffer, if value == 0 { 1 } else { value }).map(|()| None)
            }
            _ => Ok(None),
        }
    }

    fn mark(&mut self, buffer: Pointer) -> Result<(), Stop> {
        if let Err(fault) = self.memory.judge(buffer, 8, true) {
            let (check, message) = self.explain(fault, buffer, 8, true);
            let span = self.current_span();
            return self.violate(Violation {
                check,
                obligation: None,
                argument: None,
                span,
                message,
                object: buffer.prov,
            });
        }
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let mark = Mark {
            depth: self.frames.len(),
            pc: frame.pc,
            function: frame.function,
            base: frame.base,
            stack_before: frame.stack_before,
        };
        // A buffer that holds a mark keeps its number, so that a loop of setjmp makes one mark.
        let number = match self.number_in(buffer) {
            Some(number) => {
                self.jumps.marks[number] = mark;
                number
            }
            None if self.jumps.marks.len() < MOST_MARKS => {
                self.jumps.marks.push(mark);
                self.jumps.marks.len() - 1
            }
            None => {
                self.jumps.marks[0] = mark;
                0
            }
        };
        self.memory.write(buffer, &(MAGIC | number as u64).to_le_bytes());
        Ok(())
    }

    fn number_in(&self, buffer: Pointer) -> Option<usize> {
        let bytes = self.memory.bytes(buffer, 8)?.first_chunk::<8>()?;
        let number = u64::from_le_bytes(*bytes) ^ MAGIC;
        usize::try_from(number).ok().filter(|number| *number < self.jumps.marks.len())
    }

    fn long_jump(&mut self, buffer: Pointer, value: i32) -> Result<(), Stop> {
        let mark = self.number_in(buffer).map(|number| self.jumps.marks[number]);
        let alive = mark.filter(|mark| {
            mark.depth.checked_sub(1).and_then(|index| self.frames.get(index)).is_some_and(|frame| {
                frame.function == mark.function
                    && frame.base == mark.base
                    && frame.stack_before == mark.stack_before
            })
        });
        match alive {
            Some(mark) => Err(Stop::Jump(Box::new(Jump { depth: mark.depth, pc: mark.pc, value }))),
            None => {
                let message = match mark {
                    None => "the buffer of longjmp was not set by setjmp",
                    Some(_) => "the function that called setjmp has returned",
                };
                let span = self.current_span();
                let violation = Violation {
                    check: CheckKind::BadArgument,
                    obligation: None,
                    argument: None,
                    span,
                    message: message.into(),
                    object: buffer.prov,
                };
                self.violate(violation)?;
                // There is no place to go on at.
                Err(Stop::Signal(11))
            }
        }
    }

    /// Unwinds to the frame of a jump and gives `setjmp` its value.
    pub(super) fn land(&mut self, jump: &Jump) {
        while self.frames.len() > jump.depth {
            self.pop_frame();
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.pc = jump.pc;
        let Some(Op::Call { x }) = frame.code.ops.get(jump.pc as usize).copied() else { return };
        let target = frame.code.calls[x as usize].result;
        if let Target::Register(reg, rep) = target {
            self.set(reg, rep, Value::Int(i128::from(jump.value)));
        }
        self.advance();
    }
}
