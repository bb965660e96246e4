// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk through a function: integers and addresses are followed as numbers, floats as expressions.
//!
//! Loops are unrolled and calls inlined as they come. A test that the inputs decide is a fork: each way becomes a path
//! with what was decided on it. What only known numbers decide is decided twice, for the machine and for the reals;
//! where they differ, the two runs part, and each path knows whose run it is.

mod call;
mod expr;
mod join;
mod memory;
mod number;
mod turns;

use std::rc::Rc;

use clew_base::source::Span;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{
    Argument, BlockId, Body, CallResult, CompareOp, FuncId, LocalId, ObligationId, Program, StatementKind,
    Storage, Terminator,
};
use rustc_hash::FxHashMap;

use crate::constant::Constant;
use crate::dag::{Dag, Input, InputId, NodeId, Sort};
use crate::interval::Interval;
use crate::kernel::{Decision, Kernel, Path, Runs, Stable, Test};
use crate::options::Options;
use crate::ranges::Ranges;
use memory::{Memory, ObjectId};

/// Why there is no kernel, for a person, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// What is in the way.
    pub why: String,
    /// Where.
    pub span: Span,
    /// Whether it is too much to follow, rather than something that cannot be.
    pub is_limit: bool,
}

/// How much a walk may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Statements.
    pub steps: u64,
    /// Paths.
    pub paths: usize,
    /// Operations.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 250_000_000, paths: 2_000, nodes: 2_000_000 }
    }
}

/// A float: known, or an expression.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    Known(Rc<Constant>),
    Node(NodeId),
}

/// A value of C.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// An integer in canonical form.
    Int(i128),
    /// An integer that depends on inputs.
    Whole(NodeId),
    /// A float.
    Float(Number),
    /// An address: an object and a byte in it, or null.
    Pointer(Option<(ObjectId, i64)>),
    /// The address of a function.
    Function(FuncId),
}

/// Why a step could not be made.
pub(crate) enum Stop {
    /// A test goes either way.
    Fork(Test),
    /// The machine goes one way (given), the reals the other.
    Part(Test, bool),
    /// Not supported, or a limit.
    Refused(String),
    /// No run comes here.
    Dead,
}

type Step<T> = Result<T, Stop>;

fn refused<T>(why: impl Into<String>) -> Step<T> {
    Err(Stop::Refused(why.into()))
}

#[derive(Clone)]
struct Frame {
    function: FuncId,
    block: BlockId,
    statement: usize,
    locals: Vec<Option<Value>>,
    objects: FxHashMap<LocalId, ObjectId>,
    result: Option<CallResult>,
}

#[derive(Clone)]
struct State {
    frames: Vec<Frame>,
    memory: Memory,
    decisions: Vec<Decision>,
    runs: Runs,
    drawn: u32,
}

/// The walk of one function.
pub(crate) struct Walk<'p> {
    program: &'p Program,
    options: &'p Options,
    limits: Limits,
    dag: Dag,
    ranges: Ranges,
    inputs: Vec<Interval>,
    named: FxHashMap<String, InputId>,
    kernel: Kernel,
    steps: u64,
    span: Span,
    is_main: bool,
    is_limit: bool,
    /// Numbers that stand for others, cut off at a test.
    aliases: FxHashMap<InputId, NodeId>,
    shapes: FxHashMap<FuncId, Rc<turns::Shape>>,
}

/// What becomes of the ways of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// Each is a path of its own.
    Apart,
    /// They are joined where they meet.
    Joined,
}

/// Walks a function from its entry to its returns. `known` narrows the ranges of inputs, by name.
pub fn walk(
    program: &Program,
    function: FuncId,
    options: &Options,
    limits: Limits,
    known: &FxHashMap<String, Interval>,
    ways: Ways,
) -> Result<Kernel, Refusal> {
    let mut walk = Walk {
        program,
        options,
        limits,
        dag: Dag::default(),
        ranges: Ranges::default(),
        inputs: Vec::new(),
        named: FxHashMap::default(),
        kernel: Kernel { narrowed: known.clone(), ..Kernel::default() },
        steps: 0,
        span: program.functions[function].span,
        is_main: &*program.functions[function].name == "main",
        is_limit: false,
        aliases: FxHashMap::default(),
        shapes: FxHashMap::default(),
    };
    let walked = match ways {
        Ways::Apart => walk.run(function),
        Ways::Joined => walk.run_joining(function),
    };
    match walked {
        Ok(()) => {
            walk.kernel.dag = walk.dag;
            Ok(walk.kernel)
        }
        Err(why) => Err(Refusal { why, span: walk.span, is_limit: walk.is_limit }),
    }
}

