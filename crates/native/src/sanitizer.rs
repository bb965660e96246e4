// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports of AddressSanitizer, LeakSanitizer and UBSan as values.
//!
//! The sanitizers speak prose, so this is the one place that reads it. A report whose wording is not known keeps
//! its text under [`Kind::Other`]: it is never dropped.

use serde::Serialize;

/// One thing that a sanitizer complained about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// What it is.
    pub kind: Kind,
    /// Where: the innermost place that belongs to the program and not to the sanitizer's own library.
    pub location: Option<Location>,
    /// The whole call stack as far as it has sources, innermost first; just the place for UBSan.
    pub stack: Vec<Location>,
    /// The sanitizer's own words.
    pub message: String,
}

impl Report {
    /// The innermost place in a file of this name: a C library with debug information has places of its own.
    pub fn place_in(&self, file_name: &str) -> Option<&Location> {
        self.stack.iter().find(|at| at.file.rsplit('/').next() == Some(file_name))
    }
}

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Location {
    /// The file as the sanitizer names it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, where the sanitizer knows it.
    pub column: Option<u32>,
    /// The function, where the report has a call stack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// What a sanitizer complains about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An access outside a heap object.
    HeapOverflow,
    /// An access outside a local object.
    StackOverflow,
    /// An access outside a static object.
    GlobalOverflow,
    /// An access to freed memory.
    UseAfterFree,
    /// An access to a local of a function that has returned, or of a block that has ended.
    UseAfterScope,
    /// A second `free`.
    DoubleFree,
    /// `free` of something that is not the start of a heap object.
    BadFree,
    /// A heap object that nothing points to.
    Leak,
    /// An access to memory that is not there; null pointers among them.
    Segv,
    /// The stack is used up.
    StackExhausted,
    /// Regions of a copy overlap.
    Overlap,
    /// A size that no object can have.
    BadSize,
    /// A processor trap of an integer or float division.
    ArithmeticTrap,
    /// The program ended itself by `abort`.
    Abort,
    /// Pointers into different objects are compared or subtracted.
    PointerPair,
    /// A processor trap: a float operation overflows.
    FloatOverflow,
    /// A processor trap: the result of a float operation is tiny.
    FloatUnderflow,
    /// A processor trap: a float operation has no result.
    FloatInvalid,
    /// Signed overflow.
    SignedOverflow,
    /// Integer division by zero.
    DivisionByZero,
    /// Float division by zero.
    FloatDivisionByZero,
    /// A shift out of range.
    Shift,
    /// An array index outside the declared array.
    Bounds,
    /// A null pointer is used.
    Null,
    /// A misaligned access.
    Misaligned,
    /// An access that reaches outside an object whose size the compiler knows.
    ObjectSize,
    /// A float that does not fit the integer type.
    FloatToInt,
    /// A `_Bool` or enum that holds something else.
    InvalidValue,
    /// `__builtin_unreachable` was reached.
    Unreachable,
    /// A function that should return a value did not.
    MissingReturn,
    /// Pointer arithmetic that overflows.
    PointerOverflow,
    /// The bound of a variable-length array is not positive.
    VlaBound,
    /// A null argument where the function forbids it.
    NullArgument,
    /// A builtin got an argument that it forbids (`__builtin_ctz(0)`).
    BuiltinArgument,
    /// A call through a pointer of another type.
    FunctionType,
    /// A condition that clew wrote into the program does not hold.
    Condition,
    /// Anything else; the message says what.
    Other,
}

/// Words of AddressSanitizer after its name. The first that begins or occurs in the text decides.
const ADDRESS_KINDS: &[(&str, Kind)] = &[
    ("heap-buffer-overflow", Kind::HeapOverflow),
    ("container-overflow", Kind::HeapOverflow),
    ("dynamic-stack-buffer-overflow", Kind::StackOverflow),
    ("stack-buffer-overflow", Kind::StackOverflow),
    ("stack-buffer-underflow", Kind::StackOverflow),
    ("global-buffer-overflow", Kind::GlobalOverflow),
    ("heap-use-after-free", Kind::UseAfterFree),
    ("stack-use-after-return", Kind::UseAfterScope),
    ("stack-use-after-scope", Kind::UseAfterScope),
    ("attempting double-free", Kind::DoubleFree),
    ("attempting free on address which was not", Kind::BadFree),
    ("attempting to call malloc_usable_size", Kind::BadFree),
    ("stack-overflow", Kind::StackExhausted),
    ("-param-overlap", Kind::Overlap),
    ("negative-size-param", Kind::BadSize),
    ("allocation-size-too-big", Kind::BadSize),
    ("requested allocation size", Kind::BadSize),
    ("calloc-overflow", Kind::BadSize),
    ("out-of-memory", Kind::BadSize),
    ("SEGV", Kind::Segv),
    ("BUS", Kind::Segv),
    ("FPE", Kind::ArithmeticTrap),
    ("ABRT", Kind::Abort),
    ("invalid-pointer-pair", Kind::PointerPair),
];

