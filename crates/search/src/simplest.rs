// SPDX-License-Identifier: MIT OR Apache-2.0
//! Few and simple inputs in place of those that a solver chose: its values are as good as any, and people must read them.

use std::collections::BTreeSet;

use clew_base::stack::with_large_stack;
use clew_ir::syntax::Program;
use clew_ir::witness::{InputKind, NO_ARGUMENTS, PROGRAM, VARIABLES, Witness};

use crate::effort::SIMPLEST_STEPS;
use crate::engine::{Engine, Found, Raw, Request, passed};
use crate::minimise::minimise;
use crate::replay::{Effort, replayed};
use crate::tape::Tape;
use crate::witness::witness;

/// The same violation with inputs that are no less simple. As it is, where a tape cannot say the same.
pub fn simplest(program: &Program, found: Found, effort: &Effort) -> Found {
    let Some(tape) = tape(&found.witness) else { return found };
    let request = Request {
        goals: BTreeSet::from([found.key]),
        malloc_succeeds: false,
        count_all: effort.count_all,
        goes_on_after: found.witness.goes_on_after.clone(),
        budget: u64::MAX,
        is_patient: false,
        cancelled: effort.cancelled.clone(),
    };
    let wanted = request.goals.iter().filter_map(|goal| goal.obligation()).collect();
    let work = || {
        let mut engine = Engine::new(program, &request, &wanted);
        let (_, raw) = engine.again(&tape, found.key, SIMPLEST_STEPS)?;
        let (tape, log, raw) = minimise(&mut engine, found.key, raw)?;
        let Raw { finding, missing, before, .. } = raw;
        let goes_on_after = passed(program, &request.goes_on_after, &before);
        let witness = Witness { goes_on_after, ..witness(&tape, &log) };
        let simple = Found { key: found.key, finding, witness, missing, before };
        // The interpreter has the last word on this witness too.
        let again = replayed(program, &simple.witness, effort);
        again.iter().any(|other| other.key == simple.key).then_some(simple)
    };
    with_large_stack(work).ok().flatten().unwrap_or(found)
}

/// The witness as a tape, which has one text of each kind for all that ask, and at most one allocation that fails.
fn tape(witness: &Witness) -> Option<Tape> {
    let mut tape = Tape::default();
    let mut allocations = 0;
    for input in &witness.inputs {
        match input.kind {
            InputKind::Argument if input.name == NO_ARGUMENTS => tape.is_bare = input.pattern()? == 0,
            InputKind::Argument if input.name == PROGRAM => tape.name = Some(input.bytes()?),
            InputKind::Argument => tape.arguments.push(input.bytes()?),
            InputKind::Environment if input.name.starts_with(VARIABLES) => {
                tape.environment.push(input.bytes()?);
            }
            InputKind::Stdin => tape.stdin.extend(input.bytes()?),
            InputKind::Environment => one(&mut tape.variable, input.bytes()?)?,
            InputKind::File => one(&mut tape.file, input.bytes()?)?,
            InputKind::Network => one(&mut tape.network, input.bytes()?)?,
            InputKind::System => one(&mut tape.system, input.bytes()?)?,
            InputKind::Allocation => {
                if input.pattern()? == 0 && tape.failing.replace(allocations).is_some() {
                    return None;
                }
                allocations += 1;
            }
            InputKind::Unwritten | InputKind::Parameter | InputKind::Global => return None,
            InputKind::Call
            | InputKind::Volatile
            | InputKind::Register
            | InputKind::Written
            | InputKind::Time
            | InputKind::Random => {
                tape.is_random |= input.kind == InputKind::Random;
                tape.numbers.push(input.pattern()?);
            }
        }
    }
    Some(tape)
}

fn one(text: &mut Option<Vec<u8>>, bytes: Vec<u8>) -> Option<()> {
    let is_same = text.as_ref().is_none_or(|known| *known == bytes);
    *text = Some(bytes);
    is_same.then_some(())
}
