/* What a function does on its way out of the program is nothing that an iteration does. */
#include <stdio.h>
#include <stdlib.h>

static char *buffer;

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    free(buffer); // PROVED(free)
    buffer = 0;
    exit(1);
}

int main(void)
{
    buffer = malloc(64);
    if (!buffer)
        die("out of memory");
    for (int i = 0;; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        if (i >= 64)
            die("too long");
        buffer[i] = (char)c; // PROVED(dangling) PROVED(bounds) PROVED(null)
    }
    free(buffer); // PROVED(free)
    return 0;
}
