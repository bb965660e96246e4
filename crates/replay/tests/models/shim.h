/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The test's side of the shim. */
#include <setjmp.h>
#include <stddef.h>

extern jmp_buf on_violation;
/* The check that the last call violated, or null. */
extern const char *violated;
/* What __clew_nondet_int gives: 0 makes allocations succeed. */
extern int nondet_int_value;

/* Forgets all objects and violations. */
void shim_reset(void);
/* Makes memory known as an object. */
void shim_object(void *start, size_t size);

void __clew_require(const char *check, int condition);
void __clew_assume(int condition);
int __clew_not_null(const void *p);
int __clew_live(const void *p);
int __clew_readable(const void *p, size_t n);
int __clew_writable(const void *p, size_t n);
int __clew_nul_within(const char *p);
int __clew_disjoint(const void *p, size_t n, const void *q, size_t m);
int __clew_alloc_base(const void *p);
void __clew_copy(void *to, const void *from, size_t n);
void __clew_fill(void *to, int byte, size_t n);
void __clew_havoc(void *to, size_t n);
size_t __clew_nul_position(const char *p);
size_t __clew_object_size(const void *p);
void *__clew_allocate(size_t n);
void __clew_release(void *p);
int __clew_nondet_int(void);
size_t __clew_nondet_size(void);
long __clew_nondet_long(void);
double __clew_nondet_double(void);
