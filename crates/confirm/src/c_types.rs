// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types as C writes them, where text that stands behind a unit can name them.

use clew_ir::syntax::{Body, Program, Type, TypeId};
use clew_ir::types::Class;

use crate::driver::int_name;
use crate::stub::float_name;

/// A type that needs no declarator around a name: a number, a record with a tag, or a pointer to such.
pub fn spelled(program: &Program, ty: TypeId) -> Option<String> {
    let types = program.types();
    match types.get(ty) {
        Type::Pointer(pointee) => Some(format!("{} *", spelled(program, *pointee)?)),
        Type::Record(record) => {
            let record = &types.records[*record];
            let word = if record.is_union { "union" } else { "struct" };
            record.name.as_ref().map(|name| format!("{word} {name}"))
        }
        _ => match types.class(ty) {
            Class::Void => Some("void".to_owned()),
            Class::Int(int) if int.bits == 1 => Some("_Bool".to_owned()),
            Class::Int(int) => Some(int_name(int).to_owned()),
            Class::Float(format) => Some(float_name(format).to_owned()),
            Class::Pointer | Class::Aggregate | Class::Function => None,
        },
    }
}

/// The words of a parameter's declaration before its name, without qualifiers, where there is nothing but words.
pub fn declared(program: &Program, body: &Body, number: usize) -> Option<String> {
    let local = body.locals.iter().nth(number)?;
    let name = local.name.as_deref()?;
    let text = &program.sources.files.get(local.span.file)?.text;
    let (start, end) = (local.span.start as usize, local.span.end as usize);
    let before = text.get(..start)?;
    let begin = before.iter().rposition(|byte| matches!(byte, b'(' | b',' | b')' | b';' | b'{' | b'}'))? + 1;
    let all = std::str::from_utf8(text.get(begin..end)?).ok()?;
    let words: Vec<&str> = all.split_whitespace().collect();
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let (last, words) = words.split_last()?;
    if *last != name || words.is_empty() || !words.iter().all(is_word) {
        return None;
    }
    let is_type = |word: &&&str| !matches!(**word, "const" | "volatile" | "register" | "restrict");
    Some(words.iter().filter(is_type).copied().collect::<Vec<_>>().join(" "))
}
