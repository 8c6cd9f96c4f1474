/* A function that sometimes comes back does so in what an iteration does. */
#include <stdio.h>
#include <stdlib.h>

static char *buffer;

static void complain(const char *why, int fatal)
{
    fprintf(stderr, "%s\n", why);
    free(buffer);
    if (fatal)
        exit(1);
}

int main(void)
{
    buffer = malloc(64);
    if (!buffer)
        return 1;
    for (int i = 0; i < 64; i++) {
        int c = getchar();
        if (c == EOF)
            complain("too short", i == 0);
        buffer[i] = (char)c; // VIOLATED(dangling)
    }
    return 0;
}
