// SPDX-License-Identifier: MIT OR Apache-2.0
//! From places of the compiled program to obligations of the IR.
//!
//! The compiler places an operation at its operator, which lies in the text of the operation and of no operand: of all texts around it the
//! innermost is the operation's.

use std::collections::HashMap;
use std::path::Path;

use clew_base::source::Span;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program};

use crate::site::{Kind, Operation, Site};

/// Where an obligation stands.
struct Placed {
    start: (u32, u32),
    end: (u32, u32),
    check: CheckKind,
    key: (FuncId, ObligationId),
}

/// The float obligations of a program, by file.
pub struct Obligations {
    files: HashMap<String, Vec<Placed>>,
}

/// The checks that a trapping search answers.
pub const CHECKS: [CheckKind; 6] = [
    CheckKind::FloatDivisionByZero,
    CheckKind::FloatOverflow,
    CheckKind::FloatInvalid,
    CheckKind::FloatUnderflow,
    CheckKind::FloatToInt,
    CheckKind::NanCompare,
];

impl Obligations {
    /// Of a program.
    pub fn new(program: &Program) -> Obligations {
        let mut files: HashMap<String, Vec<Placed>> = HashMap::new();
        for (function, defined) in program.functions.iter_enumerated() {
            let Some(body) = &defined.body else { continue };
            for (id, obligation) in body.obligations.iter_enumerated() {
                if !CHECKS.contains(&obligation.check) {
                    continue;
                }
                let span = obligation.span;
                let start = program.sources.place(span);
                let end = program.sources.place(Span { start: span.end, ..span });
                files.entry(whole(&start.file)).or_default().push(Placed {
                    start: (start.line, start.column),
                    end: (end.line, end.column),
                    check: obligation.check,
                    key: (function, id),
                });
            }
        }
        Obligations { files }
    }

    /// The obligations that a site violates: several where a macro has several such operations, since those have one place.
    pub fn of(&self, site: &Site) -> Vec<(FuncId, ObligationId)> {
        let check = check_of(site.kind, site.operation);
        let at = (site.place.line, site.place.column);
        let Some(all) = self.files.get(&*site.place.file) else { return Vec::new() };
        let fits = |placed: &&Placed| placed.check == check;
        let around = all.iter().filter(fits).filter(|placed| placed.start <= at && at < placed.end);
        let inner = around.max_by_key(|placed| (placed.start, std::cmp::Reverse(placed.end)));
        // The last operation of an assignment stands where the assignment does: it is the whole of what follows there.
        let behind = all.iter().filter(fits).filter(|placed| placed.start.0 == at.0 && placed.start > at);
        let outer = || behind.min_by_key(|placed| (placed.start, std::cmp::Reverse(placed.end)));
        let Some(found) = inner.or_else(outer) else { return Vec::new() };
        let is_same = |placed: &&Placed| (placed.start, placed.end) == (found.start, found.end);
        all.iter().filter(fits).filter(is_same).map(|placed| placed.key).collect()
    }
}

/// The check of what an operation raises.
pub fn check_of(kind: Kind, operation: Operation) -> CheckKind {
    match (kind, operation) {
        (Kind::DivisionByZero, _) => CheckKind::FloatDivisionByZero,
        (Kind::Overflow, _) => CheckKind::FloatOverflow,
        (Kind::Underflow | Kind::Tiny, _) => CheckKind::FloatUnderflow,
        (Kind::Invalid, Operation::ToInteger) => CheckKind::FloatToInt,
        (Kind::Invalid, Operation::Comparison) => CheckKind::NanCompare,
        (Kind::Invalid, _) => CheckKind::FloatInvalid,
    }
}

fn whole(file: &str) -> String {
    std::path::absolute(Path::new(file)).map_or_else(|_| file.to_owned(), |path| path.display().to_string())
}
