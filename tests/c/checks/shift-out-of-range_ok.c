// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static unsigned mask(int bits) {
    return bits < 32 ? (1u << bits) - 1 : ~0u;
}

int main(void) {
    return mask(32) == 7;
}
