// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of whole functions on one input, each float with a number of many digits beside it.
//!
//! Where the walk turns a function into expressions for all inputs, this follows one run, as long as it may be: loops
//! that stop by a tolerance, tables behind pointers, calls through pointers. Three kinds of runs share the code. The
//! guide has no shadow but expects errors from condition numbers, operation by operation, and is fast. The machine's
//! run with a shadow takes the machine's way; the real one takes the way of the reals. An error counts only if both say so
//! (`find`).

mod calls;
mod eval;
mod memory;

use std::rc::Rc;

use astro_float_num::{BigFloat, Consts, RoundingMode};
use clew_base::float::{Float, Rounding};
use clew_base::source::Span;
use clew_ir::syntax::{
    Argument, BlockId, Body, CallResult, ExprId, FuncId, LocalId, Program, StatementKind, Storage,
    Terminator, TypeId,
};
use rustc_hash::FxHashMap;

use crate::run::big;
use crate::sample::to_f64;
use memory::{Memory, Place};

pub(crate) const NEAREST: Rounding = Rounding::NearestEven;
pub(crate) const EVEN: RoundingMode = RoundingMode::ToEven;

/// What a run is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// The machine alone, with expected errors.
    Guide,
    /// The machine decides tests, and a shadow of so many bits runs along.
    Machine(usize),
    /// The shadow decides tests.
    Real(usize),
}

/// A float, and what runs beside it.
#[derive(Clone, Debug)]
pub(crate) struct Shadowed {
    pub machine: Float,
    pub real: Option<Rc<BigFloat>>,
    /// The relative error that condition numbers make one expect.
    pub expected: f64,
    /// The operation that made it, counted from 1.
    pub made: u32,
}

impl Shadowed {
    /// A number that stands for itself; its shadow is made when it is needed.
    pub(crate) fn plain(machine: Float) -> Shadowed {
        Shadowed { machine, real: None, expected: 0.0, made: 0 }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Int(i128),
    Float(Shadowed),
    Pointer(Option<Place>),
    Function(FuncId),
}

/// Why a run has no result.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stop(pub String);

type Step<T> = Result<T, Stop>;

fn stop<T>(why: &str) -> Step<T> {
    Err(Stop(why.to_owned()))
}

/// An operation of a run with a shadow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub span: Span,
    /// The relative error of its result.
    pub relative: f64,
    /// What made its operands.
    pub operands: [u32; 3],
}

struct Frame<'p> {
    function: FuncId,
    body: &'p Body,
    block: BlockId,
    statement: usize,
    locals: Vec<Option<Value>>,
    objects: FxHashMap<LocalId, u32>,
    result: Option<CallResult>,
    /// The calls that led here, as a hash.
    context: u64,
}

/// Literals with their many digits, kept between runs.
#[derive(Default)]
pub(crate) struct Literals(FxHashMap<(FuncId, ExprId, usize), Rc<BigFloat>>);

/// One run.
pub(crate) struct Run<'p, 'l> {
    program: &'p Program,
    mode: Mode,
    frames: Vec<Frame<'p>>,
    memory: Memory,
    literals: &'l mut Literals,
    consts: Consts,
    span: Span,
    steps: u64,
    limit: u64,
    /// What was computed, for runs with a shadow.
    pub trace: Vec<Made>,
    /// The first value at each place of the program where numbers may cancel, for guides.
    pub sites: FxHashMap<u64, f64>,
    /// Where the shadow would have gone another way than the machine went.
    pub parted: Option<Span>,
}

/// What a run came to.
pub(crate) struct Ended {
    pub value: Shadowed,
    pub steps: u64,
    pub trace: Vec<Made>,
    pub sites: FxHashMap<u64, f64>,
    pub parted: Option<Span>,
}

/// An argument of the function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given {
    Float(Float),
    Int(i128),
    /// A pointer to an object of that type that nobody has written yet.
    Object(TypeId),
}

/// Runs a function; its result is what it returns, or the first float that it writes behind a parameter.
pub(crate) fn run(
    program: &Program,
    function: FuncId,
    arguments: &[Given],
    mode: Mode,
    literals: &mut Literals,
    limit: u64,
) -> Result<Ended, (Stop, u64)> {
    let fault = |why: &str| (Stop(why.to_owned()), 1);
    let Some(body) = &program.functions[function].body else { return Err(fault("it has no body")) };
    let consts = Consts::new().map_err(|_| fault("no memory"))?;
    let mut run = Run {
        program,
        mode,
        frames: Vec::new(),
        memory: Memory::default(),
        literals,
        consts,
        span: program.functions[function].span,
        steps: 0,
        limit,
        trace: Vec::new(),
        sites: FxHashMap::default(),
        parted: None,
    };
    let result = run.all(function, body, arguments);
    let steps = run.steps.max(1);
    match result {
        Ok(value) => Ok(Ended { value, steps, trace: run.trace, sites: run.sites, parted: run.parted }),
        Err(why) => Err((why, steps)),
    }
}

