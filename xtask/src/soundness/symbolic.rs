// SPDX-License-Identifier: MIT OR Apache-2.0
//! The symbolic engine as one to be judged: asked about everything, with nothing proved before.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use clew_frontend::library::{Linked, with_models};
use clew_interpreter::observe::{Blocks, View};
use clew_ir::head::Heads;
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BlockId, FuncId, ObligationId, Program};
use clew_symbolic::exec::{Options, find};

use super::absint::stops;
use super::engine::{Analysis, Engine};

/// The engine.
pub struct Symbolic {
    /// Whether every question is nearly too hard, so that branches are forked.
    is_pressed: bool,
    /// Whether it is asked about a few obligations at a time, with little effort for what slices leave open: each few have
    /// slices of their own.
    is_sliced: bool,
    /// Walks that take longer are ended, and claim nothing.
    limit: Duration,
}

impl Symbolic {
    /// As it is used.
    pub fn new(limit: Duration) -> Symbolic {
        Symbolic { is_pressed: false, is_sliced: false, limit }
    }

    /// Where branches are forked.
    pub fn pressed(limit: Duration) -> Symbolic {
        Symbolic { is_pressed: true, ..Symbolic::new(limit) }
    }

    /// Where most is left out.
    pub fn sliced(limit: Duration) -> Symbolic {
        Symbolic { is_sliced: true, ..Symbolic::new(limit) }
    }
}

/// How many obligations make up a few.
const FEW: usize = 3;

impl Engine for Symbolic {
    fn analyse<'p>(&self, program: &'p Program) -> Result<Box<dyn Analysis + 'p>> {
        let linked = with_models(program.clone());
        let main = linked.program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main");
        let main = main.map(|(id, _)| id).context("a program without main")?;
        let open = everything(program, &linked);
        let heads = Heads::new();
        let options = Options {
            models: &linked.models,
            open: &open,
            proved: &BTreeSet::new(),
            stops: &stops,
            is_answered: |name| clew_interpreter::libc::lookup_closed(name).is_some(),
            is_silent: |check| check == CheckKind::StackExhausted,
            judge: None,
            heads: Some(&heads),
            forks: !self.is_sliced,
            summaries: true,
            slices: true,
            narrows: true,
            prunes: true,
            malloc_succeeds: false,
            unwritten_stays: false,
            most_steps: 30_000,
            most_terms: 300_000,
            most_gates: 1_000_000,
            conflicts: if self.is_pressed { 20 } else { 2_000 },
            most_work: 2_000_000,
            most_depth: if self.is_sliced { 2 } else { 64 },
            cancelled: Some(ended_after(self.limit)),
            outside: None,
        };
        let few = if self.is_sliced { FEW } else { open.len().max(1) };
        let all: Vec<_> = open.iter().copied().collect();
        let mut proved = BTreeSet::new();
        for open in all.chunks(few) {
            let open = open.iter().copied().collect();
            let options = Options { open: &open, ..options.clone() };
            proved.extend(find(&linked.program, main, &options).proved);
        }
        Ok(Box::new(Claims { linked, proved }))
    }
}

/// A flag that is set after some time.
fn ended_after(limit: Duration) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        set.store(true, Ordering::Relaxed);
    });
    flag
}

/// All obligations of the program, and what the library asks.
fn everything(program: &Program, linked: &Linked) -> BTreeSet<(FuncId, ObligationId)> {
    let own = program.functions.iter_enumerated().flat_map(|(function, code)| {
        let obligations = code.body.iter().flat_map(|body| body.obligations.indices());
        obligations.map(move |obligation| (function, obligation))
    });
    let asked = linked.asked.values().flatten().flat_map(|(_, ids)| ids.iter().copied());
    own.chain(asked).collect()
}

struct Claims {
    linked: Linked,
    proved: BTreeSet<(FuncId, ObligationId)>,
}

impl Analysis for Claims {
    fn claims(&self, function: FuncId, obligation: ObligationId) -> bool {
        self.proved.contains(&(function, obligation))
    }

    fn claims_call(&self, call: Location, check: CheckKind) -> bool {
        let asked = self.linked.asked_at((call.function, call.block, call.statement), check);
        !asked.is_empty() && asked.iter().all(|id| self.proved.contains(id))
    }

    fn loop_heads(&self) -> Blocks {
        Blocks::default()
    }

    fn contains(&self, _: FuncId, _: BlockId, _: &View<'_>, _: u64) -> Result<(), String> {
        Ok(())
    }
}
