/* Room for the closing bracket is given back, but it was never reserved. */
#include <stdio.h>

static char out[10];

int main(int argc, char **argv)
{
    char *next = out, *limit = &out[9];
    int angle = 0;
    if (argc < 2)
        return 1;
    for (char *p = argv[1]; *p != 0; p++) {
        if (*p == '<' && !angle) {
            angle = 1;
        }
        if (*p == '>' && angle) {
            angle = 0;
            limit++;
        }
        if (next < limit)
            *next++ = *p; // VIOLATED(bounds)
    }
    *next = 0; // VIOLATED(bounds)
    return 0;
}
