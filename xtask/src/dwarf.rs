// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layouts of structs and unions as the compiler wrote them into DWARF.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, Unit, UnitOffset};
use object::{Object, ObjectSection};

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a, 'b> = DebuggingInformationEntry<'b, 'b, Slice<'a>>;

/// Where a member is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Bits {
    /// First bit from the start of the record.
    pub offset: u64,
    /// How many.
    pub size: u64,
}

/// A struct or union, laid out. Members of anonymous members count as its own; members of a named member whose
/// type has no name are written `a.b`.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Layout {
    /// The tag.
    pub name: Option<String>,
    /// Whether it is a union.
    pub is_union: bool,
    /// Bytes.
    pub size: u64,
    /// Members by name.
    pub members: BTreeMap<String, Bits>,
}

/// Every complete struct and union that the debug information of a linked file describes.
pub fn read_layouts(file: &Path) -> Result<Vec<Layout>> {
    let data = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let object = object::File::parse(&*data)?;
    let load = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>> {
        let section = object.section_by_name(id.name());
        Ok(section.map(|section| section.uncompressed_data()).transpose()?.unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(load)?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut layouts = Vec::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let reader = Reader { dwarf: &dwarf, unit: &unit };
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            if is_record(entry) && entry.attr(gimli::DW_AT_declaration)?.is_none() {
                layouts.push(reader.layout(entry)?);
            }
        }
    }
    Ok(layouts)
}

fn is_record(entry: &Entry<'_, '_>) -> bool {
    matches!(entry.tag(), gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type)
}

struct Reader<'r, 'a> {
    dwarf: &'r Dwarf<Slice<'a>>,
    unit: &'r Unit<Slice<'a>>,
}

impl<'a> Reader<'_, 'a> {
    fn layout(&self, entry: &Entry<'a, '_>) -> Result<Layout> {
        let mut members = BTreeMap::new();
        self.members(entry.offset(), 0, "", &mut members)?;
        Ok(Layout {
            name: self.name(entry)?,
            is_union: entry.tag() == gimli::DW_TAG_union_type,
            size: number(entry, gimli::DW_AT_byte_size)?.unwrap_or(0),
            members,
        })
    }

    fn name(&self, entry: &Entry<'a, '_>) -> Result<Option<String>> {
        let Some(value) = entry.attr_value(gimli::DW_AT_name)? else { return Ok(None) };
        Ok(Some(self.dwarf.attr_string(self.unit, value)?.to_string_lossy().into_owned()))
    }

    fn members(
        &self,
        record: UnitOffset,
        base: u64,
        prefix: &str,
        members: &mut BTreeMap<String, Bits>,
    ) -> Result<()> {
        let mut tree = self.unit.entries_tree(Some(record))?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let member = child.entry();
            if member.tag() != gimli::DW_TAG_member {
                continue;
            }
            let ty = self.bare_type(member)?.context("a member without a type")?;
            let offset = base + member_offset(member)?;
            let name = self.name(member)?;
            let inner = self.unit.entry(ty)?;
            match name {
                None if is_record(&inner) => self.members(ty, offset, prefix, members)?,
                Some(name) if is_record(&inner) && self.name(&inner)?.is_none() => {
                    let path = format!("{prefix}{name}");
                    members.insert(path.clone(), Bits { offset, size: self.size(ty)? * 8 });
                    self.members(ty, offset, &format!("{path}."), members)?;
                }
                Some(name) => {
                    let size = match number(member, gimli::DW_AT_bit_size)? {
                        Some(bits) => bits,
                        None => self.size(ty)? * 8,
                    };
                    members.insert(format!("{prefix}{name}"), Bits { offset, size });
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The type of an entry behind typedefs and qualifiers; `None` is void.
    fn bare_type(&self, entry: &Entry<'a, '_>) -> Result<Option<UnitOffset>> {
        let mut at = type_of(entry)?;
        while let Some(offset) = at {
            let entry = self.unit.entry(offset)?;
            match entry.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_atomic_type => at = type_of(&entry)?,
                _ => break,
            }
        }
        Ok(at)
    }

    /// Bytes of a type.
    fn size(&self, ty: UnitOffset) -> Result<u64> {
        let entry = self.unit.entry(ty)?;
        if let Some(size) = number(&entry, gimli::DW_AT_byte_size)? {
            return Ok(size);
        }
        match entry.tag() {
            gimli::DW_TAG_pointer_type => Ok(u64::from(self.unit.encoding().address_size)),
            gimli::DW_TAG_array_type => {
                let element = self.bare_type(&entry)?.context("an array of nothing")?;
                Ok(self.size(element)? * self.elements(ty)?)
            }
            _ => Ok(0),
        }
    }

    /// Elements of an array in all its dimensions; a flexible one has none.
    fn elements(&self, array: UnitOffset) -> Result<u64> {
        let mut count = 1;
        let mut tree = self.unit.entries_tree(Some(array))?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let range = child.entry();
            if range.tag() == gimli::DW_TAG_subrange_type {
                let upper = number(range, gimli::DW_AT_upper_bound)?.map(|bound| bound.wrapping_add(1));
                count *= match number(range, gimli::DW_AT_count)? {
                    Some(count) => count,
                    None => upper.unwrap_or(0),
                };
            }
        }
        Ok(count)
    }
}

fn type_of(entry: &Entry<'_, '_>) -> Result<Option<UnitOffset>> {
    Ok(match entry.attr_value(gimli::DW_AT_type)? {
        Some(AttributeValue::UnitRef(offset)) => Some(offset),
        _ => None,
    })
}

fn number(entry: &Entry<'_, '_>, attribute: gimli::DwAt) -> Result<Option<u64>> {
    let value = entry.attr_value(attribute)?;
    // A zero-length array has the upper bound -1.
    Ok(value.and_then(|value| value.udata_value().or_else(|| value.sdata_value().map(|n| n as u64))))
}

fn member_offset(member: &Entry<'_, '_>) -> Result<u64> {
    if let Some(bits) = number(member, gimli::DW_AT_data_bit_offset)? {
        return Ok(bits);
    }
    Ok(number(member, gimli::DW_AT_data_member_location)?.unwrap_or(0) * 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clew_native::Compiler;

    #[test]
    fn reads_offsets_bit_fields_and_anonymous_members() {
        let text = "struct s { char a; union { int b; short c; }; unsigned d : 3, e : 7; struct { long g; } f; int h[2][3]; };\n\
                    struct s x; int main(void) { return x.b; }";
        let program = Compiler::find().unwrap().build_text(text, &["-g"]).unwrap();
        let layouts = read_layouts(&program.path()).unwrap();
        let layout = layouts.iter().find(|layout| layout.name.as_deref() == Some("s")).unwrap();
        let bits = |name: &str| (layout.members[name].offset, layout.members[name].size);
        assert_eq!((layout.size, layout.is_union), (48, false));
        assert_eq!((bits("a"), bits("b"), bits("c")), ((0, 8), (32, 32), (32, 16)));
        assert_eq!((bits("d"), bits("e")), ((64, 3), (67, 7)));
        assert_eq!((bits("f"), bits("f.g"), bits("h")), ((128, 64), (128, 64), (192, 192)));
    }
}
