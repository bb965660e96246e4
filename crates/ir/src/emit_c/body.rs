// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions: locals as variables and arrays of bytes, blocks as labels, each statement in braces of its own.

use std::fmt::Write;

use clew_base::source::Span;

use super::names::{is_builtin, quoted};
use super::{Emitter, put};
use crate::obligation::{Condition, Raise};
use crate::syntax::*;
use crate::types::Class;
use crate::visit::Visit;

/// How deep an expression nests before part of it becomes a temporary.
const MAX_DEPTH: u32 = 40;

pub(super) struct FunctionEmitter<'e, 'a> {
    pub(super) emitter: &'e mut Emitter<'a>,
    pub(super) function: &'e Function,
    pub(super) body: &'e Body,
    pub(super) id: FuncId,
    /// For each expression: the statement (by a running number) that saw it last, and what it saw.
    seen: Vec<Seen>,
    statement: u32,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    statement: u32,
    uses: u32,
    depth: u32,
    temporary: bool,
}

impl Emitter<'_> {
    pub(super) fn function(&mut self, id: FuncId, function: &Function, body: &Body) {
        if is_builtin(&function.name) {
            return;
        }
        let mut emitter = FunctionEmitter {
            emitter: self,
            function,
            body,
            id,
            seen: vec![Seen::default(); body.exprs.len()],
            statement: 0,
        };
        emitter.emit();
    }

    fn line(&mut self, span: Span) {
        if !self.options.lines || span.is_none() {
            return;
        }
        let place = self.program.sources.place(span);
        if place.line == 0 {
            return;
        }
        let is_same_file = *place.file == *self.line.file;
        let since = self.out[self.line.at..].bytes().filter(|byte| *byte == b'\n').count() as u32;
        if is_same_file && place.line == self.line.number + since {
            return;
        }
        if is_same_file {
            put!(self.out, "\n#line {}\n", place.line);
        } else {
            put!(self.out, "\n#line {} {}\n", place.line, quoted(&place.file));
            self.line.file = place.file.to_string();
        }
        self.line.number = place.line;
        self.line.at = self.out.len();
    }
}

/// Collects expression handles.
struct Roots(Vec<ExprId>);

impl Visit for Roots {
    fn expr(&mut self, expr: &ExprId) {
        self.0.push(*expr);
    }
}

impl FunctionEmitter<'_, '_> {
    fn emit(&mut self) {
        let id = self.id;
        self.header(id);
        for (local, declared) in self.body.locals.iter_enumerated() {
            if local.0 >= self.body.parameters {
                self.local(local, declared);
            }
        }
        self.emitter.label_tables(id);
        self.parameters_begin();
        for (block_id, block) in self.body.blocks.iter_enumerated() {
            put!(self.emitter.out, "{block_id}:;\n");
            for statement in &block.statements {
                if let StatementKind::Check { first, count } = statement.kind {
                    self.written_checks(first, count);
                }
                self.emitter.line(statement.span);
                self.braced(|roots| roots.walk_statement(statement), |this| this.statement(&statement.kind));
            }
            self.emitter.line(block.span);
            self.braced(
                |roots| roots.walk_terminator(&block.terminator),
                |this| this.terminator(&block.terminator),
            );
        }
        self.word("}\n");
    }

    /// The head of the definition. One without a prototype is written in the old style, which converts its
    /// parameters as the callers promote them.
    fn header(&mut self, id: FuncId) {
        let name = self.emitter.names.functions[id].clone();
        let Type::Function { result, variadic, prototyped, .. } =
            &self.emitter.program.types[self.function.ty]
        else {
            return;
        };
        let result = self.emitter.c_type(*result);
        let parameters: Vec<(String, String)> = (0..self.body.parameters)
            .map(|i| {
                let local = &self.body.locals[LocalId(i)];
                let prefix = if local.storage == Storage::Register { "l" } else { "m" };
                (self.emitter.c_type(local.ty), format!("{prefix}{i}"))
            })
            .collect();
        let storage = if self.function.linkage == Linkage::Internal { "static " } else { "" };
        put!(self.emitter.out, "{storage}{result} {name}(");
        if *prototyped {
            let mut list: Vec<String> = parameters.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
            if *variadic {
                list.push("...".into());
            }
            self.word(&if list.is_empty() { "void".into() } else { list.join(", ") });
            self.word(")\n{\n");
        } else {
            let names: Vec<&str> = parameters.iter().map(|(_, name)| name.as_str()).collect();
            put!(self.emitter.out, "{})", names.join(", "));
            for (ty, name) in &parameters {
                put!(self.emitter.out, " {ty} {name};");
            }
            self.word("\n{\n");
        }
    }

