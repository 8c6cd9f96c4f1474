// program: NOT(diverges)
#include <stdlib.h>
static void handler(void) {
    while (1)
        ;
}
int main(void) {
    atexit(handler);
    _Exit(0);
}
