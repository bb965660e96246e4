// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>

struct message {
    unsigned char tag;
    _Bool urgent;
};

int main(void) {
    unsigned char wire[2] = {7, 2};
    struct message m;
    memcpy(&m, wire, sizeof m);
    return m.urgent ? 1 : 0; // finds: invalid-bool
}
