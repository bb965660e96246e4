// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that come again: executed once for all, then only noted down.
//!
//! A call is inlined the first time. When it comes again with the same arguments, and memory is as it was, what it does is
//! the same, but for the condition under which it is made: it is executed once more, from a path without any branches, and
//! what that says under no condition holds under each. From then on the same call costs nothing. So a recursion that
//! makes the same calls over and over (`fib(n - 1) + fib(n - 2)`) takes as many executions as there are different calls.
//!
//! Calls that draw something (an input, what the library leaves open, an address), or that leave new objects or
//! pointers to them behind, are not the same twice; they are always inlined. So are calls where the execution itself
//! has come to know more since then, of what is told where a run ends (`Context`).

use std::rc::Rc;

use clew_ir::syntax::{Body, Call, CallResult, FuncId, Storage};
use rustc_hash::FxHashMap;

use crate::effort::{FEWEST_SUMMARY_STEPS, MOST_SUMMARY_OBJECTS};
use crate::exec::context::Exec;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::summaries::{CallContext, CallSummary, Key, Summary};
use crate::exec::record::event::{Event, EventKind};
use crate::exec::state::path::Path;
use crate::exec::state::value::{Base, ObjectId, Value};
use crate::exec::state::{Local, Object, State};
use crate::exec::transfer::call::Passed;
use crate::term::TermId;

impl Encoder<'_> {
    /// Whether all parameters are registers: an object is another one in each call.
    fn has_registers(&self, function: FuncId) -> bool {
        let body = self.body(function);
        body.is_some_and(|body| {
            let mut parameters = body.locals.iter().take(body.parameters as usize);
            parameters.all(|local| local.storage == Storage::Register)
        })
    }

    /// Whether a call leaves something behind that is new each time: an object that lives, or a pointer to one that does
    /// not. What older objects hold is not looked at.
    fn leaves_new(&self, first: usize, news: &[(ObjectId, Rc<Object>)], result: Option<&Local>) -> bool {
        let is_new = |object: ObjectId| object.0 as usize >= first;
        let lives = news.iter().any(|(id, now)| is_new(*id) && !self.terms.is_false(now.alive));
        let changes_old = news.iter().any(|(id, _)| !is_new(*id));
        let leads_there = match result.map(|result| &result.value) {
            Some(Value::Pointer(pointer)) => {
                pointer.cases.iter().any(|case| matches!(case.base, Base::Object(object) if is_new(object)))
            }
            _ => false,
        };
        lives || leads_there || changes_old && self.objects.metas.len() > first
    }

    /// The same events, each kind once: a recursion would double them at every level. That a kind happens is that one of
    /// its events is the first to end the run, or happens before that, so those that end runs exclude each other, and may
    /// stand behind those that do not.
    fn once_each(&mut self, events: Vec<Event>) -> Vec<Event> {
        let mut going = self.terms.bool(true);
        let mut kinds: Vec<(EventKind, Vec<TermId>)> = Vec::new();
        let mut index: FxHashMap<EventKind, usize> = FxHashMap::default();
        for Event { happens, kind } in events {
            let first = self.terms.and(going, happens);
            if kind.ends() {
                let not = self.terms.not(happens);
                going = self.terms.and(going, not);
            }
            let at = *index.entry(kind).or_insert_with_key(|kind| {
                kinds.push((kind.clone(), Vec::new()));
                kinds.len() - 1
            });
            kinds[at].1.push(first);
        }
        kinds.sort_by_key(|(kind, _)| kind.ends());
        let event =
            |(kind, firsts): (EventKind, Vec<TermId>)| Event { happens: self.terms.any(&firsts), kind };
        kinds.into_iter().map(event).collect()
    }
}

impl Evaluator<'_> {
    fn context(&self) -> CallContext {
        let (births, exposed) = (self.record.births.len(), self.encoder.objects.exposed.len());
        CallContext { births, exposed, has_handlers: self.record.has_handlers }
    }

    /// How much was drawn or noted down that is not the same when it comes again.
    fn notes(&self) -> [usize; 5] {
        let drawn = self.encoder.terms.variables().count();
        [
            drawn,
            self.record.inputs.len(),
            self.record.wishes.len(),
            self.record.sources.len(),
            self.record.chosen.len(),
        ]
    }
}

