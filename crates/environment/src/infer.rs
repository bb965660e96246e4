// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contracts of a program's functions, callees first, so that one pass brings a condition up the whole call graph.

use clew_ir::analysis::calls::call_graph;
use clew_ir::analysis::components::components;
use clew_ir::syntax::{FuncId, Program};

use crate::contract::{Contract, Origin};
use crate::effects::{Effects, effects};
use crate::walk::{Known, walk};

/// What is inferred of a program.
#[derive(Default)]
pub struct Inferred {
    /// What each function asks of its callers, by number.
    pub contracts: Vec<Contract>,
    /// What fails in each function whatever its callers pass, where its own branches lead there.
    pub always: Vec<Vec<Origin>>,
}

/// Infers the contracts of all functions. Functions that call each other in circles ask nothing by way of these calls:
/// what they ask otherwise is necessary as before.
pub fn infer(program: &Program, is_model: &dyn Fn(FuncId) -> bool) -> Inferred {
    let graph = call_graph(program);
    let nothing = || vec![Contract::default(); program.functions.len()];
    // Which loops end is known after a first walk.
    let timid: Vec<Effects> = effects(program, &|_| false);
    let no_contracts = nothing();
    let ends: Vec<bool> = program
        .functions
        .indices()
        .map(|id| walk(program, id, &Known { effects: &timid, contracts: &no_contracts, is_model }).loops_end)
        .collect();
    let effects = effects(program, &|function| ends[function.0 as usize]);
    let mut inferred = Inferred { contracts: nothing(), always: vec![Vec::new(); program.functions.len()] };
    for members in components(&graph) {
        for member in members {
            let known = Known { effects: &effects, contracts: &inferred.contracts, is_model };
            let walked = walk(program, FuncId(member as u32), &known);
            inferred.contracts[member] = walked.contract;
            inferred.always[member] = walked.always;
        }
    }
    inferred
}
