// SPDX-License-Identifier: MIT OR Apache-2.0
//! One walk through a program at one depth: what it needs and what it notes down.
//!
//! A walk asks no solver. It writes down *events* in an order that agrees with the order of every single run:
//! checks with the condition of their violation, assumptions, and places where runs were given up. What these say
//! together is the business of `query`.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use clew_base::float::{Float, Format};
use clew_base::index::Idx;
use clew_base::int::IntType;
use clew_ir::analysis::alias::Aliases;
use clew_ir::analysis::order::{Component, weak_topological_order};
use clew_ir::syntax::{Body, FuncId, GlobalId, ObligationId, Program};
use clew_ir::witness::InputKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Options;
use super::came::{Piece, Source};
use super::fork::{Fork, Hurt};
use super::leak::Birth;
use super::object::{Contents, Fill};
use super::slice::Slice;
use super::state::{Object, State};
use super::summary::Summaries;
use super::unwritten::Chosen;
use super::value::{Base, ObjectId, Pointer, Value};
use crate::term::{Sort, TermId, Terms};
use clew_ir::location::Location;

/// A walk.
pub(super) struct Exec<'p> {
    pub program: &'p Program,
    pub options: &'p Options<'p>,
    /// All terms.
    pub terms: Terms,
    /// What never changes of each object.
    pub metas: Vec<Meta>,
    /// The object of each global.
    pub globals: Vec<ObjectId>,
    /// What each name stands for.
    pub aliases: Aliases,
    /// Variables of which every read is an input, once somebody asked.
    pub volatile_inputs: OnceCell<BTreeSet<GlobalId>>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What was read from outside, in order.
    pub inputs: Vec<Read>,
    /// Objects of the heap that somebody answers for.
    pub births: Vec<Birth>,
    /// Where texts come from.
    pub sources: Vec<Source>,
    /// What likely runs do.
    pub wishes: Vec<TermId>,
    /// What holds of runs that start as most do.
    pub usual: Vec<TermId>,
    /// Obligations whose condition was not understood.
    pub unjudged: BTreeSet<(FuncId, ObligationId)>,
    /// Functions without a body that were called.
    pub missing: BTreeSet<FuncId>,
    /// Whether functions were kept that run after `main`.
    pub has_handlers: bool,
    /// Steps taken.
    pub steps: u64,
    /// How many turns of a loop are followed whose end depends on inputs, and how deep functions call themselves.
    pub depth: u32,
    /// What merging costs.
    pub hurt: Hurt,
    /// What to do at forked branches, if there are any.
    pub fork: Option<Fork>,
    /// What calls did that came twice.
    pub summaries: Summaries,
    /// Over how many turns of each loop the walk is an induction, if it is one.
    pub induction: Option<u32>,
    /// What the walk leaves out, if it is one for some obligations only.
    pub slice: Option<Rc<Slice>>,
    /// Parts that it stepped over.
    pub stepped_over: u64,
    /// Objects that no pointer leads to, as far as it matters.
    pub private: FxHashSet<ObjectId>,
    /// Cases that pointers lost.
    pub pruned: u64,
    /// Above 0 in turns that an induction takes to have violated nothing.
    pub trusting: u32,
    /// The running calls, outermost first.
    pub calls: Vec<Running>,
    /// Where the walk is in the innermost call.
    pub at: Location,
    orders: FxHashMap<FuncId, Rc<Vec<Component>>>,
    addresses: FxHashMap<Base, TermId>,
    /// What dead objects hold.
    pub nothing: Rc<Contents>,
    /// Reads of objects that are not whole, with their guards.
    limited: FxHashSet<(ObjectId, TermId)>,
    /// Numbers that were made from pointers.
    pub exposed: FxHashMap<TermId, Rc<Pointer>>,
    /// Whether what was never written is chosen.
    pub chooses: bool,
    /// Whether it counts as written, and stays what it is. Such a walk only proves.
    pub stays: bool,
    /// What was chosen.
    pub chosen: Vec<Chosen>,
    /// The registers of each function that an obligation asks about whether they were written.
    pub asked: FxHashMap<FuncId, FxHashSet<usize>>,
}

