// program: NOT(terminates) NOT(diverges)
// Each call keeps an object: there are finitely many pointers, so memory comes to its end.
#include <stdlib.h>
static void keep(unsigned n) {
    char *kept = malloc(10);
    if (kept)
        keep(n + 1);
}
int main(void) {
    keep(1);
    return 0;
}
