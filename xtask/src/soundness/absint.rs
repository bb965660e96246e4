// SPDX-License-Identifier: MIT OR Apache-2.0
//! The abstract interpreter as an engine to be judged, and the interpreter's states as it wants to see them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clew_absint::clock::Ticks;
use clew_absint::invariant::{Heads, Kin, Pointer, Run, Scalar, Thing};
use clew_absint::level::{Level, Raised};
use clew_absint::pruning_plan::{Parts, Plan, Rounds};
use clew_absint::{Limit, Outcome, Site, Subject};
use clew_base::stack::try_with_large_stack;
use clew_checks::After;
use clew_frontend::library::{Linked, with_models};
use clew_interpreter::observe::{Birth, Blocks, ObjectView, Register, View, What};
use clew_interpreter::value::{self, Provenance, Value};
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BlockId, FuncId, LocalId, ObligationId, Program, Semantics};

use super::engine::{Analysis, Engine};

/// The clock ticks at most so often: no run makes so many steps.
const MOST_TICKS: u64 = 1_000_000;

/// The abstract interpreter with its default assumptions.
pub struct Absint {
    /// Statements after which it gives up the contexts of a function, if not as usual.
    pub share: Option<u64>,
    /// The domains that take part, and how much work it is worth.
    pub level: Level,
    /// Whether it goes by a plan, as after a run that is remembered.
    pub is_planned: bool,
    /// Whether every other function is worth the highest level.
    pub raises: bool,
    /// Statements after which the rest is analysed with the least effort, if there is such a bound.
    pub careful: Option<u64>,
    /// An analysis that takes longer is given up, and claims nothing.
    pub limit: Duration,
}

impl Engine for Absint {
    fn analyse<'p>(&self, program: &'p Program) -> Result<Box<dyn Analysis + 'p>> {
        let linked = with_models(program.clone());
        let main = linked.program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main");
        let main = main.map(|(id, _)| id).context("a program without main")?;
        let plan = self.is_planned.then(|| plan(&linked.program, main));
        let raised = self.raises.then(|| raised(&linked.program));
        let options = clew_absint::Options {
            ticks: clock(&linked.program)
                .map(|function| Ticks { functions: [function].into_iter().collect(), most: MOST_TICKS }),
            level: self.level,
            raised: raised.as_ref(),
            plan: plan.as_ref(),
            share: self.share,
            limit: self.careful.map(|careful| Limit { careful, most: u64::MAX }),
            ..options(&linked, self.limit)
        };
        let analysis = try_with_large_stack(|| clew_absint::analyse(&linked.program, &options, main));
        let analysis = analysis.context("the analysis panicked")?;
        let heads = Heads::new(program);
        Ok(Box::new(Found { linked, analysis, heads }))
    }
}

/// An analysis of the usual kind, with invariants.
pub fn options(linked: &Linked, limit: Duration) -> clew_absint::Options<'static> {
    let asked = |(function, asked): (&FuncId, &std::collections::BTreeMap<ObligationId, _>)| {
        let function = *function;
        asked.keys().map(move |id| (function, *id)).collect::<Vec<_>>()
    };
    clew_absint::Options {
        stops: &stops,
        models: linked.models.iter().copied().collect(),
        requirements: linked.requirements.iter().flat_map(asked).collect(),
        malloc_succeeds: false,
        parameters_valid: true,
        parameters_lead_apart: false,
        promises: Vec::new(),
        missing_functions_leave_globals: true,
        missing_functions_free_nothing: true,
        no_asynchronous_writes: true,
        ticks: None,
        level: Level::USUAL,
        raised: None,
        plan: None,
        invariants: true,
        all_invariants: true,
        slices: None,
        share: None,
        limit: None,
        deadline: Some(Instant::now() + limit),
        cancel: None,
        progress: None,
    }
}

fn raised(program: &Program) -> Raised {
    let functions = program.functions.indices().filter(|function| function.0 % 2 == 0).collect();
    Raised { level: Level::THOROUGH, functions }
}

/// The second round alone, every other octagon, and filters in every other function.
fn plan(program: &Program, main: FuncId) -> Plan {
    let packs: BTreeSet<u32> = (0..64).filter(|pack| pack % 2 == 0).collect();
    let rounds = Rounds { first: false, pieces: false, second: true };
    let parts = |id: FuncId| Parts { octagons: packs.clone(), filters: id.0.is_multiple_of(2) };
    Plan {
        functions: program.functions.indices().map(|id| (id, parts(id))).collect(),
        rounds: [(main, rounds)].into_iter().collect(),
    }
}

/// The function that waits for the clock.
fn clock(program: &Program) -> Option<FuncId> {
    let mut found = program.functions.iter_enumerated().filter(|(_, f)| &*f.source_name == "__clew_tick");
    found.next().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id)
}

