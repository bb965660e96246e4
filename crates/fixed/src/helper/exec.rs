// SPDX-License-Identifier: MIT OR Apache-2.0
//! All paths through a helper. Loops are unrolled as far as the ranges of its arguments let them run.
//!
//! Two sides of a test inside a loop become one path again where they meet, by a *choice*: a symbol that is 1 on the one side
//! and 0 on the other. `if (r >= d) { q |= bit; r -= d; }` leaves `q + c * bit` and `r - c * d`, so that what the loop keeps
//! (`q * d + r` of a division, `n - s * s` of a root) stays visible in the polynomials, and no invariant has to be found.
//! Which variables are below which others is proved on both sides and kept ([`State::merged`]).

use std::collections::BTreeMap;

use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{
    Argument, BinaryOp, BlockId, Body, CallResult, Callee, ExprKind, FuncId, LocalId, ObligationId, Place,
    PlaceBase, Program, Projection, Statement, StatementKind, Storage, Terminator,
};

use super::arith::{Truth, exactly};
use super::poly::{CHOICE, Poly, Symbol};
use super::state::{Done, Frame, Halt, State, Value, fits};
use crate::facts::Facts;
use crate::graph::{meeting_points, successors};

/// Statements of all paths together.
const MOST_STEPS: u32 = 60_000;

/// Calls inside calls.
const MOST_CALLS: usize = 12;

/// An execution of a helper on all arguments of a box.
pub(crate) struct Exec<'a> {
    pub program: &'a Program,
    facts: &'a Facts,
    /// The next symbol.
    pub symbols: Symbol,
    choices: Symbol,
    steps: u32,
    meeting: BTreeMap<FuncId, Vec<Option<BlockId>>>,
}

/// What a statement leads to.
enum Next {
    On,
    Dead,
    Many(Vec<State>),
}

