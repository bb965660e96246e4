// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints a program as text: tables, globals, function headers. Bodies are in `print_body`.

use std::fmt::{self, Write};

use clew_base::source::{FileId, Span};

use super::print_body::BodyPrinter;
use super::{FORMATS, LINKAGES};
use crate::syntax::*;
use crate::types::Types;

/// What to print.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Print spans. Without them, a comment shows the line each statement came from.
    pub spans: bool,
    /// Print the tables of types, files and macro uses at the end, which make handles survive a round trip.
    pub tables: bool,
}

impl Options {
    /// Everything: what [`super::parse`] turns back into the program.
    pub const FULL: Options = Options { spans: true, tables: true };
    /// What a person wants to read.
    pub const READABLE: Options = Options { spans: false, tables: false };
}

/// The whole program, with everything that parsing needs to restore it.
pub fn print(program: &Program) -> String {
    print_with(program, Options::FULL)
}

/// The program as the options say.
pub fn print_with(program: &Program, options: Options) -> String {
    let mut printer = Printer::new(program, options);
    printer.program();
    printer.text
}

/// One function.
pub fn print_function(program: &Program, function: FuncId, options: Options) -> String {
    let mut printer = Printer::new(program, options);
    printer.function(function);
    printer.text
}

/// Bytes of an initialiser on one line; strings that follow each other are one.
const INIT_BYTES: usize = 48;

/// Appends formatted text: writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = write!($out, $($arg)*); }};
}
pub(super) use put;

pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) options: Options,
    pub(super) text: String,
    /// The file that spans without one are in.
    pub(super) file: FileId,
}

/// Text in quotes, with everything unusual escaped.
pub(super) struct Quoted<'a>(pub &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{}", *byte as char)?,
                b' '..=b'~' => f.write_char(*byte as char)?,
                _ => write!(f, "\\{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

/// `.name` if the name can stand there, else nothing.
pub(super) struct Decoration<'a>(pub Option<&'a str>);

impl fmt::Display for Decoration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |name: &&str| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
        };
        match self.0.filter(plain) {
            Some(name) => write!(f, ".{name}"),
            None => Ok(()),
        }
    }
}

