// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
static int add(int a, int b) {
    return a + b;
}

typedef int (*one_argument)(int);

int main(void) {
    one_argument f = (one_argument)add;
    return f(1) == 0; // finds: bad-call
}
