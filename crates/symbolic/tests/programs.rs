// SPDX-License-Identifier: MIT OR Apache-2.0
//! C programs walked symbolically: what is violated has a witness that the interpreter confirms, what is safe is
//! proved, and what was cut is said.

use std::collections::BTreeSet;

use clew_frontend::library::{Linked, with_models};
use clew_frontend::{CommandLine, DiskFiles, lower, parse_unit};
use clew_interpreter::closed::run_witness;
use clew_interpreter::outcome::End;
use clew_ir::head::Heads;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program, Semantics};
use clew_symbolic::exec::{Answer, Found, Options, find};

const HEADER: &str = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    unsigned char __VERIFIER_nondet_uchar(void); double __VERIFIER_nondet_double(void);
    void __VERIFIER_assume(int); void *malloc(unsigned long); void free(void *); void abort(void);
    char *strcpy(char *, const char *); unsigned long strlen(const char *);
    void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
    void __assert_fail(const char *, const char *, unsigned, const char *);
    #define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __func__))\n";

fn stops(check: CheckKind, semantics: Semantics) -> bool {
    clew_checks::after(check, semantics) == clew_checks::After::Stop
}

struct Walked {
    linked: Linked,
    open: BTreeSet<(FuncId, ObligationId)>,
    answer: Answer,
}

fn walk(text: &str) -> Walked {
    let mut files = DiskFiles::new();
    files.overlay("p.c", (HEADER.to_owned() + text).as_bytes());
    let line = CommandLine::parse(&[], None, &files).expect("no flags");
    let unit =
        parse_unit(&line.command_for("p.c".as_ref()), &files).unwrap_or_else(|errors| panic!("{errors}"));
    let program = lower::lower(&unit);
    let linked = with_models(program.clone());
    let on = clew_checks::CheckSet::by_default();
    let mut open = BTreeSet::new();
    for (function, code) in linked.program.functions.iter_enumerated() {
        let asked = linked.requirements.get(&function);
        let is_own =
            |id: &ObligationId| asked.map_or(!linked.models.contains(&function), |a| a.contains_key(id));
        for (id, obligation) in code.body.iter().flat_map(|body| body.obligations.iter_enumerated()) {
            if on.contains(obligation.check) && is_own(&id) {
                open.insert((function, id));
            }
        }
    }
    let main = linked.program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main").expect("main").0;
    let heads = Heads::new();
    let judge = |claimed: &[Found]| claimed.iter().map(|found| happens(&program, &linked, found)).collect();
    let options = Options {
        models: &linked.models,
        open: &open,
        proved: &BTreeSet::new(),
        stops: &stops,
        is_answered: |name| clew_interpreter::libc::lookup_closed(name).is_some(),
        is_silent: |check| check == CheckKind::StackExhausted,
        judge: Some(&judge),
        heads: Some(&heads),
        forks: true,
        summaries: true,
        slices: true,
        narrows: true,
        prunes: true,
        malloc_succeeds: false,
        unwritten_stays: false,
        most_steps: 100_000,
        most_terms: 1_000_000,
        most_gates: 10_000_000,
        conflicts: 100_000,
        most_work: 1_000_000_000,
        most_depth: 64,
        cancelled: None,
        outside: None,
    };
    let answer = find(&linked.program, main, &options);
    Walked { linked, open, answer }
}

fn check_of(linked: &Linked, found: &Found) -> CheckKind {
    let body = linked.program.functions[found.subject.function].body.as_ref().expect("a body");
    body.obligations[found.subject.obligation].check
}

/// Whether the interpreter does what the walk says, in a run that counts.
fn happens(program: &Program, linked: &Linked, found: &Found) -> bool {
    let check = check_of(linked, found);
    let options =
        clew_interpreter::Options { step_limit: Some(100_000), ..clew_interpreter::Options::default() };
    let (outcome, _) = run_witness(program, &found.witness, &options).expect("a run");
    let stopped = outcome.findings.iter().map(|f| (f.check, f.obligation, f.call));
    let counted = outcome.counted.iter().map(|f| (f.check, f.obligation, f.call));
    let seen = stopped.chain(counted).any(|(seen, obligation, call)| {
        let same_call = call.zip(found.subject.call).is_some_and(|(a, b)| {
            (a.function, a.block, a.statement) == (b.function, b.block, b.statement) && seen == check
        });
        obligation == Some((found.subject.function, found.subject.obligation)) || same_call
    });
    seen && outcome.end != End::Assumed
}

impl Walked {
    /// The checks that are violated. Nothing was said that the interpreter does not confirm.
    fn violated(&self) -> Vec<CheckKind> {
        assert!(self.answer.refuted.is_empty(), "not confirmed: {:?}", self.answer.refuted);
        let mut checks: Vec<CheckKind> =
            self.answer.violated.iter().map(|f| check_of(&self.linked, f)).collect();
        checks.sort();
        checks
    }

