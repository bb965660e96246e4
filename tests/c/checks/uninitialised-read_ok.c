// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: uninitialised-read
static int largest(const int *values, int n) {
    int best = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || values[i] > best)
            best = values[i];
    return best;
}

int main(void) {
    int none[1] = {0};
    return largest(none, 0) > 0;
}
