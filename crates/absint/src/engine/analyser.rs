// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one analysis of one entry carries along.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{
    BlockId, Body, ExprId, ExprKind, FuncId, Function, GlobalId, Intrinsic, IntrinsicCall, Program,
    StatementKind, TypeId,
};
use clew_ir::types::{Class, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::shape::Shape;
use crate::engine::effects::Region;
use crate::engine::options::Options;
use crate::engine::results::Results;
use crate::memory::footprint::Footprint;
use crate::program::callbacks::Callbacks;
use crate::program::counters::Counters;
use crate::program::flow::Flow;
use crate::program::object::{Input, Object, ObjectId, Objects, Site};
use crate::program::octagon_packing::Packs;
use crate::program::thresholds::Thresholds;
use crate::state::State;

/// The analysis of one entry.
pub struct Analyser<'p> {
    pub(crate) program: &'p Program,
    pub(crate) types: Types<'p>,
    pub(crate) options: &'p Options<'p>,
    pub(crate) objects: Objects,
    flows: FxHashMap<FuncId, Rc<Flow>>,
    sums: FxHashMap<FuncId, Rc<Packs>>,
    counters: FxHashMap<FuncId, Rc<Counters>>,
    unwrapped: FxHashMap<FuncId, Rc<FxHashSet<ExprId>>>,
    thresholds: crate::program::thresholds::Table,
    pub(crate) results: Results,
    /// What was seen at each statement, for slices.
    pub(crate) noted: Option<crate::engine::value_log::Noted>,
    /// Whether obligations that are met are judged for the report; not while loops are still growing.
    pub(crate) recording: bool,
    /// The functions being analysed, outermost first.
    pub(crate) stack: Vec<FuncId>,
    /// The program's call that led into a library model.
    pub(crate) model_call: Option<Site>,
    /// Functions in which the clock may tick, once somebody asked.
    pub(crate) ticking: Option<FxHashSet<FuncId>>,
    /// Functions that are called in one place, once somebody asked.
    pub(crate) called_once: Option<FxHashSet<FuncId>>,
    /// Functions whose address is taken, once somebody asked.
    pub(crate) taken: Option<Rc<[FuncId]>>,
    /// Functions that may call themselves, directly or not.
    pub(crate) recursive: FxHashSet<FuncId>,
    pub(crate) recursion: FxHashMap<FuncId, crate::engine::call::Recursion>,
    /// Contexts of recursive functions so far.
    pub(crate) contexts: FxHashMap<FuncId, u32>,
    /// The memory that was left when all that has escaped was changed last: changing it again changes nothing.
    pub(crate) havocked: crate::memory::footprint::Memory,
    /// The packs that have been met.
    pub(crate) packs: crate::domain::tuple::Index,
    /// What functions test and read, once somebody asked.
    pub(crate) wanted: std::cell::OnceCell<crate::program::tree_pairs::Wanted>,
    /// Objects whose address has been stored in memory.
    pub(crate) stored: FxHashSet<ObjectId>,
    /// Allocations whose last object became an older one since the running call began.
    pub(crate) aged: FxHashSet<ObjectId>,
    /// What was written since the running call began.
    pub(crate) written: crate::engine::effects::Writes,
    /// What holds where the program ends normally.
    pub(crate) exits: Option<State>,
    /// The leak obligation in front of the next call.
    pub(crate) pending_leak: Option<crate::engine::results::Subject>,
    /// Leak obligations by the call they stand before.
    pub(crate) leaks: BTreeMap<Site, crate::engine::results::Subject>,
    /// Whether some run may never end.
    pub(crate) may_hang: bool,
    /// Handlers of signals, and whether they have been analysed.
    pub(crate) handlers: BTreeMap<FuncId, bool>,
    /// What is known of objects in terms of the parameters of the call that is about to be analysed.
    pub(crate) passed: crate::state::symbolic::Symbolic,
    /// Differences between the parameters of that call, and with objects.
    /// The types of the arguments of the call that is being made.
    pub(crate) types_passed: Vec<TypeId>,
    /// The same of the objects that they point into.
    pub(crate) seen: crate::domain::access::Accesses,
    pub(crate) handed: crate::domain::difference::Relations,
    /// What code that is not here may call.
    pub(crate) callbacks: Callbacks,
    /// Regions of unordered calls that are open.
    pub(crate) regions: Vec<Region>,
    /// Where runs were set aside.
    pub(crate) aside: crate::engine::pruned_paths::Aside,
    /// What the running calls have done so far, outermost first.
    pub(crate) notes: Vec<crate::engine::summaries::Notes>,
    /// What calls did that have been analysed.
    pub(crate) summaries: crate::engine::summaries::Summaries,
    /// Whether arithmetic that goes wrong ends the run. Off in the second round, which looks for proofs that rest on
    /// nothing.
    pub(crate) cut_arithmetic: bool,
    /// Why results cannot be trusted, once that is so.
    pub(crate) failed: Option<String>,
    pub(crate) steps: u64,
    /// Whether loops are worth little work now: they are in a function that is analysed once for all its calls.
    pub(crate) is_hurried: bool,
    /// Statements of the program.
    pub(crate) statements: u64,
    /// Statements that turns of unrolled loops may still take.
    pub(crate) unroll_budget: u64,
    /// Statements spent on unrolling each loop.
    pub(crate) unrolled: FxHashMap<(FuncId, BlockId), crate::engine::effort::Unrolled>,
    /// The last invariant of each loop.
    pub(crate) invariants: FxHashMap<(FuncId, BlockId, Option<Site>), Sought>,
    /// The searches for invariants that are going on.
    pub(crate) nested: crate::engine::effort::Nested,
    /// How many outermost ones there have been.
    pub(crate) searches: u64,
    pub(crate) cancelled: bool,
    /// Whether inputs are cut into pieces.
    pub(crate) splitting: Option<crate::engine::effort::Splitting>,
    /// Whether there is such an input.
    pub(crate) could_split: bool,
    pub(crate) deepest: usize,
    /// What was useful so far.
    pub(crate) useful: BTreeMap<FuncId, crate::engine::pruning_plan::Parts>,
}

