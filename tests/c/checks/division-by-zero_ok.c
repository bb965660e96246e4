// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static int average(const int *values, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return n > 0 ? total / n : 0;
}

int main(void) {
    int none[1] = {0};
    return average(none, 0);
}
