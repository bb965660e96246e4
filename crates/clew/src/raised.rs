// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a trapping search found, as people and programs are shown it.

use std::io::Write;
use std::path::Path;

use clew_base::source::Span;
use clew_confirm::Unit;
use clew_exceptions::entry::Slot;
use clew_exceptions::obligation::Obligations;
use clew_exceptions::{Census, Entry, Finding, Operation, Skipped, Via};
use clew_frontend::Command;
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{Function, Program};
use clew_report::exceptions::{Exceptions, Function as Called, Number, Site};

/// What every answer rests on.
const ASSUMPTIONS: [&str; 4] = [
    "inputs are finite numbers; rounding is to nearest, with gradual underflow",
    "the program is compiled for x86-64 without optimisation and without contraction",
    "functions of <math.h> raise what C says of their arguments and results, which are those of this machine's library",
    "long double is not looked at",
];

/// The number of the unit that defines a function: the one whose own file its body stands in.
pub fn unit_of(program: &Program, commands: &[Command], function: &Function) -> Option<usize> {
    let body = function.body.iter().flat_map(|body| body.blocks.iter().map(|block| block.span));
    let span = body.chain([function.span]).find(|span| *span != Span::NONE)?;
    let file = &program.sources.files.get(span.file)?.name;
    commands.iter().position(|command| *command.file.display().to_string() == **file)
}

/// Writes a C test of each site, into files that are not there yet.
pub fn emit_tests(folder: &Path, units: &[Unit], entries: &[Entry], census: &Census) -> Result<(), String> {
    let at = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
    for site in &census.sites {
        let Some(finding) = site.findings.first() else { continue };
        let entry = &entries[finding.entry];
        let unit = &units[entry.unit];
        let file = std::path::absolute(&unit.file).map_err(|error| at(&unit.file, error))?;
        let stem =
            Path::new(&*site.place.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let what = match site.operation {
            Operation::Call => "_call",
            Operation::Comparison => "_comparison",
            Operation::ToInteger => "_to_integer",
            Operation::Arithmetic | Operation::Conversion => "",
        };
        let name = format!("{stem}_{}_{}_{}{what}.c", site.place.line, site.place.column, site.kind.name());
        let flags: Vec<String> =
            unit.preprocess.iter().map(|flag| flag.to_string_lossy().into_owned()).collect();
        let others = units.iter().enumerate().filter(|(number, _)| *number != entry.unit);
        let others: Vec<String> = others.map(|(_, unit)| unit.file.display().to_string()).collect();
        let command = format!(
            "{} -O0 -ffp-contract=off -w {} {name} {} -lm",
            unit.compiler,
            flags.join(" "),
            others.join(" ")
        );
        let Some(text) = clew_exceptions::test(site, finding, entry, &file.display().to_string(), &command)
        else {
            continue;
        };
        let path = folder.join(name);
        let mut out = std::fs::File::create_new(&path).map_err(|error| at(&path, error))?;
        out.write_all(text.as_bytes()).map_err(|error| at(&path, error))?;
    }
    Ok(())
}

/// The report.
pub fn report(program: &Program, entries: &[Entry], skipped: &[Skipped], census: &Census) -> Exceptions {
    let obligations = Obligations::new(program);
    let ids = stable_ids(program);
    let here = std::env::current_dir().unwrap_or_default();
    let shown = |file: &str| {
        Path::new(file).strip_prefix(&here).map_or_else(|_| file.to_owned(), |p| p.display().to_string())
    };
    let mut sites: Vec<(Via, Site)> = Vec::new();
    for site in &census.sites {
        let Some(first) = site.findings.first() else { continue };
        let entry = &entries[first.entry];
        let violated = obligations.of(site);
        sites.push((
            first.via,
            Site {
                file: shown(&site.place.file),
                line: site.place.line,
                column: site.place.column,
                kind: site.kind.name().to_owned(),
                operation: site.operation.name().to_owned(),
                function: site.function.clone(),
                entry: entry.name.clone(),
                via: via(first.via).to_owned(),
                cost: first.cost,
                inputs: inputs(entry, first),
                others: site.findings[1..].iter().map(|f| entries[f.entry].name.clone()).collect(),
                obligations: violated.iter().map(|(function, id)| ids[*function][*id].to_string()).collect(),
                avoidable: None,
            },
        ));
    }
    sites.sort_by_key(|(via, _)| *via);
    let functions = entries.iter().zip(&census.ran).map(|(entry, ran)| Called {
        name: entry.name.clone(),
        public: entry.is_public,
        runs: ran.runs,
        faults: ran.faults,
        too_long: ran.too_long,
        left: ran.left,
        cut_short: ran.cut_short.clone(),
        silent: ran.silent.as_ref().map(|values| numbers(entry, values)),
    });
    Exceptions {
        version: 1,
        assumptions: ASSUMPTIONS.map(str::to_owned).to_vec(),
        functions: functions.collect(),
        skipped: skipped.iter().map(|one| (one.name.clone(), one.why.clone())).collect(),
        sites: sites.into_iter().map(|(_, site)| site).collect(),
        unconfirmed: census.unconfirmed,
    }
}

fn via(via: Via) -> &'static str {
    match via {
        Via::Silent => "silent",
        Via::Public => "public",
        Via::Direct => "direct",
    }
}

fn inputs(entry: &Entry, finding: &Finding) -> Vec<Number> {
    numbers(entry, &finding.values)
}

/// The numbers of a run with their names; zeros in memory that is written to are left out.
fn numbers(entry: &Entry, values: &[u64]) -> Vec<Number> {
    let slots = entry.slots();
    let shown = slots.iter().zip(values).filter(|(slot, bits)| !slot.is_output || **bits != 0);
    shown.map(|(slot, bits)| number(slot, *bits)).collect()
}

fn number(slot: &Slot, bits: u64) -> Number {
    let name = slot.name.clone();
    match slot.kind {
        'd' | 'f' => {
            let value = f64::from_bits(bits);
            Number { name, value: format!("{value:?}"), exact: clew_exceptions::hex(value) }
        }
        _ => {
            let value = (bits as i64).to_string();
            Number { name, value: value.clone(), exact: value }
        }
    }
}
