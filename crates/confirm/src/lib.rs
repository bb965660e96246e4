// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiler's word on a witness: the program and its inputs as a self-contained C test, built by the system
//! compiler, run in a sandbox, and believed only if it fails inside the statement of the obligation.
//!
//! - [`plan`]: which sanitizer or trap sees which check, and what none of them sees;
//! - `harness`: the generated part of the test, with the values in tables and stubs for what was nondeterministic;
//! - `environment`: the world outside the program, as the witness tells it; `system_stubs`: its networks and the
//!   answers of the system;
//! - [`driver`]: a `main` for an entry that has none;
//! - `build`: the user's units, compiled once for all witnesses that want the same sanitizers;
//! - `instrumented`: the program with conditions written out, for what no sanitizer sees;
//! - `uninitialised`: what objects hold that nothing was written to;
//! - [`scout`]: the program on inputs that may be anything, faster than the interpreter;
//! - `judge`: whether what the program said is what the witness promised;
//! - [`kept`]: the test as a folder that anyone can compile and run.
//!
//! What this crate must not know: the front end, the interpreter, the other engines.

mod build;
pub mod c_types;
mod c_values;
pub mod driver;
mod effort;
mod environment;
mod files;
mod harness;
mod instrumented;
mod judge;
pub mod kept;
pub mod plan;
pub mod scout;
mod stub;
mod system_stubs;
mod uninitialised;
mod volatile_inputs;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::syntax::{FuncId, ObligationId, Program};
use clew_ir::witness::{InputKind, Witness};
use clew_native::launch::Confinement;
use clew_native::{Child, Limits, Outcome, Sandbox};

pub use build::Unit;
use build::{Built, Objects, Refused};
use c_values::of_kind;
use effort::{FILE_BYTES, FOLDER_BYTES, RUN_MEMORY, RUN_OUTPUT, RUN_TIME};
use instrumented::Instrumented;
use plan::{Plan, Sight};

/// The obligation that a witness is said to violate.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// Its stable name.
    pub id: StableId,
    /// The check.
    pub check: CheckKind,
    /// The function it stands in, as the source names it.
    pub function: String,
    /// The C text of the operation.
    pub span: Span,
    /// Where it stands in the program; none for a rule of a library function, which stands at the call.
    pub obligation: Option<(FuncId, ObligationId)>,
}

/// A witness and what it is said to show.
pub struct Request<'a> {
    /// The program, linked, without models of the library.
    pub program: &'a Program,
    /// Functions that are called, have no body and are not the C library's.
    pub missing: &'a [FuncId],
    /// The inputs.
    pub witness: &'a Witness,
    /// What they violate.
    pub target: &'a Target,
}

impl Request<'_> {
    fn plan(&self) -> Plan {
        plan::plan(self.target.check).going_on_after(&self.witness.goes_on_after)
    }

    /// Whether the run divides by zero on its way, which no compiled program does on this machine.
    fn goes_on_after_division(&self) -> bool {
        self.witness.goes_on_after.contains(&CheckKind::DivisionByZero)
    }
}

/// What came of a confirmation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The compiled program fails inside the statement.
    Native,
    /// It does where the condition is written into it, since no sanitizer sees it, or what memory holds that was never
    /// written.
    Written,
    /// The compiled program cannot show it, for this reason.
    NotSeen {
        /// Why, as a clause.
        why: String,
    },
    /// The compiled program does something else: the witness is wrong, which is a fault of clew's.
    Mismatch {
        /// What it does, as a clause.
        what: String,
    },
}

/// The sources of a test as text: what is kept.
#[derive(Clone, Debug)]
pub struct Test {
    /// The generated file.
    pub harness: String,
    /// Preprocessed units by file name.
    pub units: Vec<(String, PathBuf)>,
    /// A shell script that builds and runs it.
    pub script: String,
}

