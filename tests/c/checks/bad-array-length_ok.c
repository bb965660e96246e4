// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 2
static int last(int n) {
    if (n <= 0) return 0;
    int copy[n];
    for (int i = 0; i < n; i++) copy[i] = i;
    return copy[n - 1];
}

int main(void) {
    return last(3) - last(0);
}
