/* An access through a null pointer ends the run, so what comes behind does not rely on it. A function that survives null pointers does not end it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[4];

int main(int argc, char *argv[])
{
    int index = argc & 3;
    char *colon = strchr(argv[argc > 1], ':');
    *colon = 0; // VIOLATED(null)
    size_t length = strlen(getenv("NOBODY_SETS_THIS")); // VIOLATED(null)
    if (length < 4)
        index = (int)length;
    table[index] = *colon; // PROVED(bounds) PROVED(null)
    char *name = getenv("NOR_THIS");
    printf("%s\n", name); // MAY(null)
    char first = name[0]; // MAY(null)
    return table[index] + first; // PROVED(bounds)
}
