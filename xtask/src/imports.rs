// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which folders of a crate import which: the plan of each crate, drawn from its sources, and a test that no arrow points back.
//!
//! A node is a folder or a file directly under `src`; an arrow is a path `crate::…` or `super::…` in code. What stands in
//! `lib.rs` or `main.rs` is the node `crate`. Imports inside one folder are nobody's business.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

/// Crates whose folders are in an order today. A crate that has come into order is added here, and none is taken out.
const CLEAN: &[&str] = &["absint", "base", "frontend", "hostmath", "report"];

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Only these crates.
    crates: Vec<String>,
}

/// Prints the graphs. False if a crate that is listed as clean has a cycle.
pub fn run(options: &Options) -> Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut names: Vec<String> = fs::read_dir(&root)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.sort();
    let mut is_good = true;
    for name in names.iter().filter(|name| options.crates.is_empty() || options.crates.contains(name)) {
        let graph = Graph::of(&root.join(name).join("src"))?;
        let cycle = graph.cycle();
        let is_clean = CLEAN.contains(&name.as_str());
        println!("{name}:");
        for (from, to) in &graph.arrows {
            println!("  {from} -> {}", to.iter().cloned().collect::<Vec<_>>().join(" "));
        }
        match cycle {
            Some(cycle) => {
                let known = if is_clean { "" } else { " (known)" };
                println!("  cycle{known}: {}", cycle.join(" -> "));
                is_good &= !is_clean;
            }
            None if !is_clean => println!("  no cycle: it may be added to the list of clean crates"),
            None => {}
        }
    }
    Ok(is_good)
}

/// The arrows of one crate.
struct Graph {
    arrows: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn of(sources: &Path) -> Result<Graph> {
        let mut files = Vec::new();
        collect(sources, &mut files)?;
        let module = |path: &Path| -> Vec<String> {
            let inside = path.strip_prefix(sources).unwrap_or(path).with_extension("");
            let mut parts: Vec<String> =
                inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            parts.retain(|part| part != "mod" && part != "lib" && part != "main");
            parts
        };
        let tops: BTreeSet<String> =
            files.iter().filter_map(|file| module(file).into_iter().next()).collect();
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in &files {
            let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
            let own = module(file);
            let from = own.first().cloned().unwrap_or_else(|| "crate".into());
            for name in targets(&text, own.len(), &tops) {
                let to = if tops.contains(&name) { name } else { "crate".into() };
                if to != from {
                    arrows.entry(from.clone()).or_default().insert(to);
                }
            }
        }
        Ok(Graph { arrows })
    }

    /// A cycle, if there is one.
    fn cycle(&self) -> Option<Vec<String>> {
        let mut done = BTreeSet::new();
        self.arrows.keys().find_map(|node| self.cycle_from(node, &mut Vec::new(), &mut done))
    }

    fn cycle_from(
        &self,
        node: &String,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(at) = path.iter().position(|earlier| earlier == node) {
            return Some(path[at..].iter().chain([node]).cloned().collect());
        }
        if !done.insert(node.clone()) {
            return None;
        }
        path.push(node.clone());
        let found = self.arrows.get(node).and_then(|to| {
            to.iter().find_map(|next| {
                // A node that was left without a cycle has none; one on the path closes one.
                if done.contains(next) && !path.contains(next) {
                    return None;
                }
                self.cycle_from(next, path, done)
            })
        });
        path.pop();
        found
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The names directly under the crate that a file's paths begin with. `depth` is how deep its module lies.
fn targets(text: &str, depth: usize, tops: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let code: String = text.lines().map(without_comment).fold(String::new(), |all, line| all + line + "\n");
    for (at, _) in code.match_indices("crate::") {
        if code[..at].chars().next_back().is_none_or(|c| !is_name(c) && c != ':' && c != '$') {
            names(&code[at + "crate::".len()..], &mut found);
        }
    }
    for (at, _) in code.match_indices("super::") {
        if code[..at].ends_with("super::") || code[..at].chars().next_back().is_some_and(is_name) {
            continue;
        }
        let rest = &code[at..];
        let supers = rest.split("::").take_while(|part| *part == "super").count();
        // A module inside the file, which is indented, is one level deeper.
        let line = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let inside = usize::from(code[line..].starts_with(' ') && is_in_module(&code[..at]));
        if supers == depth + inside {
            names(&rest[supers * "super::".len()..], &mut found);
        }
    }
    if depth == 0 {
        for top in tops {
            let path = format!("{top}::");
            let is_used = |at: usize| code[..at].chars().next_back().is_none_or(|c| !is_name(c) && c != ':');
            if code.match_indices(&path).any(|(at, _)| is_used(at)) {
                found.insert(top.clone());
            }
        }
    }
    found
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

/// Whether the code ends inside a module of the file.
fn is_in_module(code: &str) -> bool {
    let mut ends = code.lines().rev();
    let last = ends.find(|line| *line == "}" || (line.starts_with("mod ") && line.ends_with('{')));
    last.is_some_and(|line| line != "}")
}

/// The first names of a path, or of each path of a group.
fn names(rest: &str, found: &mut BTreeSet<String>) {
    let Some(group) = rest.strip_prefix('{') else {
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        if !name.is_empty() {
            found.insert(name);
        }
        return;
    };
    let (mut depth, mut part) = (0, String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names(std::mem::take(&mut part).trim(), found),
            _ => {}
        }
        if c != ',' || depth > 0 {
            part.push(c);
        }
    }
    names(part.trim(), found);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_clean_crates_are_in_an_order() {
        assert!(run(&Options { crates: Vec::new() }).expect("sources"), "see the graph above");
    }

    #[test]
    fn paths_are_found_in_groups_and_through_super() {
        let tops = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        let text = "use crate::{a::{X, Y}, b::Z};\nuse super::c::D; // crate::no\n";
        let expected = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(targets(text, 1, &tops), BTreeSet::from(expected));
        let text = "use super::inner;\nmod tests {\n    use super::*;\n    use super::super::a::X;\n}\n";
        assert_eq!(targets(text, 2, &tops), BTreeSet::new());
        assert!(targets(text, 1, &tops).contains("inner"));
    }

    #[test]
    fn a_cycle_is_found_behind_a_tail() {
        let arrow = |from: &str, to: &str| (from.to_owned(), BTreeSet::from([to.to_owned()]));
        let graph = Graph { arrows: [arrow("a", "b"), arrow("b", "c"), arrow("c", "b")].into() };
        assert_eq!(graph.cycle(), Some(["b", "c", "b"].map(str::to_owned).to_vec()));
        let graph = Graph { arrows: [arrow("a", "b"), arrow("b", "c")].into() };
        assert_eq!(graph.cycle(), None);
    }
}
