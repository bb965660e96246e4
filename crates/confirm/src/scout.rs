// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiled program on inputs of which nobody knows yet what they do: it runs faster than the interpreter, and so
//! looks further. What it says is a hint, and the interpreter has the word.
//!
//! How far it looks is counted in blocks of the program, which the compiler lets call a function of the test: where a
//! run is cut does not depend on the machine.

use std::ffi::OsString;
use std::io;

use clew_base::source::{SourceMap, Span};
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::syntax::{FuncId, Program};
use clew_ir::witness::{InputKind, Witness};
use clew_native::Status;
use clew_native::sanitizer::{Kind, Report, read_reports};

use crate::c_values::of_kind;
use crate::judge::own_places;
use crate::plan::{self, Plan, Sight, Trap};
use crate::{Confirmer, Request, Target, build, harness, volatile_inputs};

/// The flag that makes every block of the program call [`COUNTER`].
const COUNTED: &str = "-fsanitize-coverage=trace-pc";

/// Whether a scout sees violations of a check: what every build has sanitizers for, and leaks.
pub fn sees(check: CheckKind) -> bool {
    let plan = plan::plan(check);
    let is_usual = plan.extra.is_empty() && plan.settings.is_empty();
    !matches!(plan.sight, Sight::Blind(_)) && is_usual && !matches!(plan.trap, Some(Trap::Float(_)))
}

/// A run to look at.
pub struct Errand<'a> {
    /// The program, linked, without models of the library.
    pub program: &'a Program,
    /// Functions that are called, have no body and are not the C library's.
    pub missing: &'a [FuncId],
    /// The inputs.
    pub witness: &'a Witness,
    /// Whether leaks are of interest.
    pub leaks: bool,
    /// Blocks of the program to run.
    pub blocks: u64,
}

/// What the compiled program does on inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sighting {
    /// Nothing that the sanitizers object to, as far as it was followed.
    Nothing,
    /// It fails: the first place in the program's own files, to tell faults apart.
    Fault(String),
}

impl Confirmer {
    /// Builds the units for [`Confirmer::scout`]. Says whether that works.
    pub fn prepare_scout(&mut self) -> bool {
        self.prepare([]);
        let Some(Ok(texts)) = &self.texts else { return false };
        let units: Vec<_> =
            self.units.iter().cloned().map(|unit| unit.with(OsString::from(COUNTED))).collect();
        let built = build::compile(&units, texts, &plan_of(false), &self.folder.path().join("scout"));
        self.scouted = built.ok();
        self.scouted.is_some()
    }

    /// What the compiled program does on these inputs; none if it cannot be asked.
    ///
    /// # Errors
    /// When the machine refuses: no temporary files, no processes.
    pub fn scout(&self, errand: &Errand<'_>) -> io::Result<Option<Sighting>> {
        let is_told = of_kind(errand.witness, InputKind::Unwritten).next().is_none();
        let Some(objects) =
            self.scouted.as_ref().filter(|_| is_told && !volatile_inputs::is_needed(errand.witness))
        else {
            return Ok(None);
        };
        let target = no_target();
        let Errand { program, missing, witness, .. } = *errand;
        let request = Request { program, missing, witness, target: &target };
        let plan = plan_of(errand.leaks);
        let text = harness::harness(&request, &plan) + &counter(errand.blocks);
        let wraps = harness::wraps(&request);
        let Ok(built) = build::link(&self.units, objects, &text, &plan, &wraps)? else { return Ok(None) };
        let outcome = self.start(&plan, &built)?;
        Ok(Some(sighting(&program.sources, &read_reports(&outcome.stderr_text()), outcome.status)))
    }
}

fn sighting(sources: &SourceMap, reports: &[Report], status: Status) -> Sighting {
    let Some(first) = reports.first() else {
        return match status {
            Status::Signalled(signal) => Sighting::Fault(format!("signal {signal}")),
            _ => Sighting::Nothing,
        };
    };
    // That the stack suffices is assumed of every run.
    if first.kind == Kind::StackExhausted {
        return Sighting::Nothing;
    }
    let place = own_places(sources, first).next();
    Sighting::Fault(place.map_or_else(String::new, |at| format!("{}:{}", at.file, at.line)))
}

fn plan_of(leaks: bool) -> Plan {
    let check = if leaks { CheckKind::MemoryLeak } else { CheckKind::DivisionByZero };
    plan::plan(check)
}

/// A scout is after nothing in particular.
fn no_target() -> Target {
    Target {
        id: StableId("none".into()),
        check: CheckKind::DivisionByZero,
        function: String::new(),
        span: Span::NONE,
        obligation: None,
    }
}

fn counter(blocks: u64) -> String {
    COUNTER.replace("BLOCKS", &blocks.to_string())
}

const COUNTER: &str = r"
/* Every block of the program calls this. */
void __sanitizer_cov_trace_pc(void);

__attribute__((no_sanitize_address)) void __sanitizer_cov_trace_pc(void)
{
    static unsigned long long left = BLOCKSull;

    if (--left == 0)
        _exit(0);
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scouts_see_what_every_build_has_sanitizers_for() {
        assert!([CheckKind::OutOfBounds, CheckKind::Assertion, CheckKind::MemoryLeak].into_iter().all(sees));
        let unseen = [CheckKind::UninitialisedRead, CheckKind::FloatOverflow, CheckKind::MisalignedAccess];
        assert!(!unseen.into_iter().any(sees));
    }

    #[test]
    fn silence_is_nothing_and_a_signal_is_a_fault() {
        let sources = SourceMap::default();
        assert_eq!(sighting(&sources, &[], Status::Exited(0)), Sighting::Nothing);
        assert_eq!(sighting(&sources, &[], Status::TimedOut), Sighting::Nothing);
        assert!(matches!(sighting(&sources, &[], Status::Signalled(11)), Sighting::Fault(_)));
    }
}
