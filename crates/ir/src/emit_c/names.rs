// SPDX-License-Identifier: MIT OR Apache-2.0
//! C identifiers for functions and globals, and C types for IR types.

use clew_base::float::Format;
use clew_base::index::IndexVec;

use super::Emitter;
use crate::syntax::*;
use crate::types::int_bytes;

/// The C identifier of each symbol. Its number makes it unique, its name readable.
pub(crate) struct Names {
    pub(super) functions: IndexVec<FuncId, String>,
    pub(super) globals: IndexVec<GlobalId, String>,
}

impl Names {
    pub(crate) fn new(program: &Program) -> Names {
        let functions = program.functions.iter().enumerate().map(|(i, f)| match is_builtin(&f.name) {
            true => f.name.to_string(),
            false => format!("f{i}_{}", plain(&f.name)),
        });
        let globals = program.globals.iter().enumerate().map(|(i, g)| format!("g{i}_{}", plain(&g.name)));
        Names { functions: functions.collect(), globals: globals.collect() }
    }
}

/// Functions that only the compiler knows: they have no linkage name, so they keep their own.
pub(super) fn is_builtin(name: &str) -> bool {
    name.starts_with("__builtin_") || name.starts_with("__sync_") || name.starts_with("__atomic_")
}

fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The linkage that C must be told. A static function that is only declared is a reference to something
/// that may not exist (`weakref`).
pub(super) fn linkage_of(linkage: Linkage, defined: bool) -> Linkage {
    if linkage == Linkage::Internal && !defined { Linkage::Weak } else { linkage }
}

/// A C string literal of an assembler name or a file name.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte as char);
            }
            b' '..=b'~' => out.push(byte as char),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// The C name of an integer type that holds so many bits.
pub(super) fn int_name(bits: u16, signed: bool) -> &'static str {
    match (int_bytes(bits), signed) {
        (1, true) => "i8",
        (1, false) => "u8",
        (2, true) => "i16",
        (2, false) => "u16",
        (4, true) => "i32",
        (4, false) => "u32",
        (8, true) => "i64",
        (8, false) => "u64",
        (_, true) => "i128",
        (_, false) => "u128",
    }
}

fn float_name(format: Format) -> &'static str {
    match format {
        Format::F16 => "f16",
        Format::F32 => "float",
        Format::F64 => "double",
        Format::X87 => "x87",
        Format::F128 => "f128",
    }
}

impl Emitter<'_> {
    /// The C type of a value: a parameter, a result, a register.
    pub(super) fn c_type(&self, ty: TypeId) -> String {
        match &self.program.types[ty] {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int { bits, signed } => int_name(*bits, *signed).into(),
            Type::Float(format) => float_name(*format).into(),
            Type::Pointer(_) | Type::Function { .. } => "ptr".into(),
            Type::Record(record) => self.record_name(*record),
            Type::Array { .. } => "ptr".into(),
            Type::Opaque { bytes, align, .. } => format!("struct opaque_{bytes}_{align}"),
        }
    }

    /// The C type through which a scalar in memory is accessed.
    pub(super) fn access_type(&self, ty: TypeId) -> String {
        match &self.program.types[ty] {
            Type::Bool => "bool_u".into(),
            _ => format!("{}_u", self.c_type(ty)),
        }
    }

    /// The name of a record's struct or union.
    pub(super) fn record_name(&self, record: RecordId) -> String {
        let kind = if self.program.records[record].is_union { "union" } else { "struct" };
        format!("{kind} {record}")
    }

    /// `result name(parameters)` of a function type; an empty name gives a type name with `(*)`.
    pub(super) fn prototype(&self, ty: TypeId, name: &str) -> String {
        let Type::Function { result, parameters, variadic, prototyped } = &self.program.types[ty] else {
            return format!("void {name}()");
        };
        let result = self.c_type(*result);
        let list = match (prototyped, parameters.is_empty()) {
            (false, _) => String::new(),
            (true, true) if !variadic => "void".into(),
            (true, _) => {
                let mut list: Vec<String> = parameters.iter().map(|p| self.c_type(*p)).collect();
                if *variadic {
                    list.push("...".into());
                }
                list.join(", ")
            }
        };
        format!("{result} {name}({list})")
    }

    /// The name that the linker sees.
    pub(super) fn linker_name<'n>(&'n self, linkage: Linkage, name: &'n str, c_name: &'n str) -> &'n str {
        if linkage == Linkage::Internal { c_name } else { name }
    }
}
