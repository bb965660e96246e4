/* CANA
CANA ALL sign 7 many
global x range 1 0
*/
// status: 2
// says: wrong_format.c:2:1
// says: is no number of digits
// says: wrong_format.c:3:1
// says: its low end is above
double x;
int main(void) {
    return 0;
}
