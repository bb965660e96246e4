// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generated part of a test: one C file with the inputs in tables, and stubs for what was nondeterministic.
//!
//! It is linked beside the user's units, so that its declarations cannot disturb theirs: a stub has the result
//! type of the function it stands for and looks at no argument but a condition. `main` of the user is wrapped by the
//! linker: the wrapper sets arguments, environment, standard input and files before it calls the real one.

use clew_ir::witness::{Input, InputKind, Witness};

use crate::Request;
use crate::c_values::{in_comment, literal, of_kind};
use crate::environment::Closed;
use crate::plan::{Plan, Trap};
use crate::stub::stubs;
use crate::uninitialised;
use crate::volatile_inputs;

/// The symbols that the linker leads to `__wrap_...`.
pub(crate) fn wraps(request: &Request<'_>) -> Vec<String> {
    let closed = Closed::new(request.program, request.witness);
    std::iter::once("main").chain(closed.wraps()).map(str::to_owned).collect()
}

/// The whole file.
pub(crate) fn harness(request: &Request<'_>, plan: &Plan) -> String {
    let witness = request.witness;
    let mut text = stubs(request);
    let closed = Closed::new(request.program, witness);
    let stdin: Vec<u8> = of_kind(witness, InputKind::Stdin).filter_map(Input::bytes).flatten().collect();
    if closed.fills_files(witness) || !stdin.is_empty() {
        text.push_str(WRITE_ALL);
    }
    if plan.is_written || closed.allocates() {
        text.push_str(&uninitialised::table(witness));
    }
    if plan.is_written {
        text.push_str(uninitialised::BEGINS);
        text.push_str(&volatile_inputs::table(witness));
        text.push_str(&condition_trap(plan.trap));
    }
    text.push_str(&closed.text(witness));
    match plan.trap {
        Some(Trap::Float(exception)) => text.push_str(&float_trap(exception)),
        Some(Trap::Call) => text.push_str(CALL_TRAP),
        Some(Trap::Condition(_)) | None => {}
    }
    text.push_str(&main_wrapper(witness, &stdin, plan));
    let helpers: String =
        HELPERS.iter().filter(|(call, _)| text.contains(call)).map(|(_, text)| *text).collect();
    head(request, plan) + includes(plan) + &helpers + &text
}

/// What the library has as well; but the program may have functions of these names, and they may be wrong.
const HELPERS: &[(&str, &str)] = &[
    (
        "is_same(",
        r"
static int is_same(const char *left, const char *right)
{
    while (*left && *left == *right)
        left++, right++;
    return *left == *right;
}
",
    ),
    (
        "length_of(",
        r"
static size_t length_of(const char *text)
{
    size_t length = 0;

    while (text[length])
        length++;
    return length;
}
",
    ),
    (
        " copy(",
        r"
static void copy(void *to, const void *from, size_t count)
{
    for (size_t at = 0; at < count; at++)
        ((char *)to)[at] = ((const char *)from)[at];
}
",
    ),
];

fn head(request: &Request<'_>, plan: &Plan) -> String {
    let target = request.target;
    let place = request.program.sources.place(target.span);
    let what = String::from_utf8_lossy(request.program.sources.text(target.span)).into_owned();
    let what: String = what.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect();
    format!(
        "/* A test that shows a fault, written by clew.\n\
         \x20*\n\
         \x20*   {}: {}\n\
         \x20*   in `{}`, at {}:{}:    {}\n\
         \x20*   obligation {}\n\
         \x20*\n\
         \x20* {}\n\
         \x20*/\n",
        target.check.id(),
        clew_checks::check(target.check).title,
        in_comment(&target.function),
        in_comment(&place.file),
        place.line,
        in_comment(&what),
        target.id,
        if plan.is_written { WRITTEN } else { UNCHANGED },
    )
}

const UNCHANGED: &str = "The program itself is in the .i files beside this one, preprocessed and otherwise unchanged. To build and\n\
     \x20* run it:    sh run.sh";

const WRITTEN: &str = "The program is in program.c as clew reads it, in simple C, with what no sanitizer sees and no test can choose\n\
     \x20* written into it: conditions, where the operations stand, and what objects hold that nothing was written to. The\n\
     \x20* lines are those of the original. To build and run it:    sh run.sh";

