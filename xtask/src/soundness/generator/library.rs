// SPDX-License-Identifier: MIT OR Apache-2.0
//! The heap and the string functions, used well and not so well.

use super::Generator;
use super::types::{Scalar, Shape, Variable};

/// Strings of several lengths.
const LITERALS: [&str; 7] = ["", "a", "abc", "hello", "0123456", "clew", "longer than most"];

impl Generator {
    pub(super) fn heap(&mut self) {
        match self.rng.u32(0..8) {
            6..=7 => self.pointer_array(),
            0..=1 => self.heap_array(),
            2..=3 => self.sized_array(),
            4 => self.list(),
            _ => self.heap_record(),
        }
    }

    /// An array from the heap: filled, used and freed, or one of these too few or too often.
    fn heap_array(&mut self) {
        let (name, i, scalar) = (self.name("b"), self.name("i"), Scalar::any(&mut self.rng));
        let length = self.array_length();
        let ty = scalar.c();
        let zeroed = self.chance(30);
        match zeroed {
            true => self.line(format!("{ty} *{name} = calloc({length}, sizeof({ty}));")),
            false => self.line(format!("{ty} *{name} = malloc({length} * sizeof({ty}));")),
        }
        let result = if self.result.is_float() { "0.0" } else { "0" };
        if !self.mistake() {
            self.line(format!("if (!{name}) return {result};"));
        }
        if !zeroed && !self.mistake() {
            let limit = if self.mistake() { length + 1 } else { length };
            self.scope.push(Variable::counter(i.clone(), 0, length as i64));
            let value = self.expression(scalar, 1);
            self.scope.pop();
            self.line(format!("for (int {i} = 0; {i} < {limit}; {i}++) {name}[{i}] = {value};"));
        }
        let known = self.scope.len();
        self.scope.push(Variable::new(name.clone(), Shape::Array(scalar, length)));
        self.some_statements();
        let declared = self.scope.split_off(known);
        if self.chance(15) {
            let longer = length + self.rng.u64(1..5);
            self.line(format!("{name} = realloc({name}, {longer} * sizeof({ty}));"));
            let value = self.expression(scalar, 1);
            self.line(format!("if ({name}) {name}[{}] = {value};", longer - 1));
        }
        let early = self.mistake();
        if early || self.chance(80) {
            self.line(format!("free({name});"));
        }
        if early {
            // Used or freed again.
            match self.chance(50) {
                true => self.line(format!("free({name});")),
                false => {
                    let index = self.index(length);
                    let value = self.leaf(scalar);
                    self.line(format!("{name}[{index}] = {value};"));
                }
            }
        }
        self.scope.extend(declared.into_iter().skip(1));
    }

    /// An array whose length is a variable: filled up to somewhere, read up to somewhere.
    fn sized_array(&mut self) {
        let (name, n, i, sum) = (self.name("b"), self.name("n"), self.name("i"), self.name("acc"));
        let scalar = Scalar::any(&mut self.rng);
        let (ty, most) = (scalar.c(), self.rng.u32(2..30));
        let result = if self.result.is_float() { "0.0" } else { "0" };
        let length = self.pick(&["int", "unsigned int", "unsigned long", "unsigned char"]);
        self.line(format!("{length} {n} = __VERIFIER_nondet_int();"));
        self.line(format!("if ({n} < 1 || {n} > {most}) {n} = 1;"));
        let on_stack = self.chance(30);
        if on_stack {
            self.line(format!("{ty} {name}[{most}];"));
        } else {
            self.line(format!("{ty} *{name} = malloc({n} * sizeof({ty}));"));
            self.line(format!("if (!{name}) return {result};"));
        }
        let test = if self.mistake() { "<=" } else { "<" };
        let first = u32::from(self.mistake());
        let skip = if self.mistake() { Some(self.condition(1)) } else { None };
        let value = self.expression(scalar, 1);
        self.block(
            &format!("for ({length} {i} = {first}; {i} {test} {n}; {i}++)"),
            |g| {
                if let Some(condition) = &skip {
                    let word = g.pick(&["continue", "break"]);
                    g.line(format!("if ({condition}) {word};"));
                }
                g.line(format!("{name}[{i}] = {value};"));
            },
            "",
        );
        if on_stack && self.chance(60) {
            // Another end, inside the array: what lies between may not be filled.
            let end = self.expression(Scalar::U32, 1);
            self.line(format!("{n} = (unsigned int)({end}) % {most}u;"));
        } else if self.mistake() {
            let op = self.pick(&["++", " *= 2", " += 1"]);
            self.line(format!("{n}{op};"));
        }
        let total = if scalar.is_float() { Scalar::F64 } else { Scalar::U32 };
        self.line(format!("{} {sum} = 0;", total.c()));
        let last = if self.mistake() { "<=" } else { "<" };
        self.line(format!("for ({length} {i} = 0; {i} {last} {n}; {i}++) {sum} += {name}[{i}];"));
        if self.chance(50) {
            let index = self.expression(Scalar::U32, 1);
            let guarded = if self.mistake() { format!("{n} + 1") } else { n.clone() };
            self.line(format!("if (({index}) < {guarded}) {sum} += {name}[{index}];"));
        }
        if !on_stack {
            self.line(format!("free({name});"));
        }
        self.scope.push(Variable::new(sum, Shape::Scalar(total)));
    }

