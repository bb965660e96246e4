// SPDX-License-Identifier: MIT OR Apache-2.0
// Shifts, masks and bit-fields: CRC, population counts, packing of dates, Gray codes.
#include <stdio.h>

struct date {
    unsigned year : 12;
    unsigned month : 4;
    unsigned day : 5;
    int offset : 6;
};

static unsigned table[256];

static void prepare(void)
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

static unsigned crc(const unsigned char *bytes, int n)
{
    unsigned c = 0xffffffffu;
    for (int i = 0; i < n; i++)
        c = table[(c ^ bytes[i]) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

static int ones(unsigned long x)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += (int)(x >> i & 1);
    return count;
}

static int power(int base, int exponent)
{
    int result = 1;
    for (int i = 0; i < exponent; i++)
        result = result * base;
    return result;
}

int main(void)
{
    unsigned char bytes[32];
    struct date dates[5];
    int mask = 0, total = 0;
    prepare();
    for (int i = 0; i < 32; i++)
        bytes[i] = (unsigned char)(i * 7);
    printf("%08x\n", crc(bytes, 32));
    for (int i = 0; i < 5; i++) {
        dates[i].year = 2000 + (unsigned)i * 13;
        dates[i].month = (unsigned)i * 2 + 1;
        dates[i].day = 31 - (unsigned)i;
        dates[i].offset = i - 3;
        printf("%u-%u-%u %d\n", dates[i].year, dates[i].month, dates[i].day, dates[i].offset);
    }
    for (int i = 0; i < 31; i += 3)
        mask |= 1 << i;
    for (int i = 0; i < 16; i++)
        total += i ^ i >> 1;
    printf("%x %d %d\n", (unsigned)mask, ones((unsigned long)mask * 0x10001ul), total);
    for (int i = 1; i < 9; i++)
        printf("%d %d ", power(i, 6), 100000 / i % 7);
    printf("\n");
    return 0;
}