impl<'a> Exec<'a> {
    pub(crate) fn new(program: &'a Program, facts: &'a Facts) -> Exec<'a> {
        Exec { program, facts, symbols: 0, choices: CHOICE, steps: 0, meeting: BTreeMap::new() }
    }

    /// All paths to the end of a function, with their results.
    pub(crate) fn run(&mut self, function: FuncId, ranges: &[(i128, i128)]) -> Done<Vec<State>> {
        let mut state = State::new();
        let mut arguments = Vec::new();
        for range in ranges {
            let symbol = state.symbol(*range, &mut self.symbols)?;
            let known = (range.0 == range.1).then(|| Poly::constant(range.0));
            arguments.push(Value::Poly(known.unwrap_or_else(|| Poly::symbol(symbol))));
        }
        self.enter(state, function, arguments)
    }

    fn enter(&mut self, mut state: State, function: FuncId, arguments: Vec<Value>) -> Done<Vec<State>> {
        let program = self.program;
        let Some(body) = &program.functions[function].body else {
            return Err(Halt::Fail("a call of a function without a body"));
        };
        if state.frames.len() >= MOST_CALLS {
            return Err(Halt::Fail("calls that nest too deep"));
        }
        let mut registers = vec![Value::Undefined; body.locals.len()];
        let mut cells = BTreeMap::new();
        for (index, argument) in arguments.into_iter().enumerate() {
            let local = LocalId(index as u32);
            match body.locals[local].storage {
                Storage::Register => registers[index] = argument,
                Storage::Memory { .. } => {
                    let size = program.size_of(body.locals[local].ty);
                    cells.insert((local, 0), (size, argument));
                }
            }
        }
        state.frames.push(Frame { function, registers, cells, result: None });
        self.region(state, function, body, BlockId(0), None)
    }

    fn tick(&mut self) -> Done<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            Err(Halt::Fail("too many paths, or a loop without an end"))
        } else {
            Ok(())
        }
    }

    /// All paths from a block to where `stop` begins, or to the function's end.
    fn region(
        &mut self,
        state: State,
        function: FuncId,
        body: &'a Body,
        from: BlockId,
        stop: Option<BlockId>,
    ) -> Done<Vec<State>> {
        let mut ended = Vec::new();
        let mut open = vec![(state, from, 0usize)];
        while let Some((mut state, at, index)) = open.pop() {
            if index == 0 && Some(at) == stop {
                ended.push(state);
                continue;
            }
            self.tick()?;
            if state.known.is_tired() {
                return Err(Halt::Fail("too many cases to look at"));
            }
            let block = &body.blocks[at];
            if let Some(statement) = block.statements.get(index) {
                match self.statement(body, &mut state, statement) {
                    Ok(Next::On) => open.push((state, at, index + 1)),
                    Ok(Next::Dead) => {}
                    Ok(Next::Many(states)) => {
                        open.extend(states.into_iter().map(|state| (state, at, index + 1)));
                    }
                    Err(Halt::Split(on)) => {
                        open.extend(sides(&state, &on)?.into_iter().flatten().map(|side| (side, at, index)));
                    }
                    Err(fail) => return Err(fail),
                }
                continue;
            }
            match self.terminator(function, body, &mut state, at) {
                Ok(After::At(next)) => open.push((state, next, 0)),
                Ok(After::End) => ended.push(state),
                Ok(After::Dead) => {}
                Ok(After::Met(meeting, states)) => match meeting {
                    Some(meeting) => open.extend(states.into_iter().map(|state| (state, meeting, 0))),
                    None => ended.extend(states),
                },
                Err(Halt::Split(on)) => {
                    open.extend(sides(&state, &on)?.into_iter().flatten().map(|side| (side, at, index)));
                }
                Err(fail) => return Err(fail),
            }
        }
        Ok(ended)
    }

    fn terminator(
        &mut self,
        function: FuncId,
        body: &'a Body,
        state: &mut State,
        at: BlockId,
    ) -> Done<After> {
        match &body.blocks[at].terminator {
            Terminator::Goto(to) => Ok(After::At(*to)),
            Terminator::Branch { condition, then, otherwise } => {
                match self.truth(body, state, *condition)? {
                    Truth::Known(true) => Ok(After::At(*then)),
                    Truth::Known(false) => Ok(After::At(*otherwise)),
                    Truth::Where(on) => self.test(function, body, state, at, &on, [*then, *otherwise]),
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.number(body, state, *value)?;
                let Some(value) = state.one_of_few(&value, 17)? else {
                    return Err(Halt::Fail("a switch over a value that is not known"));
                };
                let found = cases.iter().find(|(a, b, _)| (*a..=*b).contains(&value));
                Ok(After::At(found.map_or(*default, |(_, _, to)| *to)))
            }
            Terminator::Return(result) => {
                let result = match result {
                    Some(Argument::Value(value)) => Some(self.eval(body, state, *value)?),
                    Some(Argument::Object(_)) => return Err(Halt::Fail("a record")),
                    None => None,
                };
                state.frame().result = result;
                Ok(After::End)
            }
            Terminator::Unreachable => Ok(After::Dead),
            Terminator::ComputedGoto { .. } => Err(Halt::Fail("a computed goto")),
        }
    }

    /// Both sides of a test, to where they meet.
    fn test(
        &mut self,
        function: FuncId,
        body: &'a Body,
        state: &State,
        at: BlockId,
        on: &Poly,
        blocks: [BlockId; 2],
    ) -> Done<After> {
        let points = self.meeting.entry(function).or_insert_with(|| meeting_points(body));
        let meeting = points[at.0 as usize];
        let mut met: Vec<Vec<State>> = Vec::new();
        for (side, block) in sides(state, on)?.into_iter().zip(blocks) {
            met.push(match side {
                Some(side) => self.region(side, function, body, block, meeting)?,
                None => Vec::new(),
            });
        }
        if let ([yes], [no]) = (&met[0][..], &met[1][..])
            && let Some(meeting) = meeting
            && reaches(body, meeting, at, None)
            && !blocks.iter().any(|block| reaches(body, *block, at, Some(meeting)))
        {
            let choice = self.choices;
            let program = self.program;
            let is_named = |of: FuncId, at: usize| {
                let body = program.functions[of].body.as_ref();
                body.is_some_and(|body| body.locals[LocalId(at as u32)].name.is_some())
            };
            if let Some(merged) = State::merged(yes, no, choice, is_named) {
                self.choices = choice.checked_add(1).ok_or(Halt::Fail("too many cases"))?;
                return Ok(After::Met(Some(meeting), vec![merged]));
            }
        }
        Ok(After::Met(meeting, met.into_iter().flatten().collect()))
    }

    fn statement(&mut self, body: &'a Body, state: &mut State, statement: &Statement) -> Done<Next> {
        match &statement.kind {
            StatementKind::StorageDead { .. } | StatementKind::Unordered { .. } => {}
            StatementKind::Check { first, count } => {
                for id in first.0..first.0 + count {
                    let obligation = &body.obligations[ObligationId(id)];
                    self.check(body, state, &obligation.condition)?;
                }
            }
            StatementKind::StorageLive { local, bytes } => {
                if bytes.is_some() {
                    return Err(Halt::Fail("an array of variable length"));
                }
                let frame = state.frame();
                frame.registers[local.0 as usize] = Value::Undefined;
                frame.cells.retain(|(of, _), _| of != local);
            }
            StatementKind::Assign { local, value } => {
                let value = self.eval(body, state, *value)?;
                state.frame().registers[local.0 as usize] = value;
            }
            StatementKind::Load { local, place, .. } => {
                let value = self.load(body, state, place)?;
                state.frame().registers[local.0 as usize] = value;
            }
            StatementKind::Store { place, value, .. } => {
                let value = self.eval(body, state, *value)?;
                self.store(body, state, place, value)?;
            }
            StatementKind::Assume { condition } => {
                if let Truth::Known(false) = self.truth(body, state, *condition)? {
                    return Ok(Next::Dead);
                }
            }
            StatementKind::Call(call) => {
                let Callee::Direct(callee) = call.callee else {
                    return Err(Halt::Fail("a call through a pointer"));
                };
                let mut arguments = Vec::new();
                for argument in &call.arguments {
                    let Argument::Value(value) = argument else { return Err(Halt::Fail("a record")) };
                    arguments.push(self.eval(body, state, *value)?);
                }
                let mut states = self.enter(state.clone(), callee, arguments)?;
                for state in &mut states {
                    let result = state.frames.pop().and_then(|frame| frame.result);
                    match (&call.result, result) {
                        (Some(CallResult::Local(local)), Some(value)) => {
                            state.frame().registers[local.0 as usize] = value;
                        }
                        (None, _) => {}
                        _ => return Err(Halt::Fail("a result that is no integer")),
                    }
                }
                return Ok(Next::Many(states));
            }
            _ => return Err(Halt::Fail("a statement that does more than compute with integers")),
        }
        Ok(Next::On)
    }

    /// What C leaves undefined must not happen: sums that overflow a signed type.
    fn check(&mut self, body: &'a Body, state: &mut State, condition: &Condition) -> Done<()> {
        let Condition::NotRaised(Raise::SignedOverflow, operation) = condition else { return Ok(()) };
        let expr = &body.exprs[*operation];
        let exact = match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let (a, b) = (self.number(body, state, *a)?, self.number(body, state, *b)?);
                exactly(*op, &a, &b)?
            }
            ExprKind::Binary(BinaryOp::Div, a, b) => {
                let (a, b) = (self.number(body, state, *a)?, self.number(body, state, *b)?);
                state.divided_by(&a, &b, &mut self.symbols)?.0
            }
            ExprKind::Unary(clew_ir::syntax::UnaryOp::Neg, a) => {
                fits(self.number(body, state, *a)?.negated())?
            }
            _ => return Ok(()),
        };
        let int = self.int_of(expr.ty)?;
        match state.ends(&exact) {
            Some((low, high)) if !int.signed || int.min() <= low && high <= int.max() => Ok(()),
            _ => Err(Halt::Fail("a signed sum, difference or product that may overflow")),
        }
    }

    /// The local and the offset that a place is.
    fn spot(&mut self, body: &'a Body, state: &mut State, place: &Place) -> Done<(PlaceBase, u64)> {
        let (base, mut offset) = match place.base {
            PlaceBase::Deref(pointer) => match &body.exprs[pointer].kind {
                ExprKind::AddressOf(inner) => self.spot(body, state, inner)?,
                _ => return Err(Halt::Fail("an access through a pointer")),
            },
            base => (base, 0),
        };
        for projection in &place.projections {
            match projection {
                Projection::Field { .. } => return Err(Halt::Fail("a record")),
                Projection::Index { index, stride, .. } => {
                    let index = self.number(body, state, *index)?;
                    let Some(index) = state.one_of_few(&index, 17)? else {
                        return Err(Halt::Fail("an index that is not known"));
                    };
                    let at = u64::try_from(index).ok().and_then(|index| index.checked_mul(*stride));
                    offset = fits(at.and_then(|at| at.checked_add(offset)))?;
                }
            }
        }
        Ok((base, offset))
    }

    fn load(&mut self, body: &'a Body, state: &mut State, place: &Place) -> Done<Value> {
        let size = self.program.size_of(place.ty);
        match self.spot(body, state, place)? {
            (PlaceBase::Local(local), offset) => match state.frame().cells.get(&(local, offset)) {
                Some((stored, value)) if *stored == size => {
                    let value = value.clone();
                    match value {
                        Value::Poly(poly) => {
                            let int = self.int_of(place.ty)?;
                            Ok(Value::Poly(state.wrapped(poly, int, &mut self.symbols)?))
                        }
                        other => Ok(other),
                    }
                }
                _ => Err(Halt::Fail("memory without a value, or read as another type")),
            },
            (PlaceBase::Global(global), offset) => {
                let int = self.int_of(place.ty)?;
                let bits = super::constant(self.program, self.facts, global, offset, size);
                bits.map(|bits| Value::Poly(Poly::constant(int.wrap(bits))))
                    .ok_or(Halt::Fail("a global variable that is no constant"))
            }
            _ => Err(Halt::Fail("an access through a pointer")),
        }
    }

    fn store(&mut self, body: &'a Body, state: &mut State, place: &Place, value: Value) -> Done<()> {
        let size = self.program.size_of(place.ty);
        let (PlaceBase::Local(local), offset) = self.spot(body, state, place)? else {
            return Err(Halt::Fail("a write to what is no local variable"));
        };
        self.int_of(place.ty)?;
        let cells = &mut state.frame().cells;
        let overlaps = |((of, at), (length, _)): (&(LocalId, u64), &(u64, Value))| {
            *of == local && *at < offset + size && offset < at + length && (*at, *length) != (offset, size)
        };
        if cells.iter().any(overlaps) {
            return Err(Halt::Fail("memory that is written as another type"));
        }
        cells.insert((local, offset), (size, value));
        Ok(())
    }
}

/// Where control goes.
enum After {
    At(BlockId),
    Met(Option<BlockId>, Vec<State>),
    End,
    Dead,
}

/// The path where a polynomial is at least 0, and the one where it is less, if they are possible.
fn sides(state: &State, on: &Poly) -> Done<[Option<State>; 2]> {
    let less = fits(fits(on.negated())?.shifted(-1))?;
    let side = |poly: &Poly| {
        let mut side = state.clone();
        side.known.assume(poly).then_some(side)
    };
    Ok([side(on), side(&less)])
}

/// Whether control may get from the one block to the other, not by way of a third.
fn reaches(body: &Body, from: BlockId, to: BlockId, not_by: Option<BlockId>) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if Some(at) == not_by || std::mem::replace(&mut seen[at.0 as usize], true) {
            continue;
        }
        if at == to {
            return true;
        }
        open.extend(successors(&body.blocks[at].terminator));
    }
    false
}
