// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls.

use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::link::noreturn::never_returns;
use clew_ir::syntax::{
    Argument, Call, CallResult, Callee, ExprId, ExprKind, FuncId, GlobalKind, LocalId, ObligationId,
    PlaceBase, StatementKind, Terminator, Type, TypeId, UnorderedMarker,
};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclId, ExprKind as C, ExprList};
use rucc_types::TypeKind;

use super::build::{CExpr, FunctionLowering};
use super::entity::Entity;
use super::expr::Value;
use super::place::{Object, named};

/// A call whose arguments have been evaluated.
pub(super) enum Prepared {
    /// It was no call.
    Done(Value),
    Call {
        target: Callee,
        arguments: Vec<Argument>,
        signature: TypeId,
        ty: TypeId,
        span: Span,
    },
}

impl FunctionLowering<'_, '_> {
    /// A call. Without `wanted` its result is dropped.
    pub(super) fn call(&mut self, expr: CExpr, callee: CExpr, args: ExprList, wanted: bool) -> Value {
        let prepared = self.prepare_call(expr, callee, args);
        self.finish_call(prepared, wanted)
    }

    /// The arguments of a call, and which function is called.
    pub(super) fn prepare_call(&mut self, expr: CExpr, callee: CExpr, args: ExprList) -> Prepared {
        let span = self.span_of(expr);
        let mark = self.effects.mark();
        let args: Vec<CExpr> = self.tast[args].to_vec();
        let ty = self.unit.ty(self.tast[expr].ty);
        if let Some(value) = self.model_call(callee, &args, ty, span) {
            return Prepared::Done(value);
        }
        let operands: Vec<CExpr> = args.iter().copied().chain([callee]).collect();
        let region = self.begin_unordered(&operands, span);
        let target = self.callee(callee);
        if let Callee::Direct(function) = target
            && self.unit.functions[function].name.starts_with("__builtin_va_arg_pack")
        {
            return Prepared::Done(self.no_value(expr, "`__builtin_va_arg_pack`", span));
        }
        if self.unit.scan.has_calls(callee) {
            self.unordered(region, UnorderedMarker::Next, span);
        }
        let arguments = self.arguments(&args, region, span);
        self.effects.settle(mark);
        let signature = self.call_signature(callee);
        Prepared::Call { target, arguments, signature, ty, span }
    }

    /// Makes a call whose arguments have been evaluated.
    pub(super) fn finish_call(&mut self, prepared: Prepared, wanted: bool) -> Value {
        let (target, arguments, signature, ty, span) = match prepared {
            Prepared::Done(value) => return value,
            Prepared::Call { target, arguments, signature, ty, span } => {
                (target, arguments, signature, ty, span)
            }
        };
        if let Callee::Direct(function) = target
            && let Some(what) = self.taken_for_another(function)
        {
            self.unsupported(&what, span);
        }
        self.demand_call(&target, &arguments, signature, span);
        let (result, value) = self.call_result(ty, wanted, span);
        let noreturn = match target {
            Callee::Direct(f) if self.unit.functions[f].attributes.noreturn => Some(f),
            _ => None,
        };
        self.emit(StatementKind::Call(Box::new(Call { result, callee: target, arguments, signature })), span);
        if let Some(function) = noreturn {
            self.go_on_behind(function, span);
        }
        match value {
            Some(CallResult::Local(local)) => Value::Scalar(self.local_value(local, span)),
            // What the function returned need not have been written as a whole.
            Some(CallResult::Place(place)) => Value::Object(Object { is_static: false, ..named(place) }),
            None => Value::None,
        }
    }

    /// A function that compilers know by its name, and that is not declared here: it is not the function that gives an
    /// `int` which a missing declaration means.
    fn taken_for_another(&self, function: FuncId) -> Option<String> {
        let known = &self.unit.functions[function];
        let gives_int = match self.ir_type(known.ty) {
            Type::Function { result, .. } => *result == self.unit.known.int,
            _ => false,
        };
        let is_known = known.name.starts_with("__builtin_") || is_of_floats(&known.name);
        let is_taken = known.attributes.implicit && known.body.is_none() && gives_int && is_known;
        is_taken.then(|| format!("`{}` without a declaration", known.name))
    }

    /// Behind a call that is declared not to come back. Those of the library do not; another may, against its
    /// declaration, and then the machine goes on here: linking knows whether it has a body.
    fn go_on_behind(&mut self, function: FuncId, span: Span) {
        let function = &self.unit.functions[function];
        if never_returns(&function.name) {
            self.terminate(Terminator::Unreachable, span);
        } else {
            let next = self.new_block();
            self.flow_into(next, span);
        }
    }

