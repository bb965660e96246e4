// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions: most of their operations are made safe by a mask, a test or a bound.

use super::types::{Scalar, Shape};
use super::{Generator, Parameter};

impl Generator {
    /// A constant of a type, small as a rule and at an edge now and then.
    pub(super) fn literal(&mut self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Bool => self.rng.u32(0..2).to_string(),
            Scalar::F32 | Scalar::F64 => {
                let suffix = if scalar == Scalar::F32 { "f" } else { "" };
                let value = self.pick(&[
                    "0.0", "1.0", "0.5", "-1.5", "0.1", "100.0", "1e10", "-2.25", "3.0e38", "1e-3", "255.0",
                ]);
                format!("{value}{suffix}")
            }
            _ if self.chance(80) => {
                let value = self.rng.i64(-4..20);
                let value = if scalar.is_signed() { value } else { value.abs() };
                value.to_string()
            }
            Scalar::I8 => self.pick(&["-128", "127", "-1", "64"]).to_string(),
            Scalar::U8 => self.pick(&["255", "128", "200"]).to_string(),
            Scalar::I16 => self.pick(&["-32768", "32767", "256"]).to_string(),
            Scalar::U16 => self.pick(&["65535", "32768", "256"]).to_string(),
            Scalar::I32 => self.pick(&["2147483647", "(-2147483647 - 1)", "65536", "1000"]).to_string(),
            Scalar::U32 => self.pick(&["4294967295u", "2147483648u", "65536u"]).to_string(),
            Scalar::I64 => {
                self.pick(&["9223372036854775807L", "(-9223372036854775807L - 1)", "4294967296L"]).to_string()
            }
            Scalar::U64 => self.pick(&["18446744073709551615uL", "9223372036854775808uL"]).to_string(),
        }
    }

    /// An expression whose value is converted to a type where it is used.
    pub(super) fn expression(&mut self, scalar: Scalar, depth: u32) -> String {
        if depth == 0 || self.chance(25) {
            return self.leaf(scalar);
        }
        if scalar.is_float() {
            return self.float_operation(scalar, depth);
        }
        match self.rng.u32(0..12) {
            0..=4 => self.integer_operation(scalar, depth),
            5 => {
                let condition = self.condition(depth - 1);
                let (then, otherwise) =
                    (self.expression(scalar, depth - 1), self.expression(scalar, depth - 1));
                format!("({condition} ? {then} : {otherwise})")
            }
            6 => format!("({})", self.condition(depth - 1)),
            7 => {
                let from = Scalar::integer(&mut self.rng);
                let value = self.expression(from, depth - 1);
                format!("({})({value})", scalar.c())
            }
            8 => self.float_to_int(scalar, depth),
            9 => match self.call(depth) {
                Some((call, result)) if !result.is_float() => call,
                _ => self.leaf(scalar),
            },
            10 => {
                let operand = self.leaf(scalar);
                let op = self.pick(&["~", "!", "~"]);
                format!("({op}({operand}))")
            }
            _ => self.leaf(scalar),
        }
    }

    /// A test.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.chance(25) {
            let op = self.pick(&["&&", "||"]);
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return format!("({left} {op} {right})");
        }
        let scalar = Scalar::any(&mut self.rng);
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let left = self.leaf(scalar);
        let right = if self.chance(60) { self.literal(scalar) } else { self.leaf(scalar) };
        format!("{left} {op} {right}")
    }

    /// Something that can be read without an operation that may fail, unless there is a mistake.
    pub(super) fn leaf(&mut self, scalar: Scalar) -> String {
        if self.scope.is_empty() || self.chance(20) {
            return self.literal(scalar);
        }
        for _ in 0..4 {
            let index = self.rng.usize(..self.scope.len());
            let variable = self.scope[index].clone();
            let read = match variable.shape {
                Shape::Scalar(found) if found.is_float() == scalar.is_float() => Some(variable.name),
                Shape::Counter(..) if !scalar.is_float() => Some(variable.name),
                Shape::Array(found, length) | Shape::Table(found, length)
                    if found.is_float() == scalar.is_float() =>
                {
                    let index = self.index(length);
                    Some(format!("{}[{index}]", variable.name))
                }
                Shape::Record(record) => self.field(record, scalar).map(|f| format!("{}.{f}", variable.name)),
                Shape::RecordPointer(record) => {
                    self.field(record, scalar).map(|f| format!("{}->{f}", variable.name))
                }
                Shape::Reference(found) if found.is_float() == scalar.is_float() => {
                    Some(format!("*{}", variable.name))
                }
                Shape::Pointer(found) if found.is_float() == scalar.is_float() => {
                    let name = variable.name;
                    Some(if self.mistake() {
                        format!("*{name}")
                    } else {
                        format!("({name} ? *{name} : {})", self.literal(scalar))
                    })
                }
                _ => None,
            };
            if let Some(read) = read {
                return read;
            }
        }
        self.literal(scalar)
    }

    /// A field of about the type that is wanted, with an index if it is an array.
    pub(super) fn field(&mut self, record: usize, wanted: Scalar) -> Option<String> {
        let fields = self.records[record].fields.clone();
        let (name, found, length) = self.pick(&fields);
        if found.is_float() != wanted.is_float() {
            return None;
        }
        Some(match length {
            Some(length) => format!("{name}[{}]", self.index(length)),
            None => name,
        })
    }

    /// An index below a length, unless there is a mistake.
    pub(super) fn index(&mut self, length: u64) -> String {
        let limit = if self.mistake() { length + 1 } else { length };
        let counters: Vec<String> = self
            .scope
            .iter()
            .filter(|v| matches!(v.shape, Shape::Counter(low, high) if low >= 0 && high <= limit as i64))
            .map(|v| v.name.clone())
            .collect();
        if !counters.is_empty() && self.chance(60) {
            let counter = self.pick(&counters);
            return match self.rng.u32(0..6) {
                0 => format!("{} - {counter}", limit - 1),
                _ => counter,
            };
        }
        if self.chance(35) {
            return self.rng.u64(0..limit).to_string();
        }
        let scalar = Scalar::integer(&mut self.rng);
        let value = self.leaf(scalar);
        match self.rng.u32(0..4) {
            0 if limit.is_power_of_two() => format!("({value}) & {}", limit - 1),
            0 | 1 => format!("(unsigned int)({value}) % {limit}u"),
            2 => format!("(unsigned char)({value}) % {limit}"),
            // The remainder of a negative value is negative.
            _ if self.mistake() => format!("({value}) % {limit}"),
            _ => format!("({value} > 0 && {value} < {limit} ? {value} : 0)"),
        }
    }

    fn integer_operation(&mut self, scalar: Scalar, depth: u32) -> String {
        let left = self.expression(scalar, depth - 1);
        let right = self.expression(scalar, depth - 1);
        let wide = self.pick(&[Scalar::I32, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]);
        let ty = wide.c();
        match self.rng.u32(0..14) {
            0..=4 => {
                let op = self.pick(&["+", "-", "*"]);
                if self.mistake() {
                    return format!("({left} {op} {right})");
                }
                match self.rng.u32(0..4) {
                    0 => format!("((unsigned int)({left}) {op} (unsigned int)({right}))"),
                    1 => format!("((({left}) & 1023) {op} (({right}) & 255))"),
                    2 => format!("((long)(int)({left}) {op} (signed char)({right}))"),
                    _ => format!("((({left}) % 1000) {op} (({right}) % 100))"),
                }
            }
            5..=6 => {
                let op = self.pick(&["/", "%"]);
                if self.mistake() {
                    return format!("(({ty})({left}) {op} ({ty})({right}))");
                }
                match self.rng.u32(0..4) {
                    0 => format!("(({left}) {op} {})", self.rng.u32(1..20)),
                    1 => format!("(({ty})({left}) {op} ((({right}) & 7) + 1))"),
                    2 => format!("(({right}) > 0 ? ({left}) {op} ({right}) : 0)"),
                    _ => format!("((unsigned int)({left}) {op} (unsigned int)(({right}) | 1))"),
                }
            }
            7..=8 => {
                let op = self.pick(&["<<", ">>"]);
                if self.mistake() {
                    return format!("(({ty})({left}) {op} ({right}))");
                }
                match self.rng.u32(0..3) {
                    0 => format!("((unsigned int)({left}) {op} (({right}) & 31))"),
                    1 => format!("((({left}) & 255) {op} (({right}) & 7))"),
                    _ => format!("((unsigned long)({left}) {op} {})", self.rng.u32(0..64)),
                }
            }
            9 => {
                if self.mistake() {
                    return format!("(-({left}))");
                }
                format!("(-(({left}) & 65535))")
            }
            _ => {
                let op = self.pick(&["&", "|", "^"]);
                format!("(({left}) {op} ({right}))")
            }
        }
    }

    fn float_operation(&mut self, scalar: Scalar, depth: u32) -> String {
        let left = self.expression(scalar, depth - 1);
        match self.rng.u32(0..10) {
            0..=4 => {
                let right = self.expression(scalar, depth - 1);
                let op = self.pick(&["+", "-", "*"]);
                format!("({left} {op} {right})")
            }
            5 => {
                let right = self.expression(scalar, depth - 1);
                if self.mistake() {
                    return format!("({left} / {right})");
                }
                format!("({left} / ({right} > 0.125 ? {right} : 2.0))")
            }
            6 => {
                let value = self.expression(Scalar::I32, depth - 1);
                format!("(({})({value}))", scalar.c())
            }
            7 => match self.rng.u32(0..3) {
                0 => format!("fabs({left})"),
                1 => format!("floor({left})"),
                _ => format!("sqrt(fabs({left}))"),
            },
            8 => format!("(-({left}))"),
            _ => format!("((float)({left}))"),
        }
    }

    fn float_to_int(&mut self, scalar: Scalar, depth: u32) -> String {
        let float = self.pick(&[Scalar::F64, Scalar::F32]);
        let value = self.expression(float, depth - 1);
        let ty = scalar.c();
        if self.mistake() {
            return format!("({ty})({value})");
        }
        let high = if scalar == Scalar::Bool { 1 } else { 100 };
        let low = if scalar.is_signed() { -100 } else { 0 };
        format!("({value} >= {low} && {value} <= {high} ? ({ty})({value}) : 0)")
    }

    /// A call of a helper and the type of its value, if the variables for its arguments are there.
    pub(super) fn call(&mut self, depth: u32) -> Option<(String, Scalar)> {
        // Calls in loops in helpers multiply.
        if self.helpers.is_empty() || self.loops > 1 {
            return None;
        }
        let helpers = self.helpers.clone();
        let helper = self.pick(&helpers);
        let mut arguments = Vec::new();
        for parameter in &helper.parameters {
            arguments.push(match *parameter {
                Parameter::Value(scalar) => self.expression(scalar, depth.saturating_sub(1)),
                Parameter::Array(scalar, length) => self.array_argument(scalar, length)?,
                Parameter::Pointer(scalar) => self.pointer_value(scalar),
                Parameter::Record(record) => {
                    let mut known = self.scope.iter();
                    let variable = known.find(|v| v.shape == Shape::Record(record))?;
                    format!("&{}", variable.name)
                }
            });
        }
        Some((format!("{}({})", helper.name, arguments.join(", ")), helper.result))
    }

    /// An array with at least so many elements, unless there is a mistake.
    fn array_argument(&mut self, scalar: Scalar, length: u64) -> Option<String> {
        let least = if self.mistake() { length.saturating_sub(1) } else { length };
        let found: Vec<String> = self
            .scope
            .iter()
            .filter(|v| matches!(v.shape, Shape::Array(s, l) if s == scalar && l >= least))
            .map(|v| v.name.clone())
            .collect();
        (!found.is_empty()).then(|| self.pick(&found))
    }

    /// A pointer to a scalar in scope, or null.
    pub(super) fn pointer_value(&mut self, scalar: Scalar) -> String {
        let mut choices: Vec<String> = vec![format!("({} *)0", scalar.c())];
        for variable in self.scope.clone() {
            match variable.shape {
                Shape::Scalar(found) if found == scalar => choices.push(format!("&{}", variable.name)),
                Shape::Array(found, length) if found == scalar => {
                    let index = self.index(length);
                    choices.push(format!("&{}[{index}]", variable.name));
                }
                Shape::Pointer(found) | Shape::Reference(found) if found == scalar => {
                    choices.push(variable.name.clone());
                }
                _ => {}
            }
        }
        self.pick(&choices)
    }
}
