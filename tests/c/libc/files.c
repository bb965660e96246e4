// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <stdio.h> on files: modes, positions, pushing back, lines, blocks, indicators.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char name[64];

static void show(void)
{
    FILE *f = fopen(name, "r");
    int c;
    printf("[");
    while ((c = getc(f)) != EOF)
        putchar(c == '\n' ? '/' : c);
    printf("] eof %d error %d\n", feof(f) != 0, ferror(f) != 0);
    fclose(f);
}

static void modes(void)
{
    FILE *f = fopen(name, "w");
    printf("%d\n", fputs("one\ntwo\nthree\n", f) >= 0);
    fclose(f);
    show();
    f = fopen(name, "a");
    fprintf(f, "%s\n", "four");
    printf("%ld\n", ftell(f));
    fclose(f);
    show();
    f = fopen(name, "r+");
    fputc('O', f);
    fseek(f, 4, SEEK_SET);
    printf("%c\n", fgetc(f));
    fseek(f, 0, SEEK_CUR);
    fputs("WO", f);
    fclose(f);
    show();
    f = fopen(name, "w+");
    fputs("abcdef", f);
    rewind(f);
    char buffer[8] = "";
    printf("%zu ", fread(buffer, 1, 7, f));
    printf("%s\n", buffer);
    fclose(f);
    f = fopen(name, "a+");
    printf("%c\n", fgetc(f));
    fputs("XYZ", f);
    fclose(f);
    show();
    printf("%d ", fopen("/nonexistent/file", "r") == NULL);
    printf("%d\n", errno == ENOENT);
    f = fopen(name, "wx");
    printf("%d %d\n", f == NULL, errno == EEXIST);
}

static void positions(void)
{
    FILE *f = fopen(name, "w+b");
    for (int i = 0; i < 10000; i++)
        fprintf(f, "%05d\n", i);
    printf("%ld\n", ftell(f));
    fseek(f, 6 * 1234, SEEK_SET);
    int value = -1;
    printf("%d ", fscanf(f, "%d", &value));
    printf("%d %ld\n", value, ftell(f));
    fseek(f, -6, SEEK_END);
    printf("%d ", fscanf(f, "%d", &value));
    printf("%d\n", value);
    fseek(f, -12, SEEK_CUR);
    printf("%ld\n", ftell(f));
    fpos_t place;
    fgetpos(f, &place);
    fscanf(f, "%d", &value);
    printf("%d ", value);
    fsetpos(f, &place);
    fscanf(f, "%d", &value);
    printf("%d\n", value);
    int c = fgetc(f);
    ungetc('#', f);
    ungetc(c == '\n' ? 'n' : '?', f);
    printf("%c", fgetc(f));
    printf("%c ", fgetc(f));
    printf("%ld\n", ftell(f));
    printf("%d ", fseek(f, -1, SEEK_SET));
    printf("%d\n", errno == EINVAL);
    fclose(f);
}

static void lines(void)
{
    FILE *f = fopen(name, "w");
    fputs("short\na much longer line that does not fit\n\nlast without newline", f);
    fclose(f);
    f = fopen(name, "r");
    char buffer[16];
    while (fgets(buffer, sizeof buffer, f))
        printf("<%s>", buffer);
    printf(" %d\n", feof(f) != 0);
    clearerr(f);
    printf("%d\n", feof(f));
    rewind(f);
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, f)) >= 0)
        printf("%zd:%s", length, line);
    puts("");
    rewind(f);
    while ((length = getdelim(&line, &size, ' ', f)) >= 0)
        printf("%zd|", length);
    puts("");
    free(line);
    fclose(f);
}

static void blocks(void)
{
    struct {
        int number;
        double value;
    } out[100], in[100];
    memset(out, 0, sizeof out);
    for (int i = 0; i < 100; i++) {
        out[i].number = i;
        out[i].value = i / 4.0;
    }
    FILE *f = fopen(name, "wb");
    printf("%zu\n", fwrite(out, sizeof *out, 100, f));
    fclose(f);
    f = fopen(name, "rb");
    printf("%zu ", fread(in, sizeof *in, 100, f));
    printf("%d\n", memcmp(in, out, sizeof in));
    printf("%zu ", fread(in, sizeof *in, 1, f));
    printf("%d\n", feof(f) != 0);
    printf("%d\n", fputc('x', f));
    printf("%d\n", ferror(f) != 0);
    fclose(f);
}

static void buffers(void)
{
    FILE *f = fopen(name, "w");
    setvbuf(f, NULL, _IONBF, 0);
    fputs("now", f);
    show();
    fclose(f);
    static char buffer[BUFSIZ];
    f = fopen(name, "w");
    setbuf(f, buffer);
    fputs("later", f);
    show();
    fflush(f);
    show();
    fclose(f);
    f = fopen(name, "w");
    setvbuf(f, NULL, _IOLBF, 100);
    fputs("line\nrest", f);
    show();
    fclose(f);
    show();
}

static void memory(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "hello %d", 5);
    fflush(f);
    printf("%s %zu\n", text, size);
    fputs(" more", f);
    fclose(f);
    printf("%s %zu\n", text, size);
    free(text);
    char source[] = "12 34 end";
    f = fmemopen(source, strlen(source), "r");
    int a, b;
    printf("%d ", fscanf(f, "%d %d", &a, &b));
    printf("%d %d %c\n", a, b, fgetc(f));
    fclose(f);
}

int main(void)
{
    snprintf(name, sizeof name, "/tmp/clew-test-XXXXXX");
    close(mkstemp(name));
    modes();
    positions();
    lines();
    blocks();
    buffers();
    memory();
    char other[80];
    snprintf(other, sizeof other, "%s.new", name);
    printf("%d ", rename(name, other));
    printf("%d %d\n", access(name, F_OK), access(other, F_OK));
    FILE *f = freopen(other, "w", stdout);
    puts("into the file");
    fclose(f);
    f = fopen(other, "r");
    char back[40] = "";
    fgets(back, sizeof back, f);
    fprintf(stderr, "%s", back);
    fclose(f);
    return remove(other) != 0 || remove(other) == 0;
}
