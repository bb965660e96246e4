// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the members of every structure and union of a unit lie, and a judge for it.
//!
//! [`layouts`] lists what the typed tree says; `dwarf` compares that with the compiler's debug information,
//! and [`layout_judge`] asks the compiler directly, with assertions about `sizeof`, `_Alignof` and `offsetof`
//! behind the program. Bit-fields have no `offsetof`: those only the debug information judges.

use std::fmt::Write as _;

use rucc_base::Symbol;
use rucc_types::{RecordId, TypeKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::judge::{Judgement, preprocessed};
use crate::unit::Unit;

/// The layout of one structure or union.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordLayout {
    /// `struct` or `union`.
    pub kind: String,
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// A typedef that names it, if there is one.
    pub alias: Option<String>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The members in order; unnamed bit-fields are left out.
    pub fields: Vec<FieldLayout>,
}

/// Where a member lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FieldLayout {
    /// The name; `None` for an anonymous structure or union.
    pub name: Option<String>,
    /// First bit, from the start of the record.
    pub bit_offset: u64,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// Size of the member's type in bytes; `None` when it has none (flexible arrays).
    pub size: Option<u64>,
    /// The members of an anonymous structure or union, from the start of the outer record.
    pub inner: Vec<FieldLayout>,
}

/// All complete records of a unit whose size is known at compile time.
pub fn layouts(unit: &Unit) -> Vec<RecordLayout> {
    let aliases = record_aliases(unit);
    let records = unit.types.records().filter_map(|(id, info)| {
        let layout = info.layout?;
        Some(RecordLayout {
            kind: info.kind.as_str().to_owned(),
            tag: info.tag.map(|tag| unit.name(tag).to_owned()),
            alias: aliases.get(&id).map(|name| unit.name(*name).to_owned()),
            size: layout.size,
            align: layout.align,
            fields: fields(unit, id, 0),
        })
    });
    records.collect()
}

fn fields(unit: &Unit, record: RecordId, base: u64) -> Vec<FieldLayout> {
    let types = &unit.types;
    let placed = types.record_info(record).fields.iter().filter_map(|field| {
        let bit_offset = base + field.offset * 8 + u64::from(field.bit);
        let inner = match (field.name, types.kind(types.canonical(field.ty))) {
            (None, _) if field.bits.is_some() => return None,
            (None, TypeKind::Record(inner)) => fields(unit, inner, bit_offset),
            _ => Vec::new(),
        };
        Some(FieldLayout {
            name: field.name.map(|name| unit.name(name).to_owned()),
            bit_offset,
            bits: field.bits,
            size: rucc_types::layout(types, field.ty, &unit.target).ok().map(|layout| layout.size),
            inner,
        })
    });
    placed.collect()
}

/// A typedef name for each record that has one. A typedef with an alignment of its own is another type.
fn record_aliases(unit: &Unit) -> FxHashMap<RecordId, Symbol> {
    let mut aliases = FxHashMap::default();
    for alias in unit.types.aliases() {
        if let TypeKind::Record(id) = unit.types.kind(unit.types.canonical(alias.of))
            && unit.types.align_override(alias.of).is_none()
        {
            aliases.entry(id).or_insert(alias.name);
        }
    }
    aliases
}

/// Writes a program that only compiles when the compiler lays out the unit's records the same way. Only
/// records that the end of the file can name are asked about.
pub fn layout_judge(unit: &Unit) -> Judgement {
    let mut judgement = Judgement { source: preprocessed(unit), ..Judgement::default() };
    let visible = FileScope::of(unit);
    let mut text = String::new();
    for record in layouts(unit) {
        let Some(name) = visible.name(&record) else {
            *judgement.skipped.entry("a record that the file's scope cannot name").or_default() += 1;
            continue;
        };
        let mut claim = |condition: String| {
            let _ = writeln!(text, "_Static_assert({condition}, \"{name}\");");
            judgement.asserted += 1;
        };
        claim(format!("sizeof({name}) == {}", record.size));
        claim(format!("_Alignof({name}) == {}", record.align));
        let mut bit_fields = 0;
        claim_fields(&name, &record.fields, &mut claim, &mut bit_fields);
        if bit_fields > 0 {
            *judgement.skipped.entry("a bit-field has no offsetof").or_default() += bit_fields;
        }
    }
    judgement.source.extend_from_slice(text.as_bytes());
    judgement
}

fn claim_fields(name: &str, fields: &[FieldLayout], claim: &mut dyn FnMut(String), bit_fields: &mut usize) {
    for field in fields {
        match &field.name {
            None => claim_fields(name, &field.inner, claim, bit_fields),
            Some(_) if field.bits.is_some() => *bit_fields += 1,
            Some(member) => {
                claim(format!("__builtin_offsetof({name}, {member}) == {}", field.bit_offset / 8));
                if let Some(size) = field.size {
                    claim(format!("sizeof((({name} *)0)->{member}) == {size}"));
                }
            }
        }
    }
}

/// What names mean at the end of the file: tags and typedefs outside function bodies.
struct FileScope<'a> {
    unit: &'a Unit,
    /// Token ranges of function bodies.
    bodies: Vec<(usize, usize)>,
}

impl<'a> FileScope<'a> {
    fn of(unit: &'a Unit) -> Self {
        let bodies = unit.tast.top_level().iter().filter_map(|decl| unit.tast[*decl].body);
        let mut bodies: Vec<_> = bodies.map(|body| unit.token_range(unit.tast.stmt_span(body))).collect();
        bodies.sort_unstable();
        FileScope { unit, bodies }
    }

    /// How the end of the file can write a record's type.
    fn name(&self, record: &RecordLayout) -> Option<String> {
        match (&record.tag, &record.alias) {
            // A tag that is also written in a function may mean another record there.
            (Some(tag), _) => self.only_outside(tag).then(|| format!("{} {tag}", record.kind)),
            (None, Some(alias)) => self.only_outside(alias).then(|| alias.clone()),
            (None, None) => None,
        }
    }

    /// Whether a name is introduced outside functions. A definition inside one would hide it there.
    fn only_outside(&self, name: &str) -> bool {
        let Some(symbol) = self.unit.names.find(name) else { return false };
        let tokens = self.unit.tokens();
        let first = tokens.iter().position(|token| token.ident() == Some(symbol));
        first.is_some_and(|at| !self.bodies.iter().any(|(start, end)| (*start..=*end).contains(&at)))
    }
}
