// SPDX-License-Identifier: MIT OR Apache-2.0
// An object that is larger than the whole stack fits none.
static int small(void)
{
    char b[100000];
    b[99999] = 1;
    return b[99999]; // proved: uninitialised-read
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        char b[16000000]; // undecided: stack-exhausted
        b[15999999] = 1;
        return b[15999999];
    }
    return small();
}
