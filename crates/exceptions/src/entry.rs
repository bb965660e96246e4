// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions that can be called from outside, and the numbers that their arguments are made of.
//!
//! A number is passed as it is; memory behind a pointer is made up, with numbers at the places of its type. What a pointer to something that is
//! not const leads to is mostly written to, so its numbers are zero in most runs.

use clew_base::float::Format;
use clew_confirm::c_types::{declared, spelled};
use clew_ir::syntax::{FuncId, Function, Linkage, Program, Type, TypeId};
use clew_ir::types::Class;

/// Elements of memory behind a pointer to plain numbers.
const ELEMENTS: u32 = 6;
/// Arguments, and numbers in all of them: what the runtime has room for.
const MOST_PARAMETERS: usize = 16;
const MOST_NUMBERS: usize = 48;

/// One number in memory: its offset, and its kind as the runtime writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Bytes from the start of the element.
    pub offset: u64,
    /// `d`, `f`, or an integer's letter.
    pub kind: char,
    /// The member's name behind the argument's: `->val`, `[1]`.
    pub name: String,
}

/// One argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// A number's kind, or `p` for memory.
    pub kind: char,
    /// Whether the function only reads it.
    pub is_const: bool,
    /// The type of a record that is passed by value.
    pub by_value: Option<String>,
    /// Bytes of an element, and how many there are.
    pub size: u64,
    /// How many elements have numbers of their own.
    pub count: u32,
    /// The numbers of one element.
    pub leaves: Vec<Leaf>,
}

/// A number that a run is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// `x`, `result->val`, `a[1]`.
    pub name: String,
    /// Its kind.
    pub kind: char,
    /// Whether it lies in memory that the function writes to.
    pub is_output: bool,
}

/// A function that is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The function.
    pub function: FuncId,
    /// Its name in the source.
    pub name: String,
    /// The unit that defines it.
    pub unit: usize,
    /// Whether other units see it.
    pub is_public: bool,
    /// Its arguments.
    pub parameters: Vec<Parameter>,
    /// What it returns: nothing, or numbers.
    pub returned: Option<Vec<Leaf>>,
    /// Whether it returns an integer and gives floats through pointers: 0 says that all is well.
    pub returns_status: bool,
}

impl Entry {
    /// The numbers of a run, in the order of the runtime.
    pub fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for parameter in &self.parameters {
            if parameter.kind != 'p' {
                slots.push(Slot { name: parameter.name.clone(), kind: parameter.kind, is_output: false });
                continue;
            }
            for element in 0..parameter.count {
                for leaf in &parameter.leaves {
                    let index = if parameter.count > 1 { format!("[{element}]") } else { String::new() };
                    slots.push(Slot {
                        name: format!("{}{index}{}", parameter.name, leaf.name),
                        kind: leaf.kind,
                        is_output: !parameter.is_const,
                    });
                }
            }
        }
        slots
    }
}

/// A function that is not called, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// Why, as a clause.
    pub why: String,
}

/// The functions that units define and that compute with floats, as far as they can be called.
pub fn entries(
    program: &Program,
    unit_of: impl Fn(&Function) -> Option<usize>,
) -> (Vec<Entry>, Vec<Skipped>) {
    let (mut entries, mut skipped) = (Vec::new(), Vec::new());
    for (id, function) in program.functions.iter_enumerated() {
        if function.body.is_none() || &*function.name == "main" {
            continue;
        }
        let Some(unit) = unit_of(function) else { continue };
        match entry(program, id, function, unit) {
            Ok(entry) => entries.push(entry),
            Err(why) => skipped.push(Skipped { name: function.source_name.to_string(), why }),
        }
    }
    (entries, skipped)
}

fn entry(program: &Program, id: FuncId, function: &Function, unit: usize) -> Result<Entry, String> {
    let types = program.types();
    let Type::Function { parameters, result, variadic, .. } = types.get(function.ty) else {
        return Err("it has no type".to_owned());
    };
    if *variadic {
        return Err("it takes a varying number of arguments".to_owned());
    }
    let body = function.body.as_ref().ok_or("it has no body")?;
    let mut made = Vec::new();
    for (number, ty) in parameters.iter().enumerate() {
        let name = body.locals.iter().nth(number).and_then(|local| local.name.as_deref());
        let name = name.map_or_else(|| format!("argument{}", number + 1), str::to_owned);
        let reads_only = number >= 64 || function.attributes.reads_only >> number & 1 == 1;
        let written = declared(program, body, number);
        made.push(parameter(program, name, *ty, reads_only, written)?);
    }
    let returned = match types.class(*result) {
        Class::Void => None,
        _ => Some(leaves(program, *result)?),
    };
    let gives =
        |p: &Parameter| p.kind == 'p' && !p.is_const && p.leaves.iter().any(|leaf| is_float(leaf.kind));
    let returns_status =
        matches!(types.class(*result), Class::Int(int) if int.bits == 32) && made.iter().any(gives);
    let entry = Entry {
        function: id,
        name: function.source_name.to_string(),
        unit,
        is_public: function.linkage != Linkage::Internal,
        parameters: made,
        returned,
        returns_status,
    };
    if entry.parameters.len() > MOST_PARAMETERS || entry.slots().len() > MOST_NUMBERS {
        return Err("its arguments hold too many numbers".to_owned());
    }
    Ok(entry)
}

