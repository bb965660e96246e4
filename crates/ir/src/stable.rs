// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that survive edits elsewhere: ids of obligations and content hashes of functions.
//!
//! Both hash expressions from the leaves up, with names instead of handles. They differ in the leaves: an id
//! describes a local by its name, and a temporary by what was put into it, so that code around the operation does not
//! matter; a content hash takes the local's number, because the body as a whole is what it stands for.

use clew_base::index::{Idx, IndexVec};
use rustc_hash::FxHashMap;

use crate::hash::StableHasher;
use crate::obligation::{Condition, StableId};
use crate::syntax::*;
use crate::text::{BINARY, BUILTINS, COMPARE, RAISES, UNARY, intrinsic_name};
use crate::type_fingerprint::type_fingerprints;
use crate::visit::Visit;

/// Computes ids and content hashes for one program.
pub struct Stable<'a> {
    program: &'a Program,
    types: IndexVec<TypeId, u128>,
    globals: IndexVec<GlobalId, u128>,
}

/// The ids of all obligations, by function.
pub fn stable_ids(program: &Program) -> IndexVec<FuncId, IndexVec<ObligationId, StableId>> {
    let stable = Stable::new(program);
    program.functions.indices().map(|id| stable.ids(id)).collect()
}

/// A hash of all that a function says, without spans and without numbers of other things.
pub fn content_hash(program: &Program, function: FuncId) -> u128 {
    Stable::new(program).content(function)
}

impl<'a> Stable<'a> {
    /// Prepares for a program.
    pub fn new(program: &'a Program) -> Stable<'a> {
        Stable {
            program,
            types: type_fingerprints(program),
            globals: program.globals.iter().map(describe_global).collect(),
        }
    }

    /// The ids of a function's obligations.
    pub fn ids(&self, function: FuncId) -> IndexVec<ObligationId, StableId> {
        let function = &self.program.functions[function];
        let Some(body) = &function.body else { return IndexVec::new() };
        let nodes = Nodes::new(self, body, Leaves::Described(definitions(body)));
        let mut ordinals: FxHashMap<u128, u32> = FxHashMap::default();
        let name = |obligation: &crate::obligation::Obligation| {
            let mut hasher = StableHasher::new();
            hasher.text(&function.name);
            hasher.text(obligation.check.id());
            nodes.condition(&obligation.condition, &mut hasher);
            let ordinal = ordinals.entry(hasher.finish()).or_default();
            hasher.number(u128::from(*ordinal));
            *ordinal += 1;
            let hash = hasher.finish();
            StableId(format!("{:016x}", (hash >> 64) as u64 ^ hash as u64).into())
        };
        body.obligations.iter().map(name).collect()
    }

    /// The content hash of a function.
    pub fn content(&self, function: FuncId) -> u128 {
        let function = &self.program.functions[function];
        let mut hasher = StableHasher::new();
        hasher.text(&function.name);
        hasher.number(self.types[function.ty]);
        hasher.text(&format!("{:?} {:?}", function.linkage, function.attributes));
        hasher.text(function.alias.as_deref().unwrap_or(""));
        let empty = Body::default();
        let body = function.body.as_ref().unwrap_or(&empty);
        hasher.tag(u8::from(function.body.is_some()));
        let nodes = Nodes::new(self, body, Leaves::Numbered);
        let contract = &function.contract;
        for conditions in [&contract.requires, &contract.ensures] {
            hasher.number(conditions.len() as u128);
            conditions.iter().for_each(|c| nodes.operand(*c, &mut hasher));
        }
        if let Some(assigns) = &contract.assigns {
            hasher.number(assigns.len() as u128);
            assigns.iter().for_each(|place| nodes.place(place, &nodes.hashes, &mut hasher));
        }
        nodes.body(&mut hasher);
        hasher.finish()
    }
}

/// A string literal is its text, everything else its name.
fn describe_global(global: &Global) -> u128 {
    let mut hasher = StableHasher::new();
    match (&global.kind, &global.init) {
        (GlobalKind::StringLiteral, Some(init)) => {
            hasher.tag(1);
            hasher.bytes(&init.bytes);
        }
        _ => {
            hasher.tag(2);
            hasher.text(&global.name);
        }
    }
    hasher.finish()
}

/// What a temporary gets, if one statement alone gives it something.
#[derive(Clone, Copy)]
enum Definition<'a> {
    /// Nothing, or more than one thing.
    Unclear,
    Value(ExprId),
    Loaded(&'a Place),
    Called(&'a Call),
    Computed(&'a IntrinsicCall),
}

fn definitions(body: &Body) -> IndexVec<LocalId, Definition<'_>> {
    let mut found: IndexVec<LocalId, Definition<'_>> =
        body.locals.iter().map(|_| Definition::Unclear).collect();
    let mut counts = vec![0u32; body.locals.len()];
    let mut define = |local: LocalId, definition| {
        counts[local.index()] += 1;
        found[local] = if counts[local.index()] == 1 { definition } else { Definition::Unclear };
    };
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        match &statement.kind {
            StatementKind::Assign { local, value } => define(*local, Definition::Value(*value)),
            StatementKind::Load { local, place, .. } => define(*local, Definition::Loaded(place)),
            StatementKind::Havoc { target: HavocTarget::Local(local) } => define(*local, Definition::Unclear),
            StatementKind::Call(call) => {
                if let Some(CallResult::Local(local)) = call.result {
                    define(local, Definition::Called(call));
                }
            }
            StatementKind::Intrinsic(call) => {
                if let Some(CallResult::Local(local)) = call.result {
                    define(local, Definition::Computed(call));
                }
            }
            _ => {}
        }
    }
    found
}

enum Leaves<'a> {
    Numbered,
    Described(IndexVec<LocalId, Definition<'a>>),
}

/// How many definitions of temporaries are looked through, one behind the other. Definitions may go in
/// circles, and a round trip through text may renumber the arena: a fixed number of passes minds neither.
const UNFOLDINGS: usize = 3;

type Hashes = IndexVec<ExprId, u128>;

/// The hash of every node of an arena.
struct Nodes<'a> {
    stable: &'a Stable<'a>,
    body: &'a Body,
    leaves: Leaves<'a>,
    /// This pass, as far as it has come.
    hashes: Hashes,
    /// The pass before: what definitions of temporaries are made from. Empty in the first pass.
    before: Hashes,
}

