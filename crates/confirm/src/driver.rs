// SPDX-License-Identifier: MIT OR Apache-2.0
//! A `main` for an entry that has none: C text that calls it as its callers may.
//!
//! It stands behind the unit that defines the entry, where the types and the static variables are known. Numbers come from
//! functions that nobody defines (`nondet_...`), which are inputs for all engines, the interpreter and the compiled
//! test. A pointer parameter is null or leads to an object of its own, of one or more elements of its type, as the
//! assumption `params-valid-or-null` says; pointers inside are null or lead to one more object, those to functions are
//! null or lead to one that returns anything. Records by value are filled like those behind pointers. Variables that the
//! entry may read and somebody may write begin with any value. This is a part of what callers may do, never more: what a
//! `va_list` or `...` stands for depends on other arguments, so that such functions are not called.

use std::fmt::Write;

use clew_base::int::IntType;
use clew_ir::syntax::{BitRange, FuncId, GlobalId, Linkage, Program, Type, TypeId};
use clew_ir::types::Class;

use clew_environment::in_c::{Pointer, Promised, room};

use crate::c_types::{declared, spelled};
use crate::stub::float_name;

/// Pointers inside objects are followed so deep.
const DEPTH: u32 = 2;

/// Elements of an array that get values of their own; the rest is zero.
const ELEMENTS: u64 = 16;

/// The name of a function that is an input begins so, for everybody.
const INPUT: &str = "nondet_";

/// What the text defines begins so.
pub const PREFIX: &str = "clew_";

/// What the text uses of the library, as every header declares it.
const LIBRARY: &str =
    "void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\nvoid *memcpy(void *, const void *, __SIZE_TYPE__);\n";

/// The text that calls an entry, or why there is none.
///
/// Callers keep what is promised: numbers come first, objects are made as large as those ask, and where a condition does
/// not hold the entry is not called.
pub fn driver(
    program: &Program,
    entry: FuncId,
    globals: &[GlobalId],
    promised: &Promised,
) -> Result<String, String> {
    let function = &program.functions[entry];
    let Type::Function { parameters, result, variadic, .. } = program.types().get(function.ty) else {
        return Err("it has no type".to_owned());
    };
    if *variadic {
        return Err("it takes a varying number of arguments, which are not made up".to_owned());
    }
    let mut text =
        Driver { program, promised, declared: String::new(), body: String::new(), made: 0, least: None };
    let has_number = |ty: TypeId| program.types().class(ty) != Class::Pointer;
    let is_plain = *promised == Promised::default();
    for numbers in [true, false] {
        let is_next = |id: &&GlobalId| {
            is_plain && numbers || !is_plain && has_number(program.globals[**id].ty) == numbers
        };
        for global in globals.iter().filter(is_next) {
            text.global(*global);
        }
        if numbers && !is_plain {
            text.numbers(function, parameters);
        }
    }
    let mut arguments = Vec::new();
    for (number, ty) in parameters.iter().enumerate() {
        let written = function.body.as_ref().and_then(|body| declared(program, body, number));
        if holds_list(program, *ty, DEPTH) || written.as_ref().is_some_and(|w| w.contains("va_list")) {
            return Err("it takes a `va_list`, which is not made up".to_owned());
        }
        let name = function.body.as_ref().and_then(|body| parameter_name(body, number));
        let name = name.unwrap_or_else(|| format!("argument{}", number + 1));
        if !is_plain && program.types().int_type(*ty).is_some() {
            arguments.push(format!("clew_argument_{number}"));
            continue;
        }
        let is_promised = number < 64 && function.attributes.nonnull >> number & 1 == 1;
        text.least = is_promised.then_some(function.attributes.elements.max(1));
        let argument = text.argument((&name, number as u32), *ty, written.as_deref())?;
        if !is_plain && program.types().is_pointer(*ty) {
            let _ = writeln!(text.declared, "static unsigned char *clew_argument_{number};");
            let _ = writeln!(text.body, "    clew_argument_{number} = (void *){argument};");
        }
        arguments.push(argument);
    }
    for condition in &promised.conditions {
        let _ = writeln!(text.body, "    if (!({condition}))\n        return 0;");
    }
    let call = format!("{}({})", function.source_name, arguments.join(", "));
    let call = match program.types().class(*result) {
        Class::Void => format!("    {call};\n"),
        _ => format!("    static __typeof__({call}) clew_result;\n    clew_result = {call};\n"),
    };
    Ok(format!(
        "\n/* Calls `{}` as its callers may; written by clew. */\n{LIBRARY}{}\nint main(void)\n{{\n{}{call}    return 0;\n}}\n",
        function.source_name, text.declared, text.body
    ))
}

