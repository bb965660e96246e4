// SPDX-License-Identifier: MIT OR Apache-2.0
int halve(int n, int by);

int main(void) {
    return halve(4, 2);
}
