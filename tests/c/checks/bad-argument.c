// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int digits_in_binary(unsigned n) {
    return 32 - __builtin_clz(n); // finds: bad-argument
}

int main(void) {
    return digits_in_binary(0) > 32;
}
