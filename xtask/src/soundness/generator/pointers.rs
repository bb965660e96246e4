// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of pointers that are taken from a table at random: into arrays, to heap objects large and small, to
//! variables of blocks. What one access shows of the next ones through the same pointer must not outlive the object, the pointer or
//! the way.

use super::Generator;

const HELPERS: &str = "\
#include <stdlib.h>
struct node { int first, second; struct node *next; };
struct node pool[3];
struct node *table[4];
int probe;
static int whole(int low, int high) { int x = __VERIFIER_nondet_int(); return x < low ? low : x > high ? high : x; }
static struct node *fresh(int bytes) {
  struct node *p = malloc(bytes);
  if (!p) exit(0);
  p->first = whole(0, 3);
  if (bytes >= 8) p->second = whole(0, 3);
  if (bytes >= 16) p->next = table[whole(0, 3)];
  return p;
}
static int read(struct node *p) { return p->first; }
static int read_both(struct node *p) { return p->second + p->first; }
static int drop(struct node *p) { if (whole(0, 7) == 0) free(p); return 1; }
static int drop_other(struct node *p) { int i = whole(0, 9); if (i < 4) { free(table[i]); table[i] = &pool[0]; } return p->first; }
static struct node *other(struct node *p) { return whole(0, 1) ? p : table[whole(0, 3)]; }
";

const POINTERS: [&str; 3] = ["p", "q", "r"];

/// A program of pointers from a table.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0x0090_1e75);
    generator.text.push_str(HELPERS);
    generator.block("int main(void)", Generator::pointers_main, "");
    generator.text
}

impl Generator {
    fn pointers_main(&mut self) {
        for index in 0..4 {
            let to = self.pick(&[
                "&pool[0]",
                "&pool[1]",
                "&pool[2]",
                "fresh(16)",
                "fresh(8)",
                "fresh(4)",
                "fresh(64)",
            ]);
            self.line(format!("table[{index}] = {to};"));
        }
        for name in POINTERS {
            self.line(format!("struct node *{name} = table[whole(0, 3)];"));
        }
        for _ in 0..self.rng.u32(6..20) {
            self.pointers_step(2);
        }
        self.line("return probe & 1;");
    }

    fn pointers_step(&mut self, depth: u32) {
        let (name, from) = (self.pick(&POINTERS), self.pick(&POINTERS));
        let field = self.pick(&["first", "second"]);
        let at = self.pick(&["0", "1", "2", "3", "whole(0, 3)"]);
        match self.rng.u32(0..20) {
            0..=5 => self.line(format!("probe ^= {name}->{field};")),
            6 => self.line(format!("{name}->first = whole(0, 5);")),
            7 => self.line(format!("{name} = table[{at}];")),
            8 => self.line(format!("{name} = {from};")),
            9 => {
                let by = self.pick(&["1", "-1"]);
                self.line(format!("{name} = {from} + {by};"));
            }
            10 => {
                let call = self.pick(&["read", "read_both", "read_both", "drop", "drop_other"]);
                self.line(format!("probe ^= {call}({name});"));
            }
            11 => self.line(format!("{name} = other({from});")),
            12 => self.line(format!("if (whole(0, 5) == 0) free({name});")),
            13 => self.line(format!("if (whole(0, 3) == 0) {name} = {from};")),
            14 => self.line(format!("if ({name}->next) {name} = {name}->next;")),
            15 | 16 if depth > 0 => {
                let turn = self.name("t");
                let head = format!("for (int {turn} = 0; {turn} < whole(0, 3); {turn}++)");
                self.block(&head, |g| (0..3).for_each(|_| g.pointers_step(depth - 1)), "");
            }
            17 if depth > 0 => {
                self.block("if (whole(0, 1))", |g| (0..2).for_each(|_| g.pointers_step(depth - 1)), "");
            }
            18 if depth > 0 => {
                let local = self.name("n");
                let body = |g: &mut Generator| {
                    g.line(format!("struct node {local} = {{1, 2, 0}};"));
                    g.line(format!("{name} = &{local};"));
                    (0..2).for_each(|_| g.pointers_step(depth - 1));
                };
                self.block("", body, "");
            }
            _ => self.line(format!("probe ^= {name}->{field};")),
        }
    }
}
