/* A string is appended to a buffer of fixed size. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char path[8] = "/bin/";
    if (argc < 2)
        return 1;
    if (strlen(path) + strlen(argv[1]) >= sizeof path)
        return 1;
    strcat(path, argv[1]); // PROVED(bounds)
    puts(path);
    return 0;
}
