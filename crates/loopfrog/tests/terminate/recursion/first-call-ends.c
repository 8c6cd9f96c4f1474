// program: NOT(diverges)
// The second call would go on for ever. The first one comes to the end of the program.
#include <stdlib.h>
static void both(unsigned n) {
    if (n == 0)
        exit(0);
    both(n - 1);
    both(n + 1);
}
int main(void) {
    both(300000);
    return 0;
}
