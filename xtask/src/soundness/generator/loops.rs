// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops of every form, with counters that the statements inside may use as indices.

use super::Generator;
use super::types::{Scalar, Variable};

impl Generator {
    pub(super) fn a_loop(&mut self) {
        if self.loops >= 3 {
            return self.some_statements();
        }
        self.loops += 1;
        match self.rng.u32(0..12) {
            0..=4 => self.counted(),
            5 => self.downwards(),
            6..=7 => self.bounded_by_variable(),
            8 => self.while_loop(),
            9 => self.do_loop(),
            10 => self.goto_loop(),
            _ => self.two_counters(),
        }
        self.loops -= 1;
    }

    /// Now and then a way out or back in the middle.
    fn body(&mut self) {
        self.some_statements();
        if self.chance(25) {
            let condition = self.condition(1);
            let word = self.pick(&["break", "continue", "break"]);
            self.line(format!("if ({condition}) {word};"));
            self.some_statements();
        }
    }

    fn turns(&mut self) -> i64 {
        let most = if self.loops > 1 { 9 } else { 20 };
        self.rng.i64(1..most)
    }

    fn counted(&mut self) {
        let (counter, high) = (self.name("i"), self.turns());
        let low = if self.chance(80) { 0 } else { self.rng.i64(-3..4) };
        let step = if self.chance(80) { 1 } else { self.rng.i64(2..4) };
        let ty = self.pick(&["int", "int", "int", "unsigned int", "unsigned char", "long", "short"]);
        let low = if ty.starts_with("unsigned") { low.abs() } else { low };
        let test = match self.rng.u32(0..4) {
            0 => format!("{counter} <= {}", high - 1),
            // Never equal when the step passes it by: the limit of steps or an overflow ends it.
            1 if step == 1 && low <= high || self.mistake() => format!("{counter} != {high}"),
            _ => format!("{counter} < {high}"),
        };
        let increment = if step == 1 { format!("{counter}++") } else { format!("{counter} += {step}") };
        let head = format!("for ({ty} {counter} = {low}; {test}; {increment})");
        let content = |g: &mut Generator| {
            g.scope.push(Variable::counter(counter.clone(), low, high.max(low + 1)));
            g.body();
        };
        self.block(&head, content, "");
    }

    fn downwards(&mut self) {
        let (counter, high) = (self.name("i"), self.turns());
        let unsigned = self.mistake();
        let ty = if unsigned { "unsigned int" } else { "int" };
        let head = format!("for ({ty} {counter} = {high} - 1; {counter} >= 0; {counter}--)");
        let content = |g: &mut Generator| {
            g.scope.push(Variable::counter(counter.clone(), 0, high));
            g.body();
        };
        self.block(&head, content, "");
    }

    /// The bound is an input, clamped before, unless there is a mistake.
    fn bounded_by_variable(&mut self) {
        let (counter, bound, most) = (self.name("i"), self.name("n"), self.turns());
        let scalar = Scalar::integer(&mut self.rng);
        let value = self.leaf(scalar);
        self.line(format!("int {bound} = (int)({value});"));
        let limit = if self.mistake() { most + 1 } else { most };
        match self.rng.u32(0..4) {
            0 => self.line(format!("if ({bound} > {limit}) {bound} = {limit};")),
            1 => self.line(format!("{bound} = {bound} < 0 || {bound} > {limit} ? {most} : {bound};")),
            2 => self.line(format!("{bound} %= {};", limit + 1)),
            _ => self.line(format!("if (({bound} < 0) | ({bound} >= {limit})) {bound} = 1;")),
        }
        let head = format!("for (int {counter} = 0; {counter} < {bound}; {counter}++)");
        let content = |g: &mut Generator| {
            g.scope.push(Variable::counter(counter.clone(), 0, most));
            g.body();
        };
        self.block(&head, content, "");
        self.scope.push(Variable::counter(bound, -1, most + 1));
    }

    fn while_loop(&mut self) {
        let (counter, high) = (self.name("w"), self.turns());
        self.line(format!("int {counter} = 0;"));
        let condition = self.condition(1);
        let head = format!("while ({counter} < {high} && ({condition}))");
        let content = |g: &mut Generator| {
            let known = g.scope.len();
            g.scope.push(Variable::counter(counter.clone(), 0, high));
            g.some_statements();
            g.scope.truncate(known);
            let step = g.rng.u32(1..3);
            g.line(format!("{counter} += {step};"));
        };
        self.block(&head, content, "");
        self.scope.push(Variable::counter(counter, 0, high + 2));
    }

    fn do_loop(&mut self) {
        let (counter, high) = (self.name("d"), self.turns());
        self.line(format!("int {counter} = 0;"));
        let content = |g: &mut Generator| {
            let known = g.scope.len();
            g.scope.push(Variable::counter(counter.clone(), 0, high));
            g.some_statements();
            g.scope.truncate(known);
            g.line(format!("{counter}++;"));
        };
        let tail = format!(" while ({counter} < {high});");
        self.block("do", content, &tail);
        self.scope.push(Variable::counter(counter, 1, high + 1));
    }

    fn goto_loop(&mut self) {
        let (counter, label, high) = (self.name("k"), self.name("again"), self.turns());
        self.line(format!("int {counter} = 0;"));
        self.line(format!("{label}:;"));
        self.block(
            "",
            |g| {
                g.scope.push(Variable::counter(counter.clone(), 0, high));
                g.some_statements();
            },
            "",
        );
        self.line(format!("{counter}++;"));
        self.line(format!("if ({counter} < {high}) goto {label};"));
        self.scope.push(Variable::counter(counter, 1, high + 1));
    }

    /// A second counter that moves with the first, in step or only on some turns.
    fn two_counters(&mut self) {
        let (first, second, high) = (self.name("i"), self.name("j"), self.turns());
        self.line(format!("int {second} = 0;"));
        let condition = if self.chance(50) { None } else { Some(self.condition(1)) };
        let head = format!("for (int {first} = 0; {first} < {high}; {first}++)");
        let content = |g: &mut Generator| {
            let known = g.scope.len();
            g.scope.push(Variable::counter(first.clone(), 0, high));
            g.scope.push(Variable::counter(second.clone(), 0, high));
            g.some_statements();
            g.scope.truncate(known);
            match &condition {
                Some(condition) => g.line(format!("if ({condition}) {second}++;")),
                None => g.line(format!("{second}++;")),
            }
        };
        self.block(&head, content, "");
        self.scope.push(Variable::counter(second, 0, high + 1));
    }
}
