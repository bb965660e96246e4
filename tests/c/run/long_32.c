// run: finding
// flags: -m32
// Where `long` has 32 bits, so have the arguments of %ld and %zu; those of %lld and %jd have 64.
int snprintf(char *to, unsigned size, const char *format, ...);
int sscanf(const char *text, const char *format, ...);

int main(void)
{
    char text[40];
    int table[26] = {0};
    long read = 0, beside = 7;
    int length =
        snprintf(text, sizeof text, "%ld %lld %zu %jd", 1L, 4294967296LL, sizeof text, 4294967296LL);
    sscanf(text, "%ld", &read);
    return read + beside == 8 ? table[length] : 0; // finds: out-of-bounds
}
