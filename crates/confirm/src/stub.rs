// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stubs for functions that nobody defines: what they return, and what they write through their arguments
//! ([`clew_ir::out_parameters`]), comes from tables. A stub has the result type of its function; parameters it has only if
//! it looks at them.

use clew_base::float::Format;
use clew_ir::nondet::is_nondet_call;
use clew_ir::out_parameters::{FIRST_ELEMENTS, Leaf, MOST_LEAVES, OutParameter, out_parameters};
use clew_ir::syntax::{Function, Program, Type, TypeId};
use clew_ir::types::Class;
use clew_ir::witness::{Input, InputKind, Witness};

use crate::Request;
use crate::c_values::{in_comment, of_kind};

/// The stubs of a test, with the tables that they take from.
pub(crate) fn stubs(request: &Request<'_>) -> String {
    let program = request.program;
    let missing = || request.missing.iter().map(|function| &program.functions[*function]);
    let mut text = String::new();
    let takes = missing().any(|function| is_plain(&function.name) && returns(program, function));
    let writes = missing().any(|function| !written(program, function).is_empty());
    if takes || writes {
        text.push_str(VALUE);
    }
    if takes {
        text.push_str(&table(request.witness, InputKind::Call, "returns", "value"));
    }
    if writes {
        text.push_str(&table(request.witness, InputKind::Written, "writes", "written"));
        text.push_str(
            &WRITE_ELEMENTS
                .replace("FIRST_ELEMENTS", &FIRST_ELEMENTS.to_string())
                .replace("MOST_LEAVES", &MOST_LEAVES.to_string()),
        );
    }
    for function in missing() {
        text.push_str(&stub(program, function));
    }
    text
}

const VALUE: &str = r"
/* A bit pattern: its low and its high half. */
struct value {
    unsigned long long low, high;
};
";

const WRITE_ELEMENTS: &str = r"
/* Writes what a function writes through an argument. First comes how many elements, then the numbers in each of the
 * first FIRST_ELEMENTS and in the last; those between are like the one before them. */
struct number {
    size_t offset, size;
};

static void write_elements(void *to, size_t size, const struct number *numbers, size_t count)
{
    const unsigned long long elements = next_written().low;
    struct value last[MOST_LEAVES];

    for (unsigned long long at = 0; at < elements; at++) {
        for (size_t i = 0; i < count; i++) {
            if (at < FIRST_ELEMENTS || at + 1 == elements)
                last[i] = next_written();
            copy((char *)to + at * size + numbers[i].offset, &last[i], numbers[i].size);
        }
    }
}
";

/// A table of values of a kind, and how they are taken from it.
fn table(witness: &Witness, kind: InputKind, does: &str, name: &str) -> String {
    let mut rows = String::new();
    for input in of_kind(witness, kind) {
        let bits = pattern(input);
        rows.push_str(&format!(
            "    {{ {:#018x}, {:#x} }}, /* {}{} */\n",
            bits as u64,
            (bits >> 64) as u64,
            in_comment(&input.name),
            input.value.as_deref().map(|value| format!(": {}", in_comment(value))).unwrap_or_default(),
        ));
    }
    format!(
        "\n/* What a function {does} that nobody defines, in the order in which the program asks. After the last row\n\
         \x20* everything is 0. */\n\
         static const struct value {name}s[] = {{\n{rows}    {{ 0, 0 }},\n}};\n\n\
         static struct value next_{name}(void)\n{{\n    static size_t next;\n    const size_t last = sizeof {name}s / sizeof {name}s[0] - 1;\n\n\
         \x20   return {name}s[next < last ? next++ : last];\n}}\n"
    )
}

/// The number that an input is. What cannot be read has been refused before the interpreter ran.
fn pattern(input: &Input) -> u128 {
    input.pattern().unwrap_or(0)
}

fn returns(program: &Program, function: &Function) -> bool {
    let types = program.types();
    matches!(types.get(function.ty), Type::Function { result, .. } if types.class(*result) != Class::Void)
}

/// Whether a missing function takes its result from the table.
fn is_plain(name: &str) -> bool {
    !matches!(
        name,
        "__VERIFIER_assume"
            | "__CPROVER_assume"
            | "__VERIFIER_error"
            | "reach_error"
            | "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "assert"
            | "__clew_stable"
    )
}

