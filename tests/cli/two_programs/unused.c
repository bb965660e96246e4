// SPDX-License-Identifier: MIT OR Apache-2.0
int third(int n, int by) {
    return n % by;
}
