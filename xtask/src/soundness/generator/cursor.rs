// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strings in objects whose size is not known, and pointers that walk over them: in the function that made them, and in
//! functions that know neither their size nor where they end.

use super::Generator;

/// Functions that walk. Some of them rely on more than they are given.
pub(super) const SUPPORT: &str = "\
static int walk_length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return (int)(p - s);
}
static char *walk_to(char *s, int c)
{
    while (*s != 0 && *s != (char)c)
        s++;
    return s;
}
static void walk_copy(char *to, const char *from)
{
    while ((*to++ = *from++) != 0)
        ;
}
static void walk_copy_some(char *to, const char *from, int n)
{
    while (n > 0) {
        n--;
        if ((*to++ = *from++) == 0) {
            char *rest = to;
            int left = n;
            while (left-- != 0)
                *rest++ = 0;
            break;
        }
    }
}
static void walk_zero(void *start, unsigned long n)
{
    char *p;
    for (p = start; n--;)
        *p++ = 0;
}
static void walk_set(void *start, int c, unsigned long n)
{
    if (n != 0) {
        unsigned char *p = start;
        do
            *p++ = (unsigned char)c;
        while (--n != 0);
    }
}
static int walk_replace(char *s, char old, char new)
{
    int count = 0;
    for (; *s; s++)
        if (*s == old) {
            *s = new;
            count++;
        }
    return count;
}
static char *walk_end(char *s, char *limit)
{
    while (s < limit && *s)
        ++s;
    return s;
}
static void walk_spoil(char *s, int at, int c)
{
    s[at] = (char)c;
}
static long walk_sum(const int *from, const int *to)
{
    long sum = 0;
    while (from != to)
        sum += *from++ & 255;
    return sum;
}
static long walk_down(const int *values, int n)
{
    long sum = 0;
    const int *last = values + n;
    while (n-- > 0)
        sum += *--last & 255;
    return sum;
}
static char *walk_kept;
static int walk_again(char *s, int depth)
{
    char *here = __builtin_alloca(depth + 1);
    here[depth] = 0;
    walk_kept = here;
    if (depth > 0 && *s)
        return walk_again(s + 1, depth - 1) + (int)(unsigned char)*here;
    return 0;
}
";

impl Generator {
    pub(super) fn cursor(&mut self) {
        match self.rng.u32(0..10) {
            0..=5 => self.walked_string(),
            6..=7 => self.walked_array(),
            _ => self.walked_twice(),
        }
    }

    /// A number between 1 and a few.
    fn length(&mut self) -> String {
        let n = self.name("n");
        let most = self.rng.u32(4..24);
        self.line(format!("int {n} = __VERIFIER_nondet_int();"));
        let test = match self.rng.u32(0..3) {
            0 => format!("if ({n} < 1 || {n} > {most}) {n} = {};", self.rng.u32(1..4)),
            1 => format!("{n} = ({n} & 15) + 1;"),
            _ => format!("if ({n} < 1) {n} = 1; if ({n} > {most}) {n} = {most};"),
        };
        self.line(test);
        n
    }

    /// Bytes of a size that only the program knows.
    fn bytes(&mut self, n: &str) -> String {
        let p = self.name("s");
        let size = if self.mistake() { format!("{n} - 1") } else { n.to_owned() };
        match self.rng.u32(0..3) {
            0 => self.line(format!("char *{p} = __builtin_alloca({size} * sizeof(char));")),
            1 => self.line(format!("char {p}[{size} + 0];")),
            _ => {
                self.line(format!("char *{p} = malloc({size});"));
                self.line(format!("if (!{p}) abort();"));
            }
        }
        p
    }

    fn filled(&mut self, s: &str, n: &str) {
        let i = self.name("i");
        let (from, last) = (self.pick(&["", "", "char *"]), if self.mistake() { "" } else { " - 1" });
        if from.is_empty() {
            self.line(format!(
                "for (int {i} = 0; {i} < {n}{last}; {i}++) {s}[{i}] = (char)__VERIFIER_nondet_schar();"
            ));
        } else {
            self.line(format!(
                "for (char *{i} = {s}; {i} < {s} + {n}{last}; {i}++) *{i} = (char)(__VERIFIER_nondet_int() | 1);"
            ));
        }
        let end = match self.mistake() {
            true => self.pick(&["", "[0]", " / 2"]),
            false => " - 1",
        };
        match end {
            "" => {}
            "[0]" => self.line(format!("{s}[0] = 0;")),
            end => self.line(format!("{s}[{n}{end}] = 0;")),
        }
        // Some write after the end was written: elsewhere, or just there.
        if self.chance(40) {
            let value = self.pick(&["0", "'x'", "(char)__VERIFIER_nondet_schar()"]);
            match self.rng.u32(0..4) {
                0 => self.line(format!("if ({n} > 2) {s}[{n} - 3] = {value};")),
                1 => self.line(format!("{s}[0] = {value};")),
                2 if self.mistake() => self.line(format!("walk_spoil({s}, {n} - 1, {value});")),
                2 => self.line(format!("if ({n} > 1) walk_spoil({s}, {n} - 2, {value});")),
                _ => {
                    let k = self.name("k");
                    self.line(format!("int {k} = __VERIFIER_nondet_int();"));
                    let below = if self.mistake() { n.to_owned() } else { format!("{n} - 1") };
                    self.line(format!("if ({k} >= 0 && {k} < {below}) {s}[{k}] = {value};"));
                }
            }
        }
    }

    fn walked_string(&mut self) {
        let n = self.length();
        let s = self.bytes(&n);
        self.filled(&s, &n);
        for _ in 0..self.rng.u32(1..4) {
            self.walk_over(&s, &n);
        }
    }

