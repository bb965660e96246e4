// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: unsigned-wrap
static unsigned room_left(unsigned size, unsigned used) {
    return used < size ? size - used : 0;
}

int main(void) {
    return room_left(16, 20) != 0;
}