    /// An array of pointers to objects that one statement makes.
    fn pointer_array(&mut self) {
        let (slots, i, sum) = (self.name("slots"), self.name("i"), self.name("acc"));
        let (count, scalar) = (self.rng.u32(2..6), Scalar::integer(&mut self.rng));
        let ty = scalar.c();
        let result = if self.result.is_float() { "0.0" } else { "0" };
        let zeroed = if self.mistake() { "" } else { " = {0}" };
        self.line(format!("{ty} *{slots}[{count}]{zeroed}; unsigned int {sum} = 0;"));
        self.scope.push(Variable::counter(i.clone(), 0, i64::from(count)));
        let value = self.expression(scalar, 1);
        self.scope.pop();
        let skip = if self.mistake() { Some(self.condition(1)) } else { None };
        self.block(
            &format!("for (int {i} = 0; {i} < {count}; {i}++)"),
            |g| {
                if let Some(condition) = &skip {
                    g.line(format!("if ({condition}) continue;"));
                }
                g.line(format!("{slots}[{i}] = malloc(sizeof({ty}));"));
                g.line(format!("if (!{slots}[{i}]) return {result};"));
                g.line(format!("*{slots}[{i}] = {value};"));
            },
            "",
        );
        let index = self.index(u64::from(count));
        let other = self.expression(scalar, 1);
        self.line(format!("if ({slots}[{index}]) *{slots}[{index}] = {other};"));
        if self.mistake() {
            self.line(format!("free({slots}[{}]);", count - 1));
        }
        self.line(format!(
            "for (int {i} = 0; {i} < {count}; {i}++) if ({slots}[{i}]) {sum} += *{slots}[{i}];"
        ));
        self.line(format!("for (int {i} = 0; {i} < {count}; {i}++) free({slots}[{i}]);"));
        self.scope.push(Variable::new(sum, Shape::Scalar(Scalar::U32)));
    }

    /// A linked list: made, walked, freed.
    fn list(&mut self) {
        let (tag, head, node, i, sum) =
            (self.name("node"), self.name("head"), self.name("n"), self.name("i"), self.name("sum"));
        let count = self.rng.u32(1..6);
        let value = self.expression(Scalar::I32, 1);
        let result = if self.result.is_float() { "0.0" } else { "0" };
        self.line(format!("struct {tag} {{ int value; struct {tag} *next; }};"));
        self.line(format!("struct {tag} *{head} = 0; int {sum} = 0;"));
        let unguarded = self.mistake();
        self.block(
            &format!("for (int {i} = 0; {i} < {count}; {i}++)"),
            |g| {
                g.line(format!("struct {tag} *{node} = malloc(sizeof *{node});"));
                if !unguarded {
                    g.line(format!("if (!{node}) return {result};"));
                }
                g.line(format!("{node}->value = {value};"));
                if !g.mistake() {
                    g.line(format!("{node}->next = {head};"));
                }
                g.line(format!("{head} = {node};"));
            },
            "",
        );
        let mask = if self.mistake() { "" } else { " & 1023" };
        self.line(format!(
            "for (struct {tag} *{node} = {head}; {node}; {node} = {node}->next) {sum} += {node}->value{mask};"
        ));
        self.block(
            &format!("while ({head})"),
            |g| {
                if g.mistake() {
                    g.line(format!("free({head}); {head} = {head}->next;"));
                } else {
                    g.line(format!("struct {tag} *{node} = {head}->next; free({head}); {head} = {node};"));
                }
            },
            "",
        );
        self.scope.push(Variable::new(sum, Shape::Scalar(Scalar::I32)));
    }

