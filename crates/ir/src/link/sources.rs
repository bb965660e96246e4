// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merges the files and macro uses of units.

use std::sync::Arc;

use clew_base::index::IndexVec;
use clew_base::source::{FileId, MacroId, SourceMap, Span};
use rustc_hash::FxHashMap;

use crate::syntax::Program;

/// Where a unit's files and macro uses have gone.
pub(super) struct Renumbering {
    files: IndexVec<FileId, FileId>,
    first_macro: u32,
}

impl Renumbering {
    pub(super) fn apply(&self, span: &mut Span) {
        if let Some(file) = self.files.get(span.file) {
            span.file = *file;
        }
        if let Some(expansion) = &mut span.expansion {
            expansion.0 += self.first_macro;
        }
    }
}

/// Moves the sources of all units into one map. A file of the same name and text is one file.
pub(super) fn merge(units: &mut [Program], merged: &mut SourceMap) -> Vec<Renumbering> {
    let mut known = FxHashMap::default();
    units.iter_mut().map(|unit| add(std::mem::take(&mut unit.sources), merged, &mut known)).collect()
}

/// Adds the sources of a unit to those that a program has, which keep their handles.
pub(super) fn append(merged: &mut SourceMap, sources: SourceMap) -> Renumbering {
    add(sources, merged, &mut FxHashMap::default())
}

fn add(
    sources: SourceMap,
    merged: &mut SourceMap,
    known: &mut FxHashMap<Arc<str>, Vec<FileId>>,
) -> Renumbering {
    let mut files = IndexVec::new();
    for file in sources.files.iter() {
        let same_name = known.entry(file.name.clone()).or_default();
        let same = same_name.iter().copied().find(|id| {
            let other = &merged.files[*id];
            other.markers == file.markers && (Arc::ptr_eq(&other.text, &file.text) || other.text == file.text)
        });
        let id = same.unwrap_or_else(|| merged.files.push(file.clone()));
        if same.is_none() {
            same_name.push(id);
        }
        files.push(id);
    }
    let renumbering = Renumbering { files, first_macro: merged.macros.len() as u32 };
    for use_ in sources.macros.iter() {
        let mut use_ = use_.clone();
        renumbering.apply(&mut use_.spelling);
        use_.parent = use_.parent.map(|parent| MacroId(parent.0 + renumbering.first_macro));
        merged.macros.push(use_);
    }
    renumbering
}
