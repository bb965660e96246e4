// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the emulation: one C variable a local, one label a block.

use std::fmt::Write as _;

use clew_base::source::Span;
use clew_ir::syntax::{
    Argument, BinaryOp, Body, Builtin, Call, CallResult, Callee, CompareOp, ExprId, ExprKind, FuncId,
    Intrinsic, LocalId, Place, PlaceBase, Projection, Statement, StatementKind, Storage, Terminator, Type,
    TypeId, UnaryOp,
};

use super::{Emitter, Emulated, converted, fraction, site, wide};
use crate::setup::Variable;

impl Emitter<'_> {
    pub(super) fn function(&mut self, id: FuncId) -> Emulated<String> {
        let program = self.program;
        let body = program.functions[id].body.as_ref().ok_or("a function without a body")?;
        let mut out = format!("{} {{\n", self.prototype(id)?);
        for (local, declared) in body.locals.iter_enumerated() {
            let (ty, at) = (self.scalar_of(declared.ty)?, local.0);
            match declared.storage {
                Storage::Register => {
                    let _ = writeln!(out, "    {ty} r{at} = {{0}};");
                }
                Storage::Memory { .. } => {
                    let count = self.count(declared.ty).max(1);
                    let _ = writeln!(out, "    {ty} m{at}[{count}] = {{0}};");
                }
            }
        }
        for index in 0..body.parameters {
            let local = LocalId(index);
            let value = self.kept_as(id, body, local, format!("p{index}"), program.functions[id].span);
            let target = match body.locals[local].storage {
                Storage::Register => format!("r{index}"),
                Storage::Memory { .. } => format!("m{index}[0]"),
            };
            let _ = writeln!(out, "    {target} = {value};");
        }
        for (at, block) in body.blocks.iter_enumerated() {
            let _ = writeln!(out, "b{}: ;", at.0);
            for statement in &block.statements {
                out += &self.statement(id, body, statement)?;
            }
            out += &self.terminator(body, &block.terminator)?;
        }
        Ok(out + "}\n")
    }

    /// A value as a named local of a format keeps it.
    fn kept_as(&self, function: FuncId, body: &Body, local: LocalId, value: String, span: Span) -> String {
        let declared = &body.locals[local];
        let is_float = matches!(self.program.types[declared.ty], Type::Float(_));
        let kept = self.kept(Variable::Local(function, local), declared.ty);
        let kept = kept.filter(|_| declared.name.is_some() && is_float);
        converted(value, kept.as_ref(), site(span))
    }

    fn statement(&mut self, function: FuncId, body: &Body, statement: &Statement) -> Emulated<String> {
        let span = statement.span;
        Ok(match &statement.kind {
            StatementKind::Check { .. }
            | StatementKind::StorageLive { .. }
            | StatementKind::StorageDead { .. }
            | StatementKind::Unordered { .. } => String::new(),
            StatementKind::Assign { local, value } => {
                let value = self.expr(body, *value)?;
                format!("    r{} = {};\n", local.0, self.kept_as(function, body, *local, value, span))
            }
            StatementKind::Load { local, place, .. } => {
                let value = self.place(body, place)?;
                format!("    r{} = {};\n", local.0, self.kept_as(function, body, *local, value, span))
            }
            StatementKind::Store { place, value, .. } => {
                let mut value = self.expr(body, *value)?;
                if matches!(self.program.types[place.ty], Type::Float(_)) {
                    let variable = match place.base {
                        PlaceBase::Global(global) => Variable::Global(global),
                        PlaceBase::Local(local) => Variable::Local(function, local),
                        PlaceBase::Deref(_) if self.setup.kept.is_empty() => {
                            Variable::Local(function, LocalId(u32::MAX))
                        }
                        PlaceBase::Deref(_) => {
                            return Err("a store through a pointer, with several formats".to_owned());
                        }
                    };
                    let kept = self.kept(variable, place.ty);
                    value = converted(value, kept.as_ref(), site(span));
                }
                format!("    {} = {value};\n", self.place(body, place)?)
            }
            StatementKind::Zero { place } => self.zero(place)?,
            StatementKind::Call(call) => self.call(function, body, call, span)?,
            StatementKind::Intrinsic(call) if matches!(call.op, Intrinsic::Came | Intrinsic::Likely) => {
                String::new()
            }
            _ => return Err("a statement that is not emulated".to_owned()),
        })
    }

    fn zero(&mut self, place: &Place) -> Emulated<String> {
        let PlaceBase::Local(local) = place.base else { return Err("zeros behind a pointer".to_owned()) };
        if !place.projections.is_empty() {
            return Err("zeros in a part of an object".to_owned());
        }
        let is_float = matches!(self.program.types[self.scalar_type(place.ty)], Type::Float(_));
        let zero = if is_float { "constant(0, 1)" } else { "0" };
        let count = self.count(place.ty);
        Ok(format!("    for (int i = 0; i < {count}; i++) m{}[i] = {zero};\n", local.0))
    }

    fn call(&mut self, function: FuncId, body: &Body, call: &Call, span: Span) -> Emulated<String> {
        let Callee::Direct(callee) = call.callee else { return Err("a call through a pointer".to_owned()) };
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            let Argument::Value(value) = argument else { return Err("a record by value".to_owned()) };
            arguments.push(self.expr(body, *value)?);
        }
        let called = &self.program.functions[callee];
        let value = if called.body.is_some() {
            format!("f{}({})", callee.0, arguments.join(", "))
        } else {
            match &*called.name {
                "sqrt" | "sqrtf" | "sqrtl" => format!("root({}, {}ULL)", arguments[0], site(span)),
                "fabs" | "fabsf" | "fabsl" => format!("absolute({})", arguments[0]),
                "exit" | "abort" => "exit(0)".to_owned(),
                "printf" | "puts" | "putchar" | "fprintf" | "fflush" => "0".to_owned(),
                name => return Err(format!("a call of `{name}`")),
            }
        };
        Ok(match &call.result {
            None => format!("    {value};\n"),
            Some(CallResult::Local(local)) => {
                format!("    r{} = {};\n", local.0, self.kept_as(function, body, *local, value, span))
            }
            Some(CallResult::Place(_)) => return Err("a record that is returned".to_owned()),
        })
    }

    fn terminator(&mut self, body: &Body, terminator: &Terminator) -> Emulated<String> {
        Ok(match terminator {
            Terminator::Goto(to) => format!("    goto b{};\n", to.0),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.expr(body, *condition)?;
                format!("    if ({condition}) goto b{}; else goto b{};\n", then.0, otherwise.0)
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.expr(body, *value)?;
                let mut out = String::new();
                for (low, high, to) in cases {
                    let (low, high) = (wide(*low), wide(*high));
                    let _ = writeln!(
                        out,
                        "    if ((big)({value}) >= {low} && (big)({value}) <= {high}) goto b{};",
                        to.0
                    );
                }
                out + &format!("    goto b{};\n", default.0)
            }
            Terminator::Return(None) => "    return;\n".to_owned(),
            Terminator::Return(Some(Argument::Value(value))) => {
                format!("    return {};\n", self.expr(body, *value)?)
            }
            Terminator::Unreachable => "    exit(0);\n".to_owned(),
            _ => return Err("a jump that is not emulated".to_owned()),
        })
    }

    /// The object and the index of a scalar place.
    fn place(&mut self, body: &Body, place: &Place) -> Emulated<String> {
        let (base, index) = self.indexed(body, place)?;
        Ok(format!("{base}[{index}]"))
    }

    fn indexed(&mut self, body: &Body, place: &Place) -> Emulated<(String, String)> {
        let unit = self.program.size_of(self.scalar_type(place.ty)).max(1);
        let base = match place.base {
            PlaceBase::Global(global) => {
                self.globals.insert(global);
                format!("g{}", global.0)
            }
            PlaceBase::Local(local) => format!("m{}", local.0),
            PlaceBase::Deref(pointer) => format!("({})", self.expr(body, pointer)?),
        };
        let mut index = "0".to_owned();
        for projection in &place.projections {
            match projection {
                Projection::Field { .. } => return Err("a record".to_owned()),
                Projection::Index { index: by, stride, .. } => {
                    let by = self.expr(body, *by)?;
                    let _ = write!(index, " + (int64_t)({by}) * {}", stride / unit);
                }
            }
        }
        Ok((base, index))
    }

    fn expr(&mut self, body: &Body, id: ExprId) -> Emulated<String> {
        let expr = &body.exprs[id];
        let at = site(expr.span);
        let is_float = |ty: TypeId| matches!(self.program.types[ty], Type::Float(_));
        let floats = is_float(expr.ty);
        Ok(match &expr.kind {
            ExprKind::Int(value) if matches!(self.program.types[expr.ty], Type::Pointer(_)) => {
                format!("(void *){value}")
            }
            ExprKind::Int(value) => format!("({})({})", self.c_type(expr.ty)?, wide(*value)),
            ExprKind::Float { bits, text } => {
                let Type::Float(format) = self.program.types[expr.ty] else {
                    return Err("an unusual constant".to_owned());
                };
                let value = crate::exact::literal(*bits, format, text.as_deref())
                    .ok_or("a constant that is no number")?;
                fraction(&value)?
            }
            ExprKind::Local(local) => format!("r{}", local.0),
            ExprKind::AddressOf(place) => {
                let (base, index) = self.indexed(body, place)?;
                format!("({base} + ({index}))")
            }
            ExprKind::Unary(UnaryOp::Neg, a) if floats => {
                format!("operate('-', constant(0, 1), {}, {at}ULL)", self.expr(body, *a)?)
            }
            ExprKind::Unary(op, a) => {
                let sign = if *op == UnaryOp::Neg { "-" } else { "~" };
                let a = self.expr(body, *a)?;
                self.watched(format!("{sign}(big)({a})"), expr.ty, expr.span)?
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(body, *a)?, self.expr(body, *b)?);
                let sign = operator(*op);
                if floats {
                    format!("operate('{sign}', {a}, {b}, {at}ULL)")
                } else if expr.span == self.watched {
                    self.watched(format!("(big)({a}) {sign} (big)({b})"), expr.ty, expr.span)?
                } else {
                    format!("({})(({a}) {sign} ({b}))", self.c_type(expr.ty)?)
                }
            }
            ExprKind::Compare(op, a, b) => {
                let compares_floats = is_float(body.exprs[*a].ty);
                let (a, b) = (self.expr(body, *a)?, self.expr(body, *b)?);
                let sign = comparison(*op);
                if compares_floats {
                    format!("(compare({a}, {b}) {sign} 0)")
                } else {
                    format!("(({a}) {sign} ({b}))")
                }
            }
            ExprKind::Cast(a) => {
                let from = body.exprs[*a].ty;
                let from_float = is_float(from);
                let a = self.expr(body, *a)?;
                match (from_float, floats) {
                    (true, true) => a,
                    (false, true) => format!("constant({a}, 1)"),
                    (true, false) => format!("({})(({a}).m / ({a}).d)", self.c_type(expr.ty)?),
                    (false, false) if matches!(self.program.types[from], Type::Pointer(_)) => {
                        format!("({})({a})", self.c_type(expr.ty)?)
                    }
                    (false, false) => self.watched(a, expr.ty, expr.span)?,
                }
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                let pointee = self.program.types().pointee(expr.ty).ok_or("a pointer to nothing")?;
                let unit = self.program.size_of(self.scalar_type(pointee)).max(1);
                let (pointer, index) = (self.expr(body, *pointer)?, self.expr(body, *index)?);
                format!("({pointer} + (int64_t)({index}) * {})", stride / unit)
            }
            ExprKind::Builtin(Builtin::Fabs, arguments) => {
                format!("absolute({})", self.expr(body, arguments[0])?)
            }
            ExprKind::Select { condition, then, otherwise } => {
                let (c, a, b) =
                    (self.expr(body, *condition)?, self.expr(body, *then)?, self.expr(body, *otherwise)?);
                format!("(({c}) ? ({a}) : ({b}))")
            }
            _ => return Err("an expression that is not emulated".to_owned()),
        })
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
