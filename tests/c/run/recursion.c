// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static unsigned long depth(unsigned long n) {
    return n == 0 ? 0 : 1 + depth(n - 1); // finds: stack-exhausted
}

int main(void) {
    return depth(1ul << 40) == 7;
}