    fn walk_over(&mut self, s: &str, n: &str) {
        let (p, i) = (self.name("p"), self.name("i"));
        match self.rng.u32(0..12) {
            0 => self.line(format!("int {i} = walk_length({s});")),
            1 => self.line(format!("char *{p} = walk_to({s}, __VERIFIER_nondet_int()); *{p} = 'y';")),
            2 => self.line(format!(
                "walk_replace({s}, (char)__VERIFIER_nondet_int(), (char)__VERIFIER_nondet_int());"
            )),
            3 => {
                let (m, other) = (self.length(), self.name("o"));
                let less = if self.mistake() { " - 1" } else { "" };
                self.block(
                    &format!("if ({m} >= {n}{less})"),
                    |g| {
                        g.line(format!("char *{other} = __builtin_alloca({m});"));
                        g.line(format!("walk_copy({other}, {s});"));
                        g.line(format!("{other}[walk_length({other})] = 0;"));
                    },
                    "",
                );
            }
            4 => {
                let (m, other) = (self.length(), self.name("o"));
                let more = if self.mistake() { " + 1" } else { "" };
                self.line(format!("char *{other} = __builtin_alloca({m});"));
                self.line(format!("walk_copy_some({other}, {s}, {m}{more});"));
            }
            5 => {
                let less = self.pick(&["", " - 1", " / 2"]);
                let more = if self.mistake() { " + 1" } else { less };
                self.line(format!("walk_zero({s}, {n}{more});"));
            }
            6 => {
                let more = if self.mistake() { " + 1" } else { "" };
                self.line(format!("walk_set({s}, __VERIFIER_nondet_int(), {n}{more});"));
            }
            7 => {
                let more = if self.mistake() { " + 1" } else { "" };
                self.line(format!("char *{p} = walk_end({s}, {s} + {n}{more}); *{p} = 0;"));
            }
            8 => {
                self.line(format!("char *{p} = {s};"));
                let step = self.pick(&["{p}++", "{p} += 1", "{p} = {p} + 1"]).replace("{p}", &p);
                let by = if self.mistake() { self.pick(&["*{p} != 'x'", "{p}[1]"]) } else { "*{p}" };
                self.line(format!("while ({}) {step};", by.replace("{p}", &p)));
                self.line(format!("int {i} = (int)({p} - {s});"));
                let at = if self.mistake() { format!("{i} + 1") } else { i.clone() };
                self.line(format!("{s}[{at}] = 0;"));
            }
            9 => {
                self.line(format!("int {i} = 0;"));
                self.line(format!(
                    "for (char *{p} = {s}; *{p}; {p}++, {i}++) if ({s}[{i}] != *{p}) abort();"
                ));
            }
            10 => self.line(format!("int {i} = walk_again({s}, {n} - 1);")),
            _ => {
                self.line(format!("char *{p} = {s} + {n} - 1;"));
                let test = if self.mistake() { ">=" } else { ">" };
                self.line(format!("while ({p} {test} {s}) *--{p} = 'z';"));
            }
        }
    }

    /// Integers, walked over by two ends or by a count.
    fn walked_array(&mut self) {
        let n = self.length();
        let (a, i, p) = (self.name("a"), self.name("i"), self.name("p"));
        let more = if self.mistake() { " - 1" } else { "" };
        self.line(format!("int *{a} = malloc(({n}{more}) * sizeof *{a});"));
        self.line(format!("if (!{a}) abort();"));
        self.line(format!("for (int {i} = 0; {i} < {n}; {i}++) {a}[{i}] = __VERIFIER_nondet_int();"));
        let limit = if self.mistake() { format!("{n} + 1") } else { n.clone() };
        match self.rng.u32(0..4) {
            0 => self.line(format!("walk_sum({a}, {a} + {limit});")),
            1 => self.line(format!("walk_down({a}, {limit});")),
            2 => self.line(format!("for (int *{p} = {a}, {i} = {limit}; {i} > 0; {i}--) *{p}++ &= 7;")),
            _ => self.line(format!("for (int *{p} = {a} + {limit}; {p} > {a};) *--{p} = 1;")),
        }
        if self.chance(50) {
            self.line(format!("free({a});"));
            if self.mistake() {
                self.line(format!("walk_sum({a}, {a} + 1);"));
            }
        }
    }

    /// One name for objects of different sizes, made one after the other.
    fn walked_twice(&mut self) {
        let (n, p, i, old) = (self.length(), self.name("s"), self.name("t"), self.name("old"));
        let turns = self.rng.u32(2..5);
        let (use_old, spoil) = (self.mistake() || self.chance(20), self.mistake());
        self.line(format!("char *{old} = 0;"));
        self.block(
            &format!("for (int {i} = 0; {i} < {turns}; {i}++)"),
            |g| {
                let change = g.pick(&["+", "-"]);
                g.line(format!("char *{p} = malloc({n});"));
                g.line(format!("if (!{p}) abort();"));
                g.line(format!("walk_zero({p}, {n}); walk_set({p}, 'a', {n} - 1);"));
                g.line(format!("{p}[{n} - 1] = 0;"));
                if use_old {
                    g.line(format!("if ({old}) {old}[{n} - 1] = 'b';"));
                }
                g.line(format!("walk_length({p});"));
                if spoil {
                    g.line(format!("if ({old}) walk_length({old});"));
                }
                g.line(format!("{old} = {p};"));
                g.line(format!("{n} = {n} {change} 1; if ({n} < 1) {n} = 1;"));
            },
            "",
        );
    }
}
