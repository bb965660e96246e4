// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tests that decide whether statements of a slice run.

use clew_ir::syntax::{BlockId, Body, ExprId, LocalId};

use crate::engine::value_log::Point;
use crate::explain::slice::walk::{Sought, Thing, Walk};

impl Walk<'_, '_> {
    pub(super) fn controllers(&mut self, point: Point) -> Vec<Point> {
        let (Some(body), Some(shape)) = (self.body(point), self.shapes.of(self.a, point.site.function))
        else {
            return Vec::new();
        };
        let at = |block: &BlockId| point.at(*block, body.blocks[*block].statements.len());
        let tests = shape.controllers[point.site.block].iter().map(at);
        tests.filter(|test| self.noted.seen(*test).is_some()).collect()
    }

    pub(super) fn has_tests(&mut self, point: Point) -> bool {
        !self.controllers(point).is_empty()
    }

    /// Shows a test and follows what it reads.
    pub(super) fn follow_test(&mut self, test: Point) {
        if !self.done.insert((test, Sought::Test)) || !self.step(test) {
            return;
        }
        let exprs = self.tested(test);
        self.operands(test, &exprs);
    }

    fn tested(&self, test: Point) -> Vec<ExprId> {
        let mut exprs = Vec::new();
        if let Some(body) = self.body(test) {
            body.blocks[test.site.block].terminator.exprs(|expr| exprs.push(expr));
        }
        exprs
    }

    /// Shows a test and says what is known of what it reads, but goes no further.
    pub(super) fn show_tests(&mut self, point: Point) {
        for test in self.controllers(point) {
            if self.step(test) {
                self.mention_reads(test);
            }
        }
    }

    /// Says what is known of the registers that a test reads.
    pub(super) fn mention_reads(&mut self, test: Point) {
        let reads = self.noted.seen(test).map(|seen| seen.reads.clone()).unwrap_or_default();
        for (local, value) in reads {
            self.name_register(test, local, value.as_ref());
            if let Some(value) = value {
                self.stop(test, local, &value);
            }
        }
    }

    /// Follows the tests that look at something the slice is about. False: there are no more.
    pub(super) fn test_of_a_thing(&mut self) -> bool {
        let tests: Vec<Point> =
            self.tests.iter().filter(|test| !self.done.contains(&(**test, Sought::Test))).copied().collect();
        let mut any = false;
        for test in tests {
            if self.looks_at_a_thing(test) {
                self.follow_test(test);
                any = true;
            }
        }
        any
    }

    fn looks_at_a_thing(&self, test: Point) -> bool {
        let (Some(body), Some(seen)) = (self.body(test), self.noted.seen(test)) else { return false };
        seen.reads.iter().any(|(local, _)| {
            self.things.contains(&Thing::Register(test.site.function, *local))
                || self.loads_a_thing(body, test, *local)
        })
    }

    /// Whether a temporary was loaded in the block of the test from something the slice is about.
    fn loads_a_thing(&self, body: &Body, test: Point, local: LocalId) -> bool {
        let statements = &body.blocks[test.site.block].statements;
        let Some(at) = statements.iter().rposition(|s| crate::explain::value_log::defined(s) == Some(local))
        else {
            return false;
        };
        let from = self.noted.seen(test.at(test.site.block, at)).and_then(|seen| seen.from.as_ref());
        let mut objects = from.into_iter().flat_map(|from| &from.address.targets);
        objects.any(|(object, _)| self.things.contains(&Thing::Object(*object)))
    }
}
