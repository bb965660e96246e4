// SPDX-License-Identifier: MIT OR Apache-2.0
// An access is one to what lies at all its bytes: it may reach from one register into the next, but not past the last.
// flags: --memory 0x40000000..0x40000003=volatile:0..4095 --memory 0x40000004..0x40000007=volatile:0..1 --memory 0x40000010..0x40000011=volatile
#include <assert.h>
#include <stdint.h>

#define AT(type, address) (*(volatile type *)(address))

void one_register(void)
{
    uint32_t value = AT(uint32_t, 0x40000000u);
    assert(value <= 4095); // unreachable: assertion
}

void two_registers(void)
{
    uint64_t value = AT(uint64_t, 0x40000000u); // proved: invalid-deref
    assert(value <= 4095);                      // open: assertion
}

void past_the_last(void)
{
    uint64_t value = AT(uint64_t, 0x40000004u); // open: invalid-deref
    (void)value;
}

void too_wide(void)
{
    AT(uint32_t, 0x40000010u) = 1; // open: invalid-deref
}

static uint32_t through(volatile uint32_t *p)
{
    return *p; // open: invalid-deref
}

uint32_t somewhere(int where)
{
    return through((volatile uint32_t *)(0x40000000u + (where & 7)));
}
