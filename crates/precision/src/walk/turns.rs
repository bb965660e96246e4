// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk that joins: ways meet again behind tests, and loops need not end.
//!
//! Where forks make more paths than can be followed, or a loop goes on for longer than can be unrolled, the function is
//! walked again. Both ways of a test are followed to where they meet and joined there (`join`). A loop is unrolled for a
//! while; then the numbers that it changes are taken for anything in a box, and followed through some turns. If they come
//! back into the box, with affine forms, the box holds for all turns (several turns at once, since a filter's state leaves a
//! box before it returns). If not, the box grows, at first as the values did, then faster.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::analysis::dominators::post_dominators;
use clew_ir::analysis::graph::control_flow;
use clew_ir::analysis::order::loops;
use clew_ir::syntax::{BlockId, FuncId, Terminator};

use super::memory::CellKey;
use super::{State, Step, Stop, Value, Walk, refused};
use crate::dag::Sort;
use crate::interval::Interval;
use crate::kernel::{Decision, Runs};

/// Turns after which a way out stays undecided before the loop is taken as a whole.
const UNDECIDED: usize = 24;
/// Turns that are unrolled otherwise.
const UNROLLED: usize = 12_000;
/// Turns that a box may take to lead back into itself.
const STRIDES: [usize; 4] = [1, 4, 16, 64];
/// Boxes that are tried for each.
const ROUNDS: usize = 16;
/// Larger numbers are no bounds.
const HOPELESS: f64 = 1e150;

/// Where a walk stops.
pub(super) enum Until {
    /// At the end of the function that is looked at.
    End,
    /// Before this statement, in a frame of this depth.
    Point { depth: usize, block: BlockId, statement: usize },
    /// Where the loop of this head begins its next turn, or is left.
    Turn { depth: usize, head: BlockId, blocks: Rc<BTreeSet<BlockId>> },
}

impl Until {
    fn is_met(&self, state: &State) -> bool {
        let Some(frame) = state.frames.last() else { return false };
        match self {
            Until::End => false,
            Until::Point { depth, block, statement } => {
                state.frames.len() == *depth && (frame.block, frame.statement) == (*block, *statement)
            }
            Until::Turn { depth, head, blocks } => {
                state.frames.len() < *depth
                    || (state.frames.len() == *depth
                        && frame.statement == 0
                        && (frame.block == *head || !blocks.contains(&frame.block)))
            }
        }
    }

    fn is_back(&self, state: &State) -> bool {
        match self {
            Until::Turn { depth, head, .. } => {
                state.frames.len() == *depth
                    && state.frames.last().is_some_and(|frame| frame.statement == 0 && frame.block == *head)
            }
            _ => false,
        }
    }
}

/// What a function's graph says.
#[derive(Default)]
pub(super) struct Shape {
    meets: Vec<Option<usize>>,
    loops: BTreeMap<BlockId, Rc<BTreeSet<BlockId>>>,
}

/// Where a number is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Local(usize, usize),
    Cell(CellKey),
}

/// A number that a loop changes, as far as it is known.
#[derive(Clone, Copy)]
struct Varying {
    sort: Sort,
    range: Interval,
    error: f64,
    grew: [f64; 3],
}

/// What is forgotten when a box does not hold.
struct Mark {
    nodes: usize,
    inputs: usize,
    paths: usize,
    stable: usize,
}

impl<'p> Walk<'p> {
    /// Walks a function, joining ways where they meet.
    pub(super) fn run_joining(&mut self, function: FuncId) -> Result<(), String> {
        self.ranges.use_forms(&self.dag);
        let walked = self.entry(function).and_then(|state| self.follow(state, &Until::End, true));
        match walked {
            Ok(_) => Ok(()),
            Err(Stop::Refused(why)) => Err(why),
            Err(_) => Err("the parameters cannot be followed".to_owned()),
        }
    }