/// An invariant of a loop.
pub(crate) struct Sought {
    /// The state it was sought from.
    pub(crate) from: State,
    pub(crate) invariant: State,
    /// The objects that the search looked at.
    pub(crate) footprint: Footprint,
    /// What it cut.
    pub(crate) cuts: BTreeSet<u64>,
    /// The number of the outermost search that it was a part of.
    pub(crate) search: u64,
}

/// The function that is being analysed.
#[derive(Clone)]
pub struct Frame<'p> {
    pub(crate) function: FuncId,
    pub(crate) body: &'p Body,
    pub(crate) flow: Rc<Flow>,
    /// The floats that are kept in octagons.
    pub(crate) sums: Rc<Packs>,
    /// The registers that are kept in spaces.
    pub(crate) counters: Rc<Counters>,
    /// Sums and products whose overflow ends the run before them.
    pub(crate) unwrapped: Rc<FxHashSet<ExprId>>,
    /// Whether the caller uses the result.
    pub(crate) result_used: bool,
}

impl<'p> Analyser<'p> {
    /// A new analysis of a program.
    pub fn new(program: &'p Program, options: &'p Options<'p>, callbacks: Callbacks) -> Analyser<'p> {
        crate::memory::footprint::reset();
        let blocks = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.iter());
        let statements = blocks.map(|block| block.statements.len() as u64).sum();
        Analyser {
            statements,
            is_hurried: false,
            program,
            types: program.types(),
            options,
            objects: Objects::default(),
            flows: FxHashMap::default(),
            sums: FxHashMap::default(),
            counters: FxHashMap::default(),
            unwrapped: FxHashMap::default(),
            thresholds: crate::program::thresholds::Table::new(program),
            results: Results::default(),
            noted: options.slices.map(|_| Default::default()),
            recording: true,
            stack: Vec::new(),
            model_call: None,
            ticking: None,
            called_once: None,
            taken: None,
            recursive: crate::program::call_graph::recursive(program, &callbacks),
            recursion: FxHashMap::default(),
            contexts: FxHashMap::default(),
            havocked: Default::default(),
            packs: Default::default(),
            wanted: Default::default(),
            stored: FxHashSet::default(),
            aged: FxHashSet::default(),
            written: Default::default(),
            exits: None,
            pending_leak: None,
            leaks: Default::default(),
            handlers: Default::default(),
            may_hang: false,
            passed: Default::default(),
            handed: Default::default(),
            seen: Default::default(),
            types_passed: Vec::new(),
            callbacks,
            regions: Vec::new(),
            aside: Default::default(),
            notes: Vec::new(),
            summaries: Default::default(),
            cut_arithmetic: true,
            failed: None,
            steps: 0,
            unroll_budget: options
                .highest()
                .effort
                .unrolled(crate::engine::effort::unroll_budget(statements)),
            unrolled: FxHashMap::default(),
            invariants: FxHashMap::default(),
            nested: Default::default(),
            searches: 0,
            cancelled: false,
            splitting: None,
            could_split: false,
            deepest: 0,
            useful: Default::default(),
        }
    }

