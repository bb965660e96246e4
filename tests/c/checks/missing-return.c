// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
} // finds: missing-return

int main(void) {
    int s = sign(0);
    return s > 1;
}
