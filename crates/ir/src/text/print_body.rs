// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the body of a function.

use std::fmt::Write;

use clew_base::index::{Idx, IndexVec};
use clew_base::source::Span;

use super::infer::Context;
use super::print::{Printer, Quoted, put};
use super::{INTRINSICS, MAX_DEPTH, RAISES};
use crate::obligation::{Condition, Obligation};
use crate::syntax::*;
use crate::visit::Visit;

/// Whether and how a node is named.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Naming {
    /// It stands inside its user.
    Inline,
    /// It needs a line, which has not come yet.
    Pending,
    /// It is called that.
    Named(u32),
}

pub(super) struct BodyPrinter<'p, 'a> {
    pub(super) printer: &'p mut Printer<'a>,
    pub(super) body: &'p Body,
    contract: &'p Contract,
    pub(super) naming: IndexVec<ExprId, Naming>,
    names: u32,
    line: u32,
    pub(super) void: Option<TypeId>,
}

impl<'p, 'a> BodyPrinter<'p, 'a> {
    pub(super) fn new(printer: &'p mut Printer<'a>, body: &'p Body, contract: &'p Contract) -> Self {
        let naming = name_nodes(body, contract);
        let void = printer.program.types.iter_enumerated().find(|(_, t)| **t == Type::Void).map(|(id, _)| id);
        BodyPrinter { printer, body, contract, naming, names: 0, line: 0, void }
    }

    pub(super) fn context(&self) -> Context<'p>
    where
        'a: 'p,
    {
        let program = self.printer.program;
        Context {
            types: program.types(),
            globals: &program.globals,
            functions: &program.functions,
            locals: &self.body.locals,
            exprs: &self.body.exprs,
        }
    }

    pub(super) fn word(&mut self, word: &str) {
        self.printer.text.push_str(word);
    }

    pub(super) fn print(mut self) {
        for (id, local) in self.body.locals.iter_enumerated() {
            self.local_line(id, local);
        }
        if self.body.parameters > 0 {
            put!(self.printer.text, "  parameters {}\n", self.body.parameters);
        }
        self.contract_lines();
        let mut checked = vec![false; self.body.obligations.len()];
        for (id, block) in self.body.blocks.iter_enumerated() {
            put!(self.printer.text, "{id}:\n");
            for statement in &block.statements {
                mark_obligations(&statement.kind, &mut checked);
                self.statement(statement);
            }
            self.terminator(block);
        }
        // The verifier refuses these, but the text of a broken program must show them.
        for (id, obligation) in self.body.obligations.iter_enumerated() {
            if !checked[id.index()] {
                self.lets(|v| v.walk_obligation(obligation));
                self.word("  orphan ");
                self.obligation(id);
                self.word("\n");
            }
        }
    }

    fn local_line(&mut self, id: LocalId, local: &Local) {
        put!(self.printer.text, "  {id}");
        if let Some(name) = &local.name {
            put!(self.printer.text, " {}", Quoted(name.as_bytes()));
        }
        put!(self.printer.text, ": {}", self.printer.spelled(local.ty));
        match local.storage {
            Storage::Register => self.word(" register"),
            Storage::Memory { align, is_const } => {
                put!(self.printer.text, " memory align {align}");
                self.printer.flag(is_const, "const");
            }
        }
        self.end(local.span);
    }

    fn contract_lines(&mut self) {
        for (word, conditions) in [("requires", &self.contract.requires), ("ensures", &self.contract.ensures)]
        {
            for condition in conditions {
                self.lets(|v| v.expr(condition));
                put!(self.printer.text, "  {word} ");
                self.expr(*condition);
                self.word("\n");
            }
        }
        if let Some(assigns) = &self.contract.assigns {
            self.lets(|v| assigns.iter().for_each(|p| v.place(p)));
            self.word("  assigns (");
            self.list(assigns, |p, place| p.place(place));
            self.word(")\n");
        }
    }

    /// Ends a line with its span.
    fn end(&mut self, span: Span) {
        self.printer.span(span);
        self.word("\n");
    }

    /// Ends a statement's line; without spans, says which source line this is when it changes.
    fn end_statement(&mut self, span: Span) {
        self.printer.span(span);
        if !self.printer.options.spans && !span.is_none() {
            let place = self.printer.program.sources.place(span);
            if place.line != self.line {
                self.line = place.line;
                put!(self.printer.text, "  ; {}:{}", place.file, place.line);
            }
        }
        self.word("\n");
    }

