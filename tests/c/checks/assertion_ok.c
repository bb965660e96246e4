// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <assert.h>

static int take(int stock, int wanted) {
    if (wanted > stock)
        wanted = stock;
    assert(wanted <= stock);
    return stock - wanted;
}

int main(void) {
    return take(3, 5);
}
