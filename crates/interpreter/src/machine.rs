// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a run, and how violations become findings.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use clew_base::index::Idx;
use clew_base::source::Span;
use clew_ir::analysis::alias::Aliases;
use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{BinaryOp, ExprKind, FuncId, GlobalId, GlobalKind, ObligationId, Program, TypeId};
use clew_ir::types::Class;
use clew_ir::witness::InputKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Code;
use crate::exec::Kept;
use crate::host::{Host, InputQuery};
use crate::libc;
use crate::memory::{Kind, Memory, Name, TraceId};
use crate::native::Native;
use crate::observe::Watch;
use crate::outcome::{Counted, Finding, ObjectInfo, Options, RunError, StackEntry};
use crate::policy::{Action, Policy};
use crate::probe::Probing;
use crate::trace::{REMEMBERED, Traces};
use crate::value::{Pointer, Provenance};
use clew_ir::location::Location;

/// Why execution does not simply go on.
#[derive(Debug)]
pub enum Stop {
    /// A check failed.
    Finding(Box<Finding>),
    /// The program ends with this status, without running anything more of it.
    Exit(i32),
    /// A signal kills the program.
    Signal(i32),
    /// An assumption does not hold.
    Assumed,
    /// clew cannot go on.
    Error(RunError),
    /// `longjmp`: unwinds to the frame that called `setjmp`.
    Jump(Box<crate::exec::Jump>),
}

/// A run.
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: &'p Options,
    pub(crate) host: &'p mut dyn Host,
    pub(crate) policy: Policy,
    /// All objects.
    pub memory: Memory,
    /// What the library keeps between calls.
    pub libc: libc::State,
    pub(crate) registers: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    /// Objects of the frames' locals, with where each frame's begin.
    pub(crate) stack_objects: Vec<Provenance>,
    pub(crate) stack_used: u64,
    pub(crate) codes: Vec<Option<Rc<Code>>>,
    pub(crate) globals: Vec<Pointer>,
    pub(crate) functions: Vec<Pointer>,
    /// What each name stands for.
    pub(crate) aliases: Aliases,
    /// Variables of which every read is an input, once somebody asked.
    pub(crate) volatile_inputs: OnceCell<BTreeSet<GlobalId>>,
    pub(crate) natives: Vec<Option<Native>>,
    pub(crate) jumps: crate::exec::Jumps,
    /// Offsets and types of the unnamed arguments of running calls, by the object that holds them.
    pub(crate) unnamed_types: FxHashMap<Provenance, Vec<(u64, TypeId)>>,
    pub(crate) traces: Traces,
    /// Steps that may still be taken.
    pub(crate) fuel: u64,
    /// Steps that are left when the fuel is used up: somebody may want the run to end before.
    pub(crate) reserve: u64,
    pub(crate) inputs_read: usize,
    pub(crate) findings: Vec<Finding>,
    pub(crate) counted: Vec<Counted>,
    pub(crate) counted_index: FxHashMap<CountKey, usize>,
    recorded: FxHashSet<CountKey>,
    pub(crate) notes: Vec<String>,
    /// Functions without a body that the host answered for.
    pub(crate) missing: Vec<FuncId>,
    pub(crate) call_back_depth: u32,
    pub(crate) errno: Pointer,
    pub(crate) exits: crate::exec::Exits,
    pub(crate) unordered: crate::exec::Regions,
    /// Who looks on, if anybody does.
    pub(crate) watch: Option<Watch<'p>>,
    /// Who looks at decisions, if anybody does.
    pub(crate) probing: Option<Probing<'p>>,
    /// What an earlier run of the program compiled.
    pub(crate) kept: Kept,
}

/// What tells two counted violations apart.
type CountKey = (CheckKind, Option<(FuncId, ObligationId)>, Span);

/// One call of a function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub function: FuncId,
    pub code: Rc<Code>,
    /// The operation that runs, or the call it waits for.
    pub pc: u32,
    /// First register.
    pub base: usize,
    /// First of its objects in `stack_objects`.
    pub objects: usize,
    /// C stack in use before it.
    pub stack_before: u64,
    /// Unnamed arguments, as the memory that `va_arg` reads.
    pub unnamed: Pointer,
    /// Where the caller wants a record result.
    pub result_place: Option<Pointer>,
    /// Whether the caller uses the value.
    pub result_used: bool,
}