    fn call_result(
        &mut self,
        ty: TypeId,
        wanted: bool,
        span: Span,
    ) -> (Option<CallResult>, Option<CallResult>) {
        if matches!(self.ir_type(ty), Type::Void) || !wanted {
            return (None, None);
        }
        let result = if self.unit.is_aggregate(ty) {
            CallResult::Place(self.memory_temporary(ty, span))
        } else {
            CallResult::Local(self.temporary(ty, span))
        };
        (Some(result.clone()), Some(result))
    }

    /// The function by name, where the expression is one behind decays and casts that keep its meaning.
    fn callee(&mut self, expr: CExpr) -> Callee {
        match self.direct(expr) {
            Some(function) => Callee::Direct(function),
            None => Callee::Indirect(self.scalar(expr)),
        }
    }

    fn direct(&mut self, expr: CExpr) -> Option<FuncId> {
        match self.tast[expr].kind {
            C::Decl(decl) if self.locals.contains_key(&decl) => None,
            C::Decl(decl) if self.tast[decl].kind == rucc_sema::DeclKind::Function => {
                match self.unit.entity(decl) {
                    Entity::Function(function) => Some(function),
                    Entity::Global(_) => None,
                }
            }
            C::Convert { kind: Conversion::FunctionDecay, operand } => self.direct(operand),
            C::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand }
                if rucc_types::is_function(&self.unit.unit.types, self.tast[operand].ty)
                    || matches!(
                        self.tast[operand].kind,
                        C::Convert { kind: Conversion::FunctionDecay, .. }
                    ) =>
            {
                self.direct(operand)
            }
            _ => None,
        }
    }

    /// The type that the call was made with.
    fn call_signature(&mut self, callee: CExpr) -> TypeId {
        let ty = self.tast[callee].ty;
        let function = match self.unit.kind(ty) {
            TypeKind::Pointer(to) => to,
            _ => ty,
        };
        self.unit.ty(function)
    }

    /// Arguments from the right, as gcc evaluates them.
    fn arguments(&mut self, args: &[CExpr], region: Option<ObligationId>, span: Span) -> Vec<Argument> {
        let mut marks = Vec::with_capacity(args.len());
        let mut values = Vec::with_capacity(args.len());
        for (at, &arg) in args.iter().rev().enumerate() {
            if at > 0 {
                self.unordered(region, UnorderedMarker::Next, span);
            }
            marks.push(self.effects.mark());
            values.push(self.argument(arg));
        }
        self.unordered(region, UnorderedMarker::End, span);
        for at in 1..marks.len() {
            // Each argument against all that were evaluated before it.
            self.check_unsequenced(marks[0], marks[at], span);
        }
        values.reverse();
        values
    }

    fn argument(&mut self, arg: CExpr) -> Argument {
        let span = self.span_of(arg);
        match self.rvalue(arg) {
            Value::Scalar(value) => Argument::Value(value),
            Value::Object(object) => {
                self.demand_read(&object, false, span);
                Argument::Object(object.place)
            }
            Value::None => {
                self.unsupported("an argument of type void", span);
                Argument::Value(self.zero(self.unit.known.int, span))
            }
        }
    }

    fn demand_call(&mut self, callee: &Callee, arguments: &[Argument], signature: TypeId, span: Span) {
        match *callee {
            Callee::Indirect(pointer) => self.demand(&Operation::CallPointer(pointer), span),
            Callee::Direct(function) => {
                let scalars: Vec<Option<ExprId>> = arguments
                    .iter()
                    .map(|a| match a {
                        Argument::Value(value) => Some(*value),
                        Argument::Object(_) => None,
                    })
                    .collect();
                let prototyped = matches!(self.ir_type(signature), Type::Function { prototyped: true, .. });
                let unchecked = (!prototyped).then(|| self.function_value(function, span));
                let mut name = self.library_name(function);
                // Input functions allocate only where the format says so (`%ms`).
                if clew_checks::is_formatted_input(&name) && !self.may_allocate(&name, &scalars) {
                    name = "".into();
                }
                let operation =
                    Operation::CallNamed { function, name: &name, arguments: &scalars, unchecked };
                self.demand(&operation, span);
                self.demand_format(function, arguments, span);
                self.demand_promised(function, &scalars, span);
            }
        }
    }

    /// What the declaration of a function promises of its arguments. The library's own functions ask by their models.
    fn demand_promised(&mut self, function: FuncId, arguments: &[Option<ExprId>], span: Span) {
        let called = &self.unit.functions[function];
        let (mask, name) = (called.attributes.nonnull, called.source_name.clone());
        if mask == 0 || crate::library::is_known(&self.library_name(function)) {
            return;
        }
        let symbol = self.unit.unit.names.find(&name);
        let promised = symbol.and_then(|name| self.unit.unit.promises.get(&name));
        let elements = promised.map_or(Vec::new(), |promised| promised.elements.clone());
        for (number, pointer) in arguments.iter().enumerate().take(64) {
            let Some(pointer) = pointer.filter(|_| mask >> number & 1 == 1) else { continue };
            let Type::Pointer(element) = *self.ir_type(self.type_of(pointer)) else { continue };
            self.demand(&Operation::PromisedPointer(pointer), span);
            for (_, count) in elements.iter().filter(|(at, _)| *at as usize == number) {
                let bytes = i128::from(*count) * i128::from(self.unit.size_of(element));
                let bytes = self.int_const(bytes, self.unit.known.size, span);
                self.demand(&Operation::PromisedBytes(pointer, bytes), span);
            }
        }
    }

    /// Whether the format of an input function asks for memory: a text with an `m` behind a `%`, or one
    /// that is not known.
    fn may_allocate(&self, name: &str, arguments: &[Option<ExprId>]) -> bool {
        let literal = |expr: ExprId| match &self.body.exprs[expr].kind {
            ExprKind::AddressOf(place) => match place.base {
                PlaceBase::Global(global) => {
                    let global = &self.unit.globals[global];
                    global.init.as_ref().filter(|_| global.kind == GlobalKind::StringLiteral)
                }
                _ => None,
            },
            _ => None,
        };
        let allocates = |text: &[u8]| {
            let directive = text.iter().position(|byte| *byte == b'%');
            directive.is_some_and(|at| text[at..].contains(&b'm'))
        };
        let is_first = matches!(
            name.trim_start_matches("__isoc99_").trim_start_matches("__isoc23_"),
            "scanf" | "vscanf"
        );
        let format = arguments.get(usize::from(!is_first)).copied().flatten();
        format.and_then(literal).is_none_or(|init| allocates(&init.bytes))
    }

    /// The name as the library knows it; a function of the program's own is not the library's, whatever its name.
    /// `reach_error` and its like mean the same wherever they are defined.
    pub(super) fn library_name(&self, function: FuncId) -> std::sync::Arc<str> {
        let known = &self.unit.functions[function];
        let own = known.body.is_some() || known.linkage == clew_ir::syntax::Linkage::Internal;
        let error = matches!(&*known.name, "reach_error" | "__VERIFIER_error");
        if own && !error { "".into() } else { known.name.clone() }
    }

    fn function_value(&mut self, function: FuncId, span: Span) -> ExprId {
        let ty = self.unit.functions[function].ty;
        let pointer = self.unit.types.table.pointer(ty);
        self.expr(ExprKind::Function(function), pointer, span)
    }

    /// The address of a function designator.
    pub(super) fn function_address(&mut self, designator: CExpr, ty: TypeId, span: Span) -> ExprId {
        match self.direct(designator) {
            Some(function) => self.expr(ExprKind::Function(function), ty, span),
            None => {
                // `*fp` designates what fp points to; its address is fp.
                let value = match self.tast[designator].kind {
                    C::Unary { op: UnaryOp::Deref, operand } => self.scalar(operand),
                    _ => match self.rvalue(designator) {
                        Value::Scalar(value) => value,
                        Value::Object(_) | Value::None => {
                            self.unsupported("this function designator", span);
                            self.zero(ty, span)
                        }
                    },
                };
                self.coerce(value, ty, span)
            }
        }
    }

    /// Calls a cleanup function with the address of the object that dies.
    pub(super) fn call_cleanup(&mut self, function: DeclId, local: LocalId, span: Span) {
        let Entity::Function(function) = self.unit.entity(function) else { return };
        let signature = self.unit.functions[function].ty;
        let object = self.local_object_of(local);
        let pointer = match self.ir_type(signature) {
            Type::Function { parameters, .. } if parameters.len() == 1 => parameters[0],
            _ => self.unit.known.void_pointer,
        };
        let address = self.address(&object, pointer, span);
        let call = Call {
            result: None,
            callee: Callee::Direct(function),
            arguments: vec![Argument::Value(address)],
            signature,
        };
        self.emit(StatementKind::Call(Box::new(call)), span);
    }
}

/// Functions of `<math.h>` that give a float, for which gcc has its own declarations, without `f` or `l` behind.
const OF_FLOATS: [&str; 51] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "drem",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gamma",
    "hypot",
    "j0",
    "j1",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "modf",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sqrt",
    "tgamma",
    "trunc",
    "y0",
];

fn is_of_floats(name: &str) -> bool {
    let is_listed =
        |name: &str| OF_FLOATS.contains(&name) || matches!(name, "sin" | "sinh" | "tan" | "tanh" | "y1");
    is_listed(name) || name.strip_suffix(['f', 'l']).is_some_and(is_listed)
}
