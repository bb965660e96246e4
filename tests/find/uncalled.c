// SPDX-License-Identifier: MIT OR Apache-2.0
// status: 0
// A library: nobody calls these functions here, and what breaks them takes several numbers that fit together.
struct point {
    int x, y;
};

int share(unsigned whole, unsigned part)
{
    if (whole < 1000 || part < 1000 || whole * part != 3000000019u * 7u)
        return 0;
    return 10 / (int)(whole % 7u); // violated: division-by-zero
}

int cell(const struct point *at)
{
    static const int table[10] = { 1 };

    if (!at || at->x < 100 || at->y < 100 || at->x > 10000 || at->y > 10000)
        return 0;
    if (3 * at->x + 5 * at->y != 4111 || at->x - at->y != 13)
        return 0;
    return table[at->x - at->y]; // violated: out-of-bounds
}

int kept(unsigned whole, unsigned part)
{
    if (whole * part != 3000000019u * 7u || whole % 7u == 0)
        return 0;
    return 10 / (int)(whole % 7u);
}