/// A violated check, before it is known what becomes of it.
#[derive(Debug)]
pub struct Violation {
    /// Which check.
    pub check: CheckKind,
    /// The obligation, where one stands in the IR.
    pub obligation: Option<(FuncId, ObligationId)>,
    /// The argument of the library's function that is to blame, from 0.
    pub argument: Option<u32>,
    /// The operation.
    pub span: Span,
    /// What happened.
    pub message: String,
    /// The object involved.
    pub object: Provenance,
}

impl<'p> Machine<'p> {
    /// A machine with nothing loaded.
    pub(crate) fn new(program: &'p Program, options: &'p Options, host: &'p mut dyn Host) -> Machine<'p> {
        Machine {
            program,
            options,
            host,
            policy: Policy::new(options, program.semantics),
            memory: Memory::new(program.target.pointer_bytes, options.memory_limit)
                .with_garbage(options.garbage),
            libc: libc::State::default(),
            registers: Vec::new(),
            frames: Vec::new(),
            stack_objects: Vec::new(),
            stack_used: 0,
            codes: vec![None; program.functions.len()],
            globals: Vec::new(),
            functions: Vec::new(),
            aliases: Aliases::of(program),
            volatile_inputs: OnceCell::new(),
            natives: vec![None; program.functions.len()],
            jumps: Default::default(),
            unnamed_types: FxHashMap::default(),
            traces: Traces::default(),
            fuel: 0,
            reserve: options.step_limit.unwrap_or(u64::MAX),
            inputs_read: 0,
            findings: Vec::new(),
            counted: Vec::new(),
            counted_index: FxHashMap::default(),
            recorded: FxHashSet::default(),
            notes: Vec::new(),
            missing: Vec::new(),
            call_back_depth: 0,
            errno: Pointer::NULL,
            exits: Default::default(),
            unordered: Default::default(),
            watch: None,
            probing: None,
            kept: Kept::default(),
        }
    }

    /// Decides what becomes of a violation: `Ok` means the run goes on.
    pub fn violate(&mut self, violation: Violation) -> Result<(), Stop> {
        match self.policy.action(violation.check) {
            Action::Count if self.is_trap(&violation) => {
                Err(Stop::Finding(Box::new(self.finding(violation))))
            }
            Action::Ignore => Ok(()),
            Action::Count => {
                self.count(violation);
                Ok(())
            }
            Action::Record => {
                if self.recorded.insert(violation.key()) {
                    let finding = self.finding(violation);
                    self.findings.push(finding);
                }
                Ok(())
            }
            Action::Stop => Err(Stop::Finding(Box::new(self.finding(violation)))),
        }
    }

    /// Whether the machine ends the run where others of the check have a value: a quotient that does not fit.
    fn is_trap(&self, violation: &Violation) -> bool {
        let Some((function, id)) =
            violation.obligation.filter(|_| violation.check == CheckKind::SignedOverflow)
        else {
            return false;
        };
        let Some(body) = &self.program.functions[function].body else { return false };
        let Condition::NotRaised(_, expr) = body.obligations[id].condition else { return false };
        matches!(body.exprs[expr].kind, ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..))
    }

    fn count(&mut self, violation: Violation) {
        let index = *self.counted_index.entry(violation.key()).or_insert(self.counted.len());
        if index == self.counted.len() {
            let call = self.library_call(&violation);
            let stack = self.stack_at(violation.span);
            let Violation { check, obligation, argument, span, message, .. } = violation;
            let first = message;
            self.counted.push(Counted { check, obligation, call, argument, span, count: 0, first, stack });
        }
        self.counted[index].count += 1;
    }

    /// The finding for a violation here and now.
    pub(crate) fn finding(&self, violation: Violation) -> Finding {
        Finding {
            check: violation.check,
            obligation: violation.obligation,
            call: self.library_call(&violation),
            argument: violation.argument,
            span: violation.span,
            message: violation.message,
            object: self.object_info(violation.object),
            stack: self.stack_at(violation.span),
        }
    }

    /// The call that broke a rule of the library, which has no obligation in the IR.
    fn library_call(&self, violation: &Violation) -> Option<Location> {
        if violation.obligation.is_some() { None } else { self.current_place() }
    }

    /// The call or intrinsic that the innermost frame is at.
    pub(crate) fn current_place(&self) -> Option<Location> {
        let frame = self.frames.last()?;
        let (block, statement) = frame.code.place(frame.pc)?;
        Some(Location { function: frame.function, block, statement })
    }

