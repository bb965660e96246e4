// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: unsigned-wrap
static unsigned room_left(unsigned size, unsigned used) {
    return size - used; // finds: unsigned-wrap
}

int main(void) {
    return room_left(16, 20) == 0;
}
