/* A string is appended to a buffer of fixed size. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char path[8] = "/bin/";
    if (argc < 2)
        return 1;
    strcat(path, argv[1]); // VIOLATED(bounds)
    puts(path);
    return 0;
}
