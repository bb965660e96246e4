/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <string.h>, <strings.h> and <ctype.h> against the host. */
#define _GNU_SOURCE
#include "shim.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#define SIZE 48

void *model_memcpy(void *, const void *, size_t), *model_mempcpy(void *, const void *, size_t);
void *model_memmove(void *, const void *, size_t), *model_memset(void *, int, size_t);
void *model_memccpy(void *, const void *, int, size_t), *model_memchr(const void *, int, size_t);
void *model_memrchr(const void *, int, size_t), *model_rawmemchr(const void *, int);
void *model_memmem(const void *, size_t, const void *, size_t);
void model_bcopy(const void *, void *, size_t), model_bzero(void *, size_t), model_explicit_bzero(void *, size_t);
int model_memcmp(const void *, const void *, size_t), model_bcmp(const void *, const void *, size_t);
size_t model_strlen(const char *), model_strnlen(const char *, size_t), model_strxfrm(char *, const char *, size_t);
char *model_strcpy(char *, const char *), *model_stpcpy(char *, const char *), *model_strcat(char *, const char *);
char *model_strncpy(char *, const char *, size_t), *model_stpncpy(char *, const char *, size_t);
char *model_strncat(char *, const char *, size_t);
int model_strcmp(const char *, const char *), model_strncmp(const char *, const char *, size_t);
int model_strcoll(const char *, const char *), model_strcasecmp(const char *, const char *);
int model_strncasecmp(const char *, const char *, size_t);
char *model_strchr(const char *, int), *model_strrchr(const char *, int), *model_strchrnul(const char *, int);
char *model_index(const char *, int), *model_rindex(const char *, int);
size_t model_strspn(const char *, const char *), model_strcspn(const char *, const char *);
char *model_strpbrk(const char *, const char *), *model_strstr(const char *, const char *);
char *model_strcasestr(const char *, const char *);
char *model_strtok_r(char *, const char *, char **), *model_strtok(char *, const char *);
char *model_strsep(char **, const char *), *model_strdup(const char *), *model_strndup(const char *, size_t);
char *model_strerror(int), *model_strerror_r(int, char *, size_t);
int model___xpg_strerror_r(int, char *, size_t);
int model_ffs(int), model_ffsl(long), model_ffsll(long long);
int *model___errno_location(void);
void model_free(void *);

/* Two equal buffers, one for each side, and things to read from. */
static char ours[SIZE], theirs[SIZE], other[SIZE], set[8];

/* A small alphabet, so that searches find something, and a NUL somewhere. */
static const char letters[] = "aAbBc,; \xe4";

static void fill(char *buffer, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        buffer[i] = letters[random_below(sizeof letters - 1)];
    }
    buffer[random_below((unsigned)size)] = 0;
}

static void prepare(void)
{
    shim_reset();
    fill(ours, SIZE);
    memcpy(theirs, ours, SIZE);
    fill(other, SIZE);
    fill(set, sizeof set);
    shim_object(ours, SIZE);
    shim_object(other, SIZE);
    shim_object(set, sizeof set);
}

