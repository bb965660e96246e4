// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of several ways become one where the ways meet again.
//!
//! What the ways agree on stays. A number that they do not agree on becomes a number that stands for all of them: its
//! range holds theirs, and its error is the greatest of theirs, and of what the machine on one way and the reals on
//! another may be apart. Where they can part at a test, both are near the point at which it changes: that is why a value
//! that is cut off at a limit has the error that it had before.

use std::collections::BTreeSet;

use clew_base::source::Span;
use clew_ir::syntax::CompareOp;
use rustc_hash::FxHashMap;

use super::memory::CellKey;
use super::{Number, State, Step, Value, Walk, refused};
use crate::dag::{Input, InputId, NodeId, Op, Sort};
use crate::interval::Interval;
use crate::kernel::{Decision, Runs, Test, mirrored};

/// Pairs of more states are not looked at as closely.
const CLOSE: usize = 12;

/// More ways are not told apart by the conditions that they are on the way to.
const FLAGGED: usize = 8;

/// The machine on one way, the reals on another: what nodes may be there.
struct Parting {
    machine: usize,
    real: usize,
    /// The test at which they part, if it is known.
    test: Option<Test>,
    first: usize,
    tail: Vec<Interval>,
}

impl<'p> Walk<'p> {
    /// One state for all that are alike. Runs on the same way took it at the same time, unless `since` is given: then the
    /// machine and the reals may be in different turns of a loop, whose numbers are the nodes from that one on.
    pub(super) fn join(&mut self, states: Vec<State>, since: Option<usize>) -> Step<Vec<State>> {
        self.join_groups(grouped(states, is_alike), since)
    }

    /// The same, but ways that a condition of several tests tells apart (`a && b`) stay apart until it is used.
    pub(super) fn join_but_flags(&mut self, states: Vec<State>) -> Step<Vec<State>> {
        let program = self.program;
        let by_flags = |a: &State, b: &State| is_alike(a, b) && has_same_flags(program, a, b);
        let groups = grouped(states.clone(), by_flags);
        if groups.len() > FLAGGED { self.join(states, None) } else { self.join_groups(groups, None) }
    }

    fn join_groups(&mut self, groups: Vec<Vec<State>>, since: Option<usize>) -> Step<Vec<State>> {
        let mut joined = Vec::new();
        for mut group in groups {
            match group.len() {
                1 if since.is_none() => joined.extend(group.pop()),
                _ => joined.push(self.unite(&group, since)?),
            }
        }
        Ok(joined)
    }

    fn unite(&mut self, group: &[State], since: Option<usize>) -> Step<State> {
        let partings = self.partings(group);
        let mut one = group[0].clone();
        one.decisions = common(group);
        one.runs = Runs {
            machine: group.iter().any(|state| state.runs.machine),
            real: group.iter().any(|state| state.runs.real),
        };
        one.drawn = group.iter().map(|state| state.drawn).max().unwrap_or(0);
        let count = group.iter().map(|state| state.memory.count()).min().unwrap_or(0);
        let mut known: FxHashMap<Vec<NodeId>, Value> = FxHashMap::default();
        for frame in 0..one.frames.len() {
            for local in 0..one.frames[frame].locals.len() {
                let values: Option<Vec<Value>> =
                    group.iter().map(|state| state.frames[frame].locals[local].clone()).collect();
                let value = match values {
                    Some(values) => self
                        .united(&values, group, &partings, since, &mut known)?
                        .filter(|value| is_there(value, count)),
                    None => None,
                };
                one.frames[frame].locals[local] = value;
            }
            let objects = one.frames[frame].objects.clone();
            let is_common = |local: &clew_ir::syntax::LocalId, id: &super::ObjectId| {
                (id.0 as usize) < count
                    && group.iter().all(|state| state.frames[frame].objects.get(local) == Some(id))
            };
            one.frames[frame].objects = objects.into_iter().filter(|(l, id)| is_common(l, id)).collect();
        }
        one.memory.truncate(count);
        let mut cells: BTreeSet<CellKey> = BTreeSet::new();
        for state in &group[1..] {
            one.memory.differing(&state.memory, &mut cells);
        }
        for key in cells {
            let mut values = Vec::new();
            for state in group {
                values.push(match state.memory.peek(key) {
                    Some(value) => Some(value.clone()),
                    None if state.memory.is_own(key.0) => None,
                    None => Some(self.load(&mut state.clone(), (key.0, key.1), key.2)?),
                });
            }
            let values: Option<Vec<Value>> = values.into_iter().collect();
            let value = match values {
                Some(values) => self
                    .united(&values, group, &partings, since, &mut known)?
                    .filter(|value| is_there(value, count)),
                None => None,
            };
            one.memory.poke(key, self.program.size_of(key.2) as i64, value);
        }
        for state in &group[1..] {
            one.memory.unite_written(&state.memory);
        }
        Ok(one)
    }

