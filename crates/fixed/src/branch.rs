// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where paths part and meet: tests that are not decided, and calls.

use clew_base::source::Span;
use clew_ir::syntax::{BlockId, Body, ExprId, FuncId, LocalId, Storage};

use crate::algebra::Algebra;
use crate::call::Passed;
use crate::store::{Frame, Meeting, ObjectId, Store, meet};
use crate::walk::{Walk, Walked};

/// A test that is not decided.
pub(crate) struct Test<'a> {
    pub function: FuncId,
    pub body: &'a Body,
    pub at: BlockId,
    pub condition: ExprId,
    /// Where it goes if it is true, and if not.
    pub sides: [BlockId; 2],
}

/// How it goes on after a test.
pub(crate) enum After {
    /// There.
    At(BlockId),
    /// The function has ended; whether any run has.
    End(bool),
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// Follows both sides of a test to where they meet, and combines what they lead to.
    pub(crate) fn test(&mut self, test: &Test<'a>, store: &mut Store<A::Value>) -> Walked<After> {
        let span = test.body.exprs[test.condition].span;
        let verdict = self.truth(test.body, store, test.condition)?;
        self.journal.test(span, verdict.may_part());
        let meeting = self.meeting_point(test.function, test.body, test.at);
        self.deeper(span)?;
        let mut met: Option<Store<A::Value>> = None;
        for (outcome, possible) in [(true, verdict.both), (false, verdict.neither)] {
            if possible && let Some(side) = self.side(test, store, meeting, outcome, (outcome, outcome))? {
                met = Some(self.combined(met, side));
            }
        }
        for (outcome, possible) in [(true, verdict.machine_only), (false, verdict.real_only)] {
            if possible && let Some(parted) = self.parted(test, store, meeting, outcome)? {
                met = Some(self.combined(met, parted));
            }
        }
        self.depth -= 1;
        let alive = met.is_some();
        if let Some(met) = met {
            *store = met;
        }
        Ok(match meeting {
            Some(block) if alive => After::At(block),
            _ => After::End(alive),
        })
    }

    fn combined(&mut self, met: Option<Store<A::Value>>, side: Store<A::Value>) -> Store<A::Value> {
        match met {
            None => side,
            Some(met) => meet(&mut self.algebra, Meeting::Either, met, &side),
        }
    }

    /// One side, from the runs with these outcomes in machine and reals.
    fn side(
        &mut self,
        test: &Test<'a>,
        store: &Store<A::Value>,
        meeting: Option<BlockId>,
        side: bool,
        (machine, real): (bool, bool),
    ) -> Walked<Option<Store<A::Value>>> {
        let mut store = store.clone();
        if !self.narrow(test.body, &mut store, test.condition, machine, real)? {
            return Ok(None);
        }
        let block = test.sides[usize::from(!side)];
        let alive = self.region(test.function, test.body, &mut store, block, meeting)?;
        Ok(alive.then_some(store))
    }

    /// The runs in which the machine goes one way and the reals the other.
    fn parted(
        &mut self,
        test: &Test<'a>,
        store: &Store<A::Value>,
        meeting: Option<BlockId>,
        machine: bool,
    ) -> Walked<Option<Store<A::Value>>> {
        let was_muted = std::mem::replace(&mut self.journal.is_muted, true);
        let outcomes = (machine, !machine);
        let machines = self.side(test, store, meeting, machine, outcomes)?;
        let reals = self.side(test, store, meeting, !machine, outcomes)?;
        self.journal.is_muted = was_muted;
        Ok(match (reals, machines) {
            (Some(reals), Some(machines)) => Some(meet(&mut self.algebra, Meeting::Parted, reals, &machines)),
            _ => None,
        })
    }

    /// A call: arguments into a new frame, the body's weight, the result out of it.
    pub(crate) fn enter(
        &mut self,
        callee: FuncId,
        store: &mut Store<A::Value>,
        arguments: Vec<Passed<A::Value>>,
        span: Span,
    ) -> Walked<Option<Passed<A::Value>>> {
        let body = self.body(callee)?;
        self.deeper(span)?;
        self.journal.called.insert(self.program.functions[callee].source_name.clone());
        let outer = self.target.take();
        store.frames.push(Frame::new(callee, body.locals.len()));
        for (index, passed) in arguments.into_iter().enumerate().take(body.parameters as usize) {
            let local = LocalId(index as u32);
            let declared = &body.locals[local];
            match (declared.storage, passed) {
                (Storage::Register, Passed::Scalar(scalar)) => {
                    self.set(callee, body, store, local, scalar, span)?;
                }
                (Storage::Memory { .. }, passed) => {
                    self.live(callee, body, store, local);
                    let id = ObjectId::Local(store.frames.len() - 1, local);
                    let cells = match passed {
                        Passed::Scalar(scalar) => vec![(0, scalar)],
                        Passed::Record(cells) => cells,
                    };
                    self.put_cells_at(store, (id, 0), declared.ty, cells, span)?;
                }
                _ => return Err(self.no_bound("a record where a scalar is expected", span)),
            }
        }
        let alive = self.region(callee, body, store, BlockId(0), None)?;
        let depth = store.frames.len() - 1;
        store.objects.retain(|id, _| !matches!(id, ObjectId::Local(at, _) if *at == depth));
        let frame = store.frames.pop();
        self.depth -= 1;
        self.target = outer;
        let returned = |frame: Frame<A::Value>| match frame.record.is_empty() {
            true => Passed::Scalar(frame.result),
            false => Passed::Record(frame.record),
        };
        Ok(frame.filter(|_| alive).map(returned))
    }
}
