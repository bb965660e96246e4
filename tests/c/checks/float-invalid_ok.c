// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: float-invalid
static double share(double part, double whole) {
    return whole != 0 ? part / whole : 0;
}

int main(void) {
    return share(0, 0) == 1;
}