/// Confirms witnesses of one program, whose units are compiled at most once for each set of sanitizers.
pub struct Confirmer {
    units: Vec<Unit>,
    launcher: PathBuf,
    /// Where things are built; goes away with this value.
    folder: tempfile::TempDir,
    /// Whether the program is for a 32-bit machine and is built for this one instead.
    is_widened: bool,
    /// Whether the program talks to hardware registers: at their addresses this machine has none.
    has_registers: bool,
    texts: Option<Result<Vec<(String, PathBuf)>, Refused>>,
    objects: HashMap<Vec<&'static str>, Result<Objects, Refused>>,
    /// The program with conditions written out.
    instrumented: Option<Instrumented>,
    /// The units for scouts.
    scouted: Option<Objects>,
}

impl Confirmer {
    /// For the units of a program. `launcher` is clew itself: it starts the tests (see [`clew_native::launch`]).
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new(units: Vec<Unit>, launcher: PathBuf) -> io::Result<Confirmer> {
        let folder = tempfile::Builder::new().prefix("clew-").tempdir()?;
        Ok(Confirmer {
            units,
            launcher,
            folder,
            is_widened: false,
            has_registers: false,
            texts: None,
            objects: HashMap::new(),
            instrumented: None,
            scouted: None,
        })
    }

    /// For a program that talks to hardware registers, if so: only as clew reads it can it run here.
    pub fn with_registers(mut self, has_registers: bool) -> Confirmer {
        self.has_registers = has_registers;
        self
    }

