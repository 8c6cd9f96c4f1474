/* A function that is declared not to return. */
#include <stdlib.h>

static _Noreturn void die(int status)
{
    exit(status > 0 ? status : 1);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc != 2)
        die(argc - 1); // PROVED(unreachable)
    return 0;
}
