// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a function without a body may write through its pointer parameters, so that all engines and the compiled test
//! speak of the same inputs.
//!
//! `int read_sensor(int *value)` and `int receive(unsigned char *buffer, int size)` tell the program something by what
//! they write. How many elements they write is one input, every number in the first few elements another, and so is
//! the last element, where a text has its NUL; the elements between are like the one before them. Pointers, bit-fields
//! and members of unions or const ones stay as they are, and so does what a parameter points to if it is const there. This is a part
//! of what such a function may do, never more.

use crate::syntax::{Function, Program, Type, TypeId};
use crate::types::Class;

/// Elements at the start whose numbers are inputs of their own.
pub const FIRST_ELEMENTS: u64 = 15;

/// More numbers than this in one element are not inputs.
pub const MOST_LEAVES: usize = 32;

/// A parameter that may be written through.
#[derive(Clone, PartialEq, Debug)]
pub struct OutParameter {
    /// Which, from 0 on.
    pub parameter: usize,
    /// Bytes of an element.
    pub bytes: u64,
    /// The numbers in an element.
    pub leaves: Vec<Leaf>,
}

/// A number in an element.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// Where it stands.
    pub offset: u64,
    /// What it is: an integer or a float.
    pub class: Class,
    /// How C gets there from the element: `.x`, `[2]`, or nothing.
    pub path: String,
}

impl OutParameter {
    /// Whether an element is nothing but a number.
    pub fn is_plain(&self) -> bool {
        self.leaves.iter().all(|leaf| leaf.path.is_empty())
    }

    /// The elements whose numbers are inputs if so many are written, in the order in which they are asked for.
    pub fn input_elements(count: u64) -> impl Iterator<Item = u64> {
        let last = (count > FIRST_ELEMENTS).then(|| count - 1);
        (0..count.min(FIRST_ELEMENTS)).chain(last)
    }
}

/// The parameters that a function without a body may write through.
pub fn out_parameters(program: &Program, function: &Function) -> Vec<OutParameter> {
    let types = program.types();
    let Type::Function { parameters, prototyped: true, .. } = types.get(function.ty) else {
        return Vec::new();
    };
    let is_passed_plainly = |ty: &TypeId| !matches!(types.class(*ty), Class::Aggregate | Class::Function);
    if !parameters.iter().all(is_passed_plainly) {
        return Vec::new();
    }
    let reads_only = |number: usize| number >= 64 || function.attributes.reads_only >> number & 1 == 1;
    let writable = parameters.iter().enumerate().filter(|(number, _)| !reads_only(*number));
    let handed = writable.filter_map(|(parameter, ty)| {
        let Type::Pointer(pointee) = types.get(*ty) else { return None };
        let mut leaves = Vec::new();
        add_leaves(program, *pointee, 0, "", &mut leaves);
        (!leaves.is_empty()).then(|| OutParameter { parameter, bytes: types.size_of(*pointee), leaves })
    });
    handed.collect()
}

fn add_leaves(program: &Program, ty: TypeId, offset: u64, path: &str, leaves: &mut Vec<Leaf>) {
    let types = program.types();
    if leaves.len() >= MOST_LEAVES {
        return;
    }
    match types.get(ty) {
        Type::Int { bits: 8 | 16 | 32 | 64 | 128, .. } | Type::Float(_) => {
            leaves.push(Leaf { offset, class: types.class(ty), path: path.to_owned() });
        }
        Type::Array { element, length } => {
            let bytes = types.size_of(*element);
            for index in 0..length.unwrap_or(0).min(MOST_LEAVES as u64) {
                add_leaves(program, *element, offset + index * bytes, &format!("{path}[{index}]"), leaves);
            }
        }
        Type::Record(record) if !types.records[*record].is_union => {
            for field in types.records[*record].fields.iter().filter(|f| f.bits.is_none() && !f.is_const) {
                let name = field.name.as_ref().map(|name| format!(".{name}")).unwrap_or_default();
                add_leaves(program, field.ty, offset + field.offset, &format!("{path}{name}"), leaves);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_elements_and_the_last_are_asked_for() {
        assert_eq!(OutParameter::input_elements(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(OutParameter::input_elements(FIRST_ELEMENTS + 1).last(), Some(FIRST_ELEMENTS));
        assert_eq!(OutParameter::input_elements(100).count() as u64, FIRST_ELEMENTS + 1);
        assert_eq!(OutParameter::input_elements(100).last(), Some(99));
        assert_eq!(OutParameter::input_elements(0).count(), 0);
    }
}
