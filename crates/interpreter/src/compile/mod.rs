// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a function of the IR to its compact form, when it is first called.
//!
//! Expressions are pure, so within a block each is computed once and found again in its register until a local it reads
//! is assigned. That is also how a check and its operation become one: `Check NotRaised(overflow, e)` computes `e` with
//! an operation that leaves on overflow, and the statement that uses `e` finds it there. The access checks before a load
//! or store wait for it and become its site.

mod cache;
mod check;
mod control;
mod convert;
mod definite_assignment;
mod expr;
mod place;
mod probe;
mod statement;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use clew_base::float::Format;
use clew_base::index::{Idx, IndexVec};
use clew_base::source::Span;
use clew_ir::syntax::{
    BlockId, Body, Callee, FuncId, GlobalId, LocalId, ObligationId, Program, StatementKind, Storage, Type,
};
use clew_ir::types::Types;
use rustc_hash::FxHashMap;

use crate::code::{Action, Address, CallSite, Code, Op, Parameter, Reg, Rep, Site, SwitchTable, is_setjmp};
use crate::observe::Blocks;
use crate::policy::Policy;
use crate::probe::Wanted;
use crate::value::Pointer;
use cache::Cache;
use definite_assignment::Assigned;

/// What the compiler needs to know of the machine.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// What is done about each check.
    pub policy: &'a Policy,
    /// Where globals are.
    pub globals: &'a [Pointer],
    /// Where functions are.
    pub functions: &'a [Pointer],
    /// The function that a name stands for, aliases resolved.
    pub resolved: &'a IndexVec<FuncId, FuncId>,
    /// Variables of which every read is an input, looked up when somebody asks.
    pub volatile_inputs: &'a OnceCell<BTreeSet<GlobalId>>,
    /// Blocks that an observer looks at.
    pub watched: Option<&'a Blocks>,
    /// The obligations that a probe wants to see, if there is a probe.
    pub wanted: Option<&'a Wanted>,
    /// What a register holds that was never written, in every byte.
    pub garbage: u8,
}

/// The highest slot number in use, with room for the second half of a pair.
const MOST_SLOTS: u32 = 65_530;

/// More C stack than any machine has.
const MOST_STACK: u64 = 1 << 60;

struct Compiler<'c, 'p> {
    environment: Environment<'c>,
    program: &'p Program,
    types: Types<'p>,
    function: FuncId,
    body: &'p Body,
    code: Code,
    cache: Cache,
    assigned: Assigned,
    /// Slots of characters that are only copied on: which of their bits were written.
    shadows: FxHashMap<LocalId, Reg>,
    /// Where temporaries of a block start, and the next free slot.
    first_temporary: u32,
    next_slot: u32,
    /// Access obligations that wait for their access.
    pending: Vec<ObligationId>,
    /// The statement that is compiled.
    position: (BlockId, u32),
    block_starts: Vec<u32>,
    fixups: Vec<(usize, BlockId)>,
    switch_fixups: Vec<(usize, Vec<BlockId>, BlockId)>,
    goto_fixups: Vec<u32>,
    too_large: bool,
}

/// Compiles a function that has a body.
pub fn compile(environment: Environment<'_>, program: &Program, function: FuncId) -> Result<Code, String> {
    let source = &program.functions[function];
    let Some(body) = &source.body else { return Err(format!("`{}` has no body", source.source_name)) };
    let mut compiler = Compiler::new(environment, program, function, body);
    compiler.run();
    if compiler.too_large {
        return Err(format!("`{}` needs more than {MOST_SLOTS} registers", source.source_name));
    }
    Ok(compiler.code)
}

impl<'c, 'p> Compiler<'c, 'p> {
    fn new(environment: Environment<'c>, program: &'p Program, function: FuncId, body: &'p Body) -> Self {
        let types = program.types();
        let (variadic, result) = match types.get(program.functions[function].ty) {
            Type::Function { result, variadic, prototyped, .. } => {
                (*variadic || !*prototyped, Rep::of(types.class(*result)))
            }
            _ => (false, None),
        };
        let code = Code {
            ty: program.functions[function].ty,
            ops: Vec::new(),
            pool: Vec::new(),
            sites: FxHashMap::default(),
            calls: Vec::new(),
            switches: Vec::new(),
            parameters: Vec::new(),
            variadic,
            result,
            locals: vec![None; body.locals.len()],
            memory_locals: vec![None; body.locals.len()],
            flags: FxHashMap::default(),
            slots: 0,
            stack_bytes: 0,
            spans: Vec::new(),
            places: Vec::new(),
        };
        let watches = environment.watched.is_some_and(|blocks| blocks.iter().any(|(f, _)| *f == function));
        Compiler {
            environment,
            program,
            types,
            function,
            body,
            code,
            cache: Cache::new(body),
            assigned: Assigned::new(body, watches),
            shadows: FxHashMap::default(),
            first_temporary: 0,
            next_slot: 0,
            pending: Vec::new(),
            position: (BlockId(0), 0),
            block_starts: Vec::new(),
            fixups: Vec::new(),
            switch_fixups: Vec::new(),
            goto_fixups: Vec::new(),
            too_large: false,
        }
    }