/// Whether the test handles signals.
fn catches(plan: &Plan) -> bool {
    matches!(plan.trap, Some(Trap::Float(_) | Trap::Call))
}

fn includes(plan: &Plan) -> &'static str {
    if catches(plan) {
        "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n#include <fenv.h>\n#include <malloc.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <sys/mman.h>\n#include <sys/syscall.h>\n#include <ucontext.h>\n#include <unistd.h>\n"
    } else {
        "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n#include <malloc.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/syscall.h>\n\
         #include <unistd.h>\n"
    }
}

/// A handler that says which float exception was raised where, and lets the program go on: the instruction is done
/// again with exceptions masked, one step, and then they are unmasked.
fn float_trap(exception: &str) -> String {
    const TEXT: &str = r#"
/* Floating-point exceptions: each place that raises one is reported once, then the program goes on. */
void __sanitizer_print_stack_trace(void);

static void on_exception(int number, siginfo_t *info, void *context)
{
    static void *seen[256];
    static size_t count;
    ucontext_t *at = context;
    size_t i;

    (void)number;
    for (i = 0; i < count && seen[i] != info->si_addr; i++)
        ;
    if (i == count && count < sizeof seen / sizeof seen[0]) {
        seen[count++] = info->si_addr;
        fprintf(stderr, "clew: trap: %s\n",
                info->si_code == FPE_FLTDIV ? "float-division-by-zero" :
                info->si_code == FPE_FLTOVF ? "float-overflow" :
                info->si_code == FPE_FLTUND ? "float-underflow" :
                info->si_code == FPE_FLTINV ? "float-invalid" : "other");
        __sanitizer_print_stack_trace();
    }
#ifdef __x86_64__
    at->uc_mcontext.fpregs->mxcsr = (at->uc_mcontext.fpregs->mxcsr | 0x1f80) & ~0x3fu;
    at->uc_mcontext.fpregs->cwd |= 0x3f;
    at->uc_mcontext.fpregs->swd &= 0x7f00;
    at->uc_mcontext.gregs[REG_EFL] |= 0x100;
#else
    (void)at;
    _exit(1);
#endif
}

static void on_step(int number, siginfo_t *info, void *context)
{
    ucontext_t *at = context;

    (void)number;
    (void)info;
#ifdef __x86_64__
    at->uc_mcontext.fpregs->mxcsr = (at->uc_mcontext.fpregs->mxcsr & ~(unsigned)(EXCEPTION << 7)) & ~0x3fu;
    at->uc_mcontext.fpregs->cwd &= (unsigned short)~EXCEPTION;
    at->uc_mcontext.fpregs->swd &= 0x7f00;
    at->uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
#else
    (void)at;
#endif
}

static void catch_exceptions(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_exception;
    sigaction(SIGFPE, &action, NULL);
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, NULL);
    feenableexcept(EXCEPTION);
}
"#;
    TEXT.replace("EXCEPTION", exception)
}

/// A handler that says where a call to nowhere came from: the return address is all that is left of it.
const CALL_TRAP: &str = r#"
/* A call of something that is no function: its place is told by the return address on the stack. */
void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t size);

static void on_fault(int number, siginfo_t *info, void *context)
{
    ucontext_t *at = context;

    (void)number;
#ifdef __x86_64__
    if ((void *)at->uc_mcontext.gregs[REG_RIP] == info->si_addr) {
        char *const *stack = (char *const *)at->uc_mcontext.gregs[REG_RSP];
        char frame[1024];

        __sanitizer_symbolize_pc(*stack - 1, "    #0 %p %F %L", frame, sizeof frame);
        fprintf(stderr, "clew: trap: call-of-nothing\n%s\n", frame);
        _exit(1);
    }
#endif
    (void)at;
    (void)info;
    signal(SIGSEGV, SIG_DFL);
}

static void catch_exceptions(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, NULL);
}
"#;

