// What the system answers: the name of a folder that does not fit, a link that fills its buffer to the end.
#include <string.h>
#include <unistd.h>

static void here(void) {
    char folder[32], file[32];
    if (!getcwd(folder, sizeof folder))
        return;
    if (strlen(folder) < 20)
        strcat(folder, "/config");
    strcpy(file, folder);
    if (folder[1] == 'q' && folder[2] == 'x')
        strcat(file, "/q"); // violated: out-of-bounds
}

static void followed(void) {
    char target[16];
    ssize_t length = readlink("latest", target, sizeof target);
    if (length >= 0)
        target[length] = 0; // violated: out-of-bounds
}

static void guarded(void) {
    char target[16];
    ssize_t length = readlink("latest", target, sizeof target - 1);
    if (length >= 0)
        target[length] = 0;
}

int main(void) {
    here();
    followed();
    guarded();
    return 0;
}
