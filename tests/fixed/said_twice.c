/* clew-fixed: fixed ALL=s7.8 fixed ALL=s3.3 range x=0..1 */
// status: 2
// says: said_twice.c:1:31
// says: `ALL` has two formats
double f(double x) {
    return x * x;
}
