// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int last(int n) {
    int copy[n]; // finds: bad-array-length
    for (int i = 0; i < n; i++) copy[i] = i;
    return n > 0 ? copy[n - 1] : 0;
}

int main(void) {
    return last(3) - last(0);
}
