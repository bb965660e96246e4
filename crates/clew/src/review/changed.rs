// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--changed-since REV`: which lines git says are new, and which findings have to do with them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_base::source::Place;
use clew_report::Finding;

/// The changed lines of each file, by its full path.
pub struct Lines(BTreeMap<PathBuf, Vec<Range<u32>>>);

/// Asks git.
pub fn lines(revision: &str) -> Result<Lines, String> {
    if revision.starts_with('-') {
        return Err(format!("--changed-since: `{revision}` is no revision"));
    }
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end());
    let diff = git(&["diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-renames", revision, "--"])?;
    let mut lines = parse(&diff, &top);
    for file in git(&["ls-files", "--others", "--exclude-standard", "--full-name", ":/"])?.lines() {
        lines.entry(top.join(file)).or_default().push(0..u32::MAX);
    }
    Ok(Lines(lines))
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let ran = Command::new("git").args(arguments).output();
    let ran = ran.map_err(|e| format!("--changed-since asks git, which cannot be started: {e}"))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(format!("--changed-since: {}", said.lines().next().unwrap_or("git fails")));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

fn parse(diff: &str, top: &Path) -> BTreeMap<PathBuf, Vec<Range<u32>>> {
    let mut lines: BTreeMap<PathBuf, Vec<Range<u32>>> = BTreeMap::new();
    let mut file = None;
    for line in diff.lines() {
        if let Some(name) = line.strip_prefix("+++ ") {
            file = name.strip_prefix("b/").map(|name| top.join(name));
        } else if let Some(hunk) = line.strip_prefix("@@ ")
            && let Some(file) = &file
        {
            lines.entry(file.clone()).or_default().extend(new_lines(hunk));
        }
    }
    lines
}

/// The lines of `-1,2 +3,4 @@ ...` that are new; where lines only went, the two beside the gap.
fn new_lines(hunk: &str) -> Option<Range<u32>> {
    let new = hunk.split(' ').find_map(|part| part.strip_prefix('+'))?;
    let (start, count) = new.split_once(',').unwrap_or((new, "1"));
    let (start, count): (u32, u32) = (start.parse().ok()?, count.parse().ok()?);
    Some(if count == 0 { start..start + 2 } else { start..start + count })
}

impl Lines {
    /// Whether the finding, the calls and branches that lead to it, or a place that its message shows is changed.
    pub fn touch(&self, finding: &Finding) -> bool {
        let notes = finding.message.notes.iter().filter(|note| !note.span.is_none());
        self.hold(&finding.place())
            || finding.stack.iter().any(|frame| self.hold(&frame.place))
            || finding.path.iter().any(|step| self.hold(&step.place))
            || notes.into_iter().any(|note| self.hold(&finding.sources.place(note.span)))
    }

    fn hold(&self, place: &Place) -> bool {
        let full = Path::new(&*place.file).canonicalize();
        let lines = full.ok().and_then(|file| self.0.get(&file));
        lines.is_some_and(|lines| lines.iter().any(|range| range.contains(&place.line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_say_which_lines_are_new() {
        let diff = "+++ b/a.c\n@@ -1 +2,3 @@ int f\n@@ -9,2 +20,0 @@\n+++ /dev/null\n@@ -1 +0,0 @@\n";
        let lines = parse(diff, Path::new("/p"));
        assert_eq!(lines[Path::new("/p/a.c")], [2..5, 20..22]);
        assert_eq!(lines.len(), 1);
    }
}
