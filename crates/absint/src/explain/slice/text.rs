// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values and places of a slice in words.

use clew_ir::syntax::{Body, Field, LocalId, Type, TypeId};
use clew_ir::types::Class;

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, Value};
use crate::effort::text::MOST_NAMES;
use crate::engine::evaluator::Evaluator;
use crate::engine::value_log::Touched;
use crate::explain::question::{kind_text, number_text, object_name, range};
use crate::memory::recorded::Memory;
use crate::program::object::{Object, ObjectId};
use crate::state::State;

/// A value of a type in words.
pub(super) fn value(a: &Evaluator<'_>, ty: Option<TypeId>, value: &Value) -> String {
    let any = match (ty.map(|ty| a.facts.types.class(ty)), &value.kind) {
        (Some(Class::Int(ty)), Kind::Number(n)) => Int::of_type(ty).is_subset(n),
        (_, Kind::Any) => true,
        _ => false,
    };
    let text = match &value.kind {
        _ if any => "any value".to_owned(),
        Kind::Address(address) => address_text(a, address),
        kind => kind_text(a, &State::new(Memory::new(&a.context.reads)), kind),
    };
    if value.uninit && !any { format!("{text}, or never written") } else { text }
}

fn address_text(a: &Evaluator<'_>, address: &Address) -> String {
    let mut parts = Vec::new();
    parts.extend(address.number.as_ref().map(number_text));
    for (object, offset) in address.targets.iter().take(MOST_NAMES) {
        let name = object_name(a, *object);
        parts.push(match offset.as_constant() {
            Some(0) => format!("the start of {name}"),
            _ => format!("offset {} of {name}", range(offset)),
        });
    }
    if address.targets.len() > MOST_NAMES {
        parts.push(format!("{} more", address.targets.len() - MOST_NAMES));
    }
    if address.unknown {
        parts.push("an object that is not known".to_owned());
    }
    parts.join(", ")
}

/// The name of a register, if the source has one.
pub(super) fn register(body: &Body, local: LocalId) -> Option<String> {
    body.locals[local].name.as_ref().map(|name| name.to_string())
}

/// The objects that bytes are of.
pub(super) fn objects(a: &Evaluator<'_>, touched: &Touched) -> String {
    let names = touched.address.targets.iter().take(MOST_NAMES);
    let names: Vec<String> =
        names.map(|(object, _)| object_name(a, *object).trim_matches('`').to_owned()).collect();
    names.join(" or ")
}

/// Bytes of memory as a person would name them.
pub(super) fn place(a: &Evaluator<'_>, touched: &Touched) -> String {
    let mut parts = Vec::new();
    for (object, offset) in touched.address.targets.iter().take(MOST_NAMES) {
        let name = object_name(a, *object);
        let name = name.trim_matches('`');
        parts.push(match offset.as_constant().map(u64::try_from) {
            Some(Ok(at)) => format!("{name}{}", part(a, type_of(a, *object), at)),
            _ => format!("{name} at byte {}", range(offset)),
        });
    }
    if touched.address.targets.len() > MOST_NAMES {
        parts.push(format!("{} more", touched.address.targets.len() - MOST_NAMES));
    }
    if touched.address.unknown {
        parts.push("an object that is not known".to_owned());
    }
    parts.join(" or ")
}

/// The declared type of an object.
fn type_of(a: &Evaluator<'_>, object: ObjectId) -> Option<TypeId> {
    match a.facts.objects.get(object) {
        Object::Global(global) => Some(a.facts.program.globals[*global].ty),
        Object::Local(function, local) => Some(a.facts.function(*function).body.as_ref()?.locals[*local].ty),
        _ => None,
    }
}

/// The members and indices that lead from an object to one of its bytes.
fn part(a: &Evaluator<'_>, ty: Option<TypeId>, at: u64) -> String {
    match ty.map(|ty| a.facts.types.get(ty)) {
        Some(Type::Record(record)) => {
            let record = &a.facts.program.records[*record];
            let holds = |field: &&Field| {
                field.offset <= at && at < field.offset + a.facts.types.size_of(field.ty).max(1)
            };
            match record.fields.iter().find(holds).filter(|_| !record.is_union) {
                Some(field) => {
                    let name = field.name.as_ref().map_or_else(String::new, |name| format!(".{name}"));
                    name + &part(a, Some(field.ty), at - field.offset)
                }
                None => at_byte(at),
            }
        }
        Some(Type::Array { element, .. }) => match at.checked_div(a.facts.types.size_of(*element)) {
            Some(index) => {
                let rest = at - index * a.facts.types.size_of(*element);
                format!("[{index}]{}", part(a, Some(*element), rest))
            }
            None => at_byte(at),
        },
        _ => at_byte(at),
    }
}

fn at_byte(at: u64) -> String {
    if at == 0 { String::new() } else { format!(" at byte {at}") }
}
