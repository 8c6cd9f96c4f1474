/* A table of lists: what begins with # has no name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 31

struct entry {
    char *name;
    struct entry *next;
};

static struct entry *table[SLOTS];

static void enter(const char *name)
{
    struct entry *entry = malloc(sizeof *entry);
    unsigned at = (unsigned char)name[0] % SLOTS;
    if (!entry)
        exit(1);
    entry->name = name[0] == '#' ? NULL : strdup(name);
    entry->next = table[at];
    table[at] = entry;
}

int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin))
        enter(line);
    for (int i = 0; i < SLOTS; i++)
        for (struct entry *entry = table[i]; entry; entry = entry->next) // PROVED(null)
            putchar(entry->name[0]); // MAY(null)
    return 0;
}
