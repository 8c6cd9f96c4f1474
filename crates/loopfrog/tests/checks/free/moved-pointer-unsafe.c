/* Leading blanks of a heap string are skipped. */
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) > 4)
        return 1;
    char *copy = malloc(strlen(argv[1]) + 1);
    if (!copy)
        return 1;
    strcpy(copy, argv[1]);
    char *text = copy;
    while (*text == ' ')
        text++;
    free(text); // VIOLATED(free)
    return 0;
}
