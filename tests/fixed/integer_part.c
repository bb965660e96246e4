// The integer part of a rounded number: machine and reals may be on different sides of a jump.
/* clew-fixed: fixed ALL=s4.8 range x=0..1 */
// flags: --function steps
// error return: 0.125..0.1273
// reached return: 0.12..0.1273
// status: 0
double steps(double x) {
    int k = (int)(x * 8.3);
    return k * 0.125;
}
