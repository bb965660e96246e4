// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C behind each unit: a function for each entry that calls it with arguments from a table, and the tables that say what those are made of.

use std::fmt::Write;

use clew_base::float::Format;
use clew_ir::syntax::{ExprKind, Program, Type};

use crate::entry::{Entry, Leaf, Parameter};

/// Constants of a unit that are tried.
const MOST_CONSTANTS: usize = 600;

/// What the generated text needs of the runtime.
const TYPES: &str = include_str!("runtime/entry.h");

/// A unit with the calls of its entries behind it. Entries have their numbers in the whole program.
pub(crate) fn unit(file: &str, entries: &[(usize, &Entry)]) -> String {
    let mut text = format!("#include {file:?}\n#line 1 \"clew_calls.c\"\n{TYPES}\n");
    for (number, entry) in entries {
        call(&mut text, *number, entry);
        table(&mut text, *number, entry);
    }
    text
}

fn call(text: &mut String, number: usize, entry: &Entry) {
    let argument = |(at, parameter): (usize, &Parameter)| match (parameter.kind, &parameter.by_value) {
        ('p', Some(ty)) => format!("*({ty} *)clew_a[{at}].p"),
        ('p', None) => format!("clew_a[{at}].p"),
        ('d' | 'f', _) => format!("clew_a[{at}].d"),
        _ => format!("clew_a[{at}].n"),
    };
    let arguments: Vec<String> = entry.parameters.iter().enumerate().map(argument).collect();
    let call = format!("{}({})", entry.name, arguments.join(", "));
    let body = match entry.returned {
        None => format!("(void)clew_r; {call};"),
        Some(_) => format!(
            "__auto_type clew_v = {call}; __builtin_memcpy(clew_r, &clew_v, sizeof clew_v < CLEW_RETURNED ? sizeof clew_v : CLEW_RETURNED);"
        ),
    };
    let _ = writeln!(
        text,
        "static void clew_call_{number}(const union clew_argument *clew_a, void *clew_r) {{ (void)clew_a; {body} }}"
    );
}

fn leaf_list(leaves: &[Leaf]) -> String {
    let each: Vec<String> =
        leaves.iter().map(|leaf| format!("{{{}, '{}'}}", leaf.offset, leaf.kind)).collect();
    // C has no empty arrays.
    if each.is_empty() { "{0, 0}".to_owned() } else { each.join(", ") }
}

fn table(text: &mut String, number: usize, entry: &Entry) {
    let mut parameters = Vec::new();
    for (at, parameter) in entry.parameters.iter().enumerate() {
        let name = format!("clew_leaf_{number}_{at}");
        let _ =
            writeln!(text, "static const struct clew_leaf {name}[] = {{{}}};", leaf_list(&parameter.leaves));
        parameters.push(format!(
            "{{'{}', {}, {}, {}, {}, {name}}}",
            parameter.kind,
            u8::from(parameter.is_const),
            parameter.size,
            parameter.count,
            parameter.leaves.len()
        ));
    }
    if parameters.is_empty() {
        parameters.push("{0}".to_owned());
    }
    let returned = entry.returned.as_deref().unwrap_or_default();
    let _ = writeln!(
        text,
        "static const struct clew_leaf clew_returned_{number}[] = {{{}}};\n\
         static const struct clew_param clew_params_{number}[] = {{{}}};\n\
         const struct clew_entry clew_entry_{number} = {{{:?}, {}, clew_params_{number}, clew_call_{number}, \
         {{'{}', 0, 0, 1, {}, clew_returned_{number}}}, {}}};",
        leaf_list(returned),
        parameters.join(", "),
        entry.name,
        entry.parameters.len(),
        if entry.returned.is_some() { 'p' } else { 'v' },
        returned.len(),
        u8::from(entry.returns_status)
    );
}

/// The table of all entries and of the constants of their units, compiled by itself.
pub(crate) fn tables(entries: &[Entry], constants: &[Vec<f64>]) -> String {
    let mut text = format!("{TYPES}\n");
    for number in 0..entries.len() {
        let _ = writeln!(text, "extern const struct clew_entry clew_entry_{number};");
    }
    for (unit, list) in constants.iter().enumerate() {
        let each: Vec<String> = list.iter().map(|value| hex(*value)).collect();
        let _ = writeln!(text, "static const double clew_constants_{unit}[] = {{{}}};", each.join(", "));
    }
    let all = |each: &dyn Fn(usize, &Entry) -> String| {
        entries.iter().enumerate().map(|(number, entry)| each(number, entry)).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        text,
        "const struct clew_entry *const clew_entries[] = {{{}}};\nconst int clew_entry_count = {};\n\
         const double *const clew_constants[] = {{{}}};\nconst int clew_constant_counts[] = {{{}}};",
        all(&|number, _| format!("&clew_entry_{number}")),
        entries.len(),
        all(&|_, entry| format!("clew_constants_{}", entry.unit)),
        all(&|_, entry| constants[entry.unit].len().to_string()),
    );
    text
}

/// A double as C reads it back.
pub fn hex(value: f64) -> String {
    if !value.is_finite() {
        return "0.0".to_owned();
    }
    let bits = value.to_bits();
    let (sign, exponent, digits) =
        (if bits >> 63 == 1 { "-" } else { "" }, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let lead = u8::from(exponent != 0);
    let power = if exponent == 0 { -1022 } else { exponent as i64 - 1023 };
    let trimmed = format!("{digits:013x}");
    let trimmed = trimmed.trim_end_matches('0');
    match (exponent, digits) {
        (0, 0) => format!("{sign}0x0p+0"),
        _ if trimmed.is_empty() => format!("{sign}0x{lead}p{power:+}"),
        _ => format!("{sign}0x{lead}.{trimmed}p{power:+}"),
    }
}

/// The numbers that the functions of each unit are written with.
pub(crate) fn constants(program: &Program, units: usize, entries: &[Entry]) -> Vec<Vec<f64>> {
    let mut all: Vec<Vec<f64>> = vec![Vec::new(); units];
    for entry in entries {
        let Some(body) = &program.functions[entry.function].body else { continue };
        for expr in body.exprs.iter() {
            let value = match &expr.kind {
                ExprKind::Float { bits, .. } => match program.types().get(expr.ty) {
                    Type::Float(Format::F64) => f64::from_bits(*bits as u64),
                    Type::Float(Format::F32) => f64::from(f32::from_bits(*bits as u32)),
                    _ => continue,
                },
                ExprKind::Int(value) if value.unsigned_abs() <= 1 << 53 => *value as f64,
                _ => continue,
            };
            if value.is_finite() && value != 0.0 {
                all[entry.unit].push(value);
            }
        }
    }
    for list in &mut all {
        list.sort_by(f64::total_cmp);
        list.dedup_by(|a, b| a.to_bits() == b.to_bits());
        // Evenly many of all sizes, where there are too many.
        let step = list.len().div_ceil(MOST_CONSTANTS).max(1);
        *list = list.iter().copied().step_by(step).collect();
        if list.is_empty() {
            list.push(1.0);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn doubles_are_written_as_c_reads_them() {
        assert_eq!(hex(1.0), "0x1p+0");
        assert_eq!(hex(-0.1), "-0x1.999999999999ap-4");
        assert_eq!(hex(f64::from_bits(1)), "0x0.0000000000001p-1022");
        assert_eq!(hex(-0.0), "-0x0p+0");
    }
}
