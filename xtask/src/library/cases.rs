// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls, of functions that the sanitizers look into. Each has buffers whose sizes are right, or wrong by one.

use fastrand::Rng;

/// A program of one function for each seed; the number of arguments says which one runs.
pub fn program(seeds: &[u64]) -> String {
    let mut text = String::from(
        "#define _GNU_SOURCE\n#include <ctype.h>\n#include <limits.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <strings.h>\n\nstatic int by_value(const void *a, const void *b)\n{\n    \
         return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);\n}\n",
    );
    for seed in seeds {
        let mut random = Rng::with_seed(*seed);
        let body = Case { random: &mut random, lines: Vec::new(), buffers: 0 }.body();
        text.push_str(&format!("\nstatic int {}(void)\n{{\n{body}}}\n", name(*seed)));
    }
    text.push_str("\nint main(int argc, char **argv)\n{\n    (void)argv;\n    switch (argc) {\n");
    for (index, seed) in seeds.iter().enumerate() {
        text.push_str(&format!("    case {}:\n        {}();\n        break;\n", index + 1, name(*seed)));
    }
    text.push_str("    }\n    return 0;\n}\n");
    text
}

/// The name of the function of a seed.
pub fn name(seed: u64) -> String {
    format!("call_{seed}")
}

struct Case<'a> {
    random: &'a mut Rng,
    lines: Vec<String>,
    buffers: u32,
}

