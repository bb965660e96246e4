// SPDX-License-Identifier: MIT OR Apache-2.0
// Hardware registers: a volatile access at a constant address is an input when it reads and touches no object when it writes.
#include <stdint.h>

typedef struct {
    volatile uint32_t CR;
    volatile uint32_t SR;
    volatile uint8_t DR;
    volatile uint32_t FIFO[4];
    volatile struct {
        unsigned mode : 3;
        signed level : 4;
        unsigned rest : 25;
    } BITS;
} UART_TypeDef;

#define UART ((UART_TypeDef *)0x40001000)
#define ODR (*(volatile uint32_t *)0x40020014)
#define TABLE ((volatile uint16_t *)0x40030000)

static volatile uint32_t *const timer = (void *)0x40040000;
static int seven = 7;
static const int small[8];
static const int large[256];

static uint8_t get(UART_TypeDef *uart)
{
    // That the address is of no register does not happen.
    while (!(uart->SR & 1)) // given: null-deref invalid-deref out-of-bounds
        ;
    return uart->DR; // given: null-deref invalid-deref out-of-bounds
}

static int read_all(unsigned i)
{
    uint32_t one = ODR; // given: null-deref invalid-deref out-of-bounds
    uint32_t two = ODR;

    if (one == 3)
        one += small[ODR]; // open: out-of-bounds
    if (one == two)
        one = 100 / (two - one + 1); // given: division-by-zero
    if (ODR != ODR) // the two reads may differ
        return 100 / (seven - 7); // open: division-by-zero
    if (i < 4)
        one += UART->FIFO[i]; // given: invalid-deref out-of-bounds
    return (int)(one & 1) + UART->FIFO[i]; // open: out-of-bounds
}

static int bits(void)
{
    int a = small[UART->BITS.mode]; // given: invalid-deref out-of-bounds

    a += small[UART->BITS.level + 8]; // open: out-of-bounds
    return a;
}

static void writes(unsigned i)
{
    ODR = 1; // proved: null-deref invalid-deref out-of-bounds
    ODR |= 2; // proved: null-deref invalid-deref out-of-bounds
    *timer = 9; // proved: invalid-deref
    timer[3]++; // proved: invalid-deref out-of-bounds
    TABLE[i & 15] = 5; // unreachable: invalid-deref out-of-bounds
    UART->BITS.mode = 5; // proved: invalid-deref
    seven = 100 / seven; // proved: division-by-zero
    seven = 7;
}

int main(int argc, char **argv)
{
    volatile int *nothing = 0;
    int own = 0;
    volatile int *mine = &own;

    (void)argv;
    writes((unsigned)argc);
    *mine = 3; // proved: null-deref invalid-deref out-of-bounds
    mine[argc] = 3; // open: out-of-bounds
    if (argc == 9)
        *nothing = 1; // open: null-deref
    if (argc == 10)
        *(int *)0x40020014 = 1; // open: invalid-deref
    return large[get(UART)] + read_all((unsigned)argc) + bits(); // given: out-of-bounds
}
