// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: float-underflow
static double relative(double x) {
    return x * x; // finds: float-underflow
}

int main(void) {
    return relative(1e-200) > 0;
}
