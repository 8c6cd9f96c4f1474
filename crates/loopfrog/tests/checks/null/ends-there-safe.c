/* The same with tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[4];

int main(int argc, char *argv[])
{
    int index = argc & 3;
    char *colon = strchr(argv[argc > 1], ':');
    char *home = getenv("NOBODY_SETS_THIS"), *name = getenv("NOR_THIS");
    if (!colon || !home || !name)
        return 1;
    *colon = 0; // PROVED(null)
    size_t length = strlen(home); // PROVED(null)
    if (length < 4)
        index = (int)length;
    table[index] = *colon; // PROVED(bounds) PROVED(null)
    printf("%s\n", name); // PROVED(null)
    char first = name[0]; // PROVED(null)
    return table[index] + first; // PROVED(bounds)
}
