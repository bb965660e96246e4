// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that come again: walked once for all, then only noted down.
//!
//! A call is inlined the first time. When it comes again with the same arguments, and memory is as it was, what it does is
//! the same, but for the condition under which it is made: it is walked once more, from a path without any branches, and
//! what that says under no condition holds under each. From then on the same call costs nothing. So a recursion that
//! makes the same calls over and over (`fib(n - 1) + fib(n - 2)`) takes as many walks as there are different calls.
//!
//! Calls that draw something (an input, what the library leaves open, an address), or that leave new objects or pointers
//! to them behind, are not the same twice; they are always inlined. So are calls where the walk itself has come to know
//! more since then, of what is told where a run ends (`Context`).

use std::rc::Rc;

use clew_ir::syntax::{Body, Call, CallResult, FuncId, Storage};
use rustc_hash::{FxHashMap, FxHashSet};

use super::call::Passed;
use super::engine::{Event, EventKind, Exec};
use super::path::Path;
use super::state::{Local, Memory, Object, State};
use super::value::{Base, ObjectId, Value};
use crate::term::TermId;

/// Fewer steps than this are not worth a summary.
const FEWEST_STEPS: u64 = 12;

/// More objects than this are not compared.
const MOST_OBJECTS: usize = 256;

/// A function with the arguments of a call, and whether its value is used.
pub(super) type Key = (FuncId, Vec<Value>, bool);

/// What is known of calls.
#[derive(Default)]
pub(super) struct Summaries {
    known: FxHashMap<Key, Known>,
    /// Functions whose calls are never the same twice.
    never: FxHashSet<FuncId>,
}

enum Known {
    /// It was inlined once, and is worth more.
    Inlined,
    Summary(Rc<Summary>),
}

/// What the walk knows that a call may look at: who answers for objects of the heap, numbers that were made from
/// pointers, whether functions run after `main`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Context {
    births: usize,
    exposed: usize,
    has_handlers: bool,
}

/// What a call does, under no condition.
struct Summary {
    context: Context,
    /// Memory as it was before.
    before: Memory,
    /// What came of it.
    news: Vec<(ObjectId, Rc<Object>)>,
    events: Vec<Event>,
    /// The path on which it returns and the value, if it does return.
    returns: Option<(Path, Option<Local>)>,
}

impl Exec<'_> {
    /// What tells a call from others, if it may be the same again. Calls of the library are told by their place, and an
    /// induction takes its own course.
    pub fn summary_key(&self, function: FuncId, call: &Call, arguments: &[Passed]) -> Option<Key> {
        let is_plain = !matches!(call.result, Some(CallResult::Place(_)))
            && arguments.iter().all(|passed| !passed.is_object && passed.value != Value::Lost);
        let is_usual = self.options.summaries
            && self.induction.is_none()
            && self.fork.is_none()
            && !self.chooses
            && !self.stays
            && self.has_registers(function);
        let is_own = !self.options.models.contains(&function) && self.library_call().is_none();
        let may = is_plain && is_usual && is_own && !self.summaries.never.contains(&function);
        let values = || arguments.iter().map(|passed| passed.value.clone()).collect();
        may.then(|| (function, values(), call.result.is_some()))
    }

    /// Whether all parameters are registers: an object is another one in each call.
    fn has_registers(&self, function: FuncId) -> bool {
        let body = self.body(function);
        body.is_some_and(|body| {
            let mut parameters = body.locals.iter().take(body.parameters as usize);
            parameters.all(|local| local.storage == Storage::Register)
        })
    }

    /// Runs a call that is in its frame already. The state in which it returns, if it does.
    pub fn summarised(&mut self, state: &State, body: &Body, key: Key) -> Option<State> {
        match self.summaries.known.get(&key) {
            Some(Known::Summary(summary))
                if summary.context == self.context() && summary.before.is_in(&state.memory) =>
            {
                let summary = summary.clone();
                self.apply(state, &summary)
            }
            Some(Known::Inlined) if state.memory.len() <= MOST_OBJECTS => match self.summarise(state, body) {
                Some(summary) => {
                    let summary = Rc::new(summary);
                    self.summaries.known.insert(key, Known::Summary(summary.clone()));
                    self.apply(state, &summary)
                }
                None => {
                    self.summaries.never.insert(key.0);
                    self.run(state.clone(), body)
                }
            },
            Some(_) => self.run(state.clone(), body),
            None => {
                let before = self.steps;
                let returned = self.run(state.clone(), body);
                if self.steps - before >= FEWEST_STEPS {
                    self.summaries.known.insert(key, Known::Inlined);
                }
                returned
            }
        }
    }

    /// Walks a call under no condition. Nothing, if it is not the same each time.
    fn summarise(&mut self, state: &State, body: &Body) -> Option<Summary> {
        let (mark, objects, notes) = (self.mark(), self.metas.len(), self.notes());
        // What was read before is read again by this call, and cut again.
        self.forget_limits();
        let entry = State { path: Path::default(), ..state.clone() };
        let returned = self.run(entry, body);
        let before = state.memory.clone();
        let (news, returns) = match returned {
            Some(state) => (before.news(&state.memory), Some((state.path, state.frame.result))),
            None => (Vec::new(), None),
        };
        let result = returns.as_ref().and_then(|(_, result)| result.as_ref());
        if self.notes() != notes || self.leaves_new(objects, &news, result) {
            self.undo(mark);
            return None;
        }
        let events = self.events.split_off(mark.events());
        self.undo(mark);
        let events = self.once_each(events);
        Some(Summary { context: self.context(), before, news, events, returns })
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
        lives || leads_there || changes_old && self.metas.len() > first
    }

    fn context(&self) -> Context {
        let (births, exposed) = (self.births.len(), self.exposed.len());
        Context { births, exposed, has_handlers: self.has_handlers }
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

    /// How much was drawn or noted down that is not the same when it comes again.
    fn notes(&self) -> [usize; 5] {
        let drawn = self.terms.variables().count();
        [drawn, self.inputs.len(), self.wishes.len(), self.sources.len(), self.chosen.len()]
    }

    fn apply(&mut self, state: &State, summary: &Summary) -> Option<State> {
        self.steps += 1;
        let guard = state.guard(&mut self.terms);
        for event in &summary.events {
            let happens = self.terms.and(guard, event.happens);
            if !self.terms.is_false(happens) {
                self.events.push(Event { happens, kind: event.kind.clone() });
            }
        }
        let (path, result) = summary.returns.as_ref()?;
        let mut state = state.clone();
        state.memory.put(&summary.news);
        state.frame.result = result.clone();
        state.path.take_all(&mut self.terms, path).then_some(state)
    }
}