    /// The states in which runs come to where the walk stops. `landed`: the state has just come to where it is.
    fn follow(&mut self, mut state: State, until: &Until, mut landed: bool) -> Step<Vec<State>> {
        loop {
            if landed
                && let Some(frame) = state.frames.last()
                && frame.statement == 0
            {
                let (function, head) = (frame.function, frame.block);
                let blocks = self.shape(function).loops.get(&head).cloned();
                if let Some(blocks) = blocks {
                    let around = Until::Turn { depth: state.frames.len(), head, blocks };
                    let left = self.turns(state, &around)?;
                    return self.follow_all(left, until);
                }
            }
            match self.step(&mut state) {
                Ok(true) | Err(Stop::Dead) => return Ok(Vec::new()),
                Ok(false) => {
                    if until.is_met(&state) {
                        return Ok(vec![state]);
                    }
                    landed = state.frames.last().is_some_and(|frame| frame.statement == 0);
                }
                Err(Stop::Refused(why)) => return Err(Stop::Refused(why)),
                Err(Stop::Fork(test)) => {
                    if !(test.is_exact(&self.ranges) || test.is_monotone(&self.dag, &self.ranges)) {
                        self.kernel.unsettled.insert(test.span);
                    }
                    let mut ways = Vec::new();
                    for taken in [true, false] {
                        let mut way = state.clone();
                        way.decisions.push(Decision { test, taken });
                        if self.refine(&mut way, test, taken) {
                            ways.push(way);
                        }
                    }
                    return self.ways(&state, ways, until);
                }
                Err(Stop::Part(test, machine)) => {
                    self.kernel.parted.insert(test.span);
                    let way = |is_machine: bool| {
                        let mut way = state.clone();
                        let taken = if is_machine { machine } else { !machine };
                        way.decisions.push(Decision { test, taken });
                        way.runs = Runs { machine: is_machine, real: !is_machine };
                        way
                    };
                    let ways = vec![way(true), way(false)];
                    return self.ways(&state, ways, until);
                }
            }
        }
    }

    fn follow_all(&mut self, states: Vec<State>, until: &Until) -> Step<Vec<State>> {
        let mut arrived = Vec::new();
        for state in states {
            match until.is_met(&state) {
                true => arrived.push(state),
                false => arrived.extend(self.follow(state, until, true)?),
            }
        }
        Ok(arrived)
    }

    /// Follows the ways of a fork to where they meet, and on.
    fn ways(&mut self, fork: &State, ways: Vec<State>, until: &Until) -> Step<Vec<State>> {
        let meet = self.meeting(fork, until);
        let mut arrived = Vec::new();
        for way in ways {
            arrived.extend(self.follow(way, meet.as_ref().unwrap_or(until), false)?);
        }
        if meet.is_none() {
            return Ok(arrived);
        }
        let joined = self.join_but_flags(arrived)?;
        self.follow_all(joined, until)
    }

    /// Where the ways of a fork meet again, if that is before the walk stops.
    fn meeting(&mut self, state: &State, until: &Until) -> Option<Until> {
        let depth = state.frames.len();
        let frame = state.frames.last()?;
        let (function, block) = (frame.function, frame.block);
        let shape = self.shape(function);
        let next = shape.meets.get(block.0 as usize).copied().flatten()?;
        let is_exit = next == shape.meets.len();
        if let Until::Turn { depth: of_loop, head, blocks } = until
            && *of_loop == depth
        {
            let inside = !is_exit && blocks.contains(&BlockId(next as u32)) && next != head.0 as usize;
            return inside.then_some(Until::Point { depth, block: BlockId(next as u32), statement: 0 });
        }
        if !is_exit {
            return Some(Until::Point { depth, block: BlockId(next as u32), statement: 0 });
        }
        let caller = state.frames.get(depth.checked_sub(2)?)?;
        Some(Until::Point { depth: depth - 1, block: caller.block, statement: caller.statement + 1 })
    }

