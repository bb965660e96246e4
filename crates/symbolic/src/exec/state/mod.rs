// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a symbolic run knows at one place: its path, the locals of the running call, and memory.
//!
//! The locals of the callers wait with them, on our own stack: a call does not change them.

pub(crate) mod bytes;
pub(crate) mod contents;
pub(crate) mod path;
pub(crate) mod remains;
pub(crate) mod value;

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::{FuncId, LocalId};

use crate::exec::state::contents::Contents;
use crate::exec::state::path::Path;
use crate::exec::state::value::{ObjectId, Pointer, Value};
use crate::term::{TermId, Terms};

/// The state.
#[derive(Clone)]
pub(crate) struct State {
    /// How it came here.
    pub path: Path,
    /// The running call.
    pub frame: Frame,
    /// All objects.
    pub memory: Memory,
}

/// A running call.
#[derive(Clone)]
pub(crate) struct Frame {
    /// The function.
    pub function: FuncId,
    /// Registers with their values; memory locals with the pointer to their object.
    locals: Vec<Option<Local>>,
    /// Objects that live until the call returns at the latest.
    pub owned: Vec<ObjectId>,
    /// Whether the caller uses the value.
    pub result_used: bool,
    /// Where the caller wants a record.
    pub result_place: Option<Rc<Pointer>>,
    /// What it returned, once it did.
    pub result: Option<Local>,
    /// The object that holds the unnamed arguments.
    pub unnamed: Option<ObjectId>,
}

/// A local.
#[derive(Clone, PartialEq)]
pub(crate) struct Local {
    /// Its value, or where it is.
    pub value: Value,
    /// One bit: whether it has a value.
    pub written: TermId,
}

/// An object as it is now.
#[derive(Clone)]
pub(crate) struct Object {
    /// One bit: whether it lives.
    pub alive: TermId,
    /// What it holds.
    pub contents: Rc<Contents>,
}

/// All objects as they are now. One that only other paths made is missing.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    objects: Vec<Option<Rc<Object>>>,
}

impl Frame {
    /// A call in which no local has a value.
    pub fn new(function: FuncId, locals: usize, result_used: bool) -> Frame {
        let locals = vec![None; locals];
        let owned = Vec::new();
        Frame { function, locals, owned, result_used, result_place: None, result: None, unnamed: None }
    }

    /// A local, if it has a value or a place.
    pub fn get(&self, local: LocalId) -> Option<&Local> {
        self.locals.get(local.index())?.as_ref()
    }

    /// Gives a local its value or place, or takes it away.
    pub fn set(&mut self, local: LocalId, value: Option<Local>) {
        if let Some(slot) = self.locals.get_mut(local.index()) {
            *slot = value;
        }
    }

    fn merge(terms: &mut Terms, condition: TermId, one: Frame, other: &Frame) -> Frame {
        let mut frame = one;
        for (a, b) in frame.locals.iter_mut().zip(&other.locals) {
            if a != b {
                *a = merge_local(terms, condition, a.take(), b.as_ref());
            }
        }
        if frame.result != other.result {
            frame.result = merge_local(terms, condition, frame.result.take(), other.result.as_ref());
        }
        let new = other.owned.iter().filter(|object| !frame.owned.contains(object)).copied();
        let new: Vec<ObjectId> = new.collect();
        frame.owned.extend(new);
        frame
    }
}

/// Where only one side has a value, the merged local has that value, and knows when it was written.
fn merge_local(
    terms: &mut Terms,
    condition: TermId,
    one: Option<Local>,
    other: Option<&Local>,
) -> Option<Local> {
    match (one, other) {
        (Some(a), Some(b)) => {
            let value = Value::choose(terms, condition, &a.value, &b.value);
            Some(Local { value, written: terms.ite(condition, a.written, b.written) })
        }
        (Some(a), None) => Some(Local { written: terms.and(condition, a.written), ..a }),
        (None, Some(b)) => {
            let not = terms.not(condition);
            Some(Local { value: b.value.clone(), written: terms.and(not, b.written) })
        }
        (None, None) => None,
    }
}

