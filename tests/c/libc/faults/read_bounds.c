// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <unistd.h>
int main(void)
{
    char buffer[4];
    return (int)read(0, buffer, 5); // finds: out-of-bounds
}