    fn local(&mut self, id: LocalId, local: &Local) {
        let number = id.0;
        match local.storage {
            Storage::Register => put!(self.emitter.out, "{} l{number};", self.emitter.c_type(local.ty)),
            Storage::Memory { align, .. } => {
                if self.emitter.program.types().is_complete(local.ty) {
                    let size = self.emitter.program.size_of(local.ty);
                    put!(self.emitter.out, "char m{number}[{size}] __attribute__((aligned({align})));");
                } else {
                    put!(self.emitter.out, "ptr m{number}; void *s{number};");
                }
            }
        }
        match &local.name {
            Some(name) if !name.contains("*/") => put!(self.emitter.out, " /* {name} */\n"),
            _ => self.word("\n"),
        }
    }

    /// The address of a memory local.
    pub(super) fn memory_name(&self, local: LocalId) -> String {
        let sized = self.emitter.program.types().is_complete(self.body.locals[local].ty);
        if sized || local.0 < self.body.parameters {
            format!("((ptr)&m{})", local.0)
        } else {
            format!("m{}", local.0)
        }
    }

    pub(super) fn is_temporary(&self, id: ExprId) -> bool {
        let seen = &self.seen[id.0 as usize];
        seen.temporary && seen.statement == self.statement
    }

    /// Something in braces, behind the temporaries its expressions need: shared and deep parts, so that the
    /// text does not grow beyond the graph.
    fn braced(&mut self, visit: impl FnOnce(&mut Roots), emit: impl FnOnce(&mut Self)) {
        self.statement += 1;
        let mut roots = Roots(Vec::new());
        visit(&mut roots);
        let mut stack = roots.0;
        let mut nodes = Vec::new();
        while let Some(id) = stack.pop() {
            let seen = &mut self.seen[id.0 as usize];
            if seen.statement == self.statement {
                seen.uses += 1;
                continue;
            }
            *seen = Seen { statement: self.statement, uses: 1, depth: 0, temporary: false };
            nodes.push(id);
            self.body.exprs[id].operands(|operand| stack.push(operand));
        }
        nodes.sort_unstable();
        self.word("{ ");
        for id in nodes {
            let expr = &self.body.exprs[id];
            let mut depth = 0;
            expr.operands(|operand| depth = depth.max(self.seen[operand.0 as usize].depth + 1));
            let shared = self.seen[id.0 as usize].uses > 1;
            if depth > 0 && (shared || depth > MAX_DEPTH) {
                self.temporary(id);
                self.seen[id.0 as usize].temporary = true;
            } else {
                self.seen[id.0 as usize].depth = depth;
            }
        }
        emit(self);
        self.word(" }\n");
    }

