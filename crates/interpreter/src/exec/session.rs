// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many runs of one program, one after the other: what was compiled for one serves the next.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use clew_ir::syntax::{GlobalId, Program};

use crate::code::Code;
use crate::host::Host;
use crate::machine::Machine;
use crate::outcome::{Options, Outcome};
use crate::policy::Policy;
use crate::probe::{Probe, Probing, Wanted};
use crate::value::Pointer;

/// Runs of one program. It wants the room that [`with_large_stack`](clew_base::stack::with_large_stack) makes.
pub struct Session<'p> {
    program: &'p Program,
    /// The obligations whose operands a probe wants; none: nobody probes.
    wanted: Option<&'p Wanted>,
    kept: Kept,
}

/// What one run leaves for the next.
#[derive(Default)]
pub struct Kept {
    codes: Vec<Option<Rc<Code>>>,
    /// What the code was compiled for: it has addresses in it, and what is done about checks.
    globals: Vec<Pointer>,
    functions: Vec<Pointer>,
    policy: Option<Policy>,
    garbage: u8,
    /// Variables of which every read is an input, once somebody asked.
    volatile_inputs: OnceCell<BTreeSet<GlobalId>>,
}

impl<'p> Session<'p> {
    /// No run yet.
    pub fn new(program: &'p Program, wanted: Option<&'p Wanted>) -> Session<'p> {
        Session { program, wanted, kept: Kept::default() }
    }

    /// Runs the program once. The probe is shown what the session wants to see.
    pub fn run(&mut self, options: &Options, host: &mut dyn Host, probe: &mut dyn Probe) -> Outcome {
        let mut machine = Machine::new(self.program, options, host);
        machine.volatile_inputs = std::mem::take(&mut self.kept.volatile_inputs);
        machine.probing = self.wanted.map(|wanted| Probing { wanted, probe });
        machine.kept = std::mem::take(&mut self.kept);
        let stop = machine.start();
        self.kept = machine.keep();
        machine.outcome(stop)
    }
}

impl Machine<'_> {
    /// Takes over what an earlier run compiled, if it is still right.
    pub(super) fn take_over(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        if kept.globals == self.globals
            && kept.functions == self.functions
            && kept.policy.as_ref() == Some(&self.policy)
            && kept.garbage == self.options.garbage
        {
            self.codes = kept.codes;
        }
    }

    fn keep(&mut self) -> Kept {
        Kept {
            codes: std::mem::take(&mut self.codes),
            globals: std::mem::take(&mut self.globals),
            functions: std::mem::take(&mut self.functions),
            policy: Some(self.policy.clone()),
            garbage: self.options.garbage,
            volatile_inputs: std::mem::take(&mut self.volatile_inputs),
        }
    }
}
