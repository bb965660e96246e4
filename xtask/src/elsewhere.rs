// SPDX-License-Identifier: MIT OR Apache-2.0
//! Code elsewhere: programs that give functions and objects away by every road, against compiled runs in which another
//! file calls what it sees, when and as often as the inputs say.
//!
//! Clew reads the program without that file. No run may violate what was claimed, and what a run reaches is not
//! unreachable. The other file keeps to `missing-functions-leave-globals`: it writes nothing, and calls what it was
//! handed or finds in memory.

use std::path::Path;

use anyhow::Result;
use clap::Args;
use fastrand::Rng;

use crate::clew::{Choice, Clew};
use crate::referee::report::Report;
use crate::referee::runs::{Inputs, PRELUDE, Runner};
use crate::referee::{self, Judged};

/// Random inputs of a program.
const RUNS: usize = 40;
/// Functions that may be given away.
const CALLBACKS: usize = 5;

/// Both files see this. An object that is handed over lives to the end.
const HEAD: &str = "\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct ops { int data; int (*call)(int); struct ops *next; };
extern struct ops *devices, slots[2];
int (*hook)(int), (*hooks[2])(int);
void run(void); void attach(struct ops *); struct ops *find(int); void take(int (*)(int));
static int (*own)(int);
static struct ops first, second, mould;
static int a, b, c, t[4];
";

/// The other file.
const OTHER: &str = "\
#ifdef RUN
struct ops *devices, slots[2];
static struct ops pool, *attached[8];
static int (*taken[8])(int), depth, places, count;
int __VERIFIER_nondet_int(void);
static void note(int (*call)(int), int (**found)(int), int *many) { if (call && *many < 40) found[(*many)++] = call; }
static void notes(struct ops *o, int (**found)(int), int *many) {
  for (int k = 0; o && k < 3; k++, o = o->next) note(o->call, found, many);
}
void run(void) {
  if (depth > 2) return;
  depth++;
  for (int turns = (unsigned)__VERIFIER_nondet_int() % 4; turns; turns--) {
    int (*found[48])(int), many = 0;
    note(hook, found, &many); note(hooks[0], found, &many); note(hooks[1], found, &many);
    notes(devices, found, &many); notes(slots, found, &many); notes(slots + 1, found, &many); notes(&pool, found, &many);
    for (int k = 0; k < places; k++) notes(attached[k], found, &many);
    for (int k = 0; k < count; k++) note(taken[k], found, &many);
    if (many) found[(unsigned)__VERIFIER_nondet_int() % many](__VERIFIER_nondet_int());
  }
  depth--;
}
void attach(struct ops *o) { if (places < 8) attached[places++] = o; run(); }
struct ops *find(int k) { run(); return k & 1 ? &pool : &slots[0]; }
void take(int (*call)(int)) { if (count < 8) taken[count++] = call; run(); }
#endif
";

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    common: referee::Options,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let (clew, runner) = (choice.program()?, Runner::new()?);
    referee::judge_all("elsewhere", &options.common, program, |seed, file| judge(&clew, &runner, seed, file))
}

fn judge(clew: &Clew, runner: &Runner, seed: u64, file: &Path) -> Result<Judged> {
    let report = Report::of(clew, file, &["--no-replay"])?;
    let mut judged = Judged::default();
    judged.exceptions.extend(report.own_fault.clone());
    let mut rng = Rng::with_seed(seed);
    let inputs: Vec<Inputs> = (0..RUNS).map(|_| numbers(&mut rng)).collect();
    let runs = runner.runs(file, &inputs)?;
    if let Some((run, how)) = runs.iter().find_map(|run| Some((run, report.contradicts(run, |_| true)?))) {
        judged.exceptions.push(format!("{how}, with {}", run.inputs));
    }
    judged.count("obligations", report.rows.len());
    judged.count("claims", report.rows.iter().filter(|row| row.is_claim()).count());
    judged.count("runs", runs.len());
    judged.count("failing runs", runs.iter().filter(|run| run.violations().next().is_some()).count());
    Ok(judged)
}

/// What the other file decides by.
fn numbers(rng: &mut Rng) -> Inputs {
    let number = |rng: &mut Rng| if rng.u8(..4) == 0 { rng.i64(-2000..2000) } else { rng.i64(0..7) };
    let numbers = (0..60).map(|_| number(rng)).collect();
    Inputs { arguments: vec![b"program".to_vec()], environment: Vec::new(), numbers }
}

