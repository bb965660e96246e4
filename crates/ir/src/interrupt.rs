// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handlers of interrupts: functions that may run between any two operations of the rest of the program.
//!
//! What a handler may write is anything wherever the rest reads it: such reads become volatile ones, of which no engine
//! takes anything for granted. A handler runs to its end before what it interrupted goes on, so it reads its own
//! writes; another handler may interrupt it. The handlers themselves are entries, from any memory that the program
//! may have. What is not understood of a handler stops every proof: an `Unsupported` where the rest begins.

use std::collections::BTreeSet;

use clew_base::index::IndexVec;

use crate::obligation::Condition;
use crate::reach::reach;
use crate::syntax::*;
use crate::visit::Visit;

/// The handlers of a program: those that say so, those that the user names, and those that have the names of handlers
/// (of avr-libc, CMSIS and libopencm3) and that no code calls.
pub fn handlers(program: &Program, named: &[String]) -> Vec<FuncId> {
    let mut called = BTreeSet::new();
    for statement in statements(program) {
        if let StatementKind::Call(call) = &statement.kind
            && let Callee::Direct(callee) = call.callee
        {
            called.insert(callee);
        }
    }
    let is_handler = |(id, function): &(FuncId, &Function)| {
        let by_name = has_handlers_name(&function.name) && !called.contains(id);
        // Two files may have a static function of that name each: they are told apart by other names here.
        let said = named.iter().any(|name| **name == *function.name || **name == *function.source_name);
        function.body.is_some() && (function.attributes.interrupt || said || by_name)
    };
    program.functions.iter_enumerated().filter(is_handler).map(|(id, _)| id).collect()
}

fn has_handlers_name(name: &str) -> bool {
    let core =
        ["NMI", "HardFault", "MemManage", "BusFault", "UsageFault", "SVC", "DebugMon", "PendSV", "SysTick"];
    let vector = name.strip_prefix("__vector_").is_some_and(|number| number.parse::<u16>().is_ok());
    let of_core = name.strip_suffix("_Handler").is_some_and(|fault| core.contains(&fault));
    vector || of_core || name.ends_with("_IRQHandler") || name == "sys_tick_handler"
}

fn statements(program: &Program) -> impl Iterator<Item = &Statement> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.blocks.iter()).flat_map(|block| &block.statements)
}

/// What a handler and all that it calls may do.
#[derive(Default)]
struct Effects {
    functions: BTreeSet<FuncId>,
    /// The variables that it writes by their name.
    globals: BTreeSet<GlobalId>,
    /// Whether it writes through pointers.
    through_pointers: bool,
    /// What is not understood.
    unknown: Option<&'static str>,
}

impl Effects {
    fn of(program: &Program, handler: FuncId) -> Effects {
        let mut effects =
            Effects { functions: reach(program, [handler], []).functions, ..Effects::default() };
        for function in effects.functions.clone() {
            let function = &program.functions[function];
            match &function.body {
                Some(body) => {
                    body.blocks.iter().flat_map(|b| &b.statements).for_each(|s| effects.statement(s))
                }
                None => effects.library(&function.name),
            }
        }
        effects
    }

    fn writes(&mut self, place: &Place) {
        match place.base {
            PlaceBase::Global(global) => drop(self.globals.insert(global)),
            PlaceBase::Deref(_) => self.through_pointers = true,
            PlaceBase::Local(_) => {}
        }
    }

    fn result(&mut self, result: Option<&CallResult>) {
        if let Some(CallResult::Place(place)) = result {
            self.writes(place);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Store { place, .. } | StatementKind::Zero { place } => self.writes(place),
            StatementKind::Copy { to, .. } => self.writes(to),
            StatementKind::Havoc { target: HavocTarget::Place(place) } => self.writes(place),
            StatementKind::Assembler { outputs, memory, .. } => {
                outputs.iter().for_each(|place| self.writes(place));
                self.through_pointers |= memory;
                if *memory {
                    self.unknown = Some("an interrupt handler with inline assembler that may write memory");
                }
            }
            StatementKind::Call(call) => {
                self.result(call.result.as_ref());
                if matches!(call.callee, Callee::Indirect(_)) {
                    self.unknown = Some("an interrupt handler that calls through a pointer");
                }
            }
            StatementKind::Intrinsic(call) => {
                self.result(call.result.as_ref());
                self.through_pointers |=
                    matches!(call.op, Intrinsic::CopyBytes | Intrinsic::FillBytes | Intrinsic::HavocBytes);
                if matches!(call.op, Intrinsic::Release) {
                    self.unknown = Some("an interrupt handler that frees memory");
                }
            }
            StatementKind::Unsupported { .. } => {
                self.unknown = Some("an interrupt handler with code that is not supported");
            }
            _ => {}
        }
    }

    /// A function without a body.
    fn library(&mut self, name: &str) {
        match name {
            "memcpy" | "memset" | "memmove" | "strcpy" | "strncpy" | "strcat" | "strncat" | "snprintf"
            | "sprintf" => self.through_pointers = true,
            "strlen" | "memcmp" | "strcmp" | "strncmp" | "abs" | "labs" | "malloc" | "calloc" => {}
            _ if name.starts_with("__VERIFIER_nondet_") => {}
            _ => self.unknown = Some("an interrupt handler that calls a function whose body is not there"),
        }
    }
}

