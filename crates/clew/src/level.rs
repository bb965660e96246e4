// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level that `--level` and `--without` ask for.

use clew_absint::level::{Domain, Domains, Level};

/// The level of a number or name, without some domains.
pub fn chosen(level: Option<&str>, without: &[String]) -> Result<Level, String> {
    let level = match level {
        None => Level::default(),
        Some(word) => {
            let is_meant = |level: &Level| level.name == word || level.number.to_string() == word;
            Level::ALL.into_iter().find(is_meant).ok_or_else(|| no_level(word))?
        }
    };
    let domains = without.iter().map(|name| Domain::of_name(name).ok_or_else(|| no_domain(name)));
    Ok(level.without(domains.collect::<Result<Vec<Domain>, String>>()?))
}

fn no_level(word: &str) -> String {
    let levels = Level::ALL.map(|level| format!("{} ({})", level.number, level.name));
    format!("there is no level `{word}`; the levels are {}", levels.join(", "))
}

fn no_domain(name: &str) -> String {
    let names = Domain::ALL.map(Domain::name);
    format!("there is no domain `{name}`; the domains are {}", names.join(", "))
}

/// The level as a report shows it.
pub fn shown(level: Level) -> clew_report::model::Level {
    let whole = Level::ALL.into_iter().find(|other| other.number == level.number);
    let domains = whole.map_or(Domains::NONE, |whole| whole.domains);
    let off = domains.iter().filter(|domain| !level.domains.has(*domain));
    clew_report::model::Level {
        number: level.number,
        name: level.name.to_owned(),
        is_default: level.number == Level::default().number,
        without: off.map(|domain| domain.name().to_owned()).collect(),
    }
}
