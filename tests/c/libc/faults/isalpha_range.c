// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <ctype.h>
int main(void)
{
    volatile int c = 1000;
    int (*volatile classify)(int) = isalpha;
    return classify(c); // finds: bad-argument
}
