// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls on the walk: libm becomes expression, inputs are drawn, the rest is followed.

use std::rc::Rc;

use clew_base::float::{Format, Rounding};
use clew_ir::syntax::{
    Argument, Body, Call, CallResult, Callee, CompareOp, ExprKind, LocalId, StatementKind, Storage,
};

use super::{Number, State, Step, Stop, Value, Walk, frame_of, refused};
use crate::constant::Constant;
use crate::dag::{Op, Sort, Whole};
use crate::functions::{Binary, Unary};

/// Calls nested deeper are not followed.
const MAX_DEPTH: usize = 200;

/// Functions that print or the like: the numbers do not depend on them.
const SILENT: [&str; 6] = ["printf", "puts", "putchar", "fflush", "fprintf", "perror"];
/// Functions that do not come back.
const ENDING: [&str; 7] =
    ["abort", "exit", "_Exit", "__VERIFIER_error", "reach_error", "__assert_fail", "__builtin_unreachable"];
const ASSUMING: [&str; 3] = ["__VERIFIER_assume", "__CPROVER_assume", "__builtin_assume"];

impl<'p> Walk<'p> {
    pub(super) fn call(&mut self, state: &mut State, body: &'p Body, call: &'p Call) -> Step<()> {
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => match self.expr(state, body, pointer)? {
                Value::Function(function) => function,
                _ => return refused("a call through a pointer that is not known"),
            },
        };
        let callee = &self.program.functions[function];
        if callee.body.is_some() {
            return self.enter(state, body, call, function);
        }
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument {
                Argument::Value(value) => arguments.push(self.expr(state, body, *value)?),
                Argument::Object(_) => return refused(format!("`{}` gets a struct", callee.name)),
            }
        }
        let value = self.library(state, body, call, &callee.name, &arguments)?;
        if let (Some(CallResult::Local(local)), Some(value)) = (&call.result, value) {
            state.top().locals[local.0 as usize] = Some(value);
        }
        state.top().statement += 1;
        Ok(())
    }

    fn enter(
        &mut self,
        state: &mut State,
        body: &'p Body,
        call: &'p Call,
        function: clew_ir::syntax::FuncId,
    ) -> Step<()> {
        let Some(callee) = &self.program.functions[function].body else { return refused("no body") };
        if state.frames.len() >= MAX_DEPTH {
            return refused("calls are nested too deep");
        }
        let mut frame = frame_of(callee, function, call.result.clone());
        for (index, argument) in call.arguments.iter().enumerate() {
            let local = LocalId(index as u32);
            if index >= callee.parameters as usize {
                return refused("a variable number of arguments");
            }
            let declared = &callee.locals[local];
            let memory = match declared.storage {
                Storage::Register => None,
                Storage::Memory { .. } => Some(state.memory.fresh(self.program.size_of(declared.ty))),
            };
            if let Some(object) = memory {
                frame.objects.insert(local, object);
            }
            match (argument, memory) {
                (Argument::Value(value), None) => frame.locals[index] = Some(self.expr(state, body, *value)?),
                (Argument::Value(value), Some(object)) => {
                    let value = self.expr(state, body, *value)?;
                    self.store(state, (object, 0), declared.ty, value)?;
                }
                (Argument::Object(place), Some(object)) => {
                    let from = self.address(state, body, place)?;
                    self.copy(state, (object, 0), from, place.ty)?;
                }
                (Argument::Object(_), None) => return refused("a struct is passed as a number"),
            }
        }
        state.frames.push(frame);
        Ok(())
    }

    fn library(
        &mut self,
        state: &mut State,
        body: &Body,
        call: &Call,
        name: &str,
        arguments: &[Value],
    ) -> Step<Option<Value>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if ENDING.contains(&name) || ENDING.contains(&plain) {
            return Err(Stop::Dead);
        }
        if SILENT.contains(&plain) {
            return Ok(Some(Value::Int(0)));
        }
        if ASSUMING.contains(&name) {
            let [condition, ..] = arguments else { return refused("an assumption without a condition") };
            return if self.is_true(state, condition)? { Ok(None) } else { Err(Stop::Dead) };
        }
        if name == "__clew_stable" {
            // What it says is an obligation before the call.
            return Ok(Some(Value::Int(1)));
        }
        if let Some(kind) =
            name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("__clew_nondet_"))
        {
            return self.draw(state, body, call, kind).map(Some);
        }
        let floats: Vec<Number> = arguments
            .iter()
            .filter_map(|value| if let Value::Float(number) = value { Some(number.clone()) } else { None })
            .collect();
        if floats.len() == arguments.len()
            && let Some(value) = self.math(state, plain, arguments, &floats)?
        {
            return Ok(Some(value));
        }
        refused(format!("a call of `{name}`, of which no file has the body"))
    }

    /// `__VERIFIER_nondet_T()`: an input, named after the variable it goes to.
    fn draw(&mut self, state: &mut State, body: &Body, call: &Call, kind: &str) -> Step<Value> {
        let Some(CallResult::Local(local)) = call.result else { return refused("an input that is not used") };
        let name = self.drawn_name(state, body, local).unwrap_or_else(|| "input".to_owned());
        // The same call may come again: each draw is an input of its own.
        state.drawn += 1;
        let name = format!("{name}#{}", state.drawn);
        let _ = kind;
        let ty = body.locals[local].ty;
        self.input_value(&mut state.memory, &name, ty)
    }

    fn drawn_name(&self, state: &mut State, body: &Body, local: LocalId) -> Option<String> {
        if let Some(name) = &body.locals[local].name {
            return Some(name.to_string());
        }
        let frame = state.top();
        let rest = &body.blocks[frame.block].statements[frame.statement + 1..];
        rest.iter().find_map(|statement| match &statement.kind {
            StatementKind::Assign { local: to, value } => match body.exprs[*value].kind {
                ExprKind::Local(from) if from == local => body.locals[*to].name.as_deref().map(str::to_owned),
                _ => None,
            },
            _ => None,
        })
    }

    /// A function of libm, if it is one that is known.
    fn math(
        &mut self,
        state: &mut State,
        name: &str,
        values: &[Value],
        floats: &[Number],
    ) -> Step<Option<Value>> {
        let Some(first) = values.first() else { return Ok(None) };
        let format = self.value_format(first)?;
        let plain = match format {
            Format::F32 => name.strip_suffix('f'),
            Format::X87 => name.strip_suffix('l'),
            _ => Some(name),
        };
        let Some(plain) = plain else { return Ok(None) };
        let sort = Sort::Float(format);
        let whole = match plain {
            "floor" => Some(Whole::Floor),
            "ceil" => Some(Whole::Ceil),
            "trunc" => Some(Whole::Trunc),
            "round" => Some(Whole::Round),
            "rint" | "nearbyint" | "roundeven" => Some(Whole::Even),
            _ => None,
        };
        let number = match (plain, floats) {
            ("fabs", [x]) => self.magnitude(x),
            ("sqrt", [x]) => self.root(x, sort),
            ("fma", [x, y, z]) => {
                let (x, y, z) = (self.number_node(x), self.number_node(y), self.number_node(z));
                Number::Node(self.node(Op::Fma(x, y, z), sort))
            }
            ("fmin" | "fmax", [x, y]) => {
                let (x, y) = (self.number_node(x), self.number_node(y));
                let op = if plain == "fmin" { Op::Min(x, y) } else { Op::Max(x, y) };
                Number::Node(self.node(op, sort))
            }
            ("fdim", [x, y]) => {
                if self.decide(state, CompareOp::Gt, &values[0], &values[1])? {
                    self.arithmetic(clew_ir::syntax::BinaryOp::Sub, x, y, format)?
                } else {
                    Number::Known(Rc::new(self.zero_of(format)?))
                }
            }
            (_, [x]) if whole.is_some() => {
                let x = self.number_node(x);
                match whole {
                    Some(whole) => Number::Node(self.node(Op::Whole(whole, x), sort)),
                    None => return Ok(None),
                }
            }
            (_, [x]) => match Unary::named(plain) {
                Some(function) => {
                    let x = self.number_node(x);
                    Number::Node(self.node(Op::Unary(function, x), sort))
                }
                None => return Ok(None),
            },
            (_, [x, y]) => match Binary::named(plain) {
                Some(function) => {
                    let (x, y) = (self.number_node(x), self.number_node(y));
                    Number::Node(self.node(Op::Binary(function, x, y), sort))
                }
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(Value::Float(number)))
    }

    /// The root of a known square is known.
    fn root(&mut self, x: &Number, sort: Sort) -> Number {
        if let Number::Known(c) = x
            && let Some(root) = exact_root(c)
        {
            return Number::Known(Rc::new(root));
        }
        let x = self.number_node(x);
        Number::Node(self.node(Op::Sqrt(x), sort))
    }
}

fn exact_root(c: &Constant) -> Option<Constant> {
    let (machine, flags) = c.machine.sqrt(Rounding::NearestEven);
    let root = Constant::exact(machine)?;
    let is_exact = flags.is_empty() && root.real.mul(&root.real)? == c.real;
    is_exact.then_some(root)
}
