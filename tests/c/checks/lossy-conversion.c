// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: lossy-conversion
static unsigned char brighter(unsigned char value, int by) {
    return value + by; // finds: lossy-conversion
}

int main(void) {
    return brighter(200, 100) == 255;
}
