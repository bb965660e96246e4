// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of a shadowed run: functions with a body are entered, libm is computed on the machine and in many digits.

use std::hash::{Hash, Hasher};

use astro_float_num::BigFloat;
use clew_base::float::Format;
use clew_hostmath::libm::{Arguments, Function};
use clew_ir::syntax::{Argument, Body, Call, CallResult, Callee, FuncId, LocalId, Storage};
use rustc_hash::FxHasher;

use super::{EVEN, NEAREST, Run, Shadowed, Step, Stop, Value, frame_of, stop};
use crate::dag::Whole;
use crate::functions::{Binary, Unary};
use crate::rounding::unit_roundoff;
use crate::run::{binary, host, unary, whole_of};

/// Calls nested deeper are not followed.
const MAX_DEPTH: usize = 200;
/// Functions that print: the numbers do not depend on them.
const SILENT: [&str; 6] = ["printf", "puts", "putchar", "fflush", "fprintf", "perror"];

impl<'p> Run<'p, '_> {
    pub(super) fn call(&mut self, body: &'p Body, call: &'p Call) -> Step<()> {
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => match self.expr(body, pointer)? {
                Value::Function(function) => function,
                _ => return stop("a call through a pointer that is not known"),
            },
        };
        let callee = &self.program.functions[function];
        if let Some(inner) = &callee.body {
            return self.enter(body, inner, call, function);
        }
        // The call rounds, not what stands in its arguments.
        let span = self.span;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument {
                Argument::Value(value) => arguments.push(self.expr(body, *value)?),
                Argument::Object(_) => return Err(Stop(format!("`{}` gets a struct", callee.name))),
            }
        }
        self.span = span;
        let value = self.library(&callee.name, &arguments)?;
        if let (Some(CallResult::Local(local)), Some(value)) = (&call.result, value) {
            self.top().locals[local.0 as usize] = Some(value);
        }
        self.top().statement += 1;
        Ok(())
    }

    fn enter(&mut self, body: &'p Body, inner: &'p Body, call: &'p Call, function: FuncId) -> Step<()> {
        if self.frames.len() >= MAX_DEPTH {
            return stop("calls are nested too deep");
        }
        let caller = self.top();
        let mut hasher = FxHasher::default();
        (caller.context, caller.function.0, caller.block.0, caller.statement).hash(&mut hasher);
        let mut frame = frame_of(inner, function, call.result.clone(), hasher.finish());
        for (index, argument) in call.arguments.iter().enumerate() {
            if index >= inner.parameters as usize {
                return stop("a variable number of arguments");
            }
            let local = LocalId(index as u32);
            let declared = &inner.locals[local];
            let size = self.program.size_of(declared.ty);
            let memory = match declared.storage {
                Storage::Register => None,
                Storage::Memory { .. } => Some(self.memory.fresh(size)),
            };
            match (argument, memory) {
                (Argument::Value(value), None) => frame.locals[index] = Some(self.expr(body, *value)?),
                (Argument::Value(value), Some(object)) => {
                    let value = self.expr(body, *value)?;
                    self.memory.store((object, 0), size, value)?;
                }
                (Argument::Object(place), Some(object)) => {
                    let from = self.address(body, place)?;
                    self.memory.copy(self.program, (object, 0), from, place.ty)?;
                }
                (Argument::Object(_), None) => return stop("a struct is passed as a number"),
            }
            if let Some(object) = memory {
                frame.objects.insert(local, object);
            }
        }
        self.frames.push(frame);
        Ok(())
    }

    fn library(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if SILENT.contains(&plain) {
            return Ok(Some(Value::Int(0)));
        }
        if matches!(name, "__VERIFIER_assume" | "__CPROVER_assume") {
            return match arguments {
                [condition, ..] if self.is_true(condition)? => Ok(None),
                _ => stop("the program assumes that this input does not come"),
            };
        }
        if name == "__clew_stable" {
            return Ok(Some(Value::Int(1)));
        }
        let value = match arguments {
            [Value::Float(x)] => self.math(plain, &[x]),
            [Value::Float(x), Value::Float(y)] => self.math(plain, &[x, y]),
            [Value::Float(x), Value::Float(y), Value::Float(z)] => self.math(plain, &[x, y, z]),
            [Value::Float(x), Value::Int(n)] if matches!(plain, "ldexp" | "scalbn" | "scalbln") => {
                self.scaled(x, *n)
            }
            [Value::Float(x), Value::Pointer(Some(to))] if plain == "frexp" => {
                let outcome = Function::named("frexp").and_then(|f| f.call(&Arguments::unary(x.machine)));
                let Some(outcome) = outcome else { return stop("frexp") };
                self.memory.store(*to, 4, Value::Int(i128::from(outcome.integer)))?;
                self.scaled(x, -i128::from(outcome.integer))
            }
            [Value::Float(x), Value::Pointer(Some(to))] if plain == "modf" => {
                let Some(whole) = self.math("trunc", &[x]) else { return stop("modf of another format") };
                let rest = self.difference(x, &whole);
                self.memory.store(*to, 8, Value::Float(whole))?;
                Some(rest)
            }
            _ => None,
        };
        match value {
            Some(value) => Ok(Some(Value::Float(value))),
            None => Err(Stop(format!("a call of `{name}`, of which no file has the body"))),
        }
    }

    /// `x - y` of numbers that are so near that the machine does not round.
    fn difference(&mut self, x: &Shadowed, y: &Shadowed) -> Shadowed {
        let machine = x.machine.sub(y.machine, NEAREST).0;
        match (self.bits(), self.real(x), self.real(y)) {
            (Some(bits), Some(a), Some(b)) => self.made(machine, a.sub(&b, bits, EVEN), [x.made, y.made, 0]),
            _ => Shadowed { expected: x.expected, ..Shadowed::plain(machine) },
        }
    }

    /// `x * 2^n`, which only rounds at the ends of the format.
    fn scaled(&mut self, x: &Shadowed, n: i128) -> Option<Shadowed> {
        let n = i32::try_from(n).ok()?;
        let arguments = Arguments::with_int(x.machine, i64::from(n));
        let machine = Function::named("ldexp")?.call(&arguments)?.value;
        let Some(bits) = self.bits() else { return Some(Shadowed { machine, ..x.clone() }) };
        let real = self.real(x)?;
        let two = BigFloat::from_f64(2.0, bits).powi(n.unsigned_abs() as usize, bits, EVEN);
        let real = if n < 0 { real.div(&two, bits, EVEN) } else { real.mul(&two, bits, EVEN) };
        Some(self.made(machine, real, [x.made, 0, 0]))
    }

    fn math(&mut self, name: &str, arguments: &[&Shadowed]) -> Option<Shadowed> {
        let format = arguments[0].machine.format();
        let plain = match format {
            Format::F32 => name.strip_suffix('f')?,
            Format::X87 => name.strip_suffix('l')?,
            _ => name,
        };
        if plain == "fabs" {
            return Some(self.magnitude(arguments[0]));
        }
        let machine = self.machine_math(plain, arguments)?;
        let Some(bits) = self.bits() else {
            // Calls are statements of their own: their number tells them from expressions.
            let frame = self.top();
            let place = 1 << 31 | frame.block.0 << 12 ^ frame.statement as u32;
            self.note(place, machine.to_f64());
            let expected = expected(plain, arguments, machine.to_f64());
            return Some(Shadowed { expected: expected + unit_roundoff(format), ..Shadowed::plain(machine) });
        };
        let reals: Option<Vec<_>> = arguments.iter().map(|x| self.real(x)).collect();
        let Some(reals) = reals else { return Some(Shadowed::plain(machine)) };
        let real = match (plain, &reals[..]) {
            ("sqrt", [x]) => x.sqrt(bits, EVEN),
            ("fma", [x, y, z]) => x.mul(y, 2 * bits, EVEN).add(z, bits, EVEN),
            ("fmin", [x, y]) => (**if x <= y { x } else { y }).clone(),
            ("fmax", [x, y]) => (**if x >= y { x } else { y }).clone(),
            // The shadow of a remainder takes as many turns as the machine's number does.
            ("fmod", [x, y]) => {
                let turns = x.div(y, bits, EVEN).int();
                x.sub(&turns.mul(y, 2 * bits, EVEN), bits, EVEN)
            }
            (_, [x]) if whole(plain).is_some() => whole_of(whole(plain)?, x, bits),
            (_, [x]) => unary(Unary::named(plain)?, x, bits, &mut self.consts),
            (_, [x, y]) => binary(Binary::named(plain)?, x, y, bits, &mut self.consts),
            _ => return None,
        };
        let made = |index: usize| arguments.get(index).map_or(0, |x| x.made);
        Some(self.made(machine, real, [made(0), made(1), made(2)]))
    }

    fn machine_math(&self, plain: &str, arguments: &[&Shadowed]) -> Option<clew_base::float::Float> {
        let x = arguments[0].machine;
        Some(match (plain, arguments) {
            ("sqrt", [_]) => x.sqrt(NEAREST).0,
            ("fma", [_, y, z]) => x.fma(y.machine, z.machine, NEAREST).0,
            ("fmod", [_, y]) => x.fmod(y.machine).0,
            ("fmin" | "fmax", [_, y]) => host(plain, &Arguments::binary(x, y.machine)),
            (_, [_]) if whole(plain).is_some() || Unary::named(plain).is_some() => {
                host(plain, &Arguments::unary(x))
            }
            (_, [_, y]) if Binary::named(plain).is_some() => host(plain, &Arguments::binary(x, y.machine)),
            _ => return None,
        })
    }
}

