// Records by value: as arguments, as results, on both sides of a test.
/* clew-fixed: fixed ALL=s4.12 range x=0..1 range y=0..1 */
// flags: --function square
// error return: 0.0005..0.0012
// reached return: 0.0003..0.0012
// status: 0
struct complex {
    double re, im;
};

static struct complex times(struct complex a, struct complex b) {
    struct complex product;
    product.re = a.re * b.re - a.im * b.im;
    product.im = a.re * b.im + a.im * b.re;
    if (product.im > 9.0)
        return a;
    return product;
}

double square(double x, double y) {
    struct complex z = {x, y}, w;
    w = times(z, z);
    return w.re + w.im;
}
