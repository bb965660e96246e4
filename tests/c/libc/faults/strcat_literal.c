// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>
int main(void)
{
    char *text = "const";
    strcpy(text, "CONST"); // finds: write-to-const
    return text[0];
}