    /// The call stack, innermost first, with `span` as the innermost place.
    pub(crate) fn stack_at(&self, span: Span) -> Vec<StackEntry> {
        let frames = self.frames.iter().rev().enumerate().map(|(depth, frame)| StackEntry {
            function: self.program.functions[frame.function].source_name.clone(),
            span: if depth == 0 { span } else { frame.code.span(frame.pc) },
        });
        const SHOWN: usize = 64;
        frames.take(SHOWN).collect()
    }

    /// The C text that runs.
    pub(crate) fn current_span(&self) -> Span {
        self.frames.last().map_or(Span::NONE, |frame| frame.code.span(frame.pc))
    }

    /// Remembers where the program is.
    pub(crate) fn trace(&mut self) -> TraceId {
        let first = self.frames.len().saturating_sub(REMEMBERED);
        let stack = self.frames[first..].iter().map(|f| (f.function, f.code.span(f.pc)));
        self.traces.intern(stack)
    }

    fn stack_of(&self, trace: TraceId) -> Vec<StackEntry> {
        let name = |function: FuncId| self.program.functions[function].source_name.clone();
        self.traces.get(trace).map(|(function, span)| StackEntry { function: name(function), span }).collect()
    }

    /// What a finding says of an object.
    pub(crate) fn object_info(&self, prov: Provenance) -> Option<ObjectInfo> {
        let object = self.memory.object(prov)?;
        let kind = match object.kind {
            Kind::Static => "static",
            Kind::Literal => "string literal",
            Kind::Stack => "stack",
            Kind::Heap => "heap",
            Kind::Function(_) => "function",
            Kind::Library => "library",
        };
        let declared = match object.name {
            Name::Global(global) => Some(self.program.globals[global].span),
            Name::Function(function) => Some(self.program.functions[function].span),
            Name::Local(function, local) => {
                self.program.functions[function].body.as_ref().map(|body| body.locals[local].span)
            }
            Name::Unnamed(_) => None,
        };
        Some(ObjectInfo {
            kind,
            name: self.source_name(object.name),
            size: object.size,
            declared: declared.filter(|span| !span.is_none()),
            allocated: if object.kind == Kind::Heap { self.stack_of(object.born) } else { Vec::new() },
            freed: if object.alive { Vec::new() } else { self.stack_of(object.died) },
        })
    }

    fn source_name(&self, name: Name) -> Option<String> {
        let name: Arc<str> = match name {
            Name::Global(global) => {
                let global = &self.program.globals[global];
                if global.kind == GlobalKind::StringLiteral {
                    return None;
                }
                global.source_name.clone()
            }
            Name::Function(function) => self.program.functions[function].source_name.clone(),
            Name::Local(function, local) => {
                self.program.functions[function].body.as_ref()?.locals[local].name.clone()?
            }
            Name::Unnamed(_) => return None,
        };
        Some(name.to_string())
    }

    /// An object as a message names it: `` `buf` ``, `a heap object`.
    pub(crate) fn describe(&self, prov: Provenance) -> String {
        let Some(object) = self.memory.object(prov) else { return "an object that is gone".into() };
        if let Some(name) = self.source_name(object.name) {
            return format!("`{name}`");
        }
        match (object.name, object.kind) {
            (Name::Unnamed(words), _) => words.into(),
            (_, Kind::Literal) => "a string literal".into(),
            (Name::Local(..), _) => "a temporary".into(),
            _ => "an object".into(),
        }
    }

    /// The value of the next nondeterministic call, as its bit pattern.
    pub(crate) fn next_input(&mut self, name: &str, class: Class) -> u128 {
        if let Some(value) = self.host.answer(&InputQuery { kind: InputKind::Call, name, class, range: None })
        {
            return value;
        }
        let value = self.options.inputs.get(self.inputs_read).copied();
        if value.is_none() && self.inputs_read == self.options.inputs.len() {
            self.notes.push("inputs ran out: further nondeterministic values are 0".into());
        }
        self.inputs_read += 1;
        value.unwrap_or(0)
    }

    /// The function a pointer points to, if it is one.
    pub(crate) fn function_at(&self, pointer: Pointer) -> Option<FuncId> {
        self.memory.function(pointer)
    }

    /// The pointer to a function.
    pub(crate) fn function_pointer(&self, function: FuncId) -> Pointer {
        self.functions[function.index()]
    }
}

impl Violation {
    /// The same place violated again is the same finding.
    fn key(&self) -> CountKey {
        (self.check, self.obligation, self.span)
    }
}
