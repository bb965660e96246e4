// SPDX-License-Identifier: MIT OR Apache-2.0
//! The manual pages of the checks: for the terminal, and as one Markdown file.

use clew_checks::{ALL, After, Check, Group};

use crate::text::Style;
use crate::wrap::wrap;

/// The page of a check for the terminal.
pub fn text(check: &Check, style: Style) -> String {
    let mut out = format!("{}: {}\n\n{}", style.bold(check.kind.id()), check.title, facts(check));
    let width = style.width.min(100);
    let mut section = |title: &str, body: &str| {
        out += &format!("\n{}\n{body}", style.bold(title));
    };
    section("What it is", &wrap(check.page.what, 2, width));
    section("Why it is bad", &wrap(check.page.why, 2, width));
    section("Example", &indented(&check.page.bad_example()));
    section("Corrected", &indented(&check.page.fixed_example()));
    section("What to do", &wrap(check.page.advice, 2, width));
    section("How clew decides", &wrap(check.page.how, 2, width));
    out
}

/// One line a check, by group.
pub fn list(style: Style) -> String {
    let mut out = String::new();
    for group in Group::ALL {
        out += &format!("{}\n", style.bold(group.name()));
        for check in ALL.iter().filter(|c| c.group == *group) {
            let off = if check.on_by_default { "" } else { " (off by default)" };
            out += &format!("  {:<24}{}{off}\n", check.kind.id(), check.title);
        }
    }
    out
}

/// All pages, for the repository.
pub fn markdown() -> String {
    let mut out = String::from(
        "# The checks\n\n\
         This file is written by a test from the pages in `crates/checks/src` (`clew explain CHECK` shows one).\n\
         The examples are the programs of `tests/c/checks`, which the tests run.\n\n\
         | check | group | CWE | after | default |\n|---|---|---|---|---|\n",
    );
    for check in &ALL {
        out += &format!(
            "| [{id}](#{id}) | {} | {} | {} | {} |\n",
            check.group.name(),
            check.cwe,
            after_word(check.after),
            if check.on_by_default { "on" } else { "off" },
            id = check.kind,
        );
    }
    for check in &ALL {
        let page = &check.page;
        out += &format!(
            "\n## {}\n\n**{}.** {}\n\n{}\n\n```c\n{}```\n\nCorrected:\n\n```c\n{}```\n\n{}\n\n*How clew decides:* {}\n",
            check.kind,
            capitalised(check.title),
            page.what,
            page.why,
            page.bad_example().trim_start(),
            page.fixed_example().trim_start(),
            page.advice,
            page.how,
        );
    }
    out
}

fn facts(check: &Check) -> String {
    let properties: Vec<_> = check.properties.iter().map(|p| p.name()).collect();
    let properties = match properties.as_slice() {
        [] => String::new(),
        some => format!(", SV-COMP {}", some.join(" and ")),
    };
    let default = if check.on_by_default { "" } else { ", off by default" };
    let after = match check.after {
        After::Stop => "a run stops at it",
        After::Continue => "a run counts it and goes on (--stop-on makes it stop)",
    };
    format!("  group {}, CWE-{}{properties}{default}\n  {after}\n", check.group.name(), check.cwe)
}

fn after_word(after: After) -> &'static str {
    match after {
        After::Stop => "stop",
        After::Continue => "continue",
    }
}

fn indented(text: &str) -> String {
    let line = |l: &str| if l.is_empty() { "\n".to_owned() } else { format!("    {l}\n") };
    text.trim_start_matches('\n').lines().map(line).collect()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().to_string() + letters.as_str())
}
