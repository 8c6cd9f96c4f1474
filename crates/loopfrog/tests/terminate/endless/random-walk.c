// program: DIVERGES
// What the library decides does not matter.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned at = 1;
    while (at != 10) { // DIVERGES
        at += 2 * (rand() % 6);
        printf("%u\n", at);
    }
    return 0;
}
