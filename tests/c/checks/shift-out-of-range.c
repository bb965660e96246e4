// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static unsigned mask(int bits) {
    return (1u << bits) - 1; // finds: shift-out-of-range
}

int main(void) {
    return mask(32) == 7;
}