impl<'a> Nodes<'a> {
    fn new(stable: &'a Stable<'a>, body: &'a Body, leaves: Leaves<'a>) -> Nodes<'a> {
        let passes = if matches!(leaves, Leaves::Numbered) { 1 } else { 1 + UNFOLDINGS };
        let mut nodes = Nodes { stable, body, leaves, hashes: IndexVec::new(), before: IndexVec::new() };
        for _ in 0..passes {
            nodes.before = std::mem::take(&mut nodes.hashes);
            for expr in body.exprs.iter() {
                let mut hasher = StableHasher::new();
                nodes.node(expr, &mut hasher);
                nodes.hashes.push(hasher.finish());
            }
        }
        nodes
    }

    fn operand(&self, id: ExprId, hasher: &mut StableHasher) {
        hasher.number(self.hashes[id]);
    }

    fn node(&self, expr: &Expr, hasher: &mut StableHasher) {
        hasher.number(self.stable.types[expr.ty]);
        match &expr.kind {
            ExprKind::Int(value) => {
                hasher.tag(0);
                hasher.number(*value as u128);
            }
            ExprKind::Float { bits, .. } => {
                hasher.tag(1);
                hasher.number(*bits);
            }
            ExprKind::Local(local) => self.local(*local, hasher),
            ExprKind::AddressOf(place) => {
                hasher.tag(3);
                self.place(place, &self.hashes, hasher);
            }
            ExprKind::Function(function) => {
                hasher.tag(4);
                hasher.text(&self.stable.program.functions[*function].name);
            }
            ExprKind::Label(block) => {
                hasher.tag(5);
                if matches!(self.leaves, Leaves::Numbered) {
                    hasher.number(u128::from(block.0));
                }
            }
            ExprKind::Unary(op, _) => hasher.text(UNARY.name(*op)),
            ExprKind::Binary(op, ..) => hasher.text(BINARY.name(*op)),
            ExprKind::Compare(op, ..) => hasher.text(COMPARE.name(*op)),
            ExprKind::Cast(_) => hasher.tag(9),
            ExprKind::PointerAdd { stride, .. } => {
                hasher.tag(10);
                hasher.number(u128::from(*stride));
            }
            ExprKind::PointerDifference { stride, .. } => {
                hasher.tag(11);
                hasher.number(u128::from(*stride));
            }
            ExprKind::Overflows { op, of, .. } => {
                hasher.tag(12);
                hasher.text(BINARY.name(*op));
                hasher.number(self.stable.types[*of]);
            }
            ExprKind::Builtin(builtin, _) => hasher.text(BUILTINS.name(*builtin)),
            ExprKind::Select { .. } => hasher.tag(14),
        }
        if !matches!(expr.kind, ExprKind::AddressOf(_)) {
            expr.operands(|operand| self.operand(operand, hasher));
        }
    }

    fn local(&self, id: LocalId, hasher: &mut StableHasher) {
        let Leaves::Described(definitions) = &self.leaves else {
            hasher.tag(2);
            return hasher.number(u128::from(id.0));
        };
        let local = &self.body.locals[id];
        hasher.number(self.stable.types[local.ty]);
        if let Some(name) = &local.name {
            hasher.tag(20);
            return hasher.text(name);
        }
        if id.0 < self.body.parameters {
            hasher.tag(21);
            return hasher.number(u128::from(id.0));
        }
        let definition = if self.before.is_empty() { Definition::Unclear } else { definitions[id] };
        // Definitions are described as the pass before saw them.
        let before = &self.before;
        match definition {
            Definition::Unclear => hasher.tag(22),
            Definition::Value(value) => {
                hasher.tag(23);
                hasher.number(before[value]);
            }
            Definition::Loaded(place) => {
                hasher.tag(24);
                self.place(place, before, hasher);
            }
            Definition::Called(call) => {
                hasher.tag(25);
                self.call(call, before, hasher);
            }
            Definition::Computed(call) => {
                hasher.tag(26);
                self.intrinsic(call, before, hasher);
            }
        }
    }

    fn place(&self, place: &Place, hashes: &Hashes, hasher: &mut StableHasher) {
        match place.base {
            PlaceBase::Local(local) => {
                hasher.tag(30);
                // A place in an unnamed object, such as a compound literal, is told apart by its type.
                self.local(local, hasher);
            }
            PlaceBase::Global(global) => {
                hasher.tag(31);
                hasher.number(self.stable.globals[global]);
            }
            PlaceBase::Deref(pointer) => {
                hasher.tag(32);
                hasher.number(hashes[pointer]);
            }
        }
        for step in &place.projections {
            match step {
                Projection::Field { record, field } => {
                    hasher.tag(33);
                    let record = &self.stable.program.records[*record];
                    hasher.text(record.name.as_deref().unwrap_or(""));
                    match record.fields.get(*field as usize).and_then(|f| f.name.as_deref()) {
                        Some(name) => hasher.text(name),
                        None => hasher.number(u128::from(*field)),
                    }
                }
                Projection::Index { index, stride, .. } => {
                    hasher.tag(34);
                    hasher.number(u128::from(*stride));
                    hasher.number(hashes[*index]);
                }
            }
        }
        hasher.tag(35);
        hasher.number(self.stable.types[place.ty]);
    }

    fn call(&self, call: &Call, hashes: &Hashes, hasher: &mut StableHasher) {
        match call.callee {
            Callee::Direct(function) => hasher.text(&self.stable.program.functions[function].name),
            Callee::Indirect(pointer) => hasher.number(hashes[pointer]),
        }
        hasher.number(call.arguments.len() as u128);
        call.arguments.iter().for_each(|argument| self.argument(argument, hashes, hasher));
        hasher.number(self.stable.types[call.signature]);
    }

    fn argument(&self, argument: &Argument, hashes: &Hashes, hasher: &mut StableHasher) {
        match argument {
            Argument::Value(value) => hasher.number(hashes[*value]),
            Argument::Object(place) => self.place(place, hashes, hasher),
        }
    }

    fn intrinsic(&self, call: &IntrinsicCall, hashes: &Hashes, hasher: &mut StableHasher) {
        match call.op {
            Intrinsic::VaArg(ty) => hasher.number(self.stable.types[ty]),
            op => hasher.text(intrinsic_name(op)),
        }
        call.arguments.iter().for_each(|argument| hasher.number(hashes[*argument]));
    }

    fn condition(&self, condition: &Condition, hasher: &mut StableHasher) {
        hasher.text(condition_name(condition));
        match condition {
            Condition::NotRaised(raise, _) => hasher.text(RAISES.name(*raise)),
            Condition::Aligned(_, align) => hasher.number(u128::from(*align)),
            Condition::Initialised(_, Some(bits)) => hasher.bytes(&[bits.start, bits.width]),
            _ => {}
        }
        Parts { nodes: self, hasher }.walk_condition(condition);
    }

    /// Everything in a body, statement by statement.
    fn body(&self, hasher: &mut StableHasher) {
        hasher.number(u128::from(self.body.parameters));
        for local in self.body.locals.iter() {
            hasher.text(local.name.as_deref().unwrap_or(""));
            hasher.number(self.stable.types[local.ty]);
            match local.storage {
                Storage::Register => hasher.tag(0),
                Storage::Memory { align, is_const } => {
                    hasher.tag(1 + u8::from(is_const));
                    hasher.number(u128::from(align));
                }
            }
        }
        for obligation in self.body.obligations.iter() {
            hasher.text(obligation.check.id());
            self.condition(&obligation.condition, hasher);
        }
        for block in self.body.blocks.iter() {
            hasher.number(block.statements.len() as u128);
            for statement in &block.statements {
                self.statement(statement, hasher);
            }
            self.terminator(&block.terminator, hasher);
        }
    }

    fn statement(&self, statement: &Statement, hasher: &mut StableHasher) {
        let (tag, text, number): (u8, &str, u64) = match &statement.kind {
            StatementKind::Check { count, .. } => (0, "", u64::from(*count)),
            StatementKind::Assign { .. } => (1, "", 0),
            StatementKind::Load { flags, .. } => (2, "", flag_bits(*flags)),
            StatementKind::Store { flags, .. } => (3, "", flag_bits(*flags)),
            StatementKind::Copy { flags, .. } => (4, "", flag_bits(*flags)),
            StatementKind::Zero { .. } => (5, "", 0),
            StatementKind::StorageLive { .. } => (6, "", 0),
            StatementKind::StorageDead { .. } => (7, "", 0),
            StatementKind::Assume { .. } => (8, "", 0),
            StatementKind::Havoc { .. } => (9, "", 0),
            StatementKind::Call(call) => (10, "", call.arguments.len() as u64),
            StatementKind::Intrinsic(call) => (11, intrinsic_name(call.op), 0),
            StatementKind::Assembler { text, memory, .. } => (12, text, u64::from(*memory)),
            StatementKind::Unordered { marker, .. } => (13, "", *marker as u64),
            StatementKind::Unsupported { what } => (14, what, 0),
        };
        hasher.tag(tag);
        hasher.text(text);
        hasher.number(u128::from(number));
        Parts { nodes: self, hasher }.walk_statement(statement);
    }

    fn terminator(&self, terminator: &Terminator, hasher: &mut StableHasher) {
        match terminator {
            Terminator::Goto(_) => hasher.tag(20),
            Terminator::Branch { .. } => hasher.tag(21),
            Terminator::Switch { cases, .. } => {
                hasher.tag(22);
                for (low, high, _) in cases {
                    hasher.number(*low as u128);
                    hasher.number(*high as u128);
                }
            }
            Terminator::Return(_) => hasher.tag(23),
            Terminator::Unreachable => hasher.tag(24),
            Terminator::ComputedGoto { .. } => hasher.tag(25),
        }
        Parts { nodes: self, hasher }.walk_terminator(terminator);
    }
}

