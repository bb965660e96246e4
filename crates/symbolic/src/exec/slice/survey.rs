// SPDX-License-Identifier: MIT OR Apache-2.0
//! What slices need to know of a program, once for all groups of obligations.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::index::Idx;
use clew_ir::analysis::graph::{reached, successors};
use clew_ir::analysis::order::loops;
use clew_ir::location::Location;
use clew_ir::reach::reach;
use clew_ir::syntax::{
    Address, Block, BlockId, Body, Call, Callee, ExprId, ExprKind, FuncId, GlobalId, LocalId, ObligationId,
    PlaceBase, Program, Statement, StatementKind, Storage, Terminator,
};
use clew_ir::visit::Visit;

use super::effects::{self, Effects};
use super::region::{Region, regions};
use crate::effort::MOST_SURVEYED_EXPRS;
use crate::exec::context::slice::Var;

/// Functions that make others run at another time: whose programs are not sliced.
const LATER: &[&str] = &["atexit", "at_quick_exit", "on_exit", "signal", "sigaction"];

/// A program.
pub(crate) struct Survey<'p> {
    pub program: &'p Program,
    pub models: &'p BTreeSet<FuncId>,
    /// The functions with a body that runs may come to.
    pub functions: BTreeSet<FuncId>,
    /// Functions that pointers may lead to.
    pub taken: BTreeSet<FuncId>,
    /// Objects that pointers may lead to.
    pub escaped: BTreeSet<Var>,
    locals: BTreeMap<FuncId, Vec<BTreeSet<LocalId>>>,
    /// Blocks from which no run returns.
    dead: BTreeMap<FuncId, BTreeSet<BlockId>>,
}

/// A segment that may be stepped over: which, and what it does.
pub(crate) struct Segment {
    pub function: FuncId,
    pub what: What,
    pub effects: Effects,
    /// The functions that it calls, and those that they call.
    pub calls: BTreeSet<FuncId>,
    /// Whether it is worth it: it has loops.
    pub has_loops: bool,
}

impl Segment {
    /// Whether an obligation stands in it, or in what it calls.
    pub fn has(&self, survey: &Survey<'_>, (function, id): (FuncId, ObligationId)) -> bool {
        let stands_in = |region: &Region| {
            let Some(body) = survey.body(function).filter(|_| function == self.function) else {
                return false;
            };
            let ids = |statement: &Statement| match statement.kind {
                StatementKind::Check { first, count } => first.index()..first.index() + count as usize,
                StatementKind::Unordered { obligation, .. } => obligation.index()..obligation.index() + 1,
                _ => 0..0,
            };
            let mut statements = region.blocks.iter().flat_map(|block| &body.blocks[*block].statements);
            statements.any(|statement| ids(statement).contains(&id.index()))
        };
        self.calls.contains(&function) || matches!(&self.what, What::Region(region) if stands_in(region))
    }
}

/// What kind of segment.
pub(crate) enum What {
    Region(Region),
    Call(Location),
}

