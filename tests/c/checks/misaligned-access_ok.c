// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: misaligned-access
#include <stdint.h>
#include <string.h>

static uint32_t length_of(const unsigned char *packet) {
    uint32_t length;
    memcpy(&length, packet + 1, sizeof length);
    return length;
}

int main(void) {
    _Alignas(8) unsigned char packet[8] = {7, 2, 0, 0, 0, 'h', 'i', 0};
    return length_of(packet) == 2 ? 0 : 1;
}
