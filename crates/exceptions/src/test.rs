// SPDX-License-Identifier: MIT OR Apache-2.0
//! A C test of one site, which anyone can compile: it fails while the flag is raised.

use std::fmt::Write;

use crate::entry::Entry;
use crate::site::{Finding, Kind, Site};
use crate::text::hex;

/// The text of a test. `unit` is the file of the entry, `command` compiles the test. None for tiny results that are exact: no flag tells them.
pub fn test(site: &Site, finding: &Finding, entry: &Entry, unit: &str, command: &str) -> Option<String> {
    let flag = match site.kind {
        Kind::DivisionByZero => "FE_DIVBYZERO",
        Kind::Overflow => "FE_OVERFLOW",
        Kind::Invalid => "FE_INVALID",
        Kind::Underflow => "FE_UNDERFLOW",
        Kind::Tiny => return None,
    };
    let place = &site.place;
    let mut text = format!(
        "/* {}:{}:{}: {} in {}.\n   {command} */\n#include {unit:?}\n#include <fenv.h>\n#include <stdio.h>\n#include <string.h>\n\n\
         #undef main\nint main(void)\n{{\n",
        place.file,
        place.line,
        place.column,
        site.kind.name(),
        site.function
    );
    let mut values = finding.values.iter().copied();
    let mut arguments = Vec::new();
    for (at, parameter) in entry.parameters.iter().enumerate() {
        if parameter.kind != 'p' {
            arguments.push(number(parameter.kind, values.next().unwrap_or(0)));
            continue;
        }
        let _ = writeln!(text, "    static double memory{at}[1024];");
        for element in 0..u64::from(parameter.count) {
            for leaf in &parameter.leaves {
                let value = number(leaf.kind, values.next().unwrap_or(0));
                let offset = element * parameter.size + leaf.offset;
                let ty = c_type(leaf.kind);
                let _ = writeln!(
                    text,
                    "    {{ {ty} value = {value}; memcpy((char *)memory{at} + {offset}, &value, sizeof value); }}"
                );
            }
        }
        arguments.push(match &parameter.by_value {
            Some(ty) => format!("*({ty} *)memory{at}"),
            None => format!("(void *)memory{at}"),
        });
    }
    let _ = write!(
        text,
        "    feclearexcept(FE_ALL_EXCEPT);\n    {}({});\n    int raised = fetestexcept({flag}) != 0;\n    \
         puts(raised ? \"raised: {}\" : \"not raised\");\n    return raised;\n}}\n",
        entry.name,
        arguments.join(", "),
        site.kind.name()
    );
    Some(text)
}

fn number(kind: char, bits: u64) -> String {
    match kind {
        'd' => hex(f64::from_bits(bits)),
        'f' => format!("(float){}", hex(f64::from_bits(bits))),
        // The least number is no literal.
        _ if bits as i64 == i64::MIN => "(-9223372036854775807ll - 1)".to_owned(),
        _ => format!("{}ll", bits as i64),
    }
}

fn c_type(kind: char) -> &'static str {
    match kind {
        'd' => "double",
        'f' => "float",
        'b' => "signed char",
        'B' => "unsigned char",
        'h' => "short",
        'H' => "unsigned short",
        'w' => "int",
        'W' => "unsigned",
        'l' => "long long",
        _ => "unsigned long long",
    }
}
