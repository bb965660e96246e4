// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <string.h> and <strings.h>.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static long at(const void *p, const void *base)
{
    return p ? (const char *)p - (const char *)base : -1;
}

int main(void)
{
    char a[64] = "The quick brown fox", b[64];
    memset(b, '.', sizeof b);
    printf("%zu %zu %zu\n", strlen(a), strnlen(a, 5), strnlen("", 3));
    printf("%s\n", strcpy(b, a));
    printf("%ld\n", at(stpcpy(b, "stop"), b));
    printf("%s\n", strcat(b, " and go"));
    printf("%s\n", strncat(b, "123456", 3));
    strncpy(b, "ab", 5);
    printf("%d%d%d%d%d %d\n", b[0], b[1], b[2], b[3], b[4], b[5]);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"), sign(strcmp("\xff", "a")));
    printf("%d %d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp("abc", "abd", 3)), strncmp("a", "b", 0));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strcasecmp("a", "B")), strncasecmp("ABx", "aby", 2));
    printf("%d %d\n", sign(memcmp("a\0b", "a\0c", 3)), memcmp("a\0b", "a\0c", 2));
    printf("%ld %ld %ld %ld\n", at(strchr(a, 'q'), a), at(strchr(a, 'z'), a), at(strchr(a, 0), a), at(strrchr(a, 'o'), a));
    printf("%ld %ld %ld\n", at(strchrnul(a, 'z'), a), at(index(a, 'k'), a), at(rindex(a, 'o'), a));
    printf("%ld %ld %ld\n", at(memchr(a, 'b', 5), a), at(memchr(a, 'b', 20), a), at(memrchr(a, 'o', 19), a));
    printf("%zu %zu %ld\n", strspn(a, "Teh "), strcspn(a, "qxz"), at(strpbrk(a, "xyzk"), a));
    printf("%ld %ld %ld %ld\n", at(strstr(a, "brown"), a), at(strstr(a, "red"), a), at(strstr(a, ""), a), at(strcasestr(a, "BROWN"), a));
    printf("%ld %ld\n", at(memmem(a, 19, "fox", 3), a), at(memmem(a, 18, "fox", 3), a));

    char list[] = ",one,,two;three,", *save, *token;
    for (token = strtok(list, ",;"); token; token = strtok(NULL, ",;"))
        printf("<%s>", token);
    puts("");
    char other[] = "a b  c";
    for (token = strtok_r(other, " ", &save); token; token = strtok_r(NULL, " ", &save))
        printf("<%s>", token);
    puts("");
    char third[] = "x::y:", *rest = third;
    while ((token = strsep(&rest, ":")))
        printf("<%s>", token);
    puts("");

    char *copy = strdup("duplicate"), *part = strndup("partial", 4);
    printf("%s %s\n", copy, part);
    free(copy);
    free(part);
    memmove(a + 4, a, 10);
    printf("%s\n", a);
    printf("%s\n", (char *)memccpy(b, "hello,world", ',', 20) ? "found" : "not found");
    printf("%.6s\n", b);
    printf("%ld\n", at(mempcpy(b, "1234", 4), b));
    bzero(b, 3);
    printf("%d %d\n", b[2], b[3]);
    printf("%d %d %d %d\n", ffs(0), ffs(8), ffs(-1), ffsl(1L << 40));
    printf("%s|%s|%s|%s\n", strerror(0), strerror(ENOENT), strerror(EINVAL), strerror(9999));
    printf("%s|%s\n", strsignal(11), strsignal(6));
    printf("%d %zu\n", sign(strcoll("a", "b")), strxfrm(b, "xyz", 10));
    printf("%d %d %d %d\n", sign(strverscmp("item9", "item10")), sign(strverscmp("1.2.3", "1.2.3")), sign(strverscmp("a01", "a1")),
           sign(strverscmp("000", "00")));
    // glibc returns the difference of bytes.
    printf("%d %d %d\n", strcmp(a, "a"), strncmp(a, "Tha", 3), memcmp(a, "The", 3));
    struct {
        char name[8];
        int *pointer;
    } from = {"name", &(int){5}}, to;
    memcpy(&to, &from, sizeof to);
    printf("%s %d\n", to.name, *to.pointer);
    return 0;
}
