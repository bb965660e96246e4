// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: float-invalid
static double share(double part, double whole) {
    return part / whole; // finds: float-invalid
}

int main(void) {
    return share(0, 0) == 1;
}
