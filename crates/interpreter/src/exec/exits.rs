// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a program: what `exit` runs, and what was lost.

use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{FuncId, ObligationId};
use rustc_hash::FxHashMap;

use crate::libc;
use crate::machine::{Machine, Stop, Violation};
use crate::policy::Action;
use crate::services::plural;
use crate::value::{Pointer, Provenance, Value};

/// Functions that `exit` calls, the last registered first.
#[derive(Debug, Default)]
pub struct Exits {
    registered: Vec<(Pointer, Option<Value>)>,
    destructors: Vec<FuncId>,
}

impl Exits {
    /// Registers a function.
    pub fn push(&mut self, function: Pointer, argument: Option<Value>) {
        self.registered.push((function, argument));
    }

    /// The program's destructors, the first to run last.
    pub fn set_destructors(&mut self, destructors: Vec<FuncId>) {
        self.destructors = destructors;
    }
}

impl Machine<'_> {
    /// `exit`: registered functions, destructors, streams, then the end. Calling it again while it runs only goes on
    /// with what is left.
    pub(crate) fn exit(&mut self, status: i32) -> Stop {
        while let Some((function, argument)) = self.exits.registered.pop() {
            // `on_exit` functions get the status first, `__cxa_atexit` ones only their argument.
            let takes_two = self.function_at(function).is_some_and(|f| self.parameter_types(f).len() > 1);
            let arguments: Vec<Value> = match argument {
                Some(argument) if takes_two => vec![Value::Int(i128::from(status)), argument],
                Some(argument) => vec![argument],
                None => Vec::new(),
            };
            let span = self.current_span();
            if let Err(stop) = self.call_back(function, &arguments, span) {
                return stop;
            }
        }
        while let Some(function) = self.exits.destructors.pop() {
            if let Err(stop) = self.call_function(function, &[]) {
                return stop;
            }
        }
        libc::flush_all(&mut self.libc, self.host);
        match self.report_lost() {
            Ok(()) => Stop::Exit(status & 0xff),
            Err(stop) => stop,
        }
    }

    /// Heap objects that nothing points to any more, one finding for each place that made some.
    fn report_lost(&mut self) -> Result<(), Stop> {
        let action = self.policy.action(CheckKind::MemoryLeak);
        if action == Action::Ignore {
            return Ok(());
        }
        let roots: Vec<Provenance> = self.register_roots();
        let lost = self.memory.lost(roots.into_iter());
        let mut sites: Vec<Vec<Provenance>> = Vec::new();
        let mut index: FxHashMap<Option<(FuncId, Span)>, usize> = FxHashMap::default();
        for prov in lost {
            let Some(object) = self.memory.live(prov) else { continue };
            let site = self.traces.get(object.born).next();
            let position = *index.entry(site).or_insert(sites.len());
            if position == sites.len() {
                sites.push(Vec::new());
            }
            sites[position].push(prov);
        }
        let mut last = None;
        for objects in sites {
            let violation = self.leak(&objects);
            let finding = self.finding(violation);
            if let Some(before) = last.replace(finding) {
                self.findings.push(before);
            }
        }
        match (last, action) {
            (None, _) => Ok(()),
            (Some(finding), Action::Stop) => Err(Stop::Finding(Box::new(finding))),
            (Some(finding), _) => {
                self.findings.push(finding);
                Ok(())
            }
        }
    }

    fn leak(&self, objects: &[Provenance]) -> Violation {
        let first = objects[0];
        let bytes: u64 = objects.iter().filter_map(|p| self.memory.live(*p)).map(|o| o.size).sum();
        let origin = self.memory.live(first).and_then(|o| self.traces.get(o.born).next());
        let message = match objects.len() {
            1 => {
                format!("{} allocated here are lost: nothing points to them any more", plural(bytes, "byte"))
            }
            n => format!(
                "{n} objects allocated here ({}) are lost: nothing points to them any more",
                plural(bytes, "byte")
            ),
        };
        let span = origin.map_or(self.current_span(), |(_, span)| span);
        let obligation =
            origin.and_then(|(function, span)| self.leak_obligation(function, span).map(|id| (function, id)));
        Violation { check: CheckKind::MemoryLeak, obligation, argument: None, span, message, object: first }
    }

    /// The obligation that stands at the allocation.
    fn leak_obligation(&self, function: FuncId, span: Span) -> Option<ObligationId> {
        let body = self.program.functions[function].body.as_ref()?;
        let mut leaks =
            body.obligations.iter_enumerated().filter(|(_, o)| o.condition == Condition::NotLeaked);
        leaks.find(|(_, o)| o.span == span).map(|(id, _)| id)
    }

    /// What the registers of live frames point to. Slots of dead temporaries count: they can only hide a leak.
    fn register_roots(&self) -> Vec<Provenance> {
        let Some(top) = self.frames.last() else { return Vec::new() };
        let end = (top.base + top.code.slots as usize).min(self.registers.len());
        self.registers[..end]
            .iter()
            .map(|slot| Provenance(*slot))
            .filter(|p| self.memory.live(*p).is_some())
            .collect()
    }
}
