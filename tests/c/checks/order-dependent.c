// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: order-dependent
static int last;

static int ticket(void) {
    return ++last;
}

static int pair(int first, int second) {
    return first * 10 + second;
}

int main(void) {
    return pair(ticket(), ticket()) == 0; // finds: order-dependent
}
