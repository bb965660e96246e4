// SPDX-License-Identifier: MIT OR Apache-2.0
int step(int from) {
    return from + STEP;
}
