// SPDX-License-Identifier: MIT OR Apache-2.0
add(a, b)
    int a, b;
{
    return a + b;
}

int main(void) {
    return add(1, 2) - undeclared();
}

int undeclared() {
    return 3;
}