fn whole(name: &str) -> Option<Whole> {
    Some(match name {
        "floor" => Whole::Floor,
        "ceil" => Whole::Ceil,
        "trunc" => Whole::Trunc,
        "round" => Whole::Round,
        "rint" | "nearbyint" | "roundeven" => Whole::Even,
        _ => return None,
    })
}

/// The relative error that those of the operands become: each times the function's condition number there.
fn expected(name: &str, arguments: &[&Shadowed], value: f64) -> f64 {
    let at = |index: usize| arguments.get(index).map_or((0.0, 0.0), |x| (x.machine.to_f64(), x.expected));
    let ((x, by_x), (y, by_y)) = (at(0), at(1));
    let condition = match name {
        "sin" => x / x.tan(),
        "cos" => x * x.tan(),
        "tan" => x * (1.0 + value * value) / value,
        "exp" | "exp2" | "sinh" | "cosh" => x,
        "log" => 1.0 / value,
        "log1p" => x / ((1.0 + x) * value),
        "sqrt" => 0.5,
        "pow" => y,
        _ => 1.0,
    };
    let second = if name == "pow" { y * x.abs().ln() } else { 1.0 };
    let sum = (condition * by_x).abs() + (second * by_y).abs();
    if sum.is_nan() { 0.0 } else { sum.min(1e9) }
}
