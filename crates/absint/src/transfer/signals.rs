// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handlers of signals: functions that run at any time after they were installed.
//!
//! `no-asynchronous-writes` says that handlers write no ordinary memory, and reads of `volatile` objects may give anything. So a
//! handler changes nothing that the interrupted code rests on. The handler itself is analysed as a function that anybody
//! may call: from any memory that the program may have, behind all else. Where a program waits, handlers run there and may
//! write what they like. A program that raises signals itself runs handlers where it says so: that is not followed.

use clew_ir::syntax::{FuncId, Type};

use crate::engine::analyser::Analyser;
use crate::engine::call::ParameterFacts;
use crate::engine::facts::Facts;
use crate::engine::transfer::Transfer;
use crate::program::object::ObjectId;
use crate::state::State;

/// Functions that install handlers.
const INSTALLING: &[&str] = &["signal", "bsd_signal", "__sysv_signal", "sigaction", "sigset"];

/// Functions that raise signals.
const RAISING: &[&str] = &["raise", "kill", "killpg", "pthread_kill", "sigqueue", "tgkill"];

/// Functions that wait, or that ask for a signal: a handler runs in the middle of them.
const WAITING: &[&str] = &[
    "pause",
    "sigsuspend",
    "sigpause",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "alarm",
    "ualarm",
    "setitimer",
    "timer_settime",
    "select",
    "pselect",
    "poll",
    "ppoll",
    "epoll_wait",
    "epoll_pwait",
    "wait",
    "waitpid",
    "abort",
];

impl<'p> Facts<'p> {
    /// Whether handlers may run inside a function of the library.
    pub(crate) fn waits_for_signals(&self, function: FuncId) -> bool {
        let waits = WAITING.contains(&&*self.function(function).name);
        waits && self.program.functions.iter().any(|f| INSTALLING.contains(&&*f.name))
    }

    /// Whether a call of a function is about signals in a way that is not followed.
    pub(crate) fn breaks_by_signal(&self, name: &str) -> bool {
        let installs = |name: &str| INSTALLING.contains(&name);
        match name {
            _ if installs(name) => !self.options.no_asynchronous_writes,
            _ if RAISING.contains(&name) => self.program.functions.iter().any(|f| installs(&f.name)),
            _ => false,
        }
    }

    /// Whether a function without a body keeps the functions that it has been handed, to call them when a signal arrives.
    pub(crate) fn installs_handlers(&self, function: FuncId) -> bool {
        INSTALLING.contains(&&*self.function(function).name)
    }
}

impl Transfer<'_> {
    /// The functions among these objects may run at any time from now on.
    pub(crate) fn install(&mut self, reached: Option<&[ObjectId]>, state: &State) {
        if reached.is_none() {
            self.not_understood("a signal handler that is not known", state);
        }
        for handler in self.eval.facts.functions_in(reached) {
            if self.eval.facts.options.ticks.is_some() && self.eval.facts.may_tick(handler) {
                self.not_understood("a signal handler that waits for the clock", state);
            } else if self.eval.context.recording {
                self.eval.recorder.handlers.entry(handler).or_insert(false);
            }
        }
    }
}

impl Analyser<'_> {
    /// The state when handlers may have run: any function whose address is taken and that has the shape of a handler.
    pub(crate) fn signalled(&mut self, state: &State) -> State {
        let taken = self.transfer.eval.facts.address_taken();
        let is_handler = |function: &FuncId| {
            let declared = self.transfer.eval.facts.function(*function);
            let Type::Function { parameters, prototyped, .. } =
                self.transfer.eval.facts.types.get(declared.ty)
            else {
                return false;
            };
            declared.body.is_some() && (matches!(parameters.len(), 1 | 3) || !prototyped)
        };
        let handlers = taken.iter().copied().filter(is_handler).collect();
        self.call_any(state.clone(), &handlers)
    }

    /// Analyses the handlers that were installed, and those that they install.
    pub(crate) fn run_handlers(&mut self) {
        while let Some((handler, has_run)) =
            self.transfer.eval.recorder.handlers.iter_mut().find(|(_, has_run)| !**has_run)
        {
            *has_run = true;
            let handler = *handler;
            let arguments = self.transfer.eval.facts.any_arguments(handler);
            let memory = self.transfer.initial_memory(false);
            self.call_joined(&memory, handler, &arguments, ParameterFacts::default());
        }
    }
}