    /// One value for several; none if they have nothing in common.
    fn united(
        &mut self,
        values: &[Value],
        group: &[State],
        partings: &[Parting],
        since: Option<usize>,
        known: &mut FxHashMap<Vec<NodeId>, Value>,
    ) -> Step<Option<Value>> {
        let same = |a: &Value, b: &Value| match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(Number::Known(a)), Value::Float(Number::Known(b))) => {
                a.machine.to_bits() == b.machine.to_bits() && a.real == b.real
            }
            (Value::Pointer(a), Value::Pointer(b)) => a == b,
            (Value::Function(a), Value::Function(b)) => a == b,
            _ => false,
        };
        if values.iter().all(|value| same(value, &values[0])) {
            return Ok(Some(values[0].clone()));
        }
        if values.iter().any(|value| matches!(value, Value::Pointer(_) | Value::Function(_))) {
            return Ok(None);
        }
        let mut nodes = Vec::new();
        for value in values {
            nodes.push(self.as_node(value)?);
        }
        let original = self.original(nodes[0]);
        let stays = since.is_some_and(|since| (nodes[0].0 as usize) < since);
        if stays && nodes.iter().all(|node| *node == nodes[0]) {
            return Ok(Some(values[0].clone()));
        }
        if since.is_none() && nodes.iter().all(|node| *node == nodes[0] || self.original(*node) == original) {
            let node = if nodes.iter().all(|node| *node == nodes[0]) { nodes[0] } else { original };
            return Ok(Some(self.value_of(node)));
        }
        if let Some(value) = known.get(&nodes) {
            return Ok(Some(value.clone()));
        }
        let sort = self.dag.nodes[nodes[0]].sort;
        if nodes.iter().any(|node| self.dag.nodes[*node].sort != sort) {
            return Ok(None);
        }
        let range = nodes.iter().map(|node| self.ranges.value(*node)).reduce(Interval::hull);
        let range = range.unwrap_or(Interval::ZERO);
        let error = match since {
            None => self.error_of_all(&nodes, group, partings),
            Some(_) => range.width(),
        };
        let node = self.made(sort, range, error);
        let value = self.value_of(node);
        known.insert(nodes, value.clone());
        Ok(Some(value))
    }

    fn error_of_all(&self, nodes: &[NodeId], group: &[State], partings: &[Parting]) -> f64 {
        let together = group.iter().zip(nodes).filter(|(state, _)| state.runs.machine && state.runs.real);
        let same_way = together.map(|(_, node)| self.ranges.get(*node).total).fold(0.0, f64::max);
        let apart = partings.iter().map(|parting| {
            let (a, b) = (nodes[parting.machine], nodes[parting.real]);
            let at = |node: NodeId| match (node.0 as usize).checked_sub(parting.first) {
                Some(index) => parting.tail.get(index).copied().unwrap_or(self.ranges.value(node)),
                None => self.ranges.value(node),
            };
            let plain = at(a).sub(at(b)).mag();
            match parting.test {
                Some(test) if self.are_sides(&test, a, b) => plain.min(self.tolerance(&test) * 2.0),
                _ => plain,
            }
        });
        let most = apart.fold(same_way, f64::max);
        if most.is_nan() { f64::INFINITY } else { most }
    }

    /// Whether the two are what a test compares: where runs part there, those are near each other.
    fn are_sides(&self, test: &Test, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.original(a), self.original(b));
        let sides = (self.original(test.left), self.original(test.right));
        sides == (a, b) || sides == (b, a)
    }

    /// How far the sides of a test are apart, at most, where the runs part.
    fn tolerance(&self, test: &Test) -> f64 {
        let sum = self.ranges.get(test.left).total + self.ranges.get(test.right).total;
        sum * (1.0 + 1e-12)
    }

    /// The pairs of ways of which the machine may take one and the reals another.
    fn partings(&mut self, group: &[State]) -> Vec<Parting> {
        let mut all = Vec::new();
        for (machine, a) in group.iter().enumerate() {
            for (real, b) in group.iter().enumerate() {
                if machine == real || !a.runs.machine || !b.runs.real {
                    continue;
                }
                let index = a.decisions.iter().zip(&b.decisions).position(|(a, b)| a.taken != b.taken);
                let test = index.map(|index| a.decisions[index].test);
                let keeps = |test: &Test| {
                    let together = a.runs.real && b.runs.machine;
                    let same = test.is_exact(&self.ranges) || test.is_monotone(&self.dag, &self.ranges);
                    together && same
                };
                if test.as_ref().is_some_and(keeps) {
                    continue;
                }
                let parting = Parting { machine, real, test, first: usize::MAX, tail: Vec::new() };
                let narrowed = match (index, test) {
                    (Some(index), Some(test)) if group.len() <= CLOSE => {
                        self.near(&test, [&a.decisions[index + 1..], &b.decisions[index + 1..]])
                    }
                    _ => Some((usize::MAX, Vec::new())),
                };
                if let Some((first, tail)) = narrowed {
                    all.push(Parting { first, tail, ..parting });
                }
            }
        }
        all
    }

    /// What nodes are where both sides of a test are near each other; none if they never are.
    fn near(&mut self, test: &Test, behind: [&[Decision]; 2]) -> Option<(usize, Vec<Interval>)> {
        let mut inputs = self.inputs.clone();
        let mut first = usize::MAX;
        for decisions in behind {
            // The decision after it is that of the number which stands for one side, cut off at the other.
            let Some(alias) = decisions.first().map(|decision| decision.test) else { continue };
            let (node, other) = match () {
                () if alias.span == test.span && alias.right == test.right => (alias.left, test.right),
                () if alias.span == test.span && alias.left == test.left => (alias.right, test.left),
                () => continue,
            };
            let Op::Input(id) = self.dag.nodes[node].op else { continue };
            if !self.aliases.contains_key(&id) {
                continue;
            }
            let near = self.ranges.value(other).widen(self.tolerance(test));
            inputs[id.0 as usize] = inputs[id.0 as usize].meet(near)?;
            first = first.min(node.0 as usize);
        }
        if first == usize::MAX {
            return Some((first, Vec::new()));
        }
        let tail = self.ranges.tail(&self.dag, first, &inputs);
        Some((first, tail))
    }

    /// What was decided is known of the numbers from now on. False: no run decides so.
    pub(super) fn refine(&mut self, state: &mut State, test: Test, taken: bool) -> bool {
        let sides = [(test.left, test.right, test.op), (test.right, test.left, mirrored(test.op))];
        for (node, other, op) in sides {
            if matches!(self.dag.nodes[node].op, Op::Constant(_)) {
                continue;
            }
            let sort = self.dag.nodes[node].sort;
            let (value, limit) = (self.ranges.value(node), self.ranges.value(other));
            let next = if sort == Sort::Integer { 1.0 } else { 0.0 };
            let all = Interval::WHOLE;
            let cut = match (op, taken) {
                (CompareOp::Lt, true) | (CompareOp::Ge, false) => Interval::new(all.lo, limit.hi - next),
                (CompareOp::Le, true) | (CompareOp::Gt, false) => Interval::new(all.lo, limit.hi),
                (CompareOp::Gt, true) | (CompareOp::Le, false) => Interval::new(limit.lo + next, all.hi),
                (CompareOp::Ge, true) | (CompareOp::Lt, false) => Interval::new(limit.lo, all.hi),
                (CompareOp::Eq, true) | (CompareOp::Ne, false) => limit,
                (CompareOp::Ne, true) | (CompareOp::Eq, false) => continue,
            };
            let Some(range) = value.meet(cut) else { return false };
            if range == value || !range.is_finite() || !holds(state, node) {
                continue;
            }
            let error = self.ranges.get(node).total;
            let alias = self.made(sort, range, error);
            let original = self.original(node);
            if let Op::Input(id) = self.dag.nodes[alias].op {
                self.aliases.insert(id, original);
            }
            let with = self.value_of(alias);
            replace(state, node, &with);
            let test = match node == test.left {
                true => Test { left: alias, ..test },
                false => Test { right: alias, ..test },
            };
            state.decisions.push(Decision { test, taken });
            return true;
        }
        true
    }

    /// The number that one stands for which was cut off at a test.
    fn original(&self, node: NodeId) -> NodeId {
        match self.dag.nodes[node].op {
            Op::Input(id) => self.aliases.get(&id).copied().unwrap_or(node),
            _ => node,
        }
    }

    /// A number of which only this is known.
    pub(super) fn made(&mut self, sort: Sort, range: Interval, error: f64) -> NodeId {
        self.inputs.push(range);
        let name = format!("joined{}", self.inputs.len());
        let id: InputId = self.dag.inputs.push(Input {
            name,
            sort,
            range,
            is_given: true,
            error,
            is_rounded: false,
            is_joined: true,
        });
        let node = self.dag.input(id, self.span);
        self.ranges.extend(&self.dag, &self.inputs);
        node
    }

    pub(super) fn value_of(&self, node: NodeId) -> Value {
        match self.dag.nodes[node].sort {
            Sort::Integer => Value::Whole(node),
            Sort::Float(_) => Value::Float(Number::Node(node)),
        }
    }

    /// What a limit says of joined ways.
    pub(super) fn too_many<T>(&self, span: Span) -> Step<T> {
        refused(format!(
            "the ways through the loop at {} lead to different objects",
            self.program.sources.place(span)
        ))
    }
}

