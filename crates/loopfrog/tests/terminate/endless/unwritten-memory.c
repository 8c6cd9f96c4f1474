// program: DIVERGES
// Memory holds something, whatever it is.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    while (*p == 5) // DIVERGES
        ;
    return 0;
}
