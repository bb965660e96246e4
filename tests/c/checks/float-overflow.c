// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: float-overflow
static double average(double x, double y) {
    return (x + y) / 2; // finds: float-overflow
}

int main(void) {
    return average(1e308, 1.5e308) < 0;
}
