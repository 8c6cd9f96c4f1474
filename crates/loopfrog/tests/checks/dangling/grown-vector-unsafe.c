/* A pointer into a vector that has grown. */
#include <stdlib.h>

int main(void)
{
    int *items = malloc(2 * sizeof *items);
    if (!items)
        return 1;
    items[0] = 7;
    int *first = items;
    int *grown = realloc(items, 8 * sizeof *items);
    if (!grown) {
        free(items);
        return 1;
    }
    int sum = *first; // VIOLATED(dangling)
    free(grown);
    return sum;
}
