/* CANA
CANA ALL sign 5 3 base 10
global x range 0 1
*/
// Example 2's format: base 10, three digits. Half a step is 0.0005.
// error y: 0.00149..0.0016
// status: 0
double x;
int main(void) {
    double y = x * x;
    return y > 0.5;
}
