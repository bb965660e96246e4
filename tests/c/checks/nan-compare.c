// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: nan-compare
static int in_range(double x) {
    return x < 0 ? 0 : 1; // finds: nan-compare
}

int main(void) {
    return in_range(__builtin_nan(""));
}
