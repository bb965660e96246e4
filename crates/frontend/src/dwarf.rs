// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiler's own account of layouts, read from the debug information it writes.
//!
//! The text is what `readelf --debug-dump=info` prints of an object compiled with `-g` and
//! `-fno-eliminate-unused-debug-types`; reading a dump keeps a DWARF library out of the build.

use std::collections::{BTreeMap, HashMap};

use crate::layout::{FieldLayout, RecordLayout};

/// One entry of the debug information.
#[derive(Default)]
struct Entry {
    tag: String,
    name: Option<String>,
    attributes: HashMap<String, u64>,
    children: Vec<usize>,
}

/// The debug information of an object.
pub struct Dwarf {
    entries: Vec<Entry>,
    by_offset: HashMap<u64, usize>,
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Records the compiler describes, too.
    pub compared: usize,
    /// Members compared in them.
    pub members: usize,
    /// Bit-fields among those.
    pub bit_fields: usize,
    /// Records the debug information does not have.
    pub missing: Vec<String>,
    /// What differs, in words.
    pub differences: Vec<String>,
}

impl Dwarf {
    /// Reads a dump.
    pub fn parse(dump: &str) -> Self {
        let mut dwarf = Dwarf { entries: Vec::new(), by_offset: HashMap::new() };
        let mut open: Vec<usize> = Vec::new();
        for line in dump.lines() {
            if let Some((depth, offset, tag)) = entry_line(line) {
                open.truncate(depth);
                let index = dwarf.entries.len();
                dwarf.entries.push(Entry { tag: tag.to_owned(), ..Entry::default() });
                dwarf.by_offset.insert(offset, index);
                if let Some(parent) = open.last() {
                    dwarf.entries[*parent].children.push(index);
                }
                open.push(index);
            } else if let (Some(entry), Some((key, value))) = (dwarf.entries.last_mut(), attribute_line(line))
            {
                if key == "DW_AT_name" {
                    entry.name = Some(attribute_text(value).to_owned());
                } else if let Some(number) = attribute_number(value) {
                    entry.attributes.insert(key.to_owned(), number);
                }
            }
        }
        dwarf
    }

    /// Compares our records with the compiler's of the same name and members.
    pub fn compare(&self, ours: &[RecordLayout]) -> Comparison {
        let mut theirs: BTreeMap<String, Vec<RecordLayout>> = BTreeMap::new();
        for record in self.records() {
            theirs.entry(identity(&record)).or_default().push(record);
        }
        let mut result = Comparison::default();
        for record in ours {
            match theirs.get(&identity(record)) {
                None => result.missing.push(title(record)),
                Some(candidates) => {
                    result.compared += 1;
                    count(&record.fields, &mut result);
                    let differences: Vec<Vec<String>> =
                        candidates.iter().map(|other| differences(record, other)).collect();
                    // Functions may have records of the same name and members; one of them is this one.
                    if let Some(least) = differences.into_iter().min_by_key(Vec::len) {
                        result.differences.extend(least);
                    }
                }
            }
        }
        result
    }

