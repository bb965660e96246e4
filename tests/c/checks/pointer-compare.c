// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: pointer-compare
static int first[4], second[4];

static int is_before(const int *p, const int *q) {
    return p < q; // finds: pointer-compare
}

int main(void) {
    return is_before(&first[1], &second[2]) > 1;
}
