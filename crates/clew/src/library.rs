// SPDX-License-Identifier: MIT OR Apache-2.0
//! What library functions ask of their callers, as rows at each call.

use std::collections::HashMap;
use std::sync::Arc;

use clew_base::source::Span;
use clew_frontend::library::{Linked, Requirement};
use clew_ir::hash::StableHasher;
use clew_ir::obligation::StableId;
use clew_ir::syntax::{BlockId, FuncId, Function, StatementKind};

use crate::knowledge::Title;
use crate::rows::excerpt;

/// One requirement of one call of a library function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallRow {
    /// The function of the program that calls.
    pub function: FuncId,
    /// The block of the call.
    pub block: BlockId,
    /// The number of the call among the statements of the block.
    pub statement: u32,
    /// The library function.
    pub callee: FuncId,
    /// Its name in the source.
    pub name: Arc<str>,
    /// What it asks.
    pub requirement: Requirement,
    /// The name of the row, which survives edits elsewhere.
    pub id: StableId,
    /// The text of the call.
    pub span: Span,
}

/// The requirements at each call that may be of a library function, in the order of the program.
pub fn call_rows(linked: &Linked) -> Vec<CallRow> {
    let program = &linked.program;
    let mut ordinals: HashMap<u128, u32> = HashMap::new();
    let mut rows = Vec::new();
    let own = program.functions.iter_enumerated().filter(|(id, _)| !linked.models.contains(id));
    for (function, caller) in own {
        for (block, code) in caller.body.iter().flat_map(|body| body.blocks.iter_enumerated()) {
            for (number, statement) in code.statements.iter().enumerate() {
                let StatementKind::Call(call) = &statement.kind else { continue };
                for callee in linked.callees(call) {
                    let called = &program.functions[callee];
                    let asked = linked.asked.get(&callee).into_iter().flat_map(|asked| asked.keys());
                    rows.extend(asked.map(|requirement| CallRow {
                        function,
                        block,
                        statement: number as u32,
                        callee,
                        name: called.source_name.clone(),
                        requirement: requirement.clone(),
                        id: stable_id(caller, called, requirement, &mut ordinals),
                        span: statement.span,
                    }));
                }
            }
        }
    }
    rows
}

fn stable_id(
    function: &Function,
    callee: &Function,
    asked: &Requirement,
    ordinals: &mut HashMap<u128, u32>,
) -> StableId {
    let mut hasher = StableHasher::new();
    hasher.text(&function.name);
    hasher.text(asked.check.id());
    hasher.text(&callee.name);
    hasher.number(asked.argument.map_or(u128::MAX, u128::from));
    let ordinal = ordinals.entry(hasher.finish()).or_default();
    hasher.number(u128::from(*ordinal));
    *ordinal += 1;
    let hash = hasher.finish();
    StableId(format!("{:016x}", (hash >> 64) as u64 ^ hash as u64).into())
}

/// The title of a requirement.
pub fn title_of_call(linked: &Linked, call: &CallRow) -> Title {
    let program = &linked.program;
    let argument = match call.requirement.argument {
        Some(number) => format!("argument {} of {}: ", number + 1, call.name),
        None => String::new(),
    };
    Title {
        id: call.id.clone(),
        check: call.requirement.check,
        function: program.functions[call.function].source_name.clone(),
        place: program.sources.place(call.span),
        text: format!("{argument}{}", excerpt(program.sources.text(call.span))),
        slice: None,
    }
}

#[cfg(test)]
mod tests {
    use clew_frontend::library::with_models;
    use clew_frontend::{CommandLine, DiskFiles, lower, parse_unit};
    use clew_ir::obligation::CheckKind;
    use clew_ir::syntax::Callee;

    use super::*;

    const PROGRAM: &str =
        "int puts(const char *);\nint main(void) {\n    puts(\"a\");\n    return puts(\"b\");\n}\n";

    #[test]
    fn rows_name_their_call_and_keep_their_ids() {
        let mut files = DiskFiles::new();
        files.overlay("p.c", PROGRAM.as_bytes());
        let line = CommandLine::parse(&[], None, &files).expect("good flags");
        let unit = parse_unit(&line.command_for("p.c".as_ref()), &files).expect("good C");
        let linked = with_models(lower::lower(&unit));
        let rows = call_rows(&linked);
        for row in &rows {
            let body = linked.program.functions[row.function].body.as_ref().expect("a body");
            let statement = &body.blocks[row.block].statements[row.statement as usize];
            assert!(
                matches!(&statement.kind, StatementKind::Call(call) if call.callee == Callee::Direct(row.callee))
            );
        }
        // Reports of other versions know the rows by these.
        let of = |check| rows.iter().filter(move |row| row.requirement.check == check).map(|row| &*row.id.0);
        assert_eq!(of(CheckKind::NullDeref).collect::<Vec<_>>(), ["30fc8b673656a502", "d1ec19cc4258c175"]);
        assert_eq!(
            of(CheckKind::StringNotTerminated).collect::<Vec<_>>(),
            ["9eed9ca6a4ef7428", "5ee95debcddb27c8"]
        );
        assert_eq!(rows.len(), 12);
    }
}
