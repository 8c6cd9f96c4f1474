/* A table of lists: each of its pointers is null or leads to a node, whose name is never null. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 31

struct entry {
    char *name;
    struct entry *next;
};

static struct entry *table[SLOTS];

static unsigned slot(const char *name)
{
    unsigned sum = 0;
    while (*name)
        sum = sum * 31 + (unsigned char)*name++;
    return sum % SLOTS;
}

static struct entry *find(const char *name)
{
    struct entry *entry;
    for (entry = table[slot(name)]; entry; entry = entry->next) // PROVED(null)
        if (strcmp(entry->name, name) == 0) // PROVED(null)
            return entry;
    return NULL;
}

static void enter(const char *name)
{
    struct entry *entry;
    unsigned at;
    if (find(name))
        return;
    entry = malloc(sizeof *entry);
    if (!entry)
        exit(1);
    entry->name = strdup(name);
    if (!entry->name)
        exit(1);
    at = slot(name);
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
            printf("%s", entry->name); // PROVED(null)
    return 0;
}
