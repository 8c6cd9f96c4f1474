/* A matrix in one heap block. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned rows = __VERIFIER_nondet_uint() % 3 + 1;
    unsigned columns = __VERIFIER_nondet_uint() % 3 + 1;
    int *cells = malloc(rows * columns * sizeof *cells);
    if (!cells)
        return 1;
    unsigned row = __VERIFIER_nondet_uint(), column = __VERIFIER_nondet_uint();
    if (row < rows && column < columns)
        cells[row * columns + column] = 1; // PROVED(bounds)
    free(cells);
    return 0;
}
