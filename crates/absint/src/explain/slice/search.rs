// SPDX-License-Identifier: MIT OR Apache-2.0
//! Going backwards from a statement to what may have written a register or some bytes of memory.

use std::collections::BTreeSet;

use clew_base::index::IndexVec;
use clew_ir::syntax::{BlockId, Body, FuncId, LocalId, Statement, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::int::Int;
use crate::domain::value::single;
use crate::engine::evaluator::Evaluator;
use crate::engine::value_log::{Point, Touched, ValueLog};
use crate::explain::value_log::defined;
use crate::program::object::{Object, ObjectId, Site};

/// What is known of a function's text.
pub(super) struct Shape {
    pub(super) predecessors: IndexVec<BlockId, Vec<BlockId>>,
    pub(super) controllers: IndexVec<BlockId, Vec<BlockId>>,
    /// The check that each obligation stands in.
    pub(super) checks: FxHashMap<u32, (BlockId, usize)>,
}

impl Shape {
    pub(super) fn new(body: &Body) -> Shape {
        let mut checks = FxHashMap::default();
        for (block, code) in body.blocks.iter_enumerated() {
            for (number, statement) in code.statements.iter().enumerate() {
                match &statement.kind {
                    StatementKind::Check { first, count } => {
                        checks.extend((first.0..first.0 + count).map(|id| (id, (block, number))));
                    }
                    StatementKind::Unordered { obligation, .. } => {
                        checks.insert(obligation.0, (block, number));
                    }
                    _ => {}
                }
            }
        }
        Shape {
            predecessors: body.predecessors(),
            controllers: crate::explain::slice::control::controllers(body),
            checks,
        }
    }
}

/// What a search backwards found.
#[derive(Default)]
pub(super) struct Found {
    /// Statements that may have written last.
    pub(super) writers: BTreeSet<Point>,
    /// Whether a path leads back to where it cannot have been written.
    pub(super) from_start: bool,
    /// Loop heads on the way where it was widened.
    pub(super) widened: BTreeSet<Point>,
}

/// The statements that may have given a register what it holds before a statement.
pub(super) fn definitions(
    noted: &ValueLog,
    body: &Body,
    shape: &Shape,
    point: Point,
    local: LocalId,
) -> Found {
    let mut found = Found::default();
    let mut met = FxHashSet::default();
    let mut open = vec![(point.site.block, point.site.statement as usize)];
    while let Some((block, end)) = open.pop() {
        let statements = &body.blocks[block].statements;
        let writes = |statement: &Statement| match &statement.kind {
            StatementKind::StorageLive { local: begins, .. } => *begins == local,
            StatementKind::Assembler { registers, .. } => registers.contains(&local),
            _ => defined(statement) == Some(local),
        };
        if let Some(at) = statements[..end].iter().rposition(writes) {
            if matches!(statements[at].kind, StatementKind::StorageLive { .. }) {
                found.from_start = true;
            } else {
                found.writers.insert(point.at(block, at));
            }
            continue;
        }
        let head = point.at(block, 0);
        if noted.widened.get(&head).is_some_and(|names| names.registers.contains(&local)) {
            found.widened.insert(head);
        }
        found.from_start |= block == BlockId(0);
        for before in &shape.predecessors[block] {
            let last = body.blocks[*before].statements.len();
            if noted.seen(point.at(*before, last)).is_some() && met.insert(*before) {
                open.push((*before, last));
            }
        }
    }
    found.writers.retain(|writer| noted.seen(*writer).is_some());
    found
}

/// Bytes of memory that were read.
pub(super) struct Bytes {
    /// Objects, with the first and one past the last byte.
    spans: Vec<(ObjectId, i128, i128)>,
    /// Statements that may write some of them.
    pub(super) writers: BTreeSet<Point>,
}

impl Bytes {
    /// What a statement read.
    pub(super) fn new(a: &Evaluator<'_>, noted: &ValueLog, read: &Touched) -> Bytes {
        let mut spans = Vec::new();
        for (object, offset) in &read.address.targets {
            let end = offset.hi().saturating_add(read.bytes.hi());
            spans.extend(a.facts.kin(*object).into_iter().map(|object| (object, offset.lo(), end)));
        }
        let mut bytes = Bytes { spans, writers: BTreeSet::new() };
        for (object, ..) in &bytes.spans {
            let writers = noted.writers.get(object).into_iter().flatten();
            let touches = |point: &&Point| match noted.seen(**point).and_then(|seen| seen.to.as_ref()) {
                Some(to) => bytes.overlap(to),
                // A call that may change anything it can reach.
                None => true,
            };
            let found: Vec<Point> = writers.filter(touches).copied().collect();
            bytes.writers.extend(found);
        }
        let escapes = |object: &ObjectId| !a.facts.is_constant(*object);
        if bytes.spans.iter().any(|(object, ..)| escapes(object)) {
            bytes.writers.extend(noted.blind.iter().copied());
        }
        bytes
    }

    fn overlap(&self, to: &Touched) -> bool {
        to.address.targets.iter().any(|(object, offset)| {
            let end = offset.hi().saturating_add(to.bytes.hi());
            self.spans.iter().any(|(o, first, last)| o == object && offset.lo() < *last && *first < end)
        })
    }

    /// Whether a statement surely writes all of them.
    fn is_covered(&self, a: &Evaluator<'_>, to: Option<&Touched>) -> bool {
        let (Some(to), [(object, first, last)]) = (to, &self.spans[..]) else { return false };
        let Some((written, offset)) = single(&to.address) else { return false };
        let Some((at, bytes)) = offset.as_constant().zip(to.bytes.as_constant()) else { return false };
        written == *object && !a.facts.is_summary(written) && at <= *first && *last <= at + bytes
    }

    /// Whether they are of a function's own, which no caller has written.
    fn begin_in(&self, a: &Evaluator<'_>, function: FuncId) -> bool {
        self.spans.iter().all(|(object, ..)| match a.facts.objects.get(*object) {
            Object::Local(f, _) | Object::VarArgs(f) => *f == function,
            Object::Alloca(site) | Object::OlderAlloca(site) => site.function == function,
            _ => false,
        })
    }

    fn is_widened(&self, noted: &ValueLog, head: Point) -> bool {
        let names = noted.widened.get(&head);
        names.is_some_and(|names| self.spans.iter().any(|(object, ..)| names.objects.contains(object)))
    }
}

/// The functions that each function calls, with those that they call.
#[derive(Default)]
pub(super) struct Closure {
    direct: FxHashMap<FuncId, BTreeSet<FuncId>>,
    all: FxHashMap<FuncId, std::rc::Rc<FxHashSet<FuncId>>>,
}

impl Closure {
    pub(super) fn new(noted: &ValueLog) -> Closure {
        let mut direct: FxHashMap<FuncId, BTreeSet<FuncId>> = FxHashMap::default();
        for (point, callees) in &noted.callees {
            direct.entry(point.site.function).or_default().extend(callees);
        }
        Closure { direct, all: FxHashMap::default() }
    }

    fn of(&mut self, function: FuncId) -> std::rc::Rc<FxHashSet<FuncId>> {
        if let Some(known) = self.all.get(&function) {
            return known.clone();
        }
        let mut met = FxHashSet::from_iter([function]);
        let mut open = vec![function];
        while let Some(next) = open.pop() {
            for callee in self.direct.get(&next).into_iter().flatten() {
                if met.insert(*callee) {
                    open.push(*callee);
                }
            }
        }
        let met = std::rc::Rc::new(met);
        self.all.insert(function, met.clone());
        met
    }
}

/// The statements that may have written bytes last before a statement, in its function, in what it calls, and in its
/// callers.
pub(super) fn stores<'p>(
    a: &Evaluator<'p>,
    noted: &ValueLog,
    shapes: &mut crate::explain::slice::walk::Shapes,
    point: Point,
    bytes: &Bytes,
) -> Found {
    let mut found = Found::default();
    if bytes.writers.is_empty() {
        found.from_start = true;
        return found;
    }
    let mut met = FxHashSet::default();
    let mut open = vec![point];
    while let Some(from) = open.pop() {
        let Site { function, block, statement: end } = from.site;
        let Some(body) = a.facts.function(function).body.as_ref() else { continue };
        let statements = &body.blocks[block].statements;
        let mut is_covered = false;
        for (at, statement) in statements[..end as usize].iter().enumerate().rev() {
            let here = from.at(block, at);
            if bytes.writers.contains(&here) {
                found.writers.insert(here);
                is_covered = bytes.is_covered(a, noted.seen(here).and_then(|seen| seen.to.as_ref()));
            } else if let StatementKind::StorageLive { local, .. } = &statement.kind
                && bytes
                    .spans
                    .iter()
                    .all(|(o, ..)| *a.facts.objects.get(*o) == Object::Local(function, *local))
            {
                found.from_start = true;
                is_covered = true;
            }
            for callee in noted.callees.get(&here).into_iter().flatten() {
                let inside = shapes.closure.of(*callee);
                let is_inside = |writer: &&Point| {
                    inside.contains(&writer.site.function)
                        && writer.through.is_none_or(|s| s == here.site || inside.contains(&s.function))
                };
                found.writers.extend(bytes.writers.iter().filter(is_inside));
            }
            if is_covered {
                break;
            }
        }
        if is_covered {
            continue;
        }
        let head = from.at(block, 0);
        if bytes.is_widened(noted, head) {
            found.widened.insert(head);
        }
        let mut next = Vec::new();
        if block == BlockId(0) {
            let callers = noted.callers.get(&(function, from.through));
            match callers.filter(|_| !bytes.begin_in(a, function)) {
                Some(callers) => next.extend(callers.iter().copied()),
                None => found.from_start = true,
            }
        }
        let shape = shapes.of(a, function);
        for before in shape.iter().flat_map(|shape| &shape.predecessors[block]) {
            next.push(from.at(*before, body.blocks[*before].statements.len()));
        }
        open.extend(next.into_iter().filter(|next| noted.seen(*next).is_some() && met.insert(*next)));
    }
    found
}

/// So many bytes, for what is read as a whole.
pub(super) fn all_of(object: ObjectId) -> Touched {
    let address = crate::domain::value::Address::of(object, Int::constant(0));
    Touched { address, bytes: Int::constant(i128::from(i64::MAX)) }
}
