// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records as C structs whose size, alignment and members decide how they are passed.
//!
//! A packed struct places a member right behind the one before it; an `aligned` on the member moves it to its offset
//! without a padding member, which would take part in the calling convention. Bit-fields become the bytes they
//! lie in, which the convention classes the same way.

use std::fmt::Write;

use super::{Emitter, put};
use crate::syntax::*;

/// A member as C sees it.
struct Member {
    offset: u64,
    size: u64,
    /// `None`: bytes that bit-fields lie in.
    ty: Option<TypeId>,
}

impl Emitter<'_> {
    pub(super) fn records(&mut self) {
        let mut done = vec![false; self.program.records.len()];
        for record in self.program.records.indices() {
            self.record(record, &mut done);
        }
        let mut opaque: Vec<(u64, u32)> = Vec::new();
        for ty in self.program.types.iter() {
            if let Type::Opaque { bytes, align, .. } = ty
                && !opaque.contains(&(*bytes, *align))
            {
                opaque.push((*bytes, *align));
                put!(
                    self.out,
                    "struct opaque_{bytes}_{align} {{ char b[{bytes}]; }} __attribute__((aligned({align})));\n"
                );
            }
        }
    }

    /// Emits a record behind those that are parts of it.
    fn record(&mut self, id: RecordId, done: &mut Vec<bool>) {
        if std::mem::replace(&mut done[id.0 as usize], true) {
            return;
        }
        let record = &self.program.records[id];
        for field in &record.fields {
            let mut ty = field.ty;
            while let Type::Array { element, .. } = self.program.types[ty] {
                ty = element;
            }
            if let Type::Record(inner) = self.program.types[ty] {
                self.record(inner, done);
            }
        }
        if record.incomplete {
            return;
        }
        let members = self.members(record);
        put!(self.out, "{} {{", self.record_name(id));
        let mut end = 0;
        for (number, member) in members.iter().enumerate() {
            let base = if record.is_union { 0 } else { end };
            self.member(number, member, base, u64::from(record.align.max(1)));
            end = if record.is_union { end.max(member.size) } else { member.offset + member.size };
        }
        let align = u64::from(record.align.max(1));
        if end.next_multiple_of(align) < record.size {
            let from = if record.is_union { 0 } else { end };
            put!(self.out, " char tail[{}];", record.size - from);
        }
        put!(self.out, " }} __attribute__((packed, aligned({align})));\n");
        put!(self.out, "_Static_assert(sizeof({}) == {}, \"\");\n", self.record_name(id), record.size);
    }

    fn members(&self, record: &Record) -> Vec<Member> {
        let mut members: Vec<Member> = Vec::new();
        for field in &record.fields {
            let Some(bits) = field.bits else {
                let size = self.program.size_of(field.ty);
                members.push(Member { offset: field.offset, size, ty: Some(field.ty) });
                continue;
            };
            let (start, end) = (field.offset, field.offset + bits.covering_bytes());
            match members.last_mut() {
                // Neighbours that share a byte are one member.
                Some(last) if !record.is_union && last.ty.is_none() && start < last.offset + last.size => {
                    last.size = last.size.max(end - last.offset);
                }
                _ => members.push(Member { offset: start, size: end - start, ty: None }),
            }
        }
        members
    }

    fn member(&mut self, number: usize, member: &Member, end: u64, align: u64) {
        let mut gap_align = 1;
        while end.next_multiple_of(gap_align) < member.offset && gap_align < 1 << 28 {
            gap_align *= 2;
        }
        if end.next_multiple_of(gap_align) != member.offset || gap_align > align {
            // No alignment leads there without changing the record's own: rare (a zero-width bit-field in a
            // packed struct). Such records are not passed in registers of two classes.
            put!(self.out, " char pad{number}[{}];", member.offset - end);
            gap_align = 1;
        }
        match member.ty {
            None => put!(self.out, " u8 m{number}[{}]", member.size),
            Some(ty) => {
                let declaration = self.declare(ty, format!("m{number}"));
                put!(self.out, " {declaration}");
            }
        }
        if gap_align > 1 {
            put!(self.out, " __attribute__((aligned({gap_align})))");
        }
        self.out.push(';');
    }

    /// A declaration of an object of the type, arrays included.
    fn declare(&self, ty: TypeId, name: String) -> String {
        match &self.program.types[ty] {
            Type::Array { element, length } => {
                self.declare(*element, format!("{name}[{}]", length.unwrap_or(0)))
            }
            Type::Record(record) if self.program.records[*record].incomplete => format!("char {name}[0]"),
            _ => format!("{} {name}", self.c_type(ty)),
        }
    }
}