/// A type as it is written inline.
pub(super) struct Spelled<'a>(pub Types<'a>, pub TypeId);

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spelled(types, ty) = *self;
        let Some(ty) = types.types.get(ty) else { return write!(f, "{ty}") };
        let inner = |ty: TypeId| Spelled(types, ty);
        match ty {
            Type::Void => f.write_str("void"),
            Type::Bool => f.write_str("bool"),
            Type::Int { bits, signed: true } => write!(f, "i{bits}"),
            Type::Int { bits, signed: false } => write!(f, "u{bits}"),
            Type::Float(format) => f.write_str(FORMATS.name(*format)),
            Type::Pointer(pointee) => write!(f, "*{}", inner(*pointee)),
            Type::Array { element, length: Some(length) } => write!(f, "[{length} {}]", inner(*element)),
            Type::Array { element, length: None } => write!(f, "[? {}]", inner(*element)),
            Type::Record(record) => {
                let name = types.records.get(*record).and_then(|r| r.name.as_deref());
                write!(f, "{record}{}", Decoration(name.filter(|n| !n.contains('.'))))
            }
            Type::Function { result, parameters, variadic, prototyped } => {
                f.write_str(if *prototyped { "fn(" } else { "fn?(" })?;
                for (i, parameter) in parameters.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, inner(*parameter))?;
                }
                if *variadic {
                    f.write_str(if parameters.is_empty() { "..." } else { ", ..." })?;
                }
                write!(f, ") -> {}", inner(*result))
            }
            Type::Opaque { bytes, align, what } => {
                write!(f, "opaque({bytes}, {align}, {})", Quoted(what.as_bytes()))
            }
        }
    }
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, options: Options) -> Printer<'a> {
        Printer { program, options, text: String::new(), file: FileId(u32::MAX) }
    }

    pub(super) fn spelled(&self, ty: TypeId) -> Spelled<'a> {
        Spelled(self.program.types(), ty)
    }

    /// The span of an item, a statement or an obligation, unless there is none.
    pub(super) fn span(&mut self, span: Span) {
        self.marked_span(" #", span);
    }

    pub(super) fn marked_span(&mut self, mark: &str, span: Span) {
        if !self.options.spans || span == Span::NONE {
            return;
        }
        self.text.push_str(mark);
        if span.file != self.file {
            put!(self.text, "{}:", span.file.0);
        }
        put!(self.text, "{}-{}", span.start, span.end);
        if let Some(expansion) = span.expansion {
            put!(self.text, "^{}", expansion.0);
        }
    }

    fn program(&mut self) {
        let program = self.program;
        self.header();
        for (id, record) in program.records.iter_enumerated() {
            self.record(id, record);
        }
        for (id, global) in program.globals.iter_enumerated() {
            self.global(id, global);
        }
        for id in program.functions.indices() {
            self.function(id);
        }
        if self.options.tables {
            self.tables();
        }
    }

    fn header(&mut self) {
        let Program { target, semantics, unsupported, .. } = self.program;
        self.text.push_str("clew-ir 1\n");
        put!(self.text, "target {} pointer {}", Quoted(target.triple.as_bytes()), target.pointer_bytes);
        put!(self.text, " char {}", if target.char_signed { "signed" } else { "unsigned" });
        put!(self.text, " int {} long {}", target.int_bits, target.long_bits);
        put!(self.text, " long_double {}", FORMATS.name(target.long_double));
        self.flag(semantics.wrapv, "wrapv");
        self.flag(semantics.fast_math, "fast_math");
        self.flag(semantics.no_math_errno, "no_math_errno");
        self.text.push('\n');
        for place in unsupported {
            put!(self.text, "unsupported {}", Quoted(place.what.as_bytes()));
            self.span(place.span);
            self.text.push('\n');
        }
    }

    pub(super) fn flag(&mut self, set: bool, name: &str) {
        if set {
            put!(self.text, " {name}");
        }
    }

    fn record(&mut self, id: RecordId, record: &Record) {
        put!(self.text, "\nrecord {id} {}", if record.is_union { "union" } else { "struct" });
        if let Some(name) = &record.name {
            put!(self.text, " {}", Quoted(name.as_bytes()));
        }
        put!(self.text, " size {} align {}", record.size, record.align);
        self.flag(record.incomplete, "incomplete");
        self.text.push_str(" {\n");
        for field in &record.fields {
            put!(self.text, "  at {}", field.offset);
            if let Some(bits) = field.bits {
                put!(self.text, " bits {} {}", bits.start, bits.width);
            }
            self.flag(field.is_const, "const");
            if let Some(name) = &field.name {
                put!(self.text, " {}", Quoted(name.as_bytes()));
            }
            put!(self.text, ": {}\n", self.spelled(field.ty));
        }
        self.text.push_str("}\n");
    }

    fn global(&mut self, id: GlobalId, global: &Global) {
        self.file = FileId(u32::MAX);
        put!(self.text, "\nglobal {id} {}", Quoted(global.name.as_bytes()));
        put!(self.text, " {}: {}", Quoted(global.source_name.as_bytes()), self.spelled(global.ty));
        put!(self.text, " size {} align {}", global.size, global.align);
        put!(self.text, " {}", LINKAGES.name(global.linkage));
        self.flag(global.kind == GlobalKind::StringLiteral, "string");
        if let GlobalKind::Register { range } = global.kind {
            self.flag(true, "register");
            if let Some((least, most)) = range {
                put!(self.text, " between {least} {most}");
            }
        }
        self.flag(global.is_const, "const");
        self.flag(global.thread_local, "thread_local");
        if let Some(alias) = &global.alias {
            put!(self.text, " alias {}", Quoted(alias.as_bytes()));
        }
        self.span(global.span);
        if let Some(init) = &global.init {
            self.init(init);
        }
        self.text.push('\n');
    }

    fn init(&mut self, init: &Init) {
        self.text.push_str(if init.tentative { " tentative " } else { " = " });
        put!(self.text, "{}", Quoted(&init.bytes[..init.bytes.len().min(INIT_BYTES)]));
        for line in init.bytes.chunks(INIT_BYTES).skip(1) {
            put!(self.text, "\n    {}", Quoted(line));
        }
        if init.relocations.is_empty() {
            return;
        }
        self.text.push_str(" {\n");
        for relocation in &init.relocations {
            put!(self.text, "  at {} bytes {}: ", relocation.offset, relocation.bytes);
            self.address(relocation.target);
            if relocation.addend != 0 {
                put!(self.text, " plus {}", relocation.addend);
            }
            if let Some(minus) = relocation.minus {
                self.text.push_str(" minus ");
                self.address(minus);
            }
            self.text.push('\n');
        }
        self.text.push('}');
    }

    fn address(&mut self, address: Address) {
        match address {
            Address::Global(global) => self.global_name(global),
            Address::Function(function) => self.function_name(function),
            Address::Label(function, block) => {
                self.function_name(function);
                put!(self.text, " {block}");
            }
        }
    }

    pub(super) fn global_name(&mut self, id: GlobalId) {
        let name = self.program.globals.get(id).map(|g| &*g.name);
        put!(self.text, "{id}{}", Decoration(name));
    }

    pub(super) fn function_name(&mut self, id: FuncId) {
        let name = self.program.functions.get(id).map(|f| &*f.name);
        put!(self.text, "{id}{}", Decoration(name));
    }

    pub(super) fn function(&mut self, id: FuncId) {
        let function = &self.program.functions[id];
        self.file = FileId(u32::MAX);
        put!(self.text, "\nfunction {id} {}", Quoted(function.name.as_bytes()));
        put!(self.text, " {}: {}", Quoted(function.source_name.as_bytes()), self.spelled(function.ty));
        put!(self.text, " {}", LINKAGES.name(function.linkage));
        self.attributes(&function.attributes);
        if let Some(alias) = &function.alias {
            put!(self.text, " alias {}", Quoted(alias.as_bytes()));
        }
        self.span(function.span);
        self.file = function.span.file;
        let contract = &function.contract;
        if function.body.is_none() && *contract == Contract::default() {
            self.text.push('\n');
            return;
        }
        let empty = Body::default();
        let body = function.body.as_ref().unwrap_or(&empty);
        self.text.push_str(if function.body.is_some() { " {\n" } else { " contract {\n" });
        BodyPrinter::new(self, body, contract).print();
        self.text.push_str("}\n");
    }

    fn attributes(&mut self, attributes: &Attributes) {
        self.flag(attributes.noreturn, "noreturn");
        self.flag(attributes.returns_twice, "returns_twice");
        self.flag(attributes.implicit, "implicit");
        self.flag(attributes.inline, "inline");
        self.flag(attributes.interrupt, "interrupt");
        self.flag(attributes.demanding, "demanding");
        for (number, name) in [(attributes.nonnull, "nonnull"), (attributes.elements, "elements")] {
            if number != 0 {
                put!(self.text, " {name} {number}");
            }
        }
        if attributes.reads_only != 0 {
            put!(self.text, " reads_only {}", attributes.reads_only);
        }
        if let Some(priority) = attributes.constructor {
            put!(self.text, " constructor {priority}");
        }
        if let Some(priority) = attributes.destructor {
            put!(self.text, " destructor {priority}");
        }
    }

    fn tables(&mut self) {
        self.file = FileId(u32::MAX);
        self.text.push('\n');
        for id in self.program.types.indices() {
            put!(self.text, "type {id} = {}\n", self.spelled(id));
        }
        for (id, file) in self.program.sources.files.iter_enumerated() {
            put!(self.text, "file {} {}", id.0, Quoted(file.name.as_bytes()));
            for marker in &file.markers {
                put!(self.text, " line {} {} {}", marker.offset, Quoted(marker.name.as_bytes()), marker.line);
            }
            self.text.push('\n');
        }
        for (id, use_) in self.program.sources.macros.iter_enumerated() {
            put!(self.text, "macro {} {}", id.0, Quoted(use_.name.as_bytes()));
            if let Some(parent) = use_.parent {
                put!(self.text, " parent {}", parent.0);
            }
            self.span(use_.spelling);
            self.text.push('\n');
        }
    }
}
