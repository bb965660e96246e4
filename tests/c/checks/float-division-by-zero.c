// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: float-division-by-zero
static double slope(double rise, double run) {
    return rise / run; // finds: float-division-by-zero
}

int main(void) {
    return slope(1, 0) < 0;
}