fn is_float(kind: char) -> bool {
    matches!(kind, 'd' | 'f')
}

fn parameter(
    program: &Program,
    name: String,
    ty: TypeId,
    reads_only: bool,
    written: Option<String>,
) -> Result<Parameter, String> {
    let types = program.types();
    let plain = |kind| Parameter {
        name: name.clone(),
        kind,
        is_const: true,
        by_value: None,
        size: 0,
        count: 1,
        leaves: Vec::new(),
    };
    if let Some(kind) = number_kind(program, ty) {
        return Ok(plain(kind));
    }
    match types.get(ty) {
        Type::Pointer(to) => {
            if matches!(types.class(*to), Class::Function) {
                return Err(format!("`{name}` is a function"));
            }
            if matches!(types.class(*to), Class::Void) {
                return Ok(Parameter { is_const: reads_only, size: 1, ..plain('p') });
            }
            if !types.is_complete(*to) {
                return Err(format!("what `{name}` points to is not known"));
            }
            let count = if number_kind(program, *to).is_some() { ELEMENTS } else { 1 };
            let mut leaves = leaves(program, *to).map_err(|why| format!("`{name}`: {why}"))?;
            if count == 1 {
                for leaf in &mut leaves {
                    leaf.name = leaf.name.replacen('.', "->", 1);
                }
            }
            Ok(Parameter { is_const: reads_only, size: types.size_of(*to), count, leaves, ..plain('p') })
        }
        Type::Record(_) => {
            let spelling = written.or_else(|| spelled(program, ty));
            let by_value = spelling.ok_or_else(|| format!("the type of `{name}` has no name"))?;
            let leaves = leaves(program, ty).map_err(|why| format!("`{name}`: {why}"))?;
            Ok(Parameter { by_value: Some(by_value), size: types.size_of(ty), leaves, ..plain('p') })
        }
        _ => Err(format!("`{name}` cannot be made up")),
    }
}

/// The letter of a number. Wider floats are made of doubles, which only scalars can be.
fn number_kind(program: &Program, ty: TypeId) -> Option<char> {
    match program.types().class(ty) {
        Class::Float(Format::F32) => Some('f'),
        Class::Float(_) => Some('d'),
        Class::Int(int) => Some(match (int.bits, int.signed) {
            (..=8, true) => 'b',
            (..=8, false) => 'B',
            (..=16, true) => 'h',
            (..=16, false) => 'H',
            (..=32, true) => 'w',
            (..=32, false) => 'W',
            (..=64, true) => 'l',
            (..=64, false) => 'L',
            _ => return None,
        }),
        _ => None,
    }
}

/// The numbers in an object of a type, or why it cannot be made up.
fn leaves(program: &Program, ty: TypeId) -> Result<Vec<Leaf>, String> {
    let mut found = Vec::new();
    collect(program, ty, 0, "", &mut found)?;
    Ok(found)
}

fn collect(program: &Program, ty: TypeId, at: u64, name: &str, out: &mut Vec<Leaf>) -> Result<(), String> {
    let types = program.types();
    if out.len() > MOST_NUMBERS {
        return Err("it holds too many numbers".to_owned());
    }
    match types.get(ty) {
        Type::Float(Format::F32 | Format::F64) | Type::Int { .. } | Type::Bool => {
            if let Some(kind) = number_kind(program, ty) {
                out.push(Leaf { offset: at, kind, name: name.to_owned() });
            }
            Ok(())
        }
        // Padded formats stay zero.
        Type::Float(_) => Ok(()),
        Type::Array { element, length } => {
            let bytes = types.size_of(*element);
            for index in 0..length.unwrap_or(0).min(16) {
                collect(program, *element, at + index * bytes, &format!("{name}[{index}]"), out)?;
            }
            Ok(())
        }
        Type::Record(record) => {
            let record = &types.records[*record];
            let most = if record.is_union { 1 } else { record.fields.len() };
            for field in record.fields.iter().take(most).filter(|field| field.bits.is_none()) {
                let inner = field.name.as_deref().map_or_else(String::new, |inner| format!(".{inner}"));
                collect(program, field.ty, at + field.offset, &format!("{name}{inner}"), out)?;
            }
            Ok(())
        }
        Type::Pointer(_) => Err("it holds pointers".to_owned()),
        _ => Err("it cannot be made up".to_owned()),
    }
}
