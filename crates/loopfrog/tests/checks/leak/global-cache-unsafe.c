/* A cache that a global variable keeps, and `exit`. */
#include <stdlib.h>
#include <string.h>

static char *cache;

static void load(const char *text)
{
    free(cache);
    cache = malloc(strlen(text) + 1);
    if (cache)
        strcpy(cache, text);
}

int main(void)
{
    load("one");
    load("two");
    exit(0); // VIOLATED(leak)
}
