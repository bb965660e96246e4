// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <assert.h>

static int take(int stock, int wanted) {
    assert(wanted <= stock); // finds: assertion
    return stock - wanted;
}

int main(void) {
    return take(3, 5);
}
