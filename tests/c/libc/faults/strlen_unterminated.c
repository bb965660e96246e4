// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>
int main(void)
{
    char text[4] = {'a', 'b', 'c', 'd'};
    return (int)strlen(text); // finds: string-not-terminated
}