/// What the handlers that clew adds to a program say: these words, then a call stack.
const TRAP: &str = "clew: trap: ";

/// Words after [`TRAP`].
const TRAP_KINDS: &[(&str, Kind)] = &[
    ("float-division-by-zero", Kind::FloatDivisionByZero),
    ("float-overflow", Kind::FloatOverflow),
    ("float-underflow", Kind::FloatUnderflow),
    ("float-invalid", Kind::FloatInvalid),
    ("call-of-nothing", Kind::Segv),
    ("condition-violated", Kind::Condition),
];

/// Words of UBSan after `runtime error:`, in the order in which they are looked for.
const UNDEFINED_KINDS: &[(&str, Kind)] = &[
    ("null pointer passed as argument", Kind::NullArgument),
    ("null pointer returned", Kind::Null),
    ("signed integer overflow", Kind::SignedOverflow),
    ("cannot be represented in type", Kind::SignedOverflow),
    ("shift exponent", Kind::Shift),
    ("left shift", Kind::Shift),
    ("outside the range of representable values", Kind::FloatToInt),
    ("division by zero", Kind::DivisionByZero),
    ("out of bounds for type", Kind::Bounds),
    ("misaligned address", Kind::Misaligned),
    ("null pointer", Kind::Null),
    ("insufficient space for an object", Kind::ObjectSize),
    ("which is not a valid value for type", Kind::InvalidValue),
    ("__builtin_unreachable", Kind::Unreachable),
    ("reached an unreachable", Kind::Unreachable),
    ("end of a value-returning function", Kind::MissingReturn),
    ("pointer index expression", Kind::PointerOverflow),
    ("pointer overflow", Kind::PointerOverflow),
    ("variable length array bound", Kind::VlaBound),
    ("passing zero to", Kind::BuiltinArgument),
    ("through pointer to incorrect function type", Kind::FunctionType),
];

/// Every report in what a program said on standard error, in order.
pub fn read_reports(text: &str) -> Vec<Report> {
    let lines: Vec<&str> = text.lines().collect();
    let mut reports = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if let Some(report) = undefined_report(line) {
            reports.push(report);
        } else if let Some((_, message)) = line.split_once("ERROR: AddressSanitizer: ") {
            reports.push(with_stack(kind_of(message, ADDRESS_KINDS), message, &lines[index + 1..]));
        } else if let Some(message) = line.strip_prefix(TRAP) {
            reports.push(with_stack(kind_of(message, TRAP_KINDS), message, &lines[index + 1..]));
        } else if line.starts_with("Direct leak of ") || line.starts_with("Indirect leak of ") {
            reports.push(with_stack(Kind::Leak, line, &lines[index + 1..]));
        }
    }
    reports
}

/// `file:line:column: runtime error: message`.
fn undefined_report(line: &str) -> Option<Report> {
    let (place, message) = line.split_once(": runtime error: ")?;
    let kind = kind_of(message, UNDEFINED_KINDS);
    // The wording of integer and float division is one; only the float flag makes gcc report the latter, and a
    // float operand prints with a point or an exponent.
    let float = kind == Kind::DivisionByZero
        && message.split_whitespace().nth(3).is_some_and(|operand| operand.contains(['.', 'e', 'n']));
    let kind = if float { Kind::FloatDivisionByZero } else { kind };
    let location = parse_location(place);
    Some(Report { kind, stack: location.iter().cloned().collect(), location, message: message.to_owned() })
}

fn with_stack(kind: Kind, message: &str, following: &[&str]) -> Report {
    let stack = frames(following);
    Report { kind, location: stack.first().cloned(), stack, message: message.to_owned() }
}

fn kind_of(message: &str, kinds: &[(&str, Kind)]) -> Kind {
    kinds.iter().find(|(words, _)| message.contains(words)).map_or(Kind::Other, |(_, kind)| *kind)
}

/// The places of the stack frames that are not the sanitizer's own; frames without a source are left out.
fn frames(lines: &[&str]) -> Vec<Location> {
    let frames = lines
        .iter()
        .map(|line| line.trim_start())
        .skip_while(|line| !line.starts_with('#'))
        .take_while(|line| line.starts_with('#'));
    frames.filter_map(frame_location).collect()
}

