// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int to_cents(double euros) {
    return (int)(euros * 100); // finds: float-to-int
}

int main(void) {
    return to_cents(3e7) == 0;
}
