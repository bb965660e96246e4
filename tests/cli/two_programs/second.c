// SPDX-License-Identifier: MIT OR Apache-2.0
int halve(int n, int by);

int main(int argc, char **argv) {
    return halve(argc, 3);
}
