/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The test's side of the shim: a memory of registered objects, a tape for what is any value, and ways to call models.
 * Models are linked with their names prefixed by model_, so that the host's functions can be called beside them. */
#ifndef SHIM_H
#define SHIM_H

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Memory. Everything else is unknown to the models' requirements. */
void shim_reset(void); /* forgets all objects and the tape; frees what models allocated */
void shim_object(const void *start, size_t size);
void shim_const_object(const void *start, size_t size);
size_t shim_live_heap(void); /* heap objects that models made and did not release */

/* The tape: what the next draws of a kind give. Behind its end, booleans are `shim_bool`, the rest is random. */
extern _Bool shim_bool;
void tape_bool(_Bool value);
void tape_int(long value); /* for int and long */
void tape_size(size_t value);
void tape_float(long double value);
void tape_bytes(const void *bytes, size_t n); /* for havoc */
void tape_clear(void);

/* What the last call did. */
enum ending { RETURNED, VIOLATED, IMPOSSIBLE, EXITED };
extern jmp_buf shim_return;
extern const char *shim_violated;       /* the first check that was violated */
extern int shim_exit_status;
extern int shim_invalid, shim_pole, shim_overflow; /* float checks, after which a run goes on */
void shim_begin(void);

/* Runs an expression on models; how it ended. */
#define RUN(expression) \
    (shim_begin(), __extension__({ \
        volatile int ending_ = setjmp(shim_return); \
        if (ending_ == RETURNED) { \
            expression; \
        } \
        (enum ending)ending_; \
    }))

/* Draws again while the tape contradicts an assumption. Only for calls that change nothing. */
#define RUN_ANY(expression) \
    __extension__({ \
        enum ending last_ = IMPOSSIBLE; \
        for (int tries_ = 0; tries_ < 1000 && last_ == IMPOSSIBLE; tries_++) { \
            last_ = RUN(expression); \
        } \
        last_; \
    })

/* A call whose requirements hold. */
#define GOOD(expression) \
    do { \
        enum ending how_ = RUN_ANY(expression); \
        if (how_ != RETURNED || shim_violated != NULL) { \
            shim_fail(__FILE__, __LINE__, #expression, how_ == IMPOSSIBLE ? "an assumption" : shim_violated); \
        } \
    } while (0)

/* A call that violates this check first. */
#define BAD(check, expression) \
    do { \
        enum ending how_ = RUN(expression); \
        if (how_ == IMPOSSIBLE || shim_violated == NULL || strcmp(shim_violated, check) != 0) { \
            shim_fail(__FILE__, __LINE__, #expression " must violate " check, shim_violated); \
        } \
    } while (0)

#define SAME(condition) \
    do { \
        if (!(condition)) { \
            shim_fail(__FILE__, __LINE__, #condition, NULL); \
        } \
    } while (0)

void shim_fail(const char *file, int line, const char *what, const char *violated);
unsigned long random_bits(void);
unsigned random_below(unsigned bound);

/* One function a header. */
void test_string(void);
void test_ctype(void);
void test_stdlib(void);
void test_number(void);
void test_printf(void);
void test_scanf(void);
void test_stdio(void);
void test_math(void);
void test_system(void);

#endif