    fn records(&self) -> impl Iterator<Item = RecordLayout> + '_ {
        self.entries.iter().filter_map(|entry| {
            let kind = match entry.tag.as_str() {
                "DW_TAG_structure_type" => "struct",
                "DW_TAG_union_type" => "union",
                _ => return None,
            };
            Some(RecordLayout {
                kind: kind.to_owned(),
                tag: entry.name.clone(),
                alias: None,
                size: entry.attributes.get("DW_AT_byte_size").copied()?,
                align: entry.attributes.get("DW_AT_alignment").copied().unwrap_or(0),
                fields: self.fields(entry, 0),
            })
        })
    }

    fn fields(&self, record: &Entry, base: u64) -> Vec<FieldLayout> {
        let members = record.children.iter().map(|child| &self.entries[*child]);
        let placed = members.filter(|member| member.tag == "DW_TAG_member").map(|member| {
            let number = |key: &str| member.attributes.get(key).copied();
            let byte = number("DW_AT_data_member_location").unwrap_or(0);
            let bit_offset = base + number("DW_AT_data_bit_offset").unwrap_or(byte * 8);
            let ty = number("DW_AT_type").and_then(|at| self.resolve(at));
            FieldLayout {
                name: member.name.clone(),
                bit_offset,
                bits: number("DW_AT_bit_size").map(|bits| bits as u32),
                size: ty.and_then(|ty| self.size(ty)),
                inner: match (&member.name, ty) {
                    (None, Some(ty)) => self.fields(ty, bit_offset),
                    _ => Vec::new(),
                },
            }
        });
        placed.collect()
    }

    /// The type behind names and qualifiers.
    fn resolve(&self, offset: u64) -> Option<&Entry> {
        let entry = &self.entries[*self.by_offset.get(&offset)?];
        match entry.tag.as_str() {
            "DW_TAG_typedef"
            | "DW_TAG_const_type"
            | "DW_TAG_volatile_type"
            | "DW_TAG_restrict_type"
            | "DW_TAG_atomic_type" => self.resolve(*entry.attributes.get("DW_AT_type")?),
            _ => Some(entry),
        }
    }

    fn size(&self, ty: &Entry) -> Option<u64> {
        if ty.tag != "DW_TAG_array_type" {
            return ty.attributes.get("DW_AT_byte_size").copied();
        }
        let element = self.size(self.resolve(*ty.attributes.get("DW_AT_type")?)?)?;
        let mut total = element;
        for child in &ty.children {
            let range = &self.entries[*child].attributes;
            let count = match (range.get("DW_AT_count"), range.get("DW_AT_upper_bound")) {
                (Some(count), _) => *count,
                (None, Some(bound)) => bound.wrapping_add(1),
                (None, None) => return None,
            };
            total *= count;
        }
        Some(total)
    }
}

/// ` <1><9a>: Abbrev Number: 15 (DW_TAG_structure_type)`.
fn entry_line(line: &str) -> Option<(usize, u64, &str)> {
    let rest = line.trim_start().strip_prefix('<')?;
    let (depth, rest) = rest.split_once("><")?;
    let (offset, rest) = rest.split_once(">: Abbrev Number: ")?;
    let tag = rest.split_once('(')?.1.trim_end().strip_suffix(')')?;
    Some((depth.parse().ok()?, u64::from_str_radix(offset, 16).ok()?, tag))
}

/// `    <9d>   DW_AT_byte_size   : 56`.
fn attribute_line(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.trim_start().strip_prefix('<')?.split_once('>')?;
    let rest = rest.trim_start();
    let (key, value) = rest.strip_prefix("DW_AT_").and_then(|_| rest.split_once(':'))?;
    Some((key.trim_end(), value.trim()))
}

/// A string attribute, whether it is written there or in a table.
fn attribute_text(value: &str) -> &str {
    match value.strip_prefix("(indirect") {
        Some(rest) => rest.split_once("): ").map_or(rest, |(_, text)| text).trim(),
        None => value,
    }
}

