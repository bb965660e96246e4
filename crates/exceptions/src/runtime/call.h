/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One call: arguments are made of a list of numbers, and what comes back is looked at. The search and the replay share it. */

#ifndef CLEW_CALL_H
#define CLEW_CALL_H

#define _GNU_SOURCE
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "entry.h"

extern const struct clew_entry *const clew_entries[];
extern const int clew_entry_count;

/* Numbers of one call, and bytes behind a pointer, behind which nothing can be touched. */
#define CLEW_SLOTS 48
#define CLEW_BYTES 8192
#define CLEW_PARAMS 16

/* A number: the bits of a double, or an integer. */
typedef union {
    double d;
    int64_t n;
    uint64_t bits;
} clew_number;

struct clew_slot {
    char kind;
    char is_output;
    unsigned char param;
    unsigned offset;
};

/* How a run ended. */
enum clew_end { CLEW_RETURNED_BACK, CLEW_FAULT, CLEW_TOO_LONG, CLEW_LEFT };

static const struct clew_entry *clew_entry;
static struct clew_slot clew_slots[CLEW_SLOTS];
static int clew_slot_count;
static unsigned char *clew_memory[CLEW_PARAMS];
static union clew_argument clew_arguments[CLEW_PARAMS];
static unsigned char clew_result[CLEW_RETURNED];

static sigjmp_buf clew_back;
static volatile sig_atomic_t clew_running;
/* The library told somebody that something is wrong. */
static volatile sig_atomic_t clew_told;
/* The flags that the last call left. */
static volatile int clew_flags;

/* All masked: what every process of ours runs with outside of the function. */
#define CLEW_MASKED 0x1f80u

static int clew_is_float(char kind)
{
    return kind == 'd' || kind == 'f';
}

/* An integer as its type holds it. */
static int64_t clew_fit(char kind, int64_t n)
{
    switch (kind) {
    case 'b': return (int8_t)n;
    case 'h': return (int16_t)n;
    case 'w': return (int32_t)n;
    case 'B': return (uint8_t)n;
    case 'H': return (uint16_t)n;
    case 'W': return (uint32_t)n;
    default: return n;
    }
}

static void clew_store(unsigned char *at, char kind, clew_number value)
{
    float narrow = (float)(clew_is_float(kind) ? value.d : 0);
    switch (kind) {
    case 'd': memcpy(at, &value.d, 8); break;
    case 'f': memcpy(at, &narrow, 4); break;
    case 'b': case 'B': memcpy(at, &value.n, 1); break;
    case 'h': case 'H': memcpy(at, &value.n, 2); break;
    case 'w': case 'W': memcpy(at, &value.n, 4); break;
    default: memcpy(at, &value.n, 8); break;
    }
}

static void clew_add_slot(char kind, int is_output, int param, unsigned offset)
{
    if (clew_slot_count < CLEW_SLOTS)
        clew_slots[clew_slot_count++] = (struct clew_slot){kind, (char)is_output, (unsigned char)param, offset};
}

/* Lays out the arguments of an entry. */
static void clew_choose(int number)
{
    clew_entry = clew_entries[number];
    clew_slot_count = 0;
    for (int i = 0; i < clew_entry->params; i++) {
        const struct clew_param *param = &clew_entry->param[i];
        if (param->kind != 'p') {
            clew_add_slot(param->kind, 0, i, 0);
            continue;
        }
        unsigned char *memory = mmap(0, CLEW_BYTES + 2 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory + 4096, CLEW_BYTES, PROT_READ | PROT_WRITE))
            _Exit(70);
        clew_memory[i] = memory + 4096;
        for (unsigned element = 0; element < param->count; element++)
            for (unsigned leaf = 0; leaf < param->leaves; leaf++)
                clew_add_slot(param->leaf[leaf].kind, !param->is_const, i, element * param->size + param->leaf[leaf].offset);
    }
}

