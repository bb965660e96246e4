// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static unsigned long depth(unsigned long n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
}

int main(void) {
    return depth(20000) != 20000;
}
