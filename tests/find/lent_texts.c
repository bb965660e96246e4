// SPDX-License-Identifier: MIT OR Apache-2.0
// Texts that the library lends are nobody's to write; a run that goes on behind div has its result.
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *path = getenv("PATH");
    if (path != NULL && argc == 2)
        *path = 'x'; // violated: write-to-const
    div_t parts = div(7, argc - 3); // violated: division-by-zero
    return parts.quot > 3;
}