/// Hashes the handles of a statement, each by what it stands for.
struct Parts<'n, 'a, 'h> {
    nodes: &'n Nodes<'a>,
    hasher: &'h mut StableHasher,
}

impl Visit for Parts<'_, '_, '_> {
    fn ty(&mut self, ty: &TypeId) {
        self.hasher.number(self.nodes.stable.types[*ty]);
    }
    fn function(&mut self, function: &FuncId) {
        self.hasher.text(&self.nodes.stable.program.functions[*function].name);
    }
    fn local(&mut self, local: &LocalId) {
        self.nodes.local(*local, self.hasher);
    }
    fn expr(&mut self, expr: &ExprId) {
        self.nodes.operand(*expr, self.hasher);
    }
    fn block(&mut self, block: &BlockId) {
        self.hasher.number(u128::from(block.0));
    }
    fn obligation(&mut self, obligation: &ObligationId) {
        self.hasher.number(u128::from(obligation.0));
    }
    fn place(&mut self, place: &Place) {
        self.nodes.place(place, &self.nodes.hashes, self.hasher);
    }
}

fn flag_bits(flags: AccessFlags) -> u64 {
    u64::from(flags.volatile) | u64::from(flags.atomic) << 1 | u64::from(flags.copies) << 2
}

/// The word that stands for a kind of condition. Part of every id: never change one.
fn condition_name(condition: &Condition) -> &'static str {
    match condition {
        Condition::Holds(_) => "holds",
        Condition::Never => "never",
        Condition::NotRaised(..) => "not_raised",
        Condition::InitialisedLocal(_) => "initialised_local",
        Condition::NotNull(_) => "not_null",
        Condition::Valid(_) => "valid",
        Condition::Live(_) => "live",
        Condition::InBounds(_) => "in_bounds",
        Condition::Writable(_) => "writable",
        Condition::Aligned(..) => "aligned",
        Condition::Initialised(..) => "initialised",
        Condition::AllocBase(_) => "alloc_base",
        Condition::Handle(_) => "handle",
        Condition::Lasting(_) => "lasting",
        Condition::SameObject(..) => "same_object",
        Condition::Disjoint { .. } => "disjoint",
        Condition::SameOrDisjoint { .. } => "same_or_disjoint",
        Condition::ReadableRange(..) => "readable",
        Condition::WritableRange(..) => "writable_range",
        Condition::NulWithin(_) => "nul_within",
        Condition::WrittenText(_) => "written_text",
        Condition::WrittenRange(..) => "written_range",
        Condition::Callable(_) => "callable",
        Condition::Unnamed(..) => "unnamed",
        Condition::StackFits(_) => "stack_fits",
        Condition::NotLeaked => "not_leaked",
        Condition::ResultUnused => "result_unused",
        Condition::Commutes => "commutes",
    }
}
