// SPDX-License-Identifier: MIT OR Apache-2.0
//! From C text to a linked program, in this process.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use clew_base::stack::try_with_large_stack;
use clew_frontend::{CommandLine, DiskFiles, parse_unit};
use clew_ir::syntax::Program;

use crate::csmith::include_folder;

/// Reads programs under one command line.
pub struct Reader {
    line: CommandLine,
}

impl Reader {
    /// With csmith's headers in reach, where they are installed.
    pub fn new() -> Result<Reader> {
        let mut words = vec!["-w".to_owned()];
        if let Ok(folder) = include_folder() {
            words.push(format!("-I{}", folder.display()));
        }
        let line = CommandLine::parse(&words, None, &DiskFiles::new())
            .map_err(|errors| anyhow!("flags: {}", errors.len()))?;
        Ok(Reader { line })
    }

    /// The program of a text that stands for a file.
    pub fn program(&self, file: &Path, text: Vec<u8>) -> Result<Program> {
        let mut files = DiskFiles::new();
        files.overlay(file, text);
        let unit = match parse_unit(&self.line.command_for(file), &files) {
            Ok(unit) => unit,
            Err(rejection) => {
                let first = rejection.list.first().map(|d| d.message.clone()).unwrap_or_default();
                bail!("{} is refused: {first}", file.display());
            }
        };
        let lowered = try_with_large_stack(move || clew_frontend::lower::lower(&unit));
        let lowered = lowered.ok_or_else(|| anyhow!("{} is not lowered", file.display()))?;
        clew_ir::link::link(vec![lowered]).map_err(|_| anyhow!("{} does not link", file.display()))
    }
}
