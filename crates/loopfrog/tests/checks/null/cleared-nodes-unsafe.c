/* The same without a look whether the name is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char *name;
    unsigned kind;
    struct record *next;
};

int main(int argc, char **argv)
{
    struct record *first = NULL, **end = &first, *record;
    int i;
    for (i = 1; i < argc; i++) {
        struct record *new = calloc(1, sizeof *new);
        if (!new)
            return 1;
        if (i % 2 == 0) {
            new->kind = 16;
            new->name = strdup(argv[i]);
            if (!new->name)
                return 1;
        }
        *end = new;
        end = &new->next;
    }
    for (record = first; record; record = record->next)
        putchar(record->name[0]); // VIOLATED(null)
    return 0;
}
