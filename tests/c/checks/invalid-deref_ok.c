// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static int registers[4];

int main(void) {
    unsigned long address = (unsigned long)registers;
    int *device = (int *)address;
    return *device;
}
