// program: DIVERGES
// What was printed is not looked at.
#include <stdio.h>

int main(void) {
    for (unsigned i = 1;; i++) // DIVERGES
        printf("round %u\n", i);
}
