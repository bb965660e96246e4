// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: order-dependent
static int last;

static int ticket(void) {
    return ++last;
}

static int pair(int first, int second) {
    return first * 10 + second;
}

int main(void) {
    int first = ticket();
    int second = ticket();
    return pair(first, second) != 12;
}
