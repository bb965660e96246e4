// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static int digits_in_binary(unsigned n) {
    return n == 0 ? 1 : 32 - __builtin_clz(n);
}

int main(void) {
    return digits_in_binary(0) > 32;
}
