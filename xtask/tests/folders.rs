// SPDX-License-Identifier: MIT OR Apache-2.0
//! No two folders of a crate import each other, directly or round about. Prints the graph (`--nocapture`).
//!
//! Crates are listed here as they come to hold it. An import is a path from `crate` on; `super` stays inside a folder as a
//! rule, and out of one it names what a path from `crate` on would.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A folder whose modules are looked at, and the path of its module.
const CHECKED: [(&str, &str); 8] = [
    ("crates/base/src", "crate::"),
    ("crates/clew/src", "crate::"),
    ("crates/fixed/src", "crate::"),
    ("crates/interpreter/src", "crate::"),
    ("crates/ir/src", "crate::"),
    ("crates/precision/src", "crate::"),
    ("crates/symbolic/src", "crate::"),
    ("crates/symbolic/src/exec", "crate::exec::"),
];

type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn folders_do_not_import_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the workspace");
    let mut circles = Vec::new();
    for (folder, prefix) in CHECKED {
        let graph = imports(&root.join(folder), prefix);
        for (from, to) in &graph {
            println!("{folder}: {from} -> {}", to.iter().cloned().collect::<Vec<_>>().join(", "));
        }
        circles.extend(
            graph
                .keys()
                .filter(|name| reached(&graph, name).contains(*name))
                .map(|n| format!("{folder}/{n}")),
        );
    }
    assert!(circles.is_empty(), "folders in a circle of imports: {}", circles.join(", "));
}

/// For each folder the other folders that its files name.
fn imports(root: &Path, prefix: &str) -> Graph {
    let entries = std::fs::read_dir(root).expect("the folder is there");
    let folders = entries.filter_map(|entry| entry.ok()).filter(|entry| entry.path().is_dir());
    let names: BTreeSet<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let named = |folder: &String| {
        let texts =
            files(&root.join(folder)).into_iter().filter_map(|file| std::fs::read_to_string(file).ok());
        let words = texts.flat_map(|text| {
            let after = text.split(prefix).skip(1);
            let word =
                |rest: &str| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned);
            after.filter_map(word).collect::<Vec<_>>()
        });
        words.filter(|word| word != folder && names.contains(word)).collect()
    };
    names.iter().map(|folder| (folder.clone(), named(folder))).collect()
}

/// The Rust files below a folder that are not tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok());
    let below = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => files(&path),
        path => vec![path],
    });
    let is_test =
        |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
    below.filter(|path| path.extension().is_some_and(|e| e == "rs") && !is_test(path)).collect()
}

fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from.to_owned()];
    while let Some(next) = waiting.pop() {
        for to in graph.get(&next).into_iter().flatten() {
            if found.insert(to.clone()) {
                waiting.push(to.clone());
            }
        }
    }
    found
}
