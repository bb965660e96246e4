// One call has several requirements of one check, and several inputs that break the same one.
#include <stdio.h>

int main(void) {
    char text[12];
    int number = getchar();
    sprintf(text, "%.3e", number / 3.0);
    sprintf(text, "%.10f", 1.0); // violated: out-of-bounds
    return 0;
}
