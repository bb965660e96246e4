// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew replay`: a kept witness, run again in the interpreter and as a compiled program.

use std::path::Path;

use clew_confirm::Confirmation;
use clew_confirm::kept::Kept;
use clew_frontend::{Command, DiskFiles};
use clew_interpreter::Outcome;
use clew_ir::syntax::Program;

use crate::commands::fail;
use crate::confirm::{Claim, Confirming, said, target_of, violation};
use crate::driver::{Driver, with_driver};
use crate::exit::Exit;
use crate::flags::ReplayFlags;
use crate::hardware;
use crate::input::Units;
use crate::load;
use crate::story::story;
use crate::terminal::print;

/// Says whether the witness still shows what it was kept for.
pub fn replay(flags: &ReplayFlags) -> Exit {
    if let Err(message) = hardware::settle(&flags.hardware, &[], true) {
        return fail(&message);
    }
    let kept = match read(&flags.witness) {
        Ok(kept) => kept,
        Err(message) => return fail(&message),
    };
    if let Some(driver) = &kept.driver {
        return match with_driver(&kept.commands, driver)
            .and_then(|program| again(&program, &kept, flags.trace))
        {
            Ok(exit) => exit,
            Err(message) => fail(&message),
        };
    }
    let units = Units { commands: kept.commands.clone(), ..Units::default() };
    let loaded = load::load(Units { no_warnings: true, ..units }, DiskFiles::new());
    if loaded.fault {
        return Exit::Fault;
    }
    if loaded.bad_input {
        return Exit::BadInput;
    }
    let Some(program) = loaded.programs.iter().find(|program| defines(program, &kept.violates.entry)) else {
        return fail(&format!("the program has no function `{}` any more", kept.violates.entry));
    };
    match again(program, &kept, flags.trace) {
        Ok(exit) => exit,
        Err(message) => fail(&message),
    }
}

/// A kept witness with its commands and, where the entry is not `main`, its driver.
type Witnessed = Kept<Command, Driver>;

fn read(path: &Path) -> Result<Witnessed, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: not a kept witness: {e}", path.display()))
}

fn defines(program: &Program, name: &str) -> bool {
    program.functions.iter().any(|f| *f.name == *name && f.body.is_some())
}

fn again(program: &Program, kept: &Witnessed, trace: bool) -> Result<Exit, String> {
    let (finding, reads_unwritten) = match violation(program, &kept.witness, &kept.violates.obligation)? {
        Ok(found) => found,
        Err(outcome) => {
            print(&format!("the interpreter does not fail there: {}\n", ended(&outcome)));
            return Ok(Exit::Clean);
        }
    };
    if trace {
        print(&story(program, &kept.witness, &finding)?);
    }
    let place = program.sources.place(finding.span);
    print(&format!("the interpreter fails there: {place}: {}: {}\n", finding.check, finding.message));
    let target = target_of(program, kept.violates.obligation.clone(), &finding);
    let claim = Claim { target, witness: &kept.witness, entry: &kept.violates.entry, reads_unwritten };
    let mut confirming = Confirming::new(program, &kept.commands, kept.driver.as_ref(), None)?;
    let confirmed = confirming.confirm(&[claim]).pop().ok_or("nothing was confirmed")??;
    print(&format!("{}\n", said(&confirmed.confirmation)));
    Ok(match confirmed.confirmation {
        Confirmation::Mismatch { .. } => Exit::Fault,
        _ => Exit::Violated,
    })
}

fn ended(outcome: &Outcome) -> String {
    use clew_interpreter::outcome::End;
    match &outcome.end {
        End::Exit(status) => format!("the run ends with status {status}"),
        End::Signal(signal) => format!("the run is killed by signal {signal}"),
        End::Finding => match outcome.findings.last() {
            Some(finding) => format!("the run is stopped by another fault, {}", finding.check),
            None => "the run is stopped by another fault".to_owned(),
        },
        End::Assumed => "an assumption of the program does not hold".to_owned(),
        End::Error(_) => "clew cannot run it".to_owned(),
    }
}