    fn shape(&mut self, function: FuncId) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&function) {
            return Rc::clone(shape);
        }
        let mut shape = Shape::default();
        if let Some(body) = &self.program.functions[function].body {
            let ends: Vec<usize> = body
                .blocks
                .iter_enumerated()
                .filter(|(_, block)| matches!(block.terminator, Terminator::Return(_)))
                .map(|(id, _)| id.0 as usize)
                .collect();
            shape.meets = post_dominators(&control_flow(body), &ends);
            shape.loops = loops(body).into_iter().map(|(head, blocks)| (head, Rc::new(blocks))).collect();
        }
        let shape = Rc::new(shape);
        self.shapes.insert(function, Rc::clone(&shape));
        shape
    }

    /// The states in which a loop is left, joined.
    fn turns(&mut self, state: State, around: &Until) -> Step<Vec<State>> {
        let (mut exits, mut at_head) = (Vec::new(), vec![state]);
        let mut undecided = 0;
        for turn in 0.. {
            let (left, back) = self.turn(at_head, around)?;
            undecided += usize::from(!left.is_empty());
            exits.extend(left);
            at_head = self.join(back, None)?;
            if at_head.is_empty() {
                break;
            }
            if undecided > UNDECIDED || turn > UNROLLED {
                for state in at_head {
                    exits.extend(self.settle(&state, around)?);
                }
                break;
            }
        }
        self.join(exits, None)
    }

    /// One turn: what leaves the loop, and what begins the next one.
    fn turn(&mut self, states: Vec<State>, around: &Until) -> Step<(Vec<State>, Vec<State>)> {
        let mut arrived = Vec::new();
        for state in states {
            arrived.extend(self.follow(state, around, false)?);
        }
        Ok(arrived.into_iter().partition(|state| !around.is_back(state)))
    }

    /// The states in which a loop is left at any later time.
    fn settle(&mut self, start: &State, around: &Until) -> Step<Vec<State>> {
        let span = self.span;
        let mut why = String::new();
        for stride in STRIDES {
            let mark = self.mark();
            match self.inductive(start, around, stride) {
                Ok(Ok(exits)) => return Ok(exits),
                Ok(Err(reason)) | Err(Stop::Refused(reason)) => why = reason,
                Err(stop) => return Err(stop),
            }
            self.back_to(&mark);
        }
        self.span = span;
        refused(why)
    }

    /// Looks for a box that so many turns lead back into; or says why there is none.
    fn inductive(
        &mut self,
        start: &State,
        around: &Until,
        stride: usize,
    ) -> Step<Result<Vec<State>, String>> {
        let mut varying: BTreeMap<Place, Varying> = BTreeMap::new();
        let mut why = String::new();
        let since = self.dag.len();
        for round in 0..ROUNDS {
            let mark = self.mark();
            let opened = self.opened(start, &varying);
            let (mut exits, mut at_head) = (Vec::new(), vec![opened.clone()]);
            for _ in 0..stride {
                let (left, back) = self.turn(at_head, around)?;
                exits.extend(left);
                at_head = self.join(back, None)?;
            }
            let back = match &at_head[..] {
                [] => return self.out(exits, start, since).map(Ok),
                [back] => back.clone(),
                _ => return self.too_many(self.span),
            };
            let new: Vec<Place> =
                changed(&opened, &back).into_iter().filter(|place| !varying.contains_key(place)).collect();
            if !new.is_empty() {
                for place in new {
                    if let Some(one) = self.first_box(start, &back, place)? {
                        varying.insert(place, one);
                    }
                }
                self.back_to(&mark);
                continue;
            }
            let mut grows = None;
            for (place, one) in &mut varying {
                let Some(value) = value_at(&back, *place) else { continue };
                let node = self.as_node(&value)?;
                let reach = self.ranges.get(node);
                if one.widen(reach.value, reach.total, round) {
                    grows = Some(*place);
                }
            }
            let Some(place) = grows else { return self.out(exits, start, since).map(Ok) };
            why = self.growth(start, place, &varying);
            self.back_to(&mark);
            if varying.values().any(Varying::is_hopeless) {
                break;
            }
        }
        Ok(Err(why))
    }

    /// The exits of a loop, in which the machine and the reals may be in different turns if they can part at a test.
    fn out(&mut self, exits: Vec<State>, start: &State, since: usize) -> Step<Vec<State>> {
        let known = start.decisions.len();
        let parts = exits.iter().flat_map(|state| state.decisions.iter().skip(known)).any(|decision| {
            let test = &decision.test;
            !(test.is_exact(&self.ranges) || test.is_monotone(&self.dag, &self.ranges))
        });
        let is_alone = exits.iter().any(|state| !(state.runs.machine && state.runs.real));
        self.join(exits, (parts || is_alone).then_some(since))
    }

    /// The state with anything in the box where the loop changes something.
    fn opened(&mut self, start: &State, varying: &BTreeMap<Place, Varying>) -> State {
        let mut state = start.clone();
        for (place, one) in varying {
            let node = self.made(one.sort, one.range, one.error);
            let value = self.value_of(node);
            match *place {
                Place::Local(frame, local) => state.frames[frame].locals[local] = Some(value),
                Place::Cell(key) => {
                    let size = self.program.size_of(key.2) as i64;
                    state.memory.poke(key, size, Some(value));
                }
            }
        }
        state
    }

    /// What a place holds before and after; none if it is not used before it is written.
    fn first_box(&mut self, start: &State, back: &State, place: Place) -> Step<Option<Varying>> {
        let (Some(before), Some(after)) = (value_at(start, place), value_at(back, place)) else {
            return Ok(None);
        };
        if matches!(before, Value::Pointer(_) | Value::Function(_)) {
            return refused("a pointer moves with the turns of a loop that has no end");
        }
        let (before, after) = (self.as_node(&before)?, self.as_node(&after)?);
        let (x, y) = (self.ranges.get(before), self.ranges.get(after));
        let range = x.value.hull(y.value);
        let sort = self.dag.nodes[before].sort;
        Ok(Some(Varying { sort, range, error: x.total.max(y.total), grew: [0.0; 3] }))
    }

    /// Why there is no box, for a person.
    fn growth(&self, start: &State, place: Place, varying: &BTreeMap<Place, Varying>) -> String {
        let name = match place {
            Place::Local(frame, local) => {
                let function = start.frames[frame].function;
                let body = self.program.functions[function].body.as_ref();
                body.and_then(|body| body.locals[clew_ir::syntax::LocalId(local as u32)].name.as_deref())
                    .map(|name| format!("`{name}`"))
            }
            Place::Cell(_) => None,
        };
        let name = name.unwrap_or_else(|| "a number".to_owned());
        let what = varying
            .get(&place)
            .map_or("value", |one| if one.grew[0] > 0.0 || one.grew[1] > 0.0 { "value" } else { "error" });
        format!("the {what} of {name} grows with every turn of a loop that is too long to be unrolled")
    }

    fn mark(&self) -> Mark {
        Mark {
            nodes: self.dag.len(),
            inputs: self.inputs.len(),
            paths: self.kernel.paths.len(),
            stable: self.kernel.stable.len(),
        }
    }

    fn back_to(&mut self, mark: &Mark) {
        self.dag.truncate(mark.nodes, mark.inputs);
        self.ranges.truncate(mark.nodes);
        self.inputs.truncate(mark.inputs);
        self.kernel.paths.truncate(mark.paths);
        self.kernel.stable.truncate(mark.stable);
        self.named.retain(|_, id| (id.0 as usize) < mark.inputs);
        self.aliases.retain(|id, node| (id.0 as usize) < mark.inputs && (node.0 as usize) < mark.nodes);
    }
}

