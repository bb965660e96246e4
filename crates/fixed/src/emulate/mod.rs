// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fixed-point program as C: an emulation that anyone can compile and run.
//!
//! Floats become `num`: an exact fraction of 128-bit integers with its format; every operation rounds to the format and
//! checks that the result fits, at its own site. Integers, control flow and arrays stay what they are. The arithmetic is
//! written in C by hand (`runtime.c`), apart from the engine's: a witness that the compiled emulation shows does not rest
//! on the engine. Records, bit-fields and calls through pointers are not emulated.

mod body;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use clew_base::exact::Rational;
use clew_base::source::Span;
use clew_ir::syntax::{Callee, FuncId, GlobalId, LocalId, Program, StatementKind, Type, TypeId};

use crate::format::{Format, Overflow, Rounding};
use crate::setup::{Kept, Setup, Variable};

/// The runtime: exact fractions, rounding, and what does not fit.
const RUNTIME: &str = include_str!("runtime.c");

/// Why there is no emulation.
pub type Emulated<T> = Result<T, String>;

/// C that runs the entry on these inputs (in the order of [`crate::cells`], in the walk's units), prints each value that
/// does not fit as `overflow SITE NUMERATOR DENOMINATOR`, and ends with status 1 at the first. Integers of the source
/// overflow as C has them do, unnoticed, but where the run is said to go wrong, at `watched`.
///
/// # Errors
/// When the program has something that is not emulated.
pub fn emulation(program: &Program, setup: &Setup, point: &[f64], watched: Span) -> Emulated<String> {
    let mut emitter = Emitter { program, setup, watched, globals: BTreeSet::new() };
    let functions = reached(program, setup.entry)?;
    let mut bodies = String::new();
    for function in &functions {
        bodies += &emitter.prototype(*function)?;
        bodies += ";\n";
    }
    for function in &functions {
        bodies += &emitter.function(*function)?;
    }
    let main = emitter.main(point)?;
    let globals: Vec<GlobalId> = emitter.globals.iter().copied().collect();
    let mut out = format!("{RUNTIME}\n");
    for global in globals {
        out += &emitter.global(global)?;
    }
    Ok(out + &bodies + &main)
}

/// The functions with bodies that the entry may call.
fn reached(program: &Program, entry: FuncId) -> Emulated<Vec<FuncId>> {
    let mut found = vec![entry];
    let mut next = 0;
    while let Some(function) = found.get(next).copied() {
        next += 1;
        let body = program.functions[function].body.as_ref().ok_or("a function without a body")?;
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            let StatementKind::Call(call) = &statement.kind else { continue };
            let Callee::Direct(callee) = call.callee else {
                return Err("a call through a pointer".to_owned());
            };
            if program.functions[callee].body.is_some() && !found.contains(&callee) {
                found.push(callee);
            }
        }
    }
    Ok(found)
}

struct Emitter<'a> {
    program: &'a Program,
    setup: &'a Setup,
    /// The operation on integers that has to fit its type.
    watched: Span,
    globals: BTreeSet<GlobalId>,
}

/// The number of a site: where its text starts.
pub fn site(span: Span) -> u64 {
    u64::from(span.file.0) << 32 | u64::from(span.start)
}

fn format_literal(format: &Format) -> String {
    let rounding = match format.rounding {
        Rounding::HalfUp => 0,
        Rounding::HalfEven => 1,
        Rounding::Truncate => 2,
        Rounding::TowardZero => 3,
    };
    let saturates = u8::from(format.overflow == Overflow::Saturate);
    let (signed, integer, fraction, base) =
        (u8::from(format.signed), format.integer, format.fraction, format.base);
    format!("(fmt){{1, {signed}, {integer}, {fraction}, {base}, {rounding}, {saturates}}}")
}

fn fraction(value: &Rational) -> Emulated<String> {
    let top = i128::try_from(value.numerator()).map_err(|_| "a constant too large")?;
    let bottom = i128::try_from(value.denominator()).map_err(|_| "a constant too small")?;
    Ok(format!("constant({}, {})", wide(top), wide(bottom)))
}

