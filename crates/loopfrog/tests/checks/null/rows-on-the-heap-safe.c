/* A table of pointers that is made at run time, null at first. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct cell {
    int value;
    struct cell *next;
};

int main(void)
{
    struct cell **rows = calloc(16, sizeof *rows);
    unsigned sum = 0;
    if (!rows)
        return 1;
    for (unsigned n = __VERIFIER_nondet_uint() % 100; n > 0; n--) {
        struct cell *cell = malloc(sizeof *cell);
        unsigned at = __VERIFIER_nondet_uint() % 16;
        if (!cell)
            return 2;
        cell->value = 1; // PROVED(null)
        cell->next = rows[at];
        rows[at] = cell;
    }
    for (int i = 0; i < 16; i++)
        for (struct cell *cell = rows[i]; cell; cell = cell->next) // PROVED(null)
            sum += cell->value; // PROVED(null)
    return sum > 100;
}
