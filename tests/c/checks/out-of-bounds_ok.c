// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
int main(void) {
    int squares[10];
    for (int i = 0; i < 10; i++)
        squares[i] = i * i;
    return squares[0];
}
