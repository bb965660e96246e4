// SPDX-License-Identifier: MIT OR Apache-2.0
//! What gave a register its value: statements of its function, arguments of its callers, results of what it calls.

use std::collections::BTreeSet;

use clew_ir::syntax::{
    Argument, Block, BlockId, Body, Call, ExprId, FuncId, HavocTarget, Intrinsic, LocalId, StatementKind,
    Terminator,
};

use crate::domain::int::Int;
use crate::domain::value::Value;
use crate::engine::value_log::Point;
use crate::explain::slice::search::{Found, definitions};
use crate::explain::slice::walk::{Sought, Thing, Walk, value_of};
use crate::explain::slice::{blame, text};
use crate::memory::recorded::Memory;
use crate::program::object::Site;
use crate::state::State;
use crate::transfer::call::is_input;

impl<'p> Walk<'_, 'p> {
    pub(super) fn register(&mut self, point: Point, local: LocalId, value: Option<Value>) {
        if !self.done.insert((point, Sought::Register(local))) {
            return;
        }
        self.things.insert(Thing::Register(point.site.function, local));
        let (Some(body), Some(shape)) = (self.body(point), self.shapes.of(self.a, point.site.function))
        else {
            return;
        };
        let found = definitions(self.noted, body, &shape, point, local);
        self.widened(&found, text::register(body, local).as_deref());
        let writers = self.that_take_part(&found, value.as_ref());
        let reads = |w: &Point| self.noted.seen(*w).is_some_and(|seen| value_of(seen, local).is_some());
        if !writers.iter().any(reads) {
            self.note_join(point, &writers, value.as_ref(), body.locals[local].name.as_deref());
        }
        for writer in &writers {
            if self.step(*writer) {
                let given = self.given(*writer);
                self.name_register(*writer, local, given.as_ref());
                self.definition(*writer);
            }
        }
        let constants = writers.iter().all(|w| self.given(*w).is_some_and(|v| blame::freedom(&v) == 0));
        if writers.len() > 1 && constants && body.locals[local].name.is_none() {
            // `a && b`: the tests decide, and nothing else.
            writers.iter().for_each(|writer| self.follow_control(*writer));
        }
        if found.from_start {
            self.at_start(point, body, local, value.as_ref());
        }
    }

    pub(super) fn given(&self, point: Point) -> Option<Value> {
        self.noted.seen(point).and_then(|seen| seen.gives.clone())
    }

    pub(super) fn that_take_part(&self, found: &Found, value: Option<&Value>) -> Vec<Point> {
        let writers: Vec<Point> = found.writers.iter().copied().collect();
        let given: Vec<Option<Value>> = writers.iter().map(|writer| self.given(*writer)).collect();
        let given: Vec<Option<&Value>> = given.iter().map(Option::as_ref).collect();
        let part = blame::taking_part(&given, value);
        writers.into_iter().zip(part).filter_map(|(writer, part)| part.then_some(writer)).collect()
    }

    /// A loop head where widening gave something up.
    pub(super) fn widened(&mut self, found: &Found, name: Option<&str>) {
        for head in &found.widened {
            let Some(body) = self.body(*head) else { continue };
            // The test of the loop shows a person where it is.
            let point = head.at(head.site.block, body.blocks[head.site.block].statements.len());
            if self.step(point) {
                let what = name.map_or_else(|| "a value".to_owned(), |name| format!("`{name}`"));
                self.lose(point, format!("{what} is widened at the head of this loop"));
                self.mention_reads(point);
            }
        }
    }

    /// Says so where several values come together and none of them alone is as loose as what came out.
    fn note_join(&mut self, point: Point, writers: &[Point], value: Option<&Value>, name: Option<&str>) {
        let (Some(value), Some(name)) = (value, name) else { return };
        let given: Vec<(Point, Value)> =
            writers.iter().filter_map(|writer| Some((*writer, self.given(*writer)?))).collect();
        let loosest = given.iter().map(|(_, part)| blame::freedom(part)).max().unwrap_or(0);
        if given.len() < 2 || given.len() < writers.len() || loosest >= blame::freedom(value) {
            return;
        }
        let parts: Vec<String> = given
            .iter()
            .map(|(writer, part)| {
                let line = self.a.facts.program.sources.place(self.span(writer.site)).line;
                format!("{} of line {line}", text::value(self.a, None, part))
            })
            .collect();
        self.lose(point, format!("`{name}` is a join: {}", parts.join(", ")));
    }

    /// A register that nothing in its function wrote.
    fn at_start(&mut self, point: Point, body: &'p Body, local: LocalId, value: Option<&Value>) {
        let function = point.site.function;
        let name =
            text::register(body, local).map_or_else(|| "a value".to_owned(), |name| format!("`{name}`"));
        if local.0 >= body.parameters {
            if value.is_none_or(|value| value.uninit) {
                self.lose(point, format!("{name} may not have been written"));
            }
            return;
        }
        let callers: Vec<Point> =
            self.noted.callers.get(&(function, point.through)).into_iter().flatten().copied().collect();
        if callers.is_empty() {
            let entry = self.a.facts.function(function).source_name.clone();
            self.lose(point, format!("{name} is a parameter of `{entry}`, where runs start"));
        }
        let arguments: Vec<(Point, Option<ExprId>)> = callers
            .into_iter()
            .map(|caller| match self.argument(caller, local) {
                Some(Argument::Value(expr)) => (caller, Some(*expr)),
                _ => (caller, None),
            })
            .collect();
        let values: Vec<Option<Value>> =
            arguments.iter().map(|(caller, expr)| self.evaluated(*caller, (*expr)?)).collect();
        let values: Vec<Option<&Value>> = values.iter().map(Option::as_ref).collect();
        let part = blame::taking_part(&values, value);
        let is_model = self.a.facts.options.models.contains(&function);
        for (((caller, expr), part), value) in arguments.into_iter().zip(part).zip(values) {
            if !part || !self.step(caller) {
                continue;
            }
            let parameter = body.locals[local].name.as_ref().filter(|_| !is_model);
            if let (Some(value), Some(parameter)) = (value, parameter) {
                self.name_value(caller, &format!("argument {parameter}"), Some(body.locals[local].ty), value);
            }
            match expr {
                Some(expr) => self.operands(caller, &[expr]),
                None => self.lose(caller, "called without this argument"),
            }
        }
    }

    pub(super) fn argument(&self, caller: Point, local: LocalId) -> Option<&'p Argument> {
        let body = self.body(caller)?;
        let statement = body.blocks[caller.site.block].statements.get(caller.site.statement as usize)?;
        let StatementKind::Call(call) = &statement.kind else { return None };
        call.arguments.get(local.0 as usize)
    }

    /// An expression on the values that were met at a statement.
    pub(super) fn evaluated(&mut self, point: Point, expr: ExprId) -> Option<Value> {
        let (frame, state) = self.met(point)?;
        Some(self.a.eval(&frame, &state, expr))
    }

    /// The values that were met at a statement, as a state.
    pub(super) fn met(
        &mut self,
        point: Point,
    ) -> Option<(crate::engine::facts::Frame<'p>, crate::state::State)> {
        let frame = self.a.frame(point.site.function, true)?;
        let mut state = State::new(Memory::new(&self.a.context.reads));
        for (local, value) in &self.noted.seen(point)?.reads {
            if let Some(value) = value {
                state.begin_register(*local, value.clone());
            }
        }
        Some((frame, state))
    }

    /// What a statement that is in the slice made its value from.
    pub(super) fn definition(&mut self, point: Point) {
        let Some(body) = self.body(point) else { return };
        let block = &body.blocks[point.site.block];
        let Some(statement) = block.statements.get(point.site.statement as usize) else {
            match &block.terminator {
                Terminator::Return(Some(Argument::Value(expr))) => self.operands(point, &[*expr]),
                Terminator::Return(Some(Argument::Object(place))) => {
                    let bytes = Int::constant(i128::from(self.a.facts.types.size_of(place.ty)));
                    self.part(point, place, &Int::constant(0), &bytes);
                }
                _ => {}
            }
            return;
        };
        match &statement.kind {
            StatementKind::Assign { value, .. } => self.operands(point, &[*value]),
            StatementKind::Load { place, flags, .. } => self.load(point, place, *flags),
            StatementKind::Store { place, value, .. } => {
                self.operands(point, &[*value]);
                self.mention(point, place);
                self.through_pointer(point, place);
            }
            StatementKind::Havoc { target: HavocTarget::Local(_) | HavocTarget::Place(_) } => {
                self.lose(point, self.input_text(point));
            }
            StatementKind::Call(call) => self.call(point, call),
            StatementKind::Copy { from, .. } => self.copied(point, Some(from)),
            StatementKind::Intrinsic(call) => match call.op {
                Intrinsic::CopyBytes => self.copied(point, None),
                Intrinsic::FillBytes => self.operands(point, &call.arguments[1..2]),
                Intrinsic::HavocBytes => self.lose(point, self.input_text(point)),
                Intrinsic::Allocate
                | Intrinsic::Own
                | Intrinsic::Alloca
                | Intrinsic::Came
                | Intrinsic::Likely => {}
                Intrinsic::VaArg(_) => self.lose(point, "an unnamed argument"),
                _ => self.operands(point, &call.arguments),
            },
            StatementKind::Assembler { .. } => self.lose(point, "assembler: any value"),
            _ => {}
        }
    }

    fn input_text(&self, point: Point) -> String {
        match point.through.and_then(|site| self.callee_name(site)) {
            Some(name) if is_input(&name) => "an input: any value".to_owned(),
            Some(name) => format!("`{name}` is a library function: any value it may give"),
            None => "an input: any value".to_owned(),
        }
    }

    fn callee_name(&self, site: Site) -> Option<String> {
        let body = self.a.facts.function(site.function).body.as_ref()?;
        let statement = body.blocks[site.block].statements.get(site.statement as usize)?;
        let StatementKind::Call(call) = &statement.kind else { return None };
        let callee = crate::explain::value_log::direct(call.callee)?;
        Some(self.a.facts.function(callee).source_name.to_string())
    }

    /// Where a function returned.
    fn returns(&self, function: FuncId, body: &Body, through: Option<Site>) -> BTreeSet<Point> {
        let blocks = body.blocks.iter_enumerated();
        let ends = blocks.filter(|(_, block)| matches!(block.terminator, Terminator::Return(_)));
        let point = |(block, code): (BlockId, &Block)| {
            let statement = code.statements.len() as u32;
            Point { site: Site { function, block, statement }, through }
        };
        ends.map(point).filter(|end| self.noted.seen(*end).is_some()).collect()
    }

    fn call(&mut self, point: Point, call: &'p Call) {
        let callees: Vec<FuncId> = self.noted.callees.get(&point).into_iter().flatten().copied().collect();
        if callees.is_empty() {
            self.lose(point, "a call of a function that is not known: any value");
            if let clew_ir::syntax::Callee::Indirect(pointer) = call.callee {
                self.operands(point, &[pointer]);
            }
        }
        let given = self.given(point);
        for callee in callees {
            let function = self.a.facts.function(callee);
            let Some(body) = &function.body else {
                let name = &function.source_name;
                let what = match is_input(name) {
                    true => "an input: any value".to_owned(),
                    false => format!("`{name}` has no body here: any value"),
                };
                self.lose(point, what);
                continue;
            };
            let through = self.a.facts.inside(point, callee);
            let writers = self.returns(callee, body, through);
            let found = Found { writers, ..Found::default() };
            for end in self.that_take_part(&found, given.as_ref()) {
                if self.step(end) {
                    self.definition(end);
                }
            }
        }
    }
}