/// A function that nobody defines.
fn stub(program: &Program, function: &Function) -> String {
    let name = &*function.name;
    match name {
        "__VERIFIER_assume" | "__CPROVER_assume" => {
            // A run that breaks an assumption does not count: it ends without a report.
            return format!("\nvoid {name}(int holds)\n{{\n    if (!holds)\n        _exit(0);\n}}\n");
        }
        "__VERIFIER_error" | "reach_error" => return format!("\nvoid {name}(void)\n{{\n    abort();\n}}\n"),
        "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => {
            return format!("\nvoid {name}(int holds)\n{{\n    if (!holds)\n        abort();\n}}\n");
        }
        "__clew_stable" => {
            return format!(
                "\nint {name}(double x, double threshold)\n{{\n    (void)x;\n    (void)threshold;\n    return 1;\n}}\n"
            );
        }
        _ => {}
    }
    let types = program.types();
    let Type::Function { result, .. } = types.get(function.ty) else { return String::new() };
    let (ty, body) = match types.class(*result) {
        Class::Void => ("void", String::new()),
        Class::Int(int) if int.bits == 1 => ("_Bool", "    return next_value().low & 1;\n".to_owned()),
        Class::Int(int) if int.bits > 64 => {
            let ty = crate::driver::int_name(int);
            let body = format!(
                "    const struct value value = next_value();\n\n    return ({ty})((unsigned __int128)value.high << 64 | value.low);\n"
            );
            (ty, body)
        }
        Class::Int(int) => {
            let ty = crate::driver::int_name(int);
            (ty, format!("    return ({ty})next_value().low;\n"))
        }
        Class::Float(format) => {
            let ty = float_name(format);
            let body = format!(
                "    const union {{\n        struct value value;\n        {ty} result;\n    }} both = {{ next_value() }};\n\n    return both.result;\n"
            );
            (ty, body)
        }
        Class::Pointer => ("void *", "    return (void *)(size_t)next_value().low;\n".to_owned()),
        // A record cannot be made up; the linker says what is missing.
        Class::Aggregate | Class::Function => return String::new(),
    };
    let space = if ty.ends_with('*') { "" } else { " " };
    let (parameters, writes) = writes(program, function);
    // A header of ours may declare a function of that name otherwise, so that it has the name for the linker alone.
    let head = format!("{ty}{space}stand_in_{name}({parameters})");
    format!("\n{head} __asm__(\"{name}\");\n{head}\n{{\n{writes}{body}}}\n")
}

/// What a function writes; what stands for an input itself writes nothing.
fn written(program: &Program, function: &Function) -> Vec<OutParameter> {
    let Type::Function { parameters, .. } = program.types().get(function.ty) else { return Vec::new() };
    let is_input = is_nondet_call(program, function, parameters.iter().copied());
    if is_input || !is_plain(&function.name) { Vec::new() } else { out_parameters(program, function) }
}

/// The parameters of a function, as far as it looks at them, and what it writes through them.
fn writes(program: &Program, function: &Function) -> (String, String) {
    let types = program.types();
    let handed = written(program, function);
    let Type::Function { parameters, variadic, .. } = types.get(function.ty) else {
        return Default::default();
    };
    if handed.is_empty() {
        return ("void".to_owned(), String::new());
    }
    let parameter = |(number, ty): (usize, &TypeId)| {
        let ty = match types.class(*ty) {
            Class::Int(int) if int.bits == 1 => "_Bool ",
            Class::Int(int) => &format!("{} ", crate::driver::int_name(int)),
            Class::Float(format) => &format!("{} ", float_name(format)),
            _ => "void *",
        };
        format!("{ty}argument{}", number + 1)
    };
    let mut list: Vec<String> = parameters.iter().enumerate().map(parameter).collect();
    list.extend(variadic.then(|| "...".to_owned()));
    let mut text = String::new();
    for OutParameter { parameter, bytes, leaves } in &handed {
        let number = |leaf: &Leaf| format!("{{ {}, {} }}", leaf.offset, leaf_bytes(leaf));
        let numbers: Vec<String> = leaves.iter().map(number).collect();
        let argument = parameter + 1;
        text.push_str(&format!(
            "    static const struct number numbers{argument}[] = {{ {} }};\n\n    if (argument{argument})\n        \
             write_elements(argument{argument}, {bytes}, numbers{argument}, {});\n",
            numbers.join(", "),
            leaves.len()
        ));
    }
    let unused = (0..parameters.len()).filter(|number| !handed.iter().any(|h| h.parameter == *number));
    let unused: String = unused.map(|number| format!("    (void)argument{};\n", number + 1)).collect();
    (list.join(", "), text + &unused)
}

fn leaf_bytes(leaf: &Leaf) -> u32 {
    match leaf.class {
        Class::Int(int) => u32::from(int.bits) / 8,
        Class::Float(format) => format.bits().div_ceil(8),
        _ => 0,
    }
}

pub(crate) fn float_name(format: Format) -> &'static str {
    match format {
        Format::F16 => "_Float16",
        Format::F32 => "float",
        Format::F64 => "double",
        Format::X87 => "long double",
        Format::F128 => "_Float128",
    }
}
