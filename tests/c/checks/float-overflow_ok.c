// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: float-overflow
static double average(double x, double y) {
    return x / 2 + y / 2;
}

int main(void) {
    return average(1e308, 1.5e308) < 0;
}
