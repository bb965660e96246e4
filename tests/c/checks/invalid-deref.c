// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
int main(void) {
    unsigned long address = 0x1000;
    int *device = (int *)address;
    return *device; // finds: invalid-deref
}
