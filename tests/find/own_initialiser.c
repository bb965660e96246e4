// SPDX-License-Identifier: MIT OR Apache-2.0
// The scope of a name begins before its initialiser: what is meant is often another of that name.
static int n = 3;

int main(int argc, char **argv)
{
    if (argc == 1) {
        int n = n / 2; // violated: uninitialised-read
        return n > 7;
    }
    for (int i = 0; i < 3; i++) {
        int y = i ? y ^ 1 : 5; // violated: uninitialised-read
        if (y > 9)
            return 1;
    }
    int size = sizeof size;
    void *self = &self;
    return n == size || self == argv; // proved: pointer-compare
}
