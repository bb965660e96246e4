/* clew-fixed fixed ALL=s7.8 range x=0..1 */
// status: 2
// says: wrong_word.c:1:4
// says: begins with `clew-fixed:`
double f(double x) {
    return x * x;
}
