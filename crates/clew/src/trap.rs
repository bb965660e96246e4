// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs from a trapping search for `clew check`: the compiled program says on which inputs an entry raises float exceptions, and the interpreter
//! follows. What it sees there is recorded like all that it sees.

use std::collections::{BTreeMap, BTreeSet};

use clew_exceptions::entry::Parameter;
use clew_exceptions::{Entry, Programs, Settings as Traps, census, entries};
use clew_frontend::Command;
use clew_ir::syntax::Program;
use clew_ir::witness::{Input, InputKind, VERSION, Witness};

use crate::confirm::unit;
use crate::raised::unit_of;
use crate::settings::Settings;
use crate::watch::is_cancelled;

/// Blocks for each entry: a tenth of a second.
const BUDGET: u64 = 4_000_000;

/// Inputs of one entry that are followed.
const MOST: usize = 100;

/// Inputs for the drivers of entries, by the entry's name. Empty unless only float checks are asked for: it takes a build of the program.
pub fn trapped(
    program: &Program,
    commands: &[Command],
    named: &[String],
    settings: &Settings,
) -> BTreeMap<String, Vec<Witness>> {
    let Ok(launcher) = std::env::current_exe() else { return BTreeMap::new() };
    if !settings.is_about_floats() || is_cancelled() {
        return BTreeMap::new();
    }
    let (mut all, _) = entries(program, |function| unit_of(program, commands, function));
    all.retain(|entry| named.iter().any(|name| **name == *program.functions[entry.function].name));
    if all.is_empty() {
        return BTreeMap::new();
    }
    let traps = Traps { budget: BUDGET, seed: 1, underflow: true, told_by: Vec::new(), launcher };
    let units: Vec<_> = commands.iter().map(unit).collect();
    // Who has no compiler, or another one, has the other engines.
    let Ok(programs) = Programs::build(program, &units, &all, &traps) else { return BTreeMap::new() };
    let census = census(&programs, &all, &traps, &is_cancelled);
    let mut found: BTreeMap<String, BTreeSet<Witness>> = BTreeMap::new();
    for finding in census.sites.iter().flat_map(|site| &site.findings) {
        let entry = &all[finding.entry];
        let name = program.functions[entry.function].name.to_string();
        let known = found.entry(name).or_default();
        if known.len() < MOST {
            known.insert(witness(entry, &finding.values));
        }
    }
    found.into_iter().map(|(name, witnesses)| (name, witnesses.into_iter().collect())).collect()
}

/// The inputs of the driver (`clew_confirm::driver`) in the order in which it reads them: what lies behind pointers first, then the arguments,
/// the last one first.
fn witness(entry: &Entry, values: &[u64]) -> Witness {
    let mut values = values.iter().copied();
    let (mut memory, mut arguments) = (Vec::new(), Vec::new());
    for parameter in &entry.parameters {
        if parameter.kind != 'p' {
            let value = values.next().unwrap_or(0);
            arguments.push(input(&parameter.name, parameter.kind, value));
            continue;
        }
        if parameter.by_value.is_none() {
            memory.push(input(&format!("{}__is_there", parameter.name), 'B', 1));
            memory.push(input(&format!("{}__count", parameter.name), 'H', u64::from(parameter.count) - 1));
        }
        for _ in 0..parameter.count {
            fill(parameter, &mut values, &mut memory);
        }
    }
    arguments.reverse();
    memory.extend(arguments);
    Witness { version: VERSION, inputs: memory, goes_on_after: Vec::new() }
}

fn fill(parameter: &Parameter, values: &mut impl Iterator<Item = u64>, out: &mut Vec<Input>) {
    for leaf in &parameter.leaves {
        let value = values.next().unwrap_or(0);
        // Elements of arrays go by the name of their array.
        let words = leaf.name.split(['.', '[']).map(|word| word.trim_start_matches("->"));
        let members = words.filter(|word| !word.is_empty() && !word.ends_with(']'));
        let name: Vec<&str> = [parameter.name.as_str()].into_iter().chain(members).collect();
        out.push(input(&name.join("_"), leaf.kind, value));
    }
}

fn input(name: &str, kind: char, value: u64) -> Input {
    let shown = match kind {
        'd' | 'f' => format!("{:?}", f64::from_bits(value)),
        _ => (value as i64).to_string(),
    };
    let bits = Some(format!("{:#x}", pattern(kind, value)));
    Input { kind: InputKind::Call, name: format!("nondet_{name}"), bits, value: Some(shown) }
}

/// The bits of a number in its own type.
fn pattern(kind: char, value: u64) -> u128 {
    match kind {
        'f' => u128::from((f64::from_bits(value) as f32).to_bits()),
        'b' | 'B' => u128::from(value as u8),
        'h' | 'H' => u128::from(value as u16),
        'w' | 'W' => u128::from(value as u32),
        _ => u128::from(value),
    }
}