    fn run(&mut self) {
        self.place_locals();
        self.prologue();
        for (id, block) in self.body.blocks.iter_enumerated() {
            self.block_starts.push(self.code.ops.len() as u32);
            self.position = (id, 0);
            self.cache.clear();
            self.next_slot = self.first_temporary;
            self.assigned.enter(id);
            if self.environment.watched.is_some_and(|blocks| blocks.contains(&(self.function, id))) {
                self.slow(Vec::new(), Action::Observe { block: id });
            }
            for (index, statement) in block.statements.iter().enumerate() {
                self.position = (id, index as u32);
                self.at(statement.span);
                self.statement(statement);
                self.bound_temporaries();
            }
            self.at(block.span);
            self.flush_pending();
            self.terminator(&block.terminator, BlockId::new(id.index() + 1));
        }
        self.fix_up();
    }

    /// Gives locals their slots: parameters first, so that a call can lay its arguments down.
    fn place_locals(&mut self) {
        for index in 0..self.body.parameters as usize {
            self.place_parameter(LocalId::new(index));
        }
        let mut stack_bytes: u64 = 0;
        let singles = if self.may_return_twice() {
            Default::default()
        } else {
            self.assigned.single_block_temporaries(self.body)
        };
        for (id, local) in self.body.locals.iter_enumerated() {
            if local.name.is_some() {
                stack_bytes = stack_bytes.saturating_add(self.types.size_of(local.ty)).min(MOST_STACK);
            }
            let arrived = self.code.locals[id.index()].is_some();
            if arrived || singles.contains(&id) {
                // A single-block temporary gets its slot with its block.
            } else if let Storage::Memory { .. } = local.storage {
                self.code.memory_locals[id.index()] = Some(self.slots(2));
            } else if let Some(rep) = Rep::of(self.types.class(local.ty)) {
                self.code.locals[id.index()] = Some((self.slots(rep.slots()), rep));
            }
        }
        self.find_shadows();
        for local in self.assigned.flagged() {
            let flag = self.slots(1);
            self.code.flags.insert(local, flag);
        }
        // What gcc -O0 uses beside the locals: the return address, the frame pointer, spilled arguments.
        const CALL_OVERHEAD: u64 = 48;
        self.code.stack_bytes = stack_bytes.next_multiple_of(16) + CALL_OVERHEAD;
        // The temporaries that live in one block only overlay each other.
        self.first_temporary = self.next_slot;
        self.place_single_block_temporaries(&singles);
    }

    /// Whether some call of the function may return a second time. Then no block's temporaries may lie over another's:
    /// control comes back into the middle of a block.
    fn may_return_twice(&self) -> bool {
        let statements = self.body.blocks.iter().flat_map(|block| &block.statements);
        let mut calls = statements.filter_map(|statement| match &statement.kind {
            StatementKind::Call(call) => Some(call.callee),
            _ => None,
        });
        calls.any(|callee| self.returns_twice(callee))
    }

    fn returns_twice(&self, callee: Callee) -> bool {
        let Callee::Direct(function) = callee else { return false };
        let function = &self.program.functions[function];
        function.body.is_none() && (function.attributes.returns_twice || is_setjmp(&function.name))
    }

    /// Every block gives its own temporaries slots from the same start.
    fn place_single_block_temporaries(&mut self, singles: &definite_assignment::Singles) {
        let start = self.next_slot;
        let mut highest = start;
        for locals in singles.by_block() {
            self.next_slot = start;
            for local in locals {
                if let Some(rep) = Rep::of(self.types.class(self.body.locals[*local].ty)) {
                    self.code.locals[local.index()] = Some((self.slots(rep.slots()), rep));
                }
            }
            highest = highest.max(self.next_slot);
        }
        self.first_temporary = highest;
        self.next_slot = highest;
    }

    fn place_parameter(&mut self, id: LocalId) {
        let local = &self.body.locals[id];
        let rep = Rep::of(self.types.class(local.ty));
        let d = self.slots(rep.map_or(2, Rep::slots));
        self.code.parameters.push(Parameter { d, rep });
        if let (Storage::Register, Some(rep)) = (local.storage, rep) {
            self.code.locals[id.index()] = Some((d, rep));
        }
    }