impl Varying {
    /// Takes in what a turn leads to. True if it was not there yet.
    fn widen(&mut self, range: Interval, error: f64, round: usize) -> bool {
        let (low, high) = (self.range.lo - range.lo, range.hi - self.range.hi);
        let more = error - self.error;
        // NaN grows, too.
        let grows = [low, high, more].map(|by| if by <= 0.0 { 0.0 } else { by.abs().max(f64::MIN_POSITIVE) });
        if grows == [0.0; 3] {
            return false;
        }
        let ahead = |by: f64, before: f64| match () {
            () if by == 0.0 => 0.0,
            () if self.sort == Sort::Integer => by,
            () if round > 1 && before > 0.0 && by < 0.97 * before => 1.1 * by / (1.0 - by / before),
            () => by * 1.01 * 4f64.powi(round.saturating_sub(3) as i32),
        };
        let by = [0, 1, 2].map(|index| ahead(grows[index], self.grew[index]));
        self.range = Interval::new(self.range.lo - by[0], self.range.hi + by[1]);
        self.error += by[2];
        if self.sort == Sort::Integer && round > 1 {
            let limit = |x: f64| if x.abs() <= 2_147_483_647.0 { 2_147_483_647.0 } else { 9.2e18 };
            let (lo, hi) = (self.range.lo, self.range.hi);
            self.range.lo = if by[0] > 0.0 { -limit(lo) } else { lo };
            self.range.hi = if by[1] > 0.0 { limit(hi) } else { hi };
        }
        self.grew = grows;
        true
    }

    fn is_hopeless(&self) -> bool {
        self.grew != [0.0; 3] && !(self.range.mag() < HOPELESS && self.error < HOPELESS)
    }
}

fn value_at(state: &State, place: Place) -> Option<Value> {
    match place {
        Place::Local(frame, local) => state.frames.get(frame)?.locals.get(local)?.clone(),
        Place::Cell(key) => state.memory.peek(key).cloned(),
    }
}

/// Where two states at the same place differ.
fn changed(before: &State, after: &State) -> Vec<Place> {
    let is_same = |a: &Value, b: &Value| match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Pointer(a), Value::Pointer(b)) => a == b,
        (Value::Function(a), Value::Function(b)) => a == b,
        (Value::Whole(a), Value::Whole(b)) => a == b,
        (Value::Float(super::Number::Node(a)), Value::Float(super::Number::Node(b))) => a == b,
        (Value::Float(super::Number::Known(a)), Value::Float(super::Number::Known(b))) => {
            a.machine.to_bits() == b.machine.to_bits() && a.real == b.real
        }
        _ => false,
    };
    let mut places = Vec::new();
    for (frame, (a, b)) in before.frames.iter().zip(&after.frames).enumerate() {
        for (local, pair) in a.locals.iter().zip(&b.locals).enumerate() {
            // What is not there before is written before it is read, or the walk is refused.
            if let (Some(a), Some(b)) = pair
                && !is_same(a, b)
            {
                places.push(Place::Local(frame, local));
            }
        }
    }
    let mut cells = BTreeSet::new();
    before.memory.differing(&after.memory, &mut cells);
    for key in cells {
        match (before.memory.peek(key), after.memory.peek(key)) {
            (Some(a), Some(b)) if is_same(a, b) => {}
            (None, None) => {}
            _ => places.push(Place::Cell(key)),
        }
    }
    places
}