    /// Builds the units for witnesses of these checks, with those that their runs go on after. What is not prepared is
    /// not confirmed natively.
    pub fn prepare<'w>(&mut self, checks: impl IntoIterator<Item = (CheckKind, &'w [CheckKind])>) {
        if self.texts.is_none() && self.units.first().is_some_and(Unit::is_narrow) {
            self.is_widened = self.units.first().is_some_and(Unit::cannot_be_narrow);
            let suited = if self.is_widened { Unit::widened } else { Unit::with_plain_floats };
            self.units = std::mem::take(&mut self.units).into_iter().map(suited).collect();
        }
        let texts = self.texts.get_or_insert_with(|| build::preprocess(&self.units, self.folder.path()));
        for (check, goes_on_after) in checks {
            let plan = plan::plan(check).going_on_after(goes_on_after);
            let sanitizers = plan.sanitizers();
            if matches!(plan.sight, Sight::Blind(_)) || self.objects.contains_key(&sanitizers) {
                continue;
            }
            let folder = self.folder.path().join(self.objects.len().to_string());
            let built = texts.clone().and_then(|texts| build::compile(&self.units, &texts, &plan, &folder));
            self.objects.insert(sanitizers, built);
        }
    }

    /// Builds the program as clew reads it for these targets, with their conditions written out, for
    /// [`Confirmer::confirm_written`].
    pub fn prepare_written<'t>(&mut self, program: &Program, targets: impl IntoIterator<Item = &'t Target>) {
        let compiler = build::compiler_of(&self.units);
        self.instrumented =
            Instrumented::new(program, targets, compiler, &self.folder.path().join("written"));
    }

    /// Writes the test of a witness: that in which the condition is written out if that is what confirmed it.
    ///
    /// # Errors
    /// With the reason when the units cannot be preprocessed.
    pub fn test(&self, request: &Request<'_>, confirmation: &Confirmation) -> Result<Test, String> {
        let wraps = harness::wraps(request);
        if *confirmation == Confirmation::Written
            && let Some((written, plan)) = self.written_plan(request)
        {
            let script = build::script(&written.units, &written.texts, &plan, &wraps);
            let harness = harness::harness(request, &plan);
            return Ok(Test { harness, units: written.texts.clone(), script });
        }
        let plan = request.plan();
        let units = match &self.texts {
            Some(Ok(texts)) => texts.clone(),
            Some(Err(refused)) => return Err(refused.to_string()),
            None => return Err("the program was not prepared".to_owned()),
        };
        let script = build::script(&self.units, &units, &plan, &wraps);
        Ok(Test { harness: harness::harness(request, &plan), units, script })
    }

    /// Builds and runs the test of a witness and looks at what it says.
    ///
    /// # Errors
    /// When the machine refuses: no temporary files, no processes.
    pub fn confirm(&self, request: &Request<'_>) -> io::Result<Confirmation> {
        let not_seen = |why: String| Ok(Confirmation::NotSeen { why });
        let plan = request.plan();
        if let Sight::Blind(why) = plan.sight {
            return not_seen(why.to_owned());
        }
        if request.goes_on_after_division() {
            return not_seen("this machine stops at the division by zero before it".to_owned());
        }
        if request.witness.goes_on_after.contains(&request.target.check) {
            return not_seen(
                "the sanitizer would stop the run at the first of several such violations".to_owned(),
            );
        }
        if of_kind(request.witness, InputKind::Unwritten).next().is_some() {
            return not_seen("no test can choose what memory holds that was never written".to_owned());
        }
        if self.has_registers {
            return not_seen(
                "the program talks to hardware registers, which this machine has not".to_owned(),
            );
        }
        if volatile_inputs::is_needed(request.witness) {
            return not_seen("no test can choose what a volatile variable holds when it is read".to_owned());
        }
        let objects = match self.objects.get(&plan.sanitizers()) {
            Some(Ok(objects)) => objects,
            Some(Err(refused)) => return not_seen(refused.to_string()),
            None => return not_seen("the program was not prepared".to_owned()),
        };
        let text = harness::harness(request, &plan);
        match build::link(&self.units, objects, &text, &plan, &harness::wraps(request))? {
            Ok(program) => self.run(request, &plan, &program),
            Err(refused) => not_seen(refused.to_string()),
        }
    }

    fn written_plan(&self, request: &Request<'_>) -> Option<(&Instrumented, Plan)> {
        let written = self.instrumented.as_ref()?;
        Some((written, written.plan(request.target)?))
    }

    /// Asks the program as clew reads it, with conditions written out; none if it cannot show such a fault.
    ///
    /// # Errors
    /// When the machine refuses: no temporary files, no processes.
    pub fn confirm_written(&self, request: &Request<'_>) -> io::Result<Option<Confirmation>> {
        if request.goes_on_after_division() {
            return Ok(None);
        }
        let Some((written, plan)) = self.written_plan(request) else { return Ok(None) };
        let not_seen = |refused: &Refused| Ok(Some(Confirmation::NotSeen { why: refused.to_string() }));
        let objects = match &written.objects {
            Ok(objects) => objects,
            Err(refused) => return not_seen(refused),
        };
        let text = harness::harness(request, &plan);
        match build::link(&written.units, objects, &text, &plan, &harness::wraps(request))? {
            Ok(program) => Ok(Some(match self.run(request, &plan, &program)? {
                Confirmation::Native => Confirmation::Written,
                confirmation => confirmation,
            })),
            Err(refused) => not_seen(&refused),
        }
    }

    /// Runs a test in the sandbox.
    fn start(&self, plan: &Plan, program: &Built) -> io::Result<Outcome> {
        let folder = tempfile::Builder::new().prefix("clew-run-").tempdir()?;
        let sandbox = Sandbox {
            launcher: self.launcher.clone(),
            confinement: Confinement {
                folder: folder.path().to_owned(),
                cpu: RUN_TIME,
                file_bytes: FILE_BYTES,
                traces_itself: plan.leaks,
            },
            memory: RUN_MEMORY,
            folder_bytes: FOLDER_BYTES,
        };
        let child = Child::new(program.path())
            .env("ASAN_OPTIONS", plan.options())
            .limits(Limits { time: RUN_TIME, output: RUN_OUTPUT, memory: None })
            .sandbox(sandbox);
        child.run()
    }

    fn run(&self, request: &Request<'_>, plan: &Plan, program: &Built) -> io::Result<Confirmation> {
        let outcome = self.start(plan, program)?;
        let said = outcome.stderr_text();
        let verdict = judge::judge(request, plan, &said, outcome.status);
        Ok(match verdict {
            Confirmation::Mismatch { .. } | Confirmation::NotSeen { .. } if self.is_widened => Confirmation::NotSeen {
                why: "the program is for a 32-bit machine, which this compiler cannot build for, and built for 64 bits \
                      it does not fail there"
                    .to_owned(),
            },
            verdict => verdict,
        })
    }
}