/* Puts the numbers where the function finds them. */
static void clew_place(const clew_number *values)
{
    for (int i = 0; i < clew_entry->params; i++)
        if (clew_entry->param[i].kind == 'p') {
            memset(clew_memory[i], 0, CLEW_BYTES);
            clew_arguments[i].p = clew_memory[i];
        }
    for (int i = 0; i < clew_slot_count; i++) {
        struct clew_slot *slot = &clew_slots[i];
        if (clew_entry->param[slot->param].kind == 'p')
            clew_store(clew_memory[slot->param] + slot->offset, slot->kind, values[i]);
        else if (clew_is_float(slot->kind))
            clew_arguments[slot->param].d = slot->kind == 'f' ? (double)(float)values[i].d : values[i].d;
        else
            clew_arguments[slot->param].n = clew_fit(slot->kind, values[i].n);
    }
    memset(clew_result, 0, sizeof clew_result);
    clew_told = 0;
}

static int clew_has_special(const unsigned char *at, const struct clew_param *param)
{
    for (unsigned element = 0; element < param->count; element++)
        for (unsigned leaf = 0; leaf < param->leaves; leaf++) {
            const unsigned char *place = at + element * param->size + param->leaf[leaf].offset;
            double wide;
            float narrow;
            memcpy(&wide, place, 8);
            memcpy(&narrow, place, 4);
            if (param->leaf[leaf].kind == 'd' && !isfinite(wide))
                return 1;
            if (param->leaf[leaf].kind == 'f' && !isfinite(narrow))
                return 1;
        }
    return 0;
}

/* Whether the function says that all is well, and what it gives is no number or infinite. */
static int clew_is_silent(void)
{
    const struct clew_param *returned = &clew_entry->returned;
    int status;
    memcpy(&status, clew_result, sizeof status);
    if (clew_told || (clew_entry->returns_status && status != 0))
        return 0;
    if (returned->kind == 'p' && clew_has_special(clew_result, returned))
        return 1;
    for (int i = 0; i < clew_entry->params; i++) {
        const struct clew_param *param = &clew_entry->param[i];
        if (param->kind == 'p' && !param->is_const && clew_has_special(clew_memory[i], param))
            return 1;
    }
    return 0;
}

/* Calls the function with these exceptions unmasked, and comes back whatever it does. */
static enum clew_end clew_call(unsigned control)
{
    int ended = sigsetjmp(clew_back, 0);
    if (!ended) {
        clew_running = 1;
        _mm_setcsr(control);
        clew_entry->call(clew_arguments, clew_result);
    }
    clew_running = 0;
    clew_flags = ended ? clew_flags : fetestexcept(FE_ALL_EXCEPT);
    _mm_setcsr(CLEW_MASKED);
    return (enum clew_end)ended;
}

/* Ends a run that left these flags. */
static void clew_leave(enum clew_end end, unsigned flags)
{
    clew_running = 0;
    clew_flags = (int)(flags & 0x3f);
    _mm_setcsr(CLEW_MASKED);
    siglongjmp(clew_back, end);
}

/* A handler begins with fresh flags; those of the run are in its context. */
static void clew_on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *user = context;
    (void)info;
    if (!clew_running)
        _Exit(71);
    clew_leave(signal == SIGVTALRM ? CLEW_TOO_LONG : CLEW_FAULT, user->uc_mcontext.fpregs->mxcsr);
}

/* What the function must not do to its caller: end the process. */
void clew_ended(void)
{
    if (clew_running)
        clew_leave(CLEW_LEFT, _mm_getcsr());
    _Exit(72);
}

/* Stands for the functions by which a library tells of errors. */
void clew_tell(void)
{
    clew_told = 1;
}

