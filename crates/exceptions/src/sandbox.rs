// SPDX-License-Identifier: MIT OR Apache-2.0
//! Children with unmasked exceptions run in the sandbox of witness runs, and nowhere else.

use std::path::Path;
use std::time::Duration;

use clew_native::launch::Confinement;
use clew_native::{Child, Limits, Outcome, Sandbox};

use crate::build::Settings;

/// Runs one of the programs in the sandbox.
pub(crate) fn run(program: &Path, words: &[String], time: Duration, settings: &Settings) -> Option<Outcome> {
    let folder = tempfile::Builder::new().prefix("clew-run-").tempdir().ok()?;
    let sandbox = Sandbox {
        launcher: settings.launcher.clone(),
        confinement: Confinement {
            folder: folder.path().to_owned(),
            cpu: time,
            file_bytes: 1 << 20,
            traces_itself: false,
        },
        memory: 1 << 30,
        folder_bytes: 4 << 20,
    };
    // The clock on the wall is for what does not run at all: others may be at work here, too.
    let limits = Limits { time: time * 10, output: 16 << 20, memory: None };
    Child::new(program).args(words).limits(limits).sandbox(sandbox).run().ok()
}
