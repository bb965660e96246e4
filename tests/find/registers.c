// SPDX-License-Identifier: MIT OR Apache-2.0
// Registers are inputs of witnesses, whether their address is known before the program runs or not.
#include <stdint.h>

typedef struct {
    volatile uint32_t SR;
    volatile uint8_t DR;
} UART_TypeDef;

#define UART1 ((UART_TypeDef *)0x40001000)
#define UART2 ((UART_TypeDef *)0x40002000)
#define ODR (*(volatile uint32_t *)0x40020014)

struct driver {
    UART_TypeDef *instance;
    int got;
};

static int buf[4];
static const int table[200];

static int receive(struct driver *driver)
{
    driver->got = driver->instance->DR;
    return table[driver->got]; // violated: out-of-bounds
}

static int twice(void)
{
    const uint32_t first = ODR, second = ODR;

    if (first == 70000 && second == 69999)
        return 1 / (int)(first - second - 1); // violated: division-by-zero
    return 0;
}

int main(void)
{
    struct driver driver = {UART2, 0};
    ODR = 1;
    UART1->SR |= 4;
    switch (UART1->SR) {
    case 1:
        return receive(&driver);
    case 2:
        return twice();
    case 3:
        *(int *)0x40001000 = 1; // violated: invalid-deref
        break;
    case 4:
        for (int i = 0; i <= 4; i++)
            buf[i] = i; // violated: out-of-bounds
    }
    return buf[0];
}
