/* The name of a file is an argument that may be missing. */
#include <string.h>

int main(int argc, char **argv)
{
    return strlen(argv[1]) > 3; // VIOLATED(null)
}