impl<'p> Survey<'p> {
    /// Looks at a program. None if it does what slices know nothing of, or is too large.
    pub fn of(program: &'p Program, models: &'p BTreeSet<FuncId>, entry: FuncId) -> Option<Survey<'p>> {
        let named = reach(program, [entry], []);
        let is_odd = |function: &FuncId| {
            let declared = &program.functions[*function];
            let attributes = &declared.attributes;
            declared.alias.is_some() || attributes.returns_twice || LATER.contains(&&*declared.name)
        };
        let runs_by_itself = program.functions.iter().any(|function| {
            let attributes = &function.attributes;
            function.body.is_some() && (attributes.constructor.is_some() || attributes.destructor.is_some())
        });
        let has_aliases = program.globals.iter().any(|global| global.alias.is_some());
        if named.functions.iter().any(is_odd) || runs_by_itself || has_aliases {
            return None;
        }
        let functions: BTreeSet<FuncId> =
            { named.functions.into_iter() }.filter(|f| program.functions[*f].body.is_some()).collect();
        let bodies = functions.iter().filter_map(|function| program.functions[*function].body.as_ref());
        if bodies.map(|body| body.exprs.len()).sum::<usize>() > MOST_SURVEYED_EXPRS {
            return None;
        }
        let mut survey = Survey {
            program,
            models,
            functions,
            taken: BTreeSet::new(),
            escaped: BTreeSet::new(),
            locals: BTreeMap::new(),
            dead: BTreeMap::new(),
        };
        survey.collect_from(&named.globals);
        Some(survey)
    }

    fn collect_from(&mut self, globals: &BTreeSet<GlobalId>) {
        let program = self.program;
        for global in globals {
            for relocation in program.globals[*global].init.iter().flat_map(|init| &init.relocations) {
                for address in [Some(relocation.target), relocation.minus].into_iter().flatten() {
                    match address {
                        Address::Global(global) => drop(self.escaped.insert(Var::Global(global))),
                        Address::Function(function) => drop(self.taken.insert(function)),
                        Address::Label(..) => {}
                    }
                }
            }
        }
        for function in self.functions.clone() {
            let Some(body) = self.body(function) else { continue };
            self.locals.insert(function, locals_of(body));
            self.take_addresses(function, body);
            let returns = |block: &BlockId| {
                let found = reached(body, *block);
                found.iter().any(|b| matches!(body.blocks[*b].terminator, Terminator::Return(_)))
            };
            let dead = body.blocks.indices().filter(|block| !returns(block)).collect();
            self.dead.insert(function, dead);
        }
    }

    /// Notes what pointers may lead to. What obligations ask about a place does not take its address.
    fn take_addresses(&mut self, function: FuncId, body: &Body) {
        let mut roots = Vec::new();
        for block in body.blocks.iter() {
            block.statements.iter().for_each(|statement| statement.exprs(|expr| roots.push(expr)));
            block.terminator.exprs(|expr| roots.push(expr));
        }
        let mut seen = BTreeSet::new();
        while let Some(expr) = roots.pop() {
            if !seen.insert(expr) {
                continue;
            }
            body.exprs[expr].operands(|operand| roots.push(operand));
            match &body.exprs[expr].kind {
                ExprKind::AddressOf(place) => match place.base {
                    PlaceBase::Local(local) => drop(self.escaped.insert(Var::Local(function, local))),
                    PlaceBase::Global(global) => drop(self.escaped.insert(Var::Global(global))),
                    PlaceBase::Deref(_) => {}
                },
                ExprKind::Function(function) => drop(self.taken.insert(*function)),
                _ => {}
            }
        }
    }

    /// The code of a function.
    pub fn body(&self, function: FuncId) -> Option<&'p Body> {
        self.program.functions[function].body.as_ref()
    }

    /// The registers that an expression reads.
    pub fn locals(&self, function: FuncId, expr: ExprId) -> impl Iterator<Item = LocalId> {
        let known = self.locals.get(&function).and_then(|all| all.get(expr.index()));
        known.into_iter().flatten().copied()
    }

    /// Whether a block's end leads somewhere from where no run returns.
    pub fn has_dead_end(&self, function: FuncId, terminator: &Terminator) -> bool {
        let dead = self.dead.get(&function);
        successors(terminator).iter().any(|to| dead.is_some_and(|dead| dead.contains(to)))
    }

    /// The objects that no pointer leads to. Parameters in memory are not among them.
    pub fn private(&self) -> impl Iterator<Item = Var> {
        let globals = self.program.globals.indices().map(Var::Global);
        let locals = self.functions.iter().filter_map(|function| Some((*function, self.body(*function)?)));
        let locals = locals.flat_map(|(function, body)| {
            let own = body.locals.indices().skip(body.parameters as usize);
            own.map(move |local| Var::Local(function, local))
        });
        globals.chain(locals).filter(|var| !self.escaped.contains(var))
    }

    /// What holds values as pointers see it: all that they may lead to is one.
    pub fn seen(&self, var: Var) -> Var {
        if self.escaped.contains(&var) { Var::Memory } else { var }
    }

    /// The functions that a call may enter. None: not known.
    pub fn callees(&self, call: &Call) -> Option<FuncId> {
        match call.callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(_) => None,
        }
    }

    /// All that may be stepped over, if it has nothing to do with what is asked.
    pub fn segments(&self) -> Vec<Segment> {
        let effects = effects::of_functions(self);
        let closures = self.closures();
        let looping = self.looping(&closures);
        let mut segments = Vec::new();
        for function in &self.functions {
            let Some(body) = self.body(*function) else { continue };
            let heads = loops(body);
            for region in regions(body) {
                if let Some(mut segment) = self.region_part(&effects, &closures, (*function, body), region) {
                    let What::Region(region) = &segment.what else { continue };
                    segment.has_loops = region.blocks.iter().any(|block| heads.contains_key(block))
                        || segment.calls.iter().any(|called| looping.contains(called));
                    segments.push(segment);
                }
            }
            self.call_segments(&effects, &closures, &looping, (*function, body), &mut segments);
        }
        segments
    }

    /// A region with what it does, if it is not barred.
    fn region_part(
        &self,
        effects: &BTreeMap<FuncId, Effects>,
        closures: &BTreeMap<FuncId, BTreeSet<FuncId>>,
        (function, body): (FuncId, &Body),
        region: Region,
    ) -> Option<Segment> {
        let mut all = Effects::default();
        let mut calls = BTreeSet::new();
        for block in region.blocks.iter().map(|block| &body.blocks[*block]) {
            for statement in &block.statements {
                all.add(effects::of_statement(self, effects, (function, body), &statement.kind));
                if let StatementKind::Call(call) = &statement.kind
                    && let Some(callee) = self.callees(call)
                {
                    calls.extend(closures.get(&callee).into_iter().flatten());
                }
            }
            all.add(effects::of_terminator(self, function, &block.terminator));
        }
        if !region.has_head() {
            all.add(effects::of_terminator(self, function, &body.blocks[region.head].terminator));
        }
        for local in std::mem::take(&mut all.lives) {
            if body.locals[local].storage == Storage::Register {
                all.writes.insert(Var::Local(function, local));
            } else if !self.lives_inside(body, local, &region) {
                return None;
            }
        }
        let what = What::Region(region);
        (!all.is_barred).then_some(Segment { function, what, effects: all, calls, has_loops: false })
    }

    /// Whether a local object is of no account outside a region.
    fn lives_inside(&self, body: &Body, local: LocalId, region: &Region) -> bool {
        let is_parameter = local.index() < body.parameters as usize;
        let outside = body.blocks.iter_enumerated().filter(|(id, _)| !region.blocks.contains(id));
        !is_parameter && { outside }.all(|(_, block)| !mentions(body, block, local))
    }

    /// The calls of a function, each a segment of its own.
    fn call_segments(
        &self,
        effects: &BTreeMap<FuncId, Effects>,
        closures: &BTreeMap<FuncId, BTreeSet<FuncId>>,
        looping: &BTreeSet<FuncId>,
        (function, body): (FuncId, &Body),
        segments: &mut Vec<Segment>,
    ) {
        for (block, code) in body.blocks.iter_enumerated() {
            for (statement, kind) in (0..).zip(code.statements.iter().map(|statement| &statement.kind)) {
                let StatementKind::Call(call) = kind else { continue };
                let Some(calls) = self.callees(call).and_then(|callee| closures.get(&callee)) else {
                    continue;
                };
                let effects = effects::of_statement(self, effects, (function, body), kind);
                let has_loops = calls.iter().any(|called| looping.contains(called));
                // A call that only computes is as cheap to execute.
                if !effects.is_barred && has_loops {
                    let what = What::Call(Location { function, block, statement });
                    segments.push(Segment { function, what, effects, calls: calls.clone(), has_loops });
                }
            }
        }
    }

    /// For each function itself and all that it calls by name.
    fn closures(&self) -> BTreeMap<FuncId, BTreeSet<FuncId>> {
        let direct: BTreeMap<FuncId, BTreeSet<FuncId>> =
            self.functions.iter().map(|function| (*function, self.called(*function))).collect();
        let closure = |function: &FuncId| {
            let mut found = BTreeSet::new();
            let mut waiting = vec![*function];
            while let Some(function) = waiting.pop() {
                if found.insert(function) {
                    waiting.extend(direct.get(&function).into_iter().flatten());
                }
            }
            (*function, found)
        };
        self.functions.iter().map(closure).collect()
    }

    fn called(&self, function: FuncId) -> BTreeSet<FuncId> {
        let blocks = self.body(function).into_iter().flat_map(|body| body.blocks.iter());
        let statements = blocks.flat_map(|block| &block.statements);
        let callees = statements.filter_map(|statement| match &statement.kind {
            StatementKind::Call(call) => self.callees(call),
            _ => None,
        });
        callees.collect()
    }

    /// Functions with loops, and those that call themselves.
    fn looping(&self, closures: &BTreeMap<FuncId, BTreeSet<FuncId>>) -> BTreeSet<FuncId> {
        let calls_itself = |function: &FuncId| {
            self.called(*function)
                .iter()
                .any(|callee| closures.get(callee).is_some_and(|c| c.contains(function)))
        };
        let has_loops = |function: &FuncId| self.body(*function).is_some_and(|body| !loops(body).is_empty());
        self.functions.iter().filter(|f| has_loops(f) || calls_itself(f)).copied().collect()
    }
}

