/* A function that is declared not to return. */
#include <stdlib.h>

static _Noreturn void die(int status)
{
    if (status > 0)
        exit(status);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc != 2)
        die(argc - 1); // VIOLATED(unreachable)
    return 0;
}
