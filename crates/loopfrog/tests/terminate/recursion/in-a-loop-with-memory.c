// Each call leaves an object behind: there are finitely many pointers.
// program: NOT(diverges)
#include <stdlib.h>
void f(unsigned n) {
    for (;;) {
        char *object = malloc(1);
        f(n + 1);
    }
}
int main(void) {
    f(4);
    return 0;
}
