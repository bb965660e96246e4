// Proofs that only a slice gives: elsewhere in the program runs are not followed, whatever the depth.
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern void __VERIFIER_error(void);

struct node {
    unsigned value;
    struct node *next;
};

static struct node first, second, third;
static unsigned seen[4];

// The highest bit of a number stays where it is in Gray's code.
static void gray(unsigned x) {
    unsigned code = x ^ (x >> 1);
    if (!(x & 0x80000000u) != !(code & 0x80000000u))
        __VERIFIER_error(); // proved: error-call
}

// Leads from object to object, any number of times: no induction follows that.
static unsigned around(void) {
    struct node *p = &first;
    unsigned sum = 0;
    while (nondet_int()) {
        sum += p->value;
        seen[sum & 3]++;
        p = p->next;
    }
    return sum;
}

int main(void) {
    first.next = &second;
    second.next = &third;
    third.next = &first;
    first.value = nondet_uint();
    second.value = nondet_uint();
    unsigned sum = around();
    gray(nondet_uint());
    unsigned x = nondet_uint() & 0xffff, y = nondet_uint() & 0xffff;
    if (sum > 7)
        x = y;
    // Behind it is a loop, too, and one around it that depends on what is left out.
    for (unsigned i = 0; i < sum; i++) {
        unsigned both = (x & y) + (x | y);
        if (both != x + y)
            __VERIFIER_error(); // proved: error-call
        struct node *p = &second;
        while (p->value < sum && nondet_int())
            p = p->next;
    }
    around();
    return 0;
}
