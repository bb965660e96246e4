// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: pointer-compare
static int both[8];

static int is_before(const int *p, const int *q) {
    return p < q;
}

int main(void) {
    return is_before(&both[1], &both[6]) > 1;
}
