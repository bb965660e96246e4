// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects with static storage duration, and the declarations of functions.

use std::fmt::Write;

use super::names::{is_builtin, linkage_of, quoted};
use super::{Emitter, put};
use crate::syntax::*;

impl Emitter<'_> {
    /// Declares every function, so that initialisers and bodies may name any.
    pub(super) fn function_declarations(&mut self) {
        for (id, function) in self.program.functions.iter_enumerated() {
            if is_builtin(&function.name) || function.alias.is_some() {
                continue;
            }
            let name = self.names.functions[id].clone();
            let prototype = self.prototype(function.ty, &name);
            let linkage = linkage_of(function.linkage, function.body.is_some());
            let storage = if linkage == Linkage::Internal { "static" } else { "extern" };
            put!(self.out, "{storage} {prototype}");
            self.linker_label(linkage, &function.name);
            self.function_attributes(function);
            self.out.push_str(";\n");
        }
    }

    fn linker_label(&mut self, linkage: Linkage, name: &str) {
        if linkage != Linkage::Internal {
            put!(self.out, " __asm__({})", quoted(name));
        }
        if linkage == Linkage::Weak {
            self.out.push_str(" __attribute__((weak))");
        }
    }

    fn function_attributes(&mut self, function: &Function) {
        let attributes = &function.attributes;
        if attributes.noreturn {
            self.out.push_str(" __attribute__((noreturn))");
        }
        if attributes.returns_twice {
            self.out.push_str(" __attribute__((returns_twice))");
        }
        for (word, priority) in
            [("constructor", attributes.constructor), ("destructor", attributes.destructor)]
        {
            match priority {
                None => {}
                Some(u16::MAX) => put!(self.out, " __attribute__(({word}))"),
                Some(priority) => put!(self.out, " __attribute__(({word}({priority})))"),
            }
        }
    }

    /// Functions that are other names of functions; these must be known to be defined in this unit.
    pub(super) fn function_aliases(&mut self) {
        for (id, function) in self.program.functions.iter_enumerated() {
            let Some(target) = &function.alias else { continue };
            let name = self.names.functions[id].clone();
            let prototype = self.prototype(function.ty, &name);
            let storage = if function.linkage == Linkage::Internal { "static" } else { "extern" };
            put!(self.out, "{storage} {prototype}");
            self.linker_label(function.linkage, &function.name);
            let found = self.program.functions.iter_enumerated().find(|(_, f)| f.name == *target);
            let target = match found {
                Some((id, f)) => self.linker_name(f.linkage, &f.name, &self.names.functions[id]).to_owned(),
                None => target.to_string(),
            };
            put!(self.out, " __attribute__((alias({})));\n", quoted(&target));
        }
    }

    /// Declares all objects, then defines those that are defined here.
    pub(super) fn globals(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            if !global.thread_local {
                self.declare_global(id, global);
            }
        }
        for (id, global) in self.program.globals.iter_enumerated() {
            match (&global.init, &global.alias) {
                (_, Some(target)) => self.alias_global(id, global, target),
                (Some(init), None) => self.define_global(id, global, init),
                (None, None) if global.thread_local => self.declare_global(id, global),
                (None, None) => {}
            }
        }
    }

    fn declare_global(&mut self, id: GlobalId, global: &Global) {
        if global.alias.is_some() {
            return;
        }
        let name = self.names.globals[id].clone();
        let thread = if global.thread_local { " __thread" } else { "" };
        match &global.init {
            None => put!(self.out, "extern{thread} char {name}[]"),
            Some(init) => {
                let storage = if global.linkage == Linkage::Internal { "static" } else { "extern" };
                put!(self.out, "{storage}{thread} {}", self.object(global, init, &name));
            }
        }
        self.linker_label(linkage_of(global.linkage, global.init.is_some()), &global.name);
        put!(self.out, " __attribute__((aligned({})));\n", global.align.max(1));
    }

    /// The C declarator of a defined object: bytes, or bytes and addresses in turn.
    fn object(&self, global: &Global, init: &Init, name: &str) -> String {
        if self.static_relocations(init).next().is_none() {
            return format!("char {name}[{}]", global.size);
        }
        format!("struct s_{name} {name}")
    }

    /// Relocations that C can initialise with. Label addresses are known only inside their function.
    fn static_relocations<'i>(&self, init: &'i Init) -> impl Iterator<Item = &'i Relocation> + use<'i> {
        let pointer_bytes = self.program.target.pointer_bytes;
        init.relocations.iter().filter(move |r| {
            r.bytes == pointer_bytes && r.minus.is_none() && !matches!(r.target, Address::Label(..))
        })
    }

    fn define_global(&mut self, id: GlobalId, global: &Global, init: &Init) {
        let name = self.names.globals[id].clone();
        let storage = if global.linkage == Linkage::Internal { "static" } else { "" };
        let thread = if global.thread_local { " __thread" } else { "" };
        let object = self.object(global, init, &name);
        put!(self.out, "{storage}{thread} {object}");
        if global.thread_local {
            self.linker_label(global.linkage, &global.name);
        }
        put!(self.out, " __attribute__((aligned({})))", global.align.max(1));
        if self.static_relocations(init).next().is_some() {
            self.out.push_str(" = {");
            self.segments(global, init, |this, segment| match segment {
                Segment::Bytes { bytes, .. } => {
                    byte_string(bytes, &mut this.out);
                    this.out.push(',');
                }
                Segment::Address { relocation, .. } => {
                    this.address(relocation.target);
                    put!(this.out, " + {}LL,", relocation.addend);
                }
            });
            self.out.push('}');
        } else if !init.bytes.is_empty() {
            self.out.push_str(" = ");
            byte_string(&init.bytes, &mut self.out);
        }
        self.out.push_str(";\n");
        for relocation in &init.relocations {
            let label = matches!(relocation.target, Address::Label(..));
            if !label && (relocation.bytes != self.program.target.pointer_bytes || relocation.minus.is_some())
            {
                self.omitted.push(format!("{}: an address that C cannot initialise with", global.name));
            }
        }
    }

    /// The parts of an object with relocations, from its start to its end.
    fn segments(&mut self, global: &Global, init: &Init, mut each: impl FnMut(&mut Self, Segment<'_>)) {
        let bytes = |from: u64, to: u64| {
            let end = (to as usize).min(init.bytes.len());
            init.bytes.get(from as usize..end).unwrap_or(&[])
        };
        let relocations: Vec<&Relocation> = self.static_relocations(init).collect();
        let mut position = 0;
        for relocation in relocations {
            if relocation.offset > position {
                let size = relocation.offset - position;
                each(
                    self,
                    Segment::Bytes { offset: position, size, bytes: bytes(position, relocation.offset) },
                );
            }
            each(self, Segment::Address { offset: relocation.offset, relocation });
            position = relocation.offset + u64::from(relocation.bytes);
        }
        if position < global.size {
            let size = global.size - position;
            each(self, Segment::Bytes { offset: position, size, bytes: bytes(position, global.size) });
        }
    }

    /// Emits the struct types of objects with relocations.
    pub(super) fn global_layouts(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            let Some(init) = &global.init else { continue };
            if self.static_relocations(init).next().is_none() {
                continue;
            }
            put!(self.out, "struct s_{} {{", self.names.globals[id]);
            self.segments(global, init, |this, segment| match segment {
                Segment::Bytes { offset, size, .. } => put!(this.out, " char b{offset}[{size}];"),
                Segment::Address { offset, .. } => put!(this.out, " ptr r{offset};"),
            });
            self.out.push_str(" } __attribute__((packed));\n");
        }
    }

    fn address(&mut self, address: Address) {
        match address {
            Address::Global(global) => put!(self.out, "(ptr)&{}", self.names.globals[global]),
            Address::Function(function) => put!(self.out, "(ptr){}", self.names.functions[function]),
            Address::Label(_, block) => put!(self.out, "(ptr)&&{block}"),
        }
    }

    fn alias_global(&mut self, id: GlobalId, global: &Global, target: &str) {
        put!(self.out, "extern char {}[]", self.names.globals[id]);
        self.linker_label(global.linkage, &global.name);
        let found = self.program.globals.iter_enumerated().find(|(_, g)| *g.name == *target);
        let target = match found {
            Some((id, g)) => self.linker_name(g.linkage, &g.name, &self.names.globals[id]).to_owned(),
            None => target.to_owned(),
        };
        put!(self.out, " __attribute__((alias({})));\n", quoted(&target));
    }

    /// Code at the start of a function that fills in the addresses of its labels, which no initialiser can.
    pub(super) fn label_tables(&mut self, function: FuncId) {
        let mut lines = String::new();
        for (owner, global, relocation) in &self.labels {
            let Address::Label(_, block) = relocation.target else { continue };
            if *owner != function {
                continue;
            }
            let width = u32::from(relocation.bytes) * 8;
            put!(lines, "*(u{width}_u *)((ptr)&{}", self.names.globals[*global]);
            put!(lines, " + {}) = (uptr)&&{block} + {}LL", relocation.offset, relocation.addend);
            if let Some(Address::Label(_, minus)) = relocation.minus {
                put!(lines, " - (uptr)&&{minus}");
            }
            lines.push_str(";\n");
        }
        if !lines.is_empty() {
            put!(self.out, "static char labels_done; if (!labels_done) {{ labels_done = 1;\n{lines}}}\n");
        }
    }
}

/// A part of an object with relocations.
enum Segment<'a> {
    Bytes { offset: u64, size: u64, bytes: &'a [u8] },
    Address { offset: u64, relocation: &'a Relocation },
}

/// Bytes as a C string literal; a literal as long as its array leaves no room for a NUL, which C allows.
fn byte_string(bytes: &[u8], out: &mut String) {
    out.push('"');
    for byte in bytes {
        match byte {
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(*byte as char);
            }
            b' '..=b'~' => out.push(*byte as char),
            _ => put!(out, "\\{byte:03o}"),
        }
    }
    out.push('"');
}
