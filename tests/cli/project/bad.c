// SPDX-License-Identifier: MIT OR Apache-2.0
#define HALF(x) (x / two)

int half(int n) {
    return HALF(n);
}

int broken(int n {
    return n;
}