/// A number or a reference, decimal or hexadecimal.
fn attribute_number(value: &str) -> Option<u64> {
    let word = value.split_whitespace().next()?;
    let word = word.strip_prefix('<').and_then(|w| w.strip_suffix('>')).unwrap_or(word);
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// What makes two records the same one: kind, tag and member names.
fn identity(record: &RecordLayout) -> String {
    let names: Vec<&str> = record.fields.iter().map(|f| f.name.as_deref().unwrap_or("")).collect();
    format!("{} {} {{{}}}", record.kind, record.tag.as_deref().unwrap_or(""), names.join(","))
}

fn title(record: &RecordLayout) -> String {
    let name = record.tag.as_deref().or(record.alias.as_deref()).unwrap_or("<anonymous>");
    format!("{} {name}", record.kind)
}

fn count(fields: &[FieldLayout], result: &mut Comparison) {
    for field in fields {
        result.members += 1;
        result.bit_fields += usize::from(field.bits.is_some());
        count(&field.inner, result);
    }
}

fn differences(ours: &RecordLayout, theirs: &RecordLayout) -> Vec<String> {
    let name = title(ours);
    let mut out = Vec::new();
    let mut differ = |what: String, a: u64, b: u64| {
        if a != b {
            out.push(format!("{what}: {a} here, {b} in the compiler's debug information"));
        }
    };
    differ(format!("size of {name}"), ours.size, theirs.size);
    if theirs.align != 0 {
        differ(format!("alignment of {name}"), ours.align, theirs.align);
    }
    field_differences(&name, &ours.fields, &theirs.fields, &mut differ);
    out
}

fn field_differences(
    name: &str,
    ours: &[FieldLayout],
    theirs: &[FieldLayout],
    differ: &mut dyn FnMut(String, u64, u64),
) {
    differ(format!("number of members of {name}"), ours.len() as u64, theirs.len() as u64);
    for (a, b) in ours.iter().zip(theirs) {
        let member = format!("{name}.{}", a.name.as_deref().unwrap_or("<anonymous>"));
        differ(format!("first bit of {member}"), a.bit_offset, b.bit_offset);
        differ(format!("width of {member}"), a.bits.unwrap_or(0).into(), b.bits.unwrap_or(0).into());
        if let (Some(a), Some(b)) = (a.size, b.size) {
            differ(format!("size of {member}"), a, b);
        }
        field_differences(&member, &a.inner, &b.inner, differ);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "
 <0><c>: Abbrev Number: 10 (DW_TAG_compile_unit)
    <12>   DW_AT_name        : (indirect line string, offset: 0x16): lay.c
 <1><57>: Abbrev Number: 13 (DW_TAG_base_type)
    <58>   DW_AT_byte_size   : 4
    <5a>   DW_AT_name        : int
 <1><60>: Abbrev Number: 6 (DW_TAG_array_type)
    <61>   DW_AT_type        : <0x57>
 <2><67>: Abbrev Number: 3 (DW_TAG_subrange_type)
    <6c>   DW_AT_upper_bound : 2
 <1><9a>: Abbrev Number: 15 (DW_TAG_structure_type)
    <9b>   DW_AT_name        : (indirect string, offset: 0x8d): a
    <9d>   DW_AT_byte_size   : 16
 <2><a5>: Abbrev Number: 8 (DW_TAG_member)
    <a6>   DW_AT_name        : x
    <a9>   DW_AT_type        : <0x57>
    <ad>   DW_AT_bit_size    : 3
    <ae>   DW_AT_data_bit_offset: 5
 <2><af>: Abbrev Number: 8 (DW_TAG_member)
    <b0>   DW_AT_name        : y
    <b1>   DW_AT_type        : <0x60>
    <b2>   DW_AT_data_member_location: 4
";

    fn ours(first_bit: u64) -> RecordLayout {
        let field = |name: &str, bit_offset, bits, size| FieldLayout {
            name: Some(name.to_owned()),
            bit_offset,
            bits,
            size: Some(size),
            inner: Vec::new(),
        };
        RecordLayout {
            kind: "struct".to_owned(),
            tag: Some("a".to_owned()),
            alias: None,
            size: 16,
            align: 4,
            fields: vec![field("x", first_bit, Some(3), 4), field("y", 32, None, 12)],
        }
    }

    #[test]
    fn equal_layouts_agree_and_others_are_named() {
        let dwarf = Dwarf::parse(DUMP);
        let same = dwarf.compare(&[ours(5)]);
        assert_eq!((same.compared, same.members, same.bit_fields), (1, 2, 1));
        assert!(same.differences.is_empty(), "{:?}", same.differences);
        let moved = dwarf.compare(&[ours(0)]);
        assert_eq!(moved.differences.len(), 1);
        assert!(
            moved.differences[0].starts_with("first bit of struct a.x: 0 here, 5"),
            "{:?}",
            moved.differences
        );
    }
}
