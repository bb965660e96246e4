// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk: the weighted transition system of a program, its weights made on the fly (Definitions 21 to 23).
//!
//! A location's weight is identified with the store it leads the initial store to. Statements extend it, tests that are
//! decided follow one edge, so bounded loops unfold by themselves; at a test that is not decided both edges are followed
//! to where they meet again ([`crate::graph`]), and the two weights are combined there. That is the sum over all paths of
//! the products of their weights, for an acyclic system, with sums taken as early as possible.
//!
//! Deviation: the paper follows both edges with one store each. But rounding may turn a test, and then the machine goes
//! one way and the real computation the other. For a test at which they may part, two more weights are combined: each
//! edge's store narrowed to the runs that part, with the real numbers of the one and the machine's of the other. Without
//! them a bound may lie below an error that occurs.
//!
//! Calls are extended with the weight of the callee's body; [`crate::summary`] remembers those that come again.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use clew_base::exact::Rational;
use clew_base::source::Span;
use clew_ir::syntax::{
    Argument, BlockId, Body, ExprId, FuncId, GlobalId, LocalId, Program, Statement, StatementKind,
    Terminator, Type, TypeId,
};

use crate::algebra::{Algebra, Fault};
use crate::begin::variable_type;
use crate::branch::{After, Test};
use crate::format::Format;
use crate::graph::meeting_points;
use crate::interval::Interval;
use crate::journal::{Journal, Site};
use crate::memory::path_at;
use crate::setup::{Kept, Setup, Variable, name_of};
use crate::store::{ObjectId, Scalar, Shaped, Store};
use crate::summary::Summaries;

/// Why a walk ended early.
#[derive(Clone, PartialEq, Debug)]
pub struct Stop {
    /// The reason, for a person.
    pub why: String,
    /// Where.
    pub span: Span,
    /// Whether another box of inputs, or a longer walk, may do better.
    pub kind: StopKind,
}

/// Kinds of [`Stop`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopKind {
    /// Not supported, or undefined for some input.
    NoBound,
    /// Too many steps, or too deep.
    Limit,
    /// One run in the reals that its enclosures do not decide.
    Undecided,
}

/// A result or why there is none.
pub type Walked<T> = Result<T, Stop>;

/// How deep calls and undecided tests may nest.
const MOST_DEPTH: usize = 400;

