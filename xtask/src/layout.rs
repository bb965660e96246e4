// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sizes, offsets and bit-fields of every struct of SQLite and bc against the compiler's DWARF.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use clew_base::stack::try_with_large_stack;
use clew_frontend::{DiskFiles, lower, parse_unit, read_project};
use clew_ir::syntax::{Program, Record, Type};
use clew_native::Compiler;

use crate::compile_log::CompileCommand;
use crate::dwarf::{Bits, Layout, read_layouts};
use crate::sources::Project;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// The projects; SQLite and bc when none is named.
    projects: Vec<Project>,
}

/// Numbers of one project.
#[derive(Default)]
struct Count {
    records: usize,
    members: usize,
    wrong: usize,
    /// In DWARF, but no code that was lowered mentions them.
    unseen: BTreeSet<String>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<bool> {
    let defaults = [Project::Sqlite, Project::Bc];
    let projects = if options.projects.is_empty() { &defaults[..] } else { &options.projects };
    let mut good = true;
    let mut rows =
        vec!["| project | records | members | wrong | not in the IR |\n|---|---|---|---|---|".to_owned()];
    for project in projects {
        let count = judge(*project).with_context(|| project.name())?;
        good &= count.wrong == 0;
        if !count.unseen.is_empty() {
            println!(
                "{}: not in the IR: {}",
                project.name(),
                Vec::from_iter(count.unseen.iter().cloned()).join(" ")
            );
        }
        rows.push(format!(
            "| {} | {} | {} | {} | {} |",
            project.name(),
            count.records,
            count.members,
            count.wrong,
            count.unseen.len()
        ));
    }
    rows.iter().for_each(|row| println!("{row}"));
    Ok(good)
}

fn judge(project: Project) -> Result<Count> {
    let built = project.prepare()?;
    let files = DiskFiles::new();
    let read = read_project(&built.folder, &files).map_err(|error| anyhow!("{error}"))?;
    let mut count = Count::default();
    for (command, theirs) in read.commands.iter().zip(&built.commands) {
        let ours =
            try_with_large_stack(|| parse_unit(command, &files).map(|unit| layouts(&lower::lower(&unit))));
        let ours = ours.context("the front end crashed")?.map_err(|error| anyhow!("{error}"))?;
        compare(&ours, &dwarf_of(theirs)?, &theirs.file, &mut count);
    }
    Ok(count)
}

/// What the compiler says of a unit. Linked as a library, because debug information is whole only then.
fn dwarf_of(command: &CompileCommand) -> Result<BTreeSet<Layout>> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join("unit.so");
    let mut arguments = command.reading_flags();
    arguments.extend(["-g", "-w", "-shared", "-fPIC", "-o"].map(str::to_owned));
    arguments.extend([library.display().to_string(), command.file.display().to_string()]);
    let outcome = Compiler::named("gcc").run(&arguments, Some(&command.directory))?;
    if !outcome.success() {
        return Err(anyhow!("gcc: {}", outcome.stderr_text()));
    }
    Ok(read_layouts(&library)?.into_iter().collect())
}

fn compare(ours: &[Layout], theirs: &BTreeSet<Layout>, file: &Path, count: &mut Count) {
    for layout in theirs {
        let same_name: Vec<&Layout> = match &layout.name {
            Some(_) => {
                ours.iter().filter(|o| o.name == layout.name && o.is_union == layout.is_union).collect()
            }
            // Without a name, the members say which one it is.
            None => ours
                .iter()
                .filter(|o| o.name.is_none() && o.members.keys().eq(layout.members.keys()))
                .collect(),
        };
        if same_name.is_empty() {
            let first = layout.members.keys().next().cloned().unwrap_or_default();
            count.unseen.insert(layout.name.clone().unwrap_or_else(|| format!("{{{first} ...}}")));
            continue;
        }
        count.records += 1;
        count.members += layout.members.len();
        if !same_name.contains(&layout) {
            count.wrong += 1;
            println!("{}: {layout:?}\n  here {:?}", file.display(), same_name[0]);
        }
    }
}

/// The layouts that the IR has.
fn layouts(program: &Program) -> Vec<Layout> {
    let complete = program.records.iter().filter(|record| !record.incomplete);
    complete
        .map(|record| {
            let mut members = BTreeMap::new();
            flatten(program, record, 0, "", &mut members);
            let name = record.name.as_ref().map(|name| name.to_string());
            Layout { name, is_union: record.is_union, size: record.size, members }
        })
        .collect()
}

fn flatten(
    program: &Program,
    record: &Record,
    base: u64,
    prefix: &str,
    members: &mut BTreeMap<String, Bits>,
) {
    for field in &record.fields {
        let offset = base + field.offset * 8 + field.bits.map_or(0, |bits| u64::from(bits.start));
        let size = field.bits.map_or_else(|| program.size_of(field.ty) * 8, |bits| u64::from(bits.width));
        let inner = match &program.types[field.ty] {
            Type::Record(inner) => Some(&program.records[*inner]).filter(|inner| inner.name.is_none()),
            _ => None,
        };
        let path = field.name.as_ref().map(|name| format!("{prefix}{name}"));
        if let Some(path) = &path {
            members.insert(path.clone(), Bits { offset, size });
        }
        if let Some(inner) = inner {
            let prefix = path.map_or_else(|| prefix.to_owned(), |path| format!("{path}."));
            flatten(program, inner, offset, &prefix, members);
        }
    }
}