/// How far a walk has come with its notes.
pub(super) struct Mark {
    events: usize,
    inputs: usize,
    wishes: usize,
    limited: FxHashSet<(ObjectId, TermId)>,
}

impl Mark {
    /// How many events there were.
    pub fn events(&self) -> usize {
        self.events
    }
}

/// A running call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub function: FuncId,
    /// Where it was made.
    pub site: Option<Location>,
    /// The condition under which it was made.
    pub guard: TermId,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Static,
    Literal,
    Stack,
    Heap,
    /// The library's own; `shared`: it may be one with another.
    Library {
        shared: bool,
    },
}

/// What never changes of an object.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub kind: Kind,
    /// Its size, at the width of an address.
    pub size: TermId,
    pub align: u32,
    pub writable: bool,
    /// The type it was declared with, if that has const members.
    pub partly_const: Option<clew_ir::syntax::TypeId>,
    /// One bit: whether its contents are all there is. Runs in which they are not are cut when they read it.
    pub whole: Option<TermId>,
}

/// Something of account.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// One bit. Of a check: that it is violated here. Of an assumption: that it does not hold. Of a cut: that a run
    /// comes here.
    pub happens: TermId,
    pub kind: EventKind,
}

/// What kind of event it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum EventKind {
    /// A check.
    Check {
        function: FuncId,
        obligation: ObligationId,
        /// The call of the library that it stands in.
        call: Option<Location>,
        /// Whether a violation ends the run.
        stops: bool,
        /// Whether somebody asks.
        is_open: bool,
        /// Whether a run shows it.
        shows: Shows,
    },
    /// A run that does not count.
    Assume,
    /// Runs that are not followed, and why.
    Cut(Reason),
    /// From here on a run does what the walk lets it do, and perhaps something else: of account for witnesses only.
    Loose,
}

/// Whether a run shows that a check is violated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shows {
    Always,
    /// The walk does not know all that decides it.
    Perhaps,
    Never,
}

impl EventKind {
    /// Whether no run goes on behind it.
    pub(super) fn ends(&self) -> bool {
        match self {
            EventKind::Check { stops, .. } => *stops,
            EventKind::Assume => true,
            EventKind::Cut(_) | EventKind::Loose => false,
        }
    }
}

impl Reason {
    /// Whether the interpreter may do something else in a run that comes to such a cut. It goes on behind a function
    /// without a body, and a volatile read, as the walk does.
    pub(super) fn is_loose(self) -> bool {
        !matches!(self, Reason::Missing | Reason::Volatile)
    }
}

/// Why runs are not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The depth was reached in a loop or a recursion: a deeper walk sees more.
    Depth,
    /// The budget was used up.
    Budget,
    /// A value or a place that is not followed.
    Value,
    /// A function without a body.
    Missing,
    /// An operation that is not followed.
    Operation,
    /// Addresses are compared or reckoned with in a way that depends on where objects lie.
    Addresses,
    /// Something that was never written is used.
    Unwritten,
    /// What the run is given from outside is not all that it could be given.
    Environment,
    /// Something volatile is read: it may be anything, and is taken to be what was written last.
    Volatile,
}

impl Reason {
    /// What is left out, for people.
    pub fn in_words(self) -> &'static str {
        match self {
            Reason::Depth => "loops or calls that go deeper than it follows",
            Reason::Budget => "more work than its limit",
            Reason::Value => "values that it does not follow",
            Reason::Missing => "functions without a body",
            Reason::Operation => "operations that it does not follow",
            Reason::Addresses => "addresses that depend on where objects lie",
            Reason::Unwritten => "memory that was never written",
            Reason::Environment => "what may be given from outside beyond its limit",
            Reason::Volatile => "something volatile",
        }
    }
}

