// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stdlib.h>

static int price(char size) {
    switch (size) {
    case 's': return 3;
    case 'm': return 4;
    case 'l': return 5;
    }
    abort();
}

int main(void) {
    return price('m') - 4;
}
