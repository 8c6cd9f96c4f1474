// program: NOT(terminates) NOT(diverges)
// The library decides what the numbers are, and it may well come to this one.
#include <stdlib.h>

int main(void) {
    unsigned rounds = 0;
    while (rand() % 1000000 != 5) // NOT(terminates) NOT(diverges)
        rounds++;
    return 0;
}
