// SPDX-License-Identifier: MIT OR Apache-2.0
// The library where `long` has 32 bits.
// flags: -- -m32
int snprintf(char *to, unsigned size, const char *format, ...);
long lround(double x);
long long llround(double x);

static int table[12];

void numbers(void)
{
    char text[40];
    long long number = -4294967291;
    int length = snprintf(text, sizeof text, "%jd", number);
    table[length] = 1; // proved: out-of-bounds
    if (length == 11)
        table[12] = 1; // undecided: out-of-bounds
}

void rounded(int n)
{
    double far = n > 0 ? 5e9 : 6e9;
    lround(far);  // undecided: float-invalid
    llround(far); // proved: float-invalid
    lround(2e9);  // proved: float-invalid
}
