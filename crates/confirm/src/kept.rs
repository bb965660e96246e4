// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that stay: a folder for each finding, which anyone can compile and run.
//!
//! ```text
//! clew-out/.clew                    says that the folder is clew's
//! clew-out/<obligation>/.clew
//! clew-out/<obligation>/test.c      the generated part
//! clew-out/<obligation>/*.i         the program
//! clew-out/<obligation>/run.sh      builds and runs it
//! clew-out/<obligation>/witness.json
//! ```
//!
//! A folder without the mark is somebody else's and is never written to.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::witness::Witness;
use serde::{Deserialize, Serialize};

use crate::Test;

/// The file that says whose a folder is.
const MARK: &str = ".clew";
const MARK_TEXT: &str = "This folder was made by clew, which may replace what is in it.\n";

/// The content of a `witness.json`: the inputs, what they violate, and how to read the program again. It can be read
/// as a plain [`Witness`], too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Kept<C, D> {
    /// The inputs and the run they cause.
    #[serde(flatten)]
    pub witness: Witness,
    /// What they violate.
    pub violates: Violated,
    /// How each file of the program is read, from the folder that clew ran in.
    pub commands: Vec<C>,
    /// What stands behind one of the files to call the entry, where that is not `main`.
    #[serde(default = "no_driver", skip_serializing_if = "Option::is_none")]
    pub driver: Option<D>,
}

fn no_driver<D>() -> Option<D> {
    None
}

/// An obligation by its stable name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Violated {
    /// The obligation.
    pub obligation: StableId,
    /// Its check.
    pub check: CheckKind,
    /// Its function.
    pub function: String,
    /// The function that the run starts in.
    pub entry: String,
}

/// Why a test was not kept.
#[derive(Debug)]
pub enum KeepError {
    /// The folder is somebody else's.
    NotOurs(PathBuf),
    /// It could not be written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeepError::NotOurs(folder) => {
                write!(f, "{}: not made by clew, so it is left alone", folder.display())
            }
            KeepError::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for KeepError {}

/// Writes a test into the folder of its obligation and returns that folder.
///
/// # Errors
/// When a folder of that name is not ours, or cannot be written.
pub fn keep<C: Serialize, D: Serialize>(
    out: &Path,
    test: &Test,
    kept: &Kept<C, D>,
) -> Result<PathBuf, KeepError> {
    claim(out)?;
    let folder = place(out, kept);
    claim(&folder)?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| KeepError::Io(path, error)
    };
    let json = serde_json::to_string_pretty(kept).unwrap_or_default() + "\n";
    for (name, text) in [("test.c", &test.harness), ("run.sh", &test.script), ("witness.json", &json)] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(failed(&path))?;
    }
    for (name, from) in &test.units {
        let path = folder.join(name);
        std::fs::copy(from, &path).map_err(failed(&path))?;
    }
    Ok(folder)
}

/// Takes away the tests under a folder of ours, and the folder if nothing else is in it; how many there were.
///
/// # Errors
/// When the folder is not ours, or something cannot be removed.
pub fn clean(out: &Path) -> Result<usize, KeepError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| KeepError::Io(path, error)
    };
    if !out.join(MARK).is_file() {
        return Err(KeepError::NotOurs(out.to_owned()));
    }
    let mut tests = 0;
    for entry in std::fs::read_dir(out).map_err(failed(out))? {
        let path = entry.map_err(failed(out))?.path();
        if path.is_dir() && path.join(MARK).is_file() {
            std::fs::remove_dir_all(&path).map_err(failed(&path))?;
            tests += 1;
        }
    }
    if std::fs::read_dir(out).map_err(failed(out))?.count() == 1 {
        std::fs::remove_dir_all(out).map_err(failed(out))?;
    }
    Ok(tests)
}

/// The folder of a test: named by the obligation, with a number behind it where a test of another program has that name.
fn place<C: Serialize, D: Serialize>(out: &Path, kept: &Kept<C, D>) -> PathBuf {
    let name = folder_name(&kept.violates.obligation);
    let own = serde_json::to_value(&kept.commands).unwrap_or_default();
    let is_others = |folder: &PathBuf| {
        let text = std::fs::read_to_string(folder.join("witness.json")).unwrap_or_default();
        let there: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        there.is_some_and(|there| folder.join(MARK).is_file() && there["commands"] != own)
    };
    let others = (2..).map(|number: u32| out.join(format!("{name}-{number}")));
    let mut places = std::iter::once(out.join(&name)).chain(others);
    places.find(|folder| !is_others(folder)).unwrap_or_else(|| out.join(&name))
}

/// Makes the folder ours, unless it is there and is not.
fn claim(folder: &Path) -> Result<(), KeepError> {
    let mark = folder.join(MARK);
    // The folders that it is in need not be ours.
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(|error| KeepError::Io(parent.to_owned(), error))?;
    }
    match std::fs::create_dir(folder) {
        Ok(()) => std::fs::write(&mark, MARK_TEXT).map_err(|error| KeepError::Io(mark, error)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if mark.is_file() {
                Ok(())
            } else {
                Err(KeepError::NotOurs(folder.to_owned()))
            }
        }
        Err(error) => Err(KeepError::Io(folder.to_owned(), error)),
    }
}

/// Stable names are hexadecimal; those of library calls name a place.
fn folder_name(id: &StableId) -> String {
    id.0.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Kept<String, String> {
        Kept {
            witness: Witness { version: 1, inputs: Vec::new(), goes_on_after: Vec::new() },
            violates: Violated {
                obligation: StableId("00ff".into()),
                check: CheckKind::Assertion,
                function: "f".to_owned(),
                entry: "main".to_owned(),
            },
            commands: vec!["a.c".to_owned()],
            driver: None,
        }
    }

    #[test]
    fn what_is_not_ours_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let test = Test { harness: "x".into(), units: Vec::new(), script: "y".into() };
        let out = folder.path().join("of/today/clew-out");
        std::fs::create_dir_all(&out).unwrap();
        assert!(matches!(keep(&out, &test, &kept()), Err(KeepError::NotOurs(_))));
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
        std::fs::remove_dir_all(folder.path().join("of")).unwrap();
        let place = keep(&out, &test, &kept()).unwrap();
        assert_eq!(std::fs::read_to_string(place.join("test.c")).unwrap(), "x");
        // Ours may be written again; a folder inside that somebody else made may not.
        assert_eq!(keep(&out, &test, &kept()).unwrap(), place);
        let other = Kept { commands: vec!["b.c".to_owned()], ..kept() };
        let beside = keep(&out, &test, &other).unwrap();
        assert_eq!((beside.clone(), keep(&out, &test, &other).unwrap()), (out.join("00ff-2"), beside));
        std::fs::remove_file(place.join(MARK)).unwrap();
        assert!(matches!(keep(&out, &test, &kept()), Err(KeepError::NotOurs(_))));
    }

    #[test]
    fn a_kept_witness_is_a_witness() {
        let text = serde_json::to_string(&kept()).unwrap();
        let witness: Witness = serde_json::from_str(&text).unwrap();
        assert_eq!(witness, kept().witness);
        let again: Kept<String, String> = serde_json::from_str(&text).unwrap();
        assert_eq!(again, kept());
    }
}
