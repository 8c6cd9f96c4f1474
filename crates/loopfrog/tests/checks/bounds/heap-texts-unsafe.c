/* Strings that only the nodes of a list lead to; a function makes the list. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key, *value;
    struct entry *next;
};

static char *copied(const char *text)
{
    char *copy = malloc(strlen(text));
    if (!copy)
        exit(1);
    memcpy(copy, text, strlen(text));
    return copy;
}

static struct entry *read_all(void)
{
    char line[80];
    struct entry *all = NULL;
    while (fgets(line, sizeof line, stdin)) {
        struct entry *new = malloc(sizeof *new);
        if (!new)
            exit(1);
        new->key = copied(line);
        new->value = strdup(line);
        if (!new->value)
            exit(1);
        new->next = all;
        all = new;
    }
    return all;
}

int main(void)
{
    struct entry *all = read_all(), *entry;
    size_t length = 0;
    char *p;
    for (entry = all; entry; entry = entry->next)
        for (p = entry->value; *p; p++)
            *p = toupper((unsigned char)*p);
    for (entry = all; entry; entry = entry->next)
        length += strlen(entry->key) + strlen(entry->value); // VIOLATED(bounds)
    return length > 100;
}
