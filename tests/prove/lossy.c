// An integer that a float has the digits for keeps its value.
// flags: --check lossy-conversion
extern int nondet_int(void);
extern unsigned __int128 nondet_huge(void);

int main(void) {
    int x = nondet_int();
    float few = x & 0xffffff;  // proved: lossy-conversion
    float many = x & 0x1ffffff; // open: lossy-conversion
    float end = 0;
    if (x >= -16777216 && x <= 16777216)
        end = x;               // proved: lossy-conversion
    if (x >= -16777216 && x <= 16777217)
        end = x;               // open: lossy-conversion
    double huge = nondet_huge(); // open: lossy-conversion
    return few + many + end > huge;
}