    fn is_proved(&self) -> bool {
        self.answer.proved.len() == self.open.len()
    }
}

#[track_caller]
fn violates(text: &str, expected: &[CheckKind]) {
    let walked = walk(text);
    assert_eq!(walked.violated(), expected, "{:?}", walked.answer);
}

#[track_caller]
fn is_safe(text: &str) {
    let walked = walk(text);
    assert!(walked.violated().is_empty() && walked.is_proved(), "{:?}", walked.answer);
}

#[test]
fn arithmetic() {
    violates(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 123456789) return 1 / (x - 123456789); return 0; }",
        &[CheckKind::DivisionByZero],
    );
    violates(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x * x; }",
        &[CheckKind::SignedOverflow],
    );
    is_safe(
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > -1000 && x < 1000);
            int y = x * x; assert(y >= 0 && y <= 999 * 999); return 100 / (y + 1); }",
    );
    violates(
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); return 1 << x; }",
        &[CheckKind::ShiftOutOfRange],
    );
}

#[test]
fn the_first_violation_of_a_run_counts() {
    // The second division is violated only after the first.
    violates(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 / x; return y + 20 / x; }",
        &[CheckKind::DivisionByZero],
    );
    // What is assumed later does not undo it; what is assumed before does.
    violates(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 / x; __VERIFIER_assume(x > 5); return y; }",
        &[CheckKind::DivisionByZero],
    );
    is_safe("int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); return 10 / x; }");
}

#[test]
fn loops_are_followed_as_deep_as_it_takes() {
    violates(
        "int main(void) { int n = __VERIFIER_nondet_int(), a[10]; for (int i = 0; i < n; i++) a[i] = i; return 0; }",
        &[CheckKind::OutOfBounds],
    );
    is_safe(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; __VERIFIER_assume(n <= 20);
            for (unsigned i = 0; i < n; i++) s += i; assert(s == n * (n - 1) / 2); return 0; }",
    );
    // What depends on where an unbounded loop ends is not proved.
    is_not_inductive(
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i += 3; return 100 / (i - 7); }",
        CheckKind::DivisionByZero,
    );
}

/// Everything but what depends on what was written is proved, by induction alone.
#[track_caller]
fn is_inductive(text: &str) {
    let walked = walk(text);
    let body = |f: &FuncId| walked.linked.program.functions[*f].body.as_ref().expect("a body");
    let is_asked = |(f, o): &&(FuncId, ObligationId)| {
        !matches!(body(f).obligations[*o].check, CheckKind::UninitialisedRead | CheckKind::MemoryLeak)
    };
    let missed: Vec<_> =
        walked.open.iter().filter(is_asked).filter(|id| !walked.answer.proved.contains(id)).collect();
    assert!(walked.violated().is_empty() && missed.is_empty(), "{missed:?} {:?}", walked.answer);
}

/// Not everything is proved, and nothing that is violated.
#[track_caller]
fn is_not_inductive(text: &str, check: CheckKind) {
    let walked = walk(text);
    let body = |f: &FuncId| walked.linked.program.functions[*f].body.as_ref().expect("a body");
    let proved = |id: &(FuncId, ObligationId)| walked.answer.proved.contains(id);
    let mut asked = walked.open.iter().filter(|(f, o)| body(f).obligations[*o].check == check);
    assert!(asked.any(|id| !proved(id)), "{:?}", walked.answer);
}

#[test]
fn induction_proves_loops_without_a_bound() {
    is_inductive(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; assert(i >= n); return 0; }",
    );
    is_inductive(
        "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) { x += 2; } assert(!(x & 1) || x % 2); return 0; }",
    );
    // Each turn swaps: the one before it tells.
    is_inductive(
        "int main(void) { int a = 1, b = 2; while (__VERIFIER_nondet_int()) { int t = a; a = b; b = t;
            assert(a == 1 || a == 2); assert(b == 3 - a); } return 0; }",
    );
    // Memory that the loop does not write keeps what it holds; what it writes is anything.
    is_inductive(
        "int g = 7, h; int main(void) { while (__VERIFIER_nondet_int()) { h = __VERIFIER_nondet_int(); assert(g == 7); }
            return 0; }",
    );
    is_inductive(
        "int main(void) { unsigned char a[8] = {0}; while (__VERIFIER_nondet_int()) {
            unsigned i = __VERIFIER_nondet_uint() % 8; a[i] = 3; assert(a[i] == 3); } return 0; }",
    );
}

