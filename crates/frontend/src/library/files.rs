// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of the models, which travel inside the binary: which one defines a name, and its IR.

use clew_ir::syntax::{Program, Semantics, Target};
use rustc_hash::FxHashMap;

use crate::{CommandLine, DiskFiles, lower, parse_unit};

macro_rules! library {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../../../models/libc/", $file)))),*]
    };
}

/// The files, with their texts.
pub(super) const FILES: [(&str, &str); 25] = library![
    "assert.c",
    "clew.h",
    "ctype.c",
    "dirent.c",
    "errno.c",
    "fortified.c",
    "getopt.c",
    "large_files.c",
    "locale.c",
    "math.c",
    "math.inc",
    "math_float.c",
    "math_long.c",
    "socket.c",
    "stdio.c",
    "stdio_printf.c",
    "stdio_scanf.c",
    "stdlib.c",
    "stdlib_number.c",
    "stdlib_search.c",
    "string.c",
    "strings.c",
    "time.c",
    "unistd.c",
    "verifier.c",
];

/// What each file defines, so that only the files that a program needs are read. A test keeps it true.
pub(super) const NAMES: &str = include_str!("../../../../models/libc/names.txt");

/// Finds and reads models for one machine.
pub(super) struct Models {
    defined_in: FxHashMap<&'static str, &'static str>,
    disk: DiskFiles,
    flags: Vec<String>,
}

impl Models {
    pub(super) fn new(target: &Target, semantics: Semantics) -> Models {
        let mut disk = DiskFiles::new();
        for (file, text) in FILES {
            disk.overlay(path(file), text.as_bytes());
        }
        let lines = NAMES.lines().filter_map(|line| line.split_once(':'));
        let defined_in =
            lines.flat_map(|(file, names)| names.split_whitespace().map(move |name| (name, file))).collect();
        let mut flags = Vec::new();
        if target.pointer_bytes == 4 {
            flags.push("-m32".to_owned());
        }
        if !target.char_signed {
            flags.push("-funsigned-char".to_owned());
        }
        if semantics.no_math_errno {
            flags.push("-DCLEW_NO_MATH_ERRNO".to_owned());
        }
        Models { defined_in, disk, flags }
    }

    /// The file that defines a function or variable of the library.
    pub(super) fn file_of(&self, name: &str) -> Option<&'static str> {
        self.defined_in.get(name).copied()
    }

    /// The IR of one file.
    pub(super) fn read(&self, file: &str) -> Option<Program> {
        let line = CommandLine::parse(&self.flags, None, &self.disk).ok()?;
        let unit = parse_unit(&line.command_for(&path(file)), &self.disk).ok()?;
        Some(lower::lower(&unit))
    }
}

fn path(file: &str) -> std::path::PathBuf {
    std::path::Path::new("models/libc").join(file)
}

#[cfg(test)]
mod tests {
    use clew_ir::syntax::Linkage;

    use super::*;

    #[test]
    fn every_model_file_travels_along() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/libc");
        let on_disk = std::fs::read_dir(folder).expect("the models").flatten();
        let mut on_disk: Vec<String> =
            on_disk.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        on_disk.retain(|name| !name.ends_with(".md") && !name.ends_with(".txt"));
        on_disk.sort();
        let ours: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(ours, on_disk);
    }

    /// `CLEW_BLESS=1 cargo test -p clew-frontend` writes the list anew.
    #[test]
    fn the_list_of_names_is_what_the_files_define() {
        let models = Models::new(&Target::x86_64_linux(), Semantics::default());
        let mut list = String::new();
        for (file, _) in FILES.iter().filter(|(file, _)| file.ends_with(".c")) {
            let program = models.read(file).expect("a model that lowers");
            let functions = program.functions.iter();
            let functions = functions.filter(|f| f.body.is_some() && f.linkage != Linkage::Internal);
            let globals =
                program.globals.iter().filter(|g| g.init.is_some() && g.linkage != Linkage::Internal);
            let mut names: Vec<&str> = functions.map(|f| &*f.name).chain(globals.map(|g| &*g.name)).collect();
            names.sort_unstable();
            list.push_str(&format!("{file}: {}\n", names.join(" ")));
        }
        if std::env::var_os("CLEW_BLESS").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/libc/names.txt");
            std::fs::write(file, &list).expect("the list can be written");
        } else {
            assert_eq!(NAMES, list, "models/libc/names.txt is out of date: CLEW_BLESS=1 writes it");
        }
    }
}
