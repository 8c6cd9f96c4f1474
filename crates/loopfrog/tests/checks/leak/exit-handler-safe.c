/* A handler of `atexit` frees what main leaves: whether it runs is not seen at the end of main. */
#include <stdlib.h>

static char *state;

static void finish(void)
{
    free(state);
} // PROVED(leak)

int main(void)
{
    if (atexit(finish))
        return 1;
    state = malloc(1);
    return 0; // TODO-PROVED(leak)
}