/// Something that was read from outside.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// When it is read.
    pub guard: TermId,
    /// Where it comes from.
    pub kind: InputKind,
    /// What it is: one term, or the bytes of a text with its length first.
    pub terms: Vec<TermId>,
    /// How people read it.
    pub shape: Shape,
    /// What reads it.
    pub name: String,
}

/// What a bit pattern stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A number.
    Int(IntType),
    /// A float.
    Float(Format),
    /// Whether an allocation succeeds.
    Success,
    /// A text.
    Text,
    /// Bytes, as many as there are terms.
    Bytes,
    /// A part of a text.
    Piece(Piece),
}

impl Shape {
    /// The bit pattern and the value for a person.
    pub fn show(self, values: &[u128]) -> (String, String) {
        let bits = values.first().copied().unwrap_or(0);
        let value = match self {
            Shape::Int(int) => int.display(int.wrap(bits as i128)).to_string(),
            Shape::Float(Format::F32) => format!("{:?}", Float::from_bits(Format::F32, bits).to_f32()),
            Shape::Float(format) => format!("{:?}", Float::from_bits(format, bits).to_f64()),
            Shape::Success => if bits == 1 { "succeeds" } else { "fails" }.to_owned(),
            Shape::Text | Shape::Bytes | Shape::Piece(_) => {
                let all: Vec<u8> = values.iter().map(|byte| *byte as u8).collect();
                let text: Vec<u8> = match self {
                    Shape::Text => all.get(1..).unwrap_or(&[]).iter().take(bits as usize).copied().collect(),
                    _ => all,
                };
                return show_text(&text);
            }
        };
        (format!("{bits:#x}"), value)
    }
}

/// The bytes of a text and the text for a person.
pub(super) fn show_text(text: &[u8]) -> (String, String) {
    let digits: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
    (format!("0x{digits}"), format!("\"{}\"", text.escape_ascii()))
}

impl<'p> Exec<'p> {
    /// A walk that has not begun.
    pub fn new(program: &'p Program, options: &'p Options<'p>, depth: u32) -> Exec<'p> {
        let entry =
            Location { function: FuncId::new(0), block: clew_ir::syntax::BlockId::new(0), statement: 0 };
        Exec {
            program,
            options,
            terms: Terms::new(),
            metas: Vec::new(),
            globals: Vec::new(),
            aliases: Aliases::of(program),
            volatile_inputs: OnceCell::new(),
            events: Vec::new(),
            inputs: Vec::new(),
            births: Vec::new(),
            sources: Vec::new(),
            wishes: Vec::new(),
            usual: Vec::new(),
            unjudged: BTreeSet::new(),
            missing: BTreeSet::new(),
            has_handlers: false,
            steps: 0,
            depth,
            summaries: Summaries::default(),
            hurt: Hurt::default(),
            fork: None,
            induction: None,
            slice: None,
            stepped_over: 0,
            pruned: 0,
            private: FxHashSet::default(),
            trusting: 0,
            calls: Vec::new(),
            at: entry,
            orders: FxHashMap::default(),
            addresses: FxHashMap::default(),
            nothing: Rc::new(Contents::new(Fill::Unwritten)),
            limited: FxHashSet::default(),
            exposed: FxHashMap::default(),
            chooses: false,
            stays: false,
            chosen: Vec::new(),
            asked: FxHashMap::default(),
        }
    }

    /// The body of a function.
    pub fn body(&self, function: FuncId) -> Option<&'p Body> {
        self.program.functions[function].body.as_ref()
    }

