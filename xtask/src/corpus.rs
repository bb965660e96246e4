// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C files of this tree that other commands start from.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::clew::root;

/// Every C file under these folders of the tree, sorted, so that a seed means the same everywhere.
pub fn c_files(folders: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    Ok(())
}
