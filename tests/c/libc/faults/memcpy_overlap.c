// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>
int main(void)
{
    char text[16] = "0123456789";
    memcpy(text + 2, text, 8); // finds: overlap
    return text[0];
}
