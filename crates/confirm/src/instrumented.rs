// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program with conditions of obligations written out: the second build, for what no sanitizer sees.
//!
//! It is the program as clew reads it, printed as C by `ir` with the lines of the original, and compiled by the same
//! compiler. Where a condition does not hold, the compiled program itself says so, at the operation. Where an object
//! begins to live, it asks the test what it holds: memory that was never written can be chosen here, and only here.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clew_ir::emit_c::{FLAGS, Options, can_write, emit_written, is_free_of_pointers};
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program};

use crate::Target;
use crate::build::{self, Objects, Refused, Unit};
use crate::plan::{self, Plan};

/// The name of the program's text in a test.
const NAME: &str = "program.c";

/// Pointers of the machine that tests are built for.
const POINTER_BYTES: u8 = size_of::<usize>() as u8;

/// A program with some conditions in it, compiled.
pub(crate) struct Instrumented {
    obligations: Vec<(FuncId, ObligationId)>,
    pub units: Vec<Unit>,
    pub texts: Vec<(String, PathBuf)>,
    pub objects: Result<Objects, Refused>,
}

impl Instrumented {
    /// Compiles the program for these targets, with their conditions as far as they can be said in C; none if it can
    /// show none of them.
    pub(crate) fn new<'t>(
        program: &Program,
        targets: impl IntoIterator<Item = &'t Target>,
        compiler: &str,
        folder: &Path,
    ) -> Option<Instrumented> {
        if program.target.pointer_bytes != POINTER_BYTES && !is_free_of_pointers(program) {
            return None;
        }
        let mut obligations = BTreeSet::new();
        let mut shows = false;
        for target in targets {
            let written = target.obligation.filter(|(function, id)| can_write(program, *function, *id));
            shows |= written.is_some() || !plan::plan(target.check).fits.is_empty();
            obligations.extend(written);
        }
        if !shows {
            return None;
        }
        let obligations: Vec<_> = obligations.into_iter().collect();
        let emitted = emit_written(program, Options { begins: true, ..Options::default() }, &obligations);
        let text = folder.join(NAME);
        let unit = Unit {
            file: NAME.into(),
            compiler: compiler.to_owned(),
            preprocess: Vec::new(),
            compile: FLAGS.iter().map(OsString::from).collect(),
            is_preprocessed: false,
            appended: None,
        };
        let units = vec![unit];
        let texts = vec![(NAME.to_owned(), text.clone())];
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&text, emitted.text));
        let objects = written.map_err(Refused::from).and_then(|()| {
            build::compile(&units, &texts, &plan::written(CheckKind::Assertion, None), folder)
        });
        Some(Instrumented { obligations, units, texts, objects })
    }

    /// The plan for a test, if this build may show what it is about: its condition is in the program, or the sanitizers
    /// see it.
    pub(crate) fn plan(&self, target: &Target) -> Option<Plan> {
        let number = self.obligations.iter().position(|one| Some(*one) == target.obligation);
        let plan = plan::written(target.check, number);
        (number.is_some() || !plan.fits.is_empty()).then_some(plan)
    }
}
