// SPDX-License-Identifier: MIT OR Apache-2.0
// part of another test
int counter;
static int helper(int n) { return n + 1; }
int next(void) { return counter = helper(counter); }