#[test]
fn induction_follows_no_pointer_that_an_earlier_turn_stored() {
    // Behind the turn in which the pointer is exchanged, only what another path of the turn stores is known of it.
    let stored = [
        "int x = 1, y, *p = &x; int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) { if (++n == 5000) p = &y;
            if (__VERIFIER_nondet_int()) p = &x; if (n > 5000) assert(*p); } return 0; }",
        "int x = 1, y; int main(void) { int *a[3] = {&x, &x, &x}; unsigned n = 0; while (__VERIFIER_nondet_int()) {
            unsigned i = __VERIFIER_nondet_uint() % 3; if (++n == 5000) a[i] = &y; else a[i] = &x;
            if (n > 5000) assert(*a[__VERIFIER_nondet_uint() % 3]); } return 0; }",
        "static int one(void) { return 1; } static int zero(void) { return 0; } int (*f)(void) = one;
        int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) { if (++n == 5000) f = zero;
            if (__VERIFIER_nondet_int()) f = one; if (n > 5000) assert(f()); } return 0; }",
        "int x = 1, y; union { int *p; unsigned long n; } u; int main(void) { unsigned n = 0; u.p = &x;
            while (__VERIFIER_nondet_int()) { if (++n == 5000) u.n = (unsigned long)&y; if (__VERIFIER_nondet_int()) u.p = &x;
            if (n > 5000) assert(*u.p); } return 0; }",
    ];
    for text in stored {
        is_not_inductive(text, CheckKind::Assertion);
    }
}

#[test]
fn what_runs_after_main_or_is_volatile_is_not_proved() {
    let beside = [
        "int atexit(void (*)(void)); int z = 1; static void bye(void) { assert(z); }
        int main(void) { unsigned n = 0; atexit(bye); while (__VERIFIER_nondet_int()) if (++n > 5000) z = 0; return 0; }",
        "int z = 1; __attribute__((destructor)) static void bye(void) { assert(z); }
        int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) if (++n > 5000) z = 0; return 0; }",
        "volatile int v = 1; int main(void) { assert(v); return 0; }",
        "volatile int v = 1; int main(void) { while (__VERIFIER_nondet_int()) assert(v); return 0; }",
    ];
    for text in beside {
        is_not_inductive(text, CheckKind::Assertion);
    }
}

#[test]
fn induction_proves_nothing_that_a_late_turn_violates() {
    let late = [
        "int main(void) { unsigned i = 0; while (__VERIFIER_nondet_int()) { i++; assert(i != 100000); } return 0; }",
        "int main(void) { int a = 1, b = 1, n = 0; while (__VERIFIER_nondet_int()) { if (n++ == 5000) a = 2; assert(b == 1); b = a; }
            return 0; }",
        "int g; static void step(void) { if (g < 9000) g++; } int main(void) { while (__VERIFIER_nondet_int()) { step(); assert(g != 8999); }
            return 0; }",
        "int main(void) { int x = 0, y = 0, *p = &x; while (__VERIFIER_nondet_int()) { if (++x > 7000) p = &y; *p = *p + 1;
            if (y > 3) y = 0; assert(y == 0); } return 0; }",
        "int a[4]; int main(void) { unsigned n = 0; for (;;) { unsigned i = __VERIFIER_nondet_uint() % 4; if (++n > 6000) a[i] = 1;
            assert(a[0] + a[1] + a[2] + a[3] == 0); } }",
        "int main(void) { unsigned n = 0; int z = 1; for (unsigned i = 0; i < __VERIFIER_nondet_uint(); i++) {
            for (unsigned j = 0; j < 3; j++) { n++; } if (n > 9000) z = 0; } assert(z); return 0; }",
        "struct s { int k; struct s *next; }; int main(void) { struct s a = {0, 0}, b = {1, &a}; struct s *p = &a; unsigned n = 0;
            while (__VERIFIER_nondet_int()) { if (++n > 5000) p = p->next ? p->next : &b; assert(p->k == 0); } return 0; }",
        "int main(void) { unsigned n = 0; int k = 0; again: if (n > 5000) k = 1; assert(k == 0); n++;
            if (__VERIFIER_nondet_int()) goto again; return 0; }",
    ];
    for text in late {
        is_not_inductive(text, CheckKind::Assertion);
    }
    is_not_inductive(
        "int main(void) { unsigned n = 0; int d = 4; do { n++; if (n == 70000) d = 0; } while (__VERIFIER_nondet_int());
            return 8 / d; }",
        CheckKind::DivisionByZero,
    );
    is_not_inductive(
        "int main(void) { char b[16], *p = b; while (__VERIFIER_nondet_int()) { *p = 1; p++; if (p == b + 16) p = b + 1; if (p == b + 3) p++; if (p == b + 12) p = b + 18; } return 0; }",
        CheckKind::OutOfBounds,
    );
}