/// Whether a value leads to none of the objects from that one on.
fn is_there(value: &Value, count: usize) -> bool {
    !matches!(value, Value::Pointer(Some((object, _))) if object.0 as usize >= count)
}

fn node_of(value: &Value) -> Option<NodeId> {
    match value {
        Value::Whole(node) | Value::Float(Number::Node(node)) => Some(*node),
        _ => None,
    }
}

fn holds(state: &State, node: NodeId) -> bool {
    let locals = state.frames.iter().flat_map(|frame| frame.locals.iter().flatten());
    locals.chain(state.memory.cells()).any(|value| node_of(value) == Some(node))
}

fn replace(state: &mut State, node: NodeId, with: &Value) {
    let other = |value: &Value| (node_of(value) == Some(node)).then(|| with.clone());
    for value in state.frames.iter_mut().flat_map(|frame| frame.locals.iter_mut().flatten()) {
        if let Some(new) = other(value) {
            *value = new;
        }
    }
    state.memory.replace(&other);
}

/// What all decided alike, in order.
fn common(group: &[State]) -> Vec<Decision> {
    let mut prefix = group[0].decisions.clone();
    for state in &group[1..] {
        let same = prefix.iter().zip(&state.decisions).take_while(|(a, b)| a == b).count();
        prefix.truncate(same);
    }
    prefix
}

