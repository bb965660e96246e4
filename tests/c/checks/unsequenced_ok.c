// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static int next(int i) {
    i = i + 1;
    return i;
}

int main(void) {
    return next(1) == 0;
}