/* Null or the offset in its buffer. */
static long offset(const void *p, const void *base)
{
    return p == NULL ? -1 : (const char *)p - (const char *)base;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

#define COPY(model_call, host_call)                          \
    do {                                                     \
        void *volatile model = NULL;                         \
        GOOD(model = model_call);                            \
        void *host = host_call;                              \
        SAME(offset(model, ours) == offset(host, theirs));   \
        SAME(memcmp(ours, theirs, SIZE) == 0);               \
    } while (0)

static void copies(void)
{
    size_t n = random_below(SIZE / 2), at = random_below(SIZE / 2), from = random_below(SIZE / 2);
    int byte = (int)random_bits();
    prepare();
    COPY(model_memcpy(ours + at, other + from, n), memcpy(theirs + at, other + from, n));
    COPY(model_memcpy(ours, ours, n), theirs);
    COPY(model_mempcpy(ours + at, other + from, n), mempcpy(theirs + at, other + from, n));
    COPY(model_memmove(ours + at, ours + from, n), memmove(theirs + at, theirs + from, n));
    COPY((model_bcopy(other + from, ours + at, n), NULL), (bcopy(other + from, theirs + at, n), NULL));
    COPY(model_memset(ours + at, byte, n), memset(theirs + at, byte, n));
    COPY((model_bzero(ours + from, n), NULL), (bzero(theirs + from, n), NULL));
    COPY((model_explicit_bzero(ours + n, at), NULL), (explicit_bzero(theirs + n, at), NULL));
    COPY(model_memccpy(ours + at, other + from, 'c', n), memccpy(theirs + at, other + from, 'c', n));
    prepare();
    COPY(model_strncpy(ours + at, other, n), strncpy(theirs + at, other, n));
    COPY(model_stpncpy(ours + at, other, n), stpncpy(theirs + at, other, n));
    prepare();
    other[random_below(20)] = 0;
    COPY(model_strcpy(ours, other), strcpy(theirs, other));
    COPY(model_stpcpy(ours + n, other), stpcpy(theirs + n, other));
    prepare();
    ours[10] = theirs[10] = other[20] = 0;
    COPY(model_strncat(ours, other, n), strncat(theirs, other, n));
    prepare();
    ours[10] = theirs[10] = other[20] = 0;
    COPY(model_strcat(ours, other), strcat(theirs, other));
    /* A buffer that is too small is any afterwards: the host's bytes go on the tape. */
    size_t length = strxfrm(theirs, other, n), found = 0;
    tape_bytes(theirs, n);
    GOOD(found = model_strxfrm(ours, other, n));
    SAME(found == length && memcmp(ours, theirs, SIZE) == 0);
}

#define FIND(model_call, host_call)            \
    do {                                       \
        const void *volatile model = NULL;     \
        GOOD(model = model_call);              \
        SAME(model == (const void *)host_call); \
    } while (0)

#define COUNT(model_call, host_call)     \
    do {                                 \
        volatile size_t count = 0;       \
        GOOD(count = model_call);        \
        SAME(count == (size_t)host_call); \
    } while (0)

#define ORDER(model_call, host_call)          \
    do {                                      \
        volatile int order = 0;               \
        GOOD(order = model_call);             \
        SAME(sign(order) == sign(host_call)); \
        /* The host's own value is possible. */ \
        tape_int(host_call);                  \
        GOOD(order = model_call);             \
        SAME(order == host_call);             \
        tape_clear();                         \
    } while (0)

static void searches(void)
{
    size_t n = random_below(SIZE);
    int byte = letters[random_below(sizeof letters)];
    prepare();
    FIND(model_memchr(ours, byte, n), memchr(ours, byte, n));
    FIND(model_memrchr(ours, byte, n), memrchr(ours, byte, n));
    FIND(model_rawmemchr(ours, 0), rawmemchr(ours, 0));
    FIND(model_memmem(ours, n, set, 1 + n % 3), memmem(ours, n, set, 1 + n % 3));
    FIND(model_strchr(ours, byte), strchr(ours, byte));
    FIND(model_index(ours, byte), index(ours, byte));
    FIND(model_strrchr(ours, byte), strrchr(ours, byte));
    FIND(model_rindex(ours, byte), rindex(ours, byte));
    FIND(model_strchrnul(ours, byte), strchrnul(ours, byte));
    FIND(model_strpbrk(ours, set), strpbrk(ours, set));
    COUNT(model_strlen(ours), strlen(ours));
    COUNT(model_strnlen(ours, n), strnlen(ours, n));
    COUNT(model_strspn(ours, set), strspn(ours, set));
    COUNT(model_strcspn(ours, set), strcspn(ours, set));
    set[2] = 0;
    FIND(model_strstr(ours, set), strstr(ours, set));
    FIND(model_strcasestr(ours, set), strcasestr(ours, set));
    int bits = (int)random_bits() & (int)random_bits() & (int)random_bits();
    COUNT(model_ffs(bits), ffs(bits));
    COUNT(model_ffsl((long)bits * 0x40000000), ffsl((long)bits * 0x40000000));
    COUNT(model_ffsll((long)bits * 0x40000000), ffsll((long)bits * 0x40000000));
}

static void comparisons(void)
{
    size_t n = random_below(SIZE);
    prepare();
    /* Equal starts make comparisons go further than one byte. */
    memcpy(other, ours, n);
    other[SIZE - 1] = 0;
    ORDER(model_memcmp(ours, other, n), memcmp(ours, other, n));
    ORDER(model_memcmp(ours, other, SIZE), memcmp(ours, other, SIZE));
    ORDER(model_bcmp(ours, other, SIZE), bcmp(ours, other, SIZE));
    ORDER(model_strcmp(ours, other), strcmp(ours, other));
    ORDER(model_strcoll(ours, other), strcoll(ours, other));
    ORDER(model_strncmp(ours, other, SIZE - n), strncmp(ours, other, SIZE - n));
    ORDER(model_strcasecmp(ours, other), strcasecmp(ours, other));
    ORDER(model_strncasecmp(ours, other, SIZE - n), strncasecmp(ours, other, SIZE - n));
}

static void tokens(void)
{
    char *volatile model = NULL, *host = NULL, *model_rest = NULL, *host_rest = NULL;
    prepare();
    shim_object(&model_rest, sizeof model_rest);
    for (int first = 1; first || host != NULL; first = 0) {
        GOOD(model = model_strtok_r(first ? ours : NULL, set, &model_rest));
        host = strtok_r(first ? theirs : NULL, set, &host_rest);
        SAME(offset(model, ours) == offset(host, theirs));
    }
    SAME(memcmp(ours, theirs, SIZE) == 0);
    prepare();
    for (int first = 1; first || host != NULL; first = 0) {
        GOOD(model = model_strtok(first ? ours : NULL, set));
        host = strtok(first ? theirs : NULL, set);
        SAME(offset(model, ours) == offset(host, theirs));
    }
    prepare();
    shim_object(&model_rest, sizeof model_rest);
    model_rest = ours;
    host_rest = theirs;
    while (host_rest != NULL) {
        GOOD(model = model_strsep(&model_rest, set));
        host = strsep(&host_rest, set);
        SAME(offset(model, ours) == offset(host, theirs) && (model_rest == NULL) == (host_rest == NULL));
    }
    SAME(memcmp(ours, theirs, SIZE) == 0);
}

static void duplicates(void)
{
    char *volatile copy = NULL;
    size_t n = random_below(SIZE);
    prepare();
    GOOD(copy = model_strdup(ours));
    SAME(copy != NULL && strcmp(copy, ours) == 0);
    GOOD(copy = model_strndup(ours, n));
    SAME(copy != NULL && strlen(copy) == strnlen(ours, n) && strncmp(copy, ours, n) == 0);
    tape_bool(1);
    *model___errno_location() = 0;
    GOOD(copy = model_strdup(ours));
    SAME(copy == NULL && *model___errno_location() == ENOMEM);
    /* A text of the library's own can be the host's. */
    const char *text = strerror((int)n);
    tape_size(strlen(text));
    tape_bytes(text, strlen(text));
    GOOD(copy = model_strerror((int)n));
    SAME(strcmp(copy, text) == 0);
    GOOD(copy = model_strerror_r((int)n, ours, SIZE));
    SAME(memchr(copy, 0, copy == ours ? SIZE : strlen(copy) + 1) != NULL);
    /* Behind the text the buffer stays as it was. */
    size_t length = strlen(text) < SIZE - 1 ? strlen(text) : SIZE - 2;
    memset(ours, 'x', SIZE);
    tape_size(length);
    tape_bytes(text, length);
    GOOD(model___xpg_strerror_r((int)n, ours, SIZE));
    SAME(memcmp(ours, text, length) == 0 && ours[length] == 0 && ours[SIZE - 1] == 'x');
}

static void planted(void)
{
    static const char text[] = "constant", wanted[] = "n";
    char *volatile dead = NULL, *rest = NULL;
    prepare();
    shim_const_object(text, sizeof text);
    shim_const_object(wanted, sizeof wanted);
    shim_object(&rest, sizeof rest);
    memset(ours, 'x', SIZE);
    strcpy(other, "short");
    BAD("null-deref", model_strlen(NULL));
    BAD("null-deref", model_memcpy(ours, NULL, 0));
    BAD("null-deref", model_strcmp(ours, NULL));
    BAD("out-of-bounds", model_strlen(ours + SIZE));
    BAD("out-of-bounds", model_memcpy(ours, other, SIZE + 1));
    BAD("out-of-bounds", model_memcpy(ours + 1, other, SIZE));
    BAD("out-of-bounds", model_memset(ours, 0, (size_t)-1));
    BAD("out-of-bounds", model_memchr(ours, 'y', SIZE + 1));
    BAD("out-of-bounds", model_rawmemchr(ours, 'y'));
    BAD("out-of-bounds", model_memcmp(ours, other, SIZE + 1));
    BAD("out-of-bounds", model_strcpy(set + 3, other));
    BAD("out-of-bounds", model_strncpy(set, other, sizeof set + 1));
    BAD("out-of-bounds", (strcpy(set, "123"), model_strcat(set, other)));
    BAD("out-of-bounds", (strcpy(set, "1234"), model_strncat(set, other, 4)));
    BAD("string-not-terminated", model_strlen(ours));
    BAD("string-not-terminated", model_strcpy(other, ours));
    BAD("string-not-terminated", model_strcat(ours, other));
    BAD("string-not-terminated", model_strchr(ours, 'y'));
    BAD("string-not-terminated", model_strnlen(ours, SIZE + 1));
    BAD("string-not-terminated", model_strncpy(other, ours, SIZE + 1));
    BAD("string-not-terminated", (memset(other, 'x', SIZE), model_strcmp(ours, other)));
    BAD("string-not-terminated", model_strstr(ours, wanted));
    BAD("string-not-terminated", model_strdup(ours));
    strcpy(other, "short");
    BAD("overlap", model_memcpy(ours, ours + 1, 2));
    BAD("overlap", model_strcpy(other, other + 1));
    BAD("overlap", model_strcat(other, other));
    BAD("overlap", model_strncpy(other, other + 3, 4));
    BAD("write-to-const", model_memset((char *)text, 0, 1));
    BAD("write-to-const", model_strcpy((char *)text, other));
    BAD("write-to-const", model_strtok_r((char *)text, wanted, &rest));
    BAD("bad-argument", (rest = NULL, model_strtok_r(NULL, wanted, &rest)));
    GOOD(dead = model_strdup(other));
    GOOD(model_free(dead));
    BAD("use-after-free", model_strlen(dead));
    BAD("use-after-free", model_memset(dead, 0, 1));
    /* By C11 pointers are valid even where nothing is read. */
    BAD("null-deref", model_strncmp(NULL, NULL, 0));
    /* What C allows is not refused. */
    GOOD(model_strcpy(set + 2, other));
    GOOD((strcpy(set, "12"), model_strcat(set, other)));
    GOOD((strcpy(set, "1234"), model_strncat(set, other, 3)));
    GOOD(model_memmove(ours, ours + 1, 2));
    GOOD(model_strncpy(set, ours, sizeof set));
    GOOD(model_memchr(ours, 'x', (size_t)-1));
    strcpy(other, "a");
    GOOD(model_strncpy(other + 2, other, 8));
    GOOD(model_memcpy(ours + SIZE, other, 0));
}

void test_string(void)
{
    for (int round = 0; round < 3000; round++) {
        copies();
        searches();
        comparisons();
        tokens();
        duplicates();
    }
    planted();
}

int model_isalpha(int), model_isdigit(int), model_isalnum(int), model_isspace(int), model_isupper(int);
int model_islower(int), model_isxdigit(int), model_isprint(int), model_isgraph(int), model_ispunct(int);
int model_iscntrl(int), model_isblank(int), model_isascii(int), model_tolower(int), model_toupper(int);
int model_toascii(int);
const unsigned short **model___ctype_b_loc(void);
const int **model___ctype_tolower_loc(void), **model___ctype_toupper_loc(void);

void test_ctype(void)
{
    static const struct {
        int (*model)(int), (*host)(int);
    } classes[] = {
        {model_isalpha, isalpha}, {model_isdigit, isdigit}, {model_isalnum, isalnum}, {model_isspace, isspace},
        {model_isupper, isupper}, {model_islower, islower}, {model_isxdigit, isxdigit}, {model_isprint, isprint},
        {model_isgraph, isgraph}, {model_ispunct, ispunct}, {model_iscntrl, iscntrl}, {model_isblank, isblank},
        {model_isascii, isascii},
    };
    shim_reset();
    for (int c = -1; c < 256; c++) {
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
            volatile int model = 0, host = classes[i].host(c);
            GOOD(model = classes[i].model(c));
            SAME((model != 0) == (host != 0));
            tape_int(host);
            GOOD(model = classes[i].model(c));
            SAME(model == host);
            tape_clear();
        }
        SAME(model_tolower(c) == tolower(c) && model_toupper(c) == toupper(c) && model_toascii(c) == toascii(c));
    }
    for (int c = -128; c < 256; c++) {
        SAME((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c]);
        SAME((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c] || c < -1);
        SAME((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c] || c < -1);
    }
    for (size_t i = 0; i + 1 < sizeof classes / sizeof *classes; i++) {
        BAD("bad-argument", classes[i].model(-2));
        BAD("bad-argument", classes[i].model(256));
    }
    BAD("bad-argument", model_tolower((char)-28));
    BAD("bad-argument", model_toupper(1000));
}
