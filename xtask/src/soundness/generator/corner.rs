// SPDX-License-Identifier: MIT OR Apache-2.0
//! Corners of the language: bit-fields, records by value, unnamed arguments, integers that carry pointers, arrays of
//! variable length, aliases, jumps out of loops.

use super::Generator;
use super::types::{Scalar, Shape, Variable};

/// Functions and types that the corners use, in every program: an engine that follows only what is called loses nothing.
pub(super) const SUPPORT: &str = "\
struct pair { int first; long second; unsigned char tail[3]; };
struct packed { unsigned int a : 3; int b : 5; unsigned int c : 17; signed char d : 2; };
static struct pair make_pair(int x, long y)
{
    struct pair p = {x, y, {1, 2, 3}};
    return p;
}
static long use_pair(struct pair p, int i)
{
    p.first = p.first & 255;
    return p.first + (p.second & 4095) + (i >= 0 && i < 3 ? p.tail[i] : 0);
}
static void swap_ints(int *x, int *y)
{
    int t = *x;
    *x = *y;
    *y = t;
}
static int sum_of(int count, ...)
{
    __builtin_va_list list;
    int sum = 0;
    __builtin_va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += __builtin_va_arg(list, int) & 1023;
    __builtin_va_end(list);
    return sum;
}
";

impl Generator {
    pub(super) fn corner(&mut self) {
        match self.rng.u32(0..8) {
            0 => self.bit_fields(),
            1 => self.by_value(),
            2 => self.unnamed_arguments(),
            3 => self.carried_pointer(),
            4 => self.variable_length(),
            5 => self.aliases(),
            6 => self.jump_out(),
            _ => self.overlapping_copy(),
        }
    }

    fn push_scalar(&mut self, name: String, scalar: Scalar) {
        self.scope.push(Variable::new(name, Shape::Scalar(scalar)));
    }

    fn bit_fields(&mut self) {
        let (fields, value) = (self.name("bf"), self.name("v"));
        let zeroed = if self.mistake() { "" } else { " = {0}" };
        let (first, second) = (self.expression(Scalar::I32, 1), self.expression(Scalar::I32, 1));
        let (one, other) = (self.pick(&["a", "b", "c", "d"]), self.pick(&["a", "b", "c", "d"]));
        self.line(format!("struct packed {fields}{zeroed};"));
        self.line(format!("{fields}.{one} = {first};"));
        self.line(format!("{fields}.b = {second};"));
        self.line(format!("if ({fields}.{other} > 2) {fields}.{other}--;"));
        self.line(format!("int {value} = {fields}.{one} + {fields}.{other};"));
        self.push_scalar(value, Scalar::I32);
    }

    fn by_value(&mut self) {
        let (pair, value) = (self.name("pair"), self.name("v"));
        let (x, y, i) =
            (self.expression(Scalar::I32, 1), self.expression(Scalar::I64, 1), self.leaf(Scalar::I32));
        self.line(format!("struct pair {pair} = make_pair({x}, {y});"));
        let index = self.index(3);
        let byte = self.expression(Scalar::U8, 1);
        self.line(format!("{pair}.tail[{index}] = {byte};"));
        self.line(format!("long {value} = use_pair({pair}, {i});"));
        self.push_scalar(value, Scalar::I64);
    }

    fn unnamed_arguments(&mut self) {
        let value = self.name("v");
        let given = self.rng.u32(1..4);
        let count = if self.mistake() { given + 1 } else { given };
        let arguments: Vec<String> = (0..given).map(|_| self.expression(Scalar::I32, 1)).collect();
        let casts: Vec<String> = arguments.iter().map(|argument| format!("(int)({argument})")).collect();
        self.line(format!("int {value} = sum_of({count}, {});", casts.join(", ")));
        self.push_scalar(value, Scalar::I32);
    }

