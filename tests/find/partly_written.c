// SPDX-License-Identifier: MIT OR Apache-2.0
// Static objects begin with zeros, and results of calls are made by somebody: copies bring what was never written.
struct pair {
    int a, b;
};

static struct pair kept;

static struct pair half(int a)
{
    struct pair x;
    x.a = a;
    return x;
}

int main(int argc, char **argv)
{
    if (argc == 1 && half(argc).b) // violated: uninitialised-read
        return 1;
    kept = half(argc);
    if (kept.a) // proved: uninitialised-read
        return 2;
    return kept.b; // violated: uninitialised-read
}
