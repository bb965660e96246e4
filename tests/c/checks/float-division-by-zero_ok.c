// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: float-division-by-zero
static double slope(double rise, double run) {
    return run != 0 ? rise / run : 0;
}

int main(void) {
    return slope(1, 0) < 0;
}