pub(super) fn stops(check: CheckKind, semantics: Semantics) -> bool {
    clew_checks::after(check, semantics) == After::Stop
}

struct Found {
    linked: Linked,
    analysis: clew_absint::Analysis,
    heads: Heads,
}

impl Found {
    /// Whether there are results at all.
    fn is_whole(&self) -> bool {
        self.given_up().is_none()
    }

    fn holds(&self, subject: Subject) -> bool {
        match self.analysis.findings.get(&subject) {
            Some(finding) => {
                matches!(finding.outcome, Outcome::Holds | Outcome::Unreached) && finding.given.is_empty()
            }
            None => subject.call.is_none_or(|site| !self.analysis.unreached_calls.contains_key(&site)),
        }
    }
}

impl Analysis for Found {
    fn given_up(&self) -> Option<String> {
        let analysis = &self.analysis;
        let late = analysis.truncated.then(|| "not done in time".to_owned());
        let unsupported = || analysis.unsupported.iter().next().map(|what| format!("not supported: {what}"));
        late.or_else(|| analysis.failed.clone()).or_else(unsupported)
    }

    fn claims(&self, function: FuncId, obligation: ObligationId) -> bool {
        self.is_whole() && self.holds(Subject { function, obligation, call: None })
    }

    fn claims_call(&self, call: Location, check: CheckKind) -> bool {
        let asked = self.linked.asked_at((call.function, call.block, call.statement), check);
        let site = Some(site(call));
        let holds = |(function, obligation)| self.holds(Subject { function, obligation, call: site });
        self.is_whole() && !asked.is_empty() && asked.into_iter().all(holds)
    }

    fn loop_heads(&self) -> Blocks {
        if self.is_whole() { self.heads.iter().collect() } else { Blocks::default() }
    }

    fn clock(&self) -> Option<FuncId> {
        clock(&self.linked.program)
    }

    fn contains(&self, function: FuncId, block: BlockId, view: &View<'_>, ticks: u64) -> Result<(), String> {
        for (round, invariants) in self.analysis.invariants.iter().enumerate() {
            let state = Seen { view, ticks };
            invariants
                .contains(&self.heads, function, block, &state)
                .map_err(|what| format!("{what} (round {})", round + 1))?;
        }
        Ok(())
    }
}

fn site(place: Location) -> Site {
    Site { function: place.function, block: place.block, statement: place.statement }
}

/// A state of the interpreter.
struct Seen<'a> {
    view: &'a View<'a>,
    ticks: u64,
}

impl Seen<'_> {
    fn kin(&self, object: &ObjectView<'_>) -> Kin {
        match object.what() {
            What::Global(global) | What::Literal(global) => Kin::Global(global),
            What::Local(function, local) => Kin::Local(function, local),
            What::Heap(Birth { place, caller, number }) => {
                Kin::Heap { call: site(place), latest: number == self.view.born(place, caller) }
            }
            What::Alloca(Birth { place, caller, number }) => {
                Kin::Alloca { site: site(place), latest: number == self.view.born(place, caller) }
            }
            What::Function(function) => Kin::Function(function),
            What::Library(_) => Kin::Other,
        }
    }

    fn thing<'a>(&self, object: ObjectView<'a>) -> Thing<'a> {
        Thing {
            id: object.provenance().0,
            kin: self.kin(&object),
            base: object.base(),
            size: object.size(),
            alive: object.alive(),
            bytes: object.bytes(),
            written: object.mask(),
        }
    }
}

fn pointer(pointer: value::Pointer) -> Pointer {
    let object = (!pointer.prov.is_none()).then_some(pointer.prov.0);
    Pointer { addr: pointer.addr, object }
}

impl Run for Seen<'_> {
    fn ticks(&self) -> u64 {
        self.ticks
    }

    fn register(&self, local: LocalId) -> Option<Scalar> {
        Some(match self.view.register(local)? {
            Register::Uninitialised => Scalar::Uninitialised,
            Register::Value(Value::Int(value)) => Scalar::Int(value),
            Register::Value(Value::Float(float)) => {
                Scalar::Float { bits: float.to_bits(), format: float.format() }
            }
            Register::Value(Value::Ptr(value)) => Scalar::Pointer(pointer(value)),
            Register::Value(Value::Unit) => return None,
        })
    }

    fn objects(&self) -> Vec<Thing<'_>> {
        self.view.objects().map(|object| self.thing(object)).collect()
    }

    fn object(&self, id: u64) -> Option<Thing<'_>> {
        self.view.object(Provenance(id)).map(|object| self.thing(object))
    }

    fn pointer(&self, object: u64, offset: u64) -> Pointer {
        let object = self.view.object(Provenance(object));
        object.map_or(Pointer { addr: 0, object: None }, |object| pointer(object.pointer(offset)))
    }
}
