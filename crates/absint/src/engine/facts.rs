// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of the program that is analysed, whatever its runs do.
//!
//! It changes in one way only: objects that have been met for the first time get a name. The rest is computed where somebody
//! asks for the first time, and stays as it is.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{
    Body, ExprId, ExprKind, FuncId, Function, GlobalId, Intrinsic, IntrinsicCall, Program, StatementKind,
    TypeId,
};
use clew_ir::types::{Class, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::clock::Ticks;
use crate::domain::shape::Shape;
use crate::engine::level::Domain;
use crate::engine::options::Options;
use crate::program::call_graph;
use crate::program::callbacks::Callbacks;
use crate::program::counters::Counters;
use crate::program::flow::Flow;
use crate::program::object::{Input, Object, ObjectId, Objects};
use crate::program::octagon_packing::Packs;
use crate::program::thresholds::{Table, Thresholds};
use crate::program::tree_pairs::Wanted;

/// What is known of a program.
pub struct Facts<'p> {
    pub(crate) program: &'p Program,
    pub(crate) types: Types<'p>,
    pub(crate) options: &'p Options<'p>,
    /// The objects that have been met, and their numbers.
    pub(crate) objects: Objects,
    /// Statements of the program.
    pub(crate) statements: u64,
    /// Functions that may call themselves, directly or not.
    pub(crate) recursive: FxHashSet<FuncId>,
    frames: RefCell<FxHashMap<FuncId, Frame<'p>>>,
    thresholds: RefCell<Table>,
    pub(crate) ticking: OnceCell<FxHashSet<FuncId>>,
    pub(crate) called_once: OnceCell<FxHashSet<FuncId>>,
    address_taken: OnceCell<Vec<FuncId>>,
    tree_pairs: OnceCell<Wanted>,
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

impl<'p> Facts<'p> {
    /// What is known of a program before anything has been analysed, but for what code elsewhere may call.
    pub(crate) fn new(program: &'p Program, options: &'p Options<'p>, callbacks: &Callbacks) -> Facts<'p> {
        let blocks = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.iter());
        Facts {
            program,
            types: program.types(),
            options,
            objects: Objects::default(),
            statements: blocks.map(|block| block.statements.len() as u64).sum(),
            recursive: call_graph::recursive(program, callbacks),
            frames: RefCell::default(),
            thresholds: RefCell::new(Table::new(program)),
            ticking: OnceCell::new(),
            called_once: OnceCell::new(),
            address_taken: OnceCell::new(),
            tree_pairs: OnceCell::new(),
        }
    }

    /// The frame of a call, if the function has a body.
    pub(crate) fn frame(&self, function: FuncId, result_used: bool) -> Option<Frame<'p>> {
        let body = self.program.functions[function].body.as_ref()?;
        let known = self.frames.borrow().get(&function).cloned();
        let frame = known.unwrap_or_else(|| {
            let frame = self.new_frame(function, body);
            self.frames.borrow_mut().insert(function, frame.clone());
            frame
        });
        Some(Frame { result_used, ..frame })
    }

    fn new_frame(&self, function: FuncId, body: &'p Body) -> Frame<'p> {
        let flow = Flow::new(body);
        let wanted = self.planned(function).map(|parts| &parts.octagons);
        let octagons = self.uses_in(function, Domain::Octagons);
        let counters = match self.uses_in(function, Domain::Equalities) {
            true => Counters::new(&self.types, body, &flow.loops),
            false => Counters::default(),
        };
        let (stops, semantics) = (self.options.stops, self.program.semantics);
        let checked = body.obligations.iter().filter_map(|o| match o.condition {
            Condition::NotRaised(Raise::SignedOverflow, e) if stops(o.check, semantics) => Some(e),
            _ => None,
        });
        Frame {
            function,
            body,
            flow: Rc::new(flow),
            sums: Rc::new(Packs::new(&self.types, body, octagons).only(wanted)),
            counters: Rc::new(counters),
            unwrapped: Rc::new(checked.collect()),
            result_used: false,
        }
    }

    /// Where widening in a function may stop.
    pub(crate) fn thresholds(&self, function: FuncId) -> Rc<Thresholds> {
        self.thresholds.borrow_mut().of(self.program, function)
    }

    /// Functions in which the clock may tick.
    pub(crate) fn ticking(&self, ticks: &Ticks) -> &FxHashSet<FuncId> {
        self.ticking.get_or_init(|| call_graph::callers(self.program, &ticks.functions))
    }

    /// Functions that are called in one place.
    pub(crate) fn called_once(&self) -> &FxHashSet<FuncId> {
        self.called_once.get_or_init(|| call_graph::called_once(self.program))
    }

    /// The program's functions with a body that a pointer may point to.
    pub(crate) fn address_taken(&self) -> &[FuncId] {
        self.address_taken.get_or_init(|| {
            let mut taken = call_graph::address_taken(self.program);
            taken.retain(|f| self.function(*f).body.is_some() && !self.options.models.contains(f));
            taken
        })
    }

    /// Which decision trees are worth having.
    pub(crate) fn tree_pairs(&self) -> &Wanted {
        self.tree_pairs.get_or_init(|| Wanted::new(self.program))
    }

    pub(crate) fn function(&self, id: FuncId) -> &'p Function {
        &self.program.functions[id]
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
        let id = clew_ir::analysis::alias::resolve_global(self.program, global);
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
