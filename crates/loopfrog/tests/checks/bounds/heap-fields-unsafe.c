/* What holds of each node when it is made need not hold later: another function changes one that is in the list already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    int start, size;
    struct part *next;
};

static struct part *add(struct part *all, int number)
{
    struct part *part = malloc(sizeof *part);
    if (!part)
        exit(1);
    part->start = 0;
    part->size = 20;
    if (number % 2) {
        part->start = 4;
        part->size = 16;
    }
    part->next = all;
    return part;
}

int main(void)
{
    char buffer[20] = {0}, out[20] = {0};
    struct part *all = NULL, *part;
    int count = 0;
    while (count < 3) {
        all = add(all, count);
        if (all->next)
            all->next->start = 4;
        count++;
    }
    for (part = all; part; part = part->next)
        memcpy(out, buffer + part->start, part->size); // VIOLATED(bounds)
    return out[0];
}
