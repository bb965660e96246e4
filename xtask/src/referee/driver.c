// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs one program many times: a child for each set of arguments, variables and numbers that stand on standard input.
//
// Linked with -Wl,--wrap=main. The kernel turns an empty argument vector into one empty argument, so that argc == 0
// can be had only by a call. Vectors and texts are heap objects of exactly their size: AddressSanitizer sees what
// reaches outside of them, which it does not for those that the kernel makes.
//
// A set is: argc, the number of variables, the number of numbers, and then these, each ended by a zero byte. On
// standard error `#run` and `#end` stand around what a run says, `@line` is the first time that a line is reached, and
// `!check line` is a violation that the program itself has seen, with `stop` where it ends there.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **envp);
extern char **environ;

static long *numbers;
static size_t number_count, number_next;
static unsigned char reached[10000];

static long next_number(void) { return number_next < number_count ? numbers[number_next++] : 0; }

int __VERIFIER_nondet_int(void) { return (int)next_number(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next_number(); }

void clew_at(int line) {
    if (!reached[line % 10000]++)
        dprintf(2, "@%d\n", line);
}

void clew_violated(const char *check, int line) { dprintf(2, "!%s %d\n", check, line); }

// A violation that the machine has no value for.
void clew_ended(const char *check, int line) {
    dprintf(2, "!%s %d stop\n", check, line);
    _exit(1);
}

// What a variable may hold that nothing was written to.
int clew_any(void) { return number_count ? (int)(numbers[0] * 7 - 3) : 77; }

// The next text of the input; a fresh object of exactly its size.
static char *text(void) {
    size_t size = 0, room = 16;
    char *made = malloc(room);
    int c;
    while ((c = getchar()) > 0) {
        if (size + 1 == room)
            made = realloc(made, room *= 2);
        made[size++] = (char)c;
    }
    if (c == EOF && size == 0) {
        free(made);
        return NULL;
    }
    made[size] = 0;
    char *exact = malloc(size + 1);
    memcpy(exact, made, size + 1);
    free(made);
    return exact;
}

static size_t count(void) {
    char *digits = text();
    return digits ? strtoul(digits, NULL, 10) : 0;
}

static char **vector(size_t length) {
    char **made = malloc((length + 1) * sizeof *made);
    for (size_t i = 0; i < length; i++)
        made[i] = text();
    made[length] = NULL;
    return made;
}

int __wrap_main(void) {
    char *first;
    while ((first = text()) != NULL) {
        size_t argc = strtoul(first, NULL, 10), variables = count();
        number_count = count();
        char **argv = vector(argc), **envp = vector(variables);
        numbers = calloc(number_count + 1, sizeof *numbers);
        for (size_t i = 0; i < number_count; i++)
            numbers[i] = strtol(text(), NULL, 10);
        dprintf(2, "#run\n");
        pid_t child = fork();
        if (child == 0) {
            alarm(5);
            environ = envp;
            _exit(__real_main((int)argc, argv, envp) & 127);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            dprintf(2, "\n#end signal %d\n", WTERMSIG(status));
        else
            dprintf(2, "\n#end status %d\n", WEXITSTATUS(status));
    }
    return 0;
}
