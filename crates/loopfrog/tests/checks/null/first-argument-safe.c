/* The name of a file is an argument that may be missing. */
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    return strlen(argv[1]) > 3; // PROVED(null)
}