/// A 128-bit integer as C.
fn wide(value: i128) -> String {
    let (sign, size) = if value < 0 { ("-", value.unsigned_abs()) } else { ("", value as u128) };
    if let Ok(small) = i64::try_from(size) {
        return format!("{sign}(big){small}LL");
    }
    format!("{sign}(((big){}ULL << 64) | {}ULL)", size >> 64, size as u64)
}

impl Emitter<'_> {
    /// An integer that is watched has to fit its type: `exact` is what it is in 128 bits.
    fn watched(&self, exact: String, ty: TypeId, span: Span) -> Emulated<String> {
        let plain = format!("({})({exact})", self.c_type(ty)?);
        let Some(int) = self.program.types().int_type(ty).filter(|_| span == self.watched) else {
            return Ok(plain);
        };
        let (low, high) = (wide(int.min()), wide(int.max()));
        Ok(format!("({})watch({exact}, {low}, {high}, {}ULL)", self.c_type(ty)?, site(span)))
    }

    fn c_type(&self, ty: TypeId) -> Emulated<String> {
        Ok(match &self.program.types[ty] {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Int { bits, signed } if [8, 16, 32, 64].contains(bits) => {
                format!("{}int{bits}_t", if *signed { "" } else { "u" })
            }
            Type::Float(_) => "num".to_owned(),
            Type::Pointer(to) => match &self.program.types[*to] {
                Type::Array { element, .. } => format!("{} *", self.scalar_of(*element)?),
                Type::Void => "void *".to_owned(),
                _ => format!("{} *", self.scalar_of(*to)?),
            },
            _ => return Err("a type that is not emulated".to_owned()),
        })
    }

    /// The scalar that an array is made of.
    fn scalar_of(&self, ty: TypeId) -> Emulated<String> {
        match &self.program.types[ty] {
            Type::Array { element, .. } => self.scalar_of(*element),
            Type::Record(_) => Err("a record".to_owned()),
            _ => self.c_type(ty),
        }
    }

    fn scalar_type(&self, ty: TypeId) -> TypeId {
        match &self.program.types[ty] {
            Type::Array { element, .. } => self.scalar_type(*element),
            _ => ty,
        }
    }

    /// How many scalars an object of the type has.
    fn count(&self, ty: TypeId) -> u64 {
        self.program.size_of(ty) / self.program.size_of(self.scalar_type(ty)).max(1)
    }

    fn kept(&self, variable: Variable, ty: TypeId) -> Option<Format> {
        match self.setup.kept(self.program, variable, self.scalar_type(ty)) {
            Some(Kept::Fixed(format)) => Some(format),
            _ => None,
        }
    }

    fn prototype(&self, id: FuncId) -> Emulated<String> {
        let function = &self.program.functions[id];
        let body = function.body.as_ref().ok_or("a function without a body")?;
        let Type::Function { result, .. } = self.program.types[function.ty] else {
            return Err("no function".to_owned());
        };
        let parameters: Emulated<Vec<String>> = (0..body.parameters)
            .map(|i| Ok(format!("{} p{i}", self.c_type(body.locals[LocalId(i)].ty)?)))
            .collect();
        let parameters = parameters?;
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        Ok(format!("static {} f{}({list})", self.c_type(result)?, id.0))
    }

    fn global(&self, id: GlobalId) -> Emulated<String> {
        let global = &self.program.globals[id];
        Ok(format!("static {} g{}[{}];\n", self.scalar_of(global.ty)?, id.0, self.count(global.ty).max(1)))
    }

    /// Statements that give a static object its start value.
    fn initial(&self, id: GlobalId) -> Emulated<String> {
        let global = &self.program.globals[id];
        let scalar = self.scalar_type(global.ty);
        let Type::Float(format) = self.program.types[scalar] else {
            return self.initial_integers(id, scalar);
        };
        let size = self.program.size_of(scalar) as usize;
        let init = global.init.as_ref().ok_or("an object that no file defines")?;
        let kept = self.kept(Variable::Global(id), global.ty);
        let mut out = String::new();
        for index in 0..self.count(global.ty) as usize {
            let at = |i: usize| init.bytes.get(index * size + i).copied().unwrap_or(0);
            let bits = (0..size).fold(0u128, |bits, i| bits | u128::from(at(i)) << (8 * i));
            let value = clew_base::float::Float::from_bits(format, bits)
                .exact()
                .ok_or("a float that is no number")?;
            let value = converted(fraction(&value)?, kept.as_ref(), 0);
            let _ = writeln!(out, "    g{}[{index}] = {value};", id.0);
        }
        Ok(out)
    }

    fn initial_integers(&self, id: GlobalId, scalar: TypeId) -> Emulated<String> {
        let global = &self.program.globals[id];
        let init = global.init.as_ref().ok_or("an object that no file defines")?;
        if !init.relocations.is_empty() {
            return Err("a static pointer".to_owned());
        }
        let int = self.program.types().int_type(scalar).ok_or("a static pointer")?;
        let size = self.program.size_of(scalar) as usize;
        let mut out = String::new();
        for index in 0..init.bytes.len() / size.max(1) {
            let at = |i: usize| init.bytes.get(index * size + i).copied().unwrap_or(0);
            let bits = (0..size).fold(0u128, |bits, i| bits | u128::from(at(i)) << (8 * i));
            let _ = writeln!(out, "    g{}[{index}] = {};", id.0, wide(int.wrap(bits as i128)));
        }
        Ok(out)
    }

    fn main(&mut self, point: &[f64]) -> Emulated<String> {
        let entry = self.setup.entry;
        let body = self.program.functions[entry].body.as_ref().ok_or("a function without a body")?;
        let mut out = String::new();
        let mut next = point.iter();
        let mut arguments: BTreeMap<LocalId, String> = BTreeMap::new();
        for input in &self.setup.inputs {
            let name = match input.variable {
                Variable::Global(global) => {
                    self.globals.insert(global);
                    format!("g{}", global.0)
                }
                Variable::Local(_, local) => format!("i{}", local.0),
            };
            let ty =
                crate::begin::variable_type(self.program, input.variable).ok_or("an input without a type")?;
            let pointee = match self.program.types[ty] {
                Type::Pointer(to) => to,
                _ => ty,
            };
            let count = input.length.unwrap_or(1) * self.count(pointee);
            if let Variable::Local(_, local) = input.variable {
                let _ = writeln!(out, "    static {} {name}[{count}];", self.scalar_of(pointee)?);
                let is_pointer = matches!(self.program.types[ty], Type::Pointer(_));
                arguments.insert(local, if is_pointer { name.clone() } else { format!("{name}[0]") });
            }
            let kept = self.kept(input.variable, pointee);
            for index in 0..count {
                let x = *next.next().ok_or("too few inputs")?;
                let value = Rational::try_from(x).map_err(|_| "an input that is no number")?;
                let value = match kept {
                    Some(format) => converted(fraction(&value)?, Some(&format), 0),
                    None => wide(x as i128),
                };
                let _ = writeln!(out, "    {name}[{index}] = {value};");
            }
        }
        let mut start = String::new();
        if let Some(all) = &self.setup.all {
            let _ = writeln!(start, "    all_format = {};", format_literal(all));
        }
        for global in self.globals.clone() {
            start += &self.initial(global)?;
        }
        let list: Emulated<Vec<String>> = (0..body.parameters)
            .map(|i| {
                arguments.get(&LocalId(i)).cloned().ok_or_else(|| "a parameter that is no input".to_owned())
            })
            .collect();
        Ok(format!(
            "int main(void) {{\n{start}{out}    f{}({});\n    return 0;\n}}\n",
            entry.0,
            list?.join(", ")
        ))
    }
}

/// A value in a format, if there is one.
fn converted(value: String, format: Option<&Format>, site: u64) -> String {
    match format {
        Some(format) => format!("convert({value}, {}, {site}ULL)", format_literal(format)),
        None => value,
    }
}