impl<'p> Walk<'p> {
    fn run(&mut self, function: FuncId) -> Result<(), String> {
        let state = match self.entry(function) {
            Ok(state) => state,
            Err(Stop::Refused(why)) => return Err(why),
            Err(_) => return Err("the parameters cannot be followed".to_owned()),
        };
        let mut waiting = vec![state];
        while let Some(mut state) = waiting.pop() {
            loop {
                match self.step(&mut state) {
                    Ok(false) => {}
                    Ok(true) | Err(Stop::Dead) => break,
                    Err(Stop::Refused(why)) => return Err(why),
                    Err(Stop::Fork(test)) => {
                        let mut other = state.clone();
                        other.decisions.push(Decision { test, taken: false });
                        state.decisions.push(Decision { test, taken: true });
                        waiting.push(other);
                    }
                    Err(Stop::Part(test, machine)) => {
                        self.kernel.parted.insert(test.span);
                        let mut other = state.clone();
                        let real = Runs { machine: false, real: true };
                        let only = Runs { machine: true, real: false };
                        other.decisions.push(Decision { test, taken: !machine });
                        other.runs = real;
                        state.decisions.push(Decision { test, taken: machine });
                        state.runs = only;
                        waiting.push(other);
                    }
                }
                if waiting.len() + self.kernel.paths.len() > self.limits.paths {
                    self.is_limit = true;
                    return Err(format!(
                        "more than {} paths: tests depend on the inputs too often",
                        self.limits.paths
                    ));
                }
            }
        }
        Ok(())
    }

    fn entry(&mut self, function: FuncId) -> Step<State> {
        let mut state = State {
            frames: Vec::new(),
            memory: Memory::default(),
            decisions: Vec::new(),
            runs: Runs { machine: true, real: true },
            drawn: 0,
        };
        let Some(body) = &self.program.functions[function].body else { return refused("it has no body") };
        let mut frame = frame_of(body, function, None);
        for index in 0..body.parameters {
            let local = LocalId(index);
            let declared = &body.locals[local];
            let name =
                declared.name.as_deref().map_or_else(|| format!("argument{}", index + 1), str::to_owned);
            match declared.storage {
                Storage::Register => {
                    let value = self.input_value(&mut state.memory, &name, declared.ty)?;
                    frame.locals[index as usize] = Some(value);
                }
                Storage::Memory { .. } => {
                    let size = self.program.size_of(declared.ty);
                    let object = state.memory.input(name, declared.ty, size);
                    frame.objects.insert(local, object);
                }
            }
        }
        state.frames.push(frame);
        Ok(state)
    }