    /// Memory parameters come into being; flags of locals that may be uninitialised start unset.
    fn prologue(&mut self) {
        self.at(self.program.functions[self.function].span);
        for index in 0..self.body.parameters as usize {
            let id = LocalId::new(index);
            let Some(d) = self.code.memory_locals[index] else { continue };
            self.slow(Vec::new(), Action::Live { local: id, d, bytes: None });
            let parameter = self.code.parameters[index];
            let address = Address { base: d, index: None, offset: 0 };
            let bytes = self.types.size_of(self.body.locals[id].ty);
            match parameter.rep {
                Some(rep) => {
                    self.slow(Vec::new(), Action::Store { a: parameter.d, rep, address, bytes, bits: None });
                }
                None => {
                    let from = Address { base: parameter.d, index: None, offset: 0 };
                    self.slow(Vec::new(), Action::Copy { to: address, from, bytes });
                }
            }
        }
        let mut flags: Vec<(LocalId, Reg)> = self.code.flags.iter().map(|(l, r)| (*l, *r)).collect();
        flags.sort_unstable();
        for (local, flag) in flags {
            let arrives = local.index() < self.body.parameters as usize;
            self.emit(Op::Const { d: flag, x: i32::from(arrives) });
            if !arrives {
                self.spoil_local(local);
            }
        }
    }

    /// Sets a register local to what an uninitialised one holds. A pointer is null whatever garbage there is: no
    /// object's address is made of it.
    fn spoil_local(&mut self, local: LocalId) {
        let Some((d, rep)) = self.code.locals[local.index()] else { return };
        let garbage = i128::from(self.environment.garbage) * 0x0101_0101_0101_0101;
        let word = match rep {
            Rep::Int(int) => int.wrap(garbage) as i64,
            Rep::Float(Format::F32) => garbage as u32 as i64,
            Rep::Float(_) => garbage as i64,
            Rep::Wide(_) | Rep::WideFloat(_) | Rep::Pointer => 0,
        };
        for slot in 0..rep.slots() {
            match i32::try_from(word) {
                Ok(x) => self.emit(Op::Const { d: d + slot, x }),
                Err(_) => {
                    let x = self.code.pool.len() as u32;
                    self.code.pool.push(word as u64);
                    self.emit(Op::ConstLong { d: d + slot, x })
                }
            };
        }
    }

    /// New slots.
    fn slots(&mut self, count: u16) -> Reg {
        let first = self.next_slot;
        if first + u32::from(count) > MOST_SLOTS {
            self.too_large = true;
            return 0;
        }
        self.next_slot += u32::from(count);
        self.code.slots = self.code.slots.max(self.next_slot);
        first as Reg
    }

    /// Long blocks forget what they computed now and then, so that frames stay small.
    fn bound_temporaries(&mut self) {
        const KEPT: u32 = 256;
        if self.next_slot - self.first_temporary > KEPT && self.pending.is_empty() {
            self.cache.clear();
            self.next_slot = self.first_temporary;
        }
    }

    /// From here on operations belong to this text.
    fn at(&mut self, span: Span) {
        let pc = self.code.ops.len() as u32;
        match self.code.spans.last_mut() {
            Some((_, last)) if *last == span => {}
            Some((start, last)) if *start == pc => *last = span,
            _ => self.code.spans.push((pc, span)),
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// An operation with a site.
    fn emit_at_site(&mut self, op: Op, obligations: Vec<ObligationId>, action: Action) -> usize {
        let pc = self.emit(op);
        self.code.sites.insert(pc as u32, Site { obligations, action });
        pc
    }

    /// An operation that always takes the slow path.
    fn slow(&mut self, obligations: Vec<ObligationId>, action: Action) {
        self.emit_at_site(Op::Slow, obligations, action);
    }
}

impl Compiler<'_, '_> {
    fn call_site(&mut self, site: CallSite) {
        let x = self.code.calls.len() as u32;
        self.remember_place();
        self.code.calls.push(site);
        let obligations = std::mem::take(&mut self.pending);
        if obligations.is_empty() {
            self.emit(Op::Call { x });
        } else {
            self.emit_at_site(Op::Call { x }, obligations, Action::Nothing);
        }
    }

    /// The next operation is what the present statement is about.
    fn remember_place(&mut self) {
        let (block, index) = self.position;
        self.code.places.push((self.code.ops.len() as u32, block, index));
    }

    fn switch_table(&mut self, table: SwitchTable) -> u32 {
        self.code.switches.push(table);
        (self.code.switches.len() - 1) as u32
    }
}
