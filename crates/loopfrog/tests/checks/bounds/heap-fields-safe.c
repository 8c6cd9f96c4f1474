/* What list nodes say about a buffer holds for each node, whichever the list leads to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 2352

struct part {
    int start, size, mode;
    struct part *next;
};

static struct part *read_parts(FILE *file)
{
    char line[80];
    struct part *all = NULL, *part;
    while (fgets(line, sizeof line, file)) {
        part = malloc(sizeof *part);
        if (!part)
            exit(1);
        part->mode = atoi(line);
        part->start = 0;
        part->size = 2048;
        if (!strncmp(line, "MODE1", 5)) {
            part->start = 16;
            part->size = 2048;
        } else if (!strncmp(line, "MODE2", 5)) {
            part->start = 24;
            part->size = 2324;
        } else if (!strncmp(line, "AUDIO", 5)) {
            part->start = 0;
            part->size = 2352;
        }
        part->next = all;
        all = part;
    }
    return all;
}

int main(int argc, char **argv)
{
    char buffer[SECTOR];
    char out[SECTOR];
    struct part *part;
    (void)argv;
    memset(buffer, argc, sizeof buffer);
    for (part = read_parts(stdin); part; part = part->next) {
        memcpy(out, buffer + part->start, part->size); // PROVED(bounds)
        for (int i = part->start; i < part->start + part->size; i++)
            buffer[i] = 0; // PROVED(bounds)
    }
    return out[0];
}
