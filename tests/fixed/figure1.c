/* CANA
CANA ALL sign 7 8
global x range 0 1
global n range 100 100
*/
// Figure 1 of the paper. Its own tool prints 0.007295 for rst, which is unsound: 0.007346 is reached.
// flags: --within 0.01
// error rst: 0.007346..0.00735
// error rst AI: 0.00762..0.007622
// error rst EAI: 0.00762..0.007622
// error rst CI: 0.008011..0.008012
// value rst AI: 504.1..505.5
// value rst EAI: 504.1..505.5
// reached rst: 0.007346..0.00735
// within rst: yes
// status: 1
double x;
int n;
int main(void) {
    int i;
    double rst;
    rst = x;
    i = 0;
    while (i <= n) {
        rst = rst + i; // overflow: confirmed
        i++;
    }
    rst = rst / 10.0f; // overflow: may
    rst = rst - x * x; // overflow: may
    return 1;
}