    fn heap_record(&mut self) {
        if self.records.is_empty() {
            return self.list();
        }
        let record = self.rng.usize(..self.records.len());
        let (name, tag) = (self.name("r"), self.records[record].tag.clone());
        let result = if self.result.is_float() { "0.0" } else { "0" };
        self.line(format!("{tag} *{name} = malloc(sizeof *{name});"));
        if !self.mistake() {
            self.line(format!("if (!{name}) return {result};"));
        }
        if !self.mistake() {
            self.line(format!("memset({name}, 0, sizeof *{name});"));
        }
        let known = self.scope.len();
        self.scope.push(Variable::new(name.clone(), Shape::RecordPointer(record)));
        self.some_statements();
        let declared = self.scope.split_off(known);
        self.line(format!("free({name});"));
        self.scope.extend(declared.into_iter().skip(1));
    }

    /// A buffer and what the string functions do to it.
    pub(super) fn string(&mut self) {
        let (buffer, literal) = (self.name("buf"), self.pick(&LITERALS));
        let needed = literal.len() as u64 + 1;
        let size =
            if self.mistake() { needed.saturating_sub(1).max(1) } else { needed + self.rng.u64(0..12) };
        self.line(format!("char {buffer}[{size}];"));
        match self.rng.u32(0..5) {
            0 => self.line(format!("strcpy({buffer}, \"{literal}\");")),
            1 => {
                self.line(format!("strncpy({buffer}, \"{literal}\", sizeof {buffer});"));
                if !self.mistake() {
                    self.line(format!("{buffer}[sizeof {buffer} - 1] = 0;"));
                }
            }
            2 => {
                self.line(format!("memset({buffer}, 'x', sizeof {buffer});"));
                if !self.mistake() {
                    let index = self.index(size);
                    self.line(format!("{buffer}[{index}] = 0;"));
                }
            }
            3 => {
                let bytes = literal.len() as u64 + u64::from(!self.mistake());
                self.line(format!("memcpy({buffer}, \"{literal}\", {bytes});"));
            }
            _ => {
                let i = self.name("i");
                let literal_name = self.name("lit");
                self.line(format!("const char *{literal_name} = \"{literal}\";"));
                self.line(format!("int {i} = 0;"));
                self.line(format!(
                    "while ({literal_name}[{i}] && {i} < (int)sizeof {buffer} - 1) {{ {buffer}[{i}] = {literal_name}[{i}]; {i}++; }}"
                ));
                self.line(format!("{buffer}[{i}] = 0;"));
            }
        }
        self.use_string(&buffer, size);
    }

    fn use_string(&mut self, buffer: &str, size: u64) {
        let length = self.name("len");
        match self.rng.u32(0..6) {
            0..=1 => {
                self.line(format!("unsigned long {length} = strlen({buffer});"));
                if self.chance(50) {
                    // Room for one more, or not.
                    match self.mistake() {
                        true => self.line(format!("{buffer}[{length} + 1] = 'z';")),
                        false => self.line(format!("if ({length} > 0) {buffer}[{length} - 1] = 'z';")),
                    }
                }
                self.scope.push(Variable::counter(length, 0, size as i64));
            }
            2 => {
                let other = self.pick(&LITERALS);
                match self.mistake() {
                    true => self.line(format!("strcat({buffer}, \"{other}\");")),
                    false => self.line(format!(
                        "if (strlen({buffer}) + {} < sizeof {buffer}) strcat({buffer}, \"{other}\");",
                        other.len()
                    )),
                }
            }
            3 => {
                let i = self.name("i");
                self.line(format!("int {length} = 0;"));
                self.line(format!("for (int {i} = 0; {buffer}[{i}] != 0; {i}++) {length}++;"));
                self.scope.push(Variable::counter(length, 0, size as i64));
            }
            4 => {
                let found = self.name("found");
                let character = self.pick(&["a", "e", "z", "0"]);
                self.line(format!("char *{found} = strchr({buffer}, '{character}');"));
                match self.mistake() {
                    true => self.line(format!("*{found} = 'Z';")),
                    false => self.line(format!("if ({found}) *{found} = 'Z';")),
                }
            }
            _ => {
                let other = self.pick(&LITERALS);
                self.line(format!("int {length} = strcmp({buffer}, \"{other}\");"));
                self.scope.push(Variable::new(length, Shape::Scalar(Scalar::I32)));
            }
        }
    }
}
