// SPDX-License-Identifier: MIT OR Apache-2.0
//! `switch`: the table of cases; the labels stand wherever in the body they like.

use clew_base::source::Span;
use clew_ir::syntax::{BlockId, Terminator};
use rucc_sema::{CaseId, StmtId};

use super::build::{CExpr, FunctionLowering};
use super::scope::Jump;

impl FunctionLowering<'_, '_> {
    pub(super) fn switch_stmt(
        &mut self,
        cond: CExpr,
        body: StmtId,
        cases: rucc_sema::CaseList,
        default: Option<StmtId>,
        span: Span,
    ) {
        let mark = self.temporaries.len();
        self.begin_full(cond);
        let value = self.scalar(cond);
        self.effects.clear();
        self.end_temporaries(mark, span);
        let after = self.new_block();
        let default = default.map(|_| self.new_block());
        let mut table: Vec<(i128, i128, BlockId)> = Vec::new();
        for case in cases.iter() {
            let block = self.case_block(case);
            let case = &self.tast[case];
            if case.low <= case.high {
                table.push((case.low, case.high, block));
            }
        }
        table.sort_by_key(|(low, _, _)| *low);
        self.jumps.push(Jump::Switch { from: self.current, scope: self.scope, span });
        self.terminate(Terminator::Switch { value, cases: table, default: default.unwrap_or(after) }, span);
        self.defaults.push(default);
        self.in_loop(after, None, |f| f.substatement(body));
        self.defaults.pop();
        self.goto(after, span);
        self.switch_to(after);
    }

    pub(super) fn case_block(&mut self, case: CaseId) -> BlockId {
        if let Some(block) = self.cases.get(&case) {
            return *block;
        }
        let block = self.new_block();
        self.cases.insert(case, block);
        block
    }

    pub(super) fn default_block(&self) -> Option<BlockId> {
        self.defaults.last().copied().flatten()
    }
}