/// Makes what handlers may write volatile for whatever they may interrupt. `roots`: where the rest begins. With
/// `closed`, what is not understood stops proofs; the interpreter, which runs no handler, goes without.
pub fn share(program: &mut Program, handlers: &[FuncId], roots: &[FuncId], closed: bool) {
    if handlers.is_empty() {
        return;
    }
    let effects: Vec<Effects> = handlers.iter().map(|handler| Effects::of(program, *handler)).collect();
    let taken = Taken::of(program);
    let rest = reach(program, roots.iter().copied().filter(|root| !handlers.contains(root)), []).functions;
    let ids: Vec<FuncId> = program.functions.indices().collect();
    for id in ids {
        let interrupted_by = |number: &usize| {
            let others = (0..handlers.len()).filter(|other| other != number);
            let runs_elsewhere =
                rest.contains(&id) || others.into_iter().any(|o| effects[o].functions.contains(&id));
            runs_elsewhere || !effects[*number].functions.contains(&id)
        };
        let by: Vec<&Effects> = (0..handlers.len()).filter(interrupted_by).map(|n| &effects[n]).collect();
        let locals = taken.locals.get(id).cloned().unwrap_or_default();
        let shared = Shared::new(&by, &taken, locals);
        if let Some(body) = &mut program.functions[id].body {
            shared.mark(body, closed);
        }
    }
    let unknown = effects.iter().find_map(|effects| effects.unknown).filter(|_| closed);
    let Some(what) = unknown else { return };
    for root in roots.iter().chain(handlers) {
        if let Some(body) = &mut program.functions[*root].body {
            let span = body.blocks[BlockId(0)].span;
            let kind = StatementKind::Unsupported { what: what.into() };
            body.blocks[BlockId(0)].statements.insert(0, Statement { kind, span });
        }
    }
}

/// Objects whose address is taken somewhere other than to access them right there.
#[derive(Default)]
struct Taken {
    globals: BTreeSet<GlobalId>,
    locals: IndexVec<FuncId, BTreeSet<LocalId>>,
}

impl Taken {
    fn of(program: &Program) -> Taken {
        let mut taken = Taken::default();
        for function in program.functions.iter() {
            let mut locals = BTreeSet::new();
            for expr in function.body.iter().flat_map(|body| body.exprs.iter()) {
                let ExprKind::AddressOf(place) = &expr.kind else { continue };
                match place.base {
                    PlaceBase::Global(global) => drop(taken.globals.insert(global)),
                    PlaceBase::Local(local) => drop(locals.insert(local)),
                    PlaceBase::Deref(_) => {}
                }
            }
            taken.locals.push(locals);
        }
        program.globals.iter().for_each(|global| taken.walk_global(global));
        taken
    }
}

impl Visit for Taken {
    fn global(&mut self, global: &GlobalId) {
        self.globals.insert(*global);
    }
}

/// What handlers may write while a function runs.
struct Shared {
    globals: BTreeSet<GlobalId>,
    locals: BTreeSet<LocalId>,
    /// Whether what a pointer leads to may be among it.
    behind_pointers: bool,
}

impl Shared {
    fn new(by: &[&Effects], taken: &Taken, locals: BTreeSet<LocalId>) -> Shared {
        let through_pointers = by.iter().any(|effects| effects.through_pointers);
        let mut globals: BTreeSet<GlobalId> = by.iter().flat_map(|e| e.globals.iter().copied()).collect();
        let behind_pointers = through_pointers || globals.iter().any(|global| taken.globals.contains(global));
        if through_pointers {
            globals.extend(taken.globals.iter().copied());
        }
        Shared { globals, locals: if through_pointers { locals } else { BTreeSet::new() }, behind_pointers }
    }

    fn holds(&self, place: &Place) -> bool {
        match place.base {
            PlaceBase::Global(global) => self.globals.contains(&global),
            PlaceBase::Local(local) => self.locals.contains(&local),
            PlaceBase::Deref(_) => self.behind_pointers,
        }
    }

    fn mark(&self, body: &mut Body, closed: bool) {
        let (obligations, mut stops) = (&body.obligations, Vec::new());
        for (id, block) in body.blocks.iter_enumerated_mut() {
            for (number, statement) in block.statements.iter_mut().enumerate() {
                let reads_whole = match &mut statement.kind {
                    StatementKind::Load { place, flags, .. } => {
                        flags.volatile |= self.holds(place);
                        false
                    }
                    StatementKind::Copy { from, flags, .. } => {
                        flags.volatile |= self.holds(from);
                        false
                    }
                    StatementKind::Call(call) => call.arguments.iter().any(|argument| match argument {
                        Argument::Object(place) => self.holds(place),
                        Argument::Value(_) => false,
                    }),
                    StatementKind::Intrinsic(call) => {
                        self.behind_pointers
                            && matches!(call.op, Intrinsic::CopyBytes | Intrinsic::NulPosition)
                    }
                    StatementKind::Check { first, count } => {
                        let asked =
                            (first.0..first.0 + *count).map(|n| &obligations[ObligationId(n)].condition);
                        let mut asked = asked;
                        self.behind_pointers && asked.any(|c| matches!(c, Condition::NulWithin(_)))
                    }
                    _ => false,
                };
                if reads_whole {
                    stops.push((id, number));
                }
            }
            if let Terminator::Return(Some(Argument::Object(place))) = &block.terminator
                && self.holds(place)
            {
                stops.push((id, block.statements.len()));
            }
        }
        for (id, number) in stops.into_iter().rev().filter(|_| closed) {
            let what = "what an interrupt handler may write is read as a whole".into();
            let span = body.blocks[id].span;
            body.blocks[id]
                .statements
                .insert(number, Statement { kind: StatementKind::Unsupported { what }, span });
        }
    }
}
