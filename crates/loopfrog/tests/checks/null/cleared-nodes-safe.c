/* A list that grows at its end, of nodes that calloc has cleared. */
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
        *end = new; // PROVED(null)
        end = &new->next;
    }
    for (record = first; record; record = record->next) // PROVED(null)
        if (record->name)
            puts(record->name); // PROVED(null)
    return 0;
}