    /// The frame of a call, if the function has a body.
    pub(crate) fn frame(&mut self, function: FuncId, result_used: bool) -> Option<Frame<'p>> {
        let program = self.program;
        let body = program.functions[function].body.as_ref()?;
        self.useful.entry(function).or_default();
        let flow = self.flows.entry(function).or_insert_with(|| Rc::new(Flow::new(body))).clone();
        let octagons = self.uses_in(function, crate::engine::level::Domain::Octagons);
        let wanted = self.planned(function).map(|parts| &parts.octagons);
        let sums = || Rc::new(Packs::new(&self.types, body, octagons).only(wanted));
        let sums = self.sums.entry(function).or_insert_with(sums).clone();
        let equalities = self.uses_in(function, crate::engine::level::Domain::Equalities);
        let counters = || match equalities {
            true => Rc::new(Counters::new(&self.types, body, &flow.loops)),
            false => Rc::default(),
        };
        let counters = self.counters.entry(function).or_insert_with(counters).clone();
        let stops = self.options.stops;
        let semantics = program.semantics;
        let unwrapped = self.unwrapped.entry(function).or_insert_with(|| {
            let checked = body.obligations.iter().filter_map(|o| match o.condition {
                Condition::NotRaised(Raise::SignedOverflow, e) if stops(o.check, semantics) => Some(e),
                _ => None,
            });
            Rc::new(checked.collect())
        });
        let unwrapped = unwrapped.clone();
        Some(Frame { function, body, flow, sums, counters, unwrapped, result_used })
    }

    /// Where widening in a function may stop.
    pub(crate) fn thresholds(&mut self, function: FuncId) -> Rc<Thresholds> {
        self.thresholds.of(self.program, function)
    }

    pub(crate) fn function(&self, id: FuncId) -> &'p Function {
        &self.program.functions[id]
    }

    /// Counts a statement and looks at the clock now and then. False: stop.
    pub(crate) fn step(&mut self) -> bool {
        self.steps += 1;
        self.cancelled |= self.splitting.is_some_and(|splitting| self.steps > splitting.steps);
        if self.steps.is_multiple_of(512) {
            self.cancelled |= self.options.is_over();
            if self.steps.is_multiple_of(65536)
                && let Some(progress) = self.options.progress
            {
                let place = self.stack.last().map_or("", |f| &*self.program.functions[*f].source_name);
                progress(self.steps, place);
            }
        }
        !self.cancelled
    }

    /// How a scalar of the type stands in memory; none for what is no scalar.
    pub(crate) fn shape(&self, ty: TypeId) -> Option<Shape> {
        Some(match self.types.class(ty) {
            // Memory may hold any byte where a `_Bool` is read.
            Class::Int(int) if int.bits == 1 => Shape::Int(clew_base::int::IntType::U8),
            Class::Int(int) => Shape::Int(int),
            Class::Float(format) => Shape::Float(format, self.types.size_of(ty) as u32),
            Class::Pointer => Shape::Pointer(u32::from(self.program.target.pointer_bytes)),
            _ => return None,
        })
    }

    /// The object of a global, behind its alias.
    pub(crate) fn global(&mut self, global: GlobalId) -> ObjectId {
        let mut id = global;
        for _ in 0..8 {
            let Some(alias) = &self.program.globals[id].alias else { break };
            let target = self.program.globals.iter_enumerated().find(|(_, g)| g.name == *alias);
            match target {
                Some((found, _)) => id = found,
                None => break,
            }
        }
        self.objects.id(Object::Global(id))
    }

    /// Whether an object stands for several, so that a write to it may leave others as they were.
    pub(crate) fn is_summary(&self, id: ObjectId) -> bool {
        match self.objects.get(id) {
            // Each call that has ended had a local of its own, at an address of its own.
            Object::Older(..) | Object::OlderAlloca(_) | Object::DeadLocal(..) => true,
            Object::Local(function, _) | Object::VarArgs(function) => self.recursive.contains(function),
            Object::Input(input) => {
                matches!(input, Input::ArgumentStrings | Input::EnvironmentStrings | Input::Others(..))
            }
            _ => false,
        }
    }

    /// Bytes the object's start is a multiple of.
    pub(crate) fn alignment(&self, id: ObjectId) -> u64 {
        match self.objects.get(id) {
            Object::Global(g) => u64::from(self.program.globals[*g].align),
            Object::Local(f, l) | Object::DeadLocal(f, l) => {
                match self.function(*f).body.as_ref().map(|b| b.locals[*l].storage) {
                    Some(clew_ir::syntax::Storage::Memory { align, .. }) => u64::from(align),
                    _ => 1,
                }
            }
            Object::Recent(..) | Object::Older(..) | Object::Alloca(_) => 16,
            Object::OlderAlloca(_) | Object::VarArgs(_) => 16,
            Object::Function(_) | Object::Label(..) => 1,
            Object::Input(Input::Parameter { align, .. } | Input::Others(_, align)) => u64::from(*align),
            Object::Input(Input::ArgumentStrings | Input::EnvironmentStrings) => 1,
            Object::Input(Input::ArgumentVector | Input::EnvironmentVector) => {
                u64::from(self.program.target.pointer_bytes)
            }
            Object::Returned(_) => 16,
        }
    }

    /// Whether a caller may have passed something that may not be written: what a `const` parameter points to.
    pub(crate) fn may_be_const(&self, id: ObjectId) -> bool {
        match self.objects.get(id) {
            Object::Input(Input::Parameter { read_only, .. }) => *read_only,
            _ => false,
        }
    }

    /// The type that an object was declared with.
    pub(crate) fn declared_type(&self, id: ObjectId) -> Option<clew_ir::syntax::TypeId> {
        match self.objects.get(id) {
            Object::Global(g) => Some(self.program.globals[*g].ty),
            Object::Local(f, l) => self.function(*f).body.as_ref().map(|body| body.locals[*l].ty),
            _ => None,
        }
    }

    /// Whether writing to it is undefined.
    pub(crate) fn is_constant(&self, id: ObjectId) -> bool {
        match self.objects.get(id) {
            Object::Global(g) => {
                let global = &self.program.globals[*g];
                global.is_const || global.kind == clew_ir::syntax::GlobalKind::StringLiteral
            }
            Object::Local(f, l) => {
                let body = self.function(*f).body.as_ref();
                matches!(
                    body.map(|b| b.locals[*l].storage),
                    Some(clew_ir::syntax::Storage::Memory { is_const: true, .. })
                )
            }
            Object::Function(_) | Object::Label(..) => true,
            Object::Recent(..) | Object::Older(..) => self.is_owned(id),
            _ => false,
        }
    }

    /// Whether it belongs to the library.
    pub(crate) fn is_owned(&self, id: ObjectId) -> bool {
        self.owned(id).is_some()
    }

    /// Whether it may be one with another object of the library.
    pub(crate) fn may_be_shared(&self, id: ObjectId) -> bool {
        self.owned(id)
            .is_some_and(|(body, call)| !matches!(body.exprs[call.arguments[1]].kind, ExprKind::Int(0)))
    }

    /// Where the library made an object of its own.
    fn owned(&self, id: ObjectId) -> Option<(&'p Body, &'p IntrinsicCall)> {
        let (Object::Recent(site, _) | Object::Older(site, _)) = self.objects.get(id) else { return None };
        let body = self.program.functions[site.function].body.as_ref()?;
        match &body.blocks[site.block].statements.get(site.statement as usize)?.kind {
            StatementKind::Intrinsic(call) if call.op == Intrinsic::Own => Some((body, call)),
            _ => None,
        }
    }
}
