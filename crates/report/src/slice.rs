// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slices as text: for each open obligation the lines it comes from, with what is known and what was lost there.

use clew_ir::verdict::Verdict;

use crate::model::{Row, Slice};
use crate::text::Style;

/// Renders the slices of open obligations, one after the other.
pub fn render<'r>(rows: impl IntoIterator<Item = &'r Row>, style: Style) -> String {
    let mut out = String::new();
    for row in rows {
        let Verdict::Open(reason) = &row.verdict else { continue };
        if !out.is_empty() {
            out.push('\n');
        }
        out +=
            &format!("{}: {} in {}  `{}`\n", row.place, style.bold(row.check.id()), row.function, row.text);
        out += &format!("open, {reason}; id {}\n", row.id);
        match &row.slice {
            None => out += "  nothing is known of where this comes from\n",
            Some(slice) => out += &lines(row, slice),
        }
    }
    out
}

fn lines(row: &Row, slice: &Slice) -> String {
    let mut out = String::new();
    let is_here = |line: u32, file: &str| line == row.place.line && *file == *row.place.file;
    let places = slice.lines.iter().map(|line| line.place.to_string().len());
    let width = places.max().unwrap_or(0);
    for line in &slice.lines {
        let mark = if is_here(line.place.line, &line.place.file) { '>' } else { ' ' };
        out += &format!("{mark} {:width$}  {}\n", line.place.to_string(), line.text);
        let indent = " ".repeat(width + 6);
        let values: Vec<String> =
            line.values.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        if !values.is_empty() {
            out += &format!("{indent}{}\n", values.join("; "));
        }
        line.lost.iter().for_each(|lost| out += &format!("{indent}lost: {lost}\n"));
    }
    if slice.is_cut {
        out += "  there is more: this is where it ends\n";
    }
    out
}