/* Where we say what we found. What the function prints goes nowhere. */
static FILE *clew_told_to(void)
{
    FILE *out = fdopen(dup(1), "w");
    if (!out || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _Exit(75);
    setvbuf(out, 0, _IOLBF, 1 << 12);
    return out;
}

static void clew_catch(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO;
    action.sa_sigaction = handler;
    sigaction(signal, &action, 0);
}

/* Faults, and runs that take longer than this in processor time, end their run only. */
static void clew_guard(void)
{
    static unsigned char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, 0);
    int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGSYS, SIGVTALRM};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        clew_catch(faults[i], clew_on_fault);
}

static void clew_set_timer(int milliseconds)
{
    struct itimerval timer = {{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
    setitimer(ITIMER_VIRTUAL, &timer, 0);
}

/* Exceptions of one instruction. */
enum clew_kind { CLEW_DIVISION, CLEW_OVERFLOW, CLEW_UNDERFLOW, CLEW_INVALID, CLEW_TINY, CLEW_KINDS };

/* Says that the instruction at, or the call before, this place raised it. Returns whether traps are still wanted in this run. */
static int clew_raised(uintptr_t place, enum clew_kind kind, char operation);

static uintptr_t clew_trapped;
static enum clew_kind clew_trapped_kind;
static unsigned clew_control;

/* What the instruction does, by its opcode: + - * / q (square root), c (conversion), < (comparison), i (to an integer). */
static char clew_operation(const unsigned char *at)
{
    while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || (*at & 0xf0) == 0x40)
        at++;
    /* The two forms of the newer encoding. */
    if (*at == 0xc5)
        at += 2;
    else if (*at == 0xc4)
        at += 3;
    else if (*at != 0x0f)
        return '?';
    switch (at[1]) {
    case 0x58: return '+';
    case 0x5c: return '-';
    case 0x59: return '*';
    case 0x5e: return '/';
    case 0x51: return 'q';
    case 0x5a: return 'c';
    case 0x2c: case 0x2d: return 'i';
    case 0x2e: case 0x2f: return '<';
    default: return '?';
    }
}

/* An exception: the instruction is made again, masked and alone. */
static void clew_on_exception(int signal, siginfo_t *info, void *context)
{
    ucontext_t *user = context;
    (void)signal;
    if (!clew_running)
        _Exit(73);
    switch (info->si_code) {
    case FPE_FLTDIV: clew_trapped_kind = CLEW_DIVISION; break;
    case FPE_FLTOVF: clew_trapped_kind = CLEW_OVERFLOW; break;
    case FPE_FLTUND: clew_trapped_kind = CLEW_UNDERFLOW; break;
    case FPE_FLTINV: clew_trapped_kind = CLEW_INVALID; break;
    /* An integer division is no float exception. */
    default: clew_leave(CLEW_FAULT, user->uc_mcontext.fpregs->mxcsr);
    }
    clew_trapped = (uintptr_t)user->uc_mcontext.gregs[REG_RIP];
    user->uc_mcontext.fpregs->mxcsr = CLEW_MASKED;
    user->uc_mcontext.gregs[REG_EFL] |= 0x100;
}

/* Behind it: whether a tiny result was inexact, too, is what the flag says. */
static void clew_on_step(int signal, siginfo_t *info, void *context)
{
    ucontext_t *user = context;
    (void)signal;
    (void)info;
    if (!clew_running)
        _Exit(74);
    if (clew_trapped_kind == CLEW_UNDERFLOW && !(user->uc_mcontext.fpregs->mxcsr & 0x10))
        clew_trapped_kind = CLEW_TINY;
    char operation = clew_operation((const unsigned char *)clew_trapped);
    int goes_on = clew_raised(clew_trapped, clew_trapped_kind, operation);
    user->uc_mcontext.fpregs->mxcsr = goes_on ? clew_control : CLEW_MASKED;
    user->uc_mcontext.gregs[REG_EFL] &= ~0x100ll;
}

static void clew_trap(void)
{
    clew_catch(SIGFPE, clew_on_exception);
    clew_catch(SIGTRAP, clew_on_step);
}

#endif
