// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: misaligned-access
#include <stdint.h>

static uint32_t length_of(const unsigned char *packet) {
    return *(const uint32_t *)(packet + 1); // finds: misaligned-access
}

int main(void) {
    _Alignas(8) unsigned char packet[8] = {7, 2, 0, 0, 0, 'h', 'i', 0};
    return length_of(packet) == 2 ? 0 : 1;
}
