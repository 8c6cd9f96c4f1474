// program: NOT(terminates) NOT(diverges)
// flags: --engine run
#include <stdlib.h>
int main(void) {
    unsigned *n = malloc(sizeof *n);
    while (*n > 1) // NOT(terminates)
        *n = *n % 2 ? 3 * *n + 1 : *n / 2;
    return 0;
}