impl<'p> Run<'p, '_> {
    fn all(&mut self, function: FuncId, body: &'p Body, arguments: &[Given]) -> Step<Shadowed> {
        let mut frame = frame_of(body, function, None, 0);
        let mut written = Vec::new();
        for (index, given) in arguments.iter().enumerate() {
            let local = LocalId(index as u32);
            let declared = &body.locals[local];
            let value = match *given {
                Given::Float(x) => Value::Float(Shadowed::plain(x)),
                Given::Int(x) => Value::Int(x),
                Given::Object(ty) => {
                    let object = self.memory.fresh(self.program.size_of(ty).max(1));
                    written.push(object);
                    Value::Pointer(Some((object, 0)))
                }
            };
            if let Storage::Memory { .. } = declared.storage {
                let size = self.program.size_of(declared.ty);
                let object = self.memory.fresh(size);
                frame.objects.insert(local, object);
                self.memory.store((object, 0), size, value)?;
            } else {
                frame.locals[index] = Some(value);
            }
        }
        self.frames.push(frame);
        loop {
            self.steps += 1;
            if self.steps > self.limit {
                return stop("the run is too long");
            }
            if let Some(returned) = self.step()? {
                return match returned {
                    Some(Value::Float(value)) => Ok(value),
                    _ => {
                        let first = written.iter().find_map(|object| self.memory.first_float(*object));
                        first.cloned().ok_or(Stop("no float comes out of it".to_owned()))
                    }
                };
            }
        }
    }

    /// One statement or terminator; what the function returned at its end.
    fn step(&mut self) -> Step<Option<Option<Value>>> {
        let frame = &self.frames[self.frames.len() - 1];
        let body = frame.body;
        let block = &body.blocks[frame.block];
        match block.statements.get(frame.statement) {
            Some(statement) => {
                self.span = statement.span;
                self.statement(body, &statement.kind)?;
                Ok(None)
            }
            None => {
                self.span = block.span;
                self.terminator(body, &block.terminator)
            }
        }
    }

    fn top(&mut self) -> &mut Frame<'p> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn statement(&mut self, body: &'p Body, kind: &'p StatementKind) -> Step<()> {
        match kind {
            StatementKind::Check { .. } | StatementKind::Unordered { .. } => {}
            StatementKind::Assign { local, value } => {
                let value = self.expr(body, *value)?;
                self.top().locals[local.0 as usize] = Some(value);
            }
            StatementKind::Load { local, place, .. } => {
                if self.program.types().bit_range(place).is_some() {
                    return stop("a bit-field is read");
                }
                let address = self.address(body, place)?;
                let value = self.memory.load(self.program, address, place.ty)?;
                self.top().locals[local.0 as usize] = Some(value);
            }
            StatementKind::Store { place, value, .. } => {
                if self.program.types().bit_range(place).is_some() {
                    return stop("a bit-field is written");
                }
                let value = self.expr(body, *value)?;
                let address = self.address(body, place)?;
                self.memory.store(address, self.program.size_of(place.ty), value)?;
            }
            StatementKind::Copy { to, from, .. } => {
                let (into, out_of) = (self.address(body, to)?, self.address(body, from)?);
                self.memory.copy(self.program, into, out_of, to.ty)?;
            }
            StatementKind::Zero { place } => {
                let address = self.address(body, place)?;
                self.memory.zero(self.program, address, place.ty)?;
            }
            StatementKind::StorageLive { local, bytes } => {
                let declared = &body.locals[*local];
                if let Storage::Memory { .. } = declared.storage {
                    let size = match bytes {
                        None => self.program.size_of(declared.ty),
                        Some(bytes) => match self.expr(body, *bytes)? {
                            Value::Int(bytes) => u64::try_from(bytes).unwrap_or(0),
                            _ => return stop("the size of an array is no number"),
                        },
                    };
                    let object = self.memory.fresh(size);
                    self.top().objects.insert(*local, object);
                } else {
                    self.top().locals[local.0 as usize] = None;
                }
            }
            StatementKind::StorageDead { local } => self.top().locals[local.0 as usize] = None,
            StatementKind::Assume { condition } => {
                let value = self.expr(body, *condition)?;
                if !self.is_true(&value)? {
                    return stop("the program assumes that this input does not come");
                }
            }
            StatementKind::Call(call) => return self.call(body, call),
            StatementKind::Havoc { .. } => return stop("a value that may be anything is used"),
            StatementKind::Intrinsic(_) => return stop("an operation of the machine that is no arithmetic"),
            StatementKind::Assembler { .. } => return stop("inline assembler"),
            StatementKind::Unsupported { .. } => return stop("not supported"),
        }
        self.top().statement += 1;
        Ok(())
    }

    fn terminator(&mut self, body: &'p Body, terminator: &'p Terminator) -> Step<Option<Option<Value>>> {
        let next = match terminator {
            Terminator::Goto(to) => *to,
            Terminator::Branch { condition, then, otherwise } => {
                let value = self.expr(body, *condition)?;
                if self.is_true(&value)? { *then } else { *otherwise }
            }
            Terminator::Switch { value, cases, default } => {
                let Value::Int(value) = self.expr(body, *value)? else { return stop("no integer") };
                let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
                case.map_or(*default, |(_, _, to)| *to)
            }
            Terminator::Return(value) => return self.give_back(body, value.as_ref()),
            Terminator::Unreachable => return stop("the program ends without a result"),
            Terminator::ComputedGoto { .. } => return stop("a computed goto"),
        };
        let frame = self.top();
        frame.block = next;
        frame.statement = 0;
        Ok(None)
    }

    fn give_back(&mut self, body: &'p Body, value: Option<&'p Argument>) -> Step<Option<Option<Value>>> {
        let (value, object) = match value {
            None => (None, None),
            Some(Argument::Value(value)) => (Some(self.expr(body, *value)?), None),
            Some(Argument::Object(place)) => (None, Some((self.address(body, place)?, place.ty))),
        };
        let Some(frame) = self.frames.pop() else { return stop("no caller") };
        if self.frames.is_empty() {
            return Ok(Some(value));
        }
        match (frame.result, value, object) {
            (Some(CallResult::Local(local)), Some(value), _) => {
                self.top().locals[local.0 as usize] = Some(value);
            }
            (Some(CallResult::Place(to)), _, Some((from, ty))) => {
                let caller = self.top().body;
                let into = self.address(caller, &to)?;
                self.memory.copy(self.program, into, from, ty)?;
            }
            _ => {}
        }
        self.top().statement += 1;
        Ok(None)
    }

    fn bits(&self) -> Option<usize> {
        match self.mode {
            Mode::Guide => None,
            Mode::Machine(bits) | Mode::Real(bits) => Some(bits),
        }
    }

    /// The shadow of a float, made from the machine's number where it stands for itself.
    pub(crate) fn real(&self, x: &Shadowed) -> Option<Rc<BigFloat>> {
        let bits = self.bits()?;
        match &x.real {
            Some(real) => Some(real.clone()),
            None if x.machine.is_finite() => Some(Rc::new(big(x.machine, bits))),
            None => None,
        }
    }

    /// The result of an operation: written down, with its error.
    fn made(&mut self, machine: Float, real: BigFloat, operands: [u32; 3]) -> Shadowed {
        let relative = relative_error(machine, &real);
        self.trace.push(Made { span: self.span, relative, operands });
        let made = self.trace.len() as u32;
        Shadowed { machine, real: Some(Rc::new(real)), expected: 0.0, made }
    }
}

/// The distance of the machine's number from the real one, over the latter's magnitude.
pub(crate) fn relative_error(machine: Float, real: &BigFloat) -> f64 {
    if !machine.is_finite() || real.is_nan() || real.is_inf() {
        return f64::NAN;
    }
    let bits = real.precision().unwrap_or(64).max(64);
    let distance = big(machine, bits).sub(real, bits, EVEN);
    match (distance.is_zero(), real.is_zero()) {
        (true, _) => 0.0,
        (false, true) => f64::INFINITY,
        (false, false) => to_f64(&distance.div(real, 64, EVEN).abs()),
    }
}

fn frame_of(body: &Body, function: FuncId, result: Option<CallResult>, context: u64) -> Frame<'_> {
    let locals = vec![None; body.locals.len()];
    let objects = FxHashMap::default();
    Frame { function, body, block: BlockId(0), statement: 0, locals, objects, result, context }
}
