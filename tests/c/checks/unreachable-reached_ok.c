// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
enum colour { RED, GREEN, BLUE };

static int wavelength(enum colour c) {
    switch (c) {
    case RED: return 700;
    case GREEN: return 530;
    case BLUE: return 470;
    default: __builtin_unreachable();
    }
}

int main(void) {
    return wavelength(BLUE) == 0;
}
