// A result without a bound is a row with the reason, not a row that is missing.
/* clew-fixed: fixed x=q8 fixed return=q8 range x=0..1 */
// flags: --function odd
// why return: an operation on the bits of a number
// status: 0
int odd(int x) {
    return x ^ 21;
}
