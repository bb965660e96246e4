// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the system compiler says about itself: predefined macros, header folders, target.
//!
//! Asking costs a process, tens of milliseconds; so an answer is kept in memory and in the user's cache
//! folder, under a key that changes when the compiler, its flags or its environment do. Nothing here fails:
//! without a cache the compiler is asked each time, without a compiler a plain Linux machine is assumed.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::command::Command;

/// Changes whenever what is asked or stored changes.
const FORMAT: &str = "clew-compiler-3";

/// Tried in order when the compiler a command names is not on this machine.
const FALLBACKS: [&str; 3] = ["gcc", "cc", "clang"];

/// Environment variables that change a compiler's answer.
const ENVIRONMENT: [&str; 5] = ["CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "SDKROOT"];

/// A compiler's answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compiler {
    /// `#define` lines; empty when there was no compiler to ask.
    pub macros: String,
    /// Folders for `#include <...>` in order.
    pub folders: Vec<PathBuf>,
    /// The target triple, `x86_64-linux-gnu`.
    pub target: String,
    /// The version line, for people.
    pub version: String,
    /// Why this is not quite what the command asked for, if so.
    pub remark: Option<String>,
}

impl Compiler {
    /// The value of a predefined macro that is a decimal number.
    pub fn number(&self, name: &str) -> Option<u64> {
        let value = self
            .macros
            .lines()
            .find_map(|line| line.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' '))?;
        value.trim_end_matches(['L', 'U', 'l', 'u']).parse().ok()
    }
}

/// Asks the compiler of a command, or remembers what it said.
pub fn probe(command: &Command) -> Arc<Compiler> {
    /// By compiler and flags.
    type Known = HashMap<(String, Vec<String>), Arc<Compiler>>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let key = (command.compiler.clone(), command.probe_flags.clone());
    // Held while asking, so that the threads of a project ask once.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert_with(|| Arc::new(find_and_ask(command))).clone()
}

fn find_and_ask(command: &Command) -> Compiler {
    let wanted = find_program(&command.compiler);
    let answer = wanted.as_deref().and_then(|path| ask_cached(path, &command.probe_flags, cache_folder()));
    if let Some(answer) = answer {
        return answer;
    }
    let missing = match wanted {
        None => format!("the compiler `{}` was not found", command.compiler),
        Some(_) => format!("the compiler `{}` could not be asked about itself", command.compiler),
    };
    for name in FALLBACKS.iter().filter(|name| **name != command.compiler) {
        let path = find_program(name);
        if let Some(answer) = path.and_then(|path| ask_cached(&path, &command.probe_flags, cache_folder())) {
            return Compiler { remark: Some(format!("{missing}; `{name}` was asked instead")), ..answer };
        }
    }
    without_compiler(format!("{missing}; x86-64 Linux is assumed"))
}

/// The answer of one compiler, from the cache folder if it is there and fits.
fn ask_cached(path: &Path, flags: &[String], folder: Option<PathBuf>) -> Option<Compiler> {
    let key = cache_key(path, flags);
    let file = folder.zip(key.as_deref()).map(|(f, key)| f.join(format!("compiler-{:016x}.json", hash(key))));
    if let (Some(file), Some(key)) = (&file, &key)
        && let Some(answer) = load(file, key)
    {
        return Some(answer);
    }
    let answer = ask(path, flags)?;
    if let (Some(file), Some(key)) = (file, key) {
        store(&file, &key, &answer);
    }
    Some(answer)
}

#[derive(Serialize, Deserialize)]
struct Stored {
    key: String,
    compiler: Compiler,
}

fn load(file: &Path, key: &str) -> Option<Compiler> {
    let stored: Stored = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    // The headers may have moved under an unchanged compiler; a folder that is gone says so.
    let fresh = stored.key == key && stored.compiler.folders.iter().all(|f| f.exists());
    fresh.then_some(stored.compiler)
}

