// SPDX-License-Identifier: MIT OR Apache-2.0
// Faults with objects of the library that a run shows.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

static char lent[BUFSIZ];

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 1: {
        char *p = strerror(2);
        p[0] = 'x'; // violated: write-to-const
        break;
    }
    case 2: {
        FILE *f = malloc(300);
        if (f)
            fclose(f); // violated: bad-argument
        break;
    }
    case 3: {
        FILE *f = stdin;
        free(f); // violated: invalid-free
        break;
    }
    case 4: {
        FILE *f = stdin;
        fclose(f);
        fclose(f); // violated: use-after-free
        break;
    }
    case 5: {
        char *p;
        {
            char local[16];
            p = local;
        }
        free(p); // violated: invalid-free
        break;
    }
    case 6:
        return (int)strlen((char *)main); // violated: out-of-bounds
    case 7:
        return fgetc((FILE *)0x1000); // violated: invalid-deref
    case 8: {
        char *l = 0;
        if (sscanf("abc", "%ms", &l) != 1) // violated: memory-leak
            return 0;
        l = 0;
        break;
    }
    case 9: {
        time_t t = 0, u = 18420;
        struct tm *p = gmtime(&t);
        if (!p)
            return 0;
        int minute = p->tm_min;
        ctime(&u);
        assert(p->tm_min == minute); // violated: assertion
        break;
    }
    case 10:
        setvbuf(stdout, lent, _IOFBF, sizeof lent);
        lent[0] = 'q';
        printf("abc");
        assert(lent[0] == 'q'); // violated: assertion
        break;
    case 11: {
        char *p = strerror(1), *q = strerror(1);
        assert(p != q); // violated: assertion
        break;
    }
    case 12: {
        char b[4], *l = b;
        size_t n = 0;
        getline(&l, &n, stdin);
        assert(0); // violated: assertion
        break;
    }
    case 13:
        fclose(stdout);
        puts("text"); // violated: bad-argument
        break;
    }
    return 0;
}
