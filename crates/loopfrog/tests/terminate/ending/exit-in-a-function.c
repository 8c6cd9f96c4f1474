// program: TERMINATES
#include <stdlib.h>
static void leave(int n) {
    if (n >= 0)
        exit(n);
}
int main(void) {
    while (1) // TERMINATES
        leave(3);
}