/// The program of a seed.
fn program(seed: u64) -> String {
    let mut writer = Writer { rng: Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xe15e) };
    let declared: String = (0..CALLBACKS).map(|k| format!("static int f{k}(int);\n")).collect();
    let table = writer.table();
    let callbacks: String = (0..CALLBACKS).map(|k| writer.callback(k)).collect();
    let helper =
        format!("static void helper(struct ops *o, int (*g)(int)) {{\n{}}}\n", writer.body(1..3, true));
    let main = format!("int main(void) {{\n{}  return a & 63;\n}}\n", writer.body(3..10, false));
    format!("{PRELUDE}{HEAD}{declared}{table}{callbacks}{helper}{main}{OTHER}")
}

struct Writer {
    rng: Rng,
}

impl Writer {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.rng.usize(..list.len())]
    }

    fn callee(&mut self) -> String {
        format!("f{}", self.rng.usize(..CALLBACKS))
    }

    /// Some tables that are there from the start; others see only those without `static`.
    fn table(&mut self) -> String {
        match self.rng.u8(..4) {
            0 => format!("const struct ops fixed = {{0, {}, 0}};\nint (*keep)(int) = 0;\n", self.callee()),
            1 => format!(
                "static struct ops inner = {{0, {}, 0}};\nstruct ops *outer = &inner;\n",
                self.callee()
            ),
            2 => format!("static const struct ops hidden = {{0, {}, 0}};\n", self.callee()),
            _ => String::new(),
        }
    }

    /// A function that changes or uses what the program rests on.
    fn callback(&mut self, number: usize) -> String {
        let variable = self.pick(&["a", "b", "c"]);
        let does = match self.rng.u8(..7) {
            0 => format!("AT {variable} = n & 3;"),
            1 => format!("AT {variable} = t[n];"),
            2 => format!("AT if ({variable} < 3)\n    {variable}++;"),
            3 => format!("AT t[{variable} & 3] = 5;"),
            4 => format!("AT {variable} = 8 / n;"),
            5 => format!("AT hook = {};", self.callee()),
            _ => format!("AT {variable} = 3;\n  run();"),
        };
        format!("static int f{number}(int n) {{\n  {does}\n  return n & 1;\n}}\n")
    }

    fn body(&mut self, count: std::ops::Range<usize>, is_helper: bool) -> String {
        let count = self.rng.usize(count);
        (0..count).map(|_| format!("  {}\n", self.statement(is_helper))).collect()
    }

    fn statement(&mut self, is_helper: bool) -> String {
        let (callee, variable) = (self.callee(), self.pick(&["a", "b", "c"]));
        let object = if is_helper { "(*o)" } else { self.pick(&["first", "second", "mould"]) };
        let function = if is_helper && self.rng.bool() { "g".to_owned() } else { callee };
        let number = self.rng.u8(..4);
        match self.rng.u8(..20) {
            0 => format!("hook = {function};"),
            1 => format!("hooks[{}] = {function};", number & 1),
            2 => format!("own = {function};"),
            3 => format!("{object}.call = {function};"),
            4 => format!("devices = &{object};"),
            5 => format!("slots[{}].call = {function};", number & 1),
            6 => format!("attach(&{object});"),
            7 => format!("take({function});"),
            8 => format!("find({number})->call = {function};"),
            9 => "first.next = &second;".to_owned(),
            10 => format!("slots[1] = {object};"),
            11 => format!("memcpy(&second, &{object}, sizeof second);"),
            12 if !is_helper => format!("helper(&{object}, {function});"),
            13 => format!(
                "{{ struct ops *p = calloc(1, sizeof *p); if (!p) return{}; attach(p); p->call = {function}; run(); }}",
                if is_helper { "" } else { " 0" }
            ),
            14 => format!("if (own) {variable} = own({number});"),
            15 => format!(
                "for (int k = 0; k < 3; k++) {{ run(); {object}.call = {function}; attach(&{object}); }}"
            ),
            16 => format!("{variable} = {number};"),
            _ => format!("run();\n  {}", self.probe(variable)),
        }
    }

    /// An operation that fails if someone changed a variable.
    fn probe(&mut self, variable: &str) -> String {
        let number = self.rng.u8(..5);
        match self.rng.u8(..4) {
            0 => format!("AT assert({variable} <= {number});"),
            1 => format!("AT t[{variable} + {}] = 0;", number & 1),
            2 => format!("AT {variable} = 6 / ({variable} + 1 - {number});"),
            _ => format!("AT assert(t[{}] != 5);", number & 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_file_calls_what_it_finds() {
        let runner = Runner::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut reached = 0;
        for seed in 1..20 {
            let file = folder.path().join("program.c");
            std::fs::write(&file, program(seed)).unwrap();
            let inputs: Vec<Inputs> = (0..10).map(|k| numbers(&mut Rng::with_seed(k))).collect();
            let runs = runner.runs(&file, &inputs).unwrap();
            reached += runs.iter().filter(|run| run.reached().count() > 1).count();
        }
        assert!(reached > 20, "{reached}");
    }
}
