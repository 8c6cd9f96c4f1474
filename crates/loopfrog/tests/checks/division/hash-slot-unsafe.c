/* A hash table of a given number of slots. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct table {
    unsigned slots;
    int *first;
};

static int *slot(struct table *table, unsigned key)
{
    return &table->first[key % table->slots]; // VIOLATED(division)
}

int main(void)
{
    struct table table;
    table.slots = __VERIFIER_nondet_uint();
    if (table.slots > 8)
        return 1;
    table.first = calloc(8, sizeof *table.first);
    if (!table.first)
        return 1;
    *slot(&table, __VERIFIER_nondet_uint()) = 1;
    free(table.first);
    return 0;
}