    /// The order of a function's blocks.
    pub fn order(&mut self, function: FuncId, body: &Body) -> Rc<Vec<Component>> {
        self.orders.entry(function).or_insert_with(|| Rc::new(weak_topological_order(body))).clone()
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> u32 {
        u32::from(self.program.target.pointer_bytes) * 8
    }

    /// A constant of the width of an address.
    pub fn address(&mut self, value: u64) -> TermId {
        self.terms.constant(self.address_bits(), u128::from(value))
    }

    /// The null pointer.
    pub fn null(&mut self) -> Value {
        let zero = self.address(0);
        Value::pointer(&mut self.terms, Base::Number, zero)
    }

    /// A number for where something lies, which nobody knows.
    pub fn address_of(&mut self, base: Base) -> TermId {
        if base == Base::Number {
            return self.address(0);
        }
        if let Some(known) = self.addresses.get(&base) {
            return *known;
        }
        let align = match base {
            Base::Object(object) => self.metas[object.0 as usize].align.max(1),
            _ => 16,
        };
        let bits = self.address_bits();
        let low = align.trailing_zeros().min(bits - 1);
        let high = self.terms.fresh("address", Sort::Bits(bits - low));
        let zeros = (low > 0).then(|| self.terms.constant(low, 0));
        let address = zeros.map_or(high, |zeros| self.terms.concat(high, zeros));
        self.addresses.insert(base, address);
        address
    }

    /// A new object.
    pub fn allocate(&mut self, state: &mut State, meta: Meta, fill: Fill) -> ObjectId {
        let object = ObjectId(self.metas.len() as u32);
        self.metas.push(meta);
        let alive = self.terms.bool(true);
        state.memory.insert(object, Object { alive, contents: Rc::new(Contents::new(fill)) });
        object
    }

    /// An object is read: runs in which it is larger than what is followed of it end.
    pub fn limit(&mut self, state: &State, object: ObjectId) {
        let Some(whole) = self.metas[object.0 as usize].whole else { return };
        let guard = state.guard(&mut self.terms);
        if self.limited.insert((object, guard)) {
            let larger = self.terms.not(whole);
            self.cut_if(state, larger, Reason::Depth);
            // Whether any run is left is not of account: reads of it are followed all the same.
            let _ = self.assume(state, whole);
        }
    }

    /// Notes that runs are not followed: those of the state for which the condition holds.
    pub fn cut_if(&mut self, state: &State, condition: TermId, why: Reason) {
        let guard = state.guard(&mut self.terms);
        let happens = self.terms.and(guard, condition);
        if !self.terms.is_false(happens) {
            self.events.push(Event { happens, kind: EventKind::Cut(why) });
        }
    }

    /// Notes that the runs of a state are not followed.
    pub fn cut(&mut self, state: &State, why: Reason) {
        let all = self.terms.bool(true);
        self.cut_if(state, all, why);
    }

    /// What there is to undo a part of the walk.
    pub fn mark(&self) -> Mark {
        Mark {
            events: self.events.len(),
            inputs: self.inputs.len(),
            wishes: self.wishes.len(),
            limited: self.limited.clone(),
        }
    }

    /// Reads of objects that are not whole are noted anew.
    pub fn forget_limits(&mut self) {
        self.limited.clear();
    }

    /// Takes back what was noted down since. Terms and objects stay: nobody knows of them.
    pub fn undo(&mut self, mark: Mark) {
        self.events.truncate(mark.events);
        self.inputs.truncate(mark.inputs);
        self.wishes.truncate(mark.wishes);
        self.limited = mark.limited;
    }

    /// Notes that inputs do not decide what the runs of a state do from here on.
    pub fn loosen(&mut self, state: &State) {
        let happens = state.guard(&mut self.terms);
        self.events.push(Event { happens, kind: EventKind::Loose });
    }

    /// Only runs in which the condition holds go on. `false`: there are none.
    #[must_use]
    pub fn assume(&mut self, state: &State, condition: TermId) -> bool {
        let guard = state.guard(&mut self.terms);
        let not = self.terms.not(condition);
        let happens = self.terms.and(guard, not);
        if !self.terms.is_false(happens) {
            self.events.push(Event { happens, kind: EventKind::Assume });
        }
        !self.terms.is_false(condition)
    }

    /// Whether the walk may go on.
    pub fn has_budget(&self) -> bool {
        self.steps < self.options.most_steps
            && self.terms.len() < self.options.most_terms
            && !self.options.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