impl Exec<'_> {
    /// What tells a call from others, if it may be the same again. Calls of the library are told by their place, and an
    /// induction takes its own course.
    pub fn summary_key(&self, function: FuncId, call: &Call, arguments: &[Passed]) -> Option<Key> {
        let is_plain = !matches!(call.result, Some(CallResult::Place(_)))
            && arguments.iter().all(|passed| !passed.is_object && passed.value != Value::Lost);
        let is_usual = self.eval.encoder.facts.options.summaries
            && self.eval.plan.induction.is_none()
            && self.eval.plan.fork.is_none()
            && !self.eval.plan.chooses
            && !self.eval.plan.stays
            && self.eval.encoder.has_registers(function);
        let is_own =
            !self.eval.encoder.facts.options.models.contains(&function) && self.eval.library_call().is_none();
        let may = is_plain && is_usual && is_own && !self.summaries.never.contains(&function);
        let values = || arguments.iter().map(|passed| passed.value.clone()).collect();
        may.then(|| (function, values(), call.result.is_some()))
    }

    /// Runs a call that is in its frame already. The state in which it returns, if it does.
    pub fn summarised(&mut self, state: &State, body: &Body, key: Key) -> Option<State> {
        match self.summaries.known.get(&key) {
            Some(CallSummary::Summary(summary))
                if summary.context == self.eval.context() && summary.before.is_in(&state.memory) =>
            {
                let summary = summary.clone();
                self.apply(state, &summary)
            }
            Some(CallSummary::Inlined) if state.memory.len() <= MOST_SUMMARY_OBJECTS => {
                match self.summarise(state, body) {
                    Some(summary) => {
                        let summary = Rc::new(summary);
                        self.summaries.known.insert(key, CallSummary::Summary(summary.clone()));
                        self.apply(state, &summary)
                    }
                    None => {
                        self.summaries.never.insert(key.0);
                        self.run(state.clone(), body)
                    }
                }
            }
            Some(_) => self.run(state.clone(), body),
            None => {
                let before = self.budget.steps;
                let returned = self.run(state.clone(), body);
                if self.budget.steps - before >= FEWEST_SUMMARY_STEPS {
                    self.summaries.known.insert(key, CallSummary::Inlined);
                }
                returned
            }
        }
    }

    /// Executes a call under no condition. Nothing, if it is not the same each time.
    fn summarise(&mut self, state: &State, body: &Body) -> Option<Summary> {
        let (mark, objects, notes) =
            (self.eval.record.mark(), self.eval.encoder.objects.metas.len(), self.eval.notes());
        // What was read before is read again by this call, and cut again.
        self.eval.record.forget_limits();
        let entry = State { path: Path::default(), ..state.clone() };
        let returned = self.run(entry, body);
        let before = state.memory.clone();
        let (news, returns) = match returned {
            Some(state) => (before.news(&state.memory), Some((state.path, state.frame.result))),
            None => (Vec::new(), None),
        };
        let result = returns.as_ref().and_then(|(_, result)| result.as_ref());
        if self.eval.notes() != notes || self.eval.encoder.leaves_new(objects, &news, result) {
            self.eval.record.undo(mark);
            return None;
        }
        let events = self.eval.record.events.split_off(mark.events());
        self.eval.record.undo(mark);
        let events = self.eval.encoder.once_each(events);
        Some(Summary { context: self.eval.context(), before, news, events, returns })
    }

    fn apply(&mut self, state: &State, summary: &Summary) -> Option<State> {
        self.budget.steps += 1;
        let guard = state.guard(&mut self.eval.encoder.terms);
        for event in &summary.events {
            let happens = self.eval.encoder.terms.and(guard, event.happens);
            if !self.eval.encoder.terms.is_false(happens) {
                self.eval.record.events.push(Event { happens, kind: event.kind.clone() });
            }
        }
        let (path, result) = summary.returns.as_ref()?;
        let mut state = state.clone();
        state.memory.put(&summary.news);
        state.frame.result = result.clone();
        state.path.take_all(&mut self.eval.encoder.terms, path).then_some(state)
    }
}