fn grouped(states: Vec<State>, is_alike: impl Fn(&State, &State) -> bool) -> Vec<Vec<State>> {
    let mut groups: Vec<Vec<State>> = Vec::new();
    for state in states {
        match groups.iter_mut().find(|group| is_alike(&group[0], &state)) {
            Some(group) => group.push(state),
            None => groups.push(vec![state]),
        }
    }
    groups
}

/// Whether the truth values on which a condition is computed are the same.
fn has_same_flags(program: &clew_ir::syntax::Program, a: &State, b: &State) -> bool {
    let (Some(a), Some(b)) = (a.frames.last(), b.frames.last()) else { return true };
    let Some(body) = &program.functions[a.function].body else { return true };
    let mut pairs = a.locals.iter().zip(&b.locals).zip(body.locals.iter());
    pairs.all(|(pair, local)| match pair {
        (Some(Value::Int(a)), Some(Value::Int(b))) => {
            a == b || local.name.is_some() || !(0..=1).contains(a) || !(0..=1).contains(b)
        }
        _ => true,
    })
}

/// Whether two states are at the same place and lead to the same objects.
fn is_alike(a: &State, b: &State) -> bool {
    let count = a.memory.count().min(b.memory.count());
    let address = |value: &Value| match value {
        Value::Pointer(Some((object, offset))) => Some((object.0, *offset)),
        Value::Pointer(None) => Some((u32::MAX, 0)),
        Value::Function(function) => Some((u32::MAX - 1, i64::from(function.0))),
        _ => None,
    };
    let agree = |a: &Option<Value>, b: &Option<Value>| match (a, b) {
        (Some(a), Some(b)) => {
            // What leads to an object that is gone is not used any more.
            let is_gone = |(object, _): &(u32, i64)| *object < u32::MAX - 1 && *object as usize >= count;
            let (x, y) = (address(a), address(b));
            x == y || x.as_ref().is_some_and(is_gone) || y.as_ref().is_some_and(is_gone)
        }
        _ => true,
    };
    let frames = a.frames.iter().zip(&b.frames).all(|(a, b)| {
        (a.function, a.block, a.statement) == (b.function, b.block, b.statement)
            && a.locals.iter().zip(&b.locals).all(|(a, b)| agree(a, b))
    });
    let mut cells = BTreeSet::new();
    a.memory.differing(&b.memory, &mut cells);
    a.frames.len() == b.frames.len()
        && frames
        && a.memory.is_alike(&b.memory)
        && cells.iter().all(|key| agree(&a.memory.peek(*key).cloned(), &b.memory.peek(*key).cloned()))
}
