// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk backwards that makes a slice.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use clew_base::source::{FileId, Span};
use clew_ir::syntax::{Body, ExprId, FuncId, LocalId, Place, Terminator, TypeId};
use rustc_hash::FxHashMap;

use crate::domain::value::{Kind, Value};
use crate::effort::slice::MOST_STEPS;
use crate::engine::evaluator::Evaluator;
use crate::engine::results::Subject;
use crate::engine::value_log::{Point, Seen, Touched, ValueLog};
use crate::explain::slice::search::{Closure, Shape};
use crate::explain::slice::{Slice, Step, blame, text};
use crate::explain::value_log::registers;
use crate::program::object::{ObjectId, Site};

/// What is known of functions, shared by the slices of one analysis.
#[derive(Default)]
pub(super) struct Shapes {
    functions: FxHashMap<FuncId, Rc<Shape>>,
    pub(super) closure: Closure,
    has_closure: bool,
}

impl Shapes {
    pub(super) fn of(&mut self, a: &Evaluator<'_>, function: FuncId) -> Option<Rc<Shape>> {
        let body = a.facts.function(function).body.as_ref()?;
        Some(self.functions.entry(function).or_insert_with(|| Rc::new(Shape::new(body))).clone())
    }
}

/// What is sought next.
pub(super) enum Task {
    /// What a register held before a statement.
    Register(Point, LocalId, Option<Value>),
    /// What stood in memory before a statement.
    Memory(Point, Touched, Option<Value>),
    /// Whether bytes were written before a statement.
    Written(Point, Touched),
    /// The tests that decide whether a statement runs, and what they read.
    Control(Point),
}

/// A statement or test of the slice.
#[derive(Clone)]
struct Met {
    span: Span,
    /// Variables and places with what is known of them.
    values: Vec<(String, Option<TypeId>, Value)>,
    /// What was lost.
    lost: Vec<String>,
}

impl Met {
    /// What is known of a variable: on one line it may be known twice.
    fn know(&mut self, name: &str, ty: Option<TypeId>, value: &Value) {
        match self.values.iter_mut().find(|(other, ..)| other == name) {
            Some((.., before)) => *before = before.join(value),
            None => self.values.push((name.to_owned(), ty, value.clone())),
        }
    }

    fn lose(&mut self, what: &str) {
        if !self.lost.iter().any(|lost| lost == what) {
            self.lost.push(what.to_owned());
        }
    }

    fn add(&mut self, other: &Met) {
        if other.span.start < self.span.start {
            self.span = other.span;
        }
        other.values.iter().for_each(|(name, ty, value)| self.know(name, *ty, value));
        other.lost.iter().for_each(|lost| self.lose(lost));
    }
}

/// What has been sought before a statement.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sought {
    /// What a register held.
    Register(LocalId),
    /// What stood at offsets of objects.
    Memory(Vec<(ObjectId, i128, i128)>),
    /// Whether it had been written.
    Written,
    /// What a test reads.
    Test,
    /// Why the statement is reached.
    Reached,
}

/// What a slice is about.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    Register(FuncId, LocalId),
    Object(ObjectId),
}

/// A slice in the making.
pub(super) struct Walk<'w, 'p> {
    pub(super) a: &'w mut Evaluator<'p>,
    pub(super) noted: &'w ValueLog,
    pub(super) shapes: &'w mut Shapes,
    steps: BTreeMap<Point, Met>,
    order: Vec<Point>,
    pub(super) tasks: VecDeque<Task>,
    pub(super) done: BTreeSet<(Point, Sought)>,
    pub(super) things: BTreeSet<Thing>,
    /// Tests that decide whether statements of the slice run.
    pub(super) tests: BTreeSet<Point>,
    slice: Slice,
}

impl<'w, 'p> Walk<'w, 'p> {
    pub(super) fn new(a: &'w mut Evaluator<'p>, noted: &'w ValueLog, shapes: &'w mut Shapes) -> Self {
        if !std::mem::replace(&mut shapes.has_closure, true) {
            shapes.closure = Closure::new(noted);
        }
        Walk {
            a,
            noted,
            shapes,
            steps: BTreeMap::new(),
            order: Vec::new(),
            tasks: VecDeque::new(),
            done: BTreeSet::new(),
            things: BTreeSet::new(),
            tests: BTreeSet::new(),
            slice: Slice::default(),
        }
    }

    /// The slice of an obligation, if it was met.
    pub(super) fn slice(mut self, subject: &Subject) -> Option<Slice> {
        self.begin(subject)?;
        loop {
            while let Some(task) = self.tasks.pop_front() {
                self.task(task);
            }
            if !self.test_of_a_thing() {
                break;
            }
        }
        self.slice.steps = self.lines();
        self.slice.sites = self.order.iter().map(|point| point.site).collect();
        Some(self.slice)
    }

    /// The steps line by line.
    fn lines(&self) -> Vec<Step> {
        let mut lines: Vec<((FileId, u32), Met)> = Vec::new();
        for met in self.order.iter().filter_map(|point| self.steps.get(point)) {
            let Some(file) = self.a.facts.program.sources.files.get(met.span.file) else { continue };
            let line = (met.span.file, file.line_column(met.span.start).0);
            match lines.iter_mut().find(|(other, _)| *other == line) {
                Some((_, merged)) => merged.add(met),
                None => lines.push((line, met.clone())),
            }
        }
        let step = |met: Met| {
            let text =
                |(name, ty, value): (String, Option<TypeId>, Value)| (name, text::value(self.a, ty, &value));
            Step { span: met.span, values: met.values.into_iter().map(text).collect(), lost: met.lost }
        };
        lines.into_iter().map(|(_, met)| step(met)).collect()
    }

