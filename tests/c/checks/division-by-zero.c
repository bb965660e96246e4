// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int average(const int *values, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total / n; // finds: division-by-zero
}

int main(void) {
    int none[1] = {0};
    return average(none, 0);
}
