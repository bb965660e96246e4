// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the search, one process a function, and makes sites of what the processes say.

use std::collections::BTreeMap;
use std::time::Duration;

use clew_base::workers::{cores, in_order};
use clew_native::Status;

use crate::build::{Programs, Settings};
use crate::entry::Entry;
use crate::lines::Place;
use crate::replay::replay;
use crate::sandbox::run;
use crate::site::{Finding, Kind, Operation, Site, Via};

/// Blocks in a second, at the least: what the clock ends had no blocks to count.
const BLOCKS_A_SECOND: u64 = 4_000_000;

/// One place of one function's search.
struct Seen {
    address: u64,
    kind: Kind,
    operation: Operation,
    cost: u64,
    silent: bool,
    values: Vec<u64>,
}

/// What the search of one entry did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Runs.
    pub runs: u64,
    /// What they cost.
    pub cost: u64,
    /// Runs that a fault of memory ended, that took too long, that ended the process.
    pub faults: u64,
    /// Too long.
    pub too_long: u64,
    /// Left.
    pub left: u64,
    /// Why the search itself ended before its time, if it did.
    pub cut_short: Option<String>,
    /// Numbers on which it says that all is well and gives infinity or no number.
    pub silent: Option<Vec<u64>>,
}

/// What is raised in a program.
pub struct Census {
    /// The sites that were confirmed, by place.
    pub sites: Vec<Site>,
    /// What each entry's search did.
    pub ran: Vec<Ran>,
    /// Witnesses that the second program did not confirm: they are not told.
    pub unconfirmed: usize,
}

/// Searches from every entry, and confirms what is found.
pub fn census(
    programs: &Programs,
    entries: &[Entry],
    settings: &Settings,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Census {
    let numbers: Vec<usize> = (0..entries.len()).collect();
    let searched = in_order(cores(), &numbers, |_, number| match is_cancelled() {
        true => (Vec::new(), Ran { cut_short: Some("cancelled".to_owned()), ..Ran::default() }),
        false => search(programs, *number, settings),
    });
    let mut sites: BTreeMap<(Place, Kind, Operation), Site> = BTreeMap::new();
    let mut ran = Vec::new();
    for (number, (seen, one)) in searched.into_iter().enumerate() {
        ran.push(one);
        for seen in seen {
            // A call's address is that of what follows it.
            let address = seen.address - u64::from(seen.operation == Operation::Call);
            let Some(place) = programs.search_lines.place(address) else { continue };
            let function =
                programs.search_lines.function(address).map_or_else(String::new, |name| name.to_string());
            // Arguments that are converted on their way are ours.
            if function.starts_with("clew_") {
                continue;
            }
            let via = match (entries[number].is_public, seen.silent) {
                (true, true) => Via::Silent,
                (true, false) => Via::Public,
                (false, _) => Via::Direct,
            };
            let site = sites.entry((place.clone(), seen.kind, seen.operation)).or_insert_with(|| Site {
                place: place.clone(),
                kind: seen.kind,
                operation: seen.operation,
                function,
                findings: Vec::new(),
            });
            // Several instructions of one place: the first that was found will do.
            if site.findings.iter().all(|known| known.entry != number || known.via > via) {
                site.findings.retain(|known| known.entry != number);
                site.findings.push(Finding { entry: number, values: seen.values, via, cost: seen.cost });
            }
        }
    }
    let mut sites: Vec<Site> = sites.into_values().collect();
    let kept = in_order(cores(), &sites, |_, site| confirmed(programs, site, settings, is_cancelled));
    let mut unconfirmed = 0;
    for (site, findings) in sites.iter_mut().zip(kept) {
        unconfirmed += usize::from(findings.is_empty());
        site.findings = findings;
    }
    sites.retain(|site| !site.findings.is_empty());
    Census { sites, ran, unconfirmed }
}

/// The findings of a site, the best first and confirmed: those behind it are not asked about.
fn confirmed(
    programs: &Programs,
    site: &Site,
    settings: &Settings,
    is_cancelled: &dyn Fn() -> bool,
) -> Vec<Finding> {
    /// A witness that cannot be shown again is rare, and the next may do.
    const TRIED: usize = 4;
    let mut findings = site.findings.clone();
    findings.sort_by_key(|finding| (finding.via, finding.entry));
    let mut tried = 0;
    while let Some(first) = findings.first_mut() {
        if is_cancelled() || tried == TRIED {
            return Vec::new();
        }
        match replay(programs, site, first, settings) {
            Some(silent) => {
                if !silent && first.via == Via::Silent {
                    first.via = Via::Public;
                }
                return findings;
            }
            None => {
                findings.remove(0);
                tried += 1;
            }
        }
    }
    findings
}

fn search(programs: &Programs, number: usize, settings: &Settings) -> (Vec<Seen>, Ran) {
    // Divisions by zero, overflows and what is invalid; tiny results where they are wanted.
    let kinds = if settings.underflow { 0b1111 } else { 0b1011 };
    let words =
        [number.to_string(), settings.budget.to_string(), settings.seed.to_string(), kinds.to_string()];
    let time = Duration::from_secs(5 + settings.budget / BLOCKS_A_SECOND);
    let Some(outcome) = run(&programs.search(), &words, time, settings) else {
        let cut_short = Some("it could not be started".to_owned());
        return (Vec::new(), Ran { cut_short, ..Ran::default() });
    };
    let (seen, mut ran) = read(&String::from_utf8_lossy(&outcome.stdout));
    if outcome.status != Status::Exited(0) {
        ran.cut_short = Some(outcome.status.to_string());
    }
    (seen, ran)
}

/// What a search says, line by line. A site that is told again has a better witness.
fn read(said: &str) -> (Vec<Seen>, Ran) {
    let mut seen: BTreeMap<(u64, Kind), Seen> = BTreeMap::new();
    let mut ran = Ran::default();
    for line in said.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        match words.first() {
            Some(&"site") if words.len() >= 6 => {
                let address = u64::from_str_radix(words[1], 16).unwrap_or(0);
                let Some(kind) = Kind::of_number(number(2) as u32) else { continue };
                let (operation, cost) = (Operation::of_letter(words[3]), number(4));
                let values = numbers(&words[6..]);
                seen.insert(
                    (address, kind),
                    Seen { address, kind, operation, cost, silent: words[5] == "1", values },
                );
            }
            Some(&"silent") => ran.silent = Some(numbers(words.get(2..).unwrap_or_default())),
            Some(&"done") => {
                (ran.runs, ran.cost) = (number(1), number(2));
                (ran.faults, ran.too_long, ran.left) = (number(3), number(4), number(5));
            }
            _ => {}
        }
    }
    (seen.into_values().collect(), ran)
}

fn numbers(words: &[&str]) -> Vec<u64> {
    words.iter().map(|word| u64::from_str_radix(word, 16).unwrap_or(0)).collect()
}
