// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: lossy-conversion
static unsigned char brighter(unsigned char value, int by) {
    int sum = value + by;
    return sum > 255 ? 255 : sum;
}

int main(void) {
    return brighter(200, 100) != 255;
}