/// Whether a type is, holds or leads to a list of unnamed arguments.
fn holds_list(program: &Program, ty: TypeId, depth: u32) -> bool {
    let types = program.types();
    match types.get(ty) {
        Type::Pointer(pointee) => depth > 0 && holds_list(program, *pointee, depth - 1),
        Type::Array { element, .. } => holds_list(program, *element, depth),
        Type::Record(record) => {
            let record = &types.records[*record];
            record.name.as_deref() == Some("__va_list_tag")
                || record.fields.iter().any(|field| holds_list(program, field.ty, depth))
        }
        _ => false,
    }
}

fn parameter_name(body: &clew_ir::syntax::Body, number: usize) -> Option<String> {
    let local = body.locals.iter().nth(number)?;
    local.name.as_ref().map(|name| name.to_string()).filter(|name| is_identifier(name))
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct Driver<'p> {
    program: &'p Program,
    /// What callers see to.
    promised: &'p Promised,
    /// Declarations of inputs.
    declared: String,
    body: String,
    made: u32,
    /// The next object is there and has so many elements at least: callers promise it.
    least: Option<u64>,
}

impl Driver<'_> {
    /// An expression for an argument of this type; what it needs before goes into the body.
    /// A type without a tag goes by the name that the parameter's declaration has for it.
    fn argument(
        &mut self,
        (name, number): (&str, u32),
        ty: TypeId,
        written: Option<&str>,
    ) -> Result<String, String> {
        match self.program.types().get(ty) {
            Type::Pointer(pointee) => {
                let pointer = Pointer::Parameter(number);
                Ok(self.object(name, Some(&pointer), *pointee, DEPTH))
            }
            Type::Record(_) => {
                let spelled = spelled(self.program, ty).or_else(|| written.map(str::to_owned));
                let spelled = spelled.ok_or_else(|| format!("the type of `{name}` has no name"))?;
                self.made += 1;
                let variable = format!("clew_{name}_{}", self.made);
                let _ = writeln!(self.body, "    static {spelled} {variable};");
                self.fill(name, &format!("(unsigned char *)&{variable}"), ty, DEPTH);
                Ok(variable)
            }
            _ => match self.input(name, ty) {
                Some((_, call)) => Ok(call),
                None => Err(format!("the type of `{name}` is not made up")),
            },
        }
    }

    /// The numbers among the arguments, before objects are made whose sizes depend on them.
    fn numbers(&mut self, function: &clew_ir::syntax::Function, parameters: &[TypeId]) {
        for (number, ty) in parameters.iter().enumerate() {
            if self.program.types().int_type(*ty).is_none() {
                continue;
            }
            let name = function.body.as_ref().and_then(|body| parameter_name(body, number));
            let name = name.unwrap_or_else(|| format!("argument{}", number + 1));
            if let Some((input, call)) = self.input(&name, *ty) {
                let _ = writeln!(self.declared, "static {input} clew_argument_{number};");
                let _ = writeln!(self.body, "    clew_argument_{number} = {call};");
            }
        }
    }

    /// Declares an input of a scalar type that is no pointer, and calls it.
    fn input(&mut self, name: &str, ty: TypeId) -> Option<(&'static str, String)> {
        let ty = match self.program.types().class(ty) {
            Class::Int(int) if int.bits == 1 => "_Bool",
            Class::Int(int) => int_name(int),
            Class::Float(format) => float_name(format),
            Class::Pointer | Class::Void | Class::Aggregate | Class::Function => return None,
        };
        Some((ty, self.declare(ty, name)))
    }

    /// Declares an input once and calls it.
    fn declare(&mut self, ty: &str, name: &str) -> String {
        let line = format!("{ty} {INPUT}{name}(void);\n");
        if !self.declared.contains(&line) {
            self.declared.push_str(&line);
        }
        format!("{INPUT}{name}()")
    }

    /// A pointer variable that is null or leads to an object of its own.
    fn object(&mut self, name: &str, pointer: Option<&Pointer>, pointee: TypeId, depth: u32) -> String {
        let types = self.program.types();
        let least = self.least.take();
        if matches!(types.get(pointee), Type::Function { .. }) {
            return self.function(name, pointee, least.is_some());
        }
        self.made += 1;
        let variable = format!("clew_{name}_{}", self.made);
        let bytes = types.size_of(pointee).max(1);
        // Two underscores: a member may be called `count`.
        let promised = self.promised;
        let is_promised = pointer.is_some_and(|pointer| promised.not_null.contains(pointer));
        let is_there = match least.is_some() || is_promised {
            true => "1".to_owned(),
            false => self.declare("_Bool", &format!("{name}__is_there")),
        };
        let elements = least.unwrap_or(1);
        let count = self
            .declare(if bytes <= 64 { "unsigned short" } else { "unsigned char" }, &format!("{name}__count"));
        // What a caller holds is not lost when the entry returns.
        let _ = writeln!(self.body, "    static unsigned char *{variable};\n    {variable} = 0;");
        let _ = writeln!(self.body, "    if ({is_there}) {{");
        let _ = writeln!(self.body, "        unsigned long {variable}_count = {count} + {elements}ul;");
        for least in pointer.and_then(|pointer| promised.least.get(pointer)).into_iter().flatten() {
            let _ = writeln!(
                self.body,
                "        if ((long)({variable}_count * {bytes}) < ({least}))\n            {variable}_count = (({least}) + {}) / {bytes};",
                bytes - 1
            );
        }
        if pointer.is_some_and(|pointer| promised.least.contains_key(pointer)) {
            let _ = writeln!(self.body, "        if ({variable}_count > 1ul << 24)\n            return 0;");
        }
        let _ = writeln!(self.body, "        {variable} = calloc({variable}_count, {bytes});");
        let _ = writeln!(self.body, "        if (!{variable})\n            return 0;");
        if let Some(pointer) = pointer.filter(|_| *promised != Promised::default()) {
            let room = room(pointer);
            let _ = writeln!(self.declared, "static unsigned long {room};");
            let _ = writeln!(self.body, "        {room} = {variable}_count * {bytes};");
        }
        let _ = writeln!(
            self.body,
            "        for (unsigned long i = 0; i < {variable}_count && i < {ELEMENTS}; i++) {{"
        );
        self.fill(name, &format!("{variable} + i * {bytes}"), pointee, depth);
        let _ = writeln!(self.body, "        }}");
        if pointer.is_some_and(|pointer| promised.terminated.contains(pointer)) {
            let _ = writeln!(self.body, "        {variable}[{variable}_count * {bytes} - 1] = 0;");
        }
        let _ = writeln!(self.body, "    }}");
        variable
    }

    /// A pointer to a function that returns anything, or null. What it could do beyond that is left out, and it is null
    /// where its type cannot be written.
    fn function(&mut self, name: &str, ty: TypeId, is_promised: bool) -> String {
        let types = self.program.types();
        let Type::Function { result, parameters, variadic: false, .. } = types.get(ty) else {
            return "0".to_owned();
        };
        let parameters: Option<Vec<String>> =
            parameters.iter().map(|parameter| spelled(self.program, *parameter)).collect();
        let (Some(parameters), Some(returned)) = (parameters, spelled(self.program, *result)) else {
            return "0".to_owned();
        };
        let value = match types.class(*result) {
            Class::Void => String::new(),
            Class::Pointer => "return 0; ".to_owned(),
            _ => match self.input(&format!("{name}__returns"), *result) {
                Some((_, call)) => format!("return {call}; "),
                None => return "0".to_owned(),
            },
        };
        self.made += 1;
        let function = format!("clew_{name}_{}", self.made);
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let is_there = match is_promised {
            true => "1".to_owned(),
            false => self.declare("_Bool", &format!("{name}__is_there")),
        };
        let _ = writeln!(self.declared, "static {returned} {function}({parameters}) {{ {value}}}");
        format!("({is_there} ? (void *){function} : 0)")
    }

    /// Gives the scalars at an address their values.
    fn fill(&mut self, name: &str, address: &str, ty: TypeId, depth: u32) {
        let types = self.program.types();
        match types.get(ty) {
            Type::Array { element, length } => {
                let bytes = types.size_of(*element);
                for index in 0..length.unwrap_or(0).min(ELEMENTS) {
                    self.fill(name, &format!("{address} + {}", index * bytes), *element, depth);
                }
            }
            Type::Record(record) => {
                let record = &types.records[*record];
                let most = if record.is_union { 1 } else { record.fields.len() };
                for field in record.fields.iter().take(most) {
                    let inner = field.name.as_ref().filter(|inner| is_identifier(inner));
                    let inner = inner.map_or_else(|| name.to_owned(), |inner| format!("{name}_{inner}"));
                    let address = format!("{address} + {}", field.offset);
                    match field.bits {
                        Some(bits) => self.put_bits(&inner, &address, field.ty, bits),
                        None => self.fill(&inner, &address, field.ty, depth),
                    }
                }
            }
            Type::Pointer(pointee) if depth > 0 => {
                let value = self.object(name, None, *pointee, depth - 1);
                self.put(address, "void *", &value);
            }
            _ => {
                if let Some((ty, call)) = self.input(name, ty) {
                    self.put(address, ty, &call);
                }
            }
        }
    }

    /// Copies a value to an address.
    fn put(&mut self, address: &str, ty: &str, value: &str) {
        let _ =
            writeln!(self.body, "    {{ {ty} value = {value}; memcpy({address}, &value, sizeof value); }}");
    }

    /// Gives a bit-field its value.
    fn put_bits(&mut self, name: &str, address: &str, ty: TypeId, bits: BitRange) {
        let (start, width) = (u32::from(bits.start), u32::from(bits.width));
        // One that lies in more bytes than a number has stays zero, as no compiler here makes them.
        let Class::Int(int) = self.program.types().class(ty) else { return };
        if start + width > 64 {
            return;
        }
        let value = self.declare(int_name(IntType { bits: width as u16, ..int }), name);
        let mask = u64::MAX >> (64 - width);
        let bytes = (start + width).div_ceil(8);
        let _ = writeln!(
            self.body,
            "    {{ unsigned long long value = (unsigned long long){value} & {mask:#x}ull, all = 0; memcpy(&all, {address}, {bytes}); \
             all = (all & ~({mask:#x}ull << {start})) | value << {start}; memcpy({address}, &all, {bytes}); }}"
        );
    }

    fn global(&mut self, global: GlobalId) {
        let global = &self.program.globals[global];
        let name = &*global.source_name;
        // A static variable of a function has no name here.
        let is_local = global.linkage == Linkage::Internal && global.name != global.source_name;
        if !is_identifier(name) || is_local || holds_list(self.program, global.ty, DEPTH) {
            return;
        }
        if let Type::Pointer(pointee) = self.program.types().get(global.ty) {
            let pointer = Pointer::Global(name.to_owned());
            let value = self.object(name, Some(&pointer), *pointee, DEPTH - 1);
            self.put(&format!("(unsigned char *)&{name}"), "void *", &value);
        } else {
            self.fill(name, &format!("(unsigned char *)&{name}"), global.ty, DEPTH);
        }
    }
}

/// An integer type of at least so many bits, as C writes it.
pub(crate) fn int_name(int: IntType) -> &'static str {
    match (int.bits, int.signed) {
        (..=8, true) => "signed char",
        (..=8, false) => "unsigned char",
        (..=16, true) => "short",
        (..=16, false) => "unsigned short",
        (..=32, true) => "int",
        (..=32, false) => "unsigned",
        (..=64, true) => "long long",
        (..=64, false) => "unsigned long long",
        (_, true) => "__int128",
        (_, false) => "unsigned __int128",
    }
}
