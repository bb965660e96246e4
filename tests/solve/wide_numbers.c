// Numbers of 128 bits at loop heads: what is known of them ends where the bounds of ranges do, half way.
extern unsigned nondet_uint(void);
extern void reach_error(void);
typedef unsigned __int128 huge;

static huge kept = 7;

int main(void) {
    huge x = 7;
    unsigned y = nondet_uint();
    while (nondet_uint()) {
        if (x > ((huge)1 << 127) + 1000 && y * 0x9E3779B1u == 0x12345679u)
            reach_error(); // open: error-call
        if (kept > ((huge)1 << 127) + 1000 && y * 0x9E3779B1u == 0x12345679u)
            reach_error(); // open: error-call
        x = x + (x >> 1);
        if (x < 5)
            x = 5;
        kept = x;
    }
    return 0;
}