/// A walk over a program.
pub struct Walk<'a, A: Algebra> {
    /// The program.
    pub program: &'a Program,
    /// What is asked.
    pub setup: &'a Setup,
    /// How numbers are computed.
    pub algebra: A,
    /// What was seen.
    pub journal: Journal,
    /// The box: a range for each number of the inputs.
    pub inputs: &'a [Interval],
    /// The first result that did not fit, in a walk of one run.
    pub first_overflow: Option<(Span, Interval)>,
    /// Whether this is a walk of one run: then each element of an array has a row of its own at the end.
    pub is_single: bool,
    /// Steps that are left.
    pub steps: u64,
    pub(crate) depth: usize,
    pub(crate) target: Option<Arc<str>>,
    meeting: BTreeMap<FuncId, Rc<Vec<Option<BlockId>>>>,
    /// Constants of the source, by expression, and what they are in a format: reading one is slow.
    pub(crate) literals: HashMap<(*const Body, ExprId), Shaped<A::Value>>,
    rounded: Vec<(Arc<Rational>, Format, Shaped<A::Value>)>,
    names: HashMap<Variable, Arc<str>>,
    /// Globals that any value may be in at the start, and the reason that their cells have then.
    pub(crate) untouched: HashMap<GlobalId, Arc<str>>,
    pub(crate) summaries: Summaries<A::Value>,
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// A walk that has not begun.
    pub fn new(
        program: &'a Program,
        setup: &'a Setup,
        algebra: A,
        inputs: &'a [Interval],
        steps: u64,
    ) -> Self {
        Walk {
            program,
            setup,
            algebra,
            journal: Journal::default(),
            inputs,
            first_overflow: None,
            is_single: false,
            steps,
            depth: 0,
            target: None,
            meeting: BTreeMap::new(),
            literals: HashMap::new(),
            rounded: Vec::new(),
            names: HashMap::new(),
            untouched: HashMap::new(),
            summaries: Summaries::new(),
        }
    }

    /// A variable's name.
    pub(crate) fn name(&mut self, variable: Variable) -> Arc<str> {
        let program = self.program;
        self.names.entry(variable).or_insert_with(|| name_of(program, variable).into()).clone()
    }

    /// Walks the entry from its start to its end, and notes what its variables are then.
    ///
    /// # Errors
    /// When there is no bound, with the reason.
    pub fn run(&mut self) -> Walked<()> {
        let mut store = self.begin()?;
        let entry = self.setup.entry;
        let body = self.body(entry)?;
        let ended = self.region(entry, body, &mut store, BlockId(0), None)?;
        if !ended {
            return Err(
                self.no_bound("no run reaches the end of the function", self.program.functions[entry].span)
            );
        }
        self.note_end(&store);
        Ok(())
    }

    pub(crate) fn body(&self, function: FuncId) -> Walked<&'a Body> {
        let function = &self.program.functions[function];
        let why = || self.no_bound(&format!("`{}` has no body", function.source_name), function.span);
        function.body.as_ref().ok_or_else(why)
    }

    pub(crate) fn no_bound(&self, why: &str, span: Span) -> Stop {
        Stop { why: why.to_owned(), span, kind: StopKind::NoBound }
    }

    pub(crate) fn fault(&self, fault: Fault, span: Span) -> Stop {
        let (why, kind) = match fault {
            Fault::Undefined(why) => (why, StopKind::NoBound),
            Fault::TooLarge => ("numbers grow beyond all bounds", StopKind::NoBound),
            Fault::Undecided => ("a comparison of equal numbers", StopKind::Undecided),
        };
        Stop { why: why.to_owned(), span, kind }
    }

    pub(crate) fn tick(&mut self, span: Span) -> Walked<()> {
        if self.steps == 0 {
            let why = "the walk is too long: a loop whose end does not depend on known integers?".to_owned();
            return Err(Stop { why, span, kind: StopKind::Limit });
        }
        self.steps -= 1;
        Ok(())
    }

    pub(crate) fn deeper(&mut self, span: Span) -> Walked<()> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            let why = "calls or tests that are not decided nest too deep: a loop or recursion without a known bound";
            return Err(Stop { why: why.to_owned(), span, kind: StopKind::Limit });
        }
        Ok(())
    }

    /// Walks from a block to where `stop` begins, or to the function's end. False: no run gets there (the weight is 0).
    pub(crate) fn region(
        &mut self,
        function: FuncId,
        body: &'a Body,
        store: &mut Store<A::Value>,
        from: BlockId,
        stop: Option<BlockId>,
    ) -> Walked<bool> {
        let mut at = from;
        loop {
            if Some(at) == stop {
                return Ok(true);
            }
            let block = &body.blocks[at];
            for statement in &block.statements {
                if !self.statement(function, body, store, statement)? {
                    return Ok(false);
                }
            }
            self.tick(block.span)?;
            at = match &block.terminator {
                Terminator::Goto(to) => *to,
                Terminator::Branch { condition, then, otherwise } => {
                    match self.truth(body, store, *condition)?.decided() {
                        Some(true) => *then,
                        Some(false) => *otherwise,
                        None => {
                            let test = Test {
                                function,
                                body,
                                at,
                                condition: *condition,
                                sides: [*then, *otherwise],
                            };
                            match self.test(&test, store)? {
                                After::At(next) => next,
                                After::End(alive) => return Ok(alive),
                            }
                        }
                    }
                }
                Terminator::Switch { value, cases, default } => match self.eval(body, store, *value)? {
                    Scalar::Int(low, high) if low == high => {
                        let found = cases.iter().find(|(a, b, _)| (*a..=*b).contains(&low));
                        found.map_or(*default, |(_, _, to)| *to)
                    }
                    _ => {
                        return Err(
                            self.no_bound("a switch over a value that is not one known integer", block.span)
                        );
                    }
                },
                Terminator::Return(result) => {
                    match result {
                        Some(Argument::Value(value)) => {
                            let value = match self.eval(body, store, *value)? {
                                Scalar::Int(low, high) if self.setup.facts.numbers.returns(function) => {
                                    Scalar::Number(self.integral(low, high, block.span)?)
                                }
                                other => other,
                            };
                            store.frame().result = value;
                        }
                        Some(Argument::Object(place)) => {
                            store.frame().record = self.cells_of(body, store, place, block.span)?;
                        }
                        None => {}
                    }
                    return Ok(true);
                }
                Terminator::Unreachable => return Ok(false),
                Terminator::ComputedGoto { .. } => return Err(self.no_bound("a computed goto", block.span)),
            };
        }
    }

    pub(crate) fn meeting_point(&mut self, function: FuncId, body: &Body, at: BlockId) -> Option<BlockId> {
        let points = self.meeting.entry(function).or_insert_with(|| Rc::new(meeting_points(body)));
        points[at.0 as usize]
    }

    /// Extends the store with a statement's weight. False: no run goes on.
    fn statement(
        &mut self,
        function: FuncId,
        body: &'a Body,
        store: &mut Store<A::Value>,
        statement: &'a Statement,
    ) -> Walked<bool> {
        self.tick(statement.span)?;
        match &statement.kind {
            StatementKind::Check { .. }
            | StatementKind::StorageDead { .. }
            | StatementKind::Unordered { .. } => {}
            StatementKind::StorageLive { local, bytes } => {
                if bytes.is_some() {
                    return Err(self.no_bound("an array of variable length", statement.span));
                }
                self.live(function, body, store, *local);
            }
            StatementKind::Assign { local, value } => {
                self.target = body.locals[*local].name.clone();
                let scalar = self.eval(body, store, *value)?;
                self.set(function, body, store, *local, scalar, statement.span)?;
                self.target = None;
            }
            StatementKind::Load { local, place, .. } => {
                let (scalar, origin) = self.load(body, store, place, statement.span)?;
                self.set(function, body, store, *local, scalar, statement.span)?;
                store.frame().origins[local.0 as usize] = origin;
            }
            StatementKind::Store { place, value, .. } => {
                self.target = self.place_name(store, body, place);
                let scalar = self.eval(body, store, *value)?;
                self.store(body, store, place, scalar, statement.span)?;
                self.target = None;
            }
            StatementKind::Copy { to, from, .. } => self.copy(body, store, to, from, statement.span)?,
            StatementKind::Zero { place } => self.zero(body, store, place, statement.span)?,
            StatementKind::Assume { condition } => {
                return Ok(self.truth(body, store, *condition)?.decided() != Some(false));
            }
            StatementKind::Call(call) => return self.call(function, body, store, call, statement.span),
            StatementKind::Intrinsic(call) => self.intrinsic(function, body, store, call, statement.span)?,
            StatementKind::Havoc { .. } => {
                return Err(self.no_bound("a value that is left open", statement.span));
            }
            StatementKind::Assembler { .. } => return Err(self.no_bound("assembler", statement.span)),
            StatementKind::Unsupported { what } => return Err(self.no_bound(what, statement.span)),
        }
        Ok(true)
    }

    /// A register gets a value: numbers take the variable's format, and the journal hears of named ones.
    pub(crate) fn set(
        &mut self,
        function: FuncId,
        body: &Body,
        store: &mut Store<A::Value>,
        local: LocalId,
        scalar: Scalar<A::Value>,
        span: Span,
    ) -> Walked<()> {
        let declared = &body.locals[local];
        let variable = Variable::Local(function, local);
        let scalar = match &declared.name {
            None => self.as_number(variable, declared.ty, scalar, span)?,
            Some(name) => {
                let scalar = self.keep(variable, declared.ty, scalar, span)?;
                self.note(Some(span), name, variable, &scalar);
                scalar
            }
        };
        let frame = store.frame();
        frame.registers[local.0 as usize] = scalar;
        frame.origins[local.0 as usize] = None;
        Ok(())
    }

    /// A number as a variable keeps it.
    pub(crate) fn keep(
        &mut self,
        variable: Variable,
        ty: TypeId,
        scalar: Scalar<A::Value>,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        match (self.setup.kept(self.program, variable, ty), scalar) {
            (Some(Kept::Fixed(format)), Scalar::Number(number)) => {
                if number.format == Some(format) {
                    return Ok(Scalar::Number(number));
                }
                let name = self.name(variable);
                let target = self.target.replace(name);
                let number = self.convert(&number, &format, span)?;
                self.target = target;
                Ok(Scalar::Number(number))
            }
            (Some(Kept::Quantity { .. }), Scalar::Int(low, high)) => {
                Ok(Scalar::Number(self.integral(low, high, span)?))
            }
            (_, scalar) => self.as_number(variable, ty, scalar, span),
        }
    }

    /// An integer as a number, where the variable's integers are numbers.
    fn as_number(
        &mut self,
        variable: Variable,
        ty: TypeId,
        scalar: Scalar<A::Value>,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        match scalar {
            Scalar::Int(low, high)
                if matches!(self.program.types[ty], Type::Int { .. })
                    && self.setup.facts.numbers.holds(variable) =>
            {
                Ok(Scalar::Number(self.integral(low, high, span)?))
            }
            other => Ok(other),
        }
    }

    /// A number in a format: rounded to its grid, and made to fit.
    pub(crate) fn convert(
        &mut self,
        number: &Shaped<A::Value>,
        format: &Format,
        span: Span,
    ) -> Walked<Shaped<A::Value>> {
        if number.format == Some(*format) {
            return Ok(number.clone());
        }
        let number = self.onto(number, format, span)?;
        self.fit(number, format, span)
    }

    /// A number on the grid of a format.
    pub(crate) fn onto(
        &mut self,
        number: &Shaped<A::Value>,
        format: &Format,
        span: Span,
    ) -> Walked<Shaped<A::Value>> {
        let grid = format.grid();
        if number.constant.is_some() {
            return Ok(self.constant_onto(number, format));
        }
        let value = self.algebra.round(&number.value, number.grid, grid, format.rounding);
        let value = value.map_err(|fault| self.fault(fault, span))?;
        let rounded = Shaped::new(value, Some(*format), Some(grid));
        let stays = number.grid.is_some_and(|from| grid.holds(from));
        Ok(if stays { Shaped { id: number.id, ..rounded } } else { rounded })
    }

    /// A constant on the grid of a format: the rounding is known exactly, and an integer stays one.
    fn constant_onto(&mut self, number: &Shaped<A::Value>, format: &Format) -> Shaped<A::Value> {
        const REMEMBERED: usize = 64;
        let Some(constant) = &number.constant else { return number.clone() };
        let grid = format.grid();
        if number.grid.is_some_and(|from| grid.holds(from)) {
            return Shaped { format: Some(*format), constant: None, ..number.clone() };
        }
        let is_it = |(known, to, _): &&(Arc<Rational>, Format, Shaped<A::Value>)| {
            Arc::ptr_eq(known, constant) && to == format
        };
        if let Some((_, _, found)) = self.rounded.iter().find(is_it) {
            return found.clone();
        }
        let machine = crate::exact::known_rounded(constant, grid, format.rounding);
        let value = self.algebra.known(constant, &machine.value);
        let rounded = Shaped::new(value, Some(*format), machine.grid);
        if self.rounded.len() < REMEMBERED {
            self.rounded.push((constant.clone(), *format, rounded.clone()));
        }
        rounded
    }

    /// A result made to fit its format; the journal hears whether it may not.
    pub(crate) fn fit(
        &mut self,
        number: Shaped<A::Value>,
        format: &Format,
        span: Span,
    ) -> Walked<Shaped<A::Value>> {
        let (value, may) = self.algebra.fit(&number.value, format);
        let before = self.algebra.seen(&number.value);
        if may && self.first_overflow.is_none() {
            self.first_overflow = Some((span, before.machine));
        }
        let site = Site { format: format.to_string(), variable: self.target.clone(), may, before };
        self.journal.site(span, site);
        if may {
            Ok(Shaped { bias: number.bias, ..Shaped::new(value, Some(*format), number.grid) })
        } else {
            Ok(Shaped { value, format: Some(*format), ..number })
        }
    }

    /// Tells the journal what a named variable is.
    pub(crate) fn note(
        &mut self,
        span: Option<Span>,
        name: &Arc<str>,
        variable: Variable,
        scalar: &Scalar<A::Value>,
    ) {
        let key = (span, name.clone());
        match scalar {
            Scalar::Number(number) => {
                let seen = self.algebra.seen(&number.value).scaled(self.setup.unit(variable));
                self.journal.row(key, seen);
            }
            Scalar::Unclear(why) => self.journal.unclear(key, why),
            _ => {}
        }
    }

    /// What the entry's variables and globals are at the end.
    fn note_end(&mut self, store: &Store<A::Value>) {
        let entry = self.setup.entry;
        let program = self.program;
        let Some(body) = &program.functions[entry].body else { return };
        let frame = &store.frames[0];
        for (local, declared) in body.locals.iter_enumerated() {
            let Some(name) = &declared.name else { continue };
            let variable = Variable::Local(entry, local);
            self.note(None, name, variable, &frame.registers[local.0 as usize]);
        }
        for (id, object) in &store.objects {
            let (Some(variable), false) = (object.variable, matches!(id, ObjectId::Local(1.., _))) else {
                continue;
            };
            let name = name_of(program, variable);
            for (offset, cell) in &object.cells {
                if self.is_untouched(*id, cell) {
                    continue;
                }
                let name = self.element_name(&name, object, variable, *offset);
                self.note(None, &name.into(), variable, cell);
            }
        }
        match &frame.result {
            Scalar::Number(number) => {
                let unit = self.setup.result.map_or(1.0, |fraction| 2f64.powi(-i32::from(fraction)));
                let seen = self.algebra.seen(&number.value).scaled(unit);
                self.journal.row((None, "return".into()), seen);
            }
            Scalar::Unclear(why) => self.journal.unclear((None, "return".into()), why),
            _ => {}
        }
    }

    /// Whether a cell of a global has what it had at the start, which nobody knows and nothing was computed of.
    fn is_untouched(&self, id: ObjectId, cell: &Scalar<A::Value>) -> bool {
        let (ObjectId::Global(global), Scalar::Unclear(why)) = (id, cell) else { return false };
        self.untouched.get(&global).is_some_and(|start| Arc::ptr_eq(start, why))
    }

    /// How an element of an object is shown: all elements of an array in one row, unless a walk of one run asks for each.
    fn element_name(
        &self,
        name: &str,
        object: &crate::store::Object<A::Value>,
        variable: Variable,
        offset: u64,
    ) -> String {
        let ty = variable_type(self.program, variable);
        let is_pointer = ty.is_some_and(|ty| matches!(self.program.types[ty], Type::Pointer(_)));
        let is_pointee = is_pointer && object.ty != ty.unwrap_or(object.ty);
        let unit = if is_pointee { self.program.size_of(object.ty).max(1) } else { u64::MAX };
        let path = path_at(self.program, object.ty, offset % unit);
        let path = if is_pointee { format!("[]{path}") } else { path };
        match self.is_single && path.contains("[]") {
            true => format!("{name}{path}@{offset}"),
            false => format!("{name}{path}"),
        }
    }
}
