// program: DIVERGES
#include <stdlib.h>
static void handler(void) {
    while (1)
        ;
}
int main(void) {
    atexit(handler);
    return 0;
}
