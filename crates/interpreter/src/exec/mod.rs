// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running compiled code: the loop around the fast loop, frames, and everything that is out of the ordinary.

mod call;
mod condition;
mod exits;
mod expression;
mod fast;
mod intrinsic;
mod jump;
mod message;
mod out_parameters;
mod regions;
mod session;
mod slow;
mod start;
#[cfg(test)]
mod tests;
mod values;
mod varargs;

use std::sync::atomic::Ordering;

use crate::machine::{Machine, Stop};
use crate::outcome::RunError;
use crate::value::Pointer;
pub use exits::Exits;
use fast::{Exit, State, WINDOW};
pub use jump::{Jump, Jumps};
pub use regions::Regions;
pub use session::{Kept, Session};
pub use start::{run, run_observed};

/// Where execution goes on after an operation outside the fast loop.
enum Flow {
    /// At the next operation.
    Next,
    /// At this operation.
    Goto(u32),
    /// In a frame that was entered or returned to: its own counter says where.
    Frame,
    /// The frame that the loop was started for returned.
    Done([u64; 2]),
}

impl Machine<'_> {
    /// Runs until only `floor` frames are left; gives the slots that the last of them returned.
    pub(crate) fn run_frames(&mut self, floor: usize) -> Result<[u64; 2], Stop> {
        loop {
            match self.step(floor) {
                Ok(Flow::Next) => self.advance(),
                Ok(Flow::Goto(pc)) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc;
                    }
                }
                Ok(Flow::Frame) => {}
                Ok(Flow::Done(value)) => return Ok(value),
                Err(Stop::Jump(jump)) if jump.depth > floor => self.land(&jump),
                Err(stop) => return Err(stop),
            }
        }
    }

    fn advance(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc += 1;
        }
    }

    /// Runs the fast loop once, and whatever it left for.
    fn step(&mut self, floor: usize) -> Result<Flow, Stop> {
        let logging = self.unordered.active();
        let state = State {
            codes: &self.codes,
            registers: &mut self.registers,
            frames: &mut self.frames,
            memory: &mut self.memory,
            regions: &mut self.unordered,
            fuel: &mut self.fuel,
            stack_used: &mut self.stack_used,
            stack_limit: self.options.stack_limit,
            objects: self.stack_objects.len(),
            floor,
        };
        let exit = if logging { fast::run::<true>(state) } else { fast::run::<false>(state) };
        match exit {
            Exit::Slow => self.slow(floor),
            Exit::Call(site) => self.call(site),
            Exit::Return(a, b) => {
                let value = self.slots(a);
                Ok(self.leave(floor, value, b != 0))
            }
            Exit::Again => Ok(Flow::Frame),
            Exit::Fuel if self.refuel() => Ok(Flow::Frame),
            Exit::Fuel => Err(Self::out_of_steps()),
        }
    }

    /// Takes steps from the reserve: few at a time if the run may be ended from outside. Says whether there are any.
    pub(super) fn refuel(&mut self) -> bool {
        const SLICE: u64 = 1 << 20;
        let most = match &self.options.cancelled {
            Some(cancelled) if cancelled.load(Ordering::Relaxed) => 0,
            Some(_) => SLICE,
            None => u64::MAX,
        };
        self.fuel = self.reserve.min(most);
        self.reserve -= self.fuel;
        self.fuel > 0
    }

    /// Why a run ends that has no steps left.
    fn out_of_steps() -> Stop {
        Stop::Error(RunError::Limit("the limit of steps was reached".to_owned()))
    }

    /// Ends the innermost frame and hands its value to the caller.
    fn leave(&mut self, floor: usize, value: [u64; 2], has_value: bool) -> Flow {
        let result = self.frames.last().and_then(|frame| frame.code.result);
        self.pop_frame();
        let value = if has_value { value } else { [0; 2] };
        if self.frames.len() <= floor {
            return Flow::Done(value);
        }
        self.deliver(value, result);
        Flow::Next
    }

    /// Removes the innermost frame; its objects die.
    fn pop_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.stack_used = frame.stack_before;
        if !frame.unnamed.is_null() {
            self.unnamed_types.remove(&frame.unnamed.prov);
        }
        if self.stack_objects.len() > frame.objects {
            for prov in self.stack_objects.drain(frame.objects..) {
                self.memory.kill(prov, Default::default());
            }
        }
    }

    /// Makes room for the registers of a frame.
    fn reserve(&mut self, base: usize) {
        let needed = base + WINDOW;
        if self.registers.is_empty() {
            // Most programs never touch most of them: zeroed pages that the system hands out are the cheapest.
            self.registers = vec![0; needed + needed / 2];
        } else if self.registers.len() < needed {
            self.registers.resize(needed + needed / 2, 0);
        }
    }

    /// Notes that bytes were touched, for regions of unordered calls.
    pub(crate) fn touch(&mut self, pointer: Pointer, bytes: u64, writes: bool) {
        if self.unordered.active() {
            self.unordered.log.push(pointer.addr, bytes, writes);
        }
    }
}
