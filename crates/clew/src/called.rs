// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of an entry as a call in C: `average(v = {0}, n = 2)`. The names of the driver's inputs are nobody's business.

use clew_ir::syntax::{Program, Type};
use clew_ir::witness::{Input, InputKind, Witness};

/// Elements of an array that are shown.
const SHOWN: usize = 8;

/// What the driver calls an input.
const INPUT: &str = "nondet_";

/// Whether an input is one of the driver's.
pub fn is_drivers(input: &Input) -> bool {
    input.kind == InputKind::Call && input.name.starts_with(INPUT)
}

/// The call that a witness of an entry is, with what it finds in globals and behind pointers.
pub fn as_call(program: &Program, entry: &str, witness: &Witness) -> Option<String> {
    let function = program.functions.iter().find(|f| *f.name == *entry)?;
    let body = function.body.as_ref()?;
    let Type::Function { parameters, .. } = program.types().get(function.ty) else { return None };
    let inputs: Vec<(&str, &str)> = witness
        .inputs
        .iter()
        .filter(|input| is_drivers(input))
        .map(|input| (&input.name[INPUT.len()..], input.value.as_deref().unwrap_or("?")))
        .collect();
    let mut told = Vec::new();
    let mut arguments = Vec::new();
    for (number, ty) in parameters.iter().enumerate() {
        let name = body.locals.iter().nth(number).and_then(|local| local.name.as_deref());
        let name = name.map_or_else(|| format!("argument{}", number + 1), str::to_owned);
        let value = value(&inputs, &name, program.types().is_pointer(*ty));
        told.push(name.clone());
        arguments.push(format!("{name} = {}", value.unwrap_or_else(|| "{0}".to_owned())));
    }
    let mut text = format!("{}({})", function.source_name, arguments.join(", "));
    let rest = others(&inputs, &told);
    if !rest.is_empty() {
        text.push_str(" with ");
        text.push_str(&rest.join(", "));
    }
    Some(text)
}

/// What an input of this name is: a number, null, or the elements of what it leads to.
fn value(inputs: &[(&str, &str)], name: &str, is_pointer: bool) -> Option<String> {
    let own = |suffix: &str| {
        let full = format!("{name}{suffix}");
        inputs.iter().filter(move |(input, _)| *input == full).map(|(_, value)| *value).collect::<Vec<_>>()
    };
    let values = own("");
    if !is_pointer {
        return values.first().map(|value| (*value).to_owned());
    }
    if own("__is_there").first() == Some(&"0") {
        return Some("NULL".to_owned());
    }
    let count: Option<u64> =
        own("__count").first().and_then(|count| count.parse::<u64>().ok()).map(|count| count + 1);
    let shown: Vec<&str> = values.iter().take(SHOWN).copied().collect();
    let more = if values.len() > SHOWN { ", ..." } else { "" };
    let elements = match count {
        Some(count) if count != values.len() as u64 => format!(" of {count} elements"),
        _ => String::new(),
    };
    match (shown.is_empty(), count) {
        (true, None) => None,
        (true, Some(1)) => Some("one object".to_owned()),
        (true, Some(count)) => Some(format!("{count} objects")),
        (false, _) => Some(format!("{{{}{more}}}{elements}", shown.join(", "))),
    }
}

/// Inputs that are no arguments: members behind them, and globals; each name once.
fn others(inputs: &[(&str, &str)], told: &[String]) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    let mut texts = Vec::new();
    for (input, _) in inputs {
        let name = input.split("__").next().unwrap_or(input);
        if told.iter().any(|known| known == name) || seen.iter().any(|known| known == name) {
            continue;
        }
        seen.push(name.to_owned());
        let is_pointer = inputs.iter().any(|(other, _)| {
            other.strip_prefix(name).is_some_and(|rest| matches!(rest, "__is_there" | "__count"))
        });
        let shown = told
            .iter()
            .find_map(|known| Some(format!("{known}->{}", name.strip_prefix(known)?.strip_prefix('_')?)));
        if let Some(value) = value(inputs, name, is_pointer) {
            texts.push(format!("{} = {value}", shown.unwrap_or_else(|| name.to_owned())));
        }
        if texts.len() == SHOWN {
            texts.push("...".to_owned());
            break;
        }
    }
    texts
}
