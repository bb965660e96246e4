// A union is refused, with its place.
/* clew-fixed: fixed ALL=s4.12 range x=0..1 */
// flags: --function read
// no bound: union.c:13:
// no bound: a member of a union
// status: 0
union word {
    double number;
    int bits[2];
};
double read(double x) {
    union word w;
    w.number = x;
    return w.number * 2.0;
}
