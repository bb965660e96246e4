/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <sys/socket.h> and <arpa/inet.h>: the network does anything that its interface allows. */
#include "clew.h"

typedef unsigned socklen_t;

/* 0 or -1. */
static int done(void)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    return fails ? __clew_any_error() : 0;
}

/* A descriptor or -1. */
static int descriptor(void)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    if (fails) {
        return __clew_any_error();
    }
    int number = __clew_nondet_int();
    __clew_assume(number >= 0);
    __clew_likely(number > 2);
    __clew_came('n', NULL, number, NULL, 0);
    return number;
}

/* A count of at most n, or -1. */
static ssize_t transferred(size_t n)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    if (fails) {
        return __clew_any_error();
    }
    size_t count = __clew_nondet_size();
    __clew_assume(count <= n && count <= __PTRDIFF_MAX__);
    return (ssize_t)count;
}

/* An address of the other side: at most as many bytes as there is room for, and how many there would have been. */
static void other_side(void *address, socklen_t *length)
{
    if (address == NULL) {
        return;
    }
    CLEW_WRITES(length, sizeof *length);
    CLEW_WRITES(address, *length);
    if (__clew_nondet_bool()) {
        __clew_havoc(address, *length);
        __clew_havoc(length, sizeof *length);
    }
}

int socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return descriptor();
}

int bind(int socket, const void *address, socklen_t length)
{
    (void)socket;
    CLEW_READS(address, length);
    return done();
}

int connect(int socket, const void *address, socklen_t length)
{
    return bind(socket, address, length);
}

int listen(int socket, int backlog)
{
    (void)socket, (void)backlog;
    return done();
}

int accept(int socket, void *address, socklen_t *length)
{
    (void)socket;
    other_side(address, length);
    return descriptor();
}

int shutdown(int socket, int how)
{
    (void)socket, (void)how;
    return done();
}

int setsockopt(int socket, int level, int option, const void *value, socklen_t length)
{
    (void)socket, (void)level, (void)option;
    if (value != NULL) {
        CLEW_READS(value, length);
    }
    return done();
}

ssize_t recv(int socket, void *to, size_t n, int flags)
{
    CLEW_WRITES(to, n);
    /* With MSG_TRUNC the result is how long the message was, which may be more than there is room for. */
    ssize_t count = transferred(flags & 0x20 ? __PTRDIFF_MAX__ : n);
    if (count > 0) {
        size_t received = (size_t)count < n ? (size_t)count : n;
        __clew_havoc(to, received);
        __clew_came('b', NULL, socket, to, received);
    }
    if (count < (ssize_t)n) {
        __clew_came('$', NULL, socket, NULL, 0);
    }
    return count;
}

ssize_t recvfrom(int socket, void *to, size_t n, int flags, void *address, socklen_t *length)
{
    other_side(address, length);
    return recv(socket, to, n, flags);
}

ssize_t send(int socket, const void *from, size_t n, int flags)
{
    (void)socket, (void)flags;
    CLEW_USES(from, n);
    return transferred(n);
}

ssize_t sendto(int socket, const void *from, size_t n, int flags, const void *address, socklen_t length)
{
    if (address != NULL) {
        CLEW_READS(address, length);
    }
    return send(socket, from, n, flags);
}

/* Network byte order is big. */
unsigned short htons(unsigned short number)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? number : __builtin_bswap16(number);
}

unsigned short ntohs(unsigned short number)
{
    return htons(number);
}

unsigned htonl(unsigned number)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? number : __builtin_bswap32(number);
}

unsigned ntohl(unsigned number)
{
    return htonl(number);
}

unsigned inet_addr(const char *text)
{
    CLEW_STRING(text);
    return (unsigned)__clew_nondet_int();
}