/// `#1 0x55... in function file:line[:column]`; a frame without a source names `(module+offset)` instead.
fn frame_location(frame: &str) -> Option<Location> {
    let (_, rest) = frame.split_once(" in ")?;
    let (function, place) = rest.split_once(' ')?;
    if place.starts_with('(') || place.contains("/libsanitizer/") || place.contains("/sysdeps/") {
        return None;
    }
    parse_location(place).map(|at| Location { function: Some(function.to_owned()), ..at })
}

/// `file:line:column` or `file:line`. The file name may itself contain colons, so this reads from the right.
fn parse_location(place: &str) -> Option<Location> {
    let (rest, last) = place.rsplit_once(':')?;
    let last: u32 = last.trim().parse().ok()?;
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?))) {
        Some((file, line)) => {
            Some(Location { file: file.to_owned(), line, column: Some(last), function: None })
        }
        None => Some(Location { file: rest.to_owned(), line: last, column: None, function: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Compiler;

    /// What the real sanitizers say about a program; `None` where the compiler has no sanitizers.
    fn sanitized(text: &str) -> Option<Vec<Report>> {
        let flags = [
            "-g",
            "-O0",
            "-w",
            "-fsanitize=address,undefined,float-cast-overflow",
            "-fno-omit-frame-pointer",
        ];
        let program = Compiler::find().unwrap().build_text(text, &flags).ok()?;
        let outcome = program.child().env("ASAN_OPTIONS", "detect_leaks=1").run().unwrap();
        Some(read_reports(&outcome.stderr_text()))
    }

    #[track_caller]
    fn expect(text: &str, kind: Kind, line: u32) {
        let Some(reports) = sanitized(text) else { return };
        let found = reports
            .iter()
            .any(|report| report.kind == kind && report.location.as_ref().is_some_and(|at| at.line == line));
        assert!(found, "{kind:?} at {line} not in {reports:#?}");
    }

    #[test]
    fn integer_faults() {
        expect("int main(int n, char **v) {\n n += 2147483646;\n return n + 1;\n}", Kind::SignedOverflow, 3);
        expect("int main(int n, char **v) {\n return 1 << (n + 40);\n}", Kind::Shift, 2);
        expect(
            "int main(int n, char **v) {\n volatile int z = 0;\n return 5 / z;\n}",
            Kind::DivisionByZero,
            3,
        );
        expect(
            "int main(int n, char **v) {\n volatile double z = 1e30;\n return (int)z;\n}",
            Kind::FloatToInt,
            3,
        );
    }

    #[test]
    fn memory_faults() {
        let heap = "#include <stdlib.h>\nint main(int n, char **v) {\n char *p = malloc(4);\n p[n + 3] = 1;\n \
                    free(p);\n return 0;\n}";
        expect(heap, Kind::HeapOverflow, 4);
        let freed = "#include <stdlib.h>\nint main(void) {\n char *p = malloc(4);\n free(p);\n return *p;\n}";
        expect(freed, Kind::UseAfterFree, 5);
        let twice = "#include <stdlib.h>\nint main(void) {\n char *p = malloc(4);\n free(p);\n free(p);\n}";
        expect(twice, Kind::DoubleFree, 5);
        expect("int a[3];\nint main(int n, char **v) {\n return a[n + 2];\n}", Kind::Bounds, 3);
        expect("int main(void) {\n int *volatile p = 0;\n return *p;\n}", Kind::Null, 3);
    }

    #[test]
    fn library_frames_are_skipped() {
        let copy = "#include <string.h>\nint main(int n, char **v) {\n char b[4];\n memset(b, 0, n + 4);\n \
                    return b[0];\n}";
        expect(copy, Kind::StackOverflow, 4);
    }

    #[test]
    fn a_place_may_have_colons_in_its_name() {
        let at = parse_location("a:b.c:12:7").unwrap();
        assert_eq!((at.file.as_str(), at.line, at.column), ("a:b.c", 12, Some(7)));
        let at = parse_location("b.c:12").unwrap();
        assert_eq!((at.file.as_str(), at.line, at.column), ("b.c", 12, None));
        assert_eq!(parse_location("b.c"), None);
    }

    #[test]
    fn unknown_wording_is_kept() {
        let reports = read_reports("x.c:1:2: runtime error: the moon is full\n");
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].kind, Kind::Other);
        assert_eq!(reports[0].message, "the moon is full");
    }
}