    pub(super) fn body(&self, point: Point) -> Option<&'p Body> {
        self.a.facts.function(point.site.function).body.as_ref()
    }

    fn task(&mut self, task: Task) {
        match task {
            Task::Register(point, local, value) => self.register(point, local, value),
            Task::Memory(point, read, value) => self.memory(point, &read, value),
            Task::Written(point, read) => self.written(point, &read),
            Task::Control(point) => {
                for test in self.controllers(point) {
                    self.follow_test(test);
                }
            }
        }
    }

    /// Puts a statement into the slice. False: it is full.
    pub(super) fn step(&mut self, point: Point) -> bool {
        if self.steps.contains_key(&point) {
            return true;
        }
        if self.order.len() >= MOST_STEPS {
            self.slice.is_cut = true;
            return false;
        }
        // A statement of a model stands for the call of the program.
        let site = point.through.unwrap_or(point.site);
        let span = self.span(site);
        self.steps.insert(point, Met { span, values: Vec::new(), lost: Vec::new() });
        self.order.push(point);
        let tests = self.controllers(point);
        self.tests.extend(tests);
        true
    }

    pub(super) fn span(&self, site: Site) -> Span {
        let Some(body) = self.a.facts.function(site.function).body.as_ref() else { return Span::NONE };
        let block = &body.blocks[site.block];
        match block.statements.get(site.statement as usize) {
            Some(statement) => statement.span,
            None => match &block.terminator {
                Terminator::Branch { condition, .. } => body.exprs[*condition].span,
                Terminator::Switch { value, .. } => body.exprs[*value].span,
                _ => block.span,
            },
        }
    }

    pub(super) fn lose(&mut self, point: Point, what: impl Into<String>) {
        if let Some(step) = self.steps.get_mut(&point) {
            step.lose(&what.into());
        }
    }

    pub(super) fn name_value(&mut self, point: Point, name: &str, ty: Option<TypeId>, value: &Value) {
        // Names inside a library model mean nothing to a person.
        let is_model = self.a.facts.options.models.contains(&point.site.function);
        if let Some(step) = self.steps.get_mut(&point).filter(|_| !is_model) {
            step.know(name, ty, value);
        }
    }

    /// Names what is known of a register before or after a statement.
    pub(super) fn name_register(&mut self, point: Point, local: LocalId, value: Option<&Value>) {
        let (Some(body), Some(value)) = (self.body(point), value) else { return };
        if let Some(name) = text::register(body, local) {
            self.name_value(point, &name, Some(body.locals[local].ty), value);
        }
    }

    /// Follows those registers of some expressions of which too little is known.
    pub(super) fn operands(&mut self, point: Point, exprs: &[ExprId]) {
        let (Some(body), Some(seen)) = (self.body(point), self.noted.seen(point)) else { return };
        let reads = registers(body, exprs.iter().copied());
        let values: Vec<(LocalId, Value)> =
            reads.into_iter().filter_map(|local| Some((local, value_of(seen, local)?))).collect();
        let worth = blame::worth_following(values.iter().map(|(_, value)| value));
        for ((local, value), worth) in values.into_iter().zip(worth) {
            self.name_register(point, local, Some(&value));
            if worth {
                self.tasks.push_back(Task::Register(point, local, Some(value)));
            } else {
                self.stop(point, local, &value);
            }
        }
    }

    /// Says what is known of the registers of a place, and goes no further: which element is read matters less than
    /// what stands in them.
    pub(super) fn mention(&mut self, point: Point, place: &Place) {
        let (Some(body), Some(seen)) = (self.body(point), self.noted.seen(point)) else { return };
        let mut exprs = Vec::new();
        place.exprs(|expr| exprs.push(expr));
        for local in registers(body, exprs) {
            if let Some(value) = value_of(seen, local) {
                self.name_register(point, local, Some(&value));
                self.stop(point, local, &value);
            }
        }
    }

    pub(super) fn stop(&mut self, point: Point, local: LocalId, value: &Value) {
        let range = match &value.kind {
            Kind::Number(n) => Some((n.lo(), n.hi())),
            _ => None,
        };
        self.slice.stops.insert((point.site, local, range));
    }

    /// Follows a register that a condition names by itself.
    pub(super) fn follow(&mut self, point: Point, local: LocalId) {
        let value = self.noted.seen(point).and_then(|seen| value_of(seen, local));
        self.name_register(point, local, value.as_ref());
        self.tasks.push_back(Task::Register(point, local, value));
    }

    pub(super) fn follow_memory(&mut self, point: Point, read: Touched) {
        self.tasks.push_back(Task::Memory(point, read, None));
    }

    pub(super) fn follow_written(&mut self, point: Point, read: Touched) {
        self.tasks.push_back(Task::Written(point, read));
    }

    pub(super) fn follow_control(&mut self, point: Point) {
        self.tasks.push_back(Task::Control(point));
    }
}

pub(super) fn value_of(seen: &Seen, local: LocalId) -> Option<Value> {
    seen.reads.iter().find(|(read, _)| *read == local).and_then(|(_, value)| value.clone())
}