impl Memory {
    /// An object, if this path made it.
    pub fn get(&self, object: ObjectId) -> Option<&Rc<Object>> {
        self.objects.get(object.0 as usize)?.as_ref()
    }

    /// An object to be changed, if this path made it.
    pub fn get_mut(&mut self, object: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(object.0 as usize)?.as_mut().map(Rc::make_mut)
    }

    /// A new object.
    pub fn insert(&mut self, object: ObjectId, new: Object) {
        let index = object.0 as usize;
        if self.objects.len() <= index {
            self.objects.resize(index + 1, None);
        }
        self.objects[index] = Some(Rc::new(new));
    }

    /// The objects of this memory that are not the same in one that came of it: every write makes a new one.
    pub fn changed(&self, later: &Memory) -> Vec<ObjectId> {
        let same = |at: usize| match (self.objects.get(at), later.objects.get(at)) {
            (Some(Some(a)), Some(Some(b))) => Rc::ptr_eq(a, b),
            (Some(None) | None, _) => true,
            _ => false,
        };
        (0..self.objects.len()).filter(|at| !same(*at)).map(|at| ObjectId(at as u32)).collect()
    }

    /// Whether every object of this memory is the same in one that came of it.
    pub fn is_in(&self, later: &Memory) -> bool {
        self.objects.iter().zip(later.objects.iter().chain(std::iter::repeat(&None))).all(|pair| match pair {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        })
    }

    /// The objects that are not the same as they were, new ones among them.
    pub fn news(&self, later: &Memory) -> Vec<(ObjectId, Rc<Object>)> {
        let old = self.objects.iter().chain(std::iter::repeat(&None));
        let pairs = (0..).zip(old.zip(&later.objects));
        let news = pairs.filter_map(|(at, (old, new))| match (old, new) {
            (Some(old), Some(new)) if Rc::ptr_eq(old, new) => None,
            (_, Some(new)) => Some((ObjectId(at), new.clone())),
            (_, None) => None,
        });
        news.collect()
    }

    /// Puts objects where they were.
    pub fn put(&mut self, news: &[(ObjectId, Rc<Object>)]) {
        for (object, now) in news {
            self.insert(*object, Object::clone(now));
        }
    }

    /// How many objects there have been.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    fn merge(terms: &mut Terms, condition: TermId, one: Memory, other: &Memory) -> Memory {
        let mut memory = one;
        if memory.objects.len() < other.objects.len() {
            memory.objects.resize(other.objects.len(), None);
        }
        for (a, b) in memory.objects.iter_mut().zip(&other.objects) {
            match (a.as_mut(), b) {
                (Some(a), Some(b)) if !Rc::ptr_eq(a, b) => {
                    let alive = terms.ite(condition, a.alive, b.alive);
                    let contents = if Rc::ptr_eq(&a.contents, &b.contents) {
                        a.contents.clone()
                    } else {
                        Rc::new(Contents::merge(terms, condition, &a.contents, &b.contents))
                    };
                    *a = Rc::new(Object { alive, contents });
                }
                (None, Some(b)) => *a = Some(b.clone()),
                _ => {}
            }
        }
        memory
    }
}

impl State {
    /// The state of two runs of one call that exclude each other and meet.
    pub fn merge(terms: &mut Terms, one: State, other: &State) -> State {
        let (path, condition) = Path::merge(terms, &one.path, &other.path);
        State {
            path,
            frame: Frame::merge(terms, condition, one.frame, &other.frame),
            memory: Memory::merge(terms, condition, one.memory, &other.memory),
        }
    }

    /// How many registers would lead to something else on either side.
    pub fn choices(one: &State, other: &State) -> usize {
        let bases = |local: &Option<Local>| match local {
            Some(Local { value: Value::Pointer(pointer), .. }) => {
                pointer.cases.iter().map(|case| case.base).collect()
            }
            _ => Vec::new(),
        };
        let pairs = one.frame.locals.iter().zip(&other.frame.locals);
        let differ = |(a, b): &(&Option<Local>, &Option<Local>)| a != b && bases(a) != bases(b);
        pairs.filter(differ).count()
    }

    /// The condition under which a run is here.
    pub fn guard(&self, terms: &mut Terms) -> TermId {
        self.path.guard(terms)
    }
}
