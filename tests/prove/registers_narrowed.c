// SPDX-License-Identifier: MIT OR Apache-2.0
// With --memory registers lie where it says, and read as it says.
// flags: --memory 0x40000000..0x40000FFF=volatile:1..7 --memory 0x40010000..0x400100FF=volatile --memory 0x20000000..0x200000FF=ram
#include <stdint.h>

#define INSIDE (*(volatile uint32_t *)0x40000010)
#define OUTSIDE (*(volatile uint32_t *)0x50000010)
#define KEPT ((int *)0x20000000)
#define BLOCK(base) (*(volatile uint32_t *)((base) + 0x10))

static const int table[8];

static void set(uintptr_t base)
{
    BLOCK(base) = 1; // unreachable: null-deref invalid-deref
}

int main(int argc, char **argv)
{
    int sum = table[INSIDE]; // proved: invalid-deref out-of-bounds

    (void)argv;
    sum += 8 / (int)INSIDE; // proved: division-by-zero
    set(0x40010000);
    sum += KEPT[3] == 0; // proved: invalid-deref out-of-bounds
    sum += table[KEPT[0]]; // open: out-of-bounds
    KEPT[0] = 5;
    sum += table[KEPT[0]]; // given: out-of-bounds
    if (argc == 2)
        KEPT[64] = 1; // open: out-of-bounds
    if (argc == 3)
        OUTSIDE = 1; // open: invalid-deref
    return sum;
}