    /// Prints the lines of all named nodes that what the callback visits needs and that have none yet.
    fn lets(&mut self, visit: impl FnOnce(&mut Roots)) {
        let mut roots = Roots(Vec::new());
        visit(&mut roots);
        let mut stack = roots.0;
        let mut pending = Vec::new();
        while let Some(node) = stack.pop() {
            let Some(expr) = self.body.exprs.get(node) else { continue };
            match self.naming[node] {
                Naming::Named(_) => continue,
                Naming::Pending if pending.contains(&node) => continue,
                Naming::Pending => pending.push(node),
                Naming::Inline => {}
            }
            expr.operands(|operand| stack.push(operand));
        }
        pending.sort_unstable();
        for node in pending {
            put!(self.printer.text, "  e{} = ", self.names);
            self.node(node);
            self.word("\n");
            self.naming[node] = Naming::Named(self.names);
            self.names += 1;
        }
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.word(", ");
            }
            each(self, item);
        }
    }

    fn flags(&mut self, flags: AccessFlags) {
        for (set, name) in
            [(flags.volatile, "volatile "), (flags.atomic, "atomic "), (flags.copies, "copies ")]
        {
            if set {
                self.word(name);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.statement_lets(statement);
        self.word("  ");
        match &statement.kind {
            StatementKind::Check { first, count } => return self.check(*first, *count, statement.span),
            StatementKind::Assign { local, value } => {
                self.local(*local);
                self.word(" = ");
                self.expr(*value);
            }
            StatementKind::Load { local, place, flags } => {
                self.local(*local);
                self.word(" = load ");
                self.flags(*flags);
                self.place(place);
            }
            StatementKind::Store { place, value, flags } => {
                self.word("store ");
                self.flags(*flags);
                self.place(place);
                self.word(" = ");
                self.expr(*value);
            }
            StatementKind::Copy { to, from, flags } => {
                self.word("copy ");
                self.flags(*flags);
                self.place(to);
                self.word(" = ");
                self.place(from);
            }
            StatementKind::Zero { place } => {
                self.word("zero ");
                self.place(place);
            }
            StatementKind::StorageLive { local, bytes } => {
                self.word("live ");
                self.local(*local);
                if let Some(bytes) = bytes {
                    self.word(" bytes ");
                    self.expr(*bytes);
                }
            }
            StatementKind::StorageDead { local } => {
                self.word("dead ");
                self.local(*local);
            }
            StatementKind::Assume { condition } => {
                self.word("assume ");
                self.expr(*condition);
            }
            StatementKind::Havoc { target: HavocTarget::Local(local) } => {
                self.word("havoc local ");
                self.local(*local);
            }
            StatementKind::Havoc { target: HavocTarget::Place(place) } => {
                self.word("havoc place ");
                self.place(place);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Intrinsic(call) => self.intrinsic(call),
            StatementKind::Assembler { text, outputs, registers, inputs, memory } => {
                put!(self.printer.text, "asm {} (", Quoted(text.as_bytes()));
                self.list(outputs, |p, place| p.place(place));
                self.word(") (");
                self.list(registers, |p, local| p.local(*local));
                self.word(") (");
                self.list(inputs, |p, e| p.expr(*e));
                self.word(")");
                self.printer.flag(*memory, "memory");
            }
            StatementKind::Unordered { marker, obligation } => {
                self.unordered(*marker, *obligation);
            }
            StatementKind::Unsupported { what } => {
                put!(self.printer.text, "unsupported {}", Quoted(what.as_bytes()));
            }
        }
        self.end_statement(statement.span);
    }

    fn statement_lets(&mut self, statement: &Statement) {
        let body = self.body;
        self.lets(|roots| {
            roots.walk_statement(statement);
            let ids = match statement.kind {
                StatementKind::Check { first, count } => first.0..first.0.saturating_add(count),
                StatementKind::Unordered { marker: UnorderedMarker::Begin, obligation } => {
                    obligation.0..obligation.0.saturating_add(1)
                }
                _ => 0..0,
            };
            ids.map_while(|id| body.obligations.get(ObligationId(id))).for_each(|o| roots.walk_obligation(o));
        });
    }

    fn check(&mut self, first: ObligationId, count: u32, span: Span) {
        self.word("check");
        self.end_statement(span);
        for id in first.0..first.0.saturating_add(count) {
            self.word("    ");
            self.obligation(ObligationId(id));
            self.word("\n");
        }
    }

    fn obligation(&mut self, id: ObligationId) {
        let Some(Obligation { check, condition, span }) = self.body.obligations.get(id) else {
            return put!(self.printer.text, "?{id}");
        };
        put!(self.printer.text, "{id} {check}: ");
        self.condition(condition);
        self.printer.span(*span);
    }

    fn condition(&mut self, condition: &Condition) {
        let (word, exprs): (&str, Vec<ExprId>) = match condition {
            Condition::Never => ("never", vec![]),
            Condition::NotLeaked => ("not_leaked", vec![]),
            Condition::ResultUnused => ("result_unused", vec![]),
            Condition::Commutes => ("commutes", vec![]),
            Condition::Holds(e) => ("holds", vec![*e]),
            Condition::NotRaised(raise, e) => {
                put!(self.printer.text, "not_raised {} ", RAISES.name(*raise));
                return self.expr(*e);
            }
            Condition::InitialisedLocal(local) => {
                self.word("initialised_local ");
                return self.local(*local);
            }
            Condition::NotNull(e) => ("not_null", vec![*e]),
            Condition::Valid(e) => ("valid", vec![*e]),
            Condition::Live(e) => ("live", vec![*e]),
            Condition::AllocBase(e) => ("alloc_base", vec![*e]),
            Condition::Handle(e) => ("handle", vec![*e]),
            Condition::Lasting(e) => ("lasting", vec![*e]),
            Condition::NulWithin(e) => ("nul_within", vec![*e]),
            Condition::WrittenText(e) => ("written_text", vec![*e]),
            Condition::WrittenRange(p, n) => ("written_range", vec![*p, *n]),
            Condition::Callable(e) => ("callable", vec![*e]),
            Condition::Unnamed(list, ty) => {
                put!(self.printer.text, "unnamed {} ", self.printer.spelled(*ty));
                return self.expr(*list);
            }
            Condition::StackFits(e) => ("stack_fits", vec![*e]),
            Condition::SameObject(p, q) => ("same_object", vec![*p, *q]),
            Condition::ReadableRange(p, n) => ("readable", vec![*p, *n]),
            Condition::WritableRange(p, n) => ("writable_range", vec![*p, *n]),
            Condition::Disjoint { p, n, q, m } => ("disjoint", vec![*p, *n, *q, *m]),
            Condition::SameOrDisjoint { p, q, n } => ("same_or_disjoint", vec![*p, *q, *n]),
            Condition::InBounds(place) => {
                self.word("in_bounds ");
                return self.place(place);
            }
            Condition::Writable(place) => {
                self.word("writable ");
                return self.place(place);
            }
            Condition::Aligned(place, align) => {
                put!(self.printer.text, "aligned {align} ");
                return self.place(place);
            }
            Condition::Initialised(place, bits) => {
                self.word("initialised ");
                if let Some(bits) = bits {
                    put!(self.printer.text, "bits {} {} ", bits.start, bits.width);
                }
                return self.place(place);
            }
        };
        self.word(word);
        if !exprs.is_empty() {
            self.word(" ");
            self.list(&exprs, |p, e| p.expr(*e));
        }
    }

    fn unordered(&mut self, marker: UnorderedMarker, obligation: ObligationId) {
        match marker {
            UnorderedMarker::Begin => {
                self.word("unordered begin ");
                self.obligation(obligation);
                // The obligation's span and the statement's would run together.
                self.word(" ,");
            }
            UnorderedMarker::Next => put!(self.printer.text, "unordered next {obligation}"),
            UnorderedMarker::Back => put!(self.printer.text, "unordered back {obligation}"),
            UnorderedMarker::End => put!(self.printer.text, "unordered end {obligation}"),
        }
    }

    fn result(&mut self, result: &Option<CallResult>) {
        match result {
            None => {}
            Some(CallResult::Local(local)) => {
                self.word("local ");
                self.local(*local);
                self.word(" = ");
            }
            Some(CallResult::Place(place)) => {
                self.word("place ");
                self.place(place);
                self.word(" = ");
            }
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(value) => self.expr(*value),
            Argument::Object(place) => {
                self.word("object ");
                self.place(place);
            }
        }
    }

    fn call(&mut self, call: &Call) {
        self.word("call ");
        self.result(&call.result);
        let declared = match call.callee {
            Callee::Direct(function) => {
                self.printer.function_name(function);
                self.printer.program.functions.get(function).map(|f| f.ty)
            }
            Callee::Indirect(pointer) => {
                self.word("*");
                self.expr(pointer);
                None
            }
        };
        self.word("(");
        self.list(&call.arguments, |p, a| p.argument(a));
        self.word(")");
        if declared != Some(call.signature) {
            put!(self.printer.text, " : {}", self.printer.spelled(call.signature));
        }
    }

    fn intrinsic(&mut self, call: &IntrinsicCall) {
        self.word("intrinsic ");
        self.result(&call.result);
        match call.op {
            Intrinsic::VaArg(ty) => put!(self.printer.text, "va_arg {} (", self.printer.spelled(ty)),
            op => put!(self.printer.text, "{} (", INTRINSICS.name(op)),
        }
        self.list(&call.arguments, |p, e| p.expr(*e));
        self.word(")");
    }

    fn terminator(&mut self, block: &Block) {
        self.lets(|roots| roots.walk_terminator(&block.terminator));
        self.word("  ");
        match &block.terminator {
            Terminator::Goto(target) => put!(self.printer.text, "goto {target}"),
            Terminator::Branch { condition, then, otherwise } => {
                self.word("branch ");
                self.expr(*condition);
                put!(self.printer.text, " ? {then} : {otherwise}");
            }
            Terminator::Switch { value, cases, default } => {
                self.word("switch ");
                self.expr(*value);
                self.word(" {");
                self.list(cases, |p, (low, high, target)| {
                    put!(p.printer.text, "{low}");
                    if low != high {
                        put!(p.printer.text, " .. {high}");
                    }
                    put!(p.printer.text, ": {target}");
                });
                put!(self.printer.text, "}} default {default}");
            }
            Terminator::Return(None) => self.word("return"),
            Terminator::Return(Some(value)) => {
                self.word("return ");
                self.argument(value);
            }
            Terminator::Unreachable => self.word("unreachable"),
            Terminator::ComputedGoto { address, targets } => {
                self.word("goto *");
                self.expr(*address);
                self.word(" (");
                self.list(targets, |p, b| put!(p.printer.text, "{b}"));
                self.word(")");
            }
        }
        self.end_statement(block.span);
    }
}

/// Collects expression handles.
struct Roots(Vec<ExprId>);

impl Visit for Roots {
    fn expr(&mut self, expr: &ExprId) {
        self.0.push(*expr);
    }
}

fn mark_obligations(kind: &StatementKind, checked: &mut [bool]) {
    let ids = match *kind {
        StatementKind::Check { first, count } => first.0..first.0.saturating_add(count),
        StatementKind::Unordered { marker: UnorderedMarker::Begin, obligation } => {
            obligation.0..obligation.0.saturating_add(1)
        }
        _ => return,
    };
    for id in ids {
        if let Some(seen) = checked.get_mut(id as usize) {
            *seen = true;
        }
    }
}

/// Decides which nodes get a line of their own: inner nodes used more than once, and every so many levels.
fn name_nodes(body: &Body, contract: &Contract) -> IndexVec<ExprId, Naming> {
    let uses = count_uses(body, contract);
    let mut depth = vec![0u32; body.exprs.len()];
    let mut naming: IndexVec<ExprId, Naming> = body.exprs.iter().map(|_| Naming::Inline).collect();
    for (id, expr) in body.exprs.iter_enumerated() {
        let leaf = matches!(
            expr.kind,
            ExprKind::Int(_)
                | ExprKind::Float { .. }
                | ExprKind::Local(_)
                | ExprKind::Function(_)
                | ExprKind::Label(_)
        );
        let mut deepest = 0;
        expr.operands(|operand| deepest = deepest.max(depth.get(operand.index()).copied().unwrap_or(0)));
        if !leaf && (uses[id.index()] > 1 || deepest >= MAX_DEPTH) {
            naming[id] = Naming::Pending;
        } else {
            depth[id.index()] = deepest + 1;
        }
    }
    naming
}

/// How often each node is used by what is printed. Unused nodes do not count as users.
fn count_uses(body: &Body, contract: &Contract) -> Vec<u32> {
    let mut roots = Roots(contract.requires.iter().chain(&contract.ensures).copied().collect());
    contract.assigns.iter().flatten().for_each(|place| roots.place(place));
    body.obligations.iter().for_each(|o| roots.walk_obligation(o));
    for block in body.blocks.iter() {
        block.statements.iter().for_each(|s| roots.walk_statement(s));
        roots.walk_terminator(&block.terminator);
    }
    let mut uses = vec![0u32; body.exprs.len()];
    let count = |id: ExprId, uses: &mut Vec<u32>| {
        if let Some(n) = uses.get_mut(id.index()) {
            *n += 1;
        }
    };
    roots.0.into_iter().for_each(|id| count(id, &mut uses));
    for (id, expr) in body.exprs.iter_enumerated().rev() {
        if uses[id.index()] > 0 {
            expr.operands(|operand| count(operand, &mut uses));
        }
    }
    uses
}
