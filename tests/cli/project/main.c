// SPDX-License-Identifier: MIT OR Apache-2.0
int step(int from);

int main(void) {
    return step(4) - 7;
}