    fn omit(&mut self, what: String) {
        self.emitter.omitted.push(format!("{}: {what}", self.function.name));
        self.word("__builtin_trap();");
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Check { first, count } => self.checks(*first, *count),
            StatementKind::Assign { local, value } => {
                put!(self.emitter.out, "l{} = ", local.0);
                self.expr(*value);
                self.word(";");
            }
            // Stands behind something unsupported: C has no values of this type.
            StatementKind::Load { place, .. } | StatementKind::Store { place, .. } if self.is_void(place) => {
                self.omit("an access to nothing".to_owned());
            }
            StatementKind::Load { local, place, flags } if self.is_volatile_input(place, *flags) => {
                put!(self.emitter.out, "clew_senses(&l{0}, sizeof l{0});", local.0);
            }
            StatementKind::Load { local, place, flags } => {
                put!(self.emitter.out, "l{} = ", local.0);
                self.load(place, *flags);
                self.word(";");
            }
            StatementKind::Store { place, value, flags } => self.store(place, *value, *flags),
            StatementKind::Copy { to, from, .. } => {
                self.word("__builtin_memmove(");
                self.address(to);
                self.word(", ");
                self.address(from);
                put!(self.emitter.out, ", {});", self.emitter.program.size_of(to.ty));
            }
            StatementKind::Zero { place } => {
                self.word("__builtin_memset(");
                self.address(place);
                put!(self.emitter.out, ", 0, {});", self.emitter.program.size_of(place.ty));
            }
            StatementKind::StorageLive { local, bytes } => {
                if let Some(bytes) = bytes {
                    self.variable_length(*local, *bytes);
                }
                self.begins(*local, *bytes);
            }
            StatementKind::StorageDead { local } => {
                let declared = &self.body.locals[*local];
                let variable = declared.storage != Storage::Register
                    && !self.emitter.program.types().is_complete(declared.ty);
                if variable && local.0 >= self.body.parameters {
                    put!(self.emitter.out, "__builtin_stack_restore(s{});", local.0);
                }
            }
            StatementKind::Assume { condition } => {
                self.word("if (!");
                self.expr(*condition);
                self.word(") clew_exit(0);");
            }
            // Any value will do; the one that is there is one.
            StatementKind::Havoc { .. } | StatementKind::Unordered { .. } => {}
            StatementKind::Call(call) => self.call(call),
            StatementKind::Intrinsic(call) => self.intrinsic(call),
            StatementKind::Assembler { text, .. } if text.trim().is_empty() => {
                self.word("__asm__ volatile(\"\" : : : \"memory\");");
            }
            StatementKind::Assembler { text, .. } => self.omit(format!("inline assembler `{text}`")),
            StatementKind::Unsupported { what } => self.omit(what.to_string()),
        }
    }

    fn is_void(&self, place: &Place) -> bool {
        self.emitter.program.types().class(place.ty) == Class::Void
    }

    fn store(&mut self, place: &Place, value: ExprId, flags: AccessFlags) {
        match self.emitter.program.types().bit_range(place) {
            None => {
                self.lvalue(place, flags);
                self.word(" = ");
                self.expr(value);
                self.word(";");
            }
            Some(bits) => {
                self.word("clew_set_bits(");
                self.address(place);
                put!(self.emitter.out, ", {}, {}, ", bits.start, bits.width);
                self.expr(value);
                self.word(");");
            }
        }
    }

    fn variable_length(&mut self, local: LocalId, bytes: ExprId) {
        let Storage::Memory { align, .. } = self.body.locals[local].storage else { return };
        let number = local.0;
        put!(
            self.emitter.out,
            "s{number} = __builtin_stack_save(); m{number} = __builtin_alloca_with_align("
        );
        self.expr(bytes);
        put!(self.emitter.out, ", {});", u64::from(align.max(16)) * 8);
    }

    fn destination(&mut self, result: &Option<CallResult>) {
        match result {
            None => {}
            Some(CallResult::Local(local)) => put!(self.emitter.out, "l{} = ", local.0),
            Some(CallResult::Place(place)) => {
                self.object(place);
                self.word(" = ");
            }
        }
    }

    fn call(&mut self, call: &Call) {
        self.destination(&call.result);
        match call.callee {
            Callee::Direct(function) => {
                let declared = &self.emitter.program.functions[function];
                let name = self.emitter.names.functions[function].clone();
                if declared.ty == call.signature || is_builtin(&declared.name) {
                    self.word(&name);
                } else {
                    // A call that does not fit: the compiler would refuse it if it knew what is called.
                    put!(self.emitter.out, "(({})", self.emitter.prototype(call.signature, "(*)"));
                    put!(self.emitter.out, "clew_opaque((ptr){name}))");
                }
            }
            Callee::Indirect(pointer) => {
                put!(self.emitter.out, "(({})", self.emitter.prototype(call.signature, "(*)"));
                self.expr(pointer);
                self.word(")");
            }
        }
        self.word("(");
        for (i, argument) in call.arguments.iter().enumerate() {
            if i > 0 {
                self.word(", ");
            }
            self.argument(argument);
        }
        self.word(");");
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(value) => self.expr(*value),
            Argument::Object(place) => self.object(place),
        }
    }

    fn intrinsic(&mut self, call: &IntrinsicCall) {
        if call.op == Intrinsic::Trap {
            return self.word("__builtin_trap();");
        }
        self.destination(&call.result);
        let list = "*(__builtin_va_list *)";
        match (call.op, call.arguments.as_slice()) {
            (Intrinsic::VaStart, [ap]) => {
                put!(self.emitter.out, "__builtin_va_start({list}");
                self.expr(*ap);
                let last = self.body.parameters.checked_sub(1).map(|i| {
                    let register = self.body.locals[LocalId(i)].storage == Storage::Register;
                    format!("{}{i}", if register { "l" } else { "m" })
                });
                put!(self.emitter.out, ", {})", last.as_deref().unwrap_or("0"));
            }
            (Intrinsic::VaArg(ty), [ap]) => {
                put!(self.emitter.out, "__builtin_va_arg({list}");
                self.expr(*ap);
                put!(self.emitter.out, ", {})", self.emitter.c_type(ty));
            }
            (Intrinsic::VaEnd, [ap]) => {
                put!(self.emitter.out, "__builtin_va_end({list}");
                self.expr(*ap);
                self.word(")");
            }
            (Intrinsic::VaCopy, [to, from]) => {
                put!(self.emitter.out, "__builtin_va_copy({list}");
                self.expr(*to);
                put!(self.emitter.out, ", {list}");
                self.expr(*from);
                self.word(")");
            }
            (Intrinsic::Alloca, arguments) => self.apply("__builtin_alloca", arguments),
            (Intrinsic::FrameAddress, _) => self.word("__builtin_frame_address(0)"),
            (Intrinsic::ReturnAddress, _) => self.word("__builtin_return_address(0)"),
            (Intrinsic::ObjectSize, [_, kind]) => {
                self.word("(");
                self.expr(*kind);
                self.word(" & 2 ? 0 : (u64)-1)");
            }
            (Intrinsic::Optimised, [answer]) => self.expr(*answer),
            (Intrinsic::CopyBytes, arguments) => self.apply("__builtin_memmove", arguments),
            (Intrinsic::FillBytes, arguments) => self.apply("__builtin_memset", arguments),
            (Intrinsic::NulPosition, arguments) => self.apply("__builtin_strlen", arguments),
            (Intrinsic::SquareRoot, arguments) => self.apply_float("sqrt", arguments),
            (Intrinsic::FloatRemainder, arguments) => self.apply_float("fmod", arguments),
            (Intrinsic::MultiplyAdd, arguments) => self.apply_float("fma", arguments),
            (Intrinsic::Allocate, arguments) => self.apply("__builtin_malloc", arguments),
            (Intrinsic::Own, [bytes, _]) => self.apply("__builtin_malloc", &[*bytes]),
            (Intrinsic::Release, arguments) => self.apply("__builtin_free", arguments),
            (Intrinsic::SizeOfObject, arguments) => {
                self.word("({ extern u64 malloc_usable_size(void *); ");
                self.apply("malloc_usable_size", arguments);
                self.word("; })");
            }
            _ => self.word("(void)0"),
        }
        self.word(";");
    }

    /// A function of floats, by the name that it has for their type.
    fn apply_float(&mut self, function: &str, arguments: &[ExprId]) {
        let suffix = arguments.first().map_or("", |argument| self.float_suffix(*argument));
        self.apply(&format!("__builtin_{function}{suffix}"), arguments);
    }

    fn apply(&mut self, function: &str, arguments: &[ExprId]) {
        put!(self.emitter.out, "{function}(");
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                self.word(", ");
            }
            self.expr(*argument);
        }
        self.word(")");
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Goto(target) => put!(self.emitter.out, "goto {target};"),
            Terminator::Branch { condition, then, otherwise } => {
                self.word("if (");
                self.expr(*condition);
                put!(self.emitter.out, ") goto {then}; goto {otherwise};");
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, *default),
            Terminator::Return(None) => self.word("return;"),
            Terminator::Return(Some(value)) => {
                self.word("return ");
                self.argument(value);
                self.word(";");
            }
            Terminator::Unreachable => self.word("__builtin_trap();"),
            Terminator::ComputedGoto { address, .. } => {
                self.word("goto *(void *)");
                self.expr(*address);
                self.word(";");
            }
        }
    }

    fn switch(&mut self, value: ExprId, cases: &[(i128, i128, BlockId)], default: BlockId) {
        let ty = self.body.exprs[value].ty;
        let wide = self.emitter.program.size_of(ty) > 8;
        let c_type = self.emitter.c_type(ty);
        put!(self.emitter.out, "{c_type} v = ");
        self.expr(value);
        self.word(if wide { ";" } else { "; switch (v) {" });
        for (low, high, target) in cases {
            let (low, high) = (case_constant(&c_type, *low), case_constant(&c_type, *high));
            if wide {
                put!(self.emitter.out, " if ({low} <= v && v <= {high}) goto {target};");
            } else if low == high {
                put!(self.emitter.out, " case {low}: goto {target};");
            } else {
                put!(self.emitter.out, " case {low} ... {high}: goto {target};");
            }
        }
        if wide {
            put!(self.emitter.out, " goto {default};");
        } else {
            put!(self.emitter.out, " default: goto {default}; }}");
        }
    }

    /// The conditions that are written out, each at the place of its own operation.
    fn written_checks(&mut self, first: ObligationId, count: u32) {
        let body = self.body;
        for (number, id) in self.written(first, count) {
            self.emitter.line(body.obligations[id].span);
            self.braced(
                |roots| roots.walk_obligation(&body.obligations[id]),
                |this| this.write_out(number, id),
            );
        }
    }

    /// Checks as traps, as far as C can say them in one expression; the others are dropped.
    fn checks(&mut self, first: ObligationId, count: u32) {
        if !self.emitter.options.checks {
            return;
        }
        for id in first.0..first.0 + count {
            let condition = &self.body.obligations[ObligationId(id)].condition;
            match condition {
                Condition::Never => self.word("__builtin_trap(); "),
                Condition::Holds(expr) | Condition::NotNull(expr) => {
                    self.word("if (!");
                    self.expr(*expr);
                    self.word(") __builtin_trap(); ");
                }
                Condition::NotRaised(raise, expr) => self.raise_check(*raise, *expr),
                _ => {}
            }
        }
    }

    fn raise_check(&mut self, raise: Raise, expr: ExprId) {
        let ExprKind::Binary(op, left, right) = self.body.exprs[expr].kind else { return };
        let ty = self.emitter.c_type(self.body.exprs[expr].ty);
        if !matches!(self.emitter.program.types().class(self.body.exprs[expr].ty), Class::Int(_)) {
            return;
        }
        match (raise, op) {
            (Raise::SignedOverflow, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) => {
                let name = match op {
                    BinaryOp::Sub => "sub",
                    BinaryOp::Mul => "mul",
                    _ => "add",
                };
                put!(self.emitter.out, "if (__builtin_{name}_overflow_p(");
                self.expr(left);
                self.word(", ");
                self.expr(right);
                put!(self.emitter.out, ", ({ty})0)) __builtin_trap(); ");
            }
            (Raise::DivisionByZero, _) => {
                self.word("if (!");
                self.expr(right);
                self.word(") __builtin_trap(); ");
            }
            _ => {}
        }
    }
}

fn case_constant(c_type: &str, value: i128) -> String {
    let bits = value as u128;
    if value.unsigned_abs() < 1 << 31 {
        format!("({c_type}){value}")
    } else if i128::from(value as i64) == value || i128::from(value as u64) == value {
        format!("({c_type}){:#x}ULL", bits as u64)
    } else {
        format!("({c_type})((u128){:#x}ULL << 64 | {:#x}ULL)", (bits >> 64) as u64, bits as u64)
    }
}
