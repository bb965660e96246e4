// SPDX-License-Identifier: MIT OR Apache-2.0
int halve(int n, int by) {
    return n / by;
}
