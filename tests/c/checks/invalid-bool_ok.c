// SPDX-License-Identifier: MIT OR Apache-2.0
struct message {
    unsigned char tag;
    _Bool urgent;
};

int main(void) {
    unsigned char wire[2] = {7, 2};
    struct message m = {wire[0], wire[1] != 0};
    return m.urgent ? 0 : 1;
}
