/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a program under test may do to the machine, one thing for each argument. Harmless on its own account: what
 * it makes ends by itself, and there is little of it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void loop(void)
{
    for (volatile int i = 0;; i = 1 - i)
        ;
}

/* At most 20 children, each gone after a minute. */
static void fork_many(void)
{
    int made = 0;

    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();

        if (child == 0) {
            setsid();
            sleep(60);
            _exit(0);
        }
        made += child > 0;
    }
    printf("made %d processes\n", made);
}

static void allocate(void)
{
    for (int i = 0; i < 4096; i++) {
        char *block = malloc(1 << 20);

        if (!block)
            break;
        memset(block, 1, 1 << 20);
    }
    puts("allocated");
}

static void write_big(void)
{
    FILE *file = fopen("big", "w");
    static char block[1 << 16];

    for (int i = 0; file && i < 4096; i++)
        fwrite(block, 1, sizeof block, file);
    puts("written");
}

static void write_many(void)
{
    char name[32];

    for (int i = 0; i < 100000; i++) {
        FILE *file;

        snprintf(name, sizeof name, "file%d", i);
        file = fopen(name, "w");
        if (!file)
            break;
        fputs("x", file);
        fclose(file);
    }
    puts("written");
}

static void write_outside(const char *name)
{
    const int file = open(name, O_WRONLY | O_CREAT, 0600);

    printf("outside: %s\n", file < 0 ? strerror(errno) : "open");
}

static void *thread(void *unused)
{
    return unused;
}

static void others(void)
{
    char *const arguments[] = { "true", NULL };
    pthread_t one;

    printf("socket: %s\n", socket(AF_INET, SOCK_STREAM, 0) < 0 ? strerror(errno) : "open");
    printf("signal to the parent: %s\n", kill(getppid(), 0) < 0 ? strerror(errno) : "sent");
    printf("signal to itself: %s\n", kill(getpid(), 0) < 0 ? strerror(errno) : "sent");
    printf("system: %d\n", system("true") == 0);
    execv("/bin/true", arguments);
    printf("exec: %s\n", strerror(errno));
    printf("thread: %s\n", strerror(pthread_create(&one, NULL, thread, NULL)));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "loop") == 0)
        loop();
    if (strcmp(what, "fork") == 0)
        fork_many();
    if (strcmp(what, "allocate") == 0)
        allocate();
    if (strcmp(what, "big") == 0)
        write_big();
    if (strcmp(what, "many") == 0)
        write_many();
    if (strcmp(what, "outside") == 0)
        write_outside(argv[2]);
    if (strcmp(what, "others") == 0)
        others();
    return 0;
}