impl Case<'_> {
    fn body(mut self) -> String {
        let result = match self.random.u32(0..12) {
            0 => self.copies_text(),
            1 => self.copies_bytes(),
            2 => self.appends(),
            3 => self.measures(),
            4 => self.compares(),
            5 => self.seeks(),
            6 | 7 => self.prints(),
            8 => self.scans(),
            9 => self.numbers(),
            10 => self.classes(),
            _ => self.sorts(),
        };
        self.lines.push(format!("return {result};"));
        self.lines.iter().map(|line| format!("    {line}\n")).collect()
    }

    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    fn any<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(0..of.len())]
    }

    /// A size that is right as often as not.
    fn about(&mut self, size: u64) -> u64 {
        match self.random.u32(0..6) {
            0 | 1 => size.saturating_sub(1).max(1),
            2 => size + 1,
            _ => size.max(1),
        }
    }

    fn word(&mut self, length: u64) -> String {
        (0..length).map(|_| self.any(&['a', 'b', 'c', 'A', '7'])).collect()
    }

    /// A buffer of so many bytes that holds nothing of interest, on the stack or the heap.
    fn room(&mut self, bytes: u64) -> String {
        let name = self.fresh();
        if self.random.bool() {
            self.line(format!("char {name}[{bytes}];"));
        } else {
            self.line(format!("char *{name} = malloc({bytes});"));
            self.line(format!("if ({name} == NULL)"));
            self.line("    return 0;".to_owned());
        }
        name
    }

    /// A buffer that starts with a text; its NUL may have no room.
    fn holding(&mut self, text: &str, bytes: u64) -> String {
        let name = self.room(bytes);
        for (at, byte) in text.bytes().chain([0]).take(bytes as usize).enumerate() {
            self.line(format!("{name}[{at}] = {byte};"));
        }
        name
    }

    /// A text in a buffer that has room for it, or not for its NUL.
    fn text(&mut self, length: u64) -> String {
        let word = self.word(length);
        let bytes = self.about(length + 1);
        self.holding(&word, bytes)
    }

    fn fresh(&mut self) -> String {
        self.buffers += 1;
        format!("b{}", self.buffers)
    }

    fn copies_text(&mut self) -> String {
        let length = self.random.u64(0..6);
        let from = self.text(length);
        match self.random.u32(0..4) {
            0 => {
                let bytes = self.about(length + 1);
                let to = self.room(bytes);
                self.line(format!("strcpy({to}, {from});"));
            }
            1 | 2 => {
                let most = self.random.u64(0..8);
                let bytes = self.about(most);
                let to = self.room(bytes);
                self.line(format!("strncpy({to}, {from}, {most});"));
            }
            _ => {
                let most = self.random.u64(0..8);
                let call = self.any(&["strdup(F)", "strndup(F, N)"]);
                let call = call.replace('F', &from).replace('N', &most.to_string());
                self.line(format!("free({call});"));
            }
        }
        "0".to_owned()
    }

    fn copies_bytes(&mut self) -> String {
        let bytes = self.random.u64(0..7);
        let (room, held) = (self.about(bytes), self.about(bytes));
        let word = self.word(held);
        let from = self.holding(&word, held);
        let to = self.room(room);
        let call = self.any(&["memcpy(T, F, N)", "memmove(T, F, N)", "memset(T, 5, N)", "memset(F, 0, N)"]);
        let call = call.replace('T', &to).replace('F', &from).replace('N', &bytes.to_string());
        self.line(format!("{call};"));
        "0".to_owned()
    }

    fn appends(&mut self) -> String {
        let (old, added) = (self.random.u64(0..5), self.random.u64(0..5));
        let word = self.word(old);
        let bytes = self.about(old + added + 1).max(old + 1);
        let to = self.holding(&word, bytes);
        let from = self.text(added);
        let most = self.random.u64(0..6);
        let call = if self.random.bool() {
            format!("strcat({to}, {from});")
        } else {
            format!("strncat({to}, {from}, {most});")
        };
        self.line(call);
        "0".to_owned()
    }

    fn measures(&mut self) -> String {
        let length = self.random.u64(0..6);
        let text = self.text(length);
        let most = self.random.u64(0..8);
        let call = self.any(&["strlen(T)", "strnlen(T, N)", "strspn(T, \"abA\")", "strcspn(T, \"7\")"]);
        let call = call.replace('T', &text).replace('N', &most.to_string());
        format!("(int){call}")
    }

    fn compares(&mut self) -> String {
        let (one, other) = (self.random.u64(0..5), self.random.u64(0..5));
        let word = self.word(one.max(other));
        let (bytes, more) = (self.about(one + 1), self.about(other + 1));
        let left = self.holding(&word[..one as usize], bytes);
        let right = self.holding(&word[..other as usize], more);
        let most = self.random.u64(0..7);
        let call =
            self.any(&["strcmp(L, R)", "strncmp(L, R, N)", "strcasecmp(L, R)", "strncasecmp(L, R, N)"]);
        call.replace('L', &left).replace('R', &right).replace('N', &most.to_string())
    }

    fn seeks(&mut self) -> String {
        let length = self.random.u64(0..6);
        let text = self.text(length);
        let most = self.random.u64(0..8);
        let call = self.any(&[
            "strchr(T, 'c')",
            "strrchr(T, 'a')",
            "strchrnul(T, '7')",
            "strpbrk(T, \"7A\")",
            "strstr(T, \"ab\")",
            "strtok(T, \"b\")",
            "index(T, 'b')",
            "memchr(T, 'c', N)",
            "memrchr(T, 'c', N)",
        ]);
        let call = call.replace('T', &text).replace('N', &most.to_string());
        format!("{call} != NULL")
    }

    /// A directive, its argument, and how long its text is.
    fn directive(&mut self) -> (String, String, u64) {
        let value = self.any(&[0i64, 7, -1, 42, -350, 99999, i64::from(i32::MAX), i64::from(i32::MIN)]);
        let width = self.random.usize(0..7);
        match self.random.u32(0..6) {
            0 => (format!("%{}d", some(width)), int(value), format!("{value:width$}").len() as u64),
            1 => ("%+d".to_owned(), int(value), format!("{value:+}").len() as u64),
            2 => ("%#x".to_owned(), int(value), hexadecimal(value)),
            3 => ("%u".to_owned(), int(value), (value as u32).to_string().len() as u64),
            4 => ("%c".to_owned(), "'x'".to_owned(), 1),
            _ => {
                let length = self.random.u64(0..5);
                let word = self.word(length);
                let (text, precision) = (format!("\"{word}\""), self.random.usize(0..6));
                if self.random.bool() {
                    (format!("%{}s", some(width)), text, length.max(width as u64))
                } else {
                    (format!("%.{precision}s"), text, length.min(precision as u64))
                }
            }
        }
    }

    fn prints(&mut self) -> String {
        let (mut format, mut arguments, mut length) = (String::new(), String::new(), 0);
        for _ in 0..self.random.usize(1..3) {
            let (directive, argument, bytes) = self.directive();
            format.push_str(&directive);
            format.push(',');
            arguments.push_str(&format!(", {argument}"));
            length += bytes + 1;
        }
        if self.random.bool() {
            let bytes = self.about(length + 1);
            let to = self.room(bytes);
            format!("sprintf({to}, \"{format}\"{arguments})")
        } else {
            let most = self.random.u64(0..length + 3);
            let bytes = self.about(most.min(length + 1));
            let to = self.room(bytes);
            format!("snprintf({to}, {most}, \"{format}\"{arguments})")
        }
    }

    fn scans(&mut self) -> String {
        let length = self.random.u64(1..6);
        let word = self.word(length);
        match self.random.u32(0..3) {
            0 => {
                // The sanitizer asks for room for the whole width, however short the text is.
                let width = self.random.u64(1..=length);
                let bytes = self.about(width + 1);
                let to = self.room(bytes);
                format!("sscanf(\"{word}\", \"%{width}s\", {to})")
            }
            1 => {
                let bytes = self.about(length + 1);
                let to = self.room(bytes);
                format!("sscanf(\"{word}\", \"%s\", {to})")
            }
            _ => {
                let (directive, bytes) = self.any(&[("%hhd", 1), ("%hd", 2), ("%d", 4), ("%ld", 8)]);
                let bytes = self.about(bytes);
                let name = self.fresh();
                self.line(format!("char *{name} = malloc({bytes});"));
                self.line(format!("if ({name} == NULL)"));
                self.line("    return 0;".to_owned());
                format!("sscanf(\"12\", \"{directive}\", (void *){name})")
            }
        }
    }

    fn numbers(&mut self) -> String {
        let (a, b) = (self.random.i32(-3..4), self.random.i32(-2..3));
        let text = self.any(&["12", " -7", "0x1f", "z", ""]).to_owned();
        let bytes = self.about(text.len() as u64 + 1);
        match self.random.u32(0..5) {
            0 => format!("div({a}, {b}).quot"),
            1 => format!("(int)ldiv({a}, {b}).rem"),
            2 => {
                let text = self.holding(&text, bytes);
                format!("atoi({text})")
            }
            3 => {
                let text = self.holding(&text, bytes);
                let base = self.any(&[0, 8, 10, 16]);
                self.line("char *end;".to_owned());
                format!("(int)strtol({text}, &end, {base})")
            }
            _ => {
                let bytes = self.about(8);
                self.line(format!("int *p = calloc({bytes}, 1);"));
                self.line("int *q = p == NULL ? NULL : reallocarray(p, 3, sizeof *p);".to_owned());
                self.line("if (q == NULL)".to_owned());
                self.line("    return 0;".to_owned());
                let index = self.any(&[0, 1, 2, 3]);
                self.line("q[2] = 1;".to_owned());
                self.line("q[1] = 1;".to_owned());
                format!("q[{index}]")
            }
        }
    }

    fn classes(&mut self) -> String {
        let c = self.random.i32(-1..256);
        let function = self.any(&[
            "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
            "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper",
        ]);
        let expected = self.any(&["[r != 0]", "[r & 1]"]);
        self.line("char b[2] = {1, 2};".to_owned());
        // Through the function, the macro, or a pointer.
        let call = self.any(&["F(C)", "(F)(C)", "p(C)"]);
        self.line(format!("int (*p)(int) = {function};"));
        let call = call.replace('F', function).replace('C', &c.to_string());
        self.line(format!("int r = {call};"));
        format!("p != NULL ? b{expected} : 0")
    }

    fn sorts(&mut self) -> String {
        let count = self.random.u64(1..5);
        let (sorts, about) = (self.random.bool(), self.about(count));
        // The sanitizers do not look at what bsearch is given.
        let room = if sorts { about } else { count };
        self.line(format!("int *a = malloc({room} * sizeof *a);"));
        self.line("if (a == NULL)".to_owned());
        self.line("    return 0;".to_owned());
        for at in 0..room {
            let value = self.random.i32(-5..6);
            self.line(format!("a[{at}] = {value};"));
        }
        if sorts {
            self.line(format!("qsort(a, {count}, sizeof *a, by_value);"));
            return "a[0]".to_owned();
        }
        self.line("int key = 2;".to_owned());
        format!("bsearch(&key, a, {count}, sizeof *a, by_value) != NULL")
    }
}

fn some(width: usize) -> String {
    if width == 0 { String::new() } else { width.to_string() }
}

/// A constant of type int.
fn int(value: i64) -> String {
    if value == i64::from(i32::MIN) { "INT_MIN".to_owned() } else { value.to_string() }
}

fn hexadecimal(value: i64) -> u64 {
    let digits = format!("{:x}", value as u32).len() as u64;
    if value == 0 { 1 } else { digits + 2 }
}
