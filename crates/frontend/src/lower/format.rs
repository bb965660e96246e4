// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats that stand as literals in calls of the printf family, against the arguments of the call.
//!
//! C11 7.21.6.1p2 and p9: too few arguments, or one of another type, are undefined. What a format that is no literal asks
//! for is known at run time only.

use clew_base::float::Format;
use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{Argument, ExprId, ExprKind, FuncId, GlobalKind, PlaceBase, Projection, Type};

use super::build::FunctionLowering;

/// The functions, and which of their arguments is the format.
const FUNCTIONS: &[(&str, usize)] = &[
    ("printf", 0),
    ("fprintf", 1),
    ("dprintf", 1),
    ("sprintf", 1),
    ("asprintf", 1),
    ("snprintf", 2),
    ("__printf_chk", 1),
    ("__fprintf_chk", 2),
    ("__sprintf_chk", 3),
    ("__snprintf_chk", 4),
];

/// What a directive takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Want {
    Int(u16),
    Float(Format),
    Pointer,
}

impl FunctionLowering<'_, '_> {
    /// Asks that the arguments are there and have the types that a literal format names.
    pub(super) fn demand_format(&mut self, function: FuncId, arguments: &[Argument], span: Span) {
        // A function of that name of the program's own reads its formats as it likes.
        let name = self.library_name(function);
        let Some((_, at)) = FUNCTIONS.iter().find(|(known, _)| **known == *name) else { return };
        let Some(Argument::Value(format)) = arguments.get(*at) else { return };
        let long = u16::from(self.unit.target.pointer_bytes) * 8;
        let Some(wanted) = self.literal(*format).and_then(|text| directives(&text, long)) else { return };
        let given = &arguments[at + 1..];
        let fits = wanted.len() <= given.len()
            && wanted.iter().zip(given).all(|(want, argument)| self.is_given(*want, argument));
        if !fits {
            self.demand(&Operation::BadFormat, span);
        }
    }

    fn is_given(&self, want: Want, argument: &Argument) -> bool {
        let Argument::Value(value) = argument else { return false };
        match (want, self.ir_type(self.type_of(*value))) {
            (Want::Int(bits), Type::Int { bits: given, .. }) => bits == *given,
            (Want::Float(format), Type::Float(given)) => format == *given,
            (Want::Pointer, Type::Pointer(_)) => true,
            _ => false,
        }
    }

    /// The bytes of a string literal that an expression points to the start of.
    fn literal(&self, expr: ExprId) -> Option<Vec<u8>> {
        let place = match &self.body.exprs[expr].kind {
            ExprKind::AddressOf(place) => place,
            ExprKind::Cast(inner) => return self.literal(*inner),
            _ => return None,
        };
        let PlaceBase::Global(global) = place.base else { return None };
        let is_start = place.projections.iter().all(|step| match step {
            Projection::Index { index, .. } => matches!(self.body.exprs[*index].kind, ExprKind::Int(0)),
            Projection::Field { .. } => false,
        });
        let global = &self.unit.globals[global];
        let is_literal = global.kind == GlobalKind::StringLiteral && is_start;
        global.init.as_ref().filter(|_| is_literal).map(|init| init.bytes.clone())
    }
}

/// What a format takes, in order; none if that is not known here.
fn directives(format: &[u8], long: u16) -> Option<Vec<Want>> {
    let mut wanted = Vec::new();
    let mut rest = format.iter().copied().take_while(|byte| *byte != 0).peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let mut size = Vec::new();
        let conversion = loop {
            match rest.next()? {
                b'*' => wanted.push(Want::Int(32)),
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'.' | b'0'..=b'9' => {}
                letter @ (b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q') => size.push(letter),
                other => break other,
            }
        };
        let int = match &size[..] {
            b"" | b"h" | b"hh" => Want::Int(32),
            b"l" | b"z" | b"t" => Want::Int(long),
            b"ll" | b"j" | b"q" | b"L" => Want::Int(64),
            _ => return None,
        };
        match conversion {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => wanted.push(int),
            b'c' => wanted.push(Want::Int(32)),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                wanted.push(Want::Float(if size == b"L" { Format::X87 } else { Format::F64 }));
            }
            b's' | b'p' | b'n' => wanted.push(Want::Pointer),
            b'%' | b'm' => {}
            // Numbered arguments, and what only some libraries know.
            _ => return None,
        }
    }
    Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_name_their_arguments() {
        let wants = |format: &str| directives(format.as_bytes(), 64);
        assert_eq!(wants("no %% directive"), Some(vec![]));
        assert_eq!(
            wants("%*.*f|%-5ld"),
            Some(vec![Want::Int(32), Want::Int(32), Want::Float(Format::F64), Want::Int(64)])
        );
        assert_eq!(
            wants("%s %Lg %hhx\n"),
            Some(vec![Want::Pointer, Want::Float(Format::X87), Want::Int(32)])
        );
        assert_eq!(wants("%1$d"), None);
        assert_eq!(directives(b"%ld %lld", 32), Some(vec![Want::Int(32), Want::Int(64)]));
    }
}
