// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
static int add(int a, int b) {
    return a + b;
}

typedef int (*two_arguments)(int, int);

int main(void) {
    two_arguments f = add;
    return f(1, 2) == 0;
}
