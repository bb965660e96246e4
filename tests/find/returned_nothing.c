// SPDX-License-Identifier: MIT OR Apache-2.0
// A `return` without a value in a function that gives one: wrong where the caller uses it.
static int twice(int x)
{
    if (x < 2)
        return; // violated: missing-return
    return x;
}

static int unused(int x)
{
    if (x < 2)
        return; // proved: missing-return
    return x;
}

int main(int argc, char **argv)
{
    unused(argc);
    return twice(argc) == 3;
}