#[test]
fn calls_and_recursion() {
    violates(
        "static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); assert(f(n) != 7); return 0; }",
        &[CheckKind::Assertion],
    );
    violates(
        "static int one(int x) { return x; } static int two(int x) { return 100 / x; }
         int main(void) { int c = __VERIFIER_nondet_int(); int (*f)(int) = c ? one : two; return f(c); }",
        &[CheckKind::DivisionByZero],
    );
}

#[test]
fn memory() {
    violates(
        "struct s { int *p; int n; }; int g;
         int main(void) { struct s a = {0, 1}, b = {&g, 2}; struct s *q = __VERIFIER_nondet_int() ? &a : &b;
            return *q->p; }",
        &[CheckKind::NullDeref],
    );
    violates(
        "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; if (__VERIFIER_nondet_int() == 7) free(p);
            int x = *p; return x; }",
        &[CheckKind::UseAfterFree, CheckKind::MemoryLeak],
    );
    violates("int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }", &[CheckKind::NullDeref]);
    is_safe(
        "int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); int a[300]; memset(a, 0, sizeof a);
            a[i] = 5; int s = 0; for (int k = 0; k < 3; k++) s += a[k]; assert(s == (i < 3 ? 5 : 0)); return 0; }",
    );
    is_safe(
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); unsigned char b[4]; memcpy(b, &x, 4);
            assert((b[0] | b[1] << 8 | b[2] << 16 | (unsigned)b[3] << 24) == x); return 0; }",
    );
}

#[test]
fn strings_and_the_library() {
    violates(
        "int main(int argc, char **argv) { char b[4]; if (argc > 1) strcpy(b, argv[1]); return 0; }",
        &[CheckKind::OutOfBounds],
    );
    violates(
        "int main(void) { char b[6] = \"hello\"; b[__VERIFIER_nondet_uchar() % 6] = 'x'; return strlen(b); }",
        &[CheckKind::StringNotTerminated],
    );
}

#[test]
fn what_was_never_written() {
    violates(
        "int main(void) { int a[4], i; for (i = 0; i < 3; i++) a[i] = i; int k = __VERIFIER_nondet_uchar() & 3;
            int x = a[k]; return x; }",
        &[CheckKind::UninitialisedRead],
    );
}

#[test]
fn floats() {
    violates(
        "int main(void) { double x = __VERIFIER_nondet_double(); if (x > 0.5 && x < 0.75) assert(x * x != 0.390625);
            return 0; }",
        &[CheckKind::Assertion],
    );
}

/// Nothing is violated, and not everything is proved.
#[track_caller]
fn is_open(text: &str) {
    let walked = walk(text);
    assert!(walked.violated().is_empty() && !walked.is_proved(), "{:?}", walked.answer);
}

#[test]
fn a_run_whose_assumptions_fail_later_shows_nothing() {
    // Infinity times zero is told and goes on; then the run does not count.
    is_open(
        "int main(void) { double x = __VERIFIER_nondet_double(); double z = x * 0.0;
            __VERIFIER_assume(x >= 0.0 && x <= 1.0); return z > 0.5; }",
    );
    violates(
        "int main(void) { double x = __VERIFIER_nondet_double(); int y = __VERIFIER_nondet_int();
            if (x * 0.0 == 0.0) y = 1; __VERIFIER_assume(y == 1); return y; }",
        &[CheckKind::FloatInvalid],
    );
}

#[test]
fn what_follows_garbage_says_what_the_garbage_is() {
    violates(
        "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; int y = x; return 100 / y; }",
        &[CheckKind::UninitialisedRead, CheckKind::DivisionByZero],
    );
    // What the walk thinks of garbage fails the assumption, what the interpreter has there does not.
    let walked = walk(
        "int main(void) { int x; if (__VERIFIER_nondet_int() == 3) x = 1; __VERIFIER_assume(x == 1); return 0; }",
    );
    walked.violated();
}

#[test]
fn what_the_library_leaves_open_is_no_witness() {
    is_open("double sin(double); int main(void) { double x = sin(1.0); assert(x > 0.8); return 0; }");
}

#[test]
fn functions_that_only_the_interpreter_knows() {
    // Declared nowhere.
    is_safe("int main(void) { int x = __VERIFIER_nondet_int(); __CPROVER_assume(x > 5); return 10 / x; }");
    is_open("int fesetround(int); int main(void) { if (fesetround(0)) assert(0); return 0; }");
}

#[test]
fn the_stack_is_taken_to_suffice() {
    is_open(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n >= 1 && n <= 4000000); int a[n];
            return sizeof a > 100000000; }",
    );
}

#[test]
fn what_goes_on_for_ever_is_judged() {
    violates(
        "int main(void) { double x; int s = 0; for (;;) { x = __VERIFIER_nondet_double() * 0.0; if (x > 1.0) s = 1; } }",
        &[CheckKind::FloatInvalid],
    );
}
