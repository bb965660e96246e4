// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the address of an instruction to the line and column of its operation, by the debug information.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use gimli::{ColumnType, Dwarf, EndianSlice, LittleEndian, Unit};
use object::{Object, ObjectSection};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, as the compiler names it: whole paths.
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

struct Row {
    start: u64,
    end: u64,
    place: Place,
}

/// The lines of a program, and its functions.
pub(crate) struct Lines {
    rows: Vec<Row>,
    functions: Vec<(u64, u64, Arc<str>)>,
}

impl Lines {
    /// Reads the debug information of a file.
    pub(crate) fn read(file: &Path) -> Result<Lines, String> {
        let data = std::fs::read(file).map_err(|e| e.to_string())?;
        read(&data).map_err(|why| format!("the debug information cannot be read: {why}"))
    }

    /// The place of an instruction.
    pub(crate) fn place(&self, address: u64) -> Option<&Place> {
        let at = self.rows.partition_point(|row| row.start <= address).checked_sub(1)?;
        self.rows.get(at).filter(|row| address < row.end).map(|row| &row.place)
    }

    /// The function of an instruction.
    pub(crate) fn function(&self, address: u64) -> Option<&Arc<str>> {
        let at = self.functions.partition_point(|(start, ..)| *start <= address).checked_sub(1)?;
        self.functions.get(at).filter(|(_, end, _)| address < *end).map(|(.., name)| name)
    }
}

fn read(data: &[u8]) -> Result<Lines, String> {
    let object = object::File::parse(data).map_err(|e| e.to_string())?;
    let load = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, String> {
        let section = object.section_by_name(id.name());
        let data = section.map(|section| section.uncompressed_data()).transpose();
        Ok(data.map_err(|e| e.to_string())?.unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(load)?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut lines = Lines { rows: Vec::new(), functions: Vec::new() };
    let mut units = dwarf.units();
    while let Some(header) = units.next().map_err(text)? {
        let unit = dwarf.unit(header).map_err(text)?;
        lines.add_rows(&dwarf, &unit).map_err(text)?;
        lines.add_functions(&dwarf, &unit).map_err(text)?;
    }
    lines.rows.sort_by_key(|row| row.start);
    lines.functions.sort();
    Ok(lines)
}

fn text(error: gimli::Error) -> String {
    error.to_string()
}

impl Lines {
    fn add_rows<'a>(&mut self, dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>) -> gimli::Result<()> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let folder = unit.comp_dir.map(|dir| dir.to_string_lossy().into_owned()).unwrap_or_default();
        let header = program.header().clone();
        let mut names: Vec<Option<Arc<str>>> = Vec::new();
        let mut rows = program.rows();
        let mut open: Option<(u64, Place)> = None;
        while let Some((_, row)) = rows.next_row()? {
            if let Some((start, place)) = open.take()
                && start < row.address()
            {
                self.rows.push(Row { start, end: row.address(), place });
            }
            if row.end_sequence() {
                continue;
            }
            let index = row.file_index() as usize;
            if names.len() <= index {
                names.resize(index + 1, None);
            }
            if names[index].is_none() {
                names[index] = Some(file_name(dwarf, unit, &header, row.file_index(), &folder)?.into());
            }
            let column = match row.column() {
                ColumnType::LeftEdge => 0,
                ColumnType::Column(column) => column.get() as u32,
            };
            if let (Some(line), Some(Some(file))) = (row.line(), names.get(index)) {
                open = Some((row.address(), Place { file: file.clone(), line: line.get() as u32, column }));
            }
        }
        Ok(())
    }

    fn add_functions<'a>(&mut self, dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>) -> gimli::Result<()> {
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs()? {
            if entry.tag() != gimli::DW_TAG_subprogram {
                continue;
            }
            let Some(name) = entry.attr_value(gimli::DW_AT_name)? else { continue };
            let name = dwarf.attr_string(unit, name)?.to_string_lossy().into_owned();
            let mut ranges = dwarf.die_ranges(unit, entry)?;
            while let Some(range) = ranges.next()? {
                self.functions.push((range.begin, range.end, name.as_str().into()));
            }
        }
        Ok(())
    }
}

fn file_name<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    header: &gimli::LineProgramHeader<Slice<'a>>,
    index: u64,
    folder: &str,
) -> gimli::Result<String> {
    let Some(file) = header.file(index) else { return Ok(String::new()) };
    let name = dwarf.attr_string(unit, file.path_name())?.to_string_lossy().into_owned();
    let directory = match file.directory(header) {
        Some(directory) => dwarf.attr_string(unit, directory)?.to_string_lossy().into_owned(),
        None => String::new(),
    };
    let path = Path::new(folder).join(directory).join(name);
    Ok(path.display().to_string())
}
