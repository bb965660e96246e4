// SPDX-License-Identifier: MIT OR Apache-2.0
// What the program wrote to a file is what it reads from it, and what it took away is gone.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

static int first_of(const char *name)
{
    FILE *file = fopen(name, "rb");
    int c = file ? fgetc(file) : -2;

    if (file)
        fclose(file);
    return c;
}

static int write_to(const char *name, const char *mode, int c)
{
    FILE *file = fopen(name, mode);

    if (!file)
        return 0;
    int good = fputc(c, file) == c;
    return fclose(file) == 0 && good;
}

int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 0: // written, by another spelling of the name, and appended to
        if (write_to("a", "wb", 'x') && write_to("./a", "ab", 'y'))
            assert(first_of(".//a") == 'x' || first_of("a") == -2);
        break;
    case 1: // a file that is not written is an input
        assert(first_of("b") != 'x'); // violated: assertion
        break;
    case 2: // appended to what was there
        if (write_to("c", "a", 'y'))
            assert(first_of("c") == 'y'); // violated: assertion
        break;
    case 3: { // through a descriptor, and a second one
        char c = 0;
        int out = open("d", O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("d", O_RDONLY), also = dup(out);
        if (out >= 0 && in >= 0 && also >= 0 && write(also, "z", 1) == 1 && read(in, &c, 1) == 1)
            assert(c == 'z');
        break;
    }
    case 4:
        if (write_to("e", "w", 'x') && rename("e", "f") == 0) {
            assert(first_of("f") == 'x' || first_of("f") == -2);
            assert(first_of("e") == -2);
        }
        break;
    case 5:
        if (write_to("g", "w", 'x') && remove("g") == 0)
            assert(fopen("g", "r") == NULL);
        break;
    case 6: assert(fopen("", "r") == NULL && open("", O_RDWR | O_CREAT, 0600) < 0); break;
    case 7: // nothing was there before
        if (write_to("h", "wx", 'x'))
            assert(first_of("h") == 'x' || first_of("h") == -2);
        break;
    }
    return 0;
}
