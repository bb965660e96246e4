// Conversions that keep a value, exactly: claims of reals and integers, for the solver.
// flags: --check lossy-conversion
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern double nondet_double(void);

int main(void) {
    int x = nondet_int();
    unsigned u = nondet_uint();
    double d = nondet_double();
    float exact = (u & 0xff0) << 20;   // proved: lossy-conversion
    float top = u / 256u * 256u;       // proved: lossy-conversion
    float odd = 0;
    if (x > 0x1000000 && (x & 0x55) == 0x11)
        odd = x;                       // violated: lossy-conversion
    int whole = 0;
    if (d == 3.5 || d == -7.5)
        whole = d + 0.5;               // proved: lossy-conversion
    float narrow = 0;
    if (d > 1.0 && d < 1.0000001)
        narrow = d;                    // violated: lossy-conversion
    if (d != d)
        narrow = d;                    // proved: lossy-conversion
    float same = (float) d;
    double wide = same;
    if (wide == d)
        narrow = d;                    // proved: lossy-conversion
    unsigned char low = (u * 17u) >> 28; // proved: lossy-conversion
    return (exact > top) + (odd > narrow) + whole + low;
}