/// Writes to a file of its own first, so that a reader never sees half an answer. A cache that cannot be
/// written is no error.
fn store(file: &Path, key: &str, compiler: &Compiler) {
    let stored = Stored { key: key.to_owned(), compiler: compiler.clone() };
    let Ok(text) = serde_json::to_vec(&stored) else { return };
    let Some(folder) = file.parent() else { return };
    let own = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&own, text));
    if written.and_then(|()| fs::rename(&own, file)).is_err() {
        drop(fs::remove_file(&own));
    }
}

/// Everything an answer depends on; `None` when the compiler cannot be looked at.
fn cache_key(path: &Path, flags: &[String]) -> Option<String> {
    let real = fs::canonicalize(path).ok()?;
    let meta = fs::metadata(&real).ok()?;
    let modified = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    let environment: Vec<String> =
        ENVIRONMENT.iter().filter_map(|name| Some(format!("{name}={}", env::var(name).ok()?))).collect();
    // The name it is called by matters too: compilers look at their own name.
    let parts = (FORMAT, path, real, meta.len(), modified as u64, flags, environment);
    serde_json::to_string(&parts).ok()
}

/// FNV-1a: names the cache file. The key is stored inside, so a collision costs a question, not a wrong answer.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    Some(absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?.join("clew"))
}

/// Where a program is, as a shell would find it.
fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Path::new(name).is_file().then(|| PathBuf::from(name));
    }
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn ask(path: &Path, flags: &[String]) -> Option<Compiler> {
    let output = Process::new(path)
        .args(flags)
        .args(["-E", "-dM", "-v", "-x", "c", "/dev/null"])
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let log = String::from_utf8_lossy(&output.stderr);
    let folders = (log.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1))
        .take_while(|line| line.starts_with(' '))
        .map(|line| PathBuf::from(line.trim().trim_end_matches(" (framework directory)")));
    let target = log.lines().find_map(|line| line.strip_prefix("Target: "))?;
    Some(Compiler {
        macros: String::from_utf8_lossy(&output.stdout).into_owned(),
        folders: folders.collect(),
        target: target.trim().to_owned(),
        version: log.lines().find(|line| line.contains(" version ")).unwrap_or("").trim().to_owned(),
        remark: None,
    })
}

/// What is assumed when there is no compiler to ask.
fn without_compiler(remark: String) -> Compiler {
    let folders = ["/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"];
    Compiler {
        macros: String::new(),
        folders: folders.iter().map(PathBuf::from).collect(),
        target: "x86_64-linux-gnu".to_owned(),
        version: "none".to_owned(),
        remark: Some(remark),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_answers_and_the_cache_repeats_it() {
        let Some(gcc) = find_program("gcc") else { return };
        let folder = env::temp_dir().join(format!("clew-probe-{}", std::process::id()));
        let flags = vec!["-std=c99".to_owned(), "-funsigned-char".to_owned()];
        let first = ask_cached(&gcc, &flags, Some(folder.clone())).unwrap();
        assert_eq!(first.number("__STDC_VERSION__"), Some(199_901));
        assert_eq!(first.number("__CHAR_UNSIGNED__"), Some(1));
        assert!(first.folders.iter().any(|f| f.join("stdio.h").exists()));
        let key = cache_key(&gcc, &flags).unwrap();
        let file = folder.join(format!("compiler-{:016x}.json", hash(&key)));
        assert_eq!(load(&file, &key).as_ref(), Some(&first));
        assert_eq!(load(&file, "another key"), None);
        fs::write(&file, "garbage").unwrap();
        assert_eq!(ask_cached(&gcc, &flags, Some(folder.clone())).as_ref(), Some(&first));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn no_compiler_and_no_cache_still_answer() {
        let compiler = without_compiler("none".to_owned());
        assert_eq!(compiler.number("__GNUC__"), None);
        assert_eq!(ask_cached(Path::new("/nonexistent/cc"), &[], None), None);
        let mut command = Command::new("a.c");
        command.compiler = "no-such-compiler-anywhere".to_owned();
        assert!(probe(&command).remark.is_some());
    }
}