    /// One statement or terminator; true at the end of the walk's path.
    fn step(&mut self, state: &mut State) -> Step<bool> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            self.is_limit = true;
            return refused("a loop goes on for too long to be unrolled");
        }
        if self.dag.len() > self.limits.nodes {
            self.is_limit = true;
            return refused("it computes too much: the loops unroll to millions of operations");
        }
        let Some(frame) = state.frames.last() else { return Ok(true) };
        let Some(body) = &self.program.functions[frame.function].body else { return Ok(true) };
        let block = &body.blocks[frame.block];
        match block.statements.get(frame.statement) {
            Some(statement) => {
                self.span = statement.span;
                self.statement(state, body, &statement.kind)?;
                Ok(false)
            }
            None => {
                self.span = block.span;
                self.terminator(state, body, &block.terminator)
            }
        }
    }

    fn statement(&mut self, state: &mut State, body: &'p Body, kind: &'p StatementKind) -> Step<()> {
        match kind {
            StatementKind::Check { first, count } => self.properties(state, body, *first, *count)?,
            StatementKind::Unordered { .. } => {}
            StatementKind::Assign { local, value } => {
                let value = self.expr(state, body, *value)?;
                state.top().locals[local.0 as usize] = Some(value);
            }
            StatementKind::Load { local, place, flags } => {
                if flags.volatile {
                    return refused("a volatile object is read");
                }
                let address = self.address(state, body, place)?;
                let value = self.load(state, address, place.ty)?;
                state.top().locals[local.0 as usize] = Some(value);
            }
            StatementKind::Store { place, value, .. } => {
                if self.program.types().bit_range(place).is_some() {
                    return refused("a bit-field is written");
                }
                let value = self.expr(state, body, *value)?;
                let address = self.address(state, body, place)?;
                self.store(state, address, place.ty, value)?;
            }
            StatementKind::Copy { to, from, .. } => {
                let (to_address, from_address) =
                    (self.address(state, body, to)?, self.address(state, body, from)?);
                self.copy(state, to_address, from_address, to.ty)?;
            }
            StatementKind::Zero { place } => {
                let address = self.address(state, body, place)?;
                self.zero(state, address, place.ty)?;
            }
            StatementKind::StorageLive { local, bytes } => self.live(state, body, *local, bytes.is_some())?,
            StatementKind::StorageDead { local } => state.top().locals[local.0 as usize] = None,
            StatementKind::Assume { condition } => {
                let value = self.expr(state, body, *condition)?;
                if !self.is_true(state, &value)? {
                    return Err(Stop::Dead);
                }
            }
            StatementKind::Call(call) => return self.call(state, body, call),
            StatementKind::Havoc { .. } => return refused("a value that may be anything is used"),
            StatementKind::Intrinsic(_) => {
                return refused("an operation of the machine that is no arithmetic");
            }
            StatementKind::Assembler { .. } => return refused("inline assembler"),
            StatementKind::Unsupported { what } => return refused(format!("not supported: {what}")),
        }
        state.top().statement += 1;
        Ok(())
    }

    fn live(&mut self, state: &mut State, body: &Body, local: LocalId, is_variable: bool) -> Step<()> {
        let declared = &body.locals[local];
        match declared.storage {
            Storage::Register => state.top().locals[local.0 as usize] = None,
            Storage::Memory { .. } if is_variable => return refused("an array of variable length"),
            Storage::Memory { .. } => {
                let object = state.memory.fresh(self.program.size_of(declared.ty));
                state.top().objects.insert(local, object);
            }
        }
        Ok(())
    }

    fn terminator(&mut self, state: &mut State, body: &'p Body, terminator: &'p Terminator) -> Step<bool> {
        let next = match terminator {
            Terminator::Goto(to) => *to,
            Terminator::Branch { condition, then, otherwise } => {
                let value = self.expr(state, body, *condition)?;
                if self.is_true(state, &value)? { *then } else { *otherwise }
            }
            Terminator::Switch { value, cases, default } => {
                let value = match self.expr(state, body, *value)? {
                    Value::Int(value) => value,
                    _ => return refused("a switch depends on the inputs"),
                };
                let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
                case.map_or(*default, |(_, _, to)| *to)
            }
            Terminator::Return(value) => return self.give_back(state, body, value.as_ref()),
            Terminator::Unreachable => return Err(Stop::Dead),
            Terminator::ComputedGoto { .. } => return refused("a computed goto"),
        };
        let frame = state.top();
        frame.block = next;
        frame.statement = 0;
        Ok(false)
    }

    fn give_back(&mut self, state: &mut State, body: &Body, result: Option<&Argument>) -> Step<bool> {
        let value = match result {
            None => None,
            Some(Argument::Value(value)) => Some(self.expr(state, body, *value)?),
            Some(Argument::Object(place)) if state.frames.len() > 1 => {
                let from = self.address(state, body, place)?;
                let wanted = state.frames.last().and_then(|frame| frame.result.clone());
                let caller = state.frames.pop();
                if let Some(CallResult::Place(to)) = wanted {
                    let to_address = self.caller_address(state, &to)?;
                    self.copy(state, to_address, from, to.ty)?;
                }
                if caller.is_some() {
                    state.top().statement += 1;
                }
                return Ok(false);
            }
            Some(Argument::Object(_)) => return refused("it returns a struct"),
        };
        let Some(frame) = state.frames.pop() else { return Ok(true) };
        if state.frames.is_empty() {
            self.finish(state, value)?;
            return Ok(true);
        }
        if let (Some(CallResult::Local(local)), Some(value)) = (frame.result, value) {
            state.top().locals[local.0 as usize] = Some(value);
        }
        state.top().statement += 1;
        Ok(false)
    }

    /// A path is done: what it computed.
    fn finish(&mut self, state: &mut State, value: Option<Value>) -> Step<()> {
        let mut outputs = Vec::new();
        let result = value.filter(|value| matches!(value, Value::Int(_) | Value::Whole(_) | Value::Float(_)));
        if let Some(value) = result {
            outputs.push(("result".to_owned(), value));
        }
        outputs.extend(state.memory.outputs());
        let mut nodes = Vec::new();
        for (name, value) in outputs {
            nodes.push((name, self.as_node(&value)?));
        }
        let decisions = std::mem::take(&mut state.decisions);
        self.kernel.paths.push(Path { decisions, runs: state.runs, outputs: nodes });
        Ok(())
    }

    /// Whether a value is not zero.
    fn is_true(&mut self, state: &State, value: &Value) -> Step<bool> {
        match value {
            Value::Int(value) => Ok(*value != 0),
            Value::Pointer(pointer) => Ok(pointer.is_some()),
            Value::Function(_) => Ok(true),
            Value::Whole(_) => self.decide(state, CompareOp::Ne, value, &Value::Int(0)),
            Value::Float(Number::Known(c)) => {
                let zero = Value::Float(Number::Known(Rc::new(self.zero_of(c.machine.format())?)));
                self.decide(state, CompareOp::Ne, value, &zero)
            }
            Value::Float(Number::Node(node)) => {
                let Sort::Float(format) = self.dag.nodes[*node].sort else { return refused("no float") };
                let zero = Value::Float(Number::Known(Rc::new(self.zero_of(format)?)));
                self.decide(state, CompareOp::Ne, value, &zero)
            }
        }
    }

    /// An input, once for each name.
    fn new_input(&mut self, name: &str, sort: Sort, range: Interval) -> NodeId {
        let inputs = &mut self.inputs;
        let (dag, options, narrowed) = (&mut self.dag, self.options, &self.kernel.narrowed);
        let id = *self.named.entry(name.to_owned()).or_insert_with(|| {
            let given = options.range_of(name);
            let range = given.map_or(range, |given| given.meet(range).unwrap_or(range));
            let range = narrowed.get(name).and_then(|known| known.meet(range)).unwrap_or(range);
            inputs.push(range);
            dag.inputs.push(Input {
                name: name.to_owned(),
                sort,
                range,
                is_given: given.is_some() || narrowed.contains_key(name),
                error: options.error_of(name),
                is_rounded: options.rounds_inputs && sort != Sort::Integer,
                is_joined: false,
            })
        });
        let node = self.dag.input(id, self.span);
        self.ranges.extend(&self.dag, &self.inputs);
        node
    }

    /// What the program says of its numbers here (`__clew_stable`).
    fn properties(&mut self, state: &mut State, body: &Body, first: ObligationId, count: u32) -> Step<()> {
        for id in (first.0..first.0 + count).map(ObligationId) {
            let Condition::Stable(value, threshold) = body.obligations[id].condition else { continue };
            let value = self.expr(state, body, value)?;
            let Value::Float(Number::Known(threshold)) = self.expr(state, body, threshold)? else {
                return refused("__clew_stable takes a number and a constant threshold");
            };
            let node = self.as_node(&value)?;
            self.kernel.stable.push(Stable {
                node,
                threshold: threshold.machine.to_f64(),
                span: self.span,
                obligation: Some((state.top().function, id)),
                decisions: state.decisions.clone(),
            });
        }
        Ok(())
    }
}

impl State {
    fn top(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }
}

fn frame_of(body: &Body, function: FuncId, result: Option<CallResult>) -> Frame {
    let locals = vec![None; body.locals.len()];
    Frame { function, block: BlockId(0), statement: 0, locals, objects: FxHashMap::default(), result }
}
