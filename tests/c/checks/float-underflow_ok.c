// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: float-underflow
static double relative(double x) {
    return x > -1e-150 && x < 1e-150 ? 0 : x * x;
}

int main(void) {
    return relative(1e-200) > 0;
}
