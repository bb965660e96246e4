// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: nan-compare
static int in_range(double x) {
    return x != x || x < 0 ? 0 : 1;
}

int main(void) {
    return in_range(__builtin_nan(""));
}