    fn carried_pointer(&mut self) {
        let (target, carrier, pointer) = (self.name("v"), self.name("addr"), self.name("q"));
        let (length, value) = (self.rng.u64(2..6), self.expression(Scalar::I32, 1));
        let index = self.index(length);
        self.line(format!("int {target}[{length}] = {{0}};"));
        self.line(format!("unsigned long {carrier} = (unsigned long)&{target}[{index}];"));
        if self.chance(40) {
            let condition = self.condition(1);
            let step = if self.mistake() { 4 } else { 0 };
            self.line(format!("if ({condition}) {carrier} += {step};"));
        }
        self.line(format!("int *{pointer} = (int *){carrier};"));
        self.line(format!("*{pointer} = {value};"));
        self.scope.push(Variable::new(target, Shape::Array(Scalar::I32, length)));
    }

    fn variable_length(&mut self) {
        let (array, n, i, value) = (self.name("vla"), self.name("n"), self.name("i"), self.name("v"));
        let most = self.rng.u32(2..12);
        let start = self.leaf(Scalar::I32);
        self.line(format!("int {n} = (int)({start});"));
        let least = if self.mistake() { 0 } else { 1 };
        self.line(format!("if ({n} < {least} || {n} > {most}) {n} = {most};"));
        self.line(format!("int {array}[{n}];"));
        let test = if self.mistake() { "<=" } else { "<" };
        self.line(format!("for (int {i} = 0; {i} {test} {n}; {i}++) {array}[{i}] = {i};"));
        let last = if self.mistake() { n.clone() } else { format!("{n} - 1") };
        self.line(format!("int {value} = {array}[{last}];"));
        self.push_scalar(value, Scalar::I32);
    }

    /// Two names of one variable: what is known through one is not so after a write through the other.
    fn aliases(&mut self) {
        let (x, y, p, z) = (self.name("x"), self.name("y"), self.name("q"), self.name("v"));
        let (a, b, condition) =
            (self.expression(Scalar::I32, 1), self.expression(Scalar::I32, 1), self.condition(1));
        self.line(format!("int {x} = {a}, {y} = {b};"));
        self.line(format!("int *{p} = {condition} ? &{x} : &{y};"));
        match self.rng.u32(0..3) {
            0 => self.line(format!("swap_ints({p}, &{y});")),
            1 => self.line(format!("if ({x} > 0 && {x} < 10) *{p} = 0;")),
            _ => self.line(format!("swap_ints(&{x}, {p}); {x} &= 15;")),
        }
        match self.mistake() {
            true => self.line(format!("int {z} = 100 / {x};")),
            false => self.line(format!("int {z} = {x} > 0 ? 100 / {x} : {y};")),
        }
        for name in [x, y, z] {
            self.push_scalar(name, Scalar::I32);
        }
    }

    fn jump_out(&mut self) {
        let (i, j, out, found) = (self.name("i"), self.name("j"), self.name("out"), self.name("v"));
        let (rows, columns) = (self.rng.u32(1..6), self.rng.u32(1..6));
        let first = if self.mistake() { "" } else { " = -1" };
        self.line(format!("int {found}{first};"));
        self.block(
            &format!("for (int {i} = 0; {i} < {rows}; {i}++)"),
            |g| {
                g.scope.push(Variable::counter(i.clone(), 0, i64::from(rows)));
                let condition = g.condition(1);
                g.line(format!(
                    "for (int {j} = 0; {j} < {columns}; {j}++) if ({condition}) {{ {found} = {i} * {columns} + {j}; goto {out}; }}"
                ));
            },
            "",
        );
        self.line(format!("{out}:;"));
        self.push_scalar(found, Scalar::I32);
    }

    fn overlapping_copy(&mut self) {
        let (array, length) = (self.name("a"), self.rng.u64(4..12));
        let (value, moved) = (self.name("v"), self.rng.u64(1..3));
        self.line(format!("short {array}[{length}] = {{5, 6, 7}};"));
        let bytes = if self.mistake() { 2 * length } else { 2 * (length - moved) };
        match self.mistake() {
            true => self.line(format!("memcpy({array} + {moved}, {array}, {bytes});")),
            false => self.line(format!("memmove({array} + {moved}, {array}, {bytes});")),
        }
        let index = self.index(length);
        self.line(format!("int {value} = {array}[{index}];"));
        self.scope.push(Variable::new(array, Shape::Array(Scalar::I16, length)));
        self.push_scalar(value, Scalar::I32);
    }
}
