// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int next(int i) {
    i = i++ + 1; // finds: unsequenced
    return i;
}

int main(void) {
    return next(1) == 0;
}
