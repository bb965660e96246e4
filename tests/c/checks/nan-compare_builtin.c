// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: nan-compare
// The same where a macro writes the operator too.
#define SMALLER(a, b) __builtin_isless(a, b) < (b)
int main(void) {
    volatile double nan = __builtin_nan(""), one = 1;
    if (__builtin_isless(nan, one)) return 1;
    return SMALLER(one, nan); // finds: nan-compare
}