/// What the program calls where a condition that is written into it does not hold.
fn condition_trap(trap: Option<Trap>) -> String {
    let Some(Trap::Condition(number)) = trap else {
        return "\n/* The program tells of conditions in it that do not hold; this test is about none of them. */\n\
                void clew_violated(int number);\nvoid clew_violated(int number)\n{\n    (void)number;\n}\n"
            .to_owned();
    };
    format!(
        "\n/* The program tells of every condition in it that does not hold; this test is about one of them. */\n\
         void __sanitizer_print_stack_trace(void);\nvoid clew_violated(int number);\n\n\
         void clew_violated(int number)\n{{\n    if (number != {number})\n        return;\n    \
         fprintf(stderr, \"clew: trap: condition-violated\\n\");\n    __sanitizer_print_stack_trace();\n    _exit(1);\n}}\n"
    )
}

const WRITE_ALL: &str = r#"
static void write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(file, bytes, count);

        if (written <= 0)
            _exit(1);
        bytes += written;
        count -= (size_t)written;
    }
}
"#;

const SET_INPUT: &str = r#"
static void set_input(void)
{
    const int file = memfd_create("stdin", 0);

    write_all(file, input, sizeof input - 1);
    lseek(file, 0, SEEK_SET);
    dup2(file, 0);
    close(file);
}
"#;

/// Pointers that the program no longer has stay behind in registers and in frames that are gone, where the search for
/// leaks would find them: both are wiped when `main` has returned.
const FORGET: &str = r#"
/* What is left in registers and below the stack is no part of the program any more. */
#ifdef __x86_64__
#define FORGET \
    __asm__ volatile("lea -65536(%%rsp), %%rdi\n\tmov $8192, %%ecx\n\txor %%eax, %%eax\n\tcld\n\trep stosq\n\t" \
                     "xor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi\n\txor %%r8d, %%r8d\n\t" \
                     "xor %%r9d, %%r9d\n\txor %%r10d, %%r10d\n\txor %%r11d, %%r11d" \
                     : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory")
#elif defined __i386__
#define FORGET \
    __asm__ volatile("lea -65536(%%esp), %%edi\n\tmov $16384, %%ecx\n\txor %%eax, %%eax\n\tcld\n\trep stosl\n\t" \
                     "xor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi" \
                     : : : "eax", "ecx", "edx", "esi", "edi", "cc", "memory")
#else
#define FORGET (void)0
#endif
"#;

/// Arrays that hold these texts.
fn strings(name: &str, texts: &[Vec<u8>]) -> String {
    let row = |(at, text): (usize, &Vec<u8>)| format!("    static char {name}{at}[] = {};\n", literal(text));
    texts.iter().enumerate().map(row).collect()
}

/// The arrays in a list.
fn names(name: &str, count: usize) -> String {
    (0..count).map(|at| format!("{name}{at}, ")).collect()
}

/// What runs before the user's `main`.
fn main_wrapper(witness: &Witness, stdin: &[u8], plan: &Plan) -> String {
    let mut text = String::new();
    let mut before = String::from("    environ = environment;\n");
    if !stdin.is_empty() {
        let input = literal(stdin);
        text.push_str(&format!("\n/* Standard input. */\nstatic const char input[] = {input};\n{SET_INPUT}"));
        before.push_str("    set_input();\n");
    }
    if catches(plan) {
        before.push_str("    catch_exceptions();\n");
    }
    // What cannot be read was refused by the interpreter, which runs every witness first.
    let arguments = witness.arguments(b"program").unwrap_or_default();
    let environment = witness.environment().unwrap_or_default();
    let count = arguments.len();
    let rows = strings("argument", &arguments) + &strings("variable", &environment);
    let (list, variables) = (names("argument", count), names("variable", environment.len()));
    if plan.leaks {
        text.push_str(FORGET);
    }
    let after = if plan.leaks { "    FORGET;\n" } else { "" };
    let head = "int __wrap_main(int argc, char **argv, char **envp)";
    text.push_str(&format!(
        "\nint __real_main(int argc, char **argv, char **envp);\n{head};\n\n{head}\n{{\n{rows}    \
         static char *arguments[] = {{ {list}NULL }};\n    \
         static char *environment[] = {{ {variables}NULL }};\n\n    (void)argc;\n    (void)argv;\n    (void)envp;\n{before}    \
         argc = __real_main({count}, arguments, environ);\n{after}    return argc;\n}}\n"
    ));
    text
}
