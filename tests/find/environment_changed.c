// SPDX-License-Identifier: MIT OR Apache-2.0
// Variables that the program set or took away are not made up afterwards; others are still inputs.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static char own[] = "E=own";

    switch (__VERIFIER_nondet_int()) {
    case 0:
        unsetenv("A");
        assert(getenv("A") == NULL);
        break;
    case 1:
        if (setenv("B", "five", 1) == 0) {
            assert(getenv("B") != NULL && strcmp(getenv("B"), "five") == 0);
            unsetenv("B");
            assert(getenv("B") == NULL);
        }
        break;
    case 2:
        clearenv();
        assert(getenv("C") == NULL);
        break;
    case 3:
        if (setenv("D", "five", 0) == 0 && getenv("D") != NULL)
            assert(strcmp(getenv("D"), "five") == 0); // violated: assertion
        break;
    case 4:
        putenv(own);
        putenv("F");
        assert(getenv("F") == NULL);
        unsetenv("G");
        assert(getenv("H") == NULL); // violated: assertion
        break;
    }
    return 0;
}
