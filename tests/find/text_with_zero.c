// SPDX-License-Identifier: MIT OR Apache-2.0
// Nobody can pass a zero byte inside an argument or a variable, so what is behind it is not theirs.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    int v = argv[1][1]; // violated: out-of-bounds
    assert(argv[1][0] != 0);
    char *s = getenv("K1");
    if (s == 0)
        return 0;
    v += s[1]; // violated: out-of-bounds
    assert(s[0] != 0);
    return v == 0;
}