/// The registers that each expression of a function reads.
fn locals_of(body: &Body) -> Vec<BTreeSet<LocalId>> {
    let mut all: Vec<BTreeSet<LocalId>> = Vec::with_capacity(body.exprs.len());
    for expr in body.exprs.iter() {
        let mut found = BTreeSet::new();
        if let ExprKind::Local(local) = expr.kind {
            found.insert(local);
        }
        // An operand comes before its user.
        expr.operands(|operand| found.extend(all.get(operand.index()).into_iter().flatten()));
        all.push(found);
    }
    all
}

/// Whether a block has anything to do with a local object.
fn mentions(body: &Body, block: &Block, local: LocalId) -> bool {
    struct Mentions<'a> {
        body: &'a Body,
        local: LocalId,
        found: bool,
    }
    impl Visit for Mentions<'_> {
        fn local(&mut self, local: &LocalId) {
            self.found |= *local == self.local;
        }
        fn expr(&mut self, expr: &ExprId) {
            let body = self.body;
            for node in body.expr_nodes(*expr) {
                match &body.exprs[node].kind {
                    ExprKind::Local(local) => self.local(local),
                    ExprKind::AddressOf(place) => {
                        self.found |= place.base == PlaceBase::Local(self.local);
                    }
                    _ => {}
                }
            }
        }
    }
    let mut mentions = Mentions { body, local, found: false };
    block.statements.iter().for_each(|statement| mentions.walk_statement(statement));
    mentions.walk_terminator(&block.terminator);
    mentions.found
}
