// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
enum colour { RED, GREEN, BLUE };

static int wavelength(enum colour c) {
    switch (c) {
    case RED: return 700;
    case GREEN: return 530;
    default: __builtin_unreachable(); // finds: unreachable-reached
    }
}

int main(void) {
    return wavelength(BLUE) == 0;
}
