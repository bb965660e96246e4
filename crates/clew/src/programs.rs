// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several units with several mains are several programs.
//!
//! A project's compile commands do not say which objects make which program. As with a static library, a main
//! takes the units that define what it needs, and what those need. What no main needs is a program of its own.

use std::collections::{BTreeSet, HashMap};

use clew_ir::link::{LinkError, link, open_weak_definitions};
use clew_ir::syntax::{Linkage, Program};

/// The programs that the units make, or why they do not go together.
pub fn programs(units: Vec<Program>) -> Result<Vec<Program>, Vec<LinkError>> {
    let mut programs = linked(units)?;
    programs.iter_mut().for_each(open_weak_definitions);
    programs.iter_mut().for_each(crate::hardware::apply);
    Ok(programs)
}

fn linked(units: Vec<Program>) -> Result<Vec<Program>, Vec<LinkError>> {
    let mains: Vec<usize> = (0..units.len()).filter(|u| defines(&units[*u], "main")).collect();
    if mains.len() < 2 {
        return link(units).map(|program| vec![program]);
    }
    let mut providers: HashMap<String, usize> = HashMap::new();
    for (number, unit) in units.iter().enumerate().filter(|(n, _)| !mains.contains(n)) {
        for name in definitions(unit) {
            providers.entry(name).or_insert(number);
        }
    }
    let groups = mains.iter().map(|main| needed(&units, *main, &providers)).collect::<Vec<_>>();
    let used: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    let rest: BTreeSet<usize> = (0..units.len()).filter(|unit| !used.contains(unit)).collect();
    let groups = groups.into_iter().chain(std::iter::once(rest)).filter(|group| !group.is_empty());
    groups.map(|group| link(group.into_iter().map(|unit| units[unit].clone()).collect())).collect()
}

fn needed(units: &[Program], main: usize, providers: &HashMap<String, usize>) -> BTreeSet<usize> {
    let mut group = BTreeSet::from([main]);
    let mut open = vec![main];
    while let Some(unit) = open.pop() {
        for name in needs(&units[unit]) {
            if let Some(provider) = providers.get(&name)
                && group.insert(*provider)
            {
                open.push(*provider);
            }
        }
    }
    group
}

fn defines(unit: &Program, name: &str) -> bool {
    unit.functions.iter().any(|f| &*f.name == name && f.body.is_some())
}

fn definitions(unit: &Program) -> impl Iterator<Item = String> {
    let visible = |linkage: Linkage| linkage != Linkage::Internal;
    let functions = unit.functions.iter().filter(move |f| f.body.is_some() && visible(f.linkage));
    let globals = unit.globals.iter().filter(move |g| g.init.is_some() && visible(g.linkage));
    functions.map(|f| f.name.to_string()).chain(globals.map(|g| g.name.to_string()))
}

fn needs(unit: &Program) -> impl Iterator<Item = String> {
    let functions = unit.functions.iter().filter(|f| f.body.is_none()).map(|f| f.name.to_string());
    functions.chain(unit.globals.iter().filter(|g| g.init.is_none()).map(|g| g.name.to_string()))
}
