// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls: of functions with a body, and of the few library functions that are arithmetic.

use std::sync::Arc;

use clew_base::exact::Rational;
use clew_base::source::Span;
use clew_ir::syntax::{
    Argument, Body, Call, CallResult, Callee, CompareOp, FuncId, Intrinsic, IntrinsicCall,
};

use crate::algebra::Algebra;
use crate::store::{Cells, Scalar, Shaped, Store};
use crate::walk::{Walk, Walked};

/// Library functions that change no number of the program.
const HARMLESS: [&str; 6] = ["printf", "puts", "putchar", "fprintf", "fflush", "perror"];

/// An argument or a result.
#[derive(Clone, Debug)]
pub(crate) enum Passed<V> {
    /// One scalar.
    Scalar(Scalar<V>),
    /// A record by value.
    Record(Cells<V>),
}

impl<V> Passed<V> {
    fn scalar(self) -> Option<Scalar<V>> {
        match self {
            Passed::Scalar(scalar) => Some(scalar),
            Passed::Record(_) => None,
        }
    }
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// A call. False: it does not return.
    pub(crate) fn call(
        &mut self,
        function: FuncId,
        body: &'a Body,
        store: &mut Store<A::Value>,
        call: &'a Call,
        span: Span,
    ) -> Walked<bool> {
        let callee = match call.callee {
            Callee::Direct(callee) => callee,
            Callee::Indirect(pointer) => match self.eval(body, store, pointer)? {
                Scalar::Function(callee) => callee,
                _ => return Err(self.no_bound("a call through a pointer that is not known", span)),
            },
        };
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument {
                Argument::Value(value) => arguments.push(Passed::Scalar(self.eval(body, store, *value)?)),
                Argument::Object(place) => {
                    arguments.push(Passed::Record(self.cells_of(body, store, place, span)?));
                }
            }
        }
        let called = &self.program.functions[callee];
        let result = if called.body.is_some() {
            match self.procedure(callee, store, arguments, span)? {
                Some(result) => result,
                None => return Ok(false),
            }
        } else if called.attributes.noreturn || matches!(&*called.name, "exit" | "abort") {
            return Ok(false);
        } else {
            let scalars = arguments.into_iter().filter_map(Passed::scalar).collect();
            Passed::Scalar(self.library(&called.name.clone(), scalars, span)?)
        };
        match (&call.result, result) {
            (Some(CallResult::Local(local)), Passed::Scalar(result)) => {
                self.target = body.locals[*local].name.clone();
                self.set(function, body, store, *local, result, span)?;
                self.target = None;
            }
            (Some(CallResult::Place(place)), Passed::Record(cells)) => {
                self.put_cells(body, store, place, cells, span)?;
            }
            (None, _) => {}
            _ => return Err(self.no_bound("a result of another kind than what is returned", span)),
        }
        Ok(true)
    }

    fn library(
        &mut self,
        name: &str,
        mut arguments: Vec<Scalar<A::Value>>,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let plain =
            name.strip_suffix(['f', 'l']).filter(|plain| ["sqrt", "fabs", "fmin", "fmax"].contains(plain));
        match (plain.unwrap_or(name), arguments.len()) {
            ("sqrt", 1) => self.root(arguments.remove(0), span),
            ("fabs", 1) => self.absolute(arguments.remove(0), span),
            ("fmin" | "fmax", 2) => {
                let op = if name.starts_with("fmin") { CompareOp::Le } else { CompareOp::Ge };
                let (a, b) = (&arguments[0], &arguments[1]);
                if let (Scalar::Unclear(_), _) | (_, Scalar::Unclear(_)) = (a, b) {
                    return Ok(Scalar::unclear("the least or greatest of values that are not known"));
                }
                let verdict = self.compared(op, a, b, span)?;
                Ok(self.select(verdict, a, b, span))
            }
            (name, _) if HARMLESS.contains(&name) => Ok(Scalar::unclear("what an output function returns")),
            _ => Err(self.no_bound(&format!("a call of `{name}`, which has no body here"), span)),
        }
    }

    /// An operation of the machine.
    pub(crate) fn intrinsic(
        &mut self,
        function: FuncId,
        body: &'a Body,
        store: &mut Store<A::Value>,
        call: &'a IntrinsicCall,
        span: Span,
    ) -> Walked<()> {
        let result = match call.op {
            Intrinsic::SquareRoot => {
                let a = self.eval(body, store, call.arguments[0])?;
                self.root(a, span)?
            }
            Intrinsic::Came | Intrinsic::Likely => return Ok(()),
            _ => return Err(self.no_bound("an operation of the machine", span)),
        };
        if let Some(CallResult::Local(local)) = &call.result {
            self.set(function, body, store, *local, result, span)?;
        }
        Ok(())
    }

    /// Absolute value.
    pub(crate) fn absolute(&mut self, a: Scalar<A::Value>, span: Span) -> Walked<Scalar<A::Value>> {
        match a {
            Scalar::Number(a) => {
                let value = self.algebra.abs(&a.value);
                let value = self.computed(value, span)?;
                let result = Shaped::new(value, a.format, a.grid);
                let constant =
                    a.constant.map(|c| if *c < Rational::ZERO { Arc::new(-(*c).clone()) } else { c });
                Ok(Scalar::Number(Shaped { constant, ..result }))
            }
            Scalar::Unclear(why) => Ok(Scalar::Unclear(why)),
            _ => Ok(Scalar::unclear("the absolute value of what is no number")),
        }
    }

    /// Square root.
    pub(crate) fn root(&mut self, a: Scalar<A::Value>, span: Span) -> Walked<Scalar<A::Value>> {
        let a = match a {
            Scalar::Number(a) => a,
            Scalar::Unclear(why) => return Ok(Scalar::Unclear(why)),
            _ => return Ok(Scalar::unclear("the square root of what is no number")),
        };
        let Some(format) = a.format.or(self.setup.all) else {
            return Ok(Scalar::unclear("there is no format for a square root"));
        };
        let a = self.onto(&a, &format, span)?;
        let value = self.algebra.sqrt(&a.value, format.grid(), format.rounding);
        let value = self.computed(value, span)?;
        Ok(Scalar::Number(self.fit(Shaped::new(value, Some(format), Some(format.grid())), &format, span)?))
    }
}
