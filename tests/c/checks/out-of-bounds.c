// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
int main(void) {
    int squares[10];
    for (int i = 0; i <= 10; i++)
        squares[i] = i * i; // finds: out-of-bounds
    return squares[0];
}
