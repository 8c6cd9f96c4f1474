/* A pointer is overwritten by a longer copy. */
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *text = malloc(3);
    if (!text)
        return 1;
    strcpy(text, "ab");
    if (argc > 1 && strcmp(argv[1], "-l") == 0) {
        char *longer = malloc(8);
        if (!longer)
            abort();
        strcpy(longer, text);
        strcat(longer, "cd");
        text = longer;
    }
    free(text);
    return 0; // TODO-VIOLATED(leak)
}
