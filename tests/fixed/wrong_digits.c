/* CANA
CANA ALL sign seven 8
global x range 0 1
*/
// status: 2
// says: wrong_digits.c:2:1
// says: `seven` is no number of digits
double f(double x) {
    return x * x;
}
