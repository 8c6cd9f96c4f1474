/* The same with claims about what was not filled. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct whole {
    char *text;
    int number;
    double real;
    struct whole *next;
    int values[3];
};

struct part {
    int number;
    char name[12];
};

int main(int argc, char **argv)
{
    struct whole local, *heap = malloc(sizeof *heap), *cleared = calloc(1, sizeof *cleared);
    struct part part;
    int row[4];
    if (!heap || !cleared)
        return 1;
    memset(&local, 0, sizeof local);
    memset(heap, 0, sizeof *heap);
    heap->number = 1;
    memset(&heap->real, 0, sizeof heap->real);
    memset(row, 0, sizeof row);
    assert(!local.text && local.number == 0 && local.real == 0 && local.values[argc & 1] == 0);
    if (argc == 3)
        assert(heap->number == 0); // VIOLATED(assert)
    assert(!cleared->text && !cleared->next && cleared->real == 0 && cleared->values[argc & 1] == 0);
    assert(row[argc & 3] == 0);
    part.number = 0x12345678;
    memset(&part.number, 0, 2);
    if (argc == 2)
        assert(part.number == 0); // VIOLATED(assert)
    memset(part.name, 'x', sizeof part.name);
    memset(part.name, 0, 5);
    assert(part.name[4] == 0 && part.name[5] == 'x');
    row[1] = -1;
    memset(row, 0, 6);
    if (argc > 4)
        assert(row[1] == 0); // VIOLATED(assert)
    return 0;
}
